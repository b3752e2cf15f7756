"""The sandbox of Linux: no new privileges, no capabilities, Landlock, and a seccomp filter."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from functools import partial

from scrubjay.messages import Sentence, fill_template, msg
from scrubjay.platform.sandbox import landlock, seccomp
from scrubjay.platform.sandbox.libc_calls import LIBC, check_result
from scrubjay.platform.sandbox.program_files import program_files

_READABLE = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    # The libraries of NixOS, Guix and Homebrew.
    *("/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"),
    # Fonts that a PDF file does not bring: links among them lead to other folders there.
    *("/usr/share", "/usr/local/share"),
    *("/etc/localtime", "/dev/null", "/dev/urandom"),
)
"""Files and folders that a program on Linux reads besides its own; everybody may read them all."""
# Numbers of `linux/prctl.h` and `linux/capability.h`.
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION = 0x20080522
_CAPABILITY_SETS = struct.Struct("=III")
"""Effective, permitted and inheritable capabilities: the first 32, then the others."""
_MAY_READ_ALL = 1 << 2
"""CAP_DAC_READ_SEARCH, with which root reads a program in another user's folder."""

_PRIVILEGES_KEPT = msg(
    "no_new_privs is not available (error {n}), so a harmful document could gain other "
    "programs' permissions."
)
_NO_LANDLOCK = msg(
    "Landlock is not available (error {n}), so a harmful document could read your other files."
)
_NO_SECCOMP = msg(
    "seccomp is not available (error {n}), so a harmful document could start programs and "
    "connect to other computers."
)


def enter(*, with_threads: bool) -> tuple[list[str], list[Sentence]]:
    """The protections that are now in force, and the missing ones, as in `enter_sandbox`."""
    measures = list[str]()
    gaps = list[Sentence]()

    def try_out(measure: Callable[[], str], gap: Sentence) -> None:
        try:
            measures.append(measure())
        except OSError as error:
            # The number, since the system has words of its own language for it.
            gaps.append(fill_template(gap, {"n": str(error.errno)}))

    # The filter comes last: it refuses the calls of the others.
    try_out(_give_up_privileges, _PRIVILEGES_KEPT)
    try_out(_restrict_files, _NO_LANDLOCK)
    try_out(partial(seccomp.apply_seccomp, with_threads=with_threads), _NO_SECCOMP)
    return measures, gaps


def _give_up_privileges() -> str:
    # A program that catches the memory of crashed ones would keep the content of the document.
    check_result(LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0))
    check_result(LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _drop_capabilities()
    return "no_new_privs"


def _drop_capabilities() -> None:
    """Leave root what everybody may do; others have no capability anyway."""
    # A capability that is not permitted now can never be taken again.
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(_CAPABILITY_SETS.size * 2)
    check_result(LIBC.capget(header, sets))
    _, permitted, _ = _CAPABILITY_SETS.unpack_from(sets)
    kept = permitted & _MAY_READ_ALL
    lower = _CAPABILITY_SETS.pack(kept, kept, 0)
    upper = _CAPABILITY_SETS.pack(0, 0, 0)
    check_result(LIBC.capset(header, lower + upper))


def _restrict_files() -> str:
    version = landlock.apply_landlock([*program_files(), *_READABLE])
    return f"Landlock {version}"
