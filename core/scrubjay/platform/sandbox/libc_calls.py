"""Calls of the Linux kernel that Python has no function for."""

from __future__ import annotations

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)


def check_result(result: int) -> int:
    """The result of a function of C; raises OSError where it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """The result of a call by its number; bytes are passed by address. Raises OSError."""
    # Without a type ctypes passes 32 bits, and the kernel reads 64.
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return check_result(LIBC.syscall(ctypes.c_long(number), *wide))
