"""The copy of the sample notes that come with Scrubjay."""

from __future__ import annotations

import shutil
from pathlib import Path

from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.platform.paths import Paths, resources
from scrubjay_desktop.text.formatting import translate


def sample_notes_name() -> str:
    """The name of the workspace of the sample notes."""
    return translate("Sample", "Sample notes")


def sample_notes_folder(paths: Paths) -> Path:
    """The folder of the copy of the sample notes."""
    return paths.sample_notes


def copy_sample_notes(paths: Paths) -> Path:
    """Copy the sample notes unless there is a copy already; raises ScrubjayError."""
    target = sample_notes_folder(paths)
    if target.exists():
        return target
    # A copy that was broken off is never taken for the whole.
    unfinished = target.with_name(f"{target.name}.partial")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(resources() / "sample", unfinished)
        unfinished.rename(target)
    except OSError as error:
        # There is no reason where several files fail.
        reason = system_reason(error) if error.errno else ""
        raise ScrubjayError(
            translate("Sample", "The sample notes could not be copied"),
            reason,
            hint=translate(
                "Sample", "Make sure that the disk has enough free space, and then try again."
            ),
        ) from error
    return target
