"""Vectors of single lines: their sign bits tell where in a chunk to look."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.vectors import Vector, normalized
from scrubjay.store.binary_vectors import binary_width, sign_bits

_KNOWN_LINES = 400
"""Lines that are kept: overlapping chunks share lines."""

_WORD = re.compile(r"\w\w")


def own_lines(text: str) -> list[str]:
    """The lines of a chunk that are not blank."""
    return [line for line in text.split("\n") if line.strip()]


def line_sign_bits(provider: EmbeddingProvider, lines: Sequence[str]) -> dict[str, bytes]:
    """Line -> sign bits; nothing but zeros for a line without a word."""
    blank = bytes(binary_width(provider.dimensions()))
    spoken = [line for line in lines if _WORD.search(line)]
    vectors = provider.embed_documents([EmbeddingInput("", line) for line in spoken])
    bits = dict.fromkeys(lines, blank)
    bits |= zip(spoken, sign_bits(vectors), strict=True)
    return bits


class LineVectors:
    """Computes the vector of a chunk as the mean of those of its lines, weighted by length.

    A model that was trained on sentences finds more by it than by the chunk as one text, and each
    line is read once for both (docs/quality.md).
    """

    def __init__(self, provider: EmbeddingProvider) -> None:
        self._provider = provider
        self._known: dict[str, tuple[Vector, bytes]] = {}
        """Line -> its vector and sign bits."""

    def embed(self, inputs: Sequence[EmbeddingInput]) -> list[tuple[Vector, bytes]]:
        """(vector of length one, sign bits of own_lines one after the other) of each."""
        lines = [own_lines(item.text) for item in inputs]
        spoken = dict.fromkeys(line for own in lines for line in own if _WORD.search(line))
        missing = [line for line in spoken if line not in self._known]
        vectors = self._provider.embed_documents([EmbeddingInput("", line) for line in missing])
        signs = sign_bits(vectors)
        self._known |= zip(missing, zip(vectors, signs, strict=True), strict=True)
        results = [self._combine(item, own) for item, own in zip(inputs, lines, strict=True)]
        self._known = dict(list(self._known.items())[-_KNOWN_LINES:])
        return results

    def _combine(self, item: EmbeddingInput, lines: Sequence[str]) -> tuple[Vector, bytes]:
        blank = bytes(binary_width(self._provider.dimensions()))
        bits = b"".join(self._known[line][1] if line in self._known else blank for line in lines)
        spoken = [line for line in lines if line in self._known]
        if not spoken:
            return self._provider.embed_documents([item])[0], bits
        lengths = np.array([len(line) for line in spoken], dtype=np.float32)
        return normalized(lengths @ np.stack([self._known[line][0] for line in spoken])), bits
