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
from scrubjay.concurrency.timers import Alarms
from scrubjay.concurrency.yielding import ConsiderateToken, Courtesy
from scrubjay.events import EventBus, ModelChanged
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import IndexReport, ModelStatus
from scrubjay.workspaces.registry import Applied, Registry
from scrubjay.workspaces.status_board import Board

if TYPE_CHECKING:
    from pathlib import Path

    from scrubjay.agents.access.access_control import Agents
    from scrubjay.agents.connect.connections import Connections
    from scrubjay.answers.deadline import Deadline
    from scrubjay.answers.journal import Journal
    from scrubjay.answers.search_service import Answering
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.embedding.remote.credentials import RemoteAccess
    from scrubjay.embedding.selection.active_provider import Providers
    from scrubjay.embedding.similarity import Likeness
    from scrubjay.engine.api_keys import Keys
    from scrubjay.engine.settings_editor import Choosing
    from scrubjay.engine.settings_reload import LiveSettings
    from scrubjay.evaluation.model_comparison import ModelComparisons
    from scrubjay.index.auto_index import Following
    from scrubjay.index.index_thread import IndexThread
    from scrubjay.models.library.model_library import ModelLibrary
    from scrubjay.notes.daily_note import Notebook
    from scrubjay.qmd.backend import QmdBackend
    from scrubjay.updates.check import Updates
    from scrubjay.workspaces.skip_commands import LeavingOut


class EngineParts(Late):
    """The parts of an Engine, and how each is wired to the others."""

    def __init__(
        self, paths: Paths, registry: Registry, board: Board, given: EmbeddingProvider | None
    ) -> None:
        """Given is the provider to use whatever the settings say."""
        super().__init__()
        self.paths = paths
        self.events = EventBus()
        self._registry = registry
        self._board = board
        self._given = given
        # What follows the settings is made late, perhaps after they have changed.
        self._began_with = Applied(registry.loaded, registry.index_files())
        self._alarms = Alarms()
        self._keychain = Keychain()
        self._network = Network(lambda: registry.loaded.settings.local_only)
        self._courtesy = Courtesy()
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
    def keys(self) -> Keys:
        """Keys of services, in the system's keychain."""
        from scrubjay.engine.api_keys import Keys

        return Keys(self.paths, self._access, lambda: self._registry.loaded, self._keys_changed)

    @late
    def choosing(self) -> Choosing:
        """The settings, as what can be chosen."""
        from scrubjay.engine.settings_editor import Choosing

        return Choosing(self.paths, lambda: self._registry.loaded, self._apply_settings)

    @late
    def updates(self) -> Updates:
        """Whether there is a newer Scrubjay."""
        from scrubjay.updates.check import Updates

        return Updates(
            self.paths,
            self._network,
            self.events,
            lambda: self._registry.loaded.settings.updates.check,
        )

    @late
    def connections(self) -> Connections:
        """Our entry in the settings of agents."""
        from scrubjay.agents.connect.connections import Connections

        return Connections(self.paths)

    @late
    def agents(self) -> Agents:
        """Rules, questions and the guest book."""
        from scrubjay.agents.access.access_control import Agents

        return Agents(self.paths, self.events, self._registry.reload)

    @late
    def journal(self) -> Journal:
        """Notes by the day, and what changed."""
        from scrubjay.answers.journal import Journal

        # A third thread, because notes are compared with what they were for as long as it takes.
        return Journal(self._search_thread("journal"), self._registry)

    @late
    def leaving_out(self) -> LeavingOut:
        """Leaving single files out that cannot be read."""
        from scrubjay.workspaces.skip_commands import LeavingOut

        return LeavingOut(self._board, self.events, self._words.submit)

    # -- models -------------------------------------------------------------------------------

    @late
    def _access(self) -> RemoteAccess:
        from scrubjay.embedding.remote.credentials import RemoteAccess

        return RemoteAccess(self._network, self._keychain)

    @late
    def _providers(self) -> Providers:
        from scrubjay.embedding.selection.active_provider import Providers

        return Providers(
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

        return ModelLibrary(self.paths, lambda: self._registry.loaded.settings, self.events, probe)

    @late
    def _comparisons(self) -> ModelComparisons:
        from scrubjay.evaluation.model_comparison import ModelComparisons

        return ModelComparisons(self._registry, self._library, self.events)

    @late
    def _likeness(self) -> Likeness:
        from scrubjay.embedding.similarity import Likeness

        return Likeness(lambda: self._providers.wanted())

    # -- indexing and searching ---------------------------------------------------------------

    @late
    def _index(self) -> IndexThread:
        from scrubjay.index.index_thread import IndexThread

        token = functools.partial(ConsiderateToken, self._courtesy)
        return IndexThread(
            lambda: self._providers.wanted(), self._board, self.events, self._alarms, token
        )

    @late
    def _following(self) -> Following:
        from scrubjay.index.auto_index import Following

        return Following(
            self._registry, self._board, self.events, self._index, self._alarms, self.refresh
        )

    @late
    def _live(self) -> LiveSettings:
        from scrubjay.engine.settings_reload import LiveSettings

        return LiveSettings(
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
    def _answering(self) -> Answering:
        from scrubjay.answers.first_index import FirstPass
        from scrubjay.answers.freshness import Lookout
        from scrubjay.answers.search_service import Answering

        lookout = Lookout(self._registry, self._board, self._following, self._index)
        first = FirstPass(self._board, self._index, self._words, self._alarms, self.refresh)
        return Answering(self._registry, self._board, self._providers, lookout, first)

    @late
    def _deadline(self) -> Deadline:
        from scrubjay.answers.deadline import Deadline

        return Deadline(self._alarms, self._answering, self._words, self._meaning)

    @late
    def qmd(self) -> QmdBackend:
        """QMD in place of the built-in search, where the settings say so."""
        from scrubjay.qmd.backend import QmdBackend

        return QmdBackend(
            self.paths,
            self._registry,
            self._board,
            self.events,
            self._alarms,
            self._deadline.search,
        )

    @late
    def _notebook(self) -> Notebook:
        from scrubjay.notes.daily_note import Notebook

        return Notebook(lambda workspace_id: self._registry.get(workspace_id).root)

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
        if self._index.distrust(file):
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
