"""Reports of crashes: files on this computer for the user to read. They are never sent."""

from __future__ import annotations

import contextlib
import datetime as dt
import faulthandler
import platform
import sys
import traceback
from pathlib import Path
from typing import TextIO

from scrubjay.platform.atomic_write import PRIVATE_FILE, write_atomically
from scrubjay.platform.paths import Paths, make_private_folder
from scrubjay.version import current_version

_MAX_REPORTS = 10
"""Reports that are kept."""
_NATIVE = "native.txt"
"""Name of the file into which a trace is written when native code fails."""


class CrashReports:
    """The folder of reports. A report holds a traceback and versions, but no text of notes."""

    def __init__(self, paths: Paths) -> None:
        self.folder = paths.state / "crashes"
        self._native: TextIO | None = None

    def write(self, text: str) -> Path | None:
        """The file of a new report; None if it cannot be written."""
        name = f"crash-{dt.datetime.now(dt.UTC):%Y%m%d-%H%M%S-%f}.txt"
        try:
            make_private_folder(self.folder)
            file = self.folder / name
            write_atomically(file, text.encode("utf-8", "backslashreplace"), PRIVATE_FILE)
            # A program that crashes at each start must not fill the disk.
            for old in self.all()[_MAX_REPORTS:]:
                old.unlink(missing_ok=True)
        except OSError:
            return None
        return file

    def all(self) -> list[Path]:
        """The reports, newest first."""
        return sorted(self.folder.glob("crash-*.txt"), reverse=True)

    def watch(self) -> None:
        """Write a trace when a fault in native code ends this process."""
        # The file is opened now: a process that is failing can only write.
        with contextlib.suppress(OSError):
            make_private_folder(self.folder)
            file = self.folder / _NATIVE
            file.touch(PRIVATE_FILE)
            self._native = file.open("w", encoding="utf-8")
            faulthandler.enable(self._native)

    def unwatch(self) -> None:
        """Delete the empty trace at a regular end."""
        if self._native is not None:
            # An empty trace says nothing, and is not left behind.
            faulthandler.disable()
            self._native.close()
            self._native = None
            with contextlib.suppress(OSError):
                (self.folder / _NATIVE).unlink(missing_ok=True)

    def left_behind(self) -> str:
        """Trace of the last run's crash, kept as a report; empty for none. Call before `watch`."""
        file = self.folder / _NATIVE
        try:
            trace = file.read_text(encoding="utf-8", errors="replace")
            file.unlink()
        except OSError:
            return ""
        # A process that was killed leaves an empty file.
        if not trace.strip():
            return ""
        text = f"{versions_line()}\n\nThe last run ended in native code:\n\n{trace}"
        self.write(text)
        return text


def is_program_gone() -> bool:
    """Whether this bundle was moved or removed since it started, so that parts of it are missing.

    What fails then is not a mistake of the program.
    """
    return getattr(sys, "frozen", False) and not Path(sys.executable).exists()


def versions_line(*more: str) -> str:
    """One line with the versions of Scrubjay, Python and the system."""
    # Nothing about the person or the computer's name.
    system = f"{platform.system()} {platform.release()}"
    python = f"Python {platform.python_version()}"
    return ", ".join((f"Scrubjay {current_version()}", system, python, *more))


def report_text(error: BaseException, *more: str) -> str:
    """Text of a report: versions and the traceback."""
    return f"{versions_line(*more)}\n\n{''.join(traceback.format_exception(error))}"
