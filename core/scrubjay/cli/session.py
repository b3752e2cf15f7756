"""An engine for the time of a command, and progress on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from enum import StrEnum
from typing import Annotated, TypeAlias, TypeVar

import typer

from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError, WorkspaceMissing
from scrubjay.events import Event, IndexProgressed, Notice
from scrubjay.notes.scan import printable
from scrubjay.platform.logs import log_to
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import Workspace

T = TypeVar("T")

In: TypeAlias = Annotated[
    str | None, typer.Option("--workspace", help="Name or folder of one workspace.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class ModeName(StrEnum):
    """How to search."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


How: TypeAlias = Annotated[ModeName, typer.Option("--mode", help="Words, meaning, or both.")]

_PHASES = {
    "scanning": "Looking",
    "words": "Reading",
    "meaning": "Understanding",
    "refining": "Refining",
}


@contextlib.contextmanager
def opened() -> Iterator[Engine]:
    """An engine over the user's settings, closed at the end whatever happens."""
    paths = Paths.of_user()
    log_to(paths.logs, "scrubjay")
    engine = Engine(paths)
    engine.events.subscribe(_print_notice)
    try:
        yield engine
    finally:
        engine.close()


def chosen(engine: Engine, workspace: str | None) -> tuple[Workspace, ...]:
    """The workspace that was named, or all. Raises WorkspaceMissing when there is none."""
    if workspace is not None:
        return (engine.find_workspace(workspace),)
    listed = engine.workspaces()
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


def wait(engine: Engine, future: Future[T]) -> T:
    """The result of long work, with a progress bar on a terminal and none in a pipe."""
    if not sys.stderr.isatty():
        return future.result()
    # Imported late: programs that wait for the answer have no terminal and no bar.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    names = {workspace.id: workspace.name for workspace in engine.workspaces()}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[tuple[str, str], int] = {}

        def show(event: Event) -> None:
            if not isinstance(event, IndexProgressed) or not event.progress.total:
                return
            phase = event.progress.phase
            key = (event.workspace, phase)
            if key not in tasks:
                name = printable(names.get(event.workspace, ""))
                tasks[key] = bars.add_task(f"{_PHASES[phase]} {name}".strip())
            progress = event.progress
            bars.update(tasks[key], completed=progress.done, total=progress.total)  # type: ignore[arg-type]

        return wait_with_events(engine, future, show)


def wait_with_events(engine: Engine, future: Future[T], show: Callable[[Event], None]) -> T:
    """The result; show is called with every event until then."""
    unsubscribe = engine.events.subscribe(show)
    try:
        return future.result()
    finally:
        unsubscribe()


def _print_notice(event: Event) -> None:
    if isinstance(event, Notice):
        print(f"scrubjay: {event.title}. {event.message}", file=sys.stderr)
