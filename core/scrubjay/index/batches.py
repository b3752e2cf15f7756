"""How much is done at once: chunks for a provider, files in a transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from scrubjay.embedding.provider import EmbeddingInput, EmbeddingProvider

T = TypeVar("T")

Keyed: TypeAlias = tuple[bytes, EmbeddingInput]
"""The hash of a text, and the text."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """Limits of one call; small enough that a pause or a quit is soon noticed."""

    texts: int
    characters: int

    @classmethod
    def of(cls, provider: EmbeddingProvider | None) -> BatchSize:
        """A remote provider makes four requests of what it gets, at the same time."""
        return cls(512, 128_000) if provider and not provider.is_local else cls(32, 6_400)

    def batches(self, passages: Iterable[Keyed]) -> Iterator[list[Keyed]]:
        """All passages in order, in runs of at most so many characters."""
        batch: list[Keyed] = []
        size = 0
        for item in passages:
            length = len(item[1].text)
            if batch and size + length > self.characters:
                yield batch
                batch, size = [], 0
            batch.append(item)
            size += length
        if batch:
            yield batch


def timed(items: Iterable[T], seconds: float) -> Iterator[Iterator[T]]:
    """All items in order, in runs that end when working on one has taken so long."""
    waiting = iter(items)

    def batch(first: T) -> Iterator[T]:
        until = time.monotonic() + seconds
        yield first
        if time.monotonic() < until:
            for item in waiting:
                yield item
                if time.monotonic() >= until:
                    return

    for first in waiting:
        yield batch(first)
