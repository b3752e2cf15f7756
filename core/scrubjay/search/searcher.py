"""The search over one or more indexes. Lives on the search thread."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.search_query import QuerySettings
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.records.audience import PERSON, Audience
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import Hit, QueryReading, SearchAnswer, SearchRequest
from scrubjay.records.vectors import Vector
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.collection_search import (
    Collection,
    CollectionQuestion,
    CollectionSearch,
    rank_together,
    search_filters,
)
from scrubjay.search.hits import OpenNotes, make_hit
from scrubjay.search.notes_by_day import NotesByDay, days_from_period, is_about_period
from scrubjay.search.query.dates import Period, named_periods, period_asked_for
from scrubjay.search.query.query_parser import ParsedQuery, Term, parse_prose, parse_query
from scrubjay.search.query.query_syntax import MOST_ALTERNATIVES
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.ranking.decay_and_selection import (
    MOST_PERHAPS,
    SelectedHits,
    Thresholds,
    best_of_each_note,
    diversify_hits,
    select_hits,
)
from scrubjay.search.retrieval import spelling
from scrubjay.search.retrieval.query_terms import NAMED
from scrubjay.search.retrieval.query_vectors import NO_EMBEDDING, QueryEmbedding, QueryVectors
from scrubjay.search.unmatched_conditions import UnmatchedConditions
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters
from scrubjay.store.protocol import IndexAddress, IndexReader
from scrubjay.store.reader import open_local_index
from scrubjay.text.file_kinds import PICTURE
from scrubjay.text.tokenizer import Analyzer, fold

_OPEN_QUOTE = re.compile(r'(?<!\S)"[^"]*\Z')
_EMBEDDED_TOGETHER = 8
"""Alternatives of a question in one call of the model; with a slow one, more would all be late."""
_MOST_TITLES = 6
"""Titles that are compared with a question; each costs an embedding. By hand."""


class Question(Struct, frozen=True):
    """The parts of a request to some collections."""

    request: SearchRequest
    query: ParsedQuery
    """Parsed with the settings of the first collection."""
    collections: Sequence[Collection]
    limit: int
    """Hits of the answer, at the most."""
    today: dt.date
    dates: Sequence[Period]
    """Times that the text names."""
    period: Period | None
    """The time that is asked for."""
    allows_guesses: bool = True
    """Whether an answer that found nothing names the nearest titles."""
    ends_begun: bool = False
    """Whether its last word can only be the beginning of one."""

    @property
    def audience(self) -> Audience:
        """The readers of the answer."""
        return self.request.audience

    @property
    def settings(self) -> Mapping[str, QuerySettings]:
        """Settings of the collections, by the ids of their workspaces."""
        return {each.workspace.id: each.settings.query for each in self.collections}

    @property
    def min_scores(self) -> Mapping[str, float]:
        """Scores from which on a hit is sure, by workspace."""
        if self.request.min_score is not None:
            return dict.fromkeys(self.settings, self.request.min_score)
        return {name: settings.min_score for name, settings in self.settings.items()}

    @property
    def days(self) -> tuple[dt.date, dt.date] | None:
        """First and last day in the question; None for days of any year."""
        if self.period is None or self.period.is_yearly:
            return None
        return self.period.first, self.period.last

    @property
    def wants_day(self) -> bool:
        """Whether each hit must be about the time in the question."""
        return self.audience.browses_days and self.request.min_score != 0.0

    def is_answered_by_period(self, *, has_notes: bool) -> bool:
        """Whether the notes of the time in the question are the whole answer."""
        if self.period is None or not self.period.is_relative:
            return False
        # A lone word may be a name, too: Sunday, mañana, May.
        may_be_name = self.audience.browses_days and self.query.text.isalpha()
        return (has_notes or self.wants_day) and not may_be_name


def build_question(
    request: SearchRequest,
    query: ParsedQuery,
    collections: Sequence[Collection],
    *,
    limit: int,
    today: dt.date,
) -> Question:
    """The question with the times that it names, where the settings allow it."""
    # Quoted phrases are words, also where they read as a time.
    dates: Sequence[Period] = ()
    period = None
    if collections[0].settings.query_expansion.dates:
        dates = named_periods(query.unquoted, today)
    if dates:
        period = period_asked_for(query.unquoted, today)
    return Question(
        request, query, collections, limit=limit, today=today, dates=dates, period=period
    )


class Retrieved(Struct, frozen=True):
    """The candidates of all collections before ranking."""

    searches: Sequence[CollectionSearch]
    identities: Mapping[WorkspaceId, str]
    """Identity of the vectors of each workspace, by its id; empty for none."""
    embedding: Future[QueryEmbedding]

    def identity(self, part: RankedPassage) -> str:
        """Identity of the vectors of a passage's workspace."""
        return self.identities[part.passage.workspace]

    def mode(self, wanted: Mode) -> Mode:
        """The mode in which all was searched."""
        if self.embedding.result().reason:
            return Mode.LEXICAL
        modes = {search.mode for search in self.searches} or {wanted}
        if len(modes) > 1:
            return Mode.HYBRID
        return modes.pop()


class Searcher:
    """The owner of one reader for each index. For one thread."""

    def __init__(
        self,
        provider: Callable[[str], EmbeddingProvider],
        today: Callable[[], dt.date] = dt.date.today,
        opened: Callable[[IndexAddress], IndexReader | None] = open_local_index,
    ) -> None:
        """Provider returns the provider of an identity, or raises ProviderUnavailable.

        It is called at each search; the identity is empty when no index has vectors. Opened gives
        the reader of an index; None while there is none.
        """
        self._vectors = QueryVectors(provider)
        self._today = today
        self._analyzer = Analyzer()
        self._opened = opened
        self._readers: dict[IndexAddress, IndexReader] = {}
        self._by_day = NotesByDay(self, self._analyzer)
        self._conditions = UnmatchedConditions(self._by_day)

    def close(self) -> None:
        """Close all readers."""
        for address in list(self._readers):
            self.forget(address)
        self._vectors.close()
        self._analyzer.close()

    def model_idle(self) -> Future[None]:
        """Done when the model has answered all that it was asked so far."""
        return self._vectors.idle()

    def forget(self, address: IndexAddress) -> None:
        """Close the reader of an index that is about to go away or was replaced."""
        reader = self._readers.pop(address, None)
        if reader:
            reader.close()

    def free_memory(self) -> None:
        """Free the cached pages of all indexes."""
        for reader in self._readers.values():
            reader.free_memory()

    def reader(self, address: IndexAddress) -> IndexReader | None:
        """The reader of an index; None if there is none. Raises IndexUnavailable."""
        reader = self._readers.get(address) or self._opened(address)
        if reader:
            self._readers[address] = reader
        return reader

    def search(
        self,
        request: SearchRequest,
        collections: Sequence[Collection],
        cancel: CancelToken,
        max_results: int | None = None,
        answered: list[SearchAnswer] | None = None,
    ) -> SearchAnswer:
        """The hits of a request. Raises Cancelled, or IndexUnavailable for an unreadable index.

        The provider is the one that embedded the query; empty when none did. Max_results
        counts for several collections if the request has no number. Answered receives the answers
        to the first alternatives; a search by words continues after them.
        """
        if not request.text.strip() or not collections:
            return SearchAnswer(request, (), mode=request.mode, provider="", model="")
        settings = collections[0].settings
        query = _parsed(request, settings, self._today())
        questions = _alternatives(request, query, collections)
        limit = request.max_results or settings.query.max_results
        if len(collections) > 1 and max_results and not request.max_results:
            limit = max_results
        # A question with OR is several. Those that were answered by meaning in time are kept.
        if answered is None:
            answered = []
        elif request.mode is not Mode.LEXICAL:
            answered.clear()
        answers = [*answered]
        for number in range(len(answers), len(questions)):
            if len(questions) > 1 and number % _EMBEDDED_TOGETHER == 0:
                together = questions[number : number + _EMBEDDED_TOGETHER]
                self._prepare([each.request for each in together], collections, cancel)
            question, asked = questions[number]
            answers.append(self._answer(question, asked, limit=limit, cancel=cancel))
            if request.mode is not Mode.LEXICAL:
                answered.append(answers[-1])
        answer = answers[0]
        if query.alternatives:
            answer = merge_answers(request, answers, limit)
        answer = replace(answer, reading=self._reading(answer, query, collections))
        answer = self._with_notes(answer, collections, cancel)
        if request.audience.reads_sections:
            return self._tagged(answer, collections)
        return answer

    def _reading(
        self, answer: SearchAnswer, query: ParsedQuery, collections: Sequence[Collection]
    ) -> QueryReading:
        """How a question was read; if it found nothing, with conditions that no note fulfils."""
        if answer.hits or answer.uncertain:
            return query.reading
        return self._conditions.explain(answer.request, query, collections)

    def _prepare(
        self,
        questions: Sequence[SearchRequest],
        collections: Sequence[Collection],
        cancel: CancelToken,
    ) -> None:
        """Have several questions embedded in one call of the model."""
        settings = collections[0].settings
        asked = (each for each in questions if each.mode is not Mode.LEXICAL)
        parsed = (_parsed(each, settings, self._today()) for each in asked)
        texts = [each.text for each in parsed if each.text]
        if texts:
            self._vectors.prepare(texts, self._identities(collections), cancel)

    def _answer(
        self,
        request: SearchRequest,
        collections: Sequence[Collection],
        limit: int,
        cancel: CancelToken,
    ) -> SearchAnswer:
        """The answer to a question without OR."""
        query = _parsed(request, collections[0].settings, self._today())
        filters = search_filters(request, query)
        # Filters alone want all notes that they admit.
        if not query.text and filters != search_filters(request, ParsedQuery("")):
            notes = self._by_day.first(
                filters, collections, limit=limit, order=request.order, audience=request.audience
            )
            shown = tuple(notes[:limit])
            return SearchAnswer(request, shown, mode=Mode.LEXICAL, provider="", model="")
        narrowed = request
        if request.order is not Order.RELEVANCE:
            narrowed = self._within_days(request, query, collections=collections, limit=limit)
        # A last word that no index has as one may be half a word, and its results guesses.
        before = replace(narrowed, text=f"{narrowed.text.rstrip().rpartition(' ')[0]} ")
        ends_begun = bool(query.terms) and self._is_begun(query.terms[-1], collections)
        is_begun = ends_begun and bool(before.text.strip())
        asked = build_question(narrowed, query, collections, limit=limit, today=self._today())
        asked = replace(asked, allows_guesses=not is_begun, ends_begun=ends_begun)
        answer = self._current(asked, cancel)
        if is_begun and not answer.has_found:
            # What the words before it found stays until more of it is known. Where that is only
            # near, so is what is nearest to the whole question.
            nearest = sorted(answer.uncertain, key=lambda each: each.vector_score or 0.0)[-1:]
            answer = self._answer(before, collections, limit=limit, cancel=cancel)
            listed = {(each.workspace, each.path) for each in answer.uncertain}
            listed |= {(each.workspace, each.path) for each in answer.hits}
            missing = [each for each in nearest if (each.workspace, each.path) not in listed]
            if missing and answer.hits:
                near = replace(missing[0], is_perhaps=True)
                answer = replace(answer, hits=_with_last(answer.hits, near, limit=limit))
            elif missing:
                uncertain = (*answer.uncertain[: MOST_PERHAPS - 1], *missing)
                answer = replace(answer, uncertain=uncertain)
        if request.order is not Order.RELEVANCE:
            answer = replace(answer, hits=_ordered_by_day(answer.hits, request.order))
        return replace(answer, request=request)

    def _current(self, asked: Question, cancel: CancelToken) -> SearchAnswer:
        """The answer from the vectors that are active when it is ready."""
        identities = self._identities(asked.collections)
        answer = self._search(asked, identities, cancel)
        identities_now = self._identities(asked.collections)
        if identities_now != identities:
            # Meanwhile a new generation became active, which other vectors belong to.
            answer = self._search(asked, identities_now, cancel)
        return answer

    def _search(
        self, asked: Question, identities: Sequence[str], cancel: CancelToken
    ) -> SearchAnswer:
        """The steps of one answer. A time in the question may be the whole question."""
        notes = self._notes_of_period(asked, cancel)
        if asked.is_answered_by_period(has_notes=bool(notes)):
            return SearchAnswer(
                asked.request,
                notes,
                mode=asked.request.mode,
                provider="",
                model="",
                days=asked.days,
            )
        retrieved = self._retrieve(asked, identities, cancel)
        ranked = self._rank(asked, retrieved)
        selection = _choose(asked, ranked)
        selection = self._complete(asked, selection, ranked=ranked, retrieved=retrieved)
        return self._cut(asked, selection, notes=notes, retrieved=retrieved)

    def _notes_of_period(self, asked: Question, cancel: CancelToken) -> tuple[Hit, ...]:
        if asked.period is None:
            return ()
        return self._by_day.of_period(
            asked.period,
            asked.request,
            asked.query,
            collections=asked.collections,
            limit=asked.limit,
            cancel=cancel,
        )

    def _retrieve(
        self, asked: Question, identities: Sequence[str], cancel: CancelToken
    ) -> Retrieved:
        """The candidates of each collection."""
        # The model works on the query while the words are searched.
        is_embedded = asked.request.mode is not Mode.LEXICAL and asked.query.text
        embedding = NO_EMBEDDING
        if is_embedded:
            embedding = self._vectors.begin(asked.query.text, identities, cancel)
        # One search for each collection whose index can be read.
        searches: list[CollectionSearch] = []
        for collection, identity in zip(asked.collections, identities, strict=True):
            reader = self.reader(collection.index)
            if reader is None:
                continue
            own = CollectionQuestion(
                request=asked.request,
                query=_parsed(asked.request, collection.settings, asked.today),
                collection=collection,
                dates=asked.dates,
                cancel=cancel,
            )
            search = CollectionSearch(
                own, embedding, identity=identity, reader=reader, analyzer=self._analyzer
            )
            search.run()
            searches.append(search)
        by_workspace = {
            collection.workspace.id: identity
            for collection, identity in zip(asked.collections, identities, strict=True)
        }
        return Retrieved(searches, by_workspace, embedding)

    def _rank(self, asked: Question, retrieved: Retrieved) -> list[RankedPassage]:
        """The passages of all collections, best first; for a person the best of each note."""
        ranked = rank_together(retrieved.searches, asked.today)
        ranked.sort(key=lambda passage: -passage.final_score)
        # After the sorting, which would undo it.
        ranked = diversify_hits(ranked, asked.settings, self._analyzer)
        if asked.audience.has_one_hit_a_note:
            ranked = best_of_each_note(
                ranked, asked.query.text, min_scores=asked.min_scores, today=asked.today
            )
        return ranked

    def _complete(
        self,
        asked: Question,
        selection: SelectedHits,
        ranked: Sequence[RankedPassage],
        retrieved: Retrieved,
    ) -> SelectedHits:
        """The selection with near titles in its spare places, and the nearest note by meaning."""
        # Titles are compared only where there is room for more of what may be meant.
        hits = selection.hits
        uncertain = selection.uncertain
        listed = sum(part.is_perhaps for part in hits)
        room = min(MOST_PERHAPS - listed, asked.limit - len(hits))
        is_wanted = not asked.period and (hits or asked.allows_guesses)
        vectors = retrieved.embedding.result().vectors
        if asked.audience.compares_titles and is_wanted and vectors and room > 0:
            shown = [*hits, *uncertain]
            titled = _titled(ranked, shown, retrieved, asked=vectors, vectors=self._vectors)
            if hits:
                hits = [*hits, *(replace(part, is_perhaps=True) for part in titled[:room])]
            if uncertain:
                uncertain = [*titled, *uncertain][:MOST_PERHAPS]
        # The text that is near to half a word, or to a time and nothing else, is near by chance.
        has_meaning = len(asked.query.keywords) > 1 or not (asked.ends_begun and hits)
        if asked.audience.compares_titles and vectors and not asked.period and has_meaning:
            near = _nearest(ranked, [*hits, *uncertain], retrieved)
            if near and hits:
                hits = _with_nearest(hits, replace(near, is_perhaps=True), limit=asked.limit)
            elif near and uncertain:
                uncertain = [*uncertain[: MOST_PERHAPS - 1], near]
        # In a quote that is still open, what only resembles it is not wanted.
        if asked.audience.has_open_last_word and _OPEN_QUOTE.search(asked.request.text):
            hits = [part for part in hits if not part.is_perhaps]
        return SelectedHits(hits, [] if asked.period else uncertain)

    def _cut(
        self, asked: Question, selection: SelectedHits, notes: Sequence[Hit], retrieved: Retrieved
    ) -> SearchAnswer:
        """The answer: the notes of the time in the question, then snippets of the hits.

        A note that is called what was asked, as *Friday*, stays above those of the time.
        """
        hits = [make_hit(part, self._analyzer, asked.audience) for part in selection.hits]
        uncertain = [make_hit(part, self._analyzer, asked.audience) for part in selection.uncertain]
        period = asked.period
        if period and asked.wants_day:
            hits = [
                each
                for each in hits
                if is_about_period(each, period, query=asked.query, today=asked.today)
            ]
        # The notes of the time come first, and each note once.
        if notes:
            paths = {(note.workspace, note.path) for note in notes}
            paths |= {(note.workspace, copy) for note in notes for copy in note.conflict_copies}
            others = [each for each in hits if (each.workspace, each.path) not in paths]
            hits = [*notes, *others][: max(asked.limit, len(notes))]
        if period and period.is_yearly and asked.audience.browses_days:
            hits.sort(key=lambda each: days_from_period(each, period, asked.today))
        called = {part.note for part in selection.hits if part.closeness >= NAMED}
        if period and called:
            hits.sort(key=lambda each: (each.workspace, each.path) not in called)
        embedded = retrieved.embedding.result()
        provider, model = _source(
            hits, retrieved, vectors=embedded.vectors, sources=self._vectors.sources
        )
        return SearchAnswer(
            asked.request,
            tuple(hits),
            mode=retrieved.mode(asked.request.mode),
            provider=provider,
            model=model,
            fallback_reason=embedded.reason,
            days=asked.days,
            uncertain=tuple(uncertain),
        )

    def count(self, request: SearchRequest, collections: Sequence[Collection]) -> int:
        """The number of notes with all words of a question that its operators admit."""
        count = 0
        for collection in collections:
            query = _parsed(request, collection.settings, self._today())
            filters = self._counted(request, query, collection)
            reader = self.reader(collection.index)
            if reader and filters != ALL_DOCUMENTS:
                count += reader.count(collection.narrowed(filters))
        return count

    def _counted(
        self, request: SearchRequest, query: ParsedQuery, collection: Collection
    ) -> Filters:
        """The conditions for notes with all words of a question, or of one of its alternatives."""
        if not query.alternatives:
            return replace(search_filters(request, query), words=query.word_expressions)
        questions = (each.request for each in _alternatives(request, query, [collection]))
        parsed = ((each, _parsed(each, collection.settings, self._today())) for each in questions)
        return Filters(alternatives=tuple(self._counted(*pair, collection) for pair in parsed))

    def _with_notes(
        self, answer: SearchAnswer, collections: Sequence[Collection], cancel: CancelToken
    ) -> SearchAnswer:
        """The answer, in which pictures and the notes that show them are one."""
        if not any(hit.kind == PICTURE for hit in (*answer.hits, *answer.uncertain)):
            return answer
        # Imported late: most folders have no pictures that are read.
        from scrubjay.search.embedding_notes import with_notes
        from scrubjay.store.reader import Reader

        indexes = {each.workspace.id: each.index for each in collections}

        def reader_of(hit: Hit) -> Reader | None:
            reader = self.reader(indexes[hit.workspace])
            return reader if isinstance(reader, Reader) else None

        notes = OpenNotes((each.workspace for each in collections), answer.request.conversation)
        return with_notes(answer, reader_of, notes, analyzer=self._analyzer, cancel=cancel)

    def _tagged(self, answer: SearchAnswer, collections: Sequence[Collection]) -> SearchAnswer:
        """The answer, with the tags of each note."""
        found = (*answer.hits, *answer.uncertain)
        tags: dict[tuple[str, str], tuple[str, ...]] = {}
        for collection in collections:
            workspace = collection.workspace.id
            reader = self.reader(collection.index)
            if reader is None:
                continue
            paths = [hit.path for hit in found if hit.workspace == workspace]
            for path, labels in reader.read_tags(paths).items():
                tags[workspace, path] = tuple(labels)

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
        filters = replace(search_filters(request, query), words=query.word_expressions)
        notes = self._by_day.first(
            filters, collections, limit=limit, order=request.order, audience=PERSON
        )
        if len(notes) < limit:
            return request
        last = notes[limit - 1].day
        if request.order is Order.NEWEST:
            return replace(request, days=(last, None))
        return replace(request, days=(None, last))

    def _is_begun(self, term: Term, collections: Sequence[Collection]) -> bool:
        """Whether a term can only be the beginning of a word."""
        readers = filter(None, (self.reader(collection.index) for collection in collections))
        is_known = (spelling.is_word(term, reader, self._analyzer) for reader in readers)
        return term.is_prefix and not any(is_known)

    def _identities(self, collections: Sequence[Collection]) -> tuple[str, ...]:
        """Identity of each index's vectors; empty for one that has none."""
        identities: list[str] = []
        for collection in collections:
            reader = self.reader(collection.index)
            generation = reader.generation() if reader else None
            identities.append(generation.identity if generation else "")
        return tuple(identities)


class _Alternative(NamedTuple):
    """One of the questions that a request stands for."""

    request: SearchRequest
    collections: Sequence[Collection]
    """Collections that it is asked of."""


def _alternatives(
    request: SearchRequest, query: ParsedQuery, collections: Sequence[Collection]
) -> list[_Alternative]:
    """The questions without OR that a request stands for, with the collections that answer them.

    A folder that has to be named is not searched for the alternatives that do not name it.
    """
    if not query.alternatives:
        return [_Alternative(request, collections)]
    questions: list[_Alternative] = []
    for text in query.alternatives:
        question = replace(request, text=text)
        asked = [collection for collection in collections if collection.answers(question)]
        if asked:
            questions.append(_Alternative(question, asked))
    return questions


def _choose(asked: Question, ranked: Sequence[RankedPassage]) -> SelectedHits:
    """The hits that are sure enough, and uncertain ones."""
    # From several folders each gives as many hits as it would give alone.
    is_limited = len(asked.settings) > 1 and not asked.request.max_results
    quotas: Mapping[str, int] = {}
    if is_limited:
        quotas = {name: query.max_results for name, query in asked.settings.items()}
    thresholds = Thresholds(
        min_scores=asked.min_scores,
        max_results=asked.limit,
        quotas=quotas,
        is_strict=asked.request.min_score is not None,
        # Words to exclude say that words are wanted.
        needs_word=asked.audience.excludes_whole_notes and bool(asked.query.excluded),
    )
    return select_hits(ranked, thresholds, asked.audience)


def _nearest(
    ranked: Sequence[RankedPassage], shown: Sequence[RankedPassage], retrieved: Retrieved
) -> RankedPassage | None:
    """The hit of the note that is nearest to the question by meaning; None if it is shown."""
    near = filter(None, (search.nearest for search in retrieved.searches))
    _, nearest = max(near, default=(0.0, None))
    if nearest in {part.note for part in shown}:
        return None
    return next((part for part in ranked if part.note == nearest), None)


def _with_nearest(
    hits: Sequence[RankedPassage], nearest: RankedPassage, limit: int
) -> list[RankedPassage]:
    """The hits with one more that is not sure, below those with keywords; it never drops out."""
    # A keyword that stands there tells more than the nearest text, and that more than the rest.
    sure = [part for part in hits if not part.is_perhaps]
    worded = [part for part in hits if part.is_perhaps and part.has_keyword]
    others = [part for part in hits if part.is_perhaps and not part.has_keyword]
    above = [*sure[: limit - 1], *worded[: MOST_PERHAPS - 1]][: limit - 1]
    perhaps = MOST_PERHAPS - 1 - max(0, len(above) - len(sure))
    return [*above, nearest, *others[:perhaps]][:limit]


def _with_last(hits: Sequence[Hit], last: Hit, limit: int) -> tuple[Hit, ...]:
    """The hits with one more that is not sure as the last row, of at most so many."""
    sure = [hit for hit in hits if not hit.is_perhaps]
    others = [hit for hit in hits if hit.is_perhaps]
    return (*[*sure, *others[: MOST_PERHAPS - 1]][: limit - 1], last)


def _titled(
    ranked: Sequence[RankedPassage],
    shown: Sequence[RankedPassage],
    retrieved: Retrieved,
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
    for identity, vector in asked.items():
        # A service would be paid for each title.
        if vectors.sources[identity][0] != "local":
            continue
        of_it = (part for part in others if retrieved.identity(part) == identity)
        parts = [*islice(of_it, _MOST_TITLES)]
        embedded = vectors.of_titles([part.candidate.chunk.title for part in parts], identity)
        if embedded:
            cosines = [float(each @ vector) for each in embedded]
            near += zip(cosines, parts, strict=True)
    # A title is near if it stands out among those that are compared.
    usual = sum(cosine for cosine, _ in near) / max(1, len(near))
    least = usual + weights.NEAR_SHARE * (1 - usual)
    near.sort(key=lambda pair: -pair[0])
    return [part for cosine, part in near if cosine >= least]


def _parsed(request: SearchRequest, settings: MemorySearch, today: dt.date) -> ParsedQuery:
    """The query of a request, with the expansions that the settings allow."""
    expansion = settings.query_expansion
    folded = tuple((fold(word), tuple(others)) for word, others in expansion.synonyms.items())
    return _parsed_with(
        request.text,
        folded,
        is_open=request.audience.has_open_last_word,
        is_prose=request.is_prose,
        translates=expansion.translations,
        has_stop_words=expansion.stop_words,
        today=today,
    )


@functools.lru_cache(2 * MOST_ALTERNATIVES)
def _parsed_with(
    text: str,
    synonyms: tuple[tuple[str, tuple[str, ...]], ...],
    today: dt.date,
    *,
    is_open: bool,
    is_prose: bool,
    **switches: bool,
) -> ParsedQuery:
    """Parsed once for several collections with the same settings, and for further questions."""
    if is_prose:
        return parse_prose(text, synonyms=dict(synonyms), **switches)
    return parse_query(text, synonyms=dict(synonyms), today=today, is_open=is_open, **switches)


def _source(
    hits: Sequence[Hit],
    retrieved: Retrieved,
    vectors: Mapping[str, Vector],
    sources: Mapping[str, tuple[str, str]],
) -> tuple[str, str]:
    """Provider and model of the vectors that found the best hit, or otherwise were searched."""
    near = (entry for entry in hits if entry.vector_score is not None)
    of_hits = [retrieved.identities[entry.workspace] for entry in near]
    for identity in (*of_hits, *vectors):
        if identity and identity in vectors:
            return sources[identity]
    return "", ""


def merge_answers(
    request: SearchRequest, answers: Sequence[SearchAnswer], limit: int
) -> SearchAnswer:
    """The answer to a question with OR: what its alternatives found, the best of each first."""
    limit = max(limit, *(len(answer.hits) for answer in answers))
    if request.max_results:
        limit = request.max_results
    # What is sure stands above the rest, and what is shown is not shown again.
    is_one_a_note = request.audience.has_one_hit_a_note
    sure = [[hit for hit in answer.hits if not hit.is_perhaps] for answer in answers]
    perhaps = [[hit for hit in answer.hits if hit.is_perhaps] for answer in answers]
    hits = _distinct(_merged(sure), (), is_one_a_note=is_one_a_note)[:limit]
    if hits:
        others = _distinct(_merged(perhaps), hits, is_one_a_note=is_one_a_note)
        hits = [*hits, *others[:MOST_PERHAPS]][:limit]
    if request.order is not Order.RELEVANCE:
        hits = list(_ordered_by_day(hits, request.order))
    uncertain = _merged([answer.uncertain for answer in answers])
    modes = {answer.mode for answer in answers}
    # By meaning as far as any of them was.
    by_meaning = [answer for answer in answers if answer.provider]
    asked = [*by_meaning, *answers][0]
    return replace(
        asked,
        request=request,
        hits=tuple(hits),
        uncertain=tuple(_distinct(uncertain, hits, is_one_a_note=is_one_a_note)[:MOST_PERHAPS]),
        mode=modes.pop() if len(modes) == 1 else Mode.HYBRID,
        days=None,
    )


def _merged(lists: Sequence[Sequence[Hit]]) -> Iterator[Hit]:
    """The hits of several lists, each in its order: the best of those that are next."""
    left = [deque(hits) for hits in lists if hits]
    while left:
        best = max(left, key=lambda hits: (hits[0].score, hits[0].day))
        yield best.popleft()
        left = [hits for hits in left if hits]


def _distinct(hits: Iterable[Hit], listed: Iterable[Hit], *, is_one_a_note: bool) -> list[Hit]:
    """The hits that show nothing that another one, or a listed one, shows."""
    of_notes: dict[tuple[str, str], list[Hit]] = {}
    for hit in listed:
        of_notes.setdefault((hit.workspace, hit.path), []).append(hit)
    distinct: list[Hit] = []
    for hit in hits:
        shown = of_notes.setdefault((hit.workspace, hit.path), [])
        if not any(is_one_a_note or hit.overlaps(other) for other in shown):
            shown.append(hit)
            distinct.append(hit)
    return distinct


def _ordered_by_day(hits: Sequence[Hit], order: Order) -> tuple[Hit, ...]:
    """Hits in the order of their days; those that are not sure stay below the others."""
    sign = 1 if order is Order.OLDEST else -1
    return tuple(sorted(hits, key=lambda each: (each.is_perhaps, sign * each.day.toordinal())))
