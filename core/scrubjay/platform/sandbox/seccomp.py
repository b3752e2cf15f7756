"""The seccomp filter: limits the calls of the Linux kernel that a process may make.

It is a list of what is allowed, so that calls of newer kernels are refused as well. See
`Documentation/userspace-api/seccomp_filter.rst` of the kernel; numbers are those of
`asm/unistd_64.h` (x86-64) and `asm-generic/unistd.h` (AArch64).
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

from scrubjay.platform.sandbox.libc_calls import system_call

ALLOWED = {
    "access": (21, None),
    "alarm": (37, None),
    "brk": (12, 214),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "close": (3, 57),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "fstat": (5, 80),
    "futex": (202, 98),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getpid": (39, 172),
    "getrandom": (318, 278),
    "getrusage": (98, 165),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "lseek": (8, 62),
    "lstat": (6, None),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "pselect6": (270, 72),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124),
    "select": (23, None),
    "setitimer": (38, 103),
    "sigaltstack": (131, 132),
    "stat": (4, None),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "time": (201, None),
    "uname": (63, 160),
    "write": (1, 64),
    "writev": (20, 66),
}
"""Calls that are allowed whatever their arguments are: number on x86-64 and on AArch64."""
FOR_THREADS = {"rseq": (334, 293), "set_robust_list": (273, 99)}
"""Calls of a new thread, which are allowed as well where threads are."""
# Calls whose arguments are looked at, and the call that sets a filter.
_OPEN = (2, None)
_OPENAT = (257, 56)
_CLONE = (56, 220)
_FCNTL = (72, 25)
_IOCTL = (16, 29)
_PRLIMIT64 = (302, 261)
_SECCOMP = (317, 277)
_AUDIT_ARCHITECTURES = (0xC000003E, 0xC00000B7)
"""Names of the two in `linux/audit.h`; a program may call the kernel as another processor."""
_MACHINES = {"x86_64": 0, "aarch64": 1}
"""Processor -> place of its numbers above."""

_FIRST_NEW = 424
"""Number from which on calls have one number on all processors. Libraries try a new one first, and
fall back where the kernel does not know it: on an older one, whose arguments can be looked at."""
_MAY_OPEN_WITH = 0o2000000 | 0o740000 | 0o4000 | 0o400
"""O_CLOEXEC, O_NONBLOCK, O_NOCTTY, and four bits that mean O_DIRECTORY, O_NOFOLLOW, O_LARGEFILE
and O_DIRECT, in another order on each processor. Without O_WRONLY, O_RDWR, O_CREAT or O_TRUNC."""
_THREADS = (0x3D0F00, 0x7D0F00)
"""CLONE_THREAD with all that the threads of glibc and of musl share with their process."""
_MAY_CONTROL = (1, 2, 3)
"""F_GETFD, F_SETFD and F_GETFL. F_SETOWN and F_SETSIG would send a signal to any process."""
_MAY_ASK_DEVICES = (0x5401, 0x5451)
"""TCGETS, by which Python asks whether a file is a terminal, and FIOCLEX."""

# Numbers of `linux/seccomp.h`, `linux/bpf_common.h` and `linux/filter.h`: flags, instructions,
# answers, and where in `seccomp_data` the number of a call and the processor are.
_SET_MODE_FILTER = 1
_ALL_THREADS = 1
_LOAD = 0x20
_JUMP_IF_EQUAL = 0x15
_JUMP_IF_AT_LEAST = 0x35
_JUMP_IF_ANY_BIT = 0x45
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.ENOSYS
_NUMBER_AT = 0
_ARCHITECTURE_AT = 4


def apply_seccomp(*, with_threads: bool) -> str:
    """The name of what is in force from now on for all threads. Raises OSError without it."""
    is_64_bit = sys.maxsize > 2**32
    machine = platform.machine()
    if machine not in _MACHINES or not is_64_bit:
        raise OSError(errno.ENOSYS, f"no filter for {machine}")
    program = filter_program(machine, with_threads=with_threads)
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HP", len(program) // 8, ctypes.addressof(code))
    system_call(_SECCOMP[_MACHINES[machine]], _SET_MODE_FILTER, _ALL_THREADS, header)
    return "seccomp"


def filter_program(machine: str, *, with_threads: bool = False) -> bytes:
    """The filter for a processor, in the code of the kernel's packet filter."""
    # First the processor is compared, since numbers mean other calls on another one.
    which = _MACHINES[machine]
    program = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_JUMP_IF_EQUAL, _AUDIT_ARCHITECTURES[which], then=1),
        _step(_RETURN, _REFUSE),
        _step(_LOAD, _NUMBER_AT),
    ]
    for numbers in ALLOWED.values():
        program += _for_call(numbers[which], [_step(_RETURN, _ALLOW)])
    # Then calls that are harmless with some arguments only.
    program += _for_call(_OPEN[which], _without_bits(1, ~_MAY_OPEN_WITH))
    program += _for_call(_OPENAT[which], _without_bits(2, ~_MAY_OPEN_WITH))
    program += _for_call(_FCNTL[which], _one_of(1, _MAY_CONTROL))
    program += _for_call(_IOCTL[which], _one_of(1, _MAY_ASK_DEVICES))
    program += _for_call(_PRLIMIT64[which], _own_limits())
    # A thread is under the same filter, and can do nothing that its process cannot.
    if with_threads:
        for numbers in FOR_THREADS.values():
            program += _for_call(numbers[which], [_step(_RETURN, _ALLOW)])
        program += _for_call(_CLONE[which], _one_of(0, _THREADS))
    # Any other call is refused.
    program += [
        _step(_JUMP_IF_AT_LEAST, _FIRST_NEW, otherwise=1),
        _step(_RETURN, _UNKNOWN),
        _step(_RETURN, _REFUSE),
    ]
    return b"".join(program)


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction; `then` and `otherwise` are numbers of instructions to jump over."""
    return struct.pack("=HBBI", code, then, otherwise, value & 0xFFFFFFFF)


def _for_call(number: int | None, steps: list[bytes]) -> list[bytes]:
    """Steps for one call, which all end with an answer; none if a processor lacks the call."""
    if number is None:
        return []
    return [_step(_JUMP_IF_EQUAL, number, otherwise=len(steps)), *steps]


def _argument(index: int, *, upper: bool = False) -> bytes:
    """Load half of an argument: both processors store the lower half first."""
    return _step(_LOAD, 16 + 8 * index + 4 * upper)


def _without_bits(index: int, bits: int) -> list[bytes]:
    """Allow a call whose argument has none of the bits."""
    return [
        _argument(index),
        _step(_JUMP_IF_ANY_BIT, bits, otherwise=1),
        _step(_RETURN, _REFUSE),
        _step(_RETURN, _ALLOW),
    ]


def _one_of(index: int, values: tuple[int, ...]) -> list[bytes]:
    """Allow a call whose argument is one of the values."""
    steps = [_argument(index)]
    for value in values:
        steps += [_step(_JUMP_IF_EQUAL, value, otherwise=1), _step(_RETURN, _ALLOW)]
    return [*steps, _step(_RETURN, _REFUSE)]


def _own_limits() -> list[bytes]:
    """Allow asking for the limits of this process; the third argument would be new ones."""
    # Arguments of 64 bits are compared in halves; the first one is a number of 32.
    return [
        _argument(0),
        _step(_JUMP_IF_EQUAL, 0, then=1),
        _step(_RETURN, _REFUSE),
        _argument(2),
        _step(_JUMP_IF_EQUAL, 0, then=1),
        _step(_RETURN, _REFUSE),
        _argument(2, upper=True),
        _step(_JUMP_IF_EQUAL, 0, then=1),
        _step(_RETURN, _REFUSE),
        _step(_RETURN, _ALLOW),
    ]
