"""Candidates from words and vectors, joined to passages of consecutive lines."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.audience import Audience
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.records.note_records import ChunkId, Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.vectors import Vector
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.query.dates import Period
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.retrieval.query_terms import QueryTerms
from scrubjay.search.retrieval.query_vectors import QueryEmbedding
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters, StoredChunk
from scrubjay.store.protocol import IndexReader, Scores
from scrubjay.text.file_kinds import PICTURE, document_kind, is_picture
from scrubjay.text.note_names import name_key
from scrubjay.text.tokenizer import written_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ON_PICTURES = Filters(kinds=(PICTURE,))
"""Conditions for pictures."""
CANDIDATE_POOL_STEP = 5
"""Candidates of each retriever for each step of `candidateMultiplier`: 20 by default. Fixed, so
that the first row never depends on maxResults; 40 found nothing more (docs/quality.md)."""

# Places in the lists of both retrievers.

_WITH_NEIGHBOURS = 15
"""Number of the best in each list that bring their neighbours: answers cross borders of chunks."""

SESSIONS_SHARE = 3
"""Transcripts of conversations get one hit in three, unless nothing else wants the others."""

_DEEPEST = 2_000
"""Candidates of a list that are read at most for notes beside a long one."""

PASSAGES_A_NOTE = 3
"""Candidates of one note in each list where a note has one hit, so that a long note with a common
word leaves room for the others."""

_MOST_NAMED = 20
"""Notes that are looked up by their names: as many as candidates of each retriever."""

_OVERFETCH = 10
"""Factor by which a list is read further for candidates that may be rare in it: notes among
transcripts, chunks without an excluded word."""

_Retriever: TypeAlias = Callable[[int, Filters], Scores]


class Candidate(Struct):
    """A chunk that a retriever found, or a neighbour of such a chunk."""

    chunk: StoredChunk
    bm25: float | None = None
    """Score of the words, positive and unbounded; None if they did not find it."""
    lexical_rank: int | None = None
    """Rank among those that the words found, 1-based."""
    cosine: float | None = None
    vector_rank: int | None = None
    """Rank among those that meaning found, 1-based."""
    is_called_so: bool = False
    """Whether its note has a name that is, or begins with, what was asked."""

    @property
    def text_score(self) -> float | None:
        """BM25 squeezed to 0..1, larger is better."""
        if self.bm25 is None:
            return None
        return self.bm25 / (1 + self.bm25)

    @property
    def was_found(self) -> bool:
        """False for a mere neighbour."""
        return self.lexical_rank is not None or self.vector_rank is not None


class Passage(Struct):
    """Consecutive lines of one document, covered by candidates."""

    first_line: int
    """Line of the document, 1-based."""
    lines: Sequence[str]
    candidates: list[Candidate] = field(default_factory=list)
    signs: npt.NDArray[np.uint8] | None = None
    """Signs of the lines as uint8[lines, bytes], one bit a dimension, zeros for blank lines; None
    where the index has none."""
    workspace: WorkspaceId = WorkspaceId("")
    """Id of the workspace."""
    conflict_copies: tuple[str, ...] = ()
    """Paths of the conflict copies that its note stands for."""

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
    def is_called_so(self) -> bool:
        """Whether its note was found by its name."""
        return any(candidate.is_called_so for candidate in self.candidates)

    @property
    def is_nearest(self) -> bool:
        """Whether it has the nearest chunk by meaning."""
        return any(candidate.vector_rank == 1 for candidate in self.candidates)

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


class CandidateRequest(Struct, frozen=True):
    """The requirements for candidates of one index, apart from the query's words."""

    mode: Mode
    dates: Sequence[Period]
    """Times that the query names."""
    filters: Filters
    audience: Audience
    cancel: CancelToken
    has_sessions: bool = False
    """Whether the index has transcripts, which get at most their share."""
    has_documents: bool = False
    """Whether the index has PDF, Word and other documents."""
    has_pictures: bool = False
    """Whether the index has pictures, which leave half of the places to notes."""
    most_postings: int = DEFAULT_LIMITS.most_postings
    """Chunks that the words may be looked for in, where the filters admit all notes."""


class Retrieval(Struct, frozen=True):
    """The candidates of both retrievers in one index."""

    candidates: Mapping[ChunkId, Candidate]
    query_vector: Vector | None
    """Vector of the query, float32[dimensions]; None if no vector was near or compared."""

    def without(self, other: Retrieval) -> Retrieval:
        """The candidates that another retrieval did not find."""
        others = other.candidates
        left = {key: part for key, part in self.candidates.items() if key not in others}
        return Retrieval(left, self.query_vector)


class CandidateSearch:
    """Both retrievers over one index, for one query."""

    def __init__(
        self, query: ParsedQuery, terms: QueryTerms, wanted: CandidateRequest, reader: IndexReader
    ) -> None:
        self._query = query
        self._terms = terms
        self._wanted = wanted
        self._reader = reader
        self._quotes: tuple[str, ...] = ()
        if wanted.audience.quotes_as_written:
            self._quotes = query.quotes
        self._expression = _expression(query, terms, wanted)

    def run(
        self, embedding: Future[QueryEmbedding], identity: str, candidate_pool: int
    ) -> Retrieval:
        """The union of both retrievers' candidates with the neighbours of the best.

        The embedding is awaited after the words are searched; identity names the index's vectors.
        Candidate_pool is the number of candidates of each retriever. Raises Cancelled or
        IndexUnavailable.
        """
        # The words first: meanwhile the model embeds the query.
        lexical: Scores = []
        if self._wanted.mode is not Mode.VECTOR and self._expression:
            lexical = self._ranking(self._by_words, candidate_pool)
        named = self._named()
        lexical = self._with_named(lexical, named)
        vector = self._wanted.cancel.result_of(embedding).vectors.get(identity)
        near: Scores = []
        if vector is not None:
            near = self._ranking(functools.partial(self._by_meaning, vector), candidate_pool)
        candidates = self._admitted_candidates(lexical, near)
        # Another process may have deleted some of them between two statements.
        _rank_by_words(candidates, [scored for scored in lexical if scored[0] in candidates])
        if vector is not None:
            left = {key: cosine for key, cosine in near if key in candidates}
            others = [key for key in candidates if key not in left]
            _rank_by_meaning(candidates, left, self._reader.similarities(vector, others))
        for chunk, _ in named:
            if chunk in candidates:
                candidates[chunk].is_called_so = True
        return Retrieval(candidates, vector if near else None)

    def _named(self) -> Scores:
        """The beginnings of the notes that are called what a person asks for."""
        wanted = self._wanted
        if wanted.mode is Mode.VECTOR or not wanted.audience.has_one_hit_a_note:
            return []
        key = name_key(self._query.text)
        if not key:
            return []
        found = self._reader.named(key, self._expression, _MOST_NAMED, filters=wanted.filters)
        admitted = self._admitted(chunk for chunk, _ in found)
        return [scored for scored in found if scored[0] in admitted]

    def _with_named(self, lexical: Scores, named: Scores) -> Scores:
        """The scores with those of the named notes that they lack."""
        known = {chunk for chunk, _ in lexical}
        missing = [scored for scored in named if scored[0] not in known]
        return sorted([*lexical, *missing], key=lambda scored: -scored[1])

    def _by_words(self, limit: int, filters: Filters) -> Scores:
        # Where the stem of each keyword is a stop word's too, most chunks hold only the latter.
        if self._terms.rivals and len(self._terms.rivals) == len(self._terms):
            scores = self._lexical(max(limit, _DEEPEST), filters)
            chunks = self._reader.chunks(chunk for chunk, _ in scores)
            said = {key for key, chunk in chunks.items() if _is_said(chunk, self._terms)}
            scores = [scored for scored in scores if scored[0] in said]
            if not self._quotes:
                return scores[:limit]
            return self._admitted_of(scores, limit)
        if not self._quotes:
            return self._lexical(limit, filters)
        return self._admitted_of(self._lexical(limit * _OVERFETCH, filters), limit)

    def _lexical(self, limit: int, filters: Filters) -> Scores:
        return self._reader.lexical(
            self._expression, limit, filters=filters, cancel=self._wanted.cancel
        )

    def _by_meaning(self, vector: Vector, limit: int, filters: Filters) -> Scores:
        is_restricted = self._query.required_expression or self._query.excluded_expression
        depth = limit
        if is_restricted:
            depth = limit * _OVERFETCH
        near = self._reader.nearest(vector, depth, filters=filters, cancel=self._wanted.cancel)
        return self._admitted_of(near, limit)

    def _admitted_of(self, scores: Scores, limit: int) -> Scores:
        admitted = self._admitted(chunk for chunk, _ in scores)
        return [scored for scored in scores if scored[0] in admitted][:limit]

    def _admitted(self, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """The chunks with each quoted phrase and no excluded one, whichever retriever found them.

        The index compares stems, by which "ate" is "at"; quotes are compared as they were written.
        """
        admitted = set(ids)
        if self._query.required_expression:
            admitted &= self._reader.matching(self._query.required_expression, admitted)
        if self._query.excluded_expression:
            admitted -= self._reader.matching(self._query.excluded_expression, admitted)
        # Quotes as they were written, in the text or in what it is called.
        if self._quotes and admitted:
            wanted = [written_words(quote) for quote in self._quotes]
            for key, chunk in self._reader.chunks(admitted).items():
                text = written_words(f"{chunk.path}\n{chunk.title}\n{chunk.heading}\n{chunk.text}")
                if not all(words in text for words in wanted):
                    admitted.discard(key)
        return admitted

    def _ranking(self, retriever: _Retriever, candidate_pool: int) -> Scores:
        """The scores of one retriever, in which neither pictures nor one note take all."""
        scores = self._scores(retriever, candidate_pool)
        if not self._wanted.has_pictures or len(scores) < candidate_pool:
            return scores
        # Pictures filled most of the list: the others are asked for alone.
        share = candidate_pool // 2
        chunks = self._reader.chunks(chunk for chunk, _ in scores)
        if sum(not is_picture(chunk.path) for chunk in chunks.values()) >= share:
            return scores
        filters = self._wanted.filters
        others = retriever(share, replace(filters, excluded=(*filters.excluded, _ON_PICTURES)))
        missing = [scored for scored in others if scored[0] not in chunks]
        return sorted([*scores, *missing], key=lambda scored: -scored[1])

    def _scores(self, retriever: _Retriever, candidate_pool: int) -> Scores:
        """The scores of one retriever, in which neither transcripts nor one note take all."""
        wanted = self._wanted
        if wanted.has_sessions and wanted.filters.sources != {Source.SESSIONS}:
            return self._with_sessions_capped(retriever, candidate_pool)
        scores = retriever(candidate_pool, wanted.filters)
        if wanted.audience.has_one_hit_a_note:
            per_note = PASSAGES_A_NOTE
        elif wanted.has_documents:
            # An agent may ask about a manual alone, but half of the candidates are of others.
            per_note = candidate_pool // 2
        else:
            per_note = 0
        if not per_note or len(scores) < candidate_pool:
            return scores
        return self._with_notes_capped(retriever, scores, per_note)

    def _with_sessions_capped(self, retriever: _Retriever, candidate_pool: int) -> Scores:
        """The best candidates, with as many notes among them as if there were no transcripts."""
        filters = self._wanted.filters
        far = retriever(candidate_pool * _OVERFETCH, filters)
        spoken = self._reader.session_chunks(chunk for chunk, _ in far)
        notes = [scored for scored in far if scored[0] not in spoken][:candidate_pool]
        # Transcripts filled the whole list: the notes are asked for alone.
        if not notes and len(far) == candidate_pool * _OVERFETCH:
            others = (filters.sources or frozenset(Source)) - {Source.SESSIONS}
            notes = retriever(candidate_pool, replace(filters, sources=others))
        share = max(candidate_pool // SESSIONS_SHARE, candidate_pool - len(notes))
        sessions = [scored for scored in far if scored[0] in spoken][:share]
        return sorted([*notes, *sessions], key=lambda scored: -scored[1])

    def _with_notes_capped(self, retriever: _Retriever, scores: Scores, per_note: int) -> Scores:
        """The best candidates, at most so many of each note, read as deep as it takes.

        Where a note may have several hits, only documents such as PDF files are capped.
        """
        # Each round reads ten times as far, until enough are chosen or the list ends.
        depth = len(scores)
        while True:
            chosen = self._capped(scores, per_note)
            if len(chosen) >= depth or len(scores) >= _DEEPEST:
                return chosen[:depth]
            before = len(scores)
            scores = retriever(before * _OVERFETCH, self._wanted.filters)
            if len(scores) == before:
                return chosen

    def _capped(self, scores: Scores, per_note: int) -> Scores:
        documents = self._reader.documents(chunk for chunk, _ in scores)
        capped = {chunk for chunk, _ in scores}
        if not self._wanted.audience.has_one_hit_a_note:
            chunks = self._reader.chunks(capped)
            capped = {key for key, chunk in chunks.items() if document_kind(chunk.path)}
        # A note loses the worst of its candidates.
        taken = Counter[int]()
        chosen: Scores = []
        for chunk, score in scores:
            document = documents.get(chunk, 0)
            taken[document] += 1
            if chunk not in capped or taken[document] <= per_note:
                chosen.append((chunk, score))
        return chosen

    def _admitted_candidates(self, lexical: Scores, near: Scores) -> dict[ChunkId, Candidate]:
        """The chunks of both lists and the neighbours of the best, without scores."""
        ids = dict.fromkeys(chunk for chunk, _ in (*lexical, *near))
        best = [chunk for chunk, _ in (*lexical[:_WITH_NEIGHBOURS], *near[:_WITH_NEIGHBOURS])]
        chunks = self._reader.chunks(ids, neighbours_of=best)
        admitted = self._admitted(chunks)
        return {key: Candidate(chunk) for key, chunk in chunks.items() if key in admitted}


def _rank_by_words(candidates: Mapping[ChunkId, Candidate], lexical: Scores) -> None:
    for rank, (key, score) in enumerate(lexical, start=1):
        candidates[key].bm25 = score
        candidates[key].lexical_rank = rank


def _rank_by_meaning(
    candidates: Mapping[ChunkId, Candidate],
    near: Mapping[ChunkId, float],
    others: Mapping[ChunkId, float],
) -> None:
    """Give all their cosines, and a rank to those that meaning found."""
    for key, cosine in {**near, **others}.items():
        candidates[key].cosine = cosine
    by_cosine = sorted(near, key=lambda key: -near[key])
    for rank, key in enumerate(by_cosine, start=1):
        candidates[key].vector_rank = rank


def _is_said(chunk: StoredChunk, terms: QueryTerms) -> bool:
    """True for a chunk with another form of the stop word that is a keyword's stem."""
    words = written_words(" ".join((chunk.text, *chunk.labels.values())))
    return any(re.search(rf" {rival}(?:ed?|e?s|ings?) ", words) for rival in terms.rivals)


def join_passages(
    retrieval: Retrieval, reader: IndexReader, workspace: WorkspaceId
) -> list[Passage]:
    """Candidates joined where they touch, by path and line."""
    # In the order of their lines each one touches the last passage, or begins another.
    passages: list[Passage] = []
    in_order = sorted(
        retrieval.candidates.values(),
        key=lambda part: (part.chunk.path, part.chunk.first_line, part.chunk.id),
    )
    for candidate in in_order:
        chunk = candidate.chunk
        if passages:
            last = passages[-1]
            before = last.candidates[-1].chunk
            shared = last.first_line + len(last.lines) - chunk.first_line
            # Pieces of one long line share its number, and each is a separate text.
            is_piece = chunk.first_line == chunk.last_line and before.last_line >= chunk.first_line
            if before.document == chunk.document and shared >= 0 and not is_piece:
                last.lines = (*last.lines, *chunk.lines[shared:])
                last.candidates.append(candidate)
                continue
        passages.append(
            Passage(chunk.first_line, chunk.lines, candidates=[candidate], workspace=workspace)
        )
    if retrieval.query_vector is not None:
        _add_signs(passages, reader)
    return passages


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
    # The bits of all lines with text, and the position of each line among those of all passages.
    starts = [0, *itertools.accumulate(len(passage.lines) for passage in signed)]
    positions: list[int] = []
    rows: list[bytes] = []
    for passage, start in zip(signed, starts, strict=False):
        for candidate in passage.candidates:
            bits = line_signs[candidate.chunk.id]
            first = start + passage.span(candidate)[0]
            filled = candidate.chunk.filled_lines[: len(bits) // width]
            positions += [first + line for line in filled]
            rows.append(bits[: len(filled) * width])
    # One array for all, of which each passage gets its part.
    import numpy as np

    signs = np.zeros((starts[-1], width), dtype=np.uint8)
    signs[positions] = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, width)
    for passage, start in zip(signed, starts, strict=False):
        passage.signs = signs[start : start + len(passage.lines)]


def _expression(query: ParsedQuery, terms: QueryTerms, wanted: CandidateRequest) -> str:
    """FTS5 expression for the keywords, or for all notes of the named days.

    In a filtered part of the notes, every word is searched: the only one that occurs may be
    common elsewhere.
    """
    numbers: frozenset[int] | None = None
    if wanted.filters == ALL_DOCUMENTS:
        numbers = terms.selective_terms(wanted.most_postings)
    keywords = query.expression(numbers)
    days = " OR ".join(f'path : "{words}"' for period in wanted.dates for words in period.words)
    if not keywords or not days:
        return keywords or days
    return f"{keywords} OR {days}"


def _rank(candidate: Candidate) -> int:
    """The better rank of both lists; a large number for a mere neighbour."""
    ranks = [candidate.lexical_rank, candidate.vector_rank]
    return min((rank for rank in ranks if rank is not None), default=1_000)
