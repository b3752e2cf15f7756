"""Rows of a result list: what one shows, and how a late answer joins the rows on screen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay import media_type
from scrubjay.records.search_records import DocumentInfo, Hit, Snippet
from scrubjay_desktop.results.explanation import Found, found_by
from scrubjay_desktop.results.snippet_text import one_line
from scrubjay_desktop.text.formatting import note_title, relative_date


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a result list, ready to be painted."""

    workspace: str
    path: str
    file: Path
    line: int
    """1-based line to open the note at."""
    last_line: int
    title: str
    breadcrumb: str
    snippet: Snippet
    badge: str
    date: str
    found: Found | None
    """None for a recent note that was not searched for."""
    hit: Hit | None = None
    media_type: str = ""
    """MIME type of an image or a recording; empty for a note."""
    is_late: bool = False
    """Joined below rows that the person was already reading."""
    is_uncertain: bool = False
    """Too weak for an answer, and shown because the person asked for the nearest notes."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Tells whether two rows stand for the same place."""
        return (self.workspace, self.path, self.hit.first_line if self.hit else 0)


def row_of_hit(
    hit: Hit, names: Mapping[str, str], now: dt.datetime, *, is_uncertain: bool = False
) -> Row:
    """A search result; names maps workspace ids to what people call them."""
    return Row(
        workspace=hit.workspace,
        path=hit.path,
        file=hit.file,
        line=hit.best_line,
        last_line=hit.last_line,
        title=note_title(hit.title, hit.path),
        breadcrumb=_breadcrumb(hit.path, hit.title, hit.heading),
        snippet=one_line(hit.snippet, title=hit.title),
        badge=names.get(hit.workspace, hit.workspace),
        date=relative_date(hit.modified, now),
        found=found_by(hit),
        hit=hit,
        media_type=media_type(hit.path),
        is_uncertain=is_uncertain,
    )


def row_of_recent(document: DocumentInfo, names: Mapping[str, str], now: dt.datetime) -> Row:
    """A note that changed lately."""
    return Row(
        workspace=document.workspace,
        path=document.path,
        file=document.file,
        line=1,
        last_line=1,
        title=note_title(document.title, document.path),
        breadcrumb=document.path,
        snippet=Snippet(""),
        badge=names.get(document.workspace, document.workspace),
        date=relative_date(document.modified, now),
        found=None,
        media_type=media_type(document.path),
    )


def row_of_place(workspace: str, path: str, file: Path, line: int, names: Mapping[str, str]) -> Row:
    """A line of a note that something else than a search found."""
    return Row(
        workspace=workspace,
        path=path,
        file=file,
        line=line,
        last_line=line,
        title=note_title("", path),
        breadcrumb=path,
        snippet=Snippet(""),
        badge=names.get(workspace, workspace),
        date="",
        found=None,
        media_type=media_type(path),
    )


def joined(shown: Sequence[Row], fresh: Sequence[Row], *, keep_all: bool) -> list[Row]:
    """Fresh rows worked into shown ones so that nothing moves under a selection.

    What is shown stays in its order, brought up to date; what is new follows. With keep_all,
    rows that the fresh answer lacks stay too; otherwise their note is gone and so are they.
    """
    by_key = {row.key: row for row in fresh}
    kept = [
        replace(by_key.get(row.key, row), is_late=row.is_late)
        for row in shown
        if keep_all or row.key in by_key
    ]
    known = {row.key for row in kept}
    return kept + [replace(row, is_late=True) for row in fresh if row.key not in known]


def _breadcrumb(path: str, title: str, heading: str) -> str:
    """The path, then the headings that the title does not say already."""
    headings = [part for part in heading.split(" > ") if part and part != title]
    return " › ".join([path, *headings])
