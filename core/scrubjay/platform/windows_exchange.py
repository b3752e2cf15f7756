"""Puts a new file in the place of another on Windows, and keeps the other one.

Windows does so with two renames, one directly after the other: see "ReplaceFileW function" on
Microsoft Learn.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

assert sys.platform == "win32"

_IGNORE_MERGE_ERRORS = 0x2
"""REPLACEFILE_IGNORE_MERGE_ERRORS of `winbase.h`: no drive has to know all attributes."""
_PROTOTYPE = ctypes.WINFUNCTYPE(
    ctypes.c_int,
    *(ctypes.c_wchar_p, ctypes.c_wchar_p, ctypes.c_wchar_p),
    *(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p),
    use_last_error=True,
)
_PARAMETERS = (
    *((1, "replaced"), (1, "replacement"), (1, "backup")),
    *((1, "flags", _IGNORE_MERGE_ERRORS), (1, "exclude", None), (1, "reserved", None)),
)
"""The parameters of ReplaceFileW, all of which are inputs, with values for the last ones."""
_FOREIGN_DRIVE = frozenset({1, 50, 87, 120})
"""ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED, ERROR_INVALID_PARAMETER and
ERROR_CALL_NOT_IMPLEMENTED of `winerror.h`: the drive cannot do this."""
_OLD_STAYED = frozenset({1175, 1176})
"""ERROR_UNABLE_TO_REMOVE_REPLACED and ERROR_UNABLE_TO_MOVE_REPLACEMENT: both files stayed."""
_OLD_MOVED = 1177
"""ERROR_UNABLE_TO_MOVE_REPLACEMENT_2: only the old file was renamed."""


def replace_file(new: Path, target: Path, kept: Path) -> bool:
    """Give a new file the name of another, which gets a name that is free.

    False if the drive cannot. May raise OSError, as for a file that another program has open.
    """
    replace = _PROTOTYPE(("ReplaceFileW", ctypes.WinDLL("kernel32")), _PARAMETERS)
    if replace(replaced=str(target), replacement=str(new), backup=str(kept)):
        return True
    number = ctypes.get_last_error()
    if number in _FOREIGN_DRIVE:
        return False
    if number == _OLD_MOVED:
        kept.rename(target)
    if number == _OLD_MOVED or number in _OLD_STAYED:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(target))
    raise ctypes.WinError(number)
