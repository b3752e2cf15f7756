"""A named pipe of Windows, with overlapped operations, so that each can be given up.

See "Named Pipes" and "Synchronous and Overlapped Pipe I/O" in Microsoft's documentation.
"""

from __future__ import annotations

import _winapi
import contextlib
import hashlib
import os
import sys
import threading
import time
from pathlib import Path

from scrubjay.platform.local_channel.pipe_access import for_this_user_alone, is_of_this_user

assert sys.platform == "win32"

_NO_REMOTE_CLIENTS = 0x8
"""PIPE_REJECT_REMOTE_CLIENTS of `winbase.h`. Without other flags a pipe carries bytes."""
_ONLY_IDENTIFY = 0x100000 | 0x10000
"""SECURITY_SQOS_PRESENT and SECURITY_IDENTIFICATION: whoever listens may not act as the client."""
_BUFFER = 64 * 1024
"""Bytes in each direction that are sent before the other end reads."""
_ANY_TIME = 1
"""Milliseconds; 0 would be the default of the pipe."""


class PipeConnection:
    """One end of a connection."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def receive(self, most: int, timeout_s: float) -> bytes:
        """Bytes that came, nothing at the end. Raises TimeoutError, OSError."""
        try:
            operation, _ = _winapi.ReadFile(self._handle, most, overlapped=True)
            _finish(operation, timeout_s)
        except BrokenPipeError:
            return b""
        return operation.getbuffer() or b""

    def send(self, data: bytes, timeout_s: float) -> None:
        """Send all of it. Raises TimeoutError, OSError."""
        operation, _ = _winapi.WriteFile(self._handle, data, overlapped=True)
        _finish(operation, timeout_s)

    def close(self) -> None:
        """End the connection; the other end can still read what was sent."""
        _winapi.CloseHandle(self._handle)


class PipeListener:
    """Takes connections, until it is closed."""

    def __init__(self, name: str) -> None:
        """Raises OSError where another program has a pipe of this name."""
        self._name = name
        self._lock = threading.Lock()
        self._is_closed = False
        self._handle = _new_end(name, _winapi.FILE_FLAG_FIRST_PIPE_INSTANCE)
        self._arrival = _awaited(self._handle)

    def accept(self) -> PipeConnection:
        """The next connection. Raises OSError after the listener was closed."""
        arrival = self._arrival
        if arrival is not None:
            _winapi.WaitForMultipleObjects([arrival.event], False, _winapi.INFINITE)
        with self._lock:
            if self._is_closed:
                raise OSError("the listener is closed")
            if arrival is not None:
                with contextlib.suppress(OSError):  # of a client that is gone again
                    arrival.GetOverlappedResult(True)
            # The next end is made first: at no time is the name free for another program.
            next_end = _new_end(self._name, 0)
            taken = PipeConnection(self._handle)
            self._handle = next_end
            self._arrival = _awaited(next_end)
        return taken

    def close(self) -> None:
        """Take no other connection, in another thread either."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            # The event of what is cancelled wakes the thread that waits.
            if self._arrival is not None:
                with contextlib.suppress(OSError):
                    self._arrival.cancel()
                    self._arrival.GetOverlappedResult(True)
            _winapi.CloseHandle(self._handle)


class PipeChannel:
    """The place, named after a private folder, where an app listens to commands."""

    def __init__(self, folder: Path) -> None:
        # Names of pipes are the same for all users; the folder of one is written in many ways.
        path = os.path.normcase(folder.absolute()).encode("utf-8", "surrogatepass")
        self._name = rf"\\.\pipe\scrubjay-{hashlib.sha256(path).hexdigest()[:32]}"

    def may_be_open(self) -> bool:
        """Whether an app may listen."""
        try:
            _winapi.WaitNamedPipe(self._name, _ANY_TIME)
        except FileNotFoundError:
            return False
        except OSError:
            return True  # it has enough to do
        return True

    def connect(self, timeout_s: float) -> PipeConnection:
        """A connection to the app. Raises OSError where none of this user listens."""
        return connect(self._name, timeout_s)

    def listen(self) -> PipeListener:
        """Take connections; only one app of a home does. Raises OSError."""
        return PipeListener(self._name)


def connect(name: str, timeout_s: float) -> PipeConnection:
    """A connection to whoever listens. Raises OSError where nobody of this user does."""
    until = time.monotonic() + timeout_s
    handle = _opened(name)
    while handle is None:
        left_ms = int((until - time.monotonic()) * 1000)
        if left_ms <= 0:
            raise TimeoutError("the pipe stays busy")
        _winapi.WaitNamedPipe(name, left_ms)
        handle = _opened(name)
    # Another user may have made a pipe of this name first. Nothing has been sent so far.
    connection = PipeConnection(handle)
    try:
        if not is_of_this_user(handle):
            raise PermissionError("the pipe belongs to another user")
    except OSError:
        connection.close()
        raise
    return connection


def _opened(name: str) -> int | None:
    """The handle of the client's end; None while the pipe is busy. Raises OSError."""
    try:
        return _winapi.CreateFile(
            name,
            _winapi.GENERIC_READ | _winapi.GENERIC_WRITE,
            0,
            _winapi.NULL,
            _winapi.OPEN_EXISTING,
            _winapi.FILE_FLAG_OVERLAPPED | _ONLY_IDENTIFY,
            _winapi.NULL,
        )
    except OSError as error:
        if error.winerror != _winapi.ERROR_PIPE_BUSY:
            raise
        return None


def _new_end(name: str, more_flags: int) -> int:
    """The handle of a listener's end of the pipe. Raises OSError."""
    with for_this_user_alone() as attributes:
        return _winapi.CreateNamedPipe(
            name,
            _winapi.PIPE_ACCESS_DUPLEX | _winapi.FILE_FLAG_OVERLAPPED | more_flags,
            _winapi.PIPE_WAIT | _NO_REMOTE_CLIENTS,
            _winapi.PIPE_UNLIMITED_INSTANCES,
            _BUFFER,
            _BUFFER,
            0,
            attributes,
        )


def _awaited(handle: int) -> _winapi.Overlapped | None:
    """The arrival of a client; None for one that is there and gone again. Raises OSError."""
    try:
        return _winapi.ConnectNamedPipe(handle, overlapped=True)
    except OSError as error:
        if error.winerror != _winapi.ERROR_NO_DATA:
            raise
        return None


def _finish(operation: _winapi.Overlapped, timeout_s: float) -> None:
    """Wait until it is done. Raises TimeoutError after giving it up, OSError."""
    waited = _winapi.WAIT_TIMEOUT
    # Where the person interrupts it, Windows must not write into memory that is free by then.
    try:
        waited = _winapi.WaitForMultipleObjects([operation.event], False, int(timeout_s * 1000))
    finally:
        if waited == _winapi.WAIT_TIMEOUT:
            operation.cancel()
        # It may have been done in the same moment.
        _, error = operation.GetOverlappedResult(True)
    if error == _winapi.ERROR_OPERATION_ABORTED:
        raise TimeoutError("the other end takes too long")
