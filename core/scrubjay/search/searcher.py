"""The search over one or more indexes. Lives on the search thread."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.search_records import Hit, Mode, SearchAnswer, SearchRequest, Workspace
from scrubjay.records.vectors import Vector
from scrubjay.search.hits import hit
from scrubjay.search.query.dates import Period, named_periods, period_asked_for
from scrubjay.search.query.query_parser import ParsedQuery, Term, parse
from scrubjay.search.ranking import fusion
from scrubjay.search.ranking.features import line_features
from scrubjay.search.ranking.ranked import (
    RankedPassage,
    append_below,
    best_of_each_note,
    decayed,
    diversify,
    select,
)
from scrubjay.search.retrieval import spelling
from scrubjay.search.retrieval.candidates import (
    CANDIDATE_POOL_STEP,
    PASSAGES_A_NOTE,
    Candidate,
    Passage,
    Retrieval,
    join_passages,
    retrieve,
)
from scrubjay.search.retrieval.query_vectors import NO_EMBEDDING, QueryEmbedding, QueryVectors
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.reader import Reader
from scrubjay.store.rows import Filters, StoredChunk
from scrubjay.text.tokenizer import Analyzer, fold, written_words

_DAYS_OF_A_WEEK = 7


@dataclass(frozen=True, slots=True)
class Collection:
    """One index to search, with its settings."""

    workspace: Workspace
    file: Path
    settings: MemorySearch


class Searcher:
    """Owns one reader for each index. For one thread."""

    def __init__(
        self,
        provider: Callable[[str], EmbeddingProvider],
        today: Callable[[], dt.date] = dt.date.today,
    ) -> None:
        """Provider returns the provider of an identity, or raises ProviderUnavailable.

        It is called at each search; the identity is empty when no index has vectors.
        """
        self._vectors = QueryVectors(provider)
        self._today = today
        self._analyzer = Analyzer()
        self._readers: dict[Path, Reader] = {}

    def close(self) -> None:
        """Close all readers."""
        for file in list(self._readers):
            self.forget(file)
        self._vectors.close()
        self._analyzer.close()

    def forget(self, file: Path) -> None:
        """Close the reader of an index that is about to go away or was replaced."""
        if reader := self._readers.pop(file, None):
            reader.close()

    def free_memory(self) -> None:
        """Free the cached pages of all indexes."""
        for reader in self._readers.values():
            reader.free_memory()

    def reader(self, file: Path) -> Reader | None:
        """The reader of an index; None while there is none. Raises IndexUnavailable."""
        if file not in self._readers:
            if not file.is_file():
                return None
            self._readers[file] = Reader.open(file)
        return self._readers[file]

    def search(
        self, request: SearchRequest, collections: Sequence[Collection], cancel: CancelToken
    ) -> SearchAnswer:
        """The hits of a request. Raises Cancelled, or IndexUnavailable for an unreadable index.

        The provider is the one that embedded the query; empty when none did.
        """
        if not request.text.strip() or not collections:
            return SearchAnswer(request, (), request.mode, "", "")
        synonyms = collections[0].settings.query_expansion.synonyms
        query = parse(
            request.text,
            is_open=request.for_person,
            synonyms={fold(word): tuple(others) for word, others in synonyms.items()},
        )
        identities = self._identities(collections)
        answer = self._search(request, query, collections, identities, cancel)
        if identities != (identities := self._identities(collections)):
            # Meanwhile a new generation became active, which other vectors belong to.
            answer = self._search(request, query, collections, identities, cancel)
        before = replace(request, text=f"{request.text.rpartition(' ')[0]} ")
        is_open = query.terms and not answer.has_found and before.text.strip()
        if is_open and self._is_begun(query.terms[-1], collections):
            # What the words before it found stays until more of it is known.
            return replace(self.search(before, collections, cancel), request=request)
        return answer

    def _is_begun(self, term: Term, collections: Sequence[Collection]) -> bool:
        """Whether a term can only be the beginning of a word."""
        readers = filter(None, (self.reader(collection.file) for collection in collections))
        is_known = (spelling.is_word(term, reader, self._analyzer) for reader in readers)
        return term.is_prefix and not any(is_known)

    def _search(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
        identities: Sequence[str],
        cancel: CancelToken,
    ) -> SearchAnswer:
        settings = collections[0].settings
        today = self._today()
        dates = named_periods(query.unquoted, today)
        period = period_asked_for(query.unquoted, today) if dates else None
        notes = self._notes_of(period, request, query, collections) if period else ()
        days = (period.first, period.last) if period and not period.is_yearly else None
        is_day_wanted = request.for_person and request.min_score != 0.0
        may_be_name = request.for_person and query.text.isalpha()  # Sunday, mañana, May
        if period and period.is_relative and (notes or is_day_wanted) and not may_be_name:
            return SearchAnswer(request, notes, request.mode, "", "", days=days)
        # The model works on the query while the words are searched.
        is_embedded = request.mode is not Mode.LEXICAL and query.text
        embedding = self._vectors.begin(query.text, identities) if is_embedded else NO_EMBEDDING
        mode = request.mode
        if mode is Mode.VECTOR and embedding.result().reason:
            mode = Mode.LEXICAL
        ranked: list[RankedPassage] = []
        for collection, identity in zip(collections, identities, strict=True):
            ranked += self._rank(
                query, dates, embedding, identity, mode, request, collection, cancel
            )
        embedded = embedding.result()
        if embedded.reason:
            mode = Mode.LEXICAL
        ranked.sort(key=lambda passage: -passage.final_score)
        # After the sorting, which would undo it, and over all indexes together.
        mmr = settings.query.hybrid.mmr
        if mmr.enabled:
            texts = ["\n".join(part.passage.lines[part.first : part.last + 1]) for part in ranked]
            tokens = [frozenset(self._analyzer.stems(text)) for text in texts]
            chosen = diversify(ranked, [part.final_score for part in ranked], tokens, mmr.lambda_)
            ranked = [replace(part, diversity_penalty=penalty) for part, penalty in chosen]
        threshold = settings.query.min_score if request.min_score is None else request.min_score
        if request.for_person:
            ranked = best_of_each_note(ranked, query.text, threshold)
        selected, unsure = select(
            ranked,
            min_score=threshold,
            max_results=request.max_results or settings.query.max_results,
            for_person=request.for_person,
            is_strict=request.min_score is not None,
        )
        hits, near = (
            tuple(hit(each, self._analyzer, for_person=request.for_person) for each in part)
            for part in (selected, () if period else unsure)
        )
        if period and is_day_wanted:
            hits = tuple(each for each in hits if _is_about(each, period, query.text, today))
        if notes:
            paths = {(note.workspace, note.path) for note in notes}
            others = (each for each in hits if (each.workspace, each.path) not in paths)
            hits = (*notes, *others)[: request.max_results or settings.query.max_results]
        model = _source(hits, collections, identities, embedded.vectors, self._vectors.sources)
        return SearchAnswer(request, hits, mode, *model, embedded.reason, days=days, uncertain=near)

    def _notes_of(
        self,
        period: Period,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
    ) -> tuple[Hit, ...]:
        """The notes of a period in the order of their days, however little they fit the words.

        A week and less begins with its first day; of longer times the newest notes come first,
        since not all of them may have a place. Notes without a date are of the day of their last
        change, if the period is relative and no note has a date in it.
        """
        limit = request.max_results or collections[0].settings.query.max_results
        filters = Filters(
            request.sources,
            query.path_parts,
            max(period.first, query.after or period.first),
            min(period.last, query.before or period.last),
            is_dated=True,
        )
        readers = [(each.workspace.id, self.reader(each.file)) for each in collections]
        is_long = (period.last - period.first).days >= _DAYS_OF_A_WEEK
        notes: list[tuple[dt.date, Hit]] = []
        for each in (filters, *([replace(filters, is_dated=False)] * period.is_relative)):
            for workspace, reader in readers:
                chunks = reader.first_chunks(each, limit, newest_first=is_long) if reader else ()
                notes += [
                    _note_hit(chunk, workspace, self._analyzer, for_person=request.for_person)
                    for chunk in chunks
                ]
            if notes:
                break
        return tuple(
            note for _, note in sorted(notes, key=lambda note: note[0], reverse=is_long)[:limit]
        )

    def _identities(self, collections: Sequence[Collection]) -> tuple[str, ...]:
        """Identity of each index's vectors; empty for one that has none."""
        readers = (self.reader(collection.file) for collection in collections)
        generations = [reader.generation() if reader else None for reader in readers]
        return tuple(generation.identity if generation else "" for generation in generations)

    def _rank(
        self,
        query: ParsedQuery,
        dates: Sequence[Period],
        embedding: Future[QueryEmbedding],
        identity: str,
        mode: Mode,
        request: SearchRequest,
        collection: Collection,
        cancel: CancelToken,
    ) -> list[RankedPassage]:
        reader = self.reader(collection.file)
        if reader is None:
            return []
        settings = collection.settings.query
        hybrid = settings.hybrid
        has_sessions = "sessions" in collection.settings.active_sources
        words = ParsedQuery(query.text)
        if mode is not Mode.VECTOR:
            query = words = spelling.spell_corrected(
                query, reader, self._analyzer, is_strict=request.for_person
            )
        terms = QueryTerms.of(words, reader, self._analyzer)

        filters = Filters(request.sources, query.path_parts, query.after, query.before)

        def retrieved(candidate_pool: int) -> Retrieval:
            return retrieve(
                query,
                terms,
                embedding,
                identity,
                mode=mode,
                candidate_pool=candidate_pool,
                dates=dates,
                reader=reader,
                filters=filters,
                cancel=cancel,
                per_note=PASSAGES_A_NOTE if request.for_person else 0,
                is_exact=request.for_person,
                has_sessions=has_sessions,
            )

        def merged(retrieval: Retrieval) -> list[RankedPassage]:
            cancel.check()
            passages = join_passages(retrieval, reader, collection.workspace.id)
            if not passages:
                return []
            vector, paths = retrieval.query_vector, query.named_paths
            features = line_features(passages, terms, vector, dates, paths, self._analyzer)
            match hybrid.fusion:
                case "rrf":
                    return fusion.reciprocal_rank(passages, terms, features)
                case "weighted":
                    return fusion.weighted(passages, terms, features, *hybrid.weights)
                case _:
                    has_meaning = vector is not None
                    return fusion.rank_windows(
                        passages, terms, features, has_meaning=has_meaning, max_results=depth
                    )

        candidate_pool = CANDIDATE_POOL_STEP * hybrid.candidate_multiplier
        max_results = request.max_results or settings.max_results
        # A later step may move a low rank to the front.
        is_reordered = hybrid.temporal_decay.enabled or hybrid.mmr.enabled or has_sessions
        depth = max(max_results, fusion.DEPTH) if is_reordered else max_results
        depth *= PASSAGES_A_NOTE if request.for_person else 1
        ranked = merged(first := retrieved(candidate_pool))
        if len(ranked) < max_results and max_results > candidate_pool:
            ranked += append_below(merged(retrieved(max_results).without(first)), ranked)
        decay = hybrid.temporal_decay
        if not decay.enabled:
            return ranked
        today = self._today()
        aged = [decayed(passage, today, decay.half_life_days) for passage in ranked]
        return sorted(aged, key=lambda passage: -passage.final_score)


def _is_about(found: Hit, period: Period, question: str, today: dt.date) -> bool:
    """True for a passage of the days of a period, and for one that names them."""
    text = f"{found.title} {found.heading} {found.snippet.text}"
    if question.isalpha() and f" {fold(question)}" in written_words(text):
        return True
    named = (each for each in named_periods(text, today) if not each.is_relative)
    days = [found.date, *(each.first for each in named if period.matches(each.last))]
    return any(map(period.matches, days))


def _source(
    hits: Sequence[Hit],
    collections: Sequence[Collection],
    identities: Sequence[str],
    vectors: Mapping[str, Vector],
    sources: Mapping[str, tuple[str, str]],
) -> tuple[str, str]:
    """Provider and model of the vectors that found the best hit, or else were searched."""
    names = (collection.workspace.id for collection in collections)
    by_workspace = dict(zip(names, identities, strict=True))
    of_hits = [by_workspace[entry.workspace] for entry in hits if entry.vector_score is not None]
    for identity in (*of_hits, *vectors):
        if identity and identity in vectors:
            return sources[identity]
    return "", ""


def _note_hit(
    chunk: StoredChunk, workspace: str, analyzer: Analyzer, *, for_person: bool
) -> tuple[dt.date, Hit]:
    """Day and beginning of a note that is wanted for its day."""
    part = Candidate(chunk, bm25=1.0, lexical_rank=1)
    passage = Passage(chunk.first_line, chunk.lines, [part], workspace=workspace)
    place = (0, len(passage.lines) - 1, 0)
    ranked = RankedPassage(passage, *place, part, 1.0, {"date": 1.0}, QueryTerms(()), {})
    note = hit(ranked, analyzer, for_person=for_person)
    return note.date or note.modified.date(), note
