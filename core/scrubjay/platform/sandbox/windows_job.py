"""The job of Windows that limits a process; see "Job Objects" in Microsoft's documentation."""

from __future__ import annotations

import ctypes
import weakref

from scrubjay.platform.sandbox.windows_calls import (
    check_success,
    kernel_library,
    physical_memory,
    this_process,
)

# Numbers of `winnt.h`: limits of a job, and kinds of information.
_ONE_PROCESS = 0x8
_PROCESS_MEMORY = 0x100
_DIE_ON_UNHANDLED_EXCEPTION = 0x400
_KILL_ON_CLOSE = 0x2000
"""The processes of the job end with the last handle to it, and so with the parent that has it."""
_EXTENDED_LIMITS = 9
_UI_RESTRICTIONS = 4
_ALL_OF_UI = 0xFF
"""Bits for other programs' windows, clipboard, atoms, desktops, settings of the display, and
shutting down."""
_JOB_RIGHTS = 0x100 | 0x1
"""Rights PROCESS_SET_QUOTA and PROCESS_TERMINATE, which AssignProcessToJobObject needs."""
_MAX_MEMORY = 2 * 2**30
"""Bytes of memory of the process that reads exports, which may take most. Parents watch the limit
of each process; this one also holds after the parent's end."""


class Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, its parts in a row."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class Job:
    """The handle of a job whose processes end with it."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._close = weakref.finalize(self, kernel_library().CloseHandle, handle)

    def end(self) -> None:
        """Kill its processes."""
        self._close()


def limit_by_job(process: ctypes.c_void_p) -> Job:
    """A job with a child process, which may start no other process. Raises OSError."""
    return Job(_limited_by_job(process, _KILL_ON_CLOSE))


def limit_this_process() -> None:
    """Put this process into such a job for good. Raises OSError."""
    # The job lasts as long as its process. With the handle its limits could be lifted.
    kernel_library().CloseHandle(_limited_by_job(this_process(), 0))


def end_with_this_process(pid: int) -> Job:
    """A job that ends a child process, however this one ends. Raises OSError.

    The child may take as much memory as the computer has, so that it cannot fill the disk.
    """
    kernel = kernel_library()
    limits = Limits(flags=_KILL_ON_CLOSE | _PROCESS_MEMORY, process_memory=physical_memory())
    process = ctypes.c_void_p(check_success(kernel.OpenProcess(_JOB_RIGHTS, 0, pid)))
    try:
        return Job(_job_of(process, limits, ui=False))
    finally:
        kernel.CloseHandle(process)


def is_limited_by_job() -> bool:
    """True if this process is in a job in which it may start no other. Raises OSError."""
    limits = Limits()
    size = ctypes.sizeof(limits)
    # Without a handle it is the job of the process that asks.
    is_answered = kernel_library().QueryInformationJobObject(
        None, _EXTENDED_LIMITS, ctypes.byref(limits), size, None
    )
    return bool(is_answered and limits.flags & _ONE_PROCESS and limits.processes == 1)


def _limited_by_job(process: ctypes.c_void_p, more_flags: int) -> ctypes.c_void_p:
    # It may start no process, and dies of a fault without a dialog.
    limits = Limits(
        flags=_ONE_PROCESS | _PROCESS_MEMORY | _DIE_ON_UNHANDLED_EXCEPTION | more_flags,
        processes=1,
        process_memory=_MAX_MEMORY,
    )
    # A job within another one, as many terminals make them, may not restrict the user interface.
    try:
        return _job_of(process, limits, ui=True)
    except OSError:
        return _job_of(process, limits, ui=False)


def _job_of(process: ctypes.c_void_p, limits: Limits, *, ui: bool) -> ctypes.c_void_p:
    """The handle of a new job with one process in it. Raises OSError."""
    kernel = kernel_library()
    job = ctypes.c_void_p(check_success(kernel.CreateJobObjectW(None, None)))
    try:
        size = ctypes.sizeof(limits)
        check_success(
            kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        )
        if ui:
            everything = ctypes.c_uint32(_ALL_OF_UI)
            check_success(
                kernel.SetInformationJobObject(job, _UI_RESTRICTIONS, ctypes.byref(everything), 4)
            )
        check_success(kernel.AssignProcessToJobObject(job, process))
    except OSError:
        kernel.CloseHandle(job)
        raise
    return job
