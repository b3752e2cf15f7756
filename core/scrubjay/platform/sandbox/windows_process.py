"""A child process of Windows with a restricted token, which only its parent can give to it.

`subprocess` cannot, and pywin32 would let the child inherit every open handle of the parent that
can be inherited, such as the pipe to an agent.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from scrubjay.platform.sandbox.windows_calls import check_success, kernel_library, windows_library
from scrubjay.platform.sandbox.windows_job import limit_by_job
from scrubjay.platform.sandbox.windows_token import CHANGES_ALONE, NO_PRIVILEGES, restricted_token

# Numbers of `winbase.h` and `processthreadsapi.h`.
_USE_HANDLES = 0x100
_SUSPENDED = 0x4
_UNICODE_ENVIRONMENT = 0x400
_EXTENDED_STARTUP = 0x80000
_NO_CONSOLE = 0x8
"""DETACHED_PROCESS: a console would be a second process in the job."""
_INHERITED_HANDLES = 0x20002
_NO_DIALOGS = 0x1 | 0x2
"""SEM_FAILCRITICALERRORS and SEM_NOGPFAULTERRORBOX; a child inherits them."""
_FOREVER = 0xFFFFFFFF
_TRIAL_S = 20.0
"""Seconds in which a process starts and ends, on a busy computer."""


class WorkerStart(NamedTuple):
    """What a child process is started with."""

    command: tuple[str, ...]
    folder: Path
    variables: tuple[tuple[str, str], ...]


class StartupInfo(ctypes.Structure):
    """STARTUPINFOEXW, its parts in a row."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("reserved", ctypes.c_void_p),
        ("desktop", ctypes.c_void_p),
        ("title", ctypes.c_void_p),
        ("window", ctypes.c_uint32 * 7),
        ("flags", ctypes.c_uint32),
        ("show", ctypes.c_uint16),
        ("reserved_bytes", ctypes.c_uint16),
        ("reserved_address", ctypes.c_void_p),
        ("handles", ctypes.c_void_p * 3),
        ("attributes", ctypes.c_void_p),
    )


class ProcessInformation(ctypes.Structure):
    """PROCESS_INFORMATION."""

    _fields_ = (
        ("process", ctypes.c_void_p),
        ("thread", ctypes.c_void_p),
        ("process_id", ctypes.c_uint32),
        ("thread_id", ctypes.c_uint32),
    )


class RestrictedProcess:
    """A process with a restricted token, in a job; used like `subprocess.Popen`."""

    def __init__(self, start: WorkerStart, flags: int) -> None:
        """`flags` are those of `restricted_token`. Raises OSError."""
        with contextlib.ExitStack() as stack, contextlib.ExitStack() as failed:
            theirs, self.stdin = _pipe_to_child()
            stack.callback(os.close, theirs)
            failed.callback(self.stdin.close)
            self.stdout, answers = _pipe_from_child()
            stack.callback(os.close, answers)
            failed.callback(self.stdout.close)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            stack.callback(os.close, nowhere)
            token = stack.enter_context(restricted_token(flags))
            information = _created(token, start, [theirs, answers, nowhere])
            failed.pop_all()
        self.pid = information.process_id
        self.returncode: int | None = None
        self._process = ctypes.c_void_p(information.process)
        weakref.finalize(self, kernel_library().CloseHandle, self._process)
        thread = ctypes.c_void_p(information.thread)
        # It has not run yet, so it does nothing outside the job.
        try:
            self.job = limit_by_job(self._process)
            check_success(kernel_library().ResumeThread(thread) != -1)
        except OSError:
            self.kill()
            raise
        finally:
            kernel_library().CloseHandle(thread)

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, after its end. Raises TimeoutExpired after so many seconds."""
        if self.returncode is None:
            kernel = kernel_library()
            milliseconds = _FOREVER
            if timeout is not None:
                milliseconds = int(timeout * 1000)
            if kernel.WaitForSingleObject(self._process, milliseconds) != 0:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            code = ctypes.c_uint32()
            check_success(kernel.GetExitCodeProcess(self._process, ctypes.byref(code)))
            self.returncode = code.value
        return self.returncode

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self.returncode is None:
            kernel_library().TerminateProcess(self._process, 1)


def start_restricted(start: WorkerStart) -> RestrictedProcess | None:
    """A process with the fewest rights with which it starts; None if it starts with none of them.

    Without the right to read the user's files it cannot read the program either, where that lies
    among them.
    """
    for flags in (NO_PRIVILEGES, NO_PRIVILEGES | CHANGES_ALONE):
        if _starts(start, flags):
            return RestrictedProcess(start, flags)
    return None


@functools.cache
def _starts(start: WorkerStart, flags: int) -> bool:
    """True if the process starts with these rights, and ends well where nothing is asked."""
    try:
        process = RestrictedProcess(start, flags)
    except OSError:
        return False
    process.stdin.close()
    try:
        return process.wait(_TRIAL_S) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        return False
    finally:
        process.stdout.close()


def _created(token: ctypes.c_void_p, start: WorkerStart, files: list[int]) -> ProcessInformation:
    """A process that does not run yet, with three open files as input, output and errors."""
    handles = (ctypes.c_void_p * 3)(*map(_inheritable, files))
    information = ProcessInformation()
    with _inherited(handles) as attributes, _no_dialogs():
        startup = StartupInfo(
            size=ctypes.sizeof(StartupInfo),
            flags=_USE_HANDLES,
            handles=handles,
            attributes=ctypes.addressof(attributes),
        )
        check_success(
            windows_library("advapi32").CreateProcessAsUserW(
                token,
                start.command[0],
                ctypes.create_unicode_buffer(subprocess.list2cmdline(start.command)),
                None,
                None,
                True,
                _SUSPENDED | _UNICODE_ENVIRONMENT | _EXTENDED_STARTUP | _NO_CONSOLE,
                ctypes.create_unicode_buffer(environment_block(start.variables)),
                str(start.folder),
                ctypes.byref(startup),
                ctypes.byref(information),
            )
        )
    return information


def environment_block(variables: tuple[tuple[str, str], ...]) -> str:
    """Variables as Windows takes them, without the zero at the very end."""
    return "".join(f"{name}={value}\0" for name, value in variables)


@contextlib.contextmanager
def _inherited(handles: ctypes.Array[ctypes.c_void_p]) -> Iterator[ctypes.Array[ctypes.c_char]]:
    """The list of attributes that says that a child gets these handles and no others."""
    kernel = kernel_library()
    size = ctypes.c_size_t()
    # The first call tells the size that the second one needs.
    kernel.InitializeProcThreadAttributeList(None, 1, 0, ctypes.byref(size))
    attributes = ctypes.create_string_buffer(size.value)
    check_success(kernel.InitializeProcThreadAttributeList(attributes, 1, 0, ctypes.byref(size)))
    try:
        check_success(
            kernel.UpdateProcThreadAttribute(
                attributes,
                0,
                ctypes.c_size_t(_INHERITED_HANDLES),
                handles,
                ctypes.c_size_t(ctypes.sizeof(handles)),
                None,
                None,
            )
        )
        yield attributes
    finally:
        kernel.DeleteProcThreadAttributeList(attributes)


@contextlib.contextmanager
def _no_dialogs() -> Iterator[None]:
    """Let a child that is started meanwhile end without a word where it cannot start."""
    kernel = kernel_library()
    former = kernel.GetErrorMode()
    kernel.SetErrorMode(former | _NO_DIALOGS)
    try:
        yield
    finally:
        kernel.SetErrorMode(former)


def _pipe_to_child() -> tuple[int, IO[bytes]]:
    """The child's end of a pipe, and the parent's."""
    theirs, own = os.pipe()
    return theirs, os.fdopen(own, "wb")


def _pipe_from_child() -> tuple[IO[bytes], int]:
    """The parent's end of a pipe, and the child's."""
    own, theirs = os.pipe()
    return os.fdopen(own, "rb"), theirs


def _inheritable(file: int) -> int:
    """The handle of an open file, which a child may inherit."""
    if sys.platform == "win32":
        import msvcrt

        handle = msvcrt.get_osfhandle(file)
        os.set_handle_inheritable(handle, True)
        return handle
    raise OSError("handles belong to Windows")
