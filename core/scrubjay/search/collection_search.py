"""The search of one collection, or of several with hits weighed against each other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence, Set
from concurrent.futures import Future
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.search_query import HybridSettings
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SearchRequest
from scrubjay.search.query.dates import Period
from scrubjay.search.query.query_parser import ParsedQuery, named_folders
from scrubjay.search.ranking import fusion, weights
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.ranking.decay_and_selection import (
    append_below,
    apply_decay,
    conflict_copies,
    fold_conflict_copies,
)
from scrubjay.search.ranking.features import LineFeatures, line_features
from scrubjay.search.retrieval import spelling
from scrubjay.search.retrieval.candidates import (
    CANDIDATE_POOL_STEP,
    PASSAGES_A_NOTE,
    CandidateRequest,
    CandidateSearch,
    Passage,
    Retrieval,
    join_passages,
)
from scrubjay.search.retrieval.query_terms import QueryTerms
from scrubjay.search.retrieval.query_vectors import QueryEmbedding
from scrubjay.store.index_records import Filters
from scrubjay.store.protocol import IndexAddress, IndexReader
from scrubjay.text.tokenizer import Analyzer


class Collection(Struct, frozen=True):
    """One index to search, with its settings."""

    workspace: Workspace
    index: IndexAddress
    settings: MemorySearch
    most_postings: int = DEFAULT_LIMITS.most_postings
    """Chunks that its words may be looked for in."""
    has_transcripts: bool = True
    """Whether the conversation that asks may be told of others in it."""
    required_names: Set[str] = frozenset()
    """Folded names. A question for several collections must contain one; empty if it needs none."""

    def answers(self, request: SearchRequest) -> bool:
        """Whether it answers a question, which others may be asked too."""
        if request.workspace or not self.required_names:
            return True
        return not self.required_names.isdisjoint(named_folders(request))

    def narrowed(self, filters: Filters) -> Filters:
        """The conditions as they are in its workspace, whose name is that of a folder as well.

        Without transcripts where they are not for the conversation that asks.
        """
        # Most questions name no folder, and have no other conditions either.
        own = filters
        if filters.folders or filters.excluded or filters.alternatives:
            own = filters.inside(self.workspace.name)
        if self.has_transcripts:
            return own
        return replace(own, has_transcripts=False)


class CollectionQuestion(Struct, frozen=True):
    """The part of a request that one collection answers."""

    request: SearchRequest
    query: ParsedQuery
    """Parsed with the settings of the collection."""
    collection: Collection
    dates: Sequence[Period]
    """Times that the query names."""
    cancel: CancelToken


class _Found(Struct, frozen=True):
    """What one retrieval found."""

    retrieval: Retrieval
    passages: Sequence[Passage]
    features: LineFeatures

    @property
    def has_meaning(self) -> bool:
        return self.retrieval.query_vector is not None


class CollectionSearch:
    """The search of one collection for one request. Used on the thread of its reader."""

    def __init__(
        self,
        question: CollectionQuestion,
        embedding: Future[QueryEmbedding],
        identity: str,
        reader: IndexReader,
        analyzer: Analyzer,
    ) -> None:
        """Identity names the vectors of the index. Nothing is searched before `run`."""
        request = question.request
        collection = question.collection
        self._question = question
        self._settings = collection.settings.query
        self._embedding = embedding
        self._identity = identity
        self._reader = reader
        self._analyzer = analyzer
        self.mode = self._own_mode()
        """Mode in which it is searched; by words where there is no meaning to search by."""
        self._has_sessions = "sessions" in collection.settings.active_sources
        self._max_results = request.max_results or self._settings.max_results
        hybrid = self._settings.hybrid
        depth = self._max_results
        has_pictures = collection.workspace.pictures
        has_shares = self._has_sessions or has_pictures
        if hybrid.temporal_decay.enabled or hybrid.mmr.enabled or has_shares:
            # A later step may move a low rank to the front.
            depth = max(depth, fusion.DEPTH)
        self._candidate_pool = CANDIDATE_POOL_STEP * hybrid.candidate_multiplier
        if has_pictures:
            # Half of the places are for notes, which have to be among the candidates.
            self._candidate_pool *= weights.PICTURES_SHARE
        if request.order is not Order.RELEVANCE:
            # Its days were chosen by the notes with all words, which are not always the best.
            self._candidate_pool = max(self._candidate_pool, depth * PASSAGES_A_NOTE)
        self._depth = depth
        if request.audience.has_one_hit_a_note:
            self._depth = depth * PASSAGES_A_NOTE
        # Filled by `run`.
        self._named_paths: Sequence[str] = ()
        self._terms = QueryTerms(())
        self._found = _Found(Retrieval({}, None), (), LineFeatures({}, {}))

    def run(self) -> None:
        """Correct the spelling and retrieve the first candidates.

        Raises Cancelled or IndexUnavailable.
        """
        # By meaning alone the query is taken as it is, and no word of it counts.
        question = self._question
        query = question.query
        words = ParsedQuery(query.text)
        if self.mode is not Mode.VECTOR:
            query = spelling.correct_spelling(
                query, self._reader, self._analyzer, audience=question.request.audience
            )
            if question.collection.workspace.pictures:
                query = self._with_misread_words(query)
            words = query
        self._terms = QueryTerms.of(words, self._reader, self._analyzer)
        self._named_paths = query.named_paths
        # What is retrieved, besides the words.
        wanted = CandidateRequest(
            mode=self.mode,
            dates=question.dates,
            filters=question.collection.narrowed(search_filters(question.request, query)),
            audience=question.request.audience,
            cancel=question.cancel,
            has_sessions=self._has_sessions,
            has_documents=question.collection.workspace.documents,
            has_pictures=question.collection.workspace.pictures,
            most_postings=question.collection.most_postings,
        )
        self._candidates = CandidateSearch(query, self._terms, wanted, reader=self._reader)
        self._found = self._retrieve(self._candidate_pool)

    def _with_misread_words(self, query: ParsedQuery) -> ParsedQuery:
        """The query with what its words may have been misread as on pictures. Raises Cancelled."""
        # Imported late: most folders have no pictures that are read.
        from scrubjay.search.retrieval.misread_words import MisreadWords

        misread = MisreadWords(self._reader, self._analyzer, self._question.cancel)
        return misread.added_to(query)

    @property
    def is_adaptive(self) -> bool:
        """Whether hits are scored by probabilities, which those of other collections change."""
        return self._settings.hybrid.fusion == "adaptive"

    @property
    def credible(self) -> float:
        """The share of the query that is explained by the found words, 0 to 1."""
        return self._found.features.credible

    @property
    def nearest(self) -> tuple[float, tuple[str, str]] | None:
        """Cosine and note of the nearest candidate by meaning; None where none is near."""
        candidates = self._found.retrieval.candidates.values()
        near = next((each for each in candidates if each.vector_rank == 1), None)
        if near is None or not near.cosine or near.cosine <= 0:
            return None
        return near.cosine, (self._question.collection.workspace.id, near.chunk.path)

    def windows(self, credible: float) -> list[fusion.PassageWindow]:
        """The windows of the first candidates, if words as credible were found somewhere."""
        found = self._found
        if found.passages and credible > found.features.credible:
            found = replace(found, features=found.features.trusting(credible))
            self._found = found
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
        # More hits than there are candidates are wanted: the lists are read deeper.
        if len(ranked) < self._max_results and self._max_results > self._candidate_pool:
            below = self._retrieve(self._max_results, without=first.retrieval)
            windows = self._picked(below) if self.is_adaptive else []
            ranked += append_below(self._merge(below, windows), ranked)
        # Older notes lose a share of their score, where the settings want it.
        decay = self._settings.hybrid.temporal_decay
        if not decay.enabled:
            return ranked
        aged = [apply_decay(passage, today, decay.half_life_days) for passage in ranked]
        return sorted(aged, key=lambda passage: -passage.final_score)

    def _own_mode(self) -> Mode:
        mode = self._question.request.mode
        is_hybrid = mode is Mode.HYBRID and self._settings.hybrid.enabled
        if mode is Mode.LEXICAL or is_hybrid:
            return mode
        if self._question.cancel.result_of(self._embedding).reason:
            return Mode.LEXICAL
        return Mode.VECTOR

    def _retrieve(self, candidate_pool: int, without: Retrieval | None = None) -> _Found:
        retrieval = self._candidates.run(self._embedding, self._identity, candidate_pool)
        if without is not None:
            retrieval = retrieval.without(without)
        self._question.cancel.check()
        workspace = self._question.collection.workspace.id
        passages = join_passages(retrieval, self._reader, workspace)
        features = LineFeatures({}, {})
        if passages:
            features = line_features(
                passages,
                self._terms,
                query_vector=retrieval.query_vector,
                dates=self._question.dates,
                paths=self._named_paths,
                analyzer=self._analyzer,
            )
        return _Found(retrieval, passages, features)

    def _picked(self, found: _Found) -> list[fusion.PassageWindow]:
        copies = conflict_copies(found.passages)
        if not copies:
            return fusion.pick_windows(found.passages, found.features, self._depth)
        # Copies take no places from other notes.
        depth = self._depth + len(found.passages)
        windows = fusion.pick_windows(found.passages, found.features, depth)
        return fold_conflict_copies(windows, found.features, copies)

    def _merge(
        self,
        found: _Found,
        picked: Sequence[fusion.PassageWindow],
        others: Sequence[fusion.PassageWindow] = (),
    ) -> list[RankedPassage]:
        if not found.passages:
            return []
        # Two settings merge two rankings of chunks; the default ranks lines by all features.
        hybrid = self._settings.hybrid
        match hybrid.fusion:
            case "rrf":
                ranked = fusion.reciprocal_rank_fusion(found.passages, self._terms, found.features)
            case "weighted":
                meaning, words = _shares(hybrid, self.mode, has_meaning=found.has_meaning)
                ranked = fusion.weighted_fusion(
                    found.passages,
                    self._terms,
                    found.features,
                    vector_weight=meaning,
                    text_weight=words,
                )
            case _:
                return fusion.rank_windows(
                    picked,
                    self._terms,
                    found.features,
                    has_meaning=found.has_meaning,
                    others=others,
                )
        return fold_conflict_copies(ranked, found.features, conflict_copies(found.passages))


def rank_together(searches: Sequence[CollectionSearch], today: dt.date) -> list[RankedPassage]:
    """The hits of all searches, those of each in their order.

    What one collection answers well makes the guesses of others less probable: words that one holds
    leave less to meaning in all, and the best windows of all compete.
    """
    # First the windows of all, since each is weighed against the best of the others.
    adaptive = [search for search in searches if search.is_adaptive]
    credible = max((search.credible for search in adaptive), default=0.0)
    picked = {search: search.windows(credible) for search in adaptive}
    ranked: list[RankedPassage] = []
    for search in searches:
        others = [own[: weights.RIVALS] for other, own in picked.items() if other is not search]
        windows = picked.get(search, [])
        ranked += search.ranked(today, windows, list(chain.from_iterable(others)))
    return ranked


def _shares(hybrid: HybridSettings, mode: Mode, *, has_meaning: bool) -> tuple[float, float]:
    """Shares of meaning and words; a side that is not searched leaves its own to the other."""
    if mode is Mode.VECTOR:
        return 1.0, 0.0
    if not has_meaning:
        return 0.0, 1.0
    return hybrid.weights


def search_filters(request: SearchRequest, query: ParsedQuery) -> Filters:
    """The conditions of a question without OR."""
    # Without words to look for, exclusions are about whole notes for every reader.
    without = ""
    if request.audience.excludes_whole_notes or not query.text:
        without = query.excluded_expression
    # Days that the words name, within those that the request admits.
    first, last = request.days
    own = query.filters
    return replace(
        own,
        sources=request.sources,
        after=max(filter(None, (own.after, first)), default=None),
        before=min(filter(None, (own.before, last)), default=None),
        is_private=request.conversation.is_private,
        without=without,
    )
