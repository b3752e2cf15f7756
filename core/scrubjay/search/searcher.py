"""Answers a request over one or more indexes. Lives on the search thread."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.search_query import Hybrid
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.search_records import Hit, Mode, SearchRequest, Workspace
from scrubjay.records.vectors import Vector
from scrubjay.search.hits import hit
from scrubjay.search.query.dates import named_dates
from scrubjay.search.query.query_parser import ParsedQuery, parse
from scrubjay.search.ranking import fusion
from scrubjay.search.ranking.features import LineFeatures, evidence
from scrubjay.search.ranking.ranked import Ranked, append_below, select
from scrubjay.search.ranking.rerank import decay_factor, diversify, document_date
from scrubjay.search.retrieval.candidates import (
    UNIVERSE_STEP,
    Passage,
    Retrieval,
    regions,
    retrieve,
)
from scrubjay.search.retrieval.query_vectors import NOTHING_WANTED, QueryVectors, Understood
from scrubjay.search.retrieval.spelling import spell_corrected
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.reader import Reader
from scrubjay.store.rows import Filters
from scrubjay.text.tokenizer import Analyzer, fold


@dataclass(frozen=True, slots=True)
class Collection:
    """One index that a search looks into."""

    workspace: Workspace
    file: Path
    settings: MemorySearch

    @property
    def has_sessions(self) -> bool:
        """True when conversations are searched too."""
        return "sessions" in self.settings.active_sources

    @property
    def is_ordered_anew(self) -> bool:
        """True when what is ranked low may still come first."""
        hybrid = self.settings.query.hybrid
        return hybrid.temporal_decay.enabled or hybrid.mmr.enabled or self.has_sessions


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, and how they came about."""

    hits: tuple[Hit, ...]
    mode: Mode
    fallback_reason: str = ""
    provider: str = ""
    """Who embedded the query; empty when nobody did."""
    model: str = ""
    identities: tuple[str, ...] = ()
    """What the vectors of each index were made with; empty for one that has none."""


class Searcher:
    """Owns one reader for each index. For one thread."""

    def __init__(
        self,
        provider: Callable[[str], EmbeddingProvider],
        today: Callable[[], dt.date] = dt.date.today,
    ) -> None:
        """The provider of an identity is asked for at each search; it raises ProviderUnavailable.

        The identity is empty when no index has vectors.
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

    def give_back(self) -> None:
        """Free the pages of indexes that are kept in memory."""
        for reader in self._readers.values():
            reader.give_back()

    def reader(self, file: Path) -> Reader | None:
        """The reader of an index; None while there is none. Raises IndexUnavailable."""
        if file not in self._readers:
            if not file.is_file():
                return None
            self._readers[file] = Reader.open(file)
        return self._readers[file]

    def search(
        self, request: SearchRequest, collections: Sequence[Collection], cancel: CancelToken
    ) -> Found:
        """Answer. Raises Cancelled, or IndexUnavailable when an index cannot be read."""
        if not request.text.strip() or not collections:
            return Found((), request.mode)
        settings = collections[0].settings
        query = parse(
            request.text,
            is_typing=request.is_typing,
            synonyms=_synonyms(settings.query_expansion.synonyms),
        )
        found = self._found(request, query, collections, cancel)
        if found.identities != self._identities(collections):
            # A new generation began to answer meanwhile, which other vectors belong to.
            found = self._found(request, query, collections, cancel)
        return found

    def _found(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
        cancel: CancelToken,
    ) -> Found:
        settings = collections[0].settings
        identities = self._identities(collections)
        # The model works on the query while the words are searched.
        wants_meaning = request.mode is not Mode.LEXICAL and query.text
        meaning = self._vectors.begin(query.text, identities) if wants_meaning else NOTHING_WANTED
        mode = request.mode
        if mode is Mode.VECTOR and meaning.result().reason:
            mode = Mode.LEXICAL
        ranked: list[Ranked] = []
        for collection, identity in zip(collections, identities, strict=True):
            vector = partial(_vector, meaning, identity)
            ranked += self._rank(query, vector, mode, request, collection, cancel)
        understood = meaning.result()
        if understood.reason:
            mode = Mode.LEXICAL
        ranked.sort(key=lambda one: -one.final_score)
        # After the sorting, which would undo it, and over all indexes together.
        ranked = self._diversified(ranked, settings)
        threshold = settings.query.min_score if request.min_score is None else request.min_score
        chosen = select(
            ranked,
            min_score=threshold,
            max_results=request.max_results or settings.query.max_results,
        )
        hits = tuple(hit(one, self._analyzer) for one in chosen)
        who = self._who(hits, collections, identities, understood.vectors)
        return Found(hits, mode, understood.reason, *who, identities=identities)

    def _who(
        self,
        hits: Sequence[Hit],
        collections: Sequence[Collection],
        identities: Sequence[str],
        meanings: Mapping[str, Vector],
    ) -> tuple[str, str]:
        """Whose vectors found the best hit that vectors found; else whose were searched."""
        by_workspace = {
            one.workspace.id: identity
            for one, identity in zip(collections, identities, strict=True)
        }
        answered = [by_workspace[one.workspace] for one in hits if one.vector_score is not None]
        for identity in (*answered, *meanings):
            if identity and identity in meanings:
                return self._vectors.maker(identity)
        return "", ""

    def _identities(self, collections: Sequence[Collection]) -> tuple[str, ...]:
        return tuple(self._identity(one.file) for one in collections)

    def _identity(self, file: Path) -> str:
        """What the vectors of an index were made with; empty when it has none."""
        reader = self.reader(file)
        generation = reader.generation() if reader else None
        return generation.identity if generation else ""

    def _rank(
        self,
        query: ParsedQuery,
        meaning: Callable[[], Vector | None],
        mode: Mode,
        request: SearchRequest,
        collection: Collection,
        cancel: CancelToken,
    ) -> list[Ranked]:
        reader = self.reader(collection.file)
        if reader is None:
            return []
        settings = collection.settings.query
        dates = named_dates(query.text, self._today())
        words = ParsedQuery(query.text)
        if mode is not Mode.VECTOR:
            query = words = spell_corrected(query, reader, self._analyzer)
        terms = QueryTerms.of(words, reader, self._analyzer)

        def look(universe: int) -> Retrieval:
            return retrieve(
                query,
                terms,
                meaning,
                mode=mode,
                universe=universe,
                dates=dates,
                reader=reader,
                filters=Filters(request.sources, query.path_parts, query.after, query.before),
                cancel=cancel,
                has_sessions=collection.has_sessions,
            )

        def merge(retrieval: Retrieval) -> list[Ranked]:
            cancel.check()
            found = regions(retrieval, reader)
            if not found:
                return []
            vector = meaning() if retrieval.has_vectors else None
            judged = evidence(found, terms, vector, dates, query.named_paths, self._analyzer)
            return _merged(found, terms, judged, vector, settings.hybrid, depth)

        universe = UNIVERSE_STEP * settings.hybrid.candidate_multiplier
        wanted = request.max_results or settings.max_results
        depth = max(wanted, fusion.DEPTH) if collection.is_ordered_anew else wanted
        ranked = merge(first := look(universe))
        if len(ranked) < wanted and wanted > universe:
            ranked += append_below(merge(look(wanted).without(first)), ranked)
        ranked = [replace(one, workspace=collection.workspace.id) for one in ranked]
        return self._decayed(ranked, collection)

    def _decayed(self, ranked: list[Ranked], collection: Collection) -> list[Ranked]:
        decay = collection.settings.query.hybrid.temporal_decay
        if not decay.enabled:
            return ranked
        today = self._today()
        decayed: list[Ranked] = []
        for one in ranked:
            chunk = one.candidate.chunk
            date = document_date(chunk.path, chunk.date)
            modified = dt.date.fromtimestamp(chunk.mtime_ns / 1e9)
            factor = decay_factor(chunk.source, date, modified, today, decay.half_life_days)
            decayed.append(replace(one, decay=factor))
        return sorted(decayed, key=lambda one: -one.final_score)

    def _diversified(self, ranked: list[Ranked], settings: MemorySearch) -> list[Ranked]:
        mmr = settings.query.hybrid.mmr
        if not mmr.enabled:
            return ranked
        texts = ["\n".join(one.region.lines[one.first : one.last + 1]) for one in ranked]
        tokens = [frozenset(self._analyzer.stems(text)) for text in texts]
        relevance = [one.final_score for one in ranked]
        chosen = diversify(ranked, relevance, tokens, mmr.lambda_)
        return [replace(one, diversity_penalty=penalty) for one, penalty in chosen]


def _merged(
    found: Sequence[Passage],
    terms: QueryTerms,
    judged: LineFeatures,
    meaning: Vector | None,
    hybrid: Hybrid,
    wanted: int,
) -> list[Ranked]:
    """Ranked in the way that the settings name."""
    match hybrid.fusion:
        case "rrf":
            return fusion.reciprocal_rank(found, terms, judged)
        case "weighted":
            return fusion.weighted(found, terms, judged, *hybrid.weights)
        case _:
            has_meaning = meaning is not None
            return fusion.adaptive(found, terms, judged, has_meaning=has_meaning, wanted=wanted)


def _vector(meaning: Future[Understood], identity: str) -> Vector | None:
    return meaning.result().vectors.get(identity)


def _synonyms(pairs: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {fold(word): tuple(others) for word, others in pairs.items()}
