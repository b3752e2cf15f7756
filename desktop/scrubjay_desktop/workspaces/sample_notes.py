"""The sample notes, copied so that users may write in them."""

from __future__ import annotations

import shutil
from pathlib import Path

from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.platform.paths import Paths, resources
from scrubjay_desktop.text.formatting import translate


def sample_name() -> str:
    """The name of their workspace."""
    return translate("Sample", "Sample notes")


def sample_folder(paths: Paths) -> Path:
    """The folder of the copy."""
    return paths.data / "sample-notes"


def copy_sample(paths: Paths) -> Path:
    """Copy the sample notes unless there is a copy already; raises ScrubjayError."""
    target = sample_folder(paths)
    if target.exists():
        return target
    unfinished = target.with_name(f"{target.name}.partial")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(resources() / "sample", unfinished)
        unfinished.rename(target)
    except OSError as error:
        raise ScrubjayError(
            translate("Sample", "The sample notes could not be copied"),
            system_reason(error) if error.errno else "",  # none where several files fail
            hint=translate("Sample", "Check that there is room on the disk, then try again."),
        ) from error
    return target
