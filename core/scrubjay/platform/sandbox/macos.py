"""The sandbox of macOS: a profile that denies everything that it does not name.

Apple's `sandbox.h` and sandbox_init(3) call the function deprecated. Programs without an
entitlement are offered nothing else, and browsers call it for the same purpose. The names in the
profile are those of Chromium's `sandbox/policy/mac/common.sb`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable

from scrubjay.messages import Sentence, msg
from scrubjay.platform.sandbox.program_files import program_files

_READABLE = (
    *("/usr/lib", "/usr/share", "/System/Library", "/Library/Fonts", "/private/var/db/timezone"),
    # Libraries of the system since macOS 13.
    *("/System/Cryptexes", "/System/Volumes/Preboot/Cryptexes"),
    # Libraries of Homebrew and of Python's own installer.
    *("/opt/homebrew/lib", "/opt/homebrew/opt", "/opt/homebrew/Cellar"),
    *("/usr/local/lib", "/usr/local/opt", "/usr/local/Cellar", "/Library/Frameworks"),
    *("/private/etc/localtime", "/dev/null", "/dev/urandom", "/dev/random"),
)
"""Files and folders that a program on macOS reads besides its own; everybody may read them all."""
_PROFILE = """
(version 1)
(deny default)
(deny file-map-executable iokit-get-properties nvram* process-info*)
(allow process-info* (target self))
(allow signal (target self))
(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "kern.os"))
(allow mach-lookup (global-name "com.apple.fonts") (global-name "com.apple.FontObjectsServer"))
(allow file-read-metadata)
(allow file-read* file-map-executable {readable})
(allow file-map-executable (subpath "/private/var/db/oah"))
"""
"""The third line names what is allowed by default. The last one is the folder with programs that
Rosetta translated. Both are as in `SandboxPolicyUtility.h` of Firefox."""
_UNREADABLE = "/private/etc/hosts"
"""A file of every Mac that the profile does not name."""


def enter() -> tuple[list[str], list[Sentence]]:
    """The protections that are now in force, and the missing ones, as in `enter_sandbox`."""
    try:
        reason = _apply(sandbox_profile([*program_files(), *_READABLE]))
    except (OSError, AttributeError):
        reason = "sandbox_init"  # a later version of macOS may no longer have it
    # One might accept the call and do nothing, so its effect is tried.
    if reason is None and not _can_read(_UNREADABLE):
        return ["sandbox_init"], []
    return [], [
        msg(
            "macOS did not start the sandbox ({reason}), so a harmful document could read "
            "and change your files, start programs and connect to other computers.",
            reason=reason or "sandbox_init",
        )
    ]


def _apply(profile: str) -> str | None:
    """Why the system refused the profile; None if it took it. Raises OSError or AttributeError."""
    library = ctypes.CDLL("/usr/lib/libSystem.B.dylib")
    library.sandbox_init.argtypes = [
        ctypes.c_char_p,
        ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_char_p),
    ]
    reason = ctypes.c_char_p()
    if library.sandbox_init(profile.encode(), 0, ctypes.byref(reason)) == 0:
        return None
    return (reason.value or b"").decode("utf-8", "replace")


def sandbox_profile(readable: Iterable[str]) -> str:
    """The profile, in Apple's language for it, with files and folders that may be read."""
    # The system compares paths without links.
    paths = dict.fromkeys(map(os.path.realpath, readable))
    return _PROFILE.format(readable=" ".join(f"(subpath {_quoted(path)})" for path in paths))


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _can_read(path: str) -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDONLY))
        return True
    return False
