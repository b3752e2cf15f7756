"""A socket of Unix in a private folder."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from pathlib import Path

from scrubjay.platform.paths import make_private_folder

assert sys.platform != "win32"


class UnixConnection:
    """One end of a connection."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def receive(self, most: int, timeout_s: float) -> bytes:
        """Bytes that came, nothing at the end. Raises TimeoutError, OSError."""
        self._socket.settimeout(timeout_s)
        return self._socket.recv(most)

    def send(self, data: bytes, timeout_s: float) -> None:
        """Send all of it. Raises TimeoutError, OSError."""
        self._socket.settimeout(timeout_s)
        self._socket.sendall(data)

    def close(self) -> None:
        """End the connection; the other end can still read what was sent."""
        self._socket.close()


class UnixListener:
    """Takes connections, until it is closed."""

    def __init__(self, listening: socket.socket, file: Path) -> None:
        self._socket = listening
        self._file = file

    def accept(self) -> UnixConnection:
        """The next connection. Raises OSError after the listener was closed."""
        return UnixConnection(self._socket.accept()[0])

    def close(self) -> None:
        """Take no other connection, in another thread either."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits
        self._socket.close()


class UnixChannel:
    """The place in a private folder where an app listens to commands."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "commands.sock"

    def may_be_open(self) -> bool:
        """Whether an app may listen; one that crashed leaves its socket."""
        return self._file.exists()

    def connect(self, timeout_s: float) -> UnixConnection:
        """A connection to the app. Raises OSError where none listens."""
        return connect(os.fspath(self._file), timeout_s)

    def listen(self) -> UnixListener:
        """Take connections; only one app of a home does. Raises OSError, as for a long path."""
        listening = socket.socket(socket.AF_UNIX)
        # Only this user may enter the folder, and only this user may write to the socket.
        try:
            make_private_folder(self._file.parent)
            self._file.unlink(missing_ok=True)  # of an app that crashed
            listening.bind(os.fspath(self._file))
            self._file.chmod(0o600)
            listening.listen()
        except OSError:
            listening.close()
            raise
        return UnixListener(listening, self._file)


def connect(file: str, timeout_s: float) -> UnixConnection:
    """A connection to whoever listens. Raises OSError where nobody does."""
    connected = socket.socket(socket.AF_UNIX)
    try:
        connected.settimeout(timeout_s)
        connected.connect(file)
    except OSError:
        connected.close()
        raise
    return UnixConnection(connected)
