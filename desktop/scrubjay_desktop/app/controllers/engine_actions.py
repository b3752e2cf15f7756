"""Commands of the user for the engine, with a message for every failure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QStandardPaths, Signal

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.workspaces.first_run import FirstRun
from scrubjay_desktop.workspaces.sample_notes import (
    copy_sample_notes,
    sample_notes_folder,
    sample_notes_name,
)

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import Discovery, NotesFolder


class EngineActions(QObject):
    """Runs commands of the engine, and announces their failures in words."""

    workspaces_changed = Signal()
    added = Signal(object)
    """Signal with a workspace whose folder was chosen for it just now."""
    refused = Signal(str)
    """Signal with an expected failure, as one sentence with a hint."""

    def __init__(self, engine: Engine, tasks: Tasks, *, life: CancelToken, parent: QObject) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._life = life

    def ask(self, ask: Callable[[], Future[Any]], done: Callable[[], None] | None = None) -> None:
        """Begin something, and call done when it has succeeded."""
        # What is refused at once is told just as what fails later.
        try:
            future = ask()
        except ScrubjayError as error:
            self.fail(error)
            return

        def succeed(_: object) -> None:
            if done is not None:
                done()

        self._tasks.watch(future, self._life, done=succeed, failed=self.fail)

    def fail(self, error: ScrubjayError) -> None:
        """Announce an expected failure."""
        self.refused.emit(translated(str(error)))

    def add_folder(self, folder: Path, name: str | None = None) -> None:
        """Search a folder from now on."""
        # A folder that is in the list already is not added again, and its name is what the person
        # needs.
        listed = {workspace.id for workspace in self._engine.workspaces()}

        def done(workspace: Workspace) -> None:
            self.workspaces_changed.emit()
            if workspace.id in listed:
                words = self.tr("Scrubjay already searches the folder {name}.")
                self.refused.emit(words.format(name=workspace.name))
            elif name is None:
                self.added.emit(workspace)

        future = self._engine.add_workspace(folder, name)
        self._tasks.watch(future, self._life, done=done, failed=self.fail)

    def add_found(self, folders: tuple[NotesFolder, ...]) -> None:
        """Search from now on the folders that were discovered on this computer."""
        for folder in folders:
            self.add_folder(folder.root, folder.name)

    def add_sample(self) -> None:
        """Copy the sample notes to a folder of the user, and search them."""
        # The sample is a folder like others, and is added only once.
        roots = {workspace.root for workspace in self._engine.workspaces()}
        paths = self._engine.paths
        if sample_notes_folder(paths) in roots:
            return
        self._tasks.run(
            lambda: copy_sample_notes(paths),
            self._life,
            done=lambda folder: self.add_folder(folder, sample_notes_name()),
            failed=self.fail,
        )

    def forget(self, workspace: Workspace) -> None:
        """Stop searching a folder."""
        self.ask(lambda: self._engine.folders.remove(workspace), self.workspaces_changed.emit)

    def refresh(self, workspace: Workspace | None = None) -> None:
        """Look for changes; in all folders when none is named."""
        self._index(workspace)

    def set_skipped(self, workspace: Workspace, path: str, *, is_skipped: bool) -> None:
        """Skip a file that cannot be read until it changes, or stop skipping it."""
        folders = self._engine.folders
        file = NoteAddress(workspace.id, path)
        self.ask(lambda: folders.set_skipped(file, is_skipped=is_skipped))

    def rebuild(self, workspace: Workspace) -> None:
        """Read every note of a folder again."""
        self._index(workspace, force=True)

    def send(self, workspace: Workspace) -> None:
        """Index with the user's consent to send notes to a remote provider."""
        self._index(workspace, may_send=True)

    def _index(self, workspace: Workspace | None, **flags: bool) -> None:
        """Begin a pass that a person wants, and that may ask for the keychain again."""
        self._engine.keys.ask_again()
        self.ask(lambda: self._engine.refresh(workspace, **flags))

    def look_around(self, page: FirstRun) -> None:
        """Show on the first page which notes are on this computer already."""

        def show(discovery: Discovery) -> None:
            page.show_found(discovery, dt.datetime.now().astimezone())

        life = self._life
        # Imported late: most starts of the app never show the first page.
        from scrubjay.onboarding.discovery import discover_notes

        documents = Path(
            QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        )
        self._tasks.run(
            lambda: discover_notes(Path.home(), cancel=life, documents=documents), life, done=show
        )
