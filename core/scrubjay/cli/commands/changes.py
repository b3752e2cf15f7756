"""What changed in the notes since a day, in the terminal."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, chosen, opened, wait
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexLocked, QueryError
from scrubjay.notes.scan import printable
from scrubjay.records.journal_records import ChangeKind, LineKind, NoteChange, NoteDifference
from scrubjay.search.query.dates import named_dates

_KINDS = {ChangeKind.ADDED: "+", ChangeKind.CHANGED: "~", ChangeKind.REMOVED: "-"}
_LINES = {LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.SAME: " "}


def changes(
    since: Annotated[
        str, typer.Option(help='A day: 2026-11-20, yesterday, "last Monday".')
    ] = "yesterday",
    workspace: In = None,
    diff: Annotated[bool, typer.Option("--diff", help="Show the lines, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which notes were added, changed or removed since a day."""
    moment = beginning(since, dt.date.today())
    with opened() as engine:
        searched = chosen(engine, workspace)
        # Another Scrubjay that is indexing has the right to, and what it knows is read.
        with contextlib.suppress(IndexLocked):
            wait(engine, engine.refresh(searched[0].id if workspace else None, words_only=True))
        found = list(_all(engine, moment, searched[0].id if workspace else None))
        lines = [_difference(engine, one, moment) if diff else None for one in found]
        if as_json:
            rows = [_row(one, about) for one, about in zip(found, lines, strict=True)]
            output.data({"since": moment.isoformat(), "changes": rows})
            return
        if not found:
            output.line(f"Nothing changed since {moment:%Y-%m-%d}.")
        for one, about in zip(found, lines, strict=True):
            output.line(f"{_KINDS[one.kind]} {printable(one.path)}\t{one.moment:%Y-%m-%d %H:%M}")
            if about is not None:
                _print_lines(about)


def beginning(words: str, today: dt.date) -> dt.datetime:
    """When the day that is named begins here. Raises QueryError for what names none."""
    days = [dt.date(one.year, one.month, one.day) for one in named_dates(words, today) if one.year]
    if not days:
        raise QueryError(f"{words} names no day", hint="Try yesterday, or a date as 2026-11-20.")
    return dt.datetime.combine(min(days), dt.time.min).astimezone()


def _all(engine: Engine, moment: dt.datetime, workspace: str | None) -> Iterator[NoteChange]:
    place = None
    while True:
        page = engine.journal.changes(moment, workspace, after=place).result()
        yield from page.changes
        if (place := page.next) is None:
            return


def _difference(engine: Engine, change: NoteChange, moment: dt.datetime) -> NoteDifference:
    return engine.journal.difference(change.workspace, change.path, moment).result()


def _row(change: NoteChange, about: NoteDifference | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "workspace": change.workspace,
        "path": change.path,
        "kind": change.kind,
        "title": change.title,
        "modified": change.moment.isoformat(timespec="seconds"),
    }
    if about is not None:
        row["isKnown"] = about.is_known
        row["lines"] = [
            {"kind": line.kind, "text": line.text, "line": line.number} for line in about.lines
        ]
    return row


def _print_lines(about: NoteDifference) -> None:
    if not about.is_known:
        output.line("    (its older text is not kept any more)")
    for line in about.lines:
        if line.kind is LineKind.GAP:
            output.line(f"    ... {line.number} unchanged lines")
        else:
            output.line(f"    {_LINES[line.kind]} {printable(line.text)}".rstrip())
