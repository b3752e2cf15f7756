"""Starting and ending our own child processes.

Children do not get the current folder or any keys.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform.current_folder import LIBRARY_PATHS, safe_search_paths

if TYPE_CHECKING:
    import subprocess

_VARIABLES = frozenset(
    (
        *("HOME", "LANG", "LANGUAGE", "LD_PRELOAD", "PYTHONHOME", "TMPDIR", "TZ"),
        # Without these no library loads on Windows, and no folder for temporary files is found.
        *("LOCALAPPDATA", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "WINDIR"),
        # The bundle's program starts from the beginning.
        "PYINSTALLER_RESET_ENVIRONMENT",
    )
)
"""Variables that every child process gets."""
_BEGINNINGS = ("CUDA_", "GGML_", "HIP_", "HSA_", "LC_", "NVIDIA_", "OMP_", "ROCR_", "VK_")
"""Beginnings of others: the locale, and what drivers of graphics cards and OpenMP read."""


def start_worker(
    python_arguments: Sequence[str], bundle_switch: str, variables: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """A child process with pipes as its input and output.

    `python_arguments` tell the interpreter what to run. A bundle has no interpreter, only the
    program itself, which gets the switch instead. Raises OSError.
    """
    import subprocess  # takes long, and most commands start no child

    # -P: no module comes from the folder that the program was started in.
    command = [sys.executable, "-P", *python_arguments]
    if getattr(sys, "frozen", False):
        command = [sys.executable, bundle_switch]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).parent,
        env={**named_variables(os.environ), **variables},
        # Ctrl-C in a terminal is for the parent, which then closes the pipe.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows has it
    )


@contextlib.contextmanager
def limited(
    process: subprocess.Popen[bytes], seconds: float, cancel: CancelToken
) -> Iterator[threading.Event]:
    """An event that is set when the process is killed because so many seconds have passed.

    Inside, a cancel kills the process as well. Raises Cancelled where that came before.
    """
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        process.kill()

    # A timer, since a read from a pipe has no limit of time of its own.
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        with cancel.calling(process.kill):
            yield is_late
    finally:
        timer.cancel()


def end_worker(process: subprocess.Popen[bytes]) -> None:
    """Kill a child process, wait for its end and close its pipes."""
    # Until it is waited for, a dead process stays in the system's list.
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # unsent bytes to a dead process
            cast("BinaryIO", stream).close()


def named_variables(
    environ: Mapping[str, str], more: Collection[str] = (), beginnings: tuple[str, ...] = ()
) -> dict[str, str]:
    """The variables that every program needs, and more of them. Keys and tokens are in others."""
    # On Windows the case of a name does not count, as in SystemRoot.
    needed = {
        name: value
        for name, value in environ.items()
        if name.upper() in _VARIABLES
        or name.upper().startswith(_BEGINNINGS + beginnings)
        or name in more
    }
    safe = safe_search_paths(environ)
    return needed | {name: safe[name] for name in ("PATH", *LIBRARY_PATHS) if name in safe}
