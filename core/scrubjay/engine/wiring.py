"""What the engine is made of: each part is imported and made when it is first wanted.

A window needs the list of workspaces and what is known of them, and shows at once; searching,
indexing and the model follow while it is being painted.
"""

from __future__ import annotations

import functools
from concurrent.futures import Future
from typing import TYPE_CHECKING

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.lazy import Late, late
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.concurrency.timers import Timers
from scrubjay.concurrency.yielding import SearchPriority, YieldingCancelToken
from scrubjay.events import EventBus, ModelChanged
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import IndexReport, ModelStatus
from scrubjay.workspaces.registry import AppliedSettings, Registry
from scrubjay.workspaces.status_board import StatusBoard

if TYPE_CHECKING:
    from pathlib import Path

    from scrubjay.agents.access.access_control import AccessControl
    from scrubjay.agents.connect.connections import Connections
    from scrubjay.answers.deadline import DeadlineSearch
    from scrubjay.answers.journal import Journal
    from scrubjay.answers.search_service import SearchService
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.embedding.remote.credentials import RemoteAccess
    from scrubjay.embedding.selection.active_provider import ActiveProvider
    from scrubjay.embedding.similarity import Likeness
    from scrubjay.engine.api_keys import ApiKeys
    from scrubjay.engine.settings_editor import SettingsEditor
    from scrubjay.engine.settings_reload import SettingsReload
    from scrubjay.evaluation.model_comparison import ModelComparisons
    from scrubjay.index.auto_index import AutoIndexer
    from scrubjay.index.index_thread import IndexThread
    from scrubjay.models.library.model_library import ModelLibrary
    from scrubjay.notes.daily_note import DailyNote
    from scrubjay.qmd.backend import QmdBackend
    from scrubjay.updates.check import Updates
    from scrubjay.workspaces.skip_commands import SkipCommands


class EngineParts(Late):
    """The parts of an Engine, and how each is wired to the others."""

    def __init__(
        self, paths: Paths, registry: Registry, board: StatusBoard, given: EmbeddingProvider | None
    ) -> None:
        """Given is the provider to use whatever the settings say."""
        super().__init__()
        self.paths = paths
        self.events = EventBus()
        self._registry = registry
        self._board = board
        self._given = given
        # What follows the settings is made late, perhaps after they have changed.
        self._began_with = AppliedSettings(registry.loaded, registry.index_files())
        self._alarms = Timers()
        self._pool = DaemonThreadPool("pool")
        self._keychain = Keychain()
        self._network = Network(lambda: registry.loaded.settings.local_only)
        self._courtesy = SearchPriority()
        # Two, so that a search by words never waits behind one that waits for the model.
        self._words, self._meaning = self._search_thread("words"), self._search_thread("meaning")

    def refresh(
        self,
        workspace_id: str | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Future[tuple[IndexReport, ...]]:
        """The Engine's own."""
        raise NotImplementedError

    # -- for people and agents ----------------------------------------------------------------

    @late
    def keys(self) -> ApiKeys:
        """Keys of services, in the system's keychain."""
        from scrubjay.engine.api_keys import ApiKeys

        return ApiKeys(
            self.paths, self._pool, self._access, lambda: self._registry.loaded, self._keys_changed
        )

    @late
    def settings_editor(self) -> SettingsEditor:
        """The settings, as what can be chosen."""
        from scrubjay.engine.settings_editor import SettingsEditor

        return SettingsEditor(
            self.paths, self._pool, lambda: self._registry.loaded, self._apply_settings
        )

    @late
    def updates(self) -> Updates:
        """Whether there is a newer Scrubjay."""
        from scrubjay.updates.check import Updates

        return Updates(
            self.paths,
            self._pool,
            self._network,
            self.events,
            lambda: self._registry.loaded.settings.updates.check,
        )

    @late
    def connections(self) -> Connections:
        """Our entry in the settings of agents."""
        from scrubjay.agents.connect.connections import Connections

        return Connections(self.paths, self._pool)

    @late
    def agents(self) -> AccessControl:
        """Rules, questions and the guest book."""
        from scrubjay.agents.access.access_control import AccessControl

        return AccessControl(self.paths, self._pool, self.events, self._registry.reload)

    @late
    def journal(self) -> Journal:
        """Notes by the day, and what changed."""
        from scrubjay.answers.journal import Journal

        # A third thread, because notes are compared with what they were for as long as it takes.
        return Journal(self._search_thread("journal"), self._registry)

    @late
    def skip_commands(self) -> SkipCommands:
        """Leaving single files out that cannot be read."""
        from scrubjay.workspaces.skip_commands import SkipCommands

        return SkipCommands(self._board, self.events, self._words.submit)

    # -- models -------------------------------------------------------------------------------

    @late
    def _access(self) -> RemoteAccess:
        from scrubjay.embedding.remote.credentials import RemoteAccess

        return RemoteAccess(self._network, self._keychain)

    @late
    def _providers(self) -> ActiveProvider:
        from scrubjay.embedding.selection.active_provider import ActiveProvider

        return ActiveProvider(
            lambda: self._registry.loaded.settings,
            self.paths,
            self._access,
            self._show_model,
            took_over=lambda: self._following.look_again(),
            given=self._given,
        )

    @late
    def _library(self) -> ModelLibrary:
        from scrubjay.embedding.local.model_probe import probe
        from scrubjay.models.library.model_library import ModelLibrary

        return ModelLibrary(
            self.paths, self._pool, lambda: self._registry.loaded.settings, self.events, probe
        )

    @late
    def _comparisons(self) -> ModelComparisons:
        from scrubjay.evaluation.model_comparison import ModelComparisons

        return ModelComparisons(self._registry, self._library, self.events, self._pool)

    @late
    def _likeness(self) -> Likeness:
        from scrubjay.embedding.similarity import Likeness

        return Likeness(lambda: self._providers.wanted())

    # -- indexing and searching ---------------------------------------------------------------

    @late
    def _index(self) -> IndexThread:
        from scrubjay.index.index_thread import IndexThread

        token = functools.partial(YieldingCancelToken, self._courtesy)
        return IndexThread(
            lambda: self._providers.wanted(), self._board, self.events, self._alarms, token
        )

    @late
    def _following(self) -> AutoIndexer:
        from scrubjay.index.auto_index import AutoIndexer

        return AutoIndexer(
            self._registry, self._board, self.events, self._index, self._alarms, self.refresh
        )

    @late
    def _live(self) -> SettingsReload:
        from scrubjay.engine.settings_reload import SettingsReload

        return SettingsReload(
            self._registry,
            self._board,
            self.events,
            self._following,
            self._index,
            self._providers,
            self._words,
            self._alarms,
            self._began_with,
        )

    @late
    def _answering(self) -> SearchService:
        from scrubjay.answers.first_index import InitialIndex
        from scrubjay.answers.freshness import FreshnessCheck
        from scrubjay.answers.search_service import SearchService

        lookout = FreshnessCheck(self._registry, self._board, self._following, self._index)
        first = InitialIndex(self._board, self._index, self._words, self._alarms, self.refresh)
        return SearchService(self._registry, self._board, self._providers, lookout, first)

    @late
    def _deadline(self) -> DeadlineSearch:
        from scrubjay.answers.deadline import DeadlineSearch

        return DeadlineSearch(self._alarms, self._answering, self._words, self._meaning)

    @late
    def qmd(self) -> QmdBackend:
        """QMD in place of the built-in search, where the settings say so."""
        from scrubjay.qmd.backend import QmdBackend

        return QmdBackend(
            self.paths,
            self._pool,
            self._registry,
            self._board,
            self.events,
            self._alarms,
            self._deadline.search,
        )

    @late
    def _notebook(self) -> DailyNote:
        from scrubjay.notes.daily_note import DailyNote

        return DailyNote(lambda workspace_id: self._registry.get(workspace_id).root, self._pool)

    # -- what the parts tell ------------------------------------------------------------------

    def _search_thread(self, name: str) -> SearchThread:
        return SearchThread(
            name,
            self._registry,
            self._board,
            lambda identity: self._providers.of(identity),
            self._distrust,
            self._courtesy,
        )

    def _distrust(self, file: Path) -> None:
        """On a search thread: an index turned out to be unreadable."""
        if self._index.mark_corrupt(file):
            self._following.look_again()  # only who follows the notes repairs by itself

    def _apply_settings(self) -> None:
        """After a change that Scrubjay itself wrote: apply it before the change counts as done."""
        self._live.reload().result()

    def _keys_changed(self) -> None:
        self._registry.reload()
        self._live.follow()
        self._following.look_again()

    def _show_model(self, status: ModelStatus) -> None:
        if self._board.set_model(status):
            self.events.publish(ModelChanged(status))
