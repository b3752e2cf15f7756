"""A program of somebody else with all that it starts, which end together."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    from scrubjay.platform.sandbox.windows_job import Job, end_with_this_process


class ProcessGroup:
    """A running program and its children: a group of POSIX, or a job of Windows."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        *,
        environ: Mapping[str, str],
        out: IO[bytes],
        errors: IO[bytes],
    ) -> None:
        """Start the program in a folder, with files for what it prints. Raises OSError.

        Raises ValueError for words that no program can be given.
        """
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows has it
        )
        # What the program starts from now on is in its job. Where the job is refused, its children
        # are not ended.
        if sys.platform == "win32":
            self._job: Job | None = None
            with contextlib.suppress(OSError):
                self._job = end_with_this_process(self._process.pid)

    def wait(self, seconds: float | None = None) -> int:
        """The exit code of the program. Raises TimeoutExpired after so many seconds."""
        return self._process.wait(seconds)

    def kill(self) -> None:
        """End the program with its children, unless it has ended."""
        if self._process.poll() is not None:
            return
        if sys.platform == "win32":
            if self._job:
                self._job.end()
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
