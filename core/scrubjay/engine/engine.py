"""The facade of the core."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.futures import flatten_future
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.engine.engine_parts import EngineParts
from scrubjay.messages import msg
from scrubjay.platform.paths import Paths, expanded_path
from scrubjay.platform.temporary_files import delete_left_behind
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import (
    SECOND_LOOK_SECONDS,
    ContextAnswer,
    SearchAnswer,
    SearchRequest,
)
from scrubjay.records.status_records import EngineStatus, IndexReport
from scrubjay.records.workspace_id import WorkspaceId

if TYPE_CHECKING:
    from scrubjay.agents.access.access_control import AccessControl
    from scrubjay.agents.connect.connections import Connections
    from scrubjay.agents.dreaming.dreaming import Dreams
    from scrubjay.agents.edits.agent_edits import AgentEdits
    from scrubjay.agents.recall.recall import Recall
    from scrubjay.answers.journal import Journal
    from scrubjay.answers.relations import Relations
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.config.loading import LoadedSettings
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.engine.folder_commands import FolderCommands
    from scrubjay.engine.key_commands import ApiKeys
    from scrubjay.engine.model_commands import ModelCommands
    from scrubjay.engine.note_commands import NoteCommands
    from scrubjay.engine.sharing_commands import SharingCommands
    from scrubjay.engine.undoable_settings import SettingsEditor
    from scrubjay.engine.uninstallation import Uninstall
    from scrubjay.health.checkup import Health
    from scrubjay.note_import.note_import import NoteImport
    from scrubjay.onboarding.setup_import import Importer
    from scrubjay.updates.check import Updates
    from scrubjay.workspaces.open_workspace import LocalWorkspace


class Engine(LazyParts):
    """The facade that the app, the command line and agents use. For any thread."""

    def __init__(
        self,
        paths: Paths,
        *,
        provider: EmbeddingProvider | None = None,
        limits: EngineLimits = DEFAULT_LIMITS,
    ) -> None:
        """Read the settings; nothing is started yet. A provider that is passed replaces theirs."""
        self.paths = paths
        paths.make_private()
        delete_left_behind(paths)
        self._parts = EngineParts(paths, provider, limits)
        self.events = self._parts.events
        self._registry = self._parts.registry

    @property
    def _jobs(self) -> SearchThread:
        return self._parts.words

    # -- settings and workspaces --------------------------------------------------------------

    @property
    def settings(self) -> LoadedSettings:
        """The settings file as it was read, with its problems."""
        return self._registry.loaded

    def reload_settings(self) -> Future[tuple[str, ...]]:
        """Keys of changes, once the settings file is applied; after `start` that happens by itself.

        An unusable file changes nothing: `settings.problems` and a Notice say why.
        """
        return self._parts.settings_reload.reload()

    def catch_up_with_settings(self) -> Future[object]:
        """Done once edits of the settings file since the last time are applied.

        For processes in which no watcher follows the file.
        """
        return self._parts.settings_reload.catch_up()

    def workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces in the order of the settings, also those that are off."""
        return self._registry.records()

    def readable_workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces that the settings do not turn off."""
        return tuple(each.record for each in self._registry.readable())

    def check_on(self, workspace: Workspace) -> None:
        """Raise SearchOff for a workspace that is off, WorkspaceMissing for one not listed."""
        self._registry.get(workspace.id)

    def searchable_workspaces(self) -> tuple[Workspace, ...]:
        """All workspaces, and after them those of shared memories as they were last known."""
        return tuple(each.record for each in self._registry.with_shared())

    def workspace(self, workspace_id: WorkspaceId) -> Workspace:
        """The workspace with an id, whatever others are called. Raises WorkspaceMissing."""
        return self._registry.find(workspace_id).record

    def find_workspace(self, name_or_path: str) -> Workspace:
        """The workspace that a person means by a name, id or folder. Raises WorkspaceMissing."""
        return self._registry.named(name_or_path).record

    def open_folder(self, root: Path) -> Workspace:
        """A folder to index and search in this run only. Raises WorkspaceMissing."""
        return self._registry.guest(root).record

    def check_drive(self, path: Path) -> None:
        """Raise DriveSilent where the drive of a path does not answer. Waits for it."""
        self._parts.index_io.check(path)

    @queued
    def add_workspace(self, root: Path, name: str | None = None) -> Workspace:
        """Put a folder on the list. The future may raise WorkspaceMissing or ConfigError."""
        workspace = self._registry.add(root, name)
        self._parts.settings_reload.follow()
        return workspace.record

    # -- indexing -----------------------------------------------------------------------------

    def start(self) -> None:
        """Follow the notes from now on: watch all folders and update all indexes."""
        parts = self._parts
        parts.library.keep_trying(parts.timers, parts.limits.pause_before)
        parts.library.resume()
        parts.words.submit(parts.words.show_what_is_there)
        parts.auto_index.start()
        parts.pool.submit(parts.deletions_elsewhere.finish)
        # Other processes leave indexing and questions to the user to this one from here on.
        self.agents.announce_presence()
        parts.settings_reload.watch(self.paths.config_file)
        if self.settings.settings.updates.check:
            self.updates.check_when_due()
        self.dreams.schedule.start()
        parts.qmd.updates.start()
        self.share_from_now_on()

    def share_from_now_on(self) -> None:
        """Publish the folders that are shared after each change, and look at shared memories."""
        parts = self._parts
        if self._registry.publish_settings():
            parts.publish_queue.start()
        if self._registry.shared_places():
            parts.shared.look()

    def refresh(
        self,
        record: Workspace | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Future[tuple[IndexReport, ...]]:
        """Update one index, or all of them. With force, every file is read again.

        `may_send` is the yes to a BackfillAsked: without it a remote provider gets only small
        changes to notes that it was once allowed to have. Raises WorkspaceMissing or SearchOff; the
        future may raise Cancelled or IndexUnavailable.
        """
        workspace: LocalWorkspace | None = None
        if record:
            hint = msg(
                "The notes in this folder are read on another computer. On this "
                "computer, you can only search them."
            )
            workspace = self._registry.local(record.id, hint)
        return self._parts.auto_index.refresh(
            workspace, force=force, words_only=words_only, may_send=may_send
        )

    def cancel_indexing(self) -> None:
        """Stop passes that run or wait, keeping committed documents."""
        self._parts.index.cancel()

    def pause(self, minutes: float | None = None, *, for_battery: bool = False) -> None:
        """Stop indexing for some minutes, or until resume; `for_battery` shows in the status."""
        self._parts.auto_index.pause(minutes, for_battery=for_battery)

    def resume(self) -> None:
        """Go on with indexing from where it stopped."""
        self._parts.auto_index.resume()

    # -- searching and status ----------------------------------------------------------------

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """Answer a request. The future may raise Cancelled, QueryError or IndexUnavailable."""
        return self._parts.backend.search(request, cancel)

    def read_again(self, answer: SearchAnswer, cancel: CancelToken) -> Future[SearchAnswer]:
        """An answer with its first hits read again; as it is if no result reader does that.

        The future may raise Cancelled.
        """
        found: Future[SearchAnswer] = Future()
        found.set_result(answer)
        request = replace(answer.request, second_look_seconds=SECOND_LOOK_SECONDS)
        # Not on the caller's thread, since the first time a part is made that takes long to import.
        reading = self._parts.meaning.submit(
            lambda: self._parts.result_reader.read_again(found, request, cancel)
        )
        return flatten_future(reading)

    @property
    def is_reader_warm(self) -> bool:
        """Whether a result reader is loaded, so that a second look takes less than a second."""
        return self._parts.is_made("result_reader") and self._parts.result_reader.is_warm

    def context(self, request: SearchRequest, cancel: CancelToken) -> Future[ContextAnswer]:
        """Hits for a whole message, with a digest; nothing for greetings and commands.

        The future may raise Cancelled or IndexUnavailable.
        """
        from scrubjay.answers.message_context import message_context

        return message_context(self.search, request, cancel)

    def status(self) -> EngineStatus:
        """The status right now, without looking at any file."""
        return self._parts.status()

    def current_status(self) -> Future[EngineStatus]:
        """Status with the sizes and facts of all indexes as they are on disk."""
        return self._parts.words.submit(self._parts.detailed_status)

    def diagnostics(self, *about: str) -> Future[str]:
        """A report for finding faults, with `about` in it and without text of notes and keys."""
        from scrubjay.health.diagnostics import diagnostics

        return self._parts.words.submit(
            lambda: diagnostics(self.paths, self.settings, self._parts.current_status(), about)
        )

    def close(self) -> None:
        """Stop everything within two seconds, keeping committed documents."""
        # First what begins work by itself, so that nothing new comes while the rest ends.
        parts = self._parts
        parts.timers.close()
        parts.close_made("qmd", "publish_queue")
        self.close_made("health", "importer", "note_import")
        if parts.is_made("auto_index") and parts.auto_index.is_on:
            parts.board.save(parts.last_numbers)
        parts.close_made("auto_index")
        # Threads that wait for a key or for vectors are let go first, and then end at once.
        parts.keychain.close()
        self.close_made("sharing", "keys", "settings_editor")
        parts.close_made("providers", "result_reader", "comparisons", "library", "shared")
        self.close_made("recall", "dreams", "agents", "connections", "updates")
        parts.daily_notes.close(seconds=1)
        # What others submit to goes last.
        parts.close_made("index", "meaning")
        self.close_made("journal", "relations")
        parts.close_made("words", "page_client", "picture_texts", "converter")

    # -- parts for users and agents -----------------------------------------------------------

    @lazy
    def models(self) -> ModelCommands:
        """Commands about models."""
        from scrubjay.engine.model_commands import ModelCommands

        return ModelCommands(self._parts)

    @lazy
    def folders(self) -> FolderCommands:
        """Commands about folders."""
        from scrubjay.engine.folder_commands import FolderCommands

        return FolderCommands(self._parts, self._drop)

    @lazy
    def notes(self) -> NoteCommands:
        """Commands about notes."""
        from scrubjay.engine.note_commands import NoteCommands

        return NoteCommands(self._parts)

    @lazy
    def sharing(self) -> SharingCommands:
        """Commands about memories that a team shares."""
        from scrubjay.engine.sharing_commands import SharingCommands

        return SharingCommands(self._parts, self.share_from_now_on)

    @lazy
    def keys(self) -> ApiKeys:
        """API keys of services, in the system's keychain."""
        from scrubjay.engine.key_commands import ApiKeys

        return ApiKeys(self._parts)

    @lazy
    def settings_editor(self) -> SettingsEditor:
        """Single settings, changed one at a time."""
        from scrubjay.engine.undoable_settings import SettingsEditor

        return SettingsEditor(self._parts)

    @lazy
    def updates(self) -> Updates:
        """Check for a newer Scrubjay."""
        from scrubjay.updates.check import Updates

        return Updates(
            self.paths, self._parts.pool, network=self._parts.network, events=self.events
        )

    @lazy
    def connections(self) -> Connections:
        """Our entry in the settings of agents."""
        from scrubjay.agents.connect.connections import Connections

        return Connections(self.paths, self._parts.pool, registry=self._registry)

    @lazy
    def agents(self) -> AccessControl:
        """Rules, questions and the audit log of agents."""
        from scrubjay.agents.access.access_control import AccessControl

        return AccessControl(
            self.paths, self._parts.pool, events=self.events, registry=self._registry
        )

    @lazy
    def edits(self) -> AgentEdits:
        """Changes to notes that agents made or proposed."""
        from scrubjay.agents.edits.agent_edits import AgentEdits

        parts = self._parts
        return AgentEdits(
            self.paths.state / "edits",
            parts.daily_notes,
            registry=self._registry,
            io_timeouts=parts.index_io,
            events=self.events,
        )

    @lazy
    def journal(self) -> Journal:
        """Notes and their changes by the day."""
        from scrubjay.answers.journal import Journal

        # A third thread, because comparing notes with their former text takes long.
        return Journal(self._parts.search_thread("journal"), self._registry)

    @lazy
    def relations(self) -> Relations:
        """Notes that belong to a note."""
        from scrubjay.answers.relations import Relations

        return Relations(self._parts.search_thread("relations"), self._registry)

    @lazy
    def recall(self) -> Recall:
        """Reminders for agents, and captured sentences of the user."""
        from scrubjay.agents.recall.recall import Recall

        parts = self._parts
        return Recall(
            self,
            self.notes.remember,
            similarity=parts.similarity,
            pool=parts.pool,
            io_timeouts=parts.search_io,
            converter=parts.converter,
        )

    @lazy
    def dreams(self) -> Dreams:
        """Promotion of lines that agents find again and again."""
        from scrubjay.agents.dreaming.dreaming import Dreams

        parts = self._parts
        return Dreams(
            self, parts.similarity, timers=parts.timers, pool=parts.pool, io_timeouts=parts.index_io
        )

    @lazy
    def importer(self) -> Importer:
        """Import of setups of other programs."""
        from scrubjay.onboarding.setup_import import Importer

        return Importer(self.paths, self._parts.pool, self, io_timeouts=self._parts.index_io)

    @lazy
    def note_import(self) -> NoteImport:
        """Import of notes from exports of other programs."""
        from scrubjay.note_import.note_import import NoteImport

        parts = self._parts
        # An import adds its folder to the list, and its undo takes it off again.
        return NoteImport(
            self.paths,
            parts.pool,
            publish=self.events.publish,
            search=self._search_imported,
            forget=self._forget_imported,
            io_timeouts=parts.index_io,
        )

    @lazy
    def health(self) -> Health:
        """Checkup of notes and system, with fixes."""
        from scrubjay.engine.connection_findings import ConnectionFindings
        from scrubjay.health.checkup import Health

        parts = self._parts
        return Health(
            self.paths,
            SerialQueue(parts.pool),
            self._registry,
            parts.library,
            parts.keychain,
            lambda: parts.words.submit(parts.current_status),
            self._registry.user_skips,
            lambda: self.sharing.look() if parts.shares_anything else None,
            lambda workspace, force: parts.auto_index.refresh(workspace, force=force),
            parts.auto_index.suspect,
            parts.index_io,
            ConnectionFindings(self.connections),
            parts.priority.until_rest,
        )

    @lazy
    def uninstall(self) -> Uninstall:
        """What is stored on this computer, and its removal."""
        from scrubjay.engine.uninstallation import Elsewhere, Uninstall
        from scrubjay.models.model_files import ModelFiles

        # Notes are in the folders of the list, and in those that are searched with each of them.
        roots = [each.root for each in self._registry.all()]
        for each in self._registry.all():
            roots += [each.root / expanded_path(Path(path)) for path in each.settings.extra_paths]
        chosen = self.settings.settings.memory_search.local.model_cache_dir
        folders = dict.fromkeys((self.paths.models, ModelFiles(self.paths, chosen).folder))
        indexes = [each.index_file for each in self._registry.all()]
        indexes += self._parts.deletions_elsewhere.files()
        return Uninstall(
            self.paths,
            SerialQueue(self._parts.pool),
            self.connections,
            keychain=self._parts.keychain,
            elsewhere=Elsewhere(roots, model_folders=tuple(folders), indexes=indexes),
        )

    def _search_imported(self, folder: Path) -> bool:
        """Search a folder of imported notes from now on; return whether it was not searched yet."""
        if any(folder.is_relative_to(each.root) for each in self.workspaces()):
            return False
        self.add_workspace(folder).result()
        return True

    def _forget_imported(self, folder: Path) -> None:
        """Stop searching a folder whose import is undone."""
        for each in self.workspaces():
            if each.root == folder:
                self.folders.remove(each).result()

    def _drop(self, workspace: LocalWorkspace) -> None:
        """Delete what parts for agents keep of a workspace."""
        self.recall.drop(workspace.record)
        self.dreams.drop(workspace.record)
        self.edits.drop(workspace.record)
