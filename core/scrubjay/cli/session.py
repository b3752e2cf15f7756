"""The engine of one command, and the workspaces that a command names."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from scrubjay.cli.harmless_output import print_line
from scrubjay.config.loading import SETTLE_S
from scrubjay.engine.engine import Engine
from scrubjay.errors import ConfigError, WorkspaceMissing
from scrubjay.event_bus import Event
from scrubjay.events import Notice
from scrubjay.platform.logs import configure_logging
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import COMMAND_LIMITS
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId


@contextlib.contextmanager
def open_engine(*, is_patient: bool = True) -> Iterator[Engine]:
    """An engine over the user's settings, closed at the end whatever happens.

    A patient command waits until settings that may stand there for a moment only have settled.
    """
    paths = Paths.of_user()
    configure_logging(paths.logs, "scrubjay")
    engine = Engine(paths, limits=COMMAND_LIMITS)
    # An editor may be in the middle of writing the file.
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


def find_workspace(engine: Engine, name: str | None) -> Workspace | None:
    """The workspace with a name that was typed; None where none was."""
    if not name:
        return None
    return engine.find_workspace(name)


def requested_workspace_id(workspace: Workspace | None) -> WorkspaceId | None:
    """Id of a workspace for requests, in which None stands for all."""
    if workspace is None:
        return None
    return workspace.id


def select_workspaces(
    engine: Engine, name: str | None, *, with_shared: bool = False
) -> tuple[Workspace, ...]:
    """The workspace that was named, or all. Raises WorkspaceMissing when there is none."""
    if name is not None:
        return (engine.find_workspace(name),)
    if with_shared:
        listed = engine.searchable_workspaces()
    else:
        listed = engine.workspaces()
    # A settings file that cannot be used is the reason for an empty list, so it is said first.
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
