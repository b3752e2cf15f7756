"""The header of a GGUF file: architecture, name, purpose, dimensions and context of its model.

The layout is that of ggml's docs/gguf.md: magic, version, counts, then keys with typed values.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from scrubjay.messages import msg
from scrubjay.records.model_records import ModelPurpose

MAGIC = b"GGUF"
_VERSIONS = (2, 3)

# Bounds far beyond real models, so that a damaged file is told and not believed.

_MAX_KEYS = 10_000
_MAX_TEXT = 1 << 20
_MAX_ITEMS = 1 << 24

# Kinds of values, numbered as in ggml's docs/gguf.md.

_FORMATS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?",
    10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
_TEXT = 8
_ARRAY = 9

_MAX_AXES = 4
"""Axes of a tensor at most, as in ggml.h."""
_DEFAULT_ALIGNMENT = 32
"""Multiple at which tensors begin, unless the file says otherwise (docs/gguf.md)."""
_TENSOR_BLOCKS = {
    0: (1, 4), 1: (1, 2), 30: (1, 2), 24: (1, 1), 2: (32, 18), 3: (32, 20), 6: (32, 22),
    7: (32, 24), 8: (32, 34), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176),
    14: (256, 210),
}  # fmt: skip
"""Weights in a block of a kind of tensor, and its bytes, from ggml-common.h; others are not
checked to the last byte."""

_EMBEDDING_NAMES = ("bert", "embed", "t5encoder")
"""Parts of the names of models that make vectors: of their architectures, or of their files."""

Value: TypeAlias = "int | float | bool | str | None"


class NotGguf(ValueError):
    """The file is not a GGUF model, or is damaged. The text is for people."""


class GgufHeader(Struct, frozen=True):
    """Fields of the header of a model file."""

    version: int
    architecture: str
    name: str
    dimensions: int
    """Length of its vectors."""
    context: int
    """Tokens of the longest input that it was trained for."""
    purpose: ModelPurpose


def read_gguf_header(file: Path) -> GgufHeader:
    """Read the head of a model file. Raises NotGguf, or OSError when it cannot be read."""
    with file.open("rb") as stream:
        version = _version(stream)
        _, keys = _counts(stream)
        values: dict[str, Value] = {}
        for _ in range(keys):
            key = _text(stream)
            # Words of the tokenizer come last and are most of the head.
            if key.startswith("tokenizer.") and "general.architecture" in values:
                break
            values[key] = _value(stream, _number(stream, "<I"))
    # Numbers of the model stand under the name of its architecture.
    architecture = values.get("general.architecture")
    if not isinstance(architecture, str):
        raise NotGguf(msg("The file does not say what kind of language helper it is"))
    dimensions = values.get(f"{architecture}.embedding_length")
    context = values.get(f"{architecture}.context_length")
    if not isinstance(dimensions, int) or not isinstance(context, int):
        raise NotGguf(
            msg(
                "The file does not say how much text the language helper accepts or how "
                "many numbers it returns"
            )
        )
    return GgufHeader(
        version=version,
        architecture=architecture,
        name=str(values.get("general.name") or ""),
        dimensions=dimensions,
        context=context,
        purpose=_purpose(architecture, values, file.name),
    )


def _purpose(architecture: str, values: Mapping[str, Value], file_name: str) -> ModelPurpose:
    """What a model is for, by its header; by its names where a converter wrote too little."""
    # Models that write text have no pooling, which makes one vector of many.
    has_pooling = bool(values.get(f"{architecture}.pooling_type"))
    # Some converters of the first models for vectors wrote no pooling.
    names = f"{architecture} {values.get('general.name')} {file_name}".casefold()
    if has_pooling or any(word in names for word in _EMBEDDING_NAMES):
        return ModelPurpose.EMBEDDING
    return ModelPurpose.READING


def check_model_length(file: Path) -> None:
    """Raise NotGguf for a file that ends before its last weight does; OSError as read_header."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        _version(stream)
        tensors, keys = _counts(stream)
        alignment = _DEFAULT_ALIGNMENT
        for _ in range(keys):
            key = _text(stream)
            value = _value(stream, _number(stream, "<I"))
            if key == "general.alignment" and isinstance(value, int) and value > 0:
                alignment = value
        # Offsets count from the end of the list of tensors.
        end = max(_tensor_end(stream) for _ in range(tensors))
        start = stream.tell()
    # The weights begin at the next multiple after it.
    needed = start + -start % alignment + end
    if size < needed:
        raise NotGguf(
            msg(
                "The file ends too early. It has {n} of {needed} MB",
                n=f"{size / 1e6:.1f}",
                needed=f"{needed / 1e6:.1f}",
            )
        )


def _version(stream: BinaryIO) -> int:
    """The version of the layout, with which a file begins."""
    if stream.read(4) != MAGIC:
        raise NotGguf(msg("The file is not a language helper"))
    version = _number(stream, "<I")
    if version not in _VERSIONS:
        raise NotGguf(
            msg(
                "The file uses format version {version}, which this version of "
                "Scrubjay does not support",
                version=str(version),
            )
        )
    return version


def _counts(stream: BinaryIO) -> tuple[int, int]:
    """Numbers of tensors and of keys."""
    tensors = _number(stream, "<Q")
    keys = _number(stream, "<Q")
    if not tensors or tensors > _MAX_ITEMS or keys > _MAX_KEYS:
        raise NotGguf(msg("The beginning of the file is damaged"))
    return tensors, keys


def _tensor_end(stream: BinaryIO) -> int:
    """The offset after the last byte of the tensor that is described next."""
    _text(stream)
    axes = _number(stream, "<I")
    if axes > _MAX_AXES:
        raise NotGguf(msg("The beginning of the file is damaged"))
    weights = math.prod(_number(stream, "<Q") for _ in range(axes))
    kind = _number(stream, "<I")
    block_weights, block_bytes = _TENSOR_BLOCKS.get(kind, (1, 0))
    return _number(stream, "<Q") + weights // block_weights * block_bytes


def _value(stream: BinaryIO, kind: int) -> Value:
    if kind == _TEXT:
        return _text(stream)
    if kind == _ARRAY:
        _skip_array(stream)
        return None
    if kind not in _FORMATS:
        raise NotGguf(msg("The beginning of the file is damaged"))
    return _number(stream, _FORMATS[kind])


def _skip_array(stream: BinaryIO) -> None:
    kind = _number(stream, "<I")
    count = _number(stream, "<Q")
    if count > _MAX_ITEMS:
        raise NotGguf(msg("The beginning of the file is damaged"))
    # Numbers have one size each; texts have to be read to know where they end.
    if kind in _FORMATS:
        stream.seek(count * struct.calcsize(_FORMATS[kind]), 1)
        return
    if kind != _TEXT:
        raise NotGguf(msg("The beginning of the file is damaged"))
    for _ in range(count):
        _text(stream)


def _text(stream: BinaryIO) -> str:
    length = _number(stream, "<Q")
    if length > _MAX_TEXT:
        raise NotGguf(msg("The beginning of the file is damaged"))
    return _read(stream, length).decode("utf-8", "replace")


def _number(stream: BinaryIO, layout: str) -> int:
    value: int = struct.unpack(layout, _read(stream, struct.calcsize(layout)))[0]
    return value


def _read(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise NotGguf(msg("The file ends too early"))
    return data
