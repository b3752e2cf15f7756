"""Opens files on Windows so that other programs may rename, replace or delete them meanwhile.

The C library, and Python with it, opens a file so that nobody else may: an editor that puts a new
file in the place of a note would fail while the note is read.
"""

from __future__ import annotations

import _winapi
import msvcrt
import os
import sys
from pathlib import Path

assert sys.platform == "win32"

_SHARED = 0x1 | 0x2 | 0x4
"""FILE_SHARE_READ, FILE_SHARE_WRITE and FILE_SHARE_DELETE of `winnt.h`."""
_APPEND_DATA = 0x4
"""FILE_APPEND_DATA of `winnt.h`: the system itself writes at the end of the file."""
_OPEN_ALWAYS = 4
"""OPEN_ALWAYS of `fileapi.h`: make the file where there is none."""
_NORMAL = 0x80
"""FILE_ATTRIBUTE_NORMAL of `winnt.h`."""


def open_shared(file: Path, flags: int) -> int:
    """A descriptor for the flags of `os.open`, to read, write, append or create.

    One that appends cannot make the file shorter. May raise OSError.
    """
    access = 0
    if not flags & os.O_WRONLY:
        access |= _winapi.GENERIC_READ
    if flags & os.O_APPEND:
        access |= _APPEND_DATA
    elif flags & (os.O_WRONLY | os.O_RDWR):
        access |= _winapi.GENERIC_WRITE
    disposition = _winapi.OPEN_EXISTING
    if flags & os.O_CREAT:
        disposition = _OPEN_ALWAYS
    handle = _winapi.CreateFile(
        str(file), access, _SHARED, _winapi.NULL, disposition, _NORMAL, _winapi.NULL
    )
    return msvcrt.open_osfhandle(handle, flags & ~os.O_CREAT)
