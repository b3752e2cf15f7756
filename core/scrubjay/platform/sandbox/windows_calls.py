"""Calls of Windows that Python has no function for."""

from __future__ import annotations

import ctypes
import sys

_BELOW_NORMAL = 0x4000
"""BELOW_NORMAL_PRIORITY_CLASS of `winbase.h`."""


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
    kernel.OpenProcess.restype = ctypes.c_void_p
    return kernel


def this_process() -> ctypes.c_void_p:
    """The process that asks."""
    return ctypes.c_void_p(kernel_library().GetCurrentProcess())


def lower_priority() -> None:
    """Let the programs of the user run before this process. Raises OSError."""
    check_success(kernel_library().SetPriorityClass(this_process(), _BELOW_NORMAL))


def check_success(result: int) -> int:
    """The result of a function of Windows; raises OSError where it failed."""
    if result:
        return result
    raise OSError("Windows refused it")
