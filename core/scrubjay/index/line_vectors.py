"""Vectors of single lines, whose sign bits show which lines of a chunk are relevant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.vectors import Vector, binary_width, normalize
from scrubjay.store.binary_vectors import sign_bits

_KNOWN_LINES = 400
"""Lines that are kept in memory, because overlapping chunks share lines."""

_WORD = re.compile(r"\w\w")
"""Two letters or digits side by side; a line without them says nothing."""


def own_lines(text: str) -> list[str]:
    """The lines of a chunk that are not blank."""
    return [line for line in text.split("\n") if line.strip()]


class LineVectors:
    """Vectors and sign bits of lines. All methods raise ProviderUnavailable."""

    def __init__(self, provider: EmbeddingProvider) -> None:
        self._provider = provider
        self._known: dict[str, tuple[Vector, bytes]] = {}
        """Line with a word -> its vector and sign bits."""

    def embed(self, inputs: Sequence[EmbeddingInput]) -> list[tuple[Vector, bytes]]:
        """(vector of length one, sign bits of own_lines one after the other) of each chunk.

        The vector is the mean of those of its lines, weighted by length. A model that was trained
        on sentences finds more by it than by the chunk as one text, and each line is read once for
        both (docs/quality.md).
        """
        signs = self.sign_bits(item.text for item in inputs)
        return [(self._mean(item), bits) for item, bits in zip(inputs, signs, strict=True)]

    def sign_bits(self, texts: Iterable[str]) -> list[bytes]:
        """Sign bits of own_lines, one after the other; nothing but zeros for one without a word."""
        lines = [own_lines(text) for text in texts]
        # Only lines that are not known yet go to the model, each once.
        self._known = dict(list(self._known.items())[-_KNOWN_LINES:])
        spoken = dict.fromkeys(line for own in lines for line in own if _WORD.search(line))
        missing = [line for line in spoken if line not in self._known]
        vectors = self._provider.embed_documents([EmbeddingInput("", line) for line in missing])
        signs = sign_bits(vectors)
        self._known |= zip(missing, zip(vectors, signs, strict=True), strict=True)
        blank = bytes(binary_width(self._provider.dimensions()))
        return [
            b"".join(self._known[line][1] if line in spoken else blank for line in own)
            for own in lines
        ]

    def _mean(self, item: EmbeddingInput) -> Vector:
        # A chunk without a word has only itself to be embedded.
        spoken = [line for line in own_lines(item.text) if line in self._known]
        if not spoken:
            return self._provider.embed_documents([item])[0]
        # Longer lines say more, so they count for more.
        lengths = np.array([len(line) for line in spoken], dtype=np.float32)
        return normalize(lengths @ np.stack([self._known[line][0] for line in spoken]))
