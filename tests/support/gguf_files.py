"""Small GGUF files: a true head, and noise for weights."""

from __future__ import annotations

import random
import struct
from collections.abc import Mapping
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ProviderUnavailable
from scrubjay.models.gguf import read_gguf_header
from scrubjay.models.verification import OnProgress

TEXT, UINT32, ARRAY = 8, 4, 9
INT8, ALIGNMENT = 24, 32
HEAD: Mapping[str, str | int] = {
    "general.architecture": "bert",
    "general.name": "Tiny",
    "bert.embedding_length": 8,
    "bert.context_length": 64,
}


def gguf(weights: int = 1000, *, seed: int = 0, head: Mapping[str, str | int] = HEAD) -> bytes:
    """A file with one tensor of so many bytes after its head, always the same for a seed."""
    keys = b"".join(key_value(name, value) for name, value in head.items())
    tensor = _text("weights") + struct.pack("<IQIQ", 1, weights, INT8, 0)
    start = b"GGUF" + struct.pack("<IQQ", 3, 1, len(head)) + keys + tensor
    padding = bytes(-len(start) % ALIGNMENT)
    return start + padding + random.Random(seed).randbytes(weights)


def key_value(name: str, value: str | int) -> bytes:
    """One entry of a head."""
    if isinstance(value, str):
        return _text(name) + struct.pack("<I", TEXT) + _text(value)
    return _text(name) + struct.pack("<II", UINT32, value)


class HeaderTrial:
    """A trial of files whose weights are noise: believes the head.

    It refuses the name Broken, and warns of the name Random.
    """

    def probe(self, file: Path, cancel: CancelToken, on_progress: OnProgress) -> int:
        cancel.check()
        header = read_gguf_header(file)
        if header.name == "Broken":
            raise ProviderUnavailable(
                "The language helper is not responding",
                "The language helper returned nothing for one of the texts.",
            )
        on_progress(1, 1)
        return header.dimensions

    def warning(self, file: Path) -> str:
        name = read_gguf_header(file).name
        return "Its numbers are random." if name == "Random" else ""


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data
