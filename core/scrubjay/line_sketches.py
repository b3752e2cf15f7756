"""The sign bits of single lines, which tell where in a chunk to look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.embedding.provider import EmbeddingProvider, Passage
from scrubjay.store.sketch import sketch_bytes, sketch_width

_WORD = re.compile(r"\w\w")


def own_lines(text: str) -> list[str]:
    """The lines of a chunk that say anything."""
    return [line for line in text.split("\n") if line.strip()]


def line_sketches(provider: EmbeddingProvider, lines: Sequence[str]) -> dict[str, bytes]:
    """Line -> sign bits; nothing but zeros for a line without a word."""
    blank = bytes(sketch_width(provider.dimensions()))
    spoken = [line for line in lines if _WORD.search(line)]
    vectors = provider.embed_documents([Passage("", line) for line in spoken])
    found = dict.fromkeys(lines, blank)
    found |= {
        line: sketch_bytes(vector.tobytes()) for line, vector in zip(spoken, vectors, strict=True)
    }
    return found
