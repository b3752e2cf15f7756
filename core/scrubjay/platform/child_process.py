"""Starting and ending our own child processes.

Children do not get the current folder or any keys.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Protocol, cast

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
_NICENESS = 5
"""Steps by which a process in the background gives way to others."""
WATCH_S = 0.05
"""Seconds between two looks at the memory of a child process that works. A fast computer fills some
200 MB meanwhile; a look takes a tenth of a millisecond."""


class WorkerProcess(Protocol):
    """A child process that was started, as far as its parent needs it."""

    pid: int

    @property
    def stdin(self) -> IO[bytes] | None:
        """Pipe to its input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """Pipe from its output."""

    @property
    def returncode(self) -> int | Any:
        """Exit code, once its end was noticed."""

    def poll(self) -> int | None:
        """The exit code; None while it runs."""

    def wait(self) -> int:
        """The exit code, after its end."""

    def kill(self) -> None:
        """End it, unless it has ended."""


def start_worker(
    python_arguments: Sequence[str],
    bundle_switch: str,
    variables: Mapping[str, str],
    *,
    keeps_errors: bool = False,
    is_background: bool = False,
) -> subprocess.Popen[bytes]:
    """A child process with pipes as its input and output, and for its errors if they are kept.

    `python_arguments` tell the interpreter what to run. A bundle has no interpreter, only the
    program itself, which gets the switch instead. In the background it runs at low priority. Raises
    OSError.
    """
    import subprocess  # takes long, and most commands start no child

    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows has it, and the next one
    if is_background:
        flags |= getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    process = subprocess.Popen(
        _worker_command(python_arguments, bundle_switch),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if keeps_errors else subprocess.DEVNULL,
        cwd=Path(sys.executable).parent,
        env={**minimal_environment(os.environ), **variables},
        # Ctrl-C in a terminal is for the parent, which then closes the pipe.
        start_new_session=True,
        creationflags=flags,
    )
    if sys.platform == "win32":
        from scrubjay.platform.sandbox.windows_job import end_with_this_process

        # Where the job is refused, it still ends once it reads the end of its input.
        with contextlib.suppress(OSError):
            process.job = end_with_this_process(process.pid)  # type: ignore[attr-defined,unused-ignore]
    elif is_background:
        with contextlib.suppress(OSError):
            lower = os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS
            os.setpriority(os.PRIO_PROCESS, process.pid, lower)
    return process


def start_sandboxed_worker(python_arguments: Sequence[str], bundle_switch: str) -> WorkerProcess:
    """A child process that reads what others wrote, as `start_worker` starts it.

    It enters its sandbox by itself, except for the part that Windows lets only parents add.
    """
    if sys.platform == "win32":
        from scrubjay.platform.sandbox.windows_process import WorkerStart, start_restricted

        command = _worker_command(python_arguments, bundle_switch)
        variables = minimal_environment(os.environ)
        # The program of a virtual environment starts this one, and a job has room for one.
        if sys.prefix != sys.base_prefix:
            command[0] = sys._base_executable  # type: ignore[attr-defined]  # noqa: SLF001
            variables["__PYVENV_LAUNCHER__"] = sys.executable
        folder = Path(sys.executable).parent
        start = WorkerStart(tuple(command), folder, variables=tuple(variables.items()))
        process = start_restricted(start)
        if process is not None:
            return process
    return start_worker(python_arguments, bundle_switch, {})


def _worker_command(python_arguments: Sequence[str], bundle_switch: str) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, bundle_switch]
    # -P: no module comes from the folder that the program was started in.
    return [sys.executable, "-P", *python_arguments]


class Overrun:
    """The limit for which a child process was killed, if it was."""

    def __init__(self) -> None:
        self.is_late = False
        self.is_too_large = False
        """Whether it took more memory than it may."""


@contextlib.contextmanager
def kill_after_timeout(
    process: WorkerProcess, seconds: float, cancel: CancelToken, *, most_memory: int
) -> Iterator[Overrun]:
    """The limit for which the process is killed: so many seconds, or bytes of memory.

    Inside, a cancel kills the process as well. Raises Cancelled where that came before.
    """
    overrun = Overrun()
    has_ended = threading.Event()
    ends = time.monotonic() + seconds

    # A read from a pipe has no limit of time, and macOS has no limit of memory of its own.
    def watch() -> None:
        while not has_ended.wait(WATCH_S):
            overrun.is_late = time.monotonic() > ends
            overrun.is_too_large = process_memory(process.pid) > most_memory
            if overrun.is_late or overrun.is_too_large:
                process.kill()
                process.wait()
                return

    watcher = threading.Thread(target=watch, name="scrubjay-limits", daemon=True)
    watcher.start()
    try:
        with cancel.calling(process.kill):
            yield overrun
    finally:
        # The next request may be for the same process, unless that has been killed by now.
        has_ended.set()
        watcher.join()


def process_memory(pid: int) -> int:
    """Bytes of memory that a process has taken; 0 where the system does not tell."""
    # Late, since most requests are answered before anybody looks. The library is gone where the
    # program was removed while it runs.
    try:
        import psutil
    except ImportError:
        return 0
    try:
        memory = psutil.Process(pid).memory_info()
    except psutil.Error:  # it has ended
        return 0
    # Windows tells what was moved to the disk as well. Other systems do so last with a process that
    # uses its memory, and what libraries only reserve must not count: pyarrow reserves a gigabyte.
    return int(getattr(memory, "pagefile", memory.rss))


def end_worker(process: WorkerProcess) -> None:
    """Kill a child process, wait for its end and close its pipes."""
    # Until it is waited for, a dead process stays in the system's list.
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # unsent bytes to a dead process
            cast("BinaryIO", stream).close()


def minimal_environment(
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
