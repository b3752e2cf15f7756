"""The search over one or more indexes. Lives on the search thread."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.search_query import Query
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest
from scrubjay.records.vectors import Vector
from scrubjay.search.collection_search import (
    Collection,
    CollectionSearch,
    filters_of,
    rank_together,
)
from scrubjay.search.hits import hit
from scrubjay.search.notes_by_day import NotesByDay, days_away, is_about
from scrubjay.search.query.dates import named_periods, period_asked_for
from scrubjay.search.query.query_parser import ParsedQuery, Term, parse
from scrubjay.search.ranking.ranked import (
    MOST_PERHAPS,
    RankedPassage,
    best_of_each_note,
    diversify,
    select,
)
from scrubjay.search.retrieval import spelling
from scrubjay.search.retrieval.query_vectors import NO_EMBEDDING, QueryVectors
from scrubjay.store.opening import open_index
from scrubjay.store.protocol import IndexPlace, IndexReader
from scrubjay.text.tokenizer import Analyzer, fold

_OPEN_QUOTE = re.compile(r'(?<!\S)"[^"]*\Z')
_MOST_TITLES, _TITLE_SHARE = 6, 0.25
"""Titles that are compared with a question; and how far above the usual a near one is, as a share
of the way to equality, since models differ in what is usual. By hand."""


class Searcher:
    """Owns one reader for each index. For one thread."""

    def __init__(
        self,
        provider: Callable[[str], EmbeddingProvider],
        today: Callable[[], dt.date] = dt.date.today,
        opened: Callable[[IndexPlace], IndexReader | None] = open_index,
    ) -> None:
        """Provider returns the provider of an identity, or raises ProviderUnavailable.

        It is called at each search; the identity is empty when no index has vectors. Opened gives
        the reader of an index; None while there is none.
        """
        self._vectors = QueryVectors(provider)
        self._today = today
        self._analyzer = Analyzer()
        self._opened = opened
        self._readers: dict[IndexPlace, IndexReader] = {}
        self._by_day = NotesByDay(self.reader, self._analyzer)

    def close(self) -> None:
        """Close all readers."""
        for place in list(self._readers):
            self.forget(place)
        self._vectors.close()
        self._analyzer.close()

    def forget(self, place: IndexPlace) -> None:
        """Close the reader of an index that is about to go away or was replaced."""
        if reader := self._readers.pop(place, None):
            reader.close()

    def free_memory(self) -> None:
        """Free the cached pages of all indexes."""
        for reader in self._readers.values():
            reader.free_memory()

    def reader(self, place: IndexPlace) -> IndexReader | None:
        """The reader of an index; None while there is none. Raises IndexUnavailable."""
        reader = self._readers.get(place) or self._opened(place)
        if reader:
            self._readers[place] = reader
        return reader

    def search(
        self,
        request: SearchRequest,
        collections: Sequence[Collection],
        cancel: CancelToken,
        max_results: int | None = None,
    ) -> SearchAnswer:
        """The hits of a request. Raises Cancelled, or IndexUnavailable for an unreadable index.

        The provider is the one that embedded the query; empty when none did. Max_results are those
        of an answer from several collections, where the request has none.
        """
        answer = self._answer(request, collections, cancel, max_results)
        return self._tagged(answer, collections) if request.for_person else answer

    def _answer(
        self,
        request: SearchRequest,
        collections: Sequence[Collection],
        cancel: CancelToken,
        max_results: int | None,
    ) -> SearchAnswer:
        asked_for = request
        if not request.text.strip() or not collections:
            return SearchAnswer(request, (), request.mode, "", "")
        query = _parsed(request, collections[0].settings)
        filters = filters_of(request, query)
        own = collections[0].settings.query.max_results
        if not query.text and filters != filters_of(request, ParsedQuery("")):
            limit = request.max_results or max_results or own
            notes = self._by_day.first(
                filters, collections, limit, request.order, for_person=request.for_person
            )
            return SearchAnswer(request, tuple(notes[:limit]), Mode.LEXICAL, "", "")
        identities = self._identities(collections)
        limit = request.max_results or (len(collections) > 1 and max_results) or own
        if request.order is not Order.RELEVANCE:
            request = self._within_days(request, query, collections, limit)
        before = replace(request, text=f"{request.text.rstrip().rpartition(' ')[0]} ")
        is_begun = bool(query.terms and before.text.strip()) and self._is_begun(
            query.terms[-1], collections
        )
        asked = (request, query, collections, limit, cancel)
        answer = self._search(*asked, identities, guesses=not is_begun)
        if identities != (identities := self._identities(collections)):
            # Meanwhile a new generation became active, which other vectors belong to.
            answer = self._search(*asked, identities, guesses=not is_begun)
        if is_begun and not answer.has_found:
            # What the words before it found stays until more of it is known.
            answer = self._answer(before, collections, cancel, max_results)
        if request.order is not Order.RELEVANCE:
            answer = replace(answer, hits=_ordered_by_day(answer.hits, request.order))
        return replace(answer, request=asked_for)

    def count(self, request: SearchRequest, collections: Sequence[Collection]) -> int:
        """The number of notes with all words of a question that its operators admit."""
        count = 0
        for collection in collections:
            query = _parsed(request, collection.settings)
            filters = replace(filters_of(request, query), words=query.word_expressions)
            if (reader := self.reader(collection.index)) and not filters.is_empty:
                count += reader.count(filters)
        return count

    def _tagged(self, answer: SearchAnswer, collections: Sequence[Collection]) -> SearchAnswer:
        """The answer, with the tags of each note."""
        found = (*answer.hits, *answer.uncertain)
        tags = {
            (each.workspace.id, path): tuple(labels)
            for each in collections
            if (reader := self.reader(each.index))
            for path, labels in reader.tags_of(
                hit.path for hit in found if hit.workspace == each.workspace.id
            ).items()
        }

        def tagged(hits: Sequence[Hit]) -> tuple[Hit, ...]:
            return tuple(replace(hit, tags=tags.get((hit.workspace, hit.path), ())) for hit in hits)

        if not tags:
            return answer
        return replace(answer, hits=tagged(answer.hits), uncertain=tagged(answer.uncertain))

    def _within_days(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
        limit: int,
    ) -> SearchRequest:
        """The request, for the days of the first notes with all words; of fewer, for any day."""
        filters = replace(filters_of(request, query), words=query.word_expressions)
        notes = self._by_day.first(filters, collections, limit, request.order, for_person=True)
        if len(notes) < limit:
            return request
        last = notes[limit - 1].day
        days = (last, None) if request.order is Order.NEWEST else (None, last)
        return replace(request, days=days)

    def _is_begun(self, term: Term, collections: Sequence[Collection]) -> bool:
        """Whether a term can only be the beginning of a word."""
        readers = filter(None, (self.reader(collection.index) for collection in collections))
        is_known = (spelling.is_word(term, reader, self._analyzer) for reader in readers)
        return term.is_prefix and not any(is_known)

    def _search(
        self,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
        limit: int,
        cancel: CancelToken,
        identities: Sequence[str],
        *,
        guesses: bool,
    ) -> SearchAnswer:
        """Without guesses, an answer that found nothing need not name the nearest titles."""
        today = self._today()
        has_dates = collections[0].settings.query_expansion.dates
        dates = named_periods(query.unquoted, today) if has_dates else ()
        period = period_asked_for(query.unquoted, today) if dates else None
        asked = (request, query, collections, limit, cancel)
        notes = self._by_day.of_period(period, *asked) if period else ()
        days = (period.first, period.last) if period and not period.is_yearly else None
        is_day_wanted = request.for_person and request.min_score != 0.0
        may_be_name = request.for_person and query.text.isalpha()  # Sunday, mañana, May
        if period and period.is_relative and (notes or is_day_wanted) and not may_be_name:
            return SearchAnswer(request, notes, request.mode, "", "", days=days)
        # The model works on the query while the words are searched.
        is_embedded = request.mode is not Mode.LEXICAL and query.text
        embedding = self._vectors.begin(query.text, identities) if is_embedded else NO_EMBEDDING
        searches = [
            CollectionSearch(
                _parsed(request, collection.settings),
                *(request, collection, dates, embedding, identity),
                *(reader, self._analyzer, cancel),
            )
            for collection, identity in zip(collections, identities, strict=True)
            if (reader := self.reader(collection.index))
        ]
        ranked = rank_together(searches, today)
        embedded = embedding.result()
        modes = {search.mode for search in searches} or {request.mode}
        mode = Mode.LEXICAL if embedded.reason else modes.pop() if len(modes) == 1 else Mode.HYBRID
        ranked.sort(key=lambda passage: -passage.final_score)
        own = {each.workspace.id: each.settings.query for each in collections}
        by_workspace = dict(zip(own, identities, strict=True))
        # After the sorting, which would undo it.
        ranked = _diversified(ranked, own, self._analyzer)
        min_scores = {name: settings.min_score for name, settings in own.items()}
        if request.min_score is not None:
            min_scores = dict.fromkeys(own, request.min_score)
        if request.for_person:
            ranked = best_of_each_note(ranked, query.text, min_scores, today)
        is_limited = len(own) > 1 and not request.max_results
        selected, unsure = select(
            ranked,
            min_scores=min_scores,
            max_results=limit,
            places={name: query.max_results for name, query in own.items() if is_limited},
            for_person=request.for_person,
            is_strict=request.min_score is not None,
            # Words to leave out say that words are wanted.
            is_worded=request.for_person and bool(query.excluded),
        )
        room = min(MOST_PERHAPS - sum(part.is_perhaps for part in selected), limit - len(selected))
        is_wanted = request.for_person and not period and (selected or guesses)
        if is_wanted and embedded.vectors and room > 0:
            shown = [*selected, *unsure]
            titled = _titled(ranked, shown, by_workspace, embedded.vectors, self._vectors)
            if selected:
                selected += [replace(part, is_perhaps=True) for part in titled[:room]]
            unsure = [*titled, *unsure][:MOST_PERHAPS] if unsure else []
        if request.for_person and _OPEN_QUOTE.search(request.text):
            selected = [part for part in selected if not part.is_perhaps]
        hits, near = (
            tuple(hit(each, self._analyzer, for_person=request.for_person) for each in part)
            for part in (selected, () if period else unsure)
        )
        if period and is_day_wanted:
            hits = tuple(each for each in hits if is_about(each, period, query.text, today))
        if notes:
            paths = {(note.workspace, note.path) for note in notes}
            others = (each for each in hits if (each.workspace, each.path) not in paths)
            hits = (*notes, *others)[: max(limit, len(notes))]
        if period and period.is_yearly and request.for_person:
            hits = tuple(sorted(hits, key=lambda each: days_away(each, period, today)))
        model = _source(hits, by_workspace, embedded.vectors, self._vectors.sources)
        return SearchAnswer(request, hits, mode, *model, embedded.reason, days=days, uncertain=near)

    def _identities(self, collections: Sequence[Collection]) -> tuple[str, ...]:
        """Identity of each index's vectors; empty for one that has none."""
        readers = (self.reader(collection.index) for collection in collections)
        generations = [reader.generation() if reader else None for reader in readers]
        return tuple(generation.identity if generation else "" for generation in generations)


def _titled(
    ranked: Sequence[RankedPassage],
    shown: Sequence[RankedPassage],
    identities: Mapping[str, str],
    asked: Mapping[str, Vector],
    vectors: QueryVectors,
) -> list[RankedPassage]:
    """The near notes besides those shown whose titles mean what a person asks for.

    The vector of a title is clearer than that of a text: *heating* is near *Boiler*, and not
    near the name and telephone number of its engineer.
    """
    names = {part.note for part in shown}
    others = [part for part in ranked if part.note not in names]
    others.sort(key=lambda part: -(part.candidate.cosine or -1.0))
    near: list[tuple[float, RankedPassage]] = []
    for identity, question in asked.items():
        if vectors.sources[identity][0] == "local":
            of_it = (part for part in others if identities[part.passage.workspace] == identity)
            parts = [*islice(of_it, _MOST_TITLES)]
            titles = [part.candidate.chunk.title for part in parts]
            if found := vectors.of_titles(titles, identity):
                cosines = map(float, np.array(found) @ question)
                near += zip(cosines, parts, strict=True)
    usual = sum(cosine for cosine, _ in near) / max(1, len(near))
    least = usual + _TITLE_SHARE * (1 - usual)
    near.sort(key=lambda pair: -pair[0])
    return [part for cosine, part in near if cosine >= least]


def _diversified(
    ranked: Sequence[RankedPassage], own: Mapping[str, Query], analyzer: Analyzer
) -> list[RankedPassage]:
    """The hits; those of folders that want different ones change places among themselves."""
    reordered = [*ranked]
    wanted = {name: query.hybrid.mmr for name, query in own.items() if query.hybrid.mmr.enabled}
    for lambda_ in {mmr.lambda_ for mmr in wanted.values()}:
        alike = {name for name, mmr in wanted.items() if mmr.lambda_ == lambda_}
        places = [at for at, part in enumerate(ranked) if part.passage.workspace in alike]
        parts = [ranked[at] for at in places]
        texts = ("\n".join(part.passage.lines[part.first : part.last + 1]) for part in parts)
        tokens = [frozenset(analyzer.stems(text)) for text in texts]
        chosen = diversify(parts, [part.final_score for part in parts], tokens, lambda_)
        for at, (part, penalty) in zip(places, chosen, strict=True):
            reordered[at] = replace(part, diversity_penalty=penalty)
    return reordered


def _parsed(request: SearchRequest, settings: MemorySearch) -> ParsedQuery:
    expansion = settings.query_expansion
    folded = tuple((fold(word), tuple(others)) for word, others in expansion.synonyms.items())
    return _parsed_with(
        request.text,
        folded,
        is_open=request.for_person,
        translates=expansion.translations,
        has_stop_words=expansion.stop_words,
    )


@functools.lru_cache(4)
def _parsed_with(
    text: str, synonyms: tuple[tuple[str, tuple[str, ...]], ...], **switches: bool
) -> ParsedQuery:
    return parse(text, synonyms=dict(synonyms), **switches)


def _source(
    hits: Sequence[Hit],
    by_workspace: Mapping[str, str],
    vectors: Mapping[str, Vector],
    sources: Mapping[str, tuple[str, str]],
) -> tuple[str, str]:
    """Provider and model of the vectors that found the best hit, or else were searched."""
    of_hits = [by_workspace[entry.workspace] for entry in hits if entry.vector_score is not None]
    for identity in (*of_hits, *vectors):
        if identity and identity in vectors:
            return sources[identity]
    return "", ""


def _ordered_by_day(hits: Sequence[Hit], order: Order) -> tuple[Hit, ...]:
    """Hits in the order of their days; those that are not sure stay below the others."""
    sign = 1 if order is Order.OLDEST else -1
    return tuple(sorted(hits, key=lambda each: (each.is_perhaps, sign * each.day.toordinal())))
