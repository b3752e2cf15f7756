"""Small embedding providers that really embed, and others that really fail."""

from __future__ import annotations

import functools
import re
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.errors import ProviderUnavailable
from scrubjay.records.vectors import Vector, normalize

DIMENSIONS = 256
"""Enough that unrelated words hardly look alike."""


def embedding_inputs(*texts: str) -> list[EmbeddingInput]:
    """Texts without a title, as documents."""
    return [EmbeddingInput("", text) for text in texts]


class WordProvider:
    """Adds up one pseudo-random direction a word; a synonym has the direction of its word."""

    name = "words"
    is_local = True
    host = ""
    batch_jobs = None
    media = None
    model = "hashed words"

    def __init__(
        self,
        version: str = "1",
        synonyms: Mapping[str, str] = MappingProxyType({}),
        dimensions: int = DIMENSIONS,
    ) -> None:
        """Another version is another model: equal text gets another vector."""
        self._version = version
        self._synonyms = synonyms
        self._dimensions = dimensions
        self.embedded: list[str] = []
        """Every chunk it was asked for, in order."""
        self.before_batch: Callable[[], None] = lambda: None
        """Called on the index thread before each batch of chunks."""
        self.is_closed = False

    def identity(self) -> str:
        return f"words:{self._version}:{self._dimensions}"

    def dimensions(self) -> int:
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        # Single lines come without the title of their note.
        if chunks := [item.text for item in inputs if item.title]:
            self.before_batch()
            self.embedded += chunks
        return [self._vector(item.text) for item in inputs]

    def close(self) -> None:
        self.is_closed = True

    def _vector(self, text: str) -> Vector:
        total = np.zeros(self._dimensions, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            meant = self._synonyms.get(word, word)
            total += _direction(f"{self._version}:{meant}", self._dimensions)
        return normalize(total)


@functools.cache
def _direction(word: str, dimensions: int) -> Vector:
    seed = zlib.crc32(word.encode("utf-8", "replace"))
    return np.random.default_rng(seed).standard_normal(dimensions, dtype=np.float32)


class AbsentProvider:
    """A provider whose model is not there."""

    name = "absent"
    is_local = True
    host = ""
    batch_jobs = None
    media = None
    model = "none"
    reason = "The model is on holiday"

    def identity(self) -> str:
        raise ProviderUnavailable(self.reason)

    def dimensions(self) -> int:
        raise ProviderUnavailable(self.reason)

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        raise ProviderUnavailable(self.reason)

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        raise ProviderUnavailable(self.reason)

    def close(self) -> None:
        """Nothing to free."""


class HungProvider(AbsentProvider):
    """A provider that answers nothing until it is closed."""

    def __init__(self) -> None:
        self.is_asked = threading.Event()
        self._closed = threading.Event()

    def identity(self) -> str:
        self.is_asked.set()
        self._closed.wait()
        raise ProviderUnavailable(self.reason)

    def close(self) -> None:
        self._closed.set()


class GivenProvider:
    """A source of one provider, or of none."""

    off_reason = ""

    def __init__(self, provider: WordProvider | None) -> None:
        self._provider = provider

    def current(self) -> WordProvider:
        if self._provider is None:
            raise ProviderUnavailable("No model is set up")
        return self._provider

    def takeover(self, answering: str) -> None:
        """Nobody stands in."""
