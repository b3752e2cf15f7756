"""The sandbox of Windows: a restricted token, low integrity, and a job of one process.

The parent gives all three to a process that it starts (`windows_process`). Where it could not, the
process enters the job and lowers its integrity by itself. It says what is in force as it finds it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from scrubjay.messages import Sentence, msg
from scrubjay.platform.sandbox.windows_job import is_limited_by_job, limit_this_process
from scrubjay.platform.sandbox.windows_token import is_restricted, lower_integrity

_CAN_CONNECT = msg(
    "On Windows, a harmful document could still read files that all users of this computer may "
    "read, and connect to other computers."
)
_CAN_READ = msg(
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


def enter() -> tuple[list[str], list[Sentence]]:
    """The protections that are now in force, and the missing ones, as in `enter_sandbox`."""
    measures = list[str]()
    gaps = [_CAN_READ]
    # Folders that others may read as well stay open, so the folder of the user is tried.
    if not can_list(os.environ.get("USERPROFILE", "")):
        gaps = [_CAN_CONNECT]
    with contextlib.suppress(OSError):
        if is_restricted():
            measures.append("restricted token")

    def try_out(measure: Callable[[], str], gap: Sentence) -> None:
        try:
            measures.append(measure())
        except OSError:
            gaps.append(gap)

    try_out(_enter_job, _NO_JOB)
    try_out(_lower_integrity, _RIGHTS_KEPT)
    return measures, gaps


def can_list(folder: str) -> bool:
    """True unless the system refuses to list a folder for want of permission."""
    try:
        os.scandir(folder).close()
    except PermissionError:
        return False
    except OSError:
        # Nothing is known of a folder that is not there.
        return True
    return True


def _enter_job() -> str:
    if not is_limited_by_job():
        limit_this_process()
    return "job of one process"


def _lower_integrity() -> str:
    lower_integrity()
    return "low integrity"
