"""Progress of long work on a terminal: bars for passes, downloads and comparisons."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import (
    IndexProgressed,
    ModelComparisonProgressed,
    ModelDownloadProgressed,
    ModelImportProgressed,
)
from scrubjay.records.model_records import DownloadProgress
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.printable import printable_label

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

T = TypeVar("T")

_PHASES = {
    "updating": "Updating",
    "scanning": "Looking",
    "words": "Reading",
    "meaning": "Understanding",
    "refining": "Refining",
    "pictures": "Reading pictures",
}
"""Phase of an index pass -> how its bar begins."""


def wait_with_progress(
    engine: Engine,
    future: Future[T],
    title: str = "",
    *,
    amounts: Sequence[type[ProgressColumn]] = (),
) -> T:
    """The result of long work, with progress bars on a terminal and none in a pipe.

    A bar with the title waits for progress; `amounts` are its columns, otherwise "3/14".
    """
    if not sys.stderr.isatty():
        return future.result()
    # Imported late: programs that wait for the answer have no terminal and no bar.
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    from scrubjay.cli.console import console

    names = {workspace.id: workspace.name for workspace in engine.workspaces()}
    columns = [TextColumn("{task.description}", markup=False), BarColumn()]
    columns += [column() for column in amounts or (MofNCompleteColumn,)]
    columns.append(TimeRemainingColumn())
    with Bars(*columns, console=console(to_errors=True), transient=True) as bars:
        # Each phase of each workspace has its own bar; all else shares the first one.
        tasks = {}
        if title:
            tasks[""] = bars.add_task(printable_label(title), total=None)

        def show(event: Event) -> None:
            step = _step(event, names, title=title)
            if step is None:
                return
            if step.bar not in tasks:
                tasks[step.bar] = bars.add_task("")
            bars.update(
                tasks[step.bar],
                description=printable_label(step.title),
                completed=step.done,
                total=step.total,
            )

        # Events come on other threads, which rich allows.
        unsubscribe = engine.events.subscribe(show)
        try:
            return future.result()
        finally:
            unsubscribe()


class _Step(Struct, frozen=True):
    """Progress of one bar."""

    bar: str
    """Key of the bar; empty for the first one."""
    title: str
    done: int
    total: int | None


def _step(event: Event, names: Mapping[WorkspaceId, str], title: str) -> _Step | None:
    """The progress that an event tells; None for all other events."""
    # The total of a scan is unknown, so that it has no bar.
    match event:
        case IndexProgressed(workspace, progress) if progress.amount[1]:
            phase = progress.phase
            title = f"{_PHASES[phase]} {names.get(workspace, '')}".strip()
            done, total = progress.amount
            return _Step(f"{phase} {workspace}", title, done=done, total=total)
        case ModelDownloadProgressed(_, DownloadProgress(done, total, phase=phase)):
            return _Step("", phase.capitalize(), done=done, total=total)
        case ModelImportProgressed(_, phase, done, total):
            return _Step("", phase.capitalize(), done=done, total=total)
        case ModelComparisonProgressed(done, total):
            return _Step("", title, done=done, total=total)
        case _:
            return None
