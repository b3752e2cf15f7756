"""Messages between a parent and its child process: lengths, a JSON header, then raw bytes."""

from __future__ import annotations

import json
import struct
from io import RawIOBase
from typing import Any, BinaryIO

_LENGTHS = struct.Struct("<II")
"""Beginning of a message: bytes of its header and of what follows."""
_ANY = 2**32
"""Bytes that no part can have more of, as its length has 32 bits."""


def send_message(stream: BinaryIO, header: dict[str, Any], payload: bytes = b"") -> None:
    """Write one message whole."""
    # Lone surrogates of broken file contents survive JSON's ASCII escapes.
    text = json.dumps(header).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(payload)) + text + payload)
    stream.flush()


def receive_message(
    stream: BinaryIO | RawIOBase, *, most_header: int = _ANY, most_payload: int = _ANY
) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None if the other side has gone.

    Raises ValueError where a part has more bytes than that, or the header is not one.
    """
    lengths = _read(stream, _LENGTHS.size)
    if lengths is None:
        return None
    # The lengths are checked before any memory is taken: a document may rule the other side.
    text_length, payload_length = _LENGTHS.unpack(lengths)
    if text_length > most_header or payload_length > most_payload:
        raise ValueError(f"a message of {text_length:,} and {payload_length:,} bytes")
    text = _read(stream, text_length)
    payload = _read(stream, payload_length)
    if text is None or payload is None:
        return None
    try:
        header = json.loads(text)
    except RecursionError:
        raise ValueError("a header that is nested too deep") from None
    if not isinstance(header, dict):
        raise ValueError("a header without names")
    return header, payload


def _read(stream: BinaryIO | RawIOBase, count: int) -> bytes | None:
    """So many bytes of a stream; None if it ends before."""
    data = b""
    while len(data) < count:
        piece = stream.read(count - len(data))  # a pipe may give less
        if not piece:
            return None
        data += piece
    return data
