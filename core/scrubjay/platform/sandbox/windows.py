"""The sandbox of Windows: a job of one process, and the lowest rank that can still read files.

A process can enter both by itself. It could not take a restricted token or an app container,
which would keep it from the network as well: those are given to a process when it is started,
and `subprocess` of Python cannot. See "Job Objects" and "Mandatory Integrity Control" in
Microsoft's documentation of Windows.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

from scrubjay.messages import Sentence, msg

# Numbers of `winnt.h`: limits of a job, kinds of information, and rights of a token.
_ONE_PROCESS = 0x8
_PROCESS_MEMORY = 0x100
_DIE_ON_UNHANDLED_EXCEPTION = 0x400
_EXTENDED_LIMITS = 9
_UI_RESTRICTIONS = 4
_ALL_OF_UI = 0xFF
"""Bits for other programs' windows, clipboard, atoms, desktops, settings of the display, and
shutting down."""
_MAX_MEMORY = 2 * 2**30
"""Bytes of memory of the process that reads exports, which may take most. Parents watch the limit
of each process; this one also holds after the parent's end."""
_ADJUST_DEFAULT = 0x80
_INTEGRITY_LEVEL = 25
_LOW_INTEGRITY = "S-1-16-4096"
_IS_INTEGRITY = 0x20

_CANNOT = msg(
    "On Windows, a harmful document could still read your files and connect to other computers."
)
_NO_JOB = msg(
    "Windows did not limit the document reader to one process, so a harmful document could "
    "start programs."
)
_RIGHTS_KEPT = msg(
    "Windows did not reduce the document reader's permissions, so a harmful document could "
    "change your files."
)


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, its parts in a row."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _Label(ctypes.Structure):
    """TOKEN_MANDATORY_LABEL."""

    _fields_ = (("sid", ctypes.c_void_p), ("attributes", ctypes.c_uint32))


def enter() -> tuple[list[str], list[Sentence]]:
    """The protections that are now in force, and the missing ones, as in `enter_sandbox`."""
    measures = list[str]()
    gaps = [_CANNOT]

    def try_out(measure: Callable[[], str], gap: Sentence) -> None:
        try:
            measures.append(measure())
        except OSError:
            gaps.append(gap)

    try_out(_enter_job, _NO_JOB)
    try_out(_lower_integrity, _RIGHTS_KEPT)
    return measures, gaps


def _enter_job() -> str:
    # A job within another one, as many terminals make them, may not restrict the user interface.
    try:
        _enter_job_that_restricts(ui=True)
    except OSError:
        _enter_job_that_restricts(ui=False)
    return "job of one process"


def _enter_job_that_restricts(*, ui: bool) -> None:
    kernel = _kernel()
    job = ctypes.c_void_p(_checked(kernel.CreateJobObjectW(None, None)))
    try:
        # It may start no process, and dies of a fault without a dialog.
        limits = _Limits(
            flags=_ONE_PROCESS | _PROCESS_MEMORY | _DIE_ON_UNHANDLED_EXCEPTION,
            processes=1,
            process_memory=_MAX_MEMORY,
        )
        size = ctypes.sizeof(limits)
        _checked(kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size))
        if ui:
            everything = ctypes.c_uint32(_ALL_OF_UI)
            _checked(
                kernel.SetInformationJobObject(job, _UI_RESTRICTIONS, ctypes.byref(everything), 4)
            )
        itself = ctypes.c_void_p(kernel.GetCurrentProcess())
        _checked(kernel.AssignProcessToJobObject(job, itself))
    finally:
        # The job lasts as long as its process. With the handle its limits could be lifted.
        kernel.CloseHandle(job)


def _lower_integrity() -> str:
    """Below others of the same user: their files and memory cannot be changed from here."""
    kernel = _kernel()
    security = _library("advapi32")
    token = ctypes.c_void_p()
    sid = ctypes.c_void_p()
    itself = ctypes.c_void_p(kernel.GetCurrentProcess())
    _checked(security.OpenProcessToken(itself, _ADJUST_DEFAULT, ctypes.byref(token)))
    try:
        _checked(security.ConvertStringSidToSidW(_LOW_INTEGRITY, ctypes.byref(sid)))
        label = _Label(sid.value, _IS_INTEGRITY)
        size = ctypes.sizeof(label) + security.GetLengthSid(sid)
        _checked(security.SetTokenInformation(token, _INTEGRITY_LEVEL, ctypes.byref(label), size))
    finally:
        kernel.LocalFree(sid)
        kernel.CloseHandle(token)
    return "low integrity"


def _kernel() -> ctypes.CDLL:
    kernel = _library("kernel32")
    # Handles have the size of an address.
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    return kernel


def _library(name: str) -> ctypes.CDLL:
    if sys.platform != "win32":
        raise OSError(f"{name} belongs to Windows")
    return ctypes.WinDLL(name, use_last_error=True)


def _checked(result: int) -> int:
    """The result of a function of Windows; raises OSError where it failed."""
    if result:
        return result
    raise OSError("Windows refused it")
