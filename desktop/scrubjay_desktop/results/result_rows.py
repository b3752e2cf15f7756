"""Rows of a result list, and the join of a later answer with the rows on screen."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.documents.media_types import media_type
from scrubjay.records.note_records import DocumentInfo, NoteAddress
from scrubjay.records.search_modes import Order
from scrubjay.records.search_records import Hit, ShownIn, Snippet
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.file_kinds import PDF, document_kind, is_picture
from scrubjay.text.file_snippet import file_snippet
from scrubjay.text.plain_snippet import plain_snippet
from scrubjay_desktop.results.explanation import Found, found_by
from scrubjay_desktop.results.snippet_text import one_line_snippet
from scrubjay_desktop.text.formatting import (
    both_days,
    conflict_copies,
    format_number,
    more_passages,
    note_day,
    note_place,
    note_title,
    part_names,
    short_day,
    translate,
)
from scrubjay_desktop.text.workspace_names import WorkspaceNames

Key: TypeAlias = tuple[str, str, int]
"""Workspace and path of a note; and the line of a passage below it, 0 for the note itself."""

_NO_SNIPPET = Snippet("")
_LIKELY = 3
"""First rows of a quick answer that stay in the full one."""


class Row(Struct, frozen=True):
    """One row of a result list, ready to be painted."""

    workspace: WorkspaceId
    path: str
    file: Path
    line: int
    """1-based line to open the note at."""
    title: str
    breadcrumb: str
    """The place of the note, and the headings above the line."""
    badge: str
    heading: str = ""
    """The headings above the line, without the title."""
    date: str = ""
    short_date: str = ""
    """The day without words around it, where there is little room."""
    days: str = ""
    """The own day and that of the last change, in full."""
    snippet: Snippet = _NO_SNIPPET
    found: Found | None = None
    """None for a recent note that was not searched for."""
    hit: Hit | None = None
    tags: tuple[str, ...] = ()
    """Tags of the note, without those above others, and without any for another passage of it."""
    media_type: str = ""
    """MIME type of an image or a recording; empty for a note."""
    picture: str = ""
    """Path of the picture in the note that was found; empty where the note itself was."""
    picture_file: Path | None = None
    """File of that picture."""
    is_late: bool = False
    """Whether it was joined below rows that the user was already reading."""
    is_uncertain: bool = False
    """Whether it is too weak for an answer, and shown because there is no other."""
    is_perhaps: bool = False
    """Whether it is not sure, and rows above are."""
    is_unfolded: bool = False
    """Whether the other passages of the note are below it."""
    is_passage: bool = False
    """Whether it is one of these other passages."""
    is_elsewhere: bool = False
    """Whether its file is on another computer, which shares its text."""

    @property
    def address(self) -> NoteAddress:
        """The note that it leads to."""
        return NoteAddress(self.workspace, self.path)

    @property
    def found_address(self) -> NoteAddress:
        """The note or the picture that was found."""
        return NoteAddress(self.workspace, self.picture or self.path)

    @property
    def found_file(self) -> Path:
        """The file of the note or the picture that was found."""
        return self.picture_file or self.file

    @property
    def is_media(self) -> bool:
        """Whether it leads to a picture or a recording, and not to a note."""
        return bool(self.media_type) and not self.picture

    @property
    def key(self) -> Key:
        """Identifies the note that the row stands for, or the passage below its note."""
        line = 0
        if self.hit and self.is_passage:
            line = self.hit.first_line
        return (self.workspace, self.picture or self.path, line)

    @property
    def page(self) -> int:
        """The page of a PDF that was found; 0 where it is not known, and in other files."""
        if self.hit is None or document_kind(self.path) != PDF:
            return 0
        return self.hit.part or 0

    @property
    def passage(self) -> str:
        """What was found, as plain text; empty for a note that was not searched for."""
        if self.hit is None:
            return ""
        return plain_snippet(self.hit.snippet).text

    @property
    def has_more(self) -> bool:
        """Whether the note has other passages, to unfold or to fold."""
        return not self.is_passage and self.hit is not None and bool(self.hit.passages)

    @property
    def more(self) -> str:
        """The number of other passages in words, or the offer to fold them; otherwise empty."""
        if not self.has_more or self.hit is None:
            return ""
        if self.is_unfolded:
            return translate("ResultList", "Show fewer passages")
        return more_passages(len(self.hit.passages))


class KeptRows:
    """Rows that stay when a slower answer, or the one to a longer question, lacks them."""

    def __init__(self) -> None:
        self.certain: list[Row] = []
        """Rows of the quick answer whose notes hold every keyword: they stay sure ones."""
        self._likely: list[Row] = []
        """First rows of the quick answer, if there are no sure ones: they stay somewhere."""
        self._full_text = ""
        """The question that was last answered in full."""
        self._full_rows: list[Row] = []
        """Rows of the answer to that question."""
        self._near_text = ""
        """The question whose nearest notes were shown last, since none was sure."""

    def forget_quick(self) -> None:
        """Keep nothing of the last quick answer."""
        self.certain = []
        self._likely = []

    def forget_full(self) -> None:
        """Keep nothing of the last full answer."""
        self._full_rows = []

    def after_quick(
        self, text: str, rows: list[Row], certain: set[Key], shown: Sequence[Row]
    ) -> list[Row]:
        """Rows of a quick answer, with those of the last full one and the nearest notes below."""
        former = self._former(text)
        # The last full answer knew better, and rows that change places at each key mislead.
        ranks = {row.key: rank for rank, row in enumerate(former)}
        rows = sorted(rows, key=lambda row: (row.is_perhaps, ranks.get(row.key, len(ranks))))
        self.certain = [row for row in rows if row.key in certain]
        self._likely = []
        if not self.certain:
            self._likely = rows[:_LIKELY]
        below = [replace(row, is_perhaps=bool(self.certain)) for row in former]
        # The nearest notes of a question that is going on stay until there is a full answer.
        near: list[Row] = []
        if text.startswith(self._near_text):
            near = [row for row in shown if row.is_uncertain]
        if near:
            below += near
            rows = [replace(row, is_uncertain=not self.certain) for row in rows]
        return _merged(rows, rows, below)

    def after_full(self, text: str, rows: list[Row]) -> list[Row]:
        """Rows of a full answer, with those of the quick one."""
        sure = [row for row in rows if not row.is_perhaps]
        self._full_text = text
        # Sure rows first, whichever answer has them; then what is left of both.
        parts = (sure, self.certain, rows, self._likely)
        self._full_rows = _merged(rows, *parts)
        return self._full_rows

    def after_nearest(self, text: str, rows: list[Row]) -> list[Row]:
        """The nearest rows, since none is sure, with those that stay while a word continues."""
        self._near_text = text
        near: list[Row] = []
        # A word that continues may still become one that these notes have.
        if re.fullmatch(r"\S+", text[len(self._full_text) :]):
            near = [row for row in self._former(text) if row.hit and row.hit.explanation.missing]
        below = [replace(row, is_uncertain=True) for row in (*self._likely, *near)]
        return _merged(rows, rows, below)

    def continued(self, text: str, shown: Sequence[Row]) -> list[Row]:
        """The rows on screen, no longer sure where a question that the text continues from had
        them: as a quick answer shows them, which the full one has overtaken.
        """
        keys = {row.key for row in self._former(text)}
        return [replace(row, is_perhaps=True) if row.key in keys else row for row in shown]

    def _former(self, text: str) -> list[Row]:
        """Rows of the last full answer, if the present question continues from its own."""
        if not text.startswith(self._full_text):
            return []
        return self._full_rows


def row_of_hit(
    hit: Hit, names: WorkspaceNames, now: dt.datetime, *, is_uncertain: bool = False
) -> Row:
    """A search result."""
    title = note_title(hit.title, hit.path)
    # Headings are shown as words, without the title that stands above them anyway.
    headings = [plain_snippet(Snippet(part)).text for part in hit.heading.split(" > ")]
    others = [part_names(f"# {part}", hit.path)[2:] for part in headings if part and part != title]
    excerpt = file_snippet(hit.path, hit.snippet)
    where = [_place(title, hit.path, excerpt.sender), *others]
    if hit.conflict_copies:
        where.append(conflict_copies(len(hit.conflict_copies)))
    where += map(_on_picture, hit.pictures)
    row = Row(
        workspace=hit.workspace,
        path=hit.path,
        file=hit.file,
        line=hit.best_line,
        title=title,
        breadcrumb=" › ".join(filter(None, where)),
        heading=" › ".join(others),
        snippet=one_line_snippet(excerpt.snippet, titles=[title, headings[-1]]),
        badge=names.get(hit.workspace, hit.workspace),
        date=note_day(hit.date, hit.modified, now),
        short_date=short_day(hit.date or hit.modified.astimezone(now.tzinfo).date()),
        days=both_days(hit.date, hit.modified, now),
        found=found_by(hit),
        hit=hit,
        tags=_without_upper(hit.tags),
        media_type=_media_type(hit.path),
        is_uncertain=is_uncertain,
        is_perhaps=hit.is_perhaps,
    )
    if hit.shown_in is None:
        return row
    return _in_note(row, hit.shown_in)


def _in_note(row: Row, note: ShownIn) -> Row:
    """The row of a picture as one of the note that shows it."""
    title = note_title(note.title, note.path)
    on_picture = _on_picture(row.path)
    return replace(
        row,
        path=note.path,
        file=note.file,
        line=note.line,
        title=title,
        breadcrumb=" › ".join(filter(None, (note_place(title, note.path), on_picture))),
        picture=row.path,
        picture_file=row.file,
    )


def _on_picture(path: str) -> str:
    """Where in a note something is: in a picture that it shows."""
    name = path.rpartition("/")[2]
    return translate("ResultList", "in the picture {name}").format(name=name)


def _media_type(path: str) -> str:
    """MIME type of a picture or a recording; rare pictures have one in common."""
    kind = media_type(path)
    if not kind and is_picture(path):
        kind = "image/x-other"
    return kind


def row_of_recent(document: DocumentInfo, names: WorkspaceNames, now: dt.datetime) -> Row:
    """A note that changed lately."""
    row = row_of_line(document.workspace, document.path, file=document.file, line=1, names=names)
    # A note that was not searched for begins with its own first words.
    title = note_title(document.title, document.path)
    excerpt = file_snippet(document.path, Snippet(document.beginning))
    where = [_place(title, document.path, excerpt.sender)]
    if document.conflict_copies:
        where.append(conflict_copies(len(document.conflict_copies)))
    return replace(
        row,
        title=title,
        breadcrumb=" › ".join(filter(None, where)),
        snippet=one_line_snippet(excerpt.snippet, titles=[title]),
        date=note_day(document.date, document.modified, now),
        short_date=short_day(document.date or document.modified.astimezone(now.tzinfo).date()),
        days=both_days(document.date, document.modified, now),
        tags=_without_upper(document.tags),
    )


def _place(title: str, path: str, sender: str) -> str:
    """The place of a note; of a mail the sender and the folder, since its file says nothing."""
    if not sender:
        return note_place(title, path)
    return " · ".join(filter(None, (sender, path.rpartition("/")[0])))


def _without_upper(tags: Sequence[str]) -> tuple[str, ...]:
    """The tags without those above others, which go without saying."""
    upper = {tag for tag in tags for other in tags if other.startswith(f"{tag}/")}
    return tuple(tag for tag in tags if tag not in upper)


def row_of_line(
    workspace: WorkspaceId, path: str, file: Path, line: int, names: WorkspaceNames
) -> Row:
    """A line of a note that was found otherwise than by a search."""
    return Row(
        workspace=workspace,
        path=path,
        file=file,
        line=line,
        title=note_title("", path),
        breadcrumb=path,
        badge=names.get(workspace, workspace),
        media_type=_media_type(path),
    )


def sort_rows(rows: Sequence[Row], order: Order) -> list[Row]:
    """Rows by relevance, or by their days; those that are not sure stay below the others."""
    if order is Order.RELEVANCE:
        return list(rows)
    # Rows that are not sure stay below, whatever their day is.
    sign = -1 if order is Order.NEWEST else 1

    def rank(row: Row) -> tuple[bool, int]:
        day = row.hit.day.toordinal() if row.hit else 0
        return row.is_perhaps, sign * day

    return sorted(rows, key=rank)


def append_rows(old: Sequence[Row], new: Sequence[Row], *, keep_all: bool) -> list[Row]:
    """Old rows with new ones after them, so that nothing moves under a selection.

    Old rows stay in their order, brought up to date. With keep_all, old rows that the new answer
    lacks stay too; otherwise their note is gone.
    """
    by_key = {row.key: row for row in new}
    # A row that the new answer has is brought up to date where it stands.
    rows = [
        replace(by_key.get(row.key, row), is_late=row.is_late, is_unfolded=row.is_unfolded)
        for row in old
        if keep_all or (*row.key[:2], 0) in by_key
    ]
    keys = {row.key for row in rows}
    return rows + [replace(row, is_late=True) for row in new if row.key not in keys]


def stabilize_rows(rows: Sequence[Row], shown: Sequence[Row]) -> list[Row]:
    """Rows for a question that is being typed: below the sure ones nothing new comes or goes."""
    sure = [row for row in rows if not (row.is_perhaps or row.is_uncertain)]
    by_key = {row.key: row for row in rows}
    keys = {row.key for row in sure}
    # Of the other rows those stay that were shown and still belong to the question.
    below = [
        replace(by_key.get(row.key, row), is_perhaps=bool(sure), is_uncertain=not sure)
        for row in shown
        if row.hit and row.key not in keys
        if row.key in by_key or row.is_perhaps or row.is_uncertain
    ]
    return [*sure, *below] or [*rows]


def unfold_row(rows: Sequence[Row], head: Row, now: dt.datetime) -> list[Row]:
    """Rows with the other passages of a row's note below it."""
    assert head.hit is not None
    line = translate("ResultList", "Line {n}")
    # A passage is named by its heading or its line, and has its note's place in the list.
    passages = [
        replace(
            row,
            breadcrumb=row.heading or line.format(n=format_number(row.line)),
            badge="",
            is_late=head.is_late,
            is_uncertain=head.is_uncertain,
            is_perhaps=head.is_perhaps,
            is_elsewhere=head.is_elsewhere,
            is_passage=True,
            tags=(),
        )
        for row in (row_of_hit(hit, {}, now) for hit in head.hit.passages)
    ]
    opened = (replace(head, is_unfolded=bool(passages)), *passages)
    parts = (opened if row.key == head.key else (row,) for row in fold_row(rows, head))
    return list(chain.from_iterable(parts))


def fold_row(rows: Sequence[Row], chosen: Row) -> list[Row]:
    """Rows with one for the note of the chosen row."""
    note = chosen.key[:2]
    return [
        replace(row, is_unfolded=row.is_unfolded and row.key[:2] != note)
        for row in rows
        if not row.is_passage or row.key[:2] != note
    ]


def _merged(newest: Sequence[Row], *parts: Sequence[Row]) -> list[Row]:
    """One row a note, at its first place in these parts, as the newest answer has it."""
    rows = list(chain.from_iterable(parts))
    by_key = {row.key: row for row in (*rows, *newest)}
    return [by_key[key] for key in dict.fromkeys(row.key for row in rows)]
