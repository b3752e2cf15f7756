"""The cache of a reader, which holds until the next commit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from scrubjay.records.search_records import ChunkId
from scrubjay.store.rows import Generation, StoredChunk

MAX_CHUNKS = 1_000
"""Some ten kilobytes each, with the parts that searches derive from them."""

_MAX_WORDS = 10_000

_COMMON, _COMMON_S, _DRIFT = 1_000, 600.0, 0.05
"""A stem in 1,000 chunks has little information and takes milliseconds to count: its count is
reused for 600 seconds, unless a twentieth of all chunks has come or gone since."""


@dataclass(slots=True)
class ReaderCache:
    """Rows and numbers of one version of an index."""

    version: int
    chunk_count: int
    generation: Generation | None
    """The active one; None before the first vectors."""
    frequencies: dict[str, int] = field(default_factory=dict)
    """Stem -> number of chunks with it."""
    common: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    """Common stem -> chunks with it, all chunks, and the moment of both, perhaps of an earlier
    version."""
    spellings: dict[str, Sequence[str]] = field(default_factory=dict)
    """Mistyped word -> stems of the index to look for instead."""
    chunks: OrderedDict[ChunkId, StoredChunk] = field(default_factory=OrderedDict)
    """Least recently used first."""
    neighbours: dict[ChunkId, tuple[ChunkId, ...]] = field(default_factory=dict)
    """Chunk -> those before and behind it in its document."""
    line_signs: dict[tuple[int, ChunkId], bytes] = field(default_factory=dict)
    """(generation, chunk) -> sign bits of its lines; empty where the index has none."""

    def frequency(self, stem: str, count: Callable[[], int], now: float) -> int:
        """Number of chunks with a stem, counted where it is not cached. Now is in seconds."""
        if stem in self.frequencies:
            return self.frequencies[stem]
        if stem in self.common:
            number, chunks, moment = self.common[stem]
            if now - moment < _COMMON_S and abs(self.chunk_count - chunks) <= _DRIFT * chunks:
                return number
        number = self.frequencies[stem] = count()
        if number >= _COMMON:
            self.common[stem] = number, self.chunk_count, now
        return number

    def touch(self, ids: Iterable[ChunkId]) -> dict[ChunkId, StoredChunk]:
        """The cached ones of the chunks, which become the most recently used."""
        chunks: dict[ChunkId, StoredChunk] = {}
        for chunk_id in ids:
            if chunk_id in self.chunks:
                self.chunks.move_to_end(chunk_id)
                chunks[chunk_id] = self.chunks[chunk_id]
        return chunks

    def shrink(self) -> None:
        """Drop the entries beyond the limits."""
        while len(self.chunks) > MAX_CHUNKS:
            self.chunks.popitem(last=False)
        for by_chunk in (self.neighbours, self.line_signs):
            if len(by_chunk) > MAX_CHUNKS:
                by_chunk.clear()
        for by_word in (self.frequencies, self.common, self.spellings):
            if len(by_word) > _MAX_WORDS:
                by_word.clear()
