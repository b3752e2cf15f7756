"""Candidates of both retrievers, joined to passages of consecutive lines."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_kinds import document_kind
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import ChunkId, Source
from scrubjay.records.vectors import Vector
from scrubjay.search.query.dates import Period
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.retrieval.query_vectors import QueryEmbedding
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.protocol import IndexReader, Scores
from scrubjay.store.rows import Filters, StoredChunk
from scrubjay.text.tokenizer import written_words

CANDIDATE_POOL_STEP = 5
"""Candidates of each retriever for each step of `candidateMultiplier`: 20 by default. Fixed, so
that the first row never depends on maxResults; 40 found nothing more (docs/quality.md)."""

_WITH_NEIGHBOURS = 15
"""Number of the best in each list that bring their neighbours: answers cross borders of chunks."""

SESSIONS_SHARE = 3
"""Transcripts of conversations get one place in three, unless nothing else wants the others."""

_DEEPEST = 2_000
"""Candidates of a list that are read at most for notes beside a long one."""

PASSAGES_A_NOTE = 3
"""Candidates of one note in each list where a note has one hit, so that a long note with a common
word leaves places to the others."""

_OVERFETCH = 10
"""Factor by which a list is read further for candidates that may be rare in it: notes among
transcripts, chunks without an excluded word."""

_Retriever: TypeAlias = Callable[[int, Filters], Scores]


class Candidate(Struct):
    """A chunk that a retriever found, or that stands beside one."""

    chunk: StoredChunk
    bm25: float | None = None
    """Positive, unbounded; None when the words did not find it."""
    lexical_rank: int | None = None
    """1-based."""
    cosine: float | None = None
    vector_rank: int | None = None
    """1-based."""

    @property
    def text_score(self) -> float | None:
        """BM25 squeezed to 0..1, larger is better."""
        return None if self.bm25 is None else self.bm25 / (1 + self.bm25)

    @property
    def was_found(self) -> bool:
        """False for a mere neighbour."""
        return self.lexical_rank is not None or self.vector_rank is not None


class Passage(Struct):
    """Consecutive lines of one document, covered by candidates."""

    first_line: int
    """1-based line of the document."""
    lines: Sequence[str]
    candidates: list[Candidate] = field(default_factory=list)
    signs: npt.NDArray[np.uint8] | None = None
    """uint8[lines, bytes], one bit a dimension, zeros for blank lines; None where the index has no
    sign bits of lines."""
    workspace: str = ""
    """Id of the workspace."""

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
        if len(self.candidates) == 1:
            return self.candidates[0]
        spans = ((candidate, *self.span(candidate)) for candidate in self.candidates)
        return min((part for part, first, end in spans if first <= line < end), key=_rank)

    @property
    def is_session(self) -> bool:
        """True for the transcript of a conversation."""
        return self.candidates[0].chunk.source is Source.SESSIONS

    def is_named(self, paths: Sequence[str]) -> bool:
        """True when the query spells out the document's path, or its file name."""
        if not paths:
            return False
        own = f"/{self.candidates[0].chunk.path.casefold()}"
        return any(own.endswith((f"/{path}", f"/{path}.md")) for path in paths)

    def is_dated(self, dates: Sequence[Period]) -> bool:
        """True when the document is of a day that the query names."""
        date = self.candidates[0].chunk.date
        return any(named.matches(date) for named in dates)


class Retrieval(Struct, frozen=True):
    """Candidates of both retrievers in one index."""

    candidates: Mapping[ChunkId, Candidate]
    query_vector: Vector | None
    """float32[dimensions] of the query; None where no vector was near or compared."""

    def without(self, other: Retrieval) -> Retrieval:
        """The candidates that another retrieval did not bring."""
        others = other.candidates
        left = {key: part for key, part in self.candidates.items() if key not in others}
        return Retrieval(left, self.query_vector)


def retrieve(
    query: ParsedQuery,
    terms: QueryTerms,
    embedding: Future[QueryEmbedding],
    identity: str,
    *,
    mode: Mode,
    candidate_pool: int,
    dates: Sequence[Period],
    reader: IndexReader,
    filters: Filters,
    cancel: CancelToken,
    has_sessions: bool = False,
    per_note: int = 0,
    are_notes_long: bool = False,
    is_exact: bool = False,
) -> Retrieval:
    """The union of both retrievers' candidates with the neighbours of the best.

    The embedding is awaited after the words are searched; identity names the index's vectors.
    Candidate_pool is the number of candidates of each retriever. Where the index has sessions,
    they get no more than their share; with per_note a note gets no more than so many, or only a
    document does. Quotes are compared by stems, or as written if is_exact. Raises Cancelled or
    IndexUnavailable.
    """
    quotes = query.quotes if is_exact else ()

    def by_words(limit: int, filters: Filters) -> Scores:
        if terms.rivals and len(terms.rivals) == len(terms):
            scores = reader.lexical(expression, max(limit, _DEEPEST), filters, cancel)
            chunks = reader.chunks(chunk for chunk, _ in scores)
            said = {key for key, chunk in chunks.items() if _has_more_than_rivals(chunk, terms)}
            scores = [scored for scored in scores if scored[0] in said]
            return admitted_of(scores, limit) if quotes else scores[:limit]
        if not quotes:
            return reader.lexical(expression, limit, filters, cancel)
        return admitted_of(reader.lexical(expression, limit * _OVERFETCH, filters, cancel), limit)

    def by_meaning(limit: int, filters: Filters) -> Scores:
        if vector is None:
            return []
        is_restricted = query.required_expression or query.excluded_expression
        depth = limit * _OVERFETCH if is_restricted else limit
        return admitted_of(reader.nearest(vector, depth, filters, cancel), limit)

    def admitted_of(scores: Scores, limit: int) -> Scores:
        admitted = _admitted((chunk for chunk, _ in scores), query, quotes, reader)
        return [scored for scored in scores if scored[0] in admitted][:limit]

    def ranking(retriever: _Retriever) -> Scores:
        if has_sessions and filters.sources != {Source.SESSIONS}:
            return _with_sessions_capped(retriever, candidate_pool, filters, reader)
        scores = retriever(candidate_pool, filters)
        if not per_note or len(scores) < candidate_pool:
            return scores
        return _with_notes_capped(
            retriever, scores, per_note, filters, reader, are_notes_long=are_notes_long
        )

    expression = _expression(query, terms, dates, is_narrow=not filters.is_empty)
    lexical = ranking(by_words) if mode is not Mode.VECTOR and expression else []
    vector = embedding.result().vectors.get(identity)
    near = ranking(by_meaning) if vector is not None else []
    has_near = bool(near)
    ids = dict.fromkeys(chunk for chunk, _ in (*lexical, *near))
    best = [chunk for chunk, _ in (*lexical[:_WITH_NEIGHBOURS], *near[:_WITH_NEIGHBOURS])]
    chunks = reader.chunks(ids, neighbours_of=best)
    admitted = _admitted(chunks, query, quotes, reader)
    # Another process may have deleted some of them between two statements.
    candidates = {key: Candidate(chunk) for key, chunk in chunks.items() if key in admitted}
    lexical = [scored for scored in lexical if scored[0] in candidates]
    near = [scored for scored in near if scored[0] in candidates]
    for rank, (chunk_id, score) in enumerate(lexical, start=1):
        candidates[chunk_id].bm25, candidates[chunk_id].lexical_rank = score, rank
    if vector is not None:
        cosines = dict(near)
        others = [chunk_id for chunk_id in candidates if chunk_id not in cosines]
        for chunk_id, cosine in (cosines | reader.similarities(vector, others)).items():
            candidates[chunk_id].cosine = cosine
        by_cosine = sorted(cosines, key=lambda chunk_id: -cosines[chunk_id])
        for rank, chunk_id in enumerate(by_cosine, start=1):
            candidates[chunk_id].vector_rank = rank
    return Retrieval(candidates, vector if has_near else None)


def _admitted(
    ids: Iterable[ChunkId], query: ParsedQuery, quotes: Sequence[str], reader: IndexReader
) -> set[ChunkId]:
    """The chunks with each quoted phrase and no excluded one, whichever retriever found them.

    The index compares stems, by which "ate" is "at"; quotes are compared as they were written.
    """
    admitted = set(ids)
    if query.required_expression:
        admitted &= reader.matching(query.required_expression, admitted)
    if query.excluded_expression:
        admitted -= reader.matching(query.excluded_expression, admitted)
    if quotes and admitted:
        wanted = [written_words(quote) for quote in quotes]
        for key, chunk in reader.chunks(admitted).items():
            text = written_words(f"{chunk.path}\n{chunk.title}\n{chunk.heading}\n{chunk.text}")
            if not all(words in text for words in wanted):
                admitted.discard(key)
    return admitted


def _has_more_than_rivals(chunk: StoredChunk, terms: QueryTerms) -> bool:
    """True for a chunk with another form of the stop word that is a keyword's stem."""
    words = written_words(" ".join((chunk.text, *chunk.labels.values())))
    return any(re.search(rf" {rival}(?:ed?|e?s|ings?) ", words) for rival in terms.rivals)


def join_passages(retrieval: Retrieval, reader: IndexReader, workspace: str) -> list[Passage]:
    """Candidates joined where they touch, by path and line."""
    passages: list[Passage] = []
    in_order = sorted(
        retrieval.candidates.values(),
        key=lambda part: (part.chunk.path, part.chunk.first_line, part.chunk.id),
    )
    for candidate in in_order:
        chunk = candidate.chunk
        if passages:
            last, before = passages[-1], passages[-1].candidates[-1].chunk
            shared = last.first_line + len(last.lines) - chunk.first_line
            # Pieces of one long line share its number, and each is a text of its own.
            is_piece = chunk.first_line == chunk.last_line and before.last_line >= chunk.first_line
            if before.document == chunk.document and shared >= 0 and not is_piece:
                last.lines = (*last.lines, *chunk.lines[shared:])
                last.candidates.append(candidate)
                continue
        passages.append(Passage(chunk.first_line, chunk.lines, [candidate], workspace=workspace))
    if retrieval.query_vector is not None:
        _add_signs(passages, reader)
    return passages


def _with_sessions_capped(
    retriever: _Retriever, candidate_pool: int, filters: Filters, reader: IndexReader
) -> Scores:
    """The best candidates, with as many notes among them as if there were no transcripts."""
    far = retriever(candidate_pool * _OVERFETCH, filters)
    spoken = reader.session_chunks(chunk for chunk, _ in far)
    notes = [scored for scored in far if scored[0] not in spoken][:candidate_pool]
    if not notes and len(far) == candidate_pool * _OVERFETCH:
        others = (filters.sources or frozenset(Source)) - {Source.SESSIONS}
        notes = retriever(candidate_pool, replace(filters, sources=others))
    share = max(candidate_pool // SESSIONS_SHARE, candidate_pool - len(notes))
    sessions = [scored for scored in far if scored[0] in spoken][:share]
    return sorted([*notes, *sessions], key=lambda scored: -scored[1])


def _with_notes_capped(
    retriever: _Retriever,
    scores: Scores,
    per_note: int,
    filters: Filters,
    reader: IndexReader,
    *,
    are_notes_long: bool,
) -> Scores:
    """The best candidates with no more than so many of each note, read as deep as it takes.

    Where notes may be long, only documents such as PDF files are not.
    """
    depth = len(scores)
    while True:
        documents = reader.documents(chunk for chunk, _ in scores)
        if are_notes_long:
            chunks = reader.chunks(chunk for chunk, _ in scores)
            capped = {key for key, chunk in chunks.items() if document_kind(chunk.path)}
        places = Counter[int]()
        chosen: Scores = []
        for chunk, score in scores:
            places[documents.get(chunk, 0)] += 1
            if (are_notes_long and chunk not in capped) or places[
                documents.get(chunk, 0)
            ] <= per_note:
                chosen.append((chunk, score))
        if len(chosen) >= depth or len(scores) >= _DEEPEST:
            return chosen[:depth]
        before = len(scores)
        scores = retriever(before * _OVERFETCH, filters)
        if len(scores) == before:
            return chosen


def _add_signs(passages: Sequence[Passage], reader: IndexReader) -> None:
    """Give each passage the signs of its lines, where all of its chunks have them."""
    ids = [candidate.chunk.id for passage in passages for candidate in passage.candidates]
    line_signs = reader.line_signs(ids)
    width = reader.sign_width()
    signed = [
        passage
        for passage in passages
        if all(candidate.chunk.id in line_signs for candidate in passage.candidates)
    ]
    if not signed:
        return
    starts = [0, *itertools.accumulate(len(passage.lines) for passage in signed)]
    places: list[int] = []
    rows: list[bytes] = []
    for passage, start in zip(signed, starts, strict=False):
        for candidate in passage.candidates:
            bits = line_signs[candidate.chunk.id]
            first = start + passage.span(candidate)[0]
            filled = candidate.chunk.filled_lines[: len(bits) // width]
            places += [first + line for line in filled]
            rows.append(bits[: len(filled) * width])
    signs = np.zeros((starts[-1], width), dtype=np.uint8)
    signs[places] = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, width)
    for passage, start in zip(signed, starts, strict=False):
        passage.signs = signs[start : start + len(passage.lines)]


def _expression(
    query: ParsedQuery, terms: QueryTerms, dates: Sequence[Period], *, is_narrow: bool
) -> str:
    """FTS5 expression for the keywords, or for notes of the named days whatever they hold.

    In a filtered part of the notes every word is looked for: the only one that is there may be
    common elsewhere.
    """
    keywords = query.expression(None if is_narrow else terms.selective_terms())
    days = " OR ".join(f'path : "{words}"' for period in dates for words in period.words)
    if not keywords or not days:
        return keywords or days
    return f"{keywords} OR {days}"


def _rank(candidate: Candidate) -> int:
    ranks = [candidate.lexical_rank, candidate.vector_rank]
    return min((rank for rank in ranks if rank is not None), default=1_000)
