"""Collects what both retrievers found, each candidate with everything that ranking looks at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.analysis import Analyzer, Token
from scrubjay.jobs import CancelToken
from scrubjay.records import ChunkId, Mode
from scrubjay.search.query import ParsedQuery
from scrubjay.store.reader import Reader
from scrubjay.store.rows import Filters, StoredChunk
from scrubjay.vectors import Vector

UNIVERSE = 64
"""Candidates of each retriever. Fixed, so that the first row never depends on maxResults."""


@dataclass(slots=True)
class Candidate:
    """A chunk that at least one retriever found."""

    chunk: StoredChunk
    tokens: list[Token]
    """Of the chunk's text."""
    bm25: float | None = None
    """Positive, unbounded; None when the words did not find it."""
    lexical_rank: int | None = None
    """1-based."""
    cosine: float | None = None
    vector_rank: int | None = None
    fields: dict[str, frozenset[str]] = field(default_factory=dict)
    """Stems of the query found in "text", "heading" and "path"."""

    @property
    def text_score(self) -> float | None:
        """BM25 squeezed to 0..1, larger is better."""
        return None if self.bm25 is None else self.bm25 / (1 + self.bm25)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The stems of a query and how much each tells."""

    weights: Mapping[str, float]
    """Stem -> inverse document frequency, for all keywords with their alternatives."""
    by_term: Mapping[str, tuple[str, ...]]
    """Term as typed -> its stems."""

    @classmethod
    def of(cls, query: ParsedQuery, reader: Reader, analyzer: Analyzer) -> QueryTerms:
        """Look the stems of all keywords up in the index."""
        total = reader.chunk_count()
        by_term: dict[str, tuple[str, ...]] = {}
        weights: dict[str, float] = {}
        for term in query.keywords:
            stems = [stem for phrase in term.alternatives for stem in analyzer.stems(phrase)]
            by_term[term.text] = tuple(dict.fromkeys(stems))
            for stem in by_term[term.text]:
                weights[stem] = idf(reader.document_frequency(stem), total)
        return cls(weights, by_term)


def idf(frequency: int, total: int) -> float:
    """Inverse document frequency of BM25, never below zero (Robertson and Zaragoza, 2009)."""
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def collect(
    query: ParsedQuery,
    vector: Vector | None,
    *,
    mode: Mode,
    reader: Reader,
    analyzer: Analyzer,
    filters: Filters,
    cancel: CancelToken,
) -> list[Candidate]:
    """The union of both retrievers' candidates, in no certain order."""
    lexical: list[tuple[ChunkId, float]] = []
    expression = query.expression()
    if mode is not Mode.VECTOR and expression:
        lexical = reader.lexical(expression, UNIVERSE, filters, cancel)
    near: list[tuple[ChunkId, float]] = []
    if mode is not Mode.LEXICAL and vector is not None:
        near = reader.nearest(vector, UNIVERSE, filters, cancel)
    found: dict[ChunkId, Candidate] = {}
    chunks = reader.chunks(dict.fromkeys(chunk for chunk, _ in (*lexical, *near)))
    for chunk_id, chunk in chunks.items():
        found[chunk_id] = Candidate(chunk, analyzer.tokens(chunk.text))
    for rank, (chunk_id, score) in enumerate(_present(lexical, found), start=1):
        found[chunk_id].bm25, found[chunk_id].lexical_rank = score, rank
    for rank, (chunk_id, score) in enumerate(_present(near, found), start=1):
        found[chunk_id].cosine, found[chunk_id].vector_rank = score, rank
    if vector is not None and mode is Mode.HYBRID:
        unscored = [chunk_id for chunk_id, one in found.items() if one.cosine is None]
        for chunk_id, cosine in reader.similarities(vector, unscored).items():
            found[chunk_id].cosine = cosine
    return list(found.values())


def _present(
    ranking: Sequence[tuple[ChunkId, float]], found: Mapping[ChunkId, Candidate]
) -> Iterable[tuple[ChunkId, float]]:
    """Without what was deleted between two statements."""
    return ((chunk_id, score) for chunk_id, score in ranking if chunk_id in found)


def mark_fields(candidate: Candidate, terms: QueryTerms, analyzer: Analyzer) -> None:
    """Note in which fields the stems of the query occur."""
    chunk = candidate.chunk
    stems = {
        "text": {token.stem for token in candidate.tokens},
        "heading": set(analyzer.stems(f"{chunk.title} {chunk.heading}")),
        "path": set(analyzer.stems(chunk.path)),
    }
    wanted = terms.weights.keys()
    candidate.fields = {name: frozenset(found & wanted) for name, found in stems.items()}
