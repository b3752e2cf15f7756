"""What the app needs of the core's Engine, so that tests can bring a small one of their own."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scrubjay import (
        AccessControl,
        ApiKeys,
        CancelToken,
        Connections,
        DocumentInfo,
        Dreams,
        EngineStatus,
        EventBus,
        Health,
        Importer,
        IndexReport,
        JournalDays,
        JournalPlace,
        ModelComparison,
        ModelInfo,
        NoteChanges,
        NoteDifference,
        NotesOfDays,
        Recall,
        Remembered,
        SearchAnswer,
        SearchRequest,
        SettingsEditor,
        SkipCommands,
        Workspace,
    )


class NotesJournal(Protocol):
    """The part of `scrubjay.Journal` that the timeline uses."""

    def days(
        self, first: dt.date, last: dt.date, workspace: str | None = None
    ) -> Future[JournalDays]:
        """How much was written on which day."""

    def notes(
        self,
        first: dt.date,
        last: dt.date,
        workspace: str | None = None,
        *,
        after: JournalPlace | None = None,
        limit: int = 200,
    ) -> Future[NotesOfDays]:
        """The notes of some days, page by page."""

    def changes(
        self,
        since: dt.datetime,
        workspace: str | None = None,
        *,
        after: JournalPlace | None = None,
        limit: int = 200,
    ) -> Future[NoteChanges]:
        """What was added, changed or removed since a moment, page by page."""

    def difference(self, workspace: str, path: str, since: dt.datetime) -> Future[NoteDifference]:
        """How the lines of a note changed."""


class NotesEngine(Protocol):
    """The part of `scrubjay.Engine` that the windows use. Every method returns at once."""

    @property
    def events(self) -> EventBus:
        """Announces on other threads; listen through the bridge."""

    @property
    def settings_editor(self) -> SettingsEditor:
        """Reads and writes single settings."""

    @property
    def keys(self) -> ApiKeys:
        """API keys in the system keychain."""

    @property
    def agents(self) -> AccessControl:
        """What agents may do, and what they did."""

    @property
    def connections(self) -> Connections:
        """Connects agents to these notes."""

    @property
    def dreams(self) -> Dreams:
        """Proposes what belongs into MEMORY.md."""

    @property
    def recall(self) -> Recall:
        """Keeps what people tell agents."""

    @property
    def importer(self) -> Importer:
        """Brings over what other programs have set up."""

    @property
    def skip_commands(self) -> SkipCommands:
        """Leaves single files out that cannot be read."""

    @property
    def health(self) -> Health:
        """Checks up on notes and on what is around them."""

    def start(self) -> None:
        """Begin to watch and to refresh."""

    def status(self) -> EngineStatus:
        """Everything the engine knows about itself."""

    def current_status(self) -> Future[EngineStatus]:
        """The same, with the sizes of all indexes as they are on disk."""

    def diagnostics(self, *about: str) -> Future[str]:
        """What helps to find a fault, for a person to look through."""

    def workspaces(self) -> tuple[Workspace, ...]:
        """The folders that are searched."""

    def add_workspace(self, root: Path, name: str | None = None) -> Future[Workspace]:
        """Search this folder from now on."""

    def remove_workspace(self, workspace_id: str) -> Future[None]:
        """Forget the folder; its notes stay untouched."""

    def refresh(
        self, workspace_id: str | None = None, *, force: bool = False, may_send: bool = False
    ) -> Future[tuple[IndexReport, ...]]:
        """Compare disk and index; all workspaces when none is named.

        May_send lets the notes go to the remote provider that the settings choose.
        """

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """Find notes."""

    def read(self, workspace_id: str, path: str) -> Future[str]:
        """The whole text of one note."""

    def recent(self, limit: int = 10) -> Future[tuple[DocumentInfo, ...]]:
        """The notes that changed last, newest first."""

    @property
    def journal(self) -> NotesJournal:
        """Notes by the day, and what changed."""

    def remember(self, workspace_id: str, text: str) -> Future[Remembered]:
        """Append to today's file of a workspace."""

    def undo_remember(self, remembered: Remembered) -> Future[bool]:
        """Take that back; False when the file says something else there now."""

    def models(self) -> Future[tuple[ModelInfo, ...]]:
        """All models that can be had or are here."""

    def download_model(self, model: str, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Fetch a model, or go on with it."""

    def pause_download(self, model: str) -> None:
        """Keep what has arrived."""

    def cancel_download(self, model: str) -> Future[None]:
        """Delete what has arrived."""

    def import_model(self, file: Path, *, accept_terms: bool = False) -> Future[ModelInfo]:
        """Check a model file and copy it."""

    def remove_model(self, model: str) -> Future[str]:
        """Delete a model that is not used."""

    def use_model(self, model: str) -> Future[ModelInfo]:
        """Search by meaning with another model; the old one answers until all notes are read."""

    def compare_models(
        self, first: str, second: str, workspace_id: str | None, cancel: CancelToken
    ) -> Future[ModelComparison]:
        """Find out which of two models finds more in the notes."""

    def pause(self, minutes: float | None = None, *, for_battery: bool = False) -> None:
        """Stop indexing for a while, or until resumed."""

    def resume(self) -> None:
        """Go on with indexing."""

    def close(self) -> None:
        """Stop all threads and children. Blocks for up to two seconds."""
