"""An engine for the time of a command, and progress on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from scrubjay.cli.terminal import print_line
from scrubjay.config.loading import SETTLE_S
from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError, WorkspaceMissing
from scrubjay.event_bus import Event
from scrubjay.events import (
    IndexProgressed,
    ModelComparisonProgressed,
    ModelDownloadProgressed,
    Notice,
)
from scrubjay.platform.logs import log_to
from scrubjay.platform.paths import Paths
from scrubjay.records.model_records import DownloadProgress
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import Progress
from scrubjay.text.printable import printable

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

T = TypeVar("T")

_PHASES = {
    "scanning": "Looking",
    "words": "Reading",
    "meaning": "Understanding",
    "refining": "Refining",
}


@contextlib.contextmanager
def opened(*, is_patient: bool = True) -> Iterator[Engine]:
    """An engine over the user's settings, closed at the end whatever happens.

    A patient command waits until settings that may stand there for a moment only have settled.
    """
    paths = Paths.of_user()
    log_to(paths.logs, "scrubjay")
    engine = Engine(paths)
    if is_patient and not engine.settings.is_settled:
        time.sleep(SETTLE_S)
        engine.reload_settings().result()

    def show(event: Event) -> None:
        if isinstance(event, Notice):
            print_line(f"scrubjay: {event.title}. {event.message}", to_errors=True)

    engine.events.subscribe(show)
    try:
        yield engine
    finally:
        engine.close()


def chosen(
    engine: Engine, workspace: str | None, *, with_shared: bool = False
) -> tuple[Workspace, ...]:
    """The workspace that was named, or all. Raises WorkspaceMissing when there is none."""
    if workspace is not None:
        return (engine.find_workspace(workspace),)
    listed = engine.searchable_workspaces() if with_shared else engine.workspaces()
    if not listed and engine.settings.broken:
        reasons = " ".join(f"{each.key}: {each.reason}" for each in engine.settings.problems)
        raise ConfigError(
            "The settings file cannot be used", reasons, hint=f"Correct {engine.paths.config_file}."
        )
    if not listed:
        raise WorkspaceMissing(
            "There are no notes to search yet",
            hint="Add a folder with `scrubjay workspace add FOLDER`.",
        )
    return listed


def wait(engine: Engine, future: Future[T], first: str = "", *amounts: type[ProgressColumn]) -> T:
    """The result of long work, with progress bars on a terminal and none in a pipe.

    A bar with the title `first` waits for progress; `amounts` are its columns, else "3/14".
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
        tasks = {"": bars.add_task(printable(first), total=None)} if first else {}

        def show(event: Event) -> None:
            key, title = "", first
            match event:
                case IndexProgressed(workspace, Progress(phase, done, total)) if total:
                    key = f"{phase} {workspace}"
                    title = f"{_PHASES[phase]} {names.get(workspace, '')}".strip()
                case ModelDownloadProgressed(_, DownloadProgress(done, total, phase=phase)):
                    title = phase.capitalize()
                case ModelComparisonProgressed(done, total):
                    pass
                case _:
                    return
            if key not in tasks:
                tasks[key] = bars.add_task("")
            bars.update(tasks[key], description=printable(title), completed=done, total=total)

        unsubscribe = engine.events.subscribe(show)
        try:
            return future.result()
        finally:
            unsubscribe()
