"""Smaller copies of the models that read pictures, for bundles: their weights have 16 bits.

ONNX files are messages of protobuf. Only a few of their fields are needed, so they are read and
written here without the packages `onnx` and `protobuf`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scrubjay.documents.picture_models import DETECTOR, RECOGNISER, model_folder

# Numbers of fields and types in onnx.proto.
_GRAPH = 7
_NODE = 1
_INITIALIZER = 5
_DATA_TYPE = 2
_NAME = 8
_RAW_DATA = 9
_FLOAT = 1
_FLOAT16 = 10
_INT = 2
"""Type of an attribute that is a number."""

_LEAST_BYTES = 4096
"""Bytes of weights that are worth a step more when the model is loaded."""
_LARGEST = 60_000.0
"""The largest numbers of 16 bits are 65,504."""

Field = tuple[int, int, bytes]
"""Number, wire type and content; of a number, its bytes as they are written."""


def write_models(folder: Path) -> Path:
    """Both models with smaller weights in the folder, which is returned."""
    source = model_folder()
    if source is None:
        raise FileNotFoundError("rapidocr, which contains the models, is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    for name in (DETECTOR, RECOGNISER):
        (folder / name).write_bytes(with_half_weights((source / name).read_bytes()))
    return folder


def with_half_weights(model: bytes) -> bytes:
    """The same model, whose large weights have 16 bits and are converted when it is loaded."""
    parts = []
    for number, kind, content in fields(model):
        if number == _GRAPH:
            content = _smaller_graph(content)
        parts.append(field(number, kind, content))
    return b"".join(parts)


def _smaller_graph(graph: bytes) -> bytes:
    casts = []
    rest = []
    for number, kind, content in fields(graph):
        if number == _INITIALIZER:
            smaller = _half(content)
            if smaller is not None:
                name, content = smaller
                casts.append(field(_NODE, 2, _cast(name)))
        rest.append(field(number, kind, content))
    # What makes a value comes before what uses it.
    return b"".join([*casts, *rest])


def _half(tensor: bytes) -> tuple[bytes, bytes] | None:
    """Name and smaller copy of weights; None where they stay as they are."""
    known = {number: content for number, _, content in fields(tensor)}
    raw = known.get(_RAW_DATA, b"")
    if known.get(_DATA_TYPE) != bytes([_FLOAT]) or len(raw) < _LEAST_BYTES:
        return None
    weights = np.frombuffer(raw, "<f4")
    if np.abs(weights).max() > _LARGEST:
        return None
    name = known[_NAME]
    changed = {
        _DATA_TYPE: bytes([_FLOAT16]),
        _NAME: _half_name(name),
        _RAW_DATA: weights.astype("<f2").tobytes(),
    }
    parts = [
        field(number, kind, changed.get(number, content))
        for number, kind, content in fields(tensor)
    ]
    return name, b"".join(parts)


def _cast(name: bytes) -> bytes:
    """A node that makes 32 bits of 16 under the former name."""
    to = b"".join([field(1, 2, b"to"), field(3, 0, bytes([_FLOAT])), field(20, 0, bytes([_INT]))])
    parts = (
        field(1, 2, _half_name(name)),
        field(2, 2, name),
        field(4, 2, b"Cast"),
        field(5, 2, to),
    )
    return b"".join(parts)


def _half_name(name: bytes) -> bytes:
    return name + b".half"


def fields(message: bytes) -> Iterator[Field]:
    """The fields of a message in their order."""
    place = 0
    while place < len(message):
        key, place = _number(message, place)
        kind = key & 7
        if kind == 2:
            length, place = _number(message, place)
            end = place + length
        elif kind == 0:
            _, end = _number(message, place)
        else:
            end = place + {1: 8, 5: 4}[kind]
        yield key >> 3, kind, message[place:end]
        place = end


def field(number: int, kind: int, content: bytes) -> bytes:
    """A field as it is written."""
    key = _written(number << 3 | kind)
    if kind == 2:
        return key + _written(len(content)) + content
    return key + content


def _number(message: bytes, place: int) -> tuple[int, int]:
    """A number of variable length, and the place after it."""
    value = 0
    shift = 0
    while message[place] & 0x80:
        value |= (message[place] & 0x7F) << shift
        shift += 7
        place += 1
    return value | message[place] << shift, place + 1


def _written(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


if __name__ == "__main__":
    write_models(Path("build/picture-models"))
