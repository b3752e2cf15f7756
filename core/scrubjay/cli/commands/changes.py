"""`scrubjay changes`: notes that changed since a day."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

from scrubjay.cli import output
from scrubjay.cli.arguments import Option
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.session import chosen, opened, wait
from scrubjay.cli.terminal import print_line
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexLocked, QueryError
from scrubjay.records.journal_records import ChangeKind, LineKind, NoteChange
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.search.query.dates import named_periods

_KINDS = {
    ChangeKind.ADDED: "+",
    ChangeKind.CHANGED: "~",
    ChangeKind.REMOVED: "-",
    ChangeKind.MOVED: ">",
}
_LINES = {LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.SAME: " "}


def changes(
    since: Annotated[
        str, Option(help='A day: 2026-11-20, yesterday, "last Monday".')
    ] = "yesterday",
    workspace: In = None,
    diff: Annotated[bool, Option("--diff", help="Show the lines, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which notes were added, changed, moved or removed since a day."""
    moment = beginning(since, dt.date.today())
    with opened() as engine:
        searched = chosen(engine, workspace)
        # When another Scrubjay is indexing, its results are read.
        with contextlib.suppress(IndexLocked):
            wait(engine, engine.refresh(searched[0].id if workspace else None, words_only=True))
        journal = engine.journal
        changes = list(_all(engine, moment, searched[0].id if workspace else None))
        if as_json or diff:
            changes = list(chain.from_iterable(each.moved or (each,) for each in changes))
        pairs = [
            (each, journal.difference(each.workspace, each.path, moment).result() if diff else None)
            for each in changes
        ]
    if as_json:
        rows = []
        for change, difference in pairs:
            row: dict[str, Any] = {
                "workspace": change.workspace,
                "path": change.path,
                "kind": change.kind,
                "title": change.title,
                "modified": change.moment,
            }
            if change.former_path:
                row["formerPath"] = change.former_path
            if difference is not None:
                row["isKnown"] = difference.is_known
                row["lines"] = [output.fields(line, number="line") for line in difference.lines]
            rows.append(row)
        output.data({"since": moment, "changes": rows})
        return
    names = {each.id: f"{each.name}: " for each in searched} if len(searched) > 1 else {}
    if not pairs:
        print_line(f"Nothing changed since {moment:%Y-%m-%d}.")
    for change, difference in pairs:
        when = f"{change.moment:%Y-%m-%d %H:%M}"
        place = names.get(change.workspace, "") + _place(change)
        print_line(f"{_KINDS[change.kind]} {place}", when)
        if difference is None:
            continue
        if not difference.is_known:
            print_line("    (its earlier text is no longer kept)")
        for line in difference.lines:
            if line.kind is LineKind.GAP:
                print_line(f"    ... {line.number} unchanged lines")
            else:
                print_line(f"    {_LINES[line.kind]} {line.text}".rstrip())


def _place(change: NoteChange) -> str:
    if change.moved:
        count, former = len(change.moved), change.former_path
        return f"{change.path}/ ({count} notes, were in {former}/)"
    was = f" (was {change.former_path})" if change.former_path else ""
    return change.path + was


def beginning(words: str, today: dt.date) -> dt.datetime:
    """Local time at which the named day begins. Raises QueryError for words that name none."""
    periods = named_periods(words, today)
    if not periods:
        raise QueryError(f"{words} names no day", hint="Try yesterday, or a date as 2026-11-20.")
    return dt.datetime.combine(min(period.first for period in periods), dt.time.min).astimezone()


def _all(
    engine: Engine, moment: dt.datetime, workspace: WorkspaceId | None
) -> Iterator[NoteChange]:
    cursor = None
    while True:
        page = engine.journal.changes(moment, workspace, after=cursor).result()
        yield from page.changes
        if (cursor := page.next) is None:
            return
