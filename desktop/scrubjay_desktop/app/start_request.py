"""One Scrubjay for each home.

A second start forwards its request to the running instance, and ends before Qt is loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scrubjay.platform.local_channel.channel import connect
from scrubjay.platform.paths import Paths

if TYPE_CHECKING:
    from PySide6.QtCore import QLockFile

_LONGEST_SOCKET = 90
"""Bytes of the path of a socket; Unix allows 108, and Qt adds some while it listens."""
_ANSWER_S = 10.0
"""Seconds that are enough for a busy computer: a second request would close the popup again."""

_HEARD = b"ok\n"


class StartRequest(StrEnum):
    """Request of a start to the instance that runs already."""

    WINDOW = "window"
    QUICK_SEARCH = "quick-search"
    BACKGROUND = "background"
    """Be there, and show nothing."""
    SAMPLE = "sample"
    QUIT = "quit"


class InstanceAddress(Struct, frozen=True):
    """Where the instances of one home find each other."""

    lock: str
    """Path of the lock file."""
    socket: str
    """Path of the local socket; on Windows the name of a pipe."""


def instance_address(paths: Paths) -> InstanceAddress:
    """Differs for each home, because each has its own state folder."""
    # The window reports a folder that cannot be written.
    with contextlib.suppress(OSError):
        paths.state.mkdir(parents=True, exist_ok=True)
    # The name holds a digest of the whole path, for systems that allow only short ones.
    socket_path = paths.state / "desktop.socket"
    name = f"scrubjay-{hashlib.sha256(os.fsencode(socket_path)).hexdigest()[:16]}"
    if os.name == "nt":
        return InstanceAddress(str(paths.state / "desktop.lock"), rf"\\.\pipe\{name}")
    if len(os.fsencode(socket_path)) > _LONGEST_SOCKET:
        # Python finds no folder for it on a full disk, which the lock reports later.
        with contextlib.suppress(FileNotFoundError):
            socket_path = Path(tempfile.gettempdir()) / name
    return InstanceAddress(str(paths.state / "desktop.lock"), str(socket_path))


def forward_to_running_instance(
    address: InstanceAddress, request: StartRequest, answer_s: float = _ANSWER_S
) -> bool:
    """Ask the running instance; True when it heard, False when none answers in time."""
    # Wayland lets a window come to the front only with a token of the click that wanted it.
    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
    try:
        with contextlib.closing(connect(address.socket, answer_s)) as connection:
            # The name of the field is that of earlier versions: one may still be running.
            line = json.dumps({"wish": request, "token": token}).encode() + b"\n"
            connection.send(line, answer_s)
            return connection.receive(len(_HEARD), answer_s) == _HEARD
    except OSError:
        return False


def lock_instance(address: InstanceAddress) -> QLockFile | None:
    """The lock of the first instance; None when another one holds it.

    Raises OSError where it cannot be written, as on a full disk.
    """
    from PySide6.QtCore import QLockFile

    lock = QLockFile(address.lock)
    # Only a dead owner makes it stale: a laptop may sleep for longer than any time limit.
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        return lock
    if lock.error() != QLockFile.LockError.LockFailedError:
        raise OSError(f"{address.lock} cannot be written: {lock.error()}")
    return None
