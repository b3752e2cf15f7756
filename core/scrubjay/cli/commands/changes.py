"""`scrubjay changes`: notes that changed since a day."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated, Any

from scrubjay.cli import output
from scrubjay.cli.arguments import Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.session import open_engine, select_workspaces
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexLocked, QueryError
from scrubjay.records.journal_records import (
    ChangeKind,
    DiffLine,
    LineKind,
    NoteChange,
    NoteDifference,
)
from scrubjay.records.note_records import Workspace
from scrubjay.search.query.dates import named_periods
from scrubjay.text.age import local_midnight

_KINDS = {
    ChangeKind.ADDED: "+",
    ChangeKind.CHANGED: "~",
    ChangeKind.REMOVED: "-",
    ChangeKind.MOVED: ">",
}
_LINES = {LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.SAME: " "}


def list_changes(
    since: Annotated[
        str, Option(help='First day to show, such as 2026-11-20, yesterday or "last Monday".')
    ] = "yesterday",
    workspace: In = None,
    diff: Annotated[bool, Option("--diff", help="Also show the changed lines.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which notes were added, changed, moved or removed since a day."""
    moment = start_of_day(since, dt.date.today())
    with open_engine() as engine:
        searched = select_workspaces(engine, workspace)
        only = None
        if workspace:
            only = searched[0]
        # When another Scrubjay is indexing, its results are read.
        with contextlib.suppress(IndexLocked):
            wait_with_progress(engine, engine.refresh(only, words_only=True))
        _warn_of_unavailable(engine, searched)
        changes = list(_all(engine, moment, only))
        # A folder that was moved is one line for people, and all its notes for programs.
        if as_json or diff:
            changes = list(chain.from_iterable(each.moved or (each,) for each in changes))
        differences: list[NoteDifference | None] = [None] * len(changes)
        if diff:
            journal = engine.journal
            differences = [journal.difference(each.address, moment).result() for each in changes]
    if as_json:
        rows = list(map(_change_fields, changes, differences))
        output.print_json({"since": moment, "changes": rows})
        return
    names = {}
    if len(searched) > 1:
        names = {each.id: f"{each.name}: " for each in searched}
    if not changes:
        print_line(f"No changes since {moment:%Y-%m-%d} were found.")
    for change, difference in zip(changes, differences, strict=True):
        path = names.get(change.workspace, "") + _shown_path(change)
        print_line(f"{_KINDS[change.kind]} {path}", f"{change.moment:%Y-%m-%d %H:%M}")
        if difference is not None:
            _print_difference(difference)


def _warn_of_unavailable(engine: Engine, searched: Sequence[Workspace]) -> None:
    """Print which folders are unavailable, since nobody knows what changes in them."""
    names = {each.id for each in searched}
    for each in engine.status().workspaces:
        if each.away and each.workspace.id in names:
            output.print_warning(f"{each.workspace.name}: {each.error}")


def _change_fields(change: NoteChange, difference: NoteDifference | None) -> dict[str, Any]:
    """A change for JSON, with its lines where they were asked for."""
    row: dict[str, Any] = {
        "workspace": change.workspace,
        "path": change.path,
        "kind": change.kind,
        "title": change.title,
        "modified": change.moment,
    }
    # Fields that say nothing are omitted.
    if change.former_path:
        row["formerPath"] = change.former_path
    if difference is not None:
        row["isKnown"] = difference.is_known
        row["lines"] = [output.json_fields(line, number="line") for line in difference.lines]
    return row


def _print_difference(difference: NoteDifference) -> None:
    """Print the lines that were added and removed, and those around them."""
    if not difference.is_known:
        print_line("    (the earlier text is no longer available)")
    print_diff_lines(difference.lines)


def print_diff_lines(lines: Iterable[DiffLine]) -> None:
    """Print the lines of a difference, each behind its sign."""
    for line in lines:
        if line.kind is LineKind.GAP:
            print_line(f"    ... {line.number} unchanged lines")
        else:
            print_line(f"    {_LINES[line.kind]} {line.text}".rstrip())


def _shown_path(change: NoteChange) -> str:
    """The path of a note or a moved folder, with the former one."""
    if change.moved:
        return f"{change.path}/ ({len(change.moved)} notes, were in {change.former_path}/)"
    if change.former_path:
        return f"{change.path} (was {change.former_path})"
    return change.path


def start_of_day(words: str, today: dt.date) -> dt.datetime:
    """Local time at which the named day begins. Raises QueryError for words that name none."""
    periods = named_periods(words, today)
    if not periods:
        raise QueryError(
            f"{words} is not a day",
            hint="Enter a date such as 2026-11-20, or a word such as yesterday.",
        )
    return local_midnight(min(period.first for period in periods))


def _all(engine: Engine, moment: dt.datetime, only: Workspace | None) -> Iterator[NoteChange]:
    """All changes since a moment, page by page, in one workspace or in all."""
    page = engine.journal.changes(moment, only).result()
    yield from page.changes
    while page.next is not None:
        page = engine.journal.changes(moment, only, after=page.next).result()
        yield from page.changes
