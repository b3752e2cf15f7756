"""The protocol of an index for searches, which all stores implement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import ChunkId
from scrubjay.records.search_modes import Order
from scrubjay.records.shared_records import SharedAddress
from scrubjay.records.vectors import Vector
from scrubjay.store.index_records import Filters, Generation, StoredChunk

IndexAddress: TypeAlias = Path | SharedAddress
"""A file of this computer, or a workspace of a shared memory."""

Scores: TypeAlias = list[tuple[ChunkId, float]]
"""Chunks with their scores, best first."""


class IndexReader(Protocol):
    """An index that one thread reads.

    All methods raise IndexUnavailable. Numbers of chunks stay while the index does not change;
    those of a document follow each other in its order. Expressions are of FTS5: quoted phrases,
    `*` after a beginning, AND, OR, NOT, brackets, and a field with a colon.
    """

    def close(self) -> None:
        """Free what the index holds open."""

    def free_memory(self) -> None:
        """Free what can be read again."""

    def generation(self) -> Generation | None:
        """The active generation of vectors; None before the first."""

    def chunk_count(self) -> int:
        """Number of chunks, for inverse document frequencies."""

    # -- candidates ---------------------------------------------------------------------------

    def lexical(self, expression: str, limit: int, filters: Filters, cancel: CancelToken) -> Scores:
        """Chunks that match, with positive BM25 scores. Raises Cancelled."""

    def nearest(self, query: Vector, limit: int, filters: Filters, cancel: CancelToken) -> Scores:
        """Chunks by cosine with a query, float32[dimensions]. Raises Cancelled."""

    def similarities(self, query: Vector, ids: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """Cosine similarity of certain chunks to float32[dimensions], for those with a vector."""

    def named(self, key: str, expression: str, limit: int, filters: Filters) -> Scores:
        """The beginnings of notes with a name, or with one that begins so, and their BM25 scores.

        Key is the name as `name_key` writes it. Notes that are called exactly so come first.
        """

    def holds(self, expression: str) -> bool:
        """Whether any chunk matches."""

    def matching(self, expression: str, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """The chunks that match."""

    # -- rows ---------------------------------------------------------------------------------

    def chunks(
        self, ids: Iterable[ChunkId], *, neighbours_of: Iterable[ChunkId] = ()
    ) -> Mapping[ChunkId, StoredChunk]:
        """Chunks with their documents; those that were deleted meanwhile are missing.

        For some, the chunks before and after them in the same document are included.
        """

    def line_signs(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, bytes]:
        """Chunk -> sign bits of its lines that are not blank, side by side, where it has them."""

    def sign_width(self) -> int:
        """Bytes of the sign bits of one line."""

    def documents(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, int]:
        """Number of the document of each chunk."""

    def session_chunks(self, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """The chunks that belong to transcripts of conversations."""

    def first_chunks(
        self, filters: Filters, limit: int, order: Order = Order.NEWEST
    ) -> Sequence[StoredChunk]:
        """The beginning of each admitted document, in the order of their days."""

    def count(self, filters: Filters) -> int:
        """The number of admitted documents."""

    def read_tags(self, paths: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Path of a note -> its tags, as it writes them."""

    # -- statistics ---------------------------------------------------------------------------

    def document_frequency(self, stem: str) -> int:
        """Number of chunks with a stem in any field."""

    def stem_counts(self, stems: Sequence[str]) -> Mapping[str, int]:
        """Number of chunks with each of many stems, for those that occur."""

    def stems_from(self, prefix: str) -> Sequence[str]:
        """Stems that begin with a prefix, some hundreds at most."""

    def stems_ending(self, ending: str, letters: int) -> Sequence[str]:
        """Stems of at least so many letters with an ending, some hundreds at most."""

    def spelling_cache(self) -> MutableMapping[str, Sequence[str]]:
        """Mistyped word -> stems to look for instead, empty after each change of the index."""
