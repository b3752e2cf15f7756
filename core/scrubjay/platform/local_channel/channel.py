"""What programs of one user talk through, as the system has it, and what both kinds share.

Both kinds of connection have `receive`, which gives nothing at the end, `send` and `close`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

if sys.platform == "win32":
    from scrubjay.platform.local_channel.pipe_channel import PipeChannel as LocalChannel
    from scrubjay.platform.local_channel.pipe_channel import PipeConnection as Connection
    from scrubjay.platform.local_channel.pipe_channel import PipeListener as Listener
    from scrubjay.platform.local_channel.pipe_channel import connect as connect
else:
    from scrubjay.platform.local_channel.unix_channel import UnixChannel as LocalChannel
    from scrubjay.platform.local_channel.unix_channel import UnixConnection as Connection
    from scrubjay.platform.local_channel.unix_channel import UnixListener as Listener
    from scrubjay.platform.local_channel.unix_channel import connect as connect

__all__ = ["Connection", "Listener", "LocalChannel", "connect", "pieces"]

_PIECE = 64 * 1024
"""Bytes that are read at once."""


def pieces(connection: Connection, most: int, within_s: float) -> Iterator[bytes]:
    """What comes until the end.

    Raises TimeoutError where all of it takes too long, ValueError if it is too long, OSError.
    """
    until = time.monotonic() + within_s
    size = 0
    # The time is for all pieces, so that nobody holds a place with a byte now and then.
    while True:
        piece = connection.receive(_PIECE, max(until - time.monotonic(), 0.001))
        if not piece:
            return
        size += len(piece)
        if size > most:
            raise ValueError("more bytes than are taken")
        yield piece
