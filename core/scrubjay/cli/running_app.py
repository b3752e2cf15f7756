"""The client of a running app, which answers commands faster than a new process."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from scrubjay.cli.reply import Reply
from scrubjay.platform.local_channel.channel import LocalChannel, pieces
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


def command_channel(paths: Paths) -> LocalChannel:
    """Where the app of this home listens to commands."""
    return LocalChannel(paths.state)


def may_be_running() -> bool:
    """Whether an app may answer; one that crashed can look as if it did."""
    return command_channel(Paths.of_user()).may_be_open()


def is_running(paths: Paths) -> bool:
    """Whether the app runs: it listens, or its lock names a living process."""
    with (
        contextlib.suppress(OSError),
        contextlib.closing(command_channel(paths).connect(_ACCEPT_S)),
    ):
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
    channel = command_channel(paths)
    if not channel.may_be_open():
        return None
    delete_left_behind(paths)  # which the app did when it started
    request = json.dumps({"protocol": PROTOCOL, "name": name, "arguments": arguments})
    # Whatever fails here, the command answers itself.
    with (
        contextlib.suppress(OSError, ValueError, TypeError),
        contextlib.closing(channel.connect(_ACCEPT_S)) as app,
    ):
        app.send(request.encode("utf-8", "surrogatepass") + b"\n", _ACCEPT_S)
        if app.receive(len(ACCEPTED), _ACCEPT_S) != ACCEPTED:
            return None
        # The app took the request, so that the answer may take its time.
        data = b"".join(pieces(app, _MAX_REPLY, _ANSWER_S))  # what was cut off is not JSON
        return Reply(*json.loads(data.decode("utf-8", "surrogatepass")))
    return None
