"""A search thread with its own readers of the indexes."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken, SearchPriority
from scrubjay.concurrency.io_timeout import IoBudget, IoTimedOut
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.errors import (
    IndexCorrupt,
    IndexUnavailable,
    NoteRefused,
    SearchOff,
    SharedUnavailable,
)
from scrubjay.messages import msg
from scrubjay.notes.note_files import is_folder
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_note
from scrubjay.notes.transcripts import SUFFIX, read_transcript
from scrubjay.notes.unavailable_folders import missing_message
from scrubjay.platform.malloc import trim_heaps
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.model_records import NoteSample
from scrubjay.records.note_records import DocumentInfo, Workspace
from scrubjay.records.search_records import SearchAnswer
from scrubjay.records.search_records import SearchRequest as Request
from scrubjay.records.status_records import IndexState, SkippedFile, WorkspaceStatus
from scrubjay.store.index_file import index_bytes, make_index_folder
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace, required_names
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.shared_workspace import SharedWorkspace

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import TextSource
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.records.shared_records import SharedAddress, SharedPlace
    from scrubjay.search.collection_search import Collection
    from scrubjay.search.searcher import Searcher
    from scrubjay.sharing.shared_memories import SharedMemories
    from scrubjay.store.lancedb.shared_reader import SharedReader
    from scrubjay.store.protocol import IndexAddress, IndexReader
    from scrubjay.store.reader import Reader

T = TypeVar("T")

_NO_BUDGETS: Mapping[SharedPlace, IoBudget] = {}

_SAMPLED = 100
"""Notes whose language is looked at."""


@contextlib.contextmanager
def convert_note_errors(workspace: Workspace, path: str) -> Iterator[None]:
    """Inside, a note that cannot be read raises NoteRefused."""
    try:
        yield
    except FileNotFoundError as error:
        reason: str = msg("The note was deleted or moved.")
        if not is_folder(workspace.root):
            reason = missing_message(workspace.root)
        raise NoteRefused(msg("{path} cannot be shown", path=path), reason) from error
    except NoteUnreadable as error:
        raise NoteRefused(msg("{path} cannot be shown", path=path), str(error)) from error


class SearchThreadParts(Struct, frozen=True, eq=False):
    """Parts of an engine that its search threads use."""

    registry: Registry
    provider: Callable[[str], EmbeddingProvider]
    """Function that gives the provider of an identity."""
    on_damage: Callable[[Path], None]
    """Function that a thread calls with an index that turned out to be unreadable."""
    priority: SearchPriority
    shared: Callable[[], SharedMemories]
    """Function that gives the shared memories, which few people have."""
    limits: EngineLimits = DEFAULT_LIMITS


class SearchThread:
    """Runs jobs that read indexes, one at a time. Jobs may be submitted from any thread."""

    def __init__(self, name: str, parts: SearchThreadParts) -> None:
        limits = parts.limits
        pool = DaemonThreadPool(name, idle_seconds=limits.rest_seconds, on_idle=self._rest)
        self._jobs = SerialQueue(pool)
        self._has_rested = False
        self._registry = parts.registry
        self._provider = parts.provider
        self._on_damage = parts.on_damage
        self._priority = parts.priority
        self._searcher: Searcher | None = None
        self._shared = parts.shared
        self._shared_seconds = limits.shared_search_seconds
        self._most_postings = limits.most_postings

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job; the methods below are for jobs only."""
        self._has_rested = False
        return self._jobs.submit(job)

    def close(self) -> None:
        """Finish the queue, close all readers and end the thread."""
        self._jobs.submit(self._close_searcher)
        self._jobs.close()

    # -- on this thread -----------------------------------------------------------------------

    def search(
        self,
        request: Request,
        workspaces: Sequence[OpenWorkspace],
        cancel: CancelToken,
        shared_seconds: float = math.inf,
        answered: list[SearchAnswer] | None = None,
    ) -> SearchAnswer:
        """Answer from the indexes that can be read. Raises IndexUnavailable when none can.

        Shared memories that take longer than so many seconds, or than usual, are omitted. Answered
        is that of `Searcher.search`.
        """
        most = self._registry.loaded.settings.memory_search.query.max_results
        shared = [each for each in workspaces if isinstance(each, SharedWorkspace)]
        places = {each.address.place for each in shared}
        # A person's own notes are not kept waiting; the app asks again once the memory is open.
        is_patient = request.audience.waits_for_all
        each_seconds = min(shared_seconds, self._shared_seconds) / max(1, len(places))
        budgets = {place: IoBudget(each_seconds, is_patient=is_patient) for place in places}
        for _attempt in range(1 + 2 * len(shared)):
            began = time.monotonic()
            collections = self._collections(request, workspaces, budgets)
            try:
                with self._priority.answering(is_automatic=request.is_automatic):
                    return self._opened().search(
                        request, collections, cancel, max_results=most, answered=answered
                    )
            except SharedUnavailable as error:
                # It is omitted from now on, or its tables were replaced; the others answer.
                failure = error
                # A memory with many such workspaces must not keep one's own notes waiting.
                for budget in budgets.values():
                    budget.seconds = max(0.0, budget.seconds - (time.monotonic() - began))
        raise failure

    def count(self, request: Request, workspaces: Sequence[OpenWorkspace]) -> int:
        """The number of notes with all words of a question. Raises IndexUnavailable."""
        return self._opened().count(request, self._collections(request, workspaces))

    def report_damage(self, error: IndexCorrupt) -> None:
        """Close and report an index that turned out to be damaged."""
        if error.file:
            self.forget(error.file)
            self._on_damage(error.file)

    def reader(self, workspace: OpenWorkspace) -> Reader | None:
        """The reader of an index here; None if there is none, or its workspace is off.

        Raises IndexUnavailable.
        """
        if not isinstance(workspace, LocalWorkspace) or workspace.off_key:
            return None
        file = workspace.index_file
        reader = self._reader_of(file)
        if reader and not reader.is_current():
            # Rebuilt or deleted meanwhile; the open file still holds its old contents.
            self.forget(file)
            reader = self._reader_of(file)
        if reader and reader.is_empty():
            self.forget(file)
            return None
        # An index keeps its owner for as long as it is open.
        if reader and reader.metadata.owner.workspace != workspace.id:
            reader.metadata.check_owner(workspace.record)
        return reader

    def shared_reader(
        self, address: SharedAddress, budget: IoBudget | None = None
    ) -> SharedReader | None:
        """The reader of a shared workspace, as it is now; None if it is gone.

        The budget is for all that is read of its place. Raises SharedUnavailable.
        """
        from scrubjay.store.lancedb.shared_reader import SharedReader

        searcher = self._opened()
        budget = budget or IoBudget(self._shared_seconds)
        # The first search after the start waits for the library, all others for nothing.
        self._shared().wait_until_open(address, budget)
        reader = searcher.reader(address)
        if not isinstance(reader, SharedReader):
            return None
        if self._shared().refresh(reader, address, budget):
            return reader
        searcher.forget(address)
        return None

    def copy_index(self, file: Path, target: Path) -> None:
        """Copy an index to where none is. Raises IndexUnavailable."""
        if target.exists():
            return
        make_index_folder(target)
        reader = self._reader_of(file)
        if reader:
            reader.copy_to(target)

    def forget(self, file: Path) -> None:
        """Close the reader of an index that is about to go away."""
        if self._searcher:
            self._searcher.forget(file)

    def when_model_is_idle(self, call: Callable[[], object]) -> None:
        """Call back when the model has answered all that it was asked so far."""
        self._opened().model_idle().add_done_callback(lambda _: call())

    def identities(self) -> set[str]:
        """Identities of the models that made the vectors of all indexes."""
        identities: set[str] = set()
        for workspace in self._registry.with_guests():
            with contextlib.suppress(IndexUnavailable):
                reader = self.reader(workspace)
                generation = reader.generation() if reader else None
                if generation:
                    identities.add(generation.identity)
        return identities

    def sample(self) -> NoteSample:
        """Sizes, beginnings of notes, and paces from all indexes that can be read."""
        readers: list[Reader] = []
        for workspace in self._registry.readable():
            with contextlib.suppress(IndexUnavailable):
                reader = self.reader(workspace)
                if reader:
                    readers.append(reader)
        # A few beginnings from all over are enough to tell the languages of the notes.
        documents = sum(reader.metadata.count() for reader in readers)
        # The last pace counts: that of the most chunks, since a few short notes say little.
        readers.sort(key=lambda reader: reader.chunk_count())
        paces: dict[str, float] = {}
        for reader in readers:
            paces |= reader.metadata.paces()
        return NoteSample(
            documents,
            sum(reader.chunk_count() for reader in readers),
            texts=tuple(reader.metadata.beginnings(documents // _SAMPLED) for reader in readers),
            paces=paces,
        )

    def read(self, workspace: LocalWorkspace, path: str, converter: TextSource) -> str:
        """Whole text of an indexed note or document. Raises NoteRefused."""
        file = self.file_of(workspace, path)
        with convert_note_errors(workspace.record, path):
            data = self.patiently(workspace, path, lambda: read_note(file, path, converter).data)
            return read_transcript(data).text if file.suffix == SUFFIX else decode_note(data)

    def file_of(self, workspace: OpenWorkspace, path: str) -> Path:
        """The file of an indexed note. Raises NoteRefused."""
        reader = self.reader(workspace)
        file = reader.file_of(path) if reader else None
        if file is None:
            raise NoteRefused(
                msg("{path} is not one of the notes", path=path),
                "Scrubjay has not read this note yet.",
            )
        return file

    def patiently(self, workspace: LocalWorkspace, path: str, work: Callable[[], T]) -> T:
        """The result of work on a note. Raises NoteRefused when its drive does not answer."""
        try:
            return self._registry.io_timeouts[workspace.root].call(work)
        except IoTimedOut as error:
            reason = msg("The drive is not responding.")
            raise NoteRefused(msg("{path} cannot be shown", path=path), reason) from error

    def recent(self, limit: int) -> tuple[DocumentInfo, ...]:
        """The notes that changed last, over all workspaces."""
        documents: list[DocumentInfo] = []
        for workspace in self._registry.readable():
            reader = self.reader(workspace)
            if reader:
                own = reader.recent(limit)
                tags = reader.relations.read_tags(document.path for document in own)
                documents += (
                    replace(document, tags=tuple(tags.get(document.path, ()))) for document in own
                )
        documents.sort(key=attrgetter("recency"), reverse=True)
        return tuple(documents[:limit])

    def details(self, workspace: LocalWorkspace) -> dict[str, Any]:
        """More facts of an index and of its settings, as a status shows them."""
        settings = workspace.settings
        # An index that cannot be read is told elsewhere in the status.
        facts: dict[str, Any] = {}
        with contextlib.suppress(IndexUnavailable):
            reader = self.reader(workspace)
            if reader:
                facts = reader.facts()
        # Each count stands beside the settings that it belongs to.
        cache = {"entries": facts.pop("cacheEntries", 0)}
        batch = {"underWay": facts.pop("batchesUnderWay", 0)}
        return {
            "indexFile": str(workspace.index_file),
            "extraPaths": list(settings.extra_paths),
            "cache": settings.cache.by_key() | cache,
            "batch": settings.remote.batch.by_key() | batch,
            **facts,
        }

    def looked_at(self, workspace: LocalWorkspace, status: WorkspaceStatus) -> WorkspaceStatus:
        """A status of a workspace, with what a look at its folder itself tells of it now."""
        from scrubjay.notes.unavailable_folders import unavailable_reason

        if status.is_off:
            return status
        drive = None
        with contextlib.suppress(IndexUnavailable):
            reader = self.reader(workspace)
            if reader:
                drive = reader.metadata.drive()
        # What the last pass said of the folder itself may be outdated.
        files = tuple(skip for skip in status.skipped if skip.path)
        away = unavailable_reason(workspace.root, drive, self._registry.io_timeouts[workspace.root])
        if not away:
            return replace(status, skipped=files)
        reason = msg("{away} You can still search notes that Scrubjay has already read.", away=away)
        skipped = (SkippedFile("", away, is_problem=True), *files)
        return replace(status, state=IndexState.ERROR, error=reason, skipped=skipped)

    def show_what_is_there(self) -> None:
        """Show the indexes on disk on the status board except those being written."""
        for workspace in self._registry.readable():
            while not self._show(workspace):
                pass  # a pass has begun or ended while the index was read

    def _show(self, workspace: LocalWorkspace) -> bool:
        """Show one index; False if its status has changed meanwhile."""
        # A pass that is writing shows its own progress.
        status = workspace.status
        if status.state is IndexState.INDEXING:
            return True
        state = IndexState.READY if status.state is IndexState.NEVER else status.state
        try:
            reader = self.reader(workspace)
            if reader:
                size = index_bytes(workspace.index_file)
                return workspace.show_index(reader.metadata, size, state=state, instead_of=status)
        except IndexUnavailable as error:
            self._mark(workspace, error)
        return True

    def _collections(
        self,
        request: Request,
        workspaces: Sequence[OpenWorkspace],
        budgets: Mapping[SharedPlace, IoBudget] = _NO_BUDGETS,
    ) -> list[Collection]:
        """Indexes that can be searched. Raises IndexUnavailable for none."""
        from scrubjay.search.collection_search import Collection

        searched = [each for each in workspaces if not each.off_key]
        if workspaces and not searched:
            raise SearchOff(workspaces[0].off_key)
        # An index that cannot be opened does not keep the others from being searched.
        recalled = self._registry.recalled_in(request.conversation)
        collections: list[Collection] = []
        failure: IndexUnavailable | None = None
        for workspace in searched:
            try:
                address = self._index_of(workspace, budgets)
                if address:
                    collection = Collection(
                        workspace.record,
                        address,
                        settings=workspace.settings,
                        most_postings=self._most_postings,
                        has_transcripts=workspace.id in recalled,
                        required_names=required_names(workspace.record),
                    )
                    collections.append(collection)
            except SharedUnavailable as error:
                failure = error  # its memory says so in the answer
            except IndexUnavailable as error:
                self._mark(workspace, error)
                failure = error
        if failure and not collections:
            raise failure
        return collections

    def _index_of(
        self, workspace: OpenWorkspace, budgets: Mapping[SharedPlace, IoBudget]
    ) -> IndexAddress | None:
        """The location of a workspace's index; None if it has none. Raises IndexUnavailable."""
        if isinstance(workspace, SharedWorkspace):
            shared = workspace.address
            if self.shared_reader(shared, budgets.get(shared.place)):
                return shared
        elif isinstance(workspace, LocalWorkspace) and self.reader(workspace):
            return workspace.index_file
        return None

    def _mark(self, workspace: OpenWorkspace, error: IndexUnavailable) -> None:
        """Show that an index cannot be read."""
        if not isinstance(workspace, LocalWorkspace):
            return
        workspace.show(state=IndexState.ERROR, error=str(error))
        if isinstance(error, IndexCorrupt):
            self._on_damage(workspace.index_file)

    def _reader_of(self, file: Path) -> Reader | None:
        from scrubjay.store.reader import Reader

        reader = self._opened().reader(file)
        if isinstance(reader, Reader):
            return reader
        return None

    def _opened(self) -> Searcher:
        if self._searcher is None:
            from scrubjay.search.searcher import Searcher

            self._searcher = Searcher(self._provider, opened=self._opened_index)
        return self._searcher

    def _opened_index(self, address: IndexAddress) -> IndexReader | None:
        from scrubjay.store.reader import open_local_index

        if isinstance(address, Path):
            return open_local_index(address)
        return self._shared().open_shared_index(address)

    def _rest(self) -> None:
        if not self._has_rested:
            self._has_rested = True
            self._jobs.submit(self._free_memory)

    def _free_memory(self) -> None:
        """Drop caches of the indexes, which are read again when needed."""
        if self._searcher is None:
            return
        # Python frees its caches, and the C library keeps most of what was freed.
        self._searcher.free_memory()
        trim_heaps()

    def _close_searcher(self) -> None:
        if self._searcher:
            self._searcher.close()
