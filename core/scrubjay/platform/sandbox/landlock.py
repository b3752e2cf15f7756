"""Landlock of the Linux kernel: limits the files that a process may read.

See `Documentation/userspace-api/landlock.rst` and `include/uapi/linux/landlock.h` of the kernel.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterable

from scrubjay.platform.sandbox.libc_calls import system_call

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
"""Numbers of the calls, on all processors."""
# Flags and rights, named as in the kernel's header.
_PATH_ONLY = 0o10000000
"""O_PATH of `asm-generic/fcntl.h`. Python's own constant exists only on Linux."""
_ASK_VERSION = 1
_PATH_BENEATH = 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Numbers of bits that say what is done to files, by version; newer ones have 16."""
_TCP = 0b11
"""Bind and connect, from version 4 on."""
_SCOPES = 0b11
"""Abstract sockets and signals to processes outside, from version 6 on."""


def apply_landlock(readable: Iterable[str]) -> int:
    """The version that is in force from now on for this thread. Raises OSError without any.

    Paths that do not exist are passed over.
    """
    # Whatever a ruleset handles is denied; each version of the kernel can handle more.
    version = system_call(_CREATE_RULESET, None, 0, _ASK_VERSION)
    handled = struct.pack("=Q", (1 << _FILE_RIGHTS.get(version, 16)) - 1)
    if version >= 4:
        handled += struct.pack("=Q", _TCP)
    if version >= 6:
        handled += struct.pack("=Q", _SCOPES)
    ruleset = system_call(_CREATE_RULESET, handled, len(handled), 0)
    try:
        for path in readable:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                _allow_reading(ruleset, path)
        system_call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return version


def _allow_reading(ruleset: int, path: str) -> None:
    """Exempt a file, or a folder with all that is in it."""
    # The kernel takes an open file, since a path could lead elsewhere by then.
    file = os.open(path, _PATH_ONLY)
    try:
        rights = _READ_FILE
        if stat.S_ISDIR(os.fstat(file).st_mode):
            rights |= _READ_DIR
        rule = struct.pack("=Qi", rights, file)
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(file)
