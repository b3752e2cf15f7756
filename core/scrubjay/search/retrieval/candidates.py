"""Collects what both retrievers found, and joins it to regions of consecutive lines."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.search_records import ChunkId, Mode, Source
from scrubjay.records.vectors import Vector
from scrubjay.search.query.dates import NamedDate
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.ranking.rerank import document_date
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.reader import Reader
from scrubjay.store.rows import Filters, StoredChunk

UNIVERSE_STEP = 5
"""Candidates of each retriever for each step of `candidateMultiplier`: 20 by default. Fixed, so
that the first row never depends on maxResults; 40 found nothing more (docs/quality.md)."""

_WITH_NEIGHBOURS = 15
"""So many of the best in each list bring the chunks beside them: evidence crosses chunk borders."""

SESSIONS_SHARE = 3
"""Transcripts of conversations get one place in so many, unless nothing else wants the others."""

_CROWD = 10
"""So many times as far down a list is looked for what may be rare in it: notes among transcripts,
chunks without a word that is left out."""

_Scores: TypeAlias = list[tuple[ChunkId, float]]
_Find: TypeAlias = Callable[[int, Filters], _Scores]


@dataclass(slots=True)
class Candidate:
    """A chunk that a retriever found, or that stands beside one."""

    chunk: StoredChunk
    bm25: float | None = None
    """Positive, unbounded; None when the words did not find it."""
    lexical_rank: int | None = None
    """1-based."""
    cosine: float | None = None
    vector_rank: int | None = None

    @property
    def text_score(self) -> float | None:
        """BM25 squeezed to 0..1, larger is better."""
        return None if self.bm25 is None else self.bm25 / (1 + self.bm25)

    @property
    def was_found(self) -> bool:
        """False for a mere neighbour."""
        return self.lexical_rank is not None or self.vector_rank is not None


@dataclass(slots=True)
class Passage:
    """Consecutive lines of one document, covered by candidates."""

    first_line: int
    """1-based line of the document."""
    lines: Sequence[str]
    candidates: list[Candidate] = field(default_factory=list)
    signs: npt.NDArray[np.uint8] | None = None
    """Lines x bytes, one bit a dimension, zeros for blank lines; None without line sketches."""

    @property
    def text(self) -> str:
        """All lines."""
        if len(self.candidates) == 1:
            return self.candidates[0].chunk.text
        return "\n".join(self.lines)

    def span(self, candidate: Candidate) -> tuple[int, int]:
        """Half-open range of a candidate among the lines."""
        chunk = candidate.chunk
        return chunk.first_line - self.first_line, chunk.last_line + 1 - self.first_line

    def best_candidate(self, line: int) -> Candidate:
        """The found candidate that covers a line (0-based), the best of both lists first."""
        covering = [one for one in self.candidates if self.span(one)[0] <= line < self.span(one)[1]]
        return min(covering, key=_rank)

    @property
    def is_session(self) -> bool:
        """True for what was said in a conversation."""
        return self.candidates[0].chunk.source is Source.SESSIONS

    def is_named(self, paths: Sequence[str]) -> bool:
        """True when the query spells out where the document is, or its file name."""
        if not paths:
            return False
        own = f"/{self.candidates[0].chunk.path.casefold()}"
        return any(own.endswith((f"/{path}", f"/{path}.md")) for path in paths)

    def is_dated(self, dates: Sequence[NamedDate]) -> bool:
        """True when the document is of a day that the query names."""
        if not dates:
            return False
        chunk = self.candidates[0].chunk
        date = document_date(chunk.path, chunk.date)
        return any(named.matches(date) for named in dates)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What both retrievers found in one index."""

    candidates: Mapping[ChunkId, Candidate]
    has_vectors: bool

    def without(self, other: Retrieval) -> Retrieval:
        """What another one did not bring."""
        left = {key: one for key, one in self.candidates.items() if key not in other.candidates}
        return Retrieval(left, self.has_vectors)


def retrieve(
    query: ParsedQuery,
    terms: QueryTerms,
    understood: Callable[[], Vector | None],
    *,
    mode: Mode,
    universe: int,
    dates: Sequence[NamedDate],
    reader: Reader,
    filters: Filters,
    cancel: CancelToken,
    has_sessions: bool = False,
) -> Retrieval:
    """The union of both retrievers' candidates with the neighbours of the best.

    Understood gives the query's vector; it is asked for when the words are done. Where there are
    sessions, they get no more than their share of the candidates.
    """

    def by_words(limit: int, admitted: Filters) -> _Scores:
        return reader.lexical(expression, limit, admitted, cancel)

    def by_meaning(limit: int, admitted: Filters) -> _Scores:
        if meaning is None:
            return []
        is_choosy = query.required_expression or query.excluded_expression
        reach = limit * _CROWD if is_choosy else limit
        near = reader.nearest(meaning, reach, admitted, cancel)
        kept = _admitted((chunk for chunk, _ in near), query, reader)
        return [one for one in near if one[0] in kept][:limit]

    def find(retriever: _Find) -> _Scores:
        if has_sessions and filters.sources != {Source.SESSIONS}:
            return _without_crowding(retriever, universe, filters, reader)
        return retriever(universe, filters)

    expression = _expression(query, terms, dates, is_narrow=not filters.is_empty)
    lexical = find(by_words) if mode is not Mode.VECTOR and expression else []
    meaning = understood()
    near = find(by_meaning) if meaning is not None else []
    wanted = dict.fromkeys(chunk for chunk, _ in (*lexical, *near))
    best = [chunk for chunk, _ in (*lexical[:_WITH_NEIGHBOURS], *near[:_WITH_NEIGHBOURS])]
    chunks = reader.chunks(wanted, neighbours_of=best)
    kept = _admitted(chunks, query, reader)
    found = {chunk_id: Candidate(chunks[chunk_id]) for chunk_id in chunks if chunk_id in kept}
    for rank, (chunk_id, score) in enumerate(_present(lexical, found), start=1):
        found[chunk_id].bm25, found[chunk_id].lexical_rank = score, rank
    if meaning is not None:
        cosines = {chunk_id: cosine for chunk_id, cosine in near if chunk_id in found}
        others = [chunk_id for chunk_id in found if chunk_id not in cosines]
        _rank_by_cosine(found, near, cosines | reader.similarities(meaning, others))
    return Retrieval(found, bool(near))


def _rank_by_cosine(
    found: Mapping[ChunkId, Candidate], near: _Scores, cosines: Mapping[ChunkId, float]
) -> None:
    for chunk_id, cosine in cosines.items():
        found[chunk_id].cosine = cosine
    by_cosine = sorted(
        (found[chunk_id] for chunk_id, _ in _present(near, found)),
        key=lambda one: -(one.cosine or 0.0),
    )
    for rank, candidate in enumerate(by_cosine, start=1):
        candidate.vector_rank = rank


def _admitted(ids: Iterable[ChunkId], query: ParsedQuery, reader: Reader) -> set[ChunkId]:
    """Those that hold what must be in quotes and nothing with a minus, however they were found."""
    kept = set(ids)
    if query.required_expression:
        kept &= reader.matching(query.required_expression, kept)
    if query.excluded_expression:
        kept -= reader.matching(query.excluded_expression, kept)
    return kept


def regions(retrieval: Retrieval, reader: Reader) -> list[Passage]:
    """Candidates joined where they touch, in a stable order."""
    found: list[Passage] = []
    in_order = sorted(
        retrieval.candidates.values(),
        key=lambda one: (one.chunk.document, one.chunk.first_line, one.chunk.id),
    )
    for candidate in in_order:
        chunk = candidate.chunk
        last = found[-1] if found else None
        if last is None or not _touches(last, chunk):
            found.append(Passage(chunk.first_line, chunk.lines, [candidate]))
            continue
        known = last.first_line + len(last.lines) - chunk.first_line
        last.lines = (*last.lines, *chunk.lines[known:])
        last.candidates.append(candidate)
    if retrieval.has_vectors:
        _add_signs(found, reader)
    return found


def _without_crowding(find: _Find, universe: int, filters: Filters, reader: Reader) -> _Scores:
    """The best candidates, with as many notes among them as if there were no transcripts."""
    far = find(universe * _CROWD, filters)
    said = reader.session_chunks(chunk for chunk, _ in far)
    notes = [one for one in far if one[0] not in said][:universe]
    if not notes and len(far) == universe * _CROWD:
        others = (filters.sources or frozenset(Source)) - {Source.SESSIONS}
        notes = find(universe, replace(filters, sources=others))
    share = max(universe // SESSIONS_SHARE, universe - len(notes))
    sessions = [one for one in far if one[0] in said][:share]
    return sorted([*notes, *sessions], key=lambda one: -one[1])


def _touches(region: Passage, chunk: StoredChunk) -> bool:
    before = region.candidates[-1].chunk
    end = region.first_line + len(region.lines)
    # Pieces of one long line share its number, and each is a text of its own.
    is_piece = chunk.first_line == chunk.last_line and before.last_line >= chunk.first_line
    return before.document == chunk.document and chunk.first_line <= end and not is_piece


def _add_signs(found: Sequence[Passage], reader: Reader) -> None:
    """Give each region the signs of its lines, where all of its chunks have them."""
    packed = reader.line_sketches([one.chunk.id for region in found for one in region.candidates])
    width = reader.sketch_width()
    known = [one for one in found if all(part.chunk.id in packed for part in one.candidates)]
    if not known:
        return
    starts = [0, *itertools.accumulate(len(region.lines) for region in known)]
    places: list[int] = []
    rows: list[bytes] = []
    for region, start in zip(known, starts, strict=False):
        for one in region.candidates:
            bits = packed[one.chunk.id]
            first = start + region.span(one)[0]
            spoken = one.chunk.spoken[: len(bits) // width]
            places += [first + at for at in spoken]
            rows.append(bits[: len(spoken) * width])
    signs = np.zeros((starts[-1], width), dtype=np.uint8)
    signs[places] = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, width)
    for region, start in zip(known, starts, strict=False):
        region.signs = signs[start : start + len(region.lines)]


def _expression(
    query: ParsedQuery, terms: QueryTerms, dates: Sequence[NamedDate], *, is_narrow: bool
) -> str:
    """The keywords, and notes of the named days whatever they say.

    In a part of the notes a word may be the only one that is left, however common it is elsewhere.
    """
    found = query.expression(None if is_narrow else terms.worth_retrieving())
    named = " OR ".join(f'path : "{date.words}"' for date in dates)
    if not found or not named:
        return found or named
    return f"{found} OR {named}"


def _present(
    ranking: Iterable[tuple[ChunkId, float]], found: Mapping[ChunkId, Candidate]
) -> Iterable[tuple[ChunkId, float]]:
    """Without what was deleted between two statements."""
    return ((chunk_id, score) for chunk_id, score in ranking if chunk_id in found)


def _rank(candidate: Candidate) -> int:
    ranks = [candidate.lexical_rank, candidate.vector_rank]
    return min((rank for rank in ranks if rank is not None), default=1_000)
