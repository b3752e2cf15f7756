"""What a reader keeps of an index until the next commit, since searches want it again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrubjay.records.search_records import ChunkId
from scrubjay.store.rows import Generation, StoredChunk

_MAX_CHUNKS = 1_000
"""Some ten kilobytes each, with what searches make of them."""

_MAX_WORDS = 10_000

_COMMON, _COMMON_S, _DRIFT = 1_000, 600.0, 0.05
"""A stem in so many chunks counts for little and takes milliseconds to count: the number of some
minutes ago is good enough, unless a twentieth of all chunks has come or gone since."""


class CachedCount(NamedTuple):
    """How common a stem was."""

    number: int
    """Chunks that held it."""
    of: int
    """All chunks."""
    at: float
    """When, in seconds."""


@dataclass(slots=True)
class ReaderCache:
    """What holds for one version of an index."""

    version: int
    chunk_count: int
    generation: Generation | None
    """The one that answers; None before the first vectors."""
    frequencies: dict[str, int] = field(default_factory=dict)
    """Stem -> number of chunks with it."""
    common: dict[str, CachedCount] = field(default_factory=dict)
    """The same of common stems, perhaps counted before this version."""
    found: dict[str, Sequence[str]] = field(default_factory=dict)
    """What was looked for to take the place of a word."""
    chunks: OrderedDict[ChunkId, StoredChunk] = field(default_factory=OrderedDict)
    """Those that were asked for last, the latest at the end."""
    beside: dict[ChunkId, tuple[ChunkId, ...]] = field(default_factory=dict)
    """The chunks before and behind each of some in its document."""
    lines: dict[tuple[int, ChunkId], bytes] = field(default_factory=dict)
    """(generation, chunk) -> sign bits of its lines; none where they are not known."""

    def frequency(self, stem: str, count: Callable[[], int], now: float) -> int:
        """In how many chunks a stem is; counted where that is not known. Now is in seconds."""
        if stem in self.frequencies:
            return self.frequencies[stem]
        known = self.common.get(stem)
        if known and now - known.at < _COMMON_S and self._is_about(known.of):
            return known.number
        number = self.frequencies[stem] = count()
        if number >= _COMMON:
            self.common[stem] = CachedCount(number, self.chunk_count, now)
        return number

    def _is_about(self, chunks: int) -> bool:
        return abs(self.chunk_count - chunks) <= _DRIFT * chunks

    def touch(self, ids: Iterable[ChunkId]) -> dict[ChunkId, StoredChunk]:
        """Those of the chunks that are here; they stay longer than others."""
        found: dict[ChunkId, StoredChunk] = {}
        for chunk_id in ids:
            if chunk_id in self.chunks:
                self.chunks.move_to_end(chunk_id)
                found[chunk_id] = self.chunks[chunk_id]
        return found

    def shed(self) -> None:
        """Drop what is more than may be kept."""
        while len(self.chunks) > _MAX_CHUNKS:
            self.chunks.popitem(last=False)
        for others in (self.beside, self.lines):
            if len(others) > _MAX_CHUNKS:
                others.clear()
        for words in (self.frequencies, self.common, self.found):
            if len(words) > _MAX_WORDS:
                words.clear()
