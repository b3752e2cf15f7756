"""The client of a running app, which answers commands faster than a new process."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrubjay.cli.reply import Reply
from scrubjay.platform.paths import Paths
from scrubjay.platform.temporary_files import delete_left_behind

PROTOCOL = 2
"""Changes whenever an older app would understand a command in another way."""
ACCEPTED = b"+"
"""Byte that the app sends as soon as it has read a request."""
MAX_REQUEST = 8 * 1024 * 1024
"""Bytes; the input of a hook is at most half of it."""
_MAX_REPLY = 64 * 1024 * 1024
"""Bytes; a longer one is not read, and the command answers itself."""
_ACCEPT_S = 0.5
"""Seconds in which an app that is not too busy takes a request."""
_ANSWER_S = 60.0
"""Seconds in which it replies."""
_LONGEST_PATH = 100
"""Bytes of a socket's name that all systems take."""


def socket_path(paths: Paths) -> Path | None:
    """The socket of the app in its private folder; None if there can be none, as on Windows."""
    file = paths.state / "commands.sock"
    if not hasattr(socket, "AF_UNIX") or len(os.fsencode(file)) > _LONGEST_PATH:
        return None
    return file


def may_be_running() -> bool:
    """Whether an app may answer; one that crashed leaves its socket."""
    file = socket_path(Paths.of_user())
    return file is not None and file.exists()


def is_running(paths: Paths) -> bool:
    """Whether the app runs: it listens, or its lock names a living process."""
    file = socket_path(paths)
    if file is not None:
        with contextlib.suppress(OSError), _connected(file):
            return True
    # The lock file of the app begins with the number of its process.
    try:
        number = int((paths.state / "desktop.lock").read_text(encoding="utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return False
    # Late: only few commands need it.
    import psutil

    return psutil.pid_exists(number)


def ask_running_app(name: str, arguments: Mapping[str, Any], folder: str | None) -> Reply | None:
    """The reply of the app; None where none runs, or it is too busy or of another version.

    `folder` is the name or the folder of the workspace, as a person typed it.
    """
    # The working folder of the app is another one, so it would look for `./notes` elsewhere.
    if folder and not os.path.isabs(folder) and os.path.exists(folder):  # noqa: PTH110, PTH117
        return None
    paths = Paths.of_user()
    file = socket_path(paths)
    if file is None or not file.exists():
        return None
    delete_left_behind(paths)  # which the app did when it started
    request = json.dumps({"protocol": PROTOCOL, "name": name, "arguments": arguments})
    # Whatever fails here, the command answers itself.
    with contextlib.suppress(OSError, ValueError, TypeError), _connected(file) as app:
        app.sendall(request.encode("utf-8", "surrogatepass") + b"\n")
        if app.recv(1) != ACCEPTED:
            return None
        # The app took the request, so that the answer may take its time.
        app.settimeout(_ANSWER_S)
        with app.makefile("rb") as answer:
            data = answer.read(_MAX_REPLY)  # what was cut off is not JSON
            return Reply(*json.loads(data.decode("utf-8", "surrogatepass")))
    return None


def unix_socket() -> socket.socket:
    """A new socket that is used by the path of a file. Raises OSError on Windows."""
    if sys.platform != "win32":
        return socket.socket(socket.AF_UNIX)
    raise OSError("Python has no such sockets on Windows")


def _connected(file: Path) -> socket.socket:
    """A connection to the app. Raises OSError."""
    app = unix_socket()
    try:
        app.settimeout(_ACCEPT_S)
        app.connect(os.fspath(file))
    except OSError:
        app.close()
        raise
    return app
