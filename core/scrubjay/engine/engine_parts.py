"""The parts of an engine. Each is imported and created on first use.

A window needs only the list of workspaces and their status, and opens at once. Searching, indexing
and the model follow while it is being painted.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from scrubjay.concurrency.cancel import SearchPriority, YieldingCancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.concurrency.timers import Timers
from scrubjay.engine.settings_reload import SettingsReload
from scrubjay.event_bus import Event, EventBus
from scrubjay.messages import msg
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import EngineStatus, ModelStatus
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

if TYPE_CHECKING:
    from scrubjay.answers.result_reader import ResultReader
    from scrubjay.answers.search_service import SearchService
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.documents.document_converter import Converter, TextSource
    from scrubjay.documents.pdf_page_client import PdfPageClient
    from scrubjay.documents.picture_texts import PictureTexts
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.embedding.remote.credentials import RemoteAccess
    from scrubjay.embedding.selection.active_provider import ActiveProvider
    from scrubjay.embedding.similarity import TextSimilarity
    from scrubjay.engine.builtin_backend import BuiltinBackend
    from scrubjay.evaluation.model_comparison import ModelComparisons
    from scrubjay.index.auto_index import AutoIndexer
    from scrubjay.index.index_thread import IndexThread
    from scrubjay.models.library.model_library import ModelLibrary
    from scrubjay.platform.deferred_deletion import DeletionsElsewhere
    from scrubjay.qmd.backend import QmdBackend
    from scrubjay.sharing.publish_queue import PublishQueue
    from scrubjay.sharing.shared_memories import SharedMemories
    from scrubjay.store.lancedb.lease import ComputerId
    from scrubjay.store.lancedb.shared_store import StoreAccess
    from scrubjay.workspaces.open_workspace import LocalWorkspace
    from scrubjay.workspaces.search_backend import SearchBackend


class EngineParts(LazyParts):
    """The inner parts of one engine, connected to each other. For any thread."""

    def __init__(
        self, paths: Paths, provider: EmbeddingProvider | None, limits: EngineLimits
    ) -> None:
        """Read the settings. A provider that is passed is used in place of theirs."""
        self.paths = paths
        self.limits = limits
        self.events = EventBus()
        self.index_io = IoTimeouts(limits.index_io_seconds)
        self.search_io = IoTimeouts(limits.search_io_seconds)
        self.registry = Registry(paths, self.search_io, limits.many_documents)
        model = ModelStatus(
            "none", "", is_ready=False, reason=msg("The language helper has not been started yet.")
        )
        if provider:
            model = ModelStatus(provider.name, provider.model, is_ready=True)
        self.board = StatusBoard(model, self.registry)
        self.last_numbers = StateFile(paths.state / "last-numbers.json")
        # What was last known is shown until the indexes are read.
        self.board.recall(self.last_numbers)
        # Parts that many others share; the rest is made on first use.
        self.timers = Timers()
        self.pool = DaemonThreadPool("pool")
        self.daily_notes = SerialQueue(self.pool)
        self.keychain = Keychain(self.pool, StateFile(paths.state / "keys.json"))
        self.network = Network(lambda: self.registry.up_to_date().settings.local_only)
        self.priority = SearchPriority()
        self._provider = provider
        self._search_threads: list[SearchThread] = []
        if self.registry.shared_places():
            self.shared.follow()  # it lists their workspaces
        self.settings_reload = SettingsReload(self)

    def search_thread(self, name: str) -> SearchThread:
        """A new thread with its own readers."""
        from scrubjay.answers.search_thread import SearchThread, SearchThreadParts

        parts = SearchThreadParts(
            self.registry,
            provider=lambda identity: self.providers.find(identity),
            on_damage=self._rebuild,
            priority=self.priority,
            shared=lambda: self.shared,
            limits=self.limits,
        )
        thread = SearchThread(name, parts)
        self._search_threads.append(thread)
        return thread

    def release_index(self, file: Path) -> None:
        """Let all search threads close an index soon: Windows keeps a file while it is open.

        This is not waited for, since a thread may wait for a model until the deadline of a search.
        """
        for thread in self._search_threads:
            thread.submit(functools.partial(thread.forget, file))

    def status(self, *, is_current: bool = False) -> EngineStatus:
        """The status right now, without looking at any file unless it is to be current."""
        status = self.board.snapshot()
        if self.registry.shared():
            shared = tuple(each.status for each in self.registry.shared())
            status = replace(status, shared=shared)
        return self.backend.with_status(status, is_current=is_current)

    def current_status(self) -> EngineStatus:
        """The status with the sizes of all indexes as they are on disk. On the words thread."""
        from scrubjay.embedding.selection.known_takeover import KnownTakeover

        self.words.show_what_is_there()
        takeover = KnownTakeover(self.paths, self.registry.loaded.settings.memory_search).read()
        return replace(self.status(is_current=True), takeover=takeover)

    def detailed_status(self) -> EngineStatus:
        """The current status, with more facts of each index, and the model that would be asked."""
        from scrubjay.models.model_files import find_reader

        status = self.current_status()
        search = self.registry.loaded.settings.memory_search
        # A provider is not made only to be shown.
        if not self._provider and not self.is_made("providers"):
            reason = msg("The language helper starts when it is needed.")
            if search.provider == "none":
                reason = msg("Search by meaning is turned off in the settings")
            model = ModelStatus(search.provider, search.model, is_ready=False, reason=reason)
            status = replace(status, model=model)
        # A result reader that has not been asked yet is shown as well.
        if status.reader is None and search.query.reader != "off":
            file = find_reader(self.paths, search.local.model_cache_dir)
            if file:
                reader = ModelStatus("local", file.stem, is_ready=True)
                status = replace(status, reader=reader)
        # Where nothing watches the folders, each is looked at now.
        is_watched = self.is_made("auto_index") and self.auto_index.is_on
        if not is_watched:
            listed = zip(self.registry.with_guests(), status.workspaces, strict=False)
            seen = tuple(self.words.looked_at(*each) for each in listed)
            status = replace(status, workspaces=seen)
        details = {each.id: self.words.details(each) for each in self.registry.readable()}
        return replace(status, details=details)

    # -- models -------------------------------------------------------------------------------

    @lazy
    def access(self) -> RemoteAccess:
        """Network, keys and services of remote providers."""
        from scrubjay.embedding.remote.credentials import RemoteAccess
        from scrubjay.embedding.remote.retries import RetryPolicy

        lengths = StateFile(self.paths.state / "vector-lengths.json")
        return RemoteAccess(
            self.network,
            self.keychain,
            retry_policy=RetryPolicy(
                self.limits.request_attempts, self.limits.request_pause_seconds
            ),
            lengths=lengths,
            models=lambda: self.registry.loaded.settings.models,
        )

    @lazy
    def providers(self) -> ActiveProvider:
        """Provider that the settings choose, and its predecessor while that still answers."""
        from scrubjay.embedding.selection.active_provider import ActiveProvider

        return ActiveProvider(
            lambda: self.registry.loaded.settings,
            self.paths,
            access=lambda: self.access,
            show=self._show_model,
            on_takeover=lambda: self.auto_index.look_again(),
            on_former=self._retire_after_passes,
            given=self._provider,
        )

    @lazy
    def library(self) -> ModelLibrary:
        """Model files on this computer and in the catalogue."""
        from scrubjay.embedding.local.calibrated_models import CalibratedModels
        from scrubjay.models.download.download_queue import DownloadQueue
        from scrubjay.models.library.model_library import ModelLibrary

        return ModelLibrary(
            self.paths,
            self.pool,
            source=self.registry,
            events=self.events,
            downloads=DownloadQueue(self.events, CalibratedModels(self.paths.state)),
            io_timeouts=self.index_io,
        )

    @lazy
    def comparisons(self) -> ModelComparisons:
        """Comparisons of two models over the notes."""
        from scrubjay.evaluation.model_comparison import ModelComparisons

        return ModelComparisons(
            self.registry, self.library, paths=self.paths, events=self.events, pool=self.pool
        )

    @lazy
    def similarity(self) -> TextSimilarity:
        """Similarity of texts by the active provider."""
        from scrubjay.embedding.similarity import TextSimilarity

        return TextSimilarity(lambda: self.providers.current())

    # -- indexing and searching ---------------------------------------------------------------

    @lazy
    def index(self) -> IndexThread:
        """Thread that writes the indexes."""
        from scrubjay.index.index_thread import IndexThread
        from scrubjay.index.passes import PassParts

        parts = PassParts(
            self.providers,
            self.board,
            events=self.events,
            io_timeouts=self.index_io,
            converter=self.converter,
            pictures=lambda: self.picture_texts,
            priority=self.priority,
            release=self.release_index,
            backups=self.paths.backups,
            limits=self.limits,
        )
        # Passes pause while a search makes an answer.
        token = functools.partial(YieldingCancelToken, self.priority)
        return IndexThread(parts, self.timers, token=token)

    @lazy
    def auto_index(self) -> AutoIndexer:
        """Passes over the notes: on demand, and by itself once started."""
        from scrubjay.index.auto_index import AutoIndexer

        return AutoIndexer(
            self.registry,
            self.board,
            events=self.events,
            index=self.index,
            timers=self.timers,
            pool=self.pool,
        )

    @lazy
    def words(self) -> SearchThread:
        """Thread that searches by words, and reads indexes for other parts."""
        return self.search_thread("words")

    @lazy
    def meaning(self) -> SearchThread:
        """Thread that waits for models, so that a search by words never waits for one."""
        return self.search_thread("meaning")

    @lazy
    def search(self) -> SearchService:
        """The built-in search."""
        from scrubjay.answers.freshness import FreshnessCheck
        from scrubjay.answers.search_service import SearchService

        freshness = FreshnessCheck(
            self.board, self.auto_index, self.index, self.search_io, self.paths.backups, self.limits
        )
        # Shared memories are made only when a search asks for them.
        return SearchService(
            self.registry,
            self.board,
            self.providers,
            self.index,
            self.auto_index,
            freshness,
            self.words,
            self.meaning,
            self.timers,
            self.pool,
            self.limits.takeover_seconds,
        )

    @lazy
    def result_reader(self) -> ResultReader:
        """The model that reads first hits again, where one is installed."""
        from scrubjay.answers.result_reader import ResultReader

        reader = ResultReader(
            self.paths, self.registry, self.board, self.events, self.timers, self.limits
        )
        reader.listen()
        return reader

    @lazy
    def converter(self) -> Converter:
        """Texts of documents, and the process that makes them."""
        from scrubjay.documents.document_converter import Converter

        return Converter(self.paths.cache / "documents")

    @lazy
    def picture_texts(self) -> PictureTexts:
        """Texts of pictures, and the process that reads them."""
        from scrubjay.documents.pdf_page_client import PdfPageClient
        from scrubjay.documents.picture_reader import PictureReader
        from scrubjay.documents.picture_texts import PictureTexts

        # Texts of pictures cost hours of work, so they are not in the cache folder.
        return PictureTexts(
            self.paths.state / "pictures",
            PictureReader(),
            pages=PdfPageClient(),
            pace=StateFile(self.paths.state / "picture-pace.json"),
        )

    def text_source(self, workspace: Workspace) -> TextSource:
        """Texts of the documents of a workspace as its index has them."""
        if not workspace.pictures:
            return self.converter
        from scrubjay.documents.picture_converter import PictureConverter

        return PictureConverter(self.converter, self.picture_texts)

    @lazy
    def page_client(self) -> PdfPageClient:
        """Client of the process that draws pages of PDF files."""
        from scrubjay.documents.pdf_page_client import PdfPageClient

        return PdfPageClient()

    # -- shared memories ----------------------------------------------------------------------

    @property
    def shares_anything(self) -> bool:
        """Whether a folder is published from here, or a shared memory is searched."""
        return bool(self.registry.shared_places() or self.registry.publish_settings())

    def follow_sharing(self) -> None:
        """Publish and search what the settings share by now."""
        if self.registry.shared_places() or self.is_made("shared"):
            self.shared.follow()
        if self.registry.publish_settings() or self.is_made("publish_queue"):
            self.publish_queue.follow()

    def store_access(self) -> StoreAccess:
        """Access to keys and to the network, as shared memories need it."""
        from scrubjay.store.lancedb.shared_store import StoreAccess

        def key(key_id: str) -> str:
            if not self.keychain.may_hold(key_id):
                return ""
            return self.keychain.get(key_id)

        # The settings are asked each time, since a person may switch to local only at any moment.
        return StoreAccess(
            lambda: self.registry.up_to_date().settings.local_only, key, limits=self.limits
        )

    @lazy
    def shared(self) -> SharedMemories:
        """Shared memories that are searched here."""
        from scrubjay.sharing.shared_memories import SharedMemories

        known = StateFile(self.paths.state / "shared-memories.json")
        return SharedMemories(
            self.registry, self.store_access(), known=known, pool=self.pool, events=self.events
        )

    @lazy
    def publish_queue(self) -> PublishQueue:
        """Folders that are published from here."""
        from scrubjay.sharing.publish_queue import PublishQueue

        return PublishQueue(
            self.registry,
            self.store_access(),
            computer_id=self._computer_id,
            timers=self.timers,
            events=self.events,
        )

    def _computer_id(self, workspace: LocalWorkspace) -> ComputerId:
        """A number of this computer for a folder, and the name that people know it by."""
        import socket
        import uuid

        from scrubjay.store.lancedb.lease import ComputerId

        # The number stays with the computer, whose name may change.
        file = StateFile(self.paths.state / "computer.json")
        with file.changed() as state:
            number = state.setdefault("id", uuid.uuid4().hex)
        return ComputerId(f"{number}/{workspace.id}", socket.gethostname())

    @property
    def backend(self) -> SearchBackend:
        """The backend that the settings choose for searching and reading notes."""
        if self.registry.uses_qmd:
            return self.qmd
        return self.builtin

    @lazy
    def builtin(self) -> BuiltinBackend:
        """The built-in search as a backend."""
        from scrubjay.engine.builtin_backend import BuiltinBackend

        return BuiltinBackend(self)

    @lazy
    def qmd(self) -> QmdBackend:
        """QMD in place of the built-in search, where the settings say so."""
        from scrubjay.qmd.backend import QmdBackend
        from scrubjay.qmd.updates import QmdUpdates

        updates = QmdUpdates(
            self.paths.state / "qmd",
            self.pool,
            registry=self.registry,
            events=self.events,
            timers=self.timers,
            pause_seconds=self.limits.qmd_pause_seconds,
        )
        return QmdBackend(updates, self.registry, self.builtin)

    @lazy
    def deletions_elsewhere(self) -> DeletionsElsewhere:
        """Indexes outside of their folder that are to be deleted at a later start."""
        from scrubjay.platform.deferred_deletion import DeletionsElsewhere

        return DeletionsElsewhere(StateFile(self.paths.indexes / "deletions-elsewhere.json"))

    # -- callbacks of the parts ---------------------------------------------------------------

    def apply_settings(self) -> None:
        """Apply a change that Scrubjay itself wrote before the change counts as done."""
        self.settings_reload.reload().result()

    def keys_changed(self) -> None:
        """Read the settings again, in which a key may stand, and try the provider again."""
        self.registry.reload()
        self.settings_reload.follow()
        self.auto_index.look_again()

    def _rebuild(self, file: Path) -> None:
        """Build an index again that turned out to be unreadable. On a search thread."""
        if self.registry.mark_damaged(file):
            self.auto_index.look_again()  # which does nothing unless it was started

    def _show_model(self, status: ModelStatus) -> None:
        """Show a changed status of the provider."""
        from scrubjay.events import ModelChanged

        if self.board.set_model(status):
            self.events.publish(ModelChanged(status))

    def _retire_after_passes(self) -> None:
        """Close former models after the passes that made their last vectors obsolete."""
        from scrubjay.events import IndexFinished

        def retire(_: Event) -> None:
            if self.providers.has_former:
                self.words.submit(lambda: self.providers.retire(self.words.identities()))
            else:
                stop_listening()

        stop_listening = self.events.subscribe(retire, IndexFinished)
