"""Calls of Windows that Python has no function for."""

from __future__ import annotations

import ctypes
import sys

_BELOW_NORMAL = 0x4000
"""BELOW_NORMAL_PRIORITY_CLASS of `winbase.h`: its threads have the base priority 6."""
_HIGHEST = 2
"""THREAD_PRIORITY_HIGHEST of `winbase.h`, which is added to the base priority of the class."""


class MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("physical", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
    )


def windows_library(name: str) -> ctypes.CDLL:
    """A library of the system. Raises OSError on other systems."""
    if sys.platform == "win32":
        return ctypes.WinDLL(name, use_last_error=True)
    raise OSError(f"{name} belongs to Windows")


def kernel_library() -> ctypes.CDLL:
    """The library with processes and jobs. Raises OSError on other systems."""
    kernel = windows_library("kernel32")
    # Handles have the size of an address.
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.GetCurrentThread.restype = ctypes.c_void_p
    kernel.OpenProcess.restype = ctypes.c_void_p
    return kernel


def this_process() -> ctypes.c_void_p:
    """The process that asks."""
    return ctypes.c_void_p(kernel_library().GetCurrentProcess())


def lower_priority() -> None:
    """Let the programs of the user run before this process. Raises OSError."""
    check_success(kernel_library().SetPriorityClass(this_process(), _BELOW_NORMAL))


def exempt_this_thread() -> None:
    """Let this thread run as if `lower_priority` had not been called. Raises OSError."""
    kernel = kernel_library()
    # Together with the base priority of the class this is 8, as in an ordinary process.
    thread = ctypes.c_void_p(kernel.GetCurrentThread())
    check_success(kernel.SetThreadPriority(thread, _HIGHEST))


def physical_memory() -> int:
    """Bytes of memory of this computer. Raises OSError."""
    status = MemoryStatus(size=ctypes.sizeof(MemoryStatus))
    check_success(kernel_library().GlobalMemoryStatusEx(ctypes.byref(status)))
    return int(status.physical)


def check_success(result: int) -> int:
    """The result of a function of Windows; raises OSError where it failed."""
    if result:
        return result
    raise OSError("Windows refused it")
