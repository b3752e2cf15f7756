"""The search of one collection, and of several whose hits are weighed against each other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.search_query import Hybrid
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SearchRequest, Workspace
from scrubjay.search.query.dates import Period
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.ranking import fusion, weights
from scrubjay.search.ranking.features import LineFeatures, line_features
from scrubjay.search.ranking.ranked import RankedPassage, append_below, decayed
from scrubjay.search.retrieval import spelling
from scrubjay.search.retrieval.candidates import (
    CANDIDATE_POOL_STEP,
    PASSAGES_A_NOTE,
    Passage,
    Retrieval,
    join_passages,
    retrieve,
)
from scrubjay.search.retrieval.query_vectors import QueryEmbedding
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.protocol import IndexPlace, IndexReader
from scrubjay.store.rows import Filters
from scrubjay.text.tokenizer import Analyzer


class Collection(Struct, frozen=True):
    """One index to search, with its settings."""

    workspace: Workspace
    index: IndexPlace
    settings: MemorySearch


class _Found(Struct, frozen=True):
    """What one retrieval found."""

    retrieval: Retrieval
    passages: Sequence[Passage]
    features: LineFeatures

    @property
    def has_meaning(self) -> bool:
        return self.retrieval.query_vector is not None


class CollectionSearch:
    """The search of one collection for one request. For the thread of its reader."""

    def __init__(
        self,
        query: ParsedQuery,
        request: SearchRequest,
        collection: Collection,
        dates: Sequence[Period],
        embedding: Future[QueryEmbedding],
        identity: str,
        reader: IndexReader,
        analyzer: Analyzer,
        cancel: CancelToken,
    ) -> None:
        self._request = request
        self._workspace = collection.workspace.id
        self._has_documents = collection.workspace.documents
        self._settings = collection.settings.query
        self._has_sessions = "sessions" in collection.settings.active_sources
        self._dates, self._embedding, self._identity = dates, embedding, identity
        self._reader, self._analyzer, self._cancel = reader, analyzer, cancel
        self.mode = self._own_mode()
        """The mode in which it is searched; by words where there is no meaning to search by."""
        words = ParsedQuery(query.text)
        if self.mode is not Mode.VECTOR:
            query = words = spelling.spell_corrected(
                query, reader, analyzer, is_strict=request.for_person
            )
        self._query = query
        self._terms = QueryTerms.of(words, reader, analyzer)
        hybrid = self._settings.hybrid
        self._candidate_pool = CANDIDATE_POOL_STEP * hybrid.candidate_multiplier
        self._max_results = request.max_results or self._settings.max_results
        # A later step may move a low rank to the front.
        is_reordered = hybrid.temporal_decay.enabled or hybrid.mmr.enabled or self._has_sessions
        depth = max(self._max_results, fusion.DEPTH) if is_reordered else self._max_results
        if request.order is not Order.RELEVANCE:
            # Its days were chosen by the notes with all words, which are not always the best.
            self._candidate_pool = max(self._candidate_pool, depth * PASSAGES_A_NOTE)
        self._depth = depth * (PASSAGES_A_NOTE if request.for_person else 1)
        self._found = self._retrieve(self._candidate_pool)

    @property
    def is_adaptive(self) -> bool:
        """Whether hits are scored by probabilities, which those of other collections change."""
        return self._settings.hybrid.fusion == "adaptive"

    @property
    def credible(self) -> float:
        """How much of the query the words that were found explain, 0 to 1."""
        return self._found.features.credible

    def windows(self, credible: float) -> list[fusion.PassageWindow]:
        """The windows of the first candidates, if words as credible were found somewhere."""
        found = self._found
        if found.passages and credible > found.features.credible:
            self._found = found = replace(found, features=found.features.trusting(credible))
        return self._picked(found)

    def ranked(
        self,
        today: dt.date,
        picked: Sequence[fusion.PassageWindow] = (),
        others: Sequence[fusion.PassageWindow] = (),
    ) -> list[RankedPassage]:
        """The hits, best first; windows picked here are weighed against those of others."""
        first = self._found
        ranked = self._merge(first, picked, others)
        if len(ranked) < self._max_results and self._max_results > self._candidate_pool:
            below = self._retrieve(self._max_results, without=first.retrieval)
            windows = self._picked(below) if self.is_adaptive else []
            ranked += append_below(self._merge(below, windows), ranked)
        decay = self._settings.hybrid.temporal_decay
        if not decay.enabled:
            return ranked
        aged = [decayed(passage, today, decay.half_life_days) for passage in ranked]
        return sorted(aged, key=lambda passage: -passage.final_score)

    def _own_mode(self) -> Mode:
        is_hybrid = self._request.mode is Mode.HYBRID and self._settings.hybrid.enabled
        if self._request.mode is Mode.LEXICAL or is_hybrid:
            return self._request.mode
        return Mode.LEXICAL if self._embedding.result().reason else Mode.VECTOR

    def _retrieve(self, candidate_pool: int, without: Retrieval | None = None) -> _Found:
        request, query = self._request, self._query
        # An agent may ask about a manual alone, but a half of the candidates are of others.
        per_note = candidate_pool // 2 if self._has_documents else 0
        if request.for_person:
            per_note = PASSAGES_A_NOTE
        retrieval = retrieve(
            query,
            self._terms,
            self._embedding,
            self._identity,
            mode=self.mode,
            candidate_pool=candidate_pool,
            dates=self._dates,
            reader=self._reader,
            filters=filters_of(request, query),
            cancel=self._cancel,
            per_note=per_note,
            are_notes_long=not request.for_person,
            is_exact=request.for_person,
            has_sessions=self._has_sessions,
        )
        if without is not None:
            retrieval = retrieval.without(without)
        self._cancel.check()
        passages = join_passages(retrieval, self._reader, self._workspace)
        features = LineFeatures({}, {})
        if passages:
            vector, paths = retrieval.query_vector, query.named_paths
            features = line_features(
                passages, self._terms, vector, self._dates, paths, self._analyzer
            )
        return _Found(retrieval, passages, features)

    def _picked(self, found: _Found) -> list[fusion.PassageWindow]:
        return fusion.pick_windows(found.passages, found.features, self._depth)

    def _merge(
        self,
        found: _Found,
        picked: Sequence[fusion.PassageWindow],
        others: Sequence[fusion.PassageWindow] = (),
    ) -> list[RankedPassage]:
        if not found.passages:
            return []
        hybrid, has_meaning = self._settings.hybrid, found.has_meaning
        match hybrid.fusion:
            case "rrf":
                return fusion.reciprocal_rank(found.passages, self._terms, found.features)
            case "weighted":
                shares = _shares(hybrid, self.mode, has_meaning=has_meaning)
                return fusion.weighted(found.passages, self._terms, found.features, *shares)
            case _:
                return fusion.rank_windows(
                    picked, self._terms, found.features, has_meaning=has_meaning, others=others
                )


def rank_together(searches: Sequence[CollectionSearch], today: dt.date) -> list[RankedPassage]:
    """The hits of all searches, those of each in their order.

    What one collection answers well makes the guesses of others less probable: words that one holds
    leave less to meaning in all, and the best windows of all compete.
    """
    adaptive = [search for search in searches if search.is_adaptive]
    credible = max((search.credible for search in adaptive), default=0.0)
    picked = {search: search.windows(credible) for search in adaptive}
    ranked: list[RankedPassage] = []
    for search in searches:
        others = [own[: weights.RIVALS] for other, own in picked.items() if other is not search]
        windows = picked.get(search, [])
        ranked += search.ranked(today, windows, list(chain.from_iterable(others)))
    return ranked


def _shares(hybrid: Hybrid, mode: Mode, *, has_meaning: bool) -> tuple[float, float]:
    """Shares of meaning and words; a side that is not searched leaves its own to the other."""
    if mode is Mode.VECTOR:
        return 1.0, 0.0
    return hybrid.weights if has_meaning else (0.0, 1.0)


def filters_of(request: SearchRequest, query: ParsedQuery) -> Filters:
    """The conditions of a question. A person, who sees whole notes, wants none with a word that
    is left out, in whichever part.
    """
    without = query.excluded_expression if request.for_person else ""
    is_private = request.conversation.is_private
    first, last = request.days
    days = (
        max(filter(None, (query.after, first)), default=None),
        min(filter(None, (query.before, last)), default=None),
    )
    return Filters(
        request.sources,
        query.path_parts,
        *days,
        is_private=is_private,
        without=without,
        kinds=query.kinds,
        tags=query.tags,
        begun_tag=query.begun_tag,
    )
