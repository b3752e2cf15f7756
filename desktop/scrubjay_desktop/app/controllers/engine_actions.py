"""Commands of the user for the engine, with a message for every failure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.platform.paths import Paths
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.workspaces.first_run import FirstRun, copy_sample, sample_folder, sample_name

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import Discovery, NotesFolder


class EngineActions(QObject):
    """Runs commands of the engine, and announces their failures in words."""

    workspaces_changed = Signal()
    refused = Signal(str)
    """An expected failure, as one sentence with a hint."""

    def __init__(
        self, engine: Engine, tasks: Tasks, paths: Paths, life: CancelToken, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._paths = paths
        self._life = life

    def ask(self, ask: Callable[[], Future[Any]], done: Callable[[], None] | None = None) -> None:
        """Begin something, and call done when it succeeded."""
        try:
            future = ask()
        except ScrubjayError as error:
            self.fail(error)
            return
        self._tasks.watch(
            future, self._life, done=lambda _: done() if done else None, failed=self.fail
        )

    def fail(self, error: ScrubjayError) -> None:
        """Announce an expected failure."""
        self.refused.emit(translated(str(error)))

    def add_folder(self, folder: Path, name: str | None = None) -> None:
        """Search a folder from now on."""
        self.ask(lambda: self._engine.add_workspace(folder, name), self.workspaces_changed.emit)

    def add_found(self, folders: tuple[NotesFolder, ...]) -> None:
        """Search from now on the folders that were discovered on this computer."""
        for folder in folders:
            self.add_folder(folder.root, folder.name)

    def add_sample(self) -> None:
        """Copy the sample notes to a folder of the user, and search them."""
        roots = {workspace.root for workspace in self._engine.workspaces()}
        if sample_folder(self._paths) in roots:
            return
        self._tasks.run(
            lambda: copy_sample(self._paths),
            self._life,
            done=lambda folder: self.add_folder(folder, sample_name()),
            failed=self.fail,
        )

    def forget(self, workspace_id: str) -> None:
        """Search a folder no more."""
        self.ask(lambda: self._engine.remove_workspace(workspace_id), self.workspaces_changed.emit)

    def refresh(self, workspace_id: str) -> None:
        """Look for changes; in all folders when none is named."""
        self.ask(lambda: self._engine.refresh(workspace_id or None))

    def leave_out(self, workspace_id: str, path: str) -> None:
        """Skip a file that cannot be read until it changes."""
        self.ask(lambda: self._engine.notes.set_skipped(workspace_id, path, is_skipped=True))

    def take_back(self, workspace_id: str, path: str) -> None:
        """Skip it no more."""
        self.ask(lambda: self._engine.notes.set_skipped(workspace_id, path, is_skipped=False))

    def rebuild(self, workspace_id: str) -> None:
        """Read every note of a folder again."""
        self.ask(lambda: self._engine.refresh(workspace_id, force=True))

    def send(self, workspace_id: str) -> None:
        """Index with the user's consent to send notes to a remote provider."""
        self.ask(lambda: self._engine.refresh(workspace_id, may_send=True))

    def look_around(self, page: FirstRun) -> None:
        """Show on the first page which notes are on this computer already."""

        def show(discovery: Discovery) -> None:
            page.show_found(discovery, dt.datetime.now().astimezone())

        life = self._life
        from scrubjay.onboarding.discovery import discover

        self._tasks.run(lambda: discover(Path.home(), cancel=life), life, done=show)
