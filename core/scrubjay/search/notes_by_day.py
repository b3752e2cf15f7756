"""Notes selected by their day: notes of a time, and the newest or oldest notes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.audience import PERSON, Audience
from scrubjay.records.search_modes import Order
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.collection_search import Collection, search_filters
from scrubjay.search.hits import make_hit
from scrubjay.search.query.dates import Period, month_expressions, named_periods
from scrubjay.search.query.query_parser import ParsedQuery
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import QueryTerms
from scrubjay.store.index_records import Filters, StoredChunk
from scrubjay.store.protocol import IndexAddress, IndexReader
from scrubjay.text.file_kinds import find_conflict_copies, group_copies
from scrubjay.text.markdown import find_date
from scrubjay.text.text_outline import note_outline
from scrubjay.text.tokenizer import Analyzer, written_words

_MOST_OF_DAYS = 30
"""Notes of a time that a person gets without asking for a number, as many as the window shows."""
_MOST_CHUNKS = 500
"""Chunks of a folder that are looked through for the days of a period."""
_MORE = 10
"""Notes that are looked at besides those that are wanted, for copies at the end of a list."""
_MOST_LIKE_IT = 5
"""Notes that are looked at for one whose path begins as theirs."""
_YEARS = 10
"""Years back in which days are looked for that a question names without a year."""
_FAR = 10_000
"""Days away of a passage that names none of a period."""


class _NoteLines(Struct, frozen=True):
    """Lines of a note that are wanted for its day."""

    chunk: StoredChunk
    first: int = 0
    last: int = -1
    """Last line, included; -1 is the last line of the chunk."""


class Readers(Protocol):
    """The owner of open indexes."""

    def reader(self, address: IndexAddress) -> IndexReader | None:
        """The reader of an index; None if there is none."""


class NotesByDay:
    """Hits for all notes of some days, whatever their text. For one thread."""

    def __init__(self, readers: Readers, analyzer: Analyzer) -> None:
        self._readers = readers
        self._analyzer = analyzer

    def of_period(
        self,
        period: Period,
        request: SearchRequest,
        query: ParsedQuery,
        collections: Sequence[Collection],
        limit: int,
        cancel: CancelToken,
    ) -> tuple[Hit, ...]:
        """The notes of a period, the newest first, however little they fit the words.

        After them, for a person, come notes with days of it among their headings. Notes without a
        date are of the day of their last change, if the period is relative and no note is of it.
        """
        # The days of the period that the query's own limits admit.
        audience = request.audience
        if audience.browses_days and not request.max_results:
            limit = max(limit, _MOST_OF_DAYS)
        admitted = search_filters(request, query)
        filters = replace(
            admitted,
            after=max(period.first, admitted.after or period.first),
            before=min(period.last, admitted.before or period.last),
            is_dated=True,
        )
        diaries: list[Hit] = []
        for each in collections:
            reader = self._readers.reader(each.index)
            if reader and audience.browses_days:
                diaries += self._diaries(
                    period,
                    each.narrowed(filters),
                    workspace=each.workspace.id,
                    reader=reader,
                    cancel=cancel,
                )
        in_order = self.first(filters, collections, limit=limit, audience=audience)
        if period.is_relative and not in_order and not diaries:
            undated = replace(filters, is_dated=False)
            in_order = self.first(undated, collections, limit=limit, audience=audience)
        # A diary that is of the period itself is already there.
        paths = {(note.workspace, note.path) for note in in_order}
        others = [each for each in diaries if (each.workspace, each.path) not in paths]
        return tuple([*in_order, *others][:limit])

    def first(
        self,
        filters: Filters,
        collections: Sequence[Collection],
        *,
        limit: int,
        order: Order = Order.NEWEST,
        audience: Audience,
    ) -> list[Hit]:
        """The admitted notes whatever they say, so many of each collection: the newest first,
        unless the oldest are asked for. Their conflict copies stand behind them.
        """
        notes: list[Hit] = []
        for collection in collections:
            own = collection.workspace.id
            reader = self._readers.reader(collection.index)
            if reader is None:
                continue
            own_filters = collection.narrowed(filters)
            for chunk, copies in _without_copies(reader, own_filters, limit=limit, order=order):
                note = _note_hit(own, _NoteLines(chunk), analyzer=self._analyzer, audience=audience)
                notes.append(replace(note, conflict_copies=copies))
        return sorted(notes, key=lambda note: note.day, reverse=order is not Order.OLDEST)

    def _diaries(
        self,
        period: Period,
        filters: Filters,
        workspace: WorkspaceId,
        reader: IndexReader,
        cancel: CancelToken,
    ) -> Iterator[Hit]:
        """A hit for each note with headings that are days of a period: the newest, then others."""
        # A day without a year is looked for in this year and the ten before it.
        first = filters.after or dt.date.min
        last = filters.before or dt.date.max
        length = last - first
        months = [*month_expressions(first, last)]
        if period.is_yearly:
            for _ in range(_YEARS):
                first = first.replace(year=max(1, first.year - 1), day=min(first.day, 28))
                months += month_expressions(first, first + length)
        if not months:  # the question's own limits admit no day of the period
            return
        # Chunks with such a month, and of them the sections whose heading is a day of the period.
        query = f"text : ({' OR '.join(months)})"
        anytime = replace(filters, after=None, before=None, is_dated=False)
        found = reader.lexical(query, _MOST_CHUNKS, filters=anytime, cancel=cancel)
        days: dict[str, dict[tuple[dt.date, int], _NoteLines]] = {}
        for chunk in reader.chunks(number for number, _ in found).values():
            for day, start, end in _days_in(chunk):
                if first <= day <= last and period.matches(day):
                    lines = _NoteLines(chunk, start, end)
                    days.setdefault(chunk.path, {})[day, chunk.first_line + start] = lines
        for lines_of_days in days.values():
            in_order = sorted(lines_of_days.items(), reverse=True)
            sections: list[Hit] = []
            for (day, _), lines in in_order[:_MOST_OF_DAYS]:
                section = _note_hit(workspace, lines, analyzer=self._analyzer, audience=PERSON)
                sections.append(replace(section, date=day))
            yield replace(sections[0], passages=tuple(sections[1:]))


def is_about_period(found: Hit, period: Period, query: ParsedQuery, today: dt.date) -> bool:
    """True for a passage of the days of a period, and for one that names them."""
    # A lone word, such as "Sunday", is also what it says, and so is a feast.
    said = query.folded if query.text.isalpha() else period.feast
    if said and f" {said}" in written_words(_text(found)):
        return True
    return any(_days_of(found, period, today))


def _days_of(found: Hit, period: Period, today: dt.date) -> Iterator[dt.date]:
    """The days of a period that a passage is of, or names."""
    if found.date and period.matches(found.date):
        yield found.date
    # "Yesterday" in a note is not the yesterday of today.
    for named in named_periods(_text(found), today):
        if not named.is_relative and period.matches(named.last) and period.matches(named.first):
            yield named.first


def _text(found: Hit) -> str:
    """The part of a hit that a row shows."""
    return f"{found.title} {found.heading} {found.snippet.text}"


def days_from_period(found: Hit, period: Period, today: dt.date) -> int:
    """Days between those of a passage and the nearest ones that the period means."""
    days = (abs((day - period.first).days) for day in _days_of(found, period, today))
    return min(days, default=_FAR)


def _without_copies(
    reader: IndexReader, filters: Filters, *, limit: int, order: Order
) -> list[tuple[StoredChunk, tuple[str, ...]]]:
    """The first notes that are admitted, each with the paths of its conflict copies."""
    # A copy is mostly near its note, so that one look is enough.
    most = 2 * limit + _MORE
    while True:
        chunks = {chunk.path: chunk for chunk in reader.first_chunks(filters, most, order=order)}
        groups = group_copies({path: chunk.lines for path, chunk in chunks.items()})
        is_all = len(chunks) < most
        # A note may come later in the order than its copy; it is listed there.
        notes = find_conflict_copies(groups)
        shown = [
            (chunks[path], copies)
            for path, copies in groups.items()
            if is_all or path not in notes or not _admits(reader, filters, notes[path].note)
        ]
        # Copies take no places from other notes, so those behind them are read as well.
        if len(shown) >= limit or is_all:
            return shown[:limit]
        most *= 2


def _admits(reader: IndexReader, filters: Filters, path: str) -> bool:
    """Whether a note is one of those that filters admit."""
    # After a slash, a part is the beginning of the path; few notes begin with a whole other path.
    own = replace(filters, path_parts=(*filters.path_parts, f"/{path}"))
    return any(chunk.path == path for chunk in reader.first_chunks(own, _MOST_LIKE_IT))


def _days_in(chunk: StoredChunk) -> Iterator[tuple[dt.date, int, int]]:
    """Each day that is a heading, with the first and the last line of its section."""
    # Not at the beginning, where a rule would be taken for front matter.
    headings = note_outline(("", *chunk.lines), chunk.path).headings
    for number, heading in enumerate(headings, 1):
        day = find_date(heading.text)
        if day:
            ends = (each.line for each in headings[number:] if each.level <= heading.level)
            yield day, heading.line - 2, next(ends, len(chunk.lines) + 2) - 3


def _note_hit(
    workspace: WorkspaceId, wanted: _NoteLines, analyzer: Analyzer, audience: Audience
) -> Hit:
    """The hit of a note that is selected by its day, as if its words had been found."""
    part = Candidate(wanted.chunk, bm25=1.0, lexical_rank=1)
    passage = Passage(
        wanted.chunk.first_line, wanted.chunk.lines, candidates=[part], workspace=workspace
    )
    ranked = RankedPassage(
        passage=passage,
        first=wanted.first,
        last=wanted.last % len(passage.lines),
        best=wanted.first,
        candidate=part,
        score=1.0,
        parts={"date": 1.0},
        terms=QueryTerms(()),
        fields={},
    )
    return make_hit(ranked, analyzer, audience)
