"""Batches of texts for a provider, and of vectors in one transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.vectors import Vector
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer

KeyedInput: TypeAlias = tuple[bytes, EmbeddingInput]
"""(SHA-256 of a text, the text)."""

_BUFFER_SECONDS = 0.25
MAX_BUFFERED = 128
"""Vectors in one transaction, which writes a dozen pages however few they are. A pass that is
killed computes again the vectors that were not stored."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """Limits of one call; small enough that a pause or a quit is soon noticed."""

    texts: int
    characters: int

    @classmethod
    def of(cls, provider: EmbeddingProvider | None) -> BatchSize:
        """Limits for a provider; a remote one makes four requests of a batch, at the same time."""
        return cls(512, 128_000) if provider and not provider.is_local else cls(32, 6_400)

    def batches(self, inputs: Iterable[KeyedInput]) -> Iterator[list[KeyedInput]]:
        """All passages in order, in runs of at most so many characters."""
        batch: list[KeyedInput] = []
        size = 0
        for item in inputs:
            length = len(item[1].text)
            if batch and size + length > self.characters:
                yield batch
                batch, size = [], 0
            batch.append(item)
            size += length
        if batch:
            yield batch


class VectorBuffer:
    """Vectors of one generation on their way into the index, stored some at a time."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._generation: Generation | None = None
        self._vectors: dict[bytes, Vector] = {}
        self._lines: dict[bytes, bytes] = {}
        self._stored_at = time.monotonic()

    def add(
        self,
        generation: Generation,
        vectors: Mapping[bytes, Vector],
        lines: Mapping[bytes, bytes],
    ) -> None:
        """Add vectors and the sign bits of their lines. Outside of transactions only."""
        self._generation = generation
        self._vectors |= vectors
        self._lines |= lines
        is_late = time.monotonic() - self._stored_at >= _BUFFER_SECONDS
        if is_late or len(self._vectors) >= MAX_BUFFERED:
            self.store()

    def store(self) -> None:
        """Write the vectors into the index. Outside of transactions only."""
        if self._generation and self._vectors:
            with self._writer.transaction():
                self._writer.vectors.add(self._generation, self._vectors, self._lines)
            self._vectors, self._lines = {}, {}
        self._stored_at = time.monotonic()
