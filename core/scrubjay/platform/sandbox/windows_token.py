"""The token of Windows that says what a process may do: a restricted copy, and its integrity.

See "Restricted Tokens" and "Mandatory Integrity Control" in Microsoft's documentation. The groups
are those of the level USER_LIMITED in Chromium's `sandbox/win/src/restricted_token_utils.cc`.
"""

from __future__ import annotations

import contextlib
import ctypes
import struct
from collections.abc import Iterator

from scrubjay.platform.sandbox.windows_calls import (
    check_success,
    kernel_library,
    this_process,
    windows_library,
)

# Numbers of `winnt.h`: rights to a token, what is told about it, and how it is restricted.
_ASSIGN_PRIMARY = 0x1
_DUPLICATE = 0x2
_QUERY = 0x8
_ADJUST_DEFAULT = 0x80
_USER = 1
_INTEGRITY_LEVEL = 25
_LOGON_SID = 28
_IS_INTEGRITY = 0x20
NO_PRIVILEGES = 0x1
"""Flag: only the privilege to pass through folders is left."""
CHANGES_ALONE = 0x8
"""Flag: only what is changed must be open to the groups; all of the user's files can be read."""
_OWN_TOKEN = ctypes.c_void_p(-4)
"""GetCurrentProcessToken of `processthreadsapi.h`, for questions only. The process may not open
its own token where that is restricted."""
_LONGEST_ANSWER = 256
"""Bytes about one SID, which has 68 at most."""


class _SidAndAttributes(ctypes.Structure):
    """SID_AND_ATTRIBUTES, and TOKEN_MANDATORY_LABEL."""

    _fields_ = (("sid", ctypes.c_void_p), ("attributes", ctypes.c_uint32))


class _OneGroup(ctypes.Structure):
    """TOKEN_GROUPS with one of them."""

    _fields_ = (("count", ctypes.c_uint32), ("first", _SidAndAttributes))


def sid_bytes(authority: int, *parts: int) -> bytes:
    """The SID that is written `S-1-authority-part-part`, as Windows holds it."""
    head = struct.pack(">BBHI", 1, len(parts), 0, authority)
    return head + struct.pack(f"<{len(parts)}I", *parts)


def sid_text(sid: bytes) -> str:
    """A SID as people and access lists write it, from the bytes that Windows holds."""
    authority = int.from_bytes(sid[2:8], "big")
    parts = struct.unpack(f"<{sid[1]}I", sid[8:])
    return "-".join(["S-1", str(authority), *map(str, parts)])


def sid_at(address: int) -> bytes:
    """The SID at an address in memory."""
    return ctypes.string_at(address, 8 + 4 * ctypes.string_at(address, 2)[1])


_EVERYONE = sid_bytes(1, 0)
_USERS = sid_bytes(5, 32, 545)
"""Group whose members may read Windows and the installed programs."""
_ADMINISTRATORS = sid_bytes(5, 32, 544)
"""Group whose rights are taken away where the program was started with them."""
_RESTRICTED = sid_bytes(5, 12)
"""Group by which files can be opened to processes with restricted tokens alone."""
_LOW_INTEGRITY = sid_bytes(16, 4096)


@contextlib.contextmanager
def restricted_token(flags: int) -> Iterator[ctypes.c_void_p]:
    """A copy of this process's token that is limited to some groups and to low integrity.

    Its process may do what both the user and these groups may. Raises OSError.
    """
    kernel = kernel_library()
    token = ctypes.c_void_p()
    rights = _ASSIGN_PRIMARY | _DUPLICATE | _QUERY | _ADJUST_DEFAULT
    with _own_token(rights) as own:
        # Without the group of this logon it could not use the desktop, which libraries load.
        sids = [_EVERYONE, _USERS, _RESTRICTED, *_logon_sids(own)]
        groups = (_SidAndAttributes * len(sids))()
        for group, sid in zip(groups, sids, strict=True):
            group.sid = _address(sid)
        denied = _SidAndAttributes(_address(_ADMINISTRATORS), 0)
        check_success(
            windows_library("advapi32").CreateRestrictedToken(
                own, flags, 1, ctypes.byref(denied), 0, None, len(sids), groups, ctypes.byref(token)
            )
        )
    try:
        set_low_integrity(token)
        yield token
    finally:
        kernel.CloseHandle(token)


def user_sid() -> bytes:
    """The SID of the user of this process. Raises OSError on other systems."""
    told = _told(_OWN_TOKEN, _USER)
    return sid_at(_SidAndAttributes.from_buffer(told).sid)


def is_restricted() -> bool:
    """True if this process has a restricted token. Raises OSError on other systems."""
    return bool(windows_library("advapi32").IsTokenRestricted(_OWN_TOKEN))


def lower_integrity() -> None:
    """Put this process below others of the same user.

    Their files and memory cannot be changed from here. Raises OSError.
    """
    if _has_low_integrity():
        return
    with _own_token(_ADJUST_DEFAULT) as own:
        set_low_integrity(own)


def set_low_integrity(token: ctypes.c_void_p) -> None:
    """Let a token be below others of the same user. Raises OSError."""
    label = _SidAndAttributes(_address(_LOW_INTEGRITY), _IS_INTEGRITY)
    size = ctypes.sizeof(label) + len(_LOW_INTEGRITY)
    security = windows_library("advapi32")
    check_success(security.SetTokenInformation(token, _INTEGRITY_LEVEL, ctypes.byref(label), size))


def _has_low_integrity() -> bool:
    label = _SidAndAttributes.from_buffer(_told(_OWN_TOKEN, _INTEGRITY_LEVEL))
    return ctypes.string_at(label.sid, len(_LOW_INTEGRITY)) == _LOW_INTEGRITY


def _logon_sids(token: ctypes.c_void_p) -> list[bytes]:
    """The group of this logon; none for a service."""
    try:
        told = _told(token, _LOGON_SID)
    except OSError:
        return []
    groups = _OneGroup.from_buffer(told)
    if not groups.count:
        return []
    return [sid_at(groups.first.sid)]


def _told(token: ctypes.c_void_p, what: int) -> ctypes.Array[ctypes.c_char]:
    """What Windows tells about a token; addresses in it are in the result. Raises OSError."""
    told = ctypes.create_string_buffer(_LONGEST_ANSWER)
    length = ctypes.c_uint32()
    check_success(
        windows_library("advapi32").GetTokenInformation(
            token, what, told, len(told), ctypes.byref(length)
        )
    )
    return told


@contextlib.contextmanager
def _own_token(rights: int) -> Iterator[ctypes.c_void_p]:
    """The token of this process. Raises OSError where the rights to it are refused."""
    token = ctypes.c_void_p()
    security = windows_library("advapi32")
    check_success(security.OpenProcessToken(this_process(), rights, ctypes.byref(token)))
    try:
        yield token
    finally:
        kernel_library().CloseHandle(token)


def _address(sid: bytes) -> int | None:
    """Where bytes that are kept elsewhere are in memory."""
    return ctypes.cast(ctypes.c_char_p(sid), ctypes.c_void_p).value
