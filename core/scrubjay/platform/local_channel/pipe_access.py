"""Who may use a named pipe of Windows, and whose it is.

See "Named Pipe Security and Access Rights" in Microsoft's documentation.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator

from scrubjay.platform.sandbox.windows_calls import check_success, kernel_library, windows_library
from scrubjay.platform.sandbox.windows_token import sid_at, sid_text, user_sid

# Numbers of `accctrl.h`, `winnt.h` and `sddl.h`.
_KERNEL_OBJECT = 6
_OWNER = 0x1
_REVISION = 1


class SecurityAttributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("descriptor", ctypes.c_void_p),
        ("is_inherited", ctypes.c_int32),
    )


@contextlib.contextmanager
def for_this_user_alone() -> Iterator[int]:
    """Address of security attributes: the user owns it, and nobody else may use it.

    Raises OSError.
    """
    sid = sid_text(user_sid())
    descriptor = ctypes.c_void_p()
    # The list of rights is protected, so that nothing is inherited into it.
    check_success(
        windows_library("advapi32").ConvertStringSecurityDescriptorToSecurityDescriptorW(
            ctypes.c_wchar_p(f"O:{sid}D:P(A;;GA;;;{sid})"),
            _REVISION,
            ctypes.byref(descriptor),
            None,
        )
    )
    try:
        attributes = SecurityAttributes(descriptor=descriptor)
        attributes.size = ctypes.sizeof(attributes)
        yield ctypes.addressof(attributes)
    finally:
        kernel_library().LocalFree(descriptor)


def is_of_this_user(handle: int) -> bool:
    """True if the user of this process owns what was opened. Raises OSError."""
    owner = ctypes.c_void_p()
    descriptor = ctypes.c_void_p()
    refusal = windows_library("advapi32").GetSecurityInfo(
        ctypes.c_void_p(handle),
        _KERNEL_OBJECT,
        _OWNER,
        ctypes.byref(owner),
        None,
        None,
        None,
        ctypes.byref(descriptor),
    )
    if refusal:
        raise OSError(f"the owner is not told, error {refusal}")
    try:
        return owner.value is not None and sid_at(owner.value) == user_sid()
    finally:
        kernel_library().LocalFree(descriptor)
