"""What one search is about, and what was retrieved for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from concurrent.futures import Future

from msgspec import Struct

from scrubjay.config.schema.search_query import Query
from scrubjay.records.audience import Audience
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.collection_search import Collection, CollectionSearch
from scrubjay.search.query.dates import Period, named_periods, period_asked_for
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.ranking.ranked import RankedPassage
from scrubjay.search.retrieval.query_vectors import QueryEmbedding


class Question(Struct, frozen=True):
    """A request to some collections, taken apart."""

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

    @property
    def audience(self) -> Audience:
        """The readers of the answer."""
        return self.request.audience

    @property
    def settings(self) -> Mapping[str, Query]:
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
        """First and last day that are asked for; None for days of any year."""
        if self.period is None or self.period.is_yearly:
            return None
        return self.period.first, self.period.last

    @property
    def wants_day(self) -> bool:
        """Whether each hit has to be about the time that is asked for."""
        return self.audience.browses_days and self.request.min_score != 0.0

    def is_answered_by_period(self, *, has_notes: bool) -> bool:
        """Whether the notes of the time that is asked for are the whole answer."""
        if self.period is None or not self.period.is_relative:
            return False
        # A lone word may be a name, too: Sunday, mañana, May.
        may_be_name = self.audience.browses_days and self.query.text.isalpha()
        return (has_notes or self.wants_day) and not may_be_name


def question_of(
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
    """Candidates of all collections, not ranked yet."""

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
