"""The shared memories that are searched on this computer, even if they are unavailable."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.io_timeout import IoBudget
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.errors import Cancelled, ScrubjayError, SharedUnavailable
from scrubjay.event_bus import EventBus
from scrubjay.events import SharedChanged
from scrubjay.messages import deserialize_sentence, msg, serialize_sentence
from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import SharedAddress, SharedMemory, SharedPlace, SharedRecord
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.protocol import IndexAddress
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.shared_workspace import SharedWorkspace

if TYPE_CHECKING:
    from scrubjay.store.lancedb.checked_rows import WorkspaceList
    from scrubjay.store.lancedb.reading_process import ReadingProcess
    from scrubjay.store.lancedb.shared_reader import SharedReader, SharedView
    from scrubjay.store.lancedb.shared_store import SharedStore, StoreAccess

log = logging.getLogger(__name__)

_OPEN_EACH_SECONDS = 3.0
"""Seconds that opening one workspace may take, where all are opened in a row."""
_LONGEST_SECONDS = 600.0
"""Longest pause between two attempts at a workspace that fails again and again."""
MOST_WORKSPACES = 200
"""Workspaces of one memory that are searched, each of which is a separate search."""


_NEVER = float("-inf")
"""Time of a look that has not ended yet, on the monotonic clock."""


class _Lost(Struct, frozen=True):
    """A workspace that cannot be read although others can."""

    reason: str
    until: float
    """End of its exclusion, on the monotonic clock."""
    seconds: float
    """Seconds for which it is excluded."""


class _Memory(Struct):
    """One shared memory."""

    place: SharedPlace
    store: SharedStore
    workspaces: tuple[SharedRecord, ...] = ()
    excluded: int = 0
    """Entries of its list that are damaged, or more than are searched."""
    reason: str = ""
    """Why it cannot be reached; empty if it can, or nobody has asked yet."""
    # A look runs on the pool, and searches continue with what the last one found.
    look: Future[None] | None = None
    """The look that is under way, or the last one."""
    looked_at: float = _NEVER
    """End of the last look, on the monotonic clock."""
    views: dict[str, SharedView] = field(default_factory=dict)
    """Opened workspaces by name."""
    lost: dict[str, _Lost] = field(default_factory=dict)
    """Workspaces that could not be read, by name."""

    @property
    def is_asked(self) -> bool:
        """Whether it was ever asked, with an answer or without."""
        return self.looked_at != _NEVER

    def published(self, name: str) -> SharedRecord | None:
        """The record of a workspace as of the last look; None if there is none."""
        return next((each for each in self.workspaces if each.name == name), None)

    def failure(self, name: str) -> str:
        """Why a workspace is excluded for now, with all others or alone; otherwise empty."""
        return self.reason or self.failure_alone(name)

    def failure_alone(self, name: str) -> str:
        """Why a workspace is excluded for now, although others are not; otherwise empty."""
        lost = self.lost.get(name)
        if lost and time.monotonic() < lost.until:
            return lost.reason
        return ""

    def shown(self) -> SharedMemory:
        """The memory as a person sees it, with what keeps single workspaces from being read."""
        return SharedMemory(
            uri=self.place.uri,
            workspaces=tuple(
                replace(each, reason=each.reason or self.failure_alone(each.name))
                for each in self.workspaces
            ),
            reason=self.reason,
            is_asked=self.is_asked,
            excluded=self.excluded,
            damage=_damage(self.place.uri, self.excluded),
        )


class SharedMemories(LazyParts):
    """The state of the shared memories in the settings. For any thread.

    Only `search_place` and `follow` wait for a storage, both with a time limit.
    """

    def __init__(
        self,
        registry: Registry,
        access: StoreAccess,
        known: StateFile,
        pool: Executor,
        events: EventBus,
    ) -> None:
        """Known keeps what the memories were when they were last reached."""
        self._registry = registry
        self._access = access
        self._limits = access.limits
        self._known = known
        self._pool = pool
        self._events = events
        self._lock = threading.Lock()
        self._memories: dict[SharedPlace, _Memory] = {}
        self.follow()

    @lazy
    def _tables(self) -> ReadingProcess:
        """The process that reads the tables of all places."""
        from scrubjay.store.lancedb.reading_process import ReadingProcess

        return ReadingProcess()

    def close(self) -> None:
        """End the process that reads."""
        self.close_made("_tables")

    def follow(self) -> None:
        """Have the memories of the settings, and show their workspaces as they were last known."""
        wanted = self._registry.shared_places()
        with contextlib.suppress(OSError):
            known = self._known.read()
        with self._lock:
            self._memories = {
                place: self._memories.get(place) or self._made(place, known.get(place.uri, []))
                for place in wanted
            }
        self._show()

    def look(self) -> list[Future[None]]:
        """Looks at all memories, under way or begun now; they end in time, and never fail."""
        with self._lock:
            return [self._look(memory) for memory in self._memories.values()]

    def open_all(self) -> None:
        """Open all workspaces, which tells whether they can be read; for some seconds at most."""
        ends = time.monotonic() + self._limits.memory_open_seconds
        with self._lock:
            addresses = [
                SharedAddress(memory.place, each.name)
                for memory in self._memories.values()
                if not memory.reason
                for each in memory.workspaces
            ]
        for address in addresses:
            if time.monotonic() < ends:
                with contextlib.suppress(SharedUnavailable):
                    self._view(address).current(IoBudget(_OPEN_EACH_SECONDS))

    def status(self) -> tuple[SharedMemory, ...]:
        """All memories as they were at the last look."""
        with self._lock:
            return tuple(memory.shown() for memory in self._memories.values())

    def store(self, place: SharedPlace, **options: float) -> SharedStore:
        """The tables at a place, in the settings or not, which one process reads for all places."""
        from scrubjay.store.lancedb.shared_store import SharedStore

        return SharedStore(place, self._access, tables=self._tables, **options)

    # -- for searches -------------------------------------------------------------------------

    def wait_until_open(self, address: SharedAddress, budget: IoBudget) -> None:
        """Wait for a memory that was never asked before, as long as the budget lasts."""
        with self._lock:
            memory = self._memories.get(address.place)
        # A memory that was asked once answers or fails by itself.
        look = memory.look if memory and not memory.is_asked else None
        if budget.is_patient and look:
            with budget.spending() as seconds:
                wait([look], seconds)

    def open_shared_index(self, address: IndexAddress) -> SharedReader | None:
        """A reader of a shared workspace; None if it is not there. Raises SharedUnavailable."""
        from scrubjay.store.lancedb.shared_reader import SharedReader

        if isinstance(address, Path):
            return None
        return SharedReader.open(self._view(address))

    def _view(self, address: SharedAddress) -> SharedView:
        from scrubjay.store.lancedb.shared_reader import SharedView

        memory = self._reachable(address)
        with self._lock:
            view = memory.views.get(address.name)
            if view is None:
                view = SharedView(memory.store, address.name, listener=self)
                memory.views[address.name] = view
        return view

    def refresh(self, reader: SharedReader, address: SharedAddress, budget: IoBudget) -> bool:
        """Bring a reader up to date; False if there is no longer anything to read.

        The budget is for all that one search reads of its place. Raises SharedUnavailable.
        """
        self._reachable(address)
        return reader.refresh(budget)

    # -- what a view finds out ----------------------------------------------------------------

    def view_failed(self, view: SharedView, error: SharedUnavailable) -> None:
        """Exclude a memory, or one workspace of it, from searches until it answers again."""
        now = time.monotonic()
        with self._lock:
            memory = self._memory_of(view)
            if memory is None:
                return
            if error.is_of_workspace:
                seconds = self._limits.memory_again_seconds
                before = memory.lost.get(view.name)
                # It failed again soon after its last attempt: wait twice as long this time.
                if before and now < before.until + before.seconds:
                    seconds = min(2 * before.seconds, _LONGEST_SECONDS)
                memory.lost[view.name] = _Lost(str(error), until=now + seconds, seconds=seconds)
            else:
                memory.reason = str(error)
                memory.looked_at = now
        self._events.publish(SharedChanged(is_reach=True))

    def view_damaged(self, view: SharedView, *, passages: int, words: int) -> None:
        """Keep how much of a workspace turned out to be damaged since it was published."""
        with self._lock:
            memory = self._memory_of(view)
            if memory is None:
                return
            before = memory.workspaces
            memory.workspaces = tuple(
                _with_damage(each, passages, words) if each.name == view.name else each
                for each in before
            )
            # Each search meets the same damage again.
            is_news = memory.workspaces != before
        if is_news:
            self._pool.submit(self._keep)
            self._events.publish(SharedChanged(is_reach=False))

    def _memory_of(self, view: SharedView) -> _Memory | None:
        """Under the lock: the memory of a view; None if the settings no longer have it."""
        memory = self._memories.get(view.store.place)
        if memory is None or memory.views.get(view.name) is not view:
            return None
        return memory

    def _reachable(self, address: SharedAddress) -> _Memory:
        """The memory of a workspace, connected. Raises SharedUnavailable, soon when it is known."""
        place = address.place
        with self._lock:
            memory = self._memories.get(place)
            if memory is None:
                raise SharedUnavailable(msg("{uri} is not in the settings", uri=place.uri))
            # An old list still serves this search; the look is for those that follow.
            is_first = memory.look is None
            most_age = self._limits.memory_list_seconds
            if memory.reason:
                most_age = self._limits.memory_again_seconds
            if is_first or time.monotonic() - memory.looked_at > most_age:
                self._look(memory)
            look = memory.look
        assert look is not None
        # Only the first search waits: without an answer there is nothing to search.
        if is_first:
            wait([look], self._limits.memory_open_seconds)
        if not memory.is_asked:
            raise SharedUnavailable(
                msg("Scrubjay is still opening the shared memory {uri}", uri=place.uri)
            )
        with self._lock:
            reason = memory.failure(address.name)
        if reason:
            raise SharedUnavailable(reason)
        return memory

    # -- looking ------------------------------------------------------------------------------

    def _made(self, place: SharedPlace, known: object) -> _Memory:
        """A memory with the workspaces that the file of states has of it."""
        workspaces: tuple[SharedRecord, ...] = ()
        # Another version may have written the file, or a person edited it.
        with contextlib.suppress(TypeError, ValueError, LookupError, AttributeError):
            workspaces = tuple(_restored(each) for each in known)  # type: ignore[attr-defined]
        return _Memory(place, self.store(place), workspaces)

    def _look(self, memory: _Memory) -> Future[None]:
        """Under the lock: the look under way, or a new one."""
        if memory.look is None or memory.look.done():
            memory.look = self._pool.submit(self._looked, memory)
        return memory.look

    def _looked(self, memory: _Memory) -> None:
        """Ask a storage for its workspaces, and tell what changed since the last look."""
        reason = ""
        listed: WorkspaceList | None = None
        is_first = not memory.is_asked  # searches went without it until now
        try:
            memory.store.open()  # the first time it imports the library, which takes seconds
            listed = memory.store.call(memory.store.workspaces)
        except Cancelled:
            return
        except Exception as error:  # whatever it is, searches must learn of it
            if not isinstance(error, ScrubjayError):
                log.error("Looking at %s failed", memory.place.uri, exc_info=error)
            reason = str(error)

        with self._lock:
            is_reach = reason != memory.reason
            is_changed = listed is not None and _take(memory, listed)
            memory.reason = reason
            memory.looked_at = time.monotonic()

        if is_first or is_reach or is_changed:
            self._keep()
            self._show()
            self._events.publish(SharedChanged(is_reach=is_reach))

    def _keep(self) -> None:
        """Write the workspaces of all memories to the file, for the next start."""
        with self._lock:
            known = {
                memory.place.uri: [_stored(each) for each in memory.workspaces]
                for memory in self._memories.values()
            }
        # What cannot be kept is asked for again at the next start.
        with contextlib.suppress(OSError), self._known.changed() as state:
            state.clear()
            state.update(known)

    def _show(self) -> None:
        """Let the registry list the workspaces of all memories."""
        # What is published from here is searched in its own folder already.
        own = {
            (published.address.place.uri, published.address.name)
            for published in self._registry.publish_settings()
        }
        with self._lock:
            listed = [
                (memory, each)
                for memory in self._memories.values()
                for each in memory.workspaces
                if (memory.place.uri, each.name) not in own
            ]
        names = {each.name for each in self._registry.all()}
        self._registry.show_shared(list(_workspaces(listed, names)))


def _damage(uri: str, excluded: int) -> str:
    """The sentence about entries of a list that are excluded; empty for none."""
    if not excluded:
        return ""
    return msg(
        "Scrubjay does not search {n} {n:folder|folders} in the list of "
        "{uri}, because {n:the entry is|the entries are} damaged or the "
        "list is too long.",
        n=excluded,
        uri=uri,
    )


def _take(memory: _Memory, listed: WorkspaceList) -> bool:
    """Whether a list differs from what a memory was; afterwards the memory is what it says."""
    former = memory.workspaces
    former_excluded = memory.excluded
    records = _records(listed, {each.name: each for each in former})
    memory.workspaces = tuple(records[:MOST_WORKSPACES])
    memory.excluded = listed.unreadable + len(records) - len(memory.workspaces)
    if former == memory.workspaces and former_excluded == memory.excluded:
        return False

    # A workspace that was published again may be whole again.
    for each in memory.workspaces:
        if each not in former:
            memory.lost.pop(each.name, None)
    for view in memory.views.values():
        view.outdate()
    return True


def _records(listed: WorkspaceList, before: Mapping[str, SharedRecord]) -> list[SharedRecord]:
    """The workspaces of a list by name, with the damage found since they were published."""
    from scrubjay.store.lancedb.checked_rows import damaged_workspace_error
    from scrubjay.store.lancedb.shared_store import shared_record

    records = [shared_record(row) for row in listed.rows.values() if row.chunks_table]
    records += [
        SharedRecord(name, name, reason=str(damaged_workspace_error(name)))
        for name in listed.damaged
    ]
    # Damage belongs to one publication; the next one starts without.
    for at, record in enumerate(records):
        known = before.get(record.name)
        if known and known.published_at == record.published_at:
            records[at] = _with_damage(record, known.damaged_passages, known.damaged_words)
    return sorted(records, key=lambda record: record.name)


def _with_damage(record: SharedRecord, passages: int, words: int) -> SharedRecord:
    """The record with at least so much damage: another program may have found more."""
    return replace(
        record,
        damaged_passages=max(record.damaged_passages, passages),
        damaged_words=max(record.damaged_words, words),
    )


def _workspaces(
    found: Iterable[tuple[_Memory, SharedRecord]], names: set[str]
) -> Iterator[SharedWorkspace]:
    """Workspaces of the list, each with a name that no other one has."""
    for memory, published in found:
        name = _free_name(published.title, names)
        names.add(name)
        # Two memories may have workspaces of one name; the digest keeps their ids apart.
        address = SharedAddress(memory.place, published.name)
        uri = memory.place.uri
        digest = hashlib.sha256(uri.encode()).hexdigest()[:8]
        workspace = Workspace(
            id=WorkspaceId(f"{published.name}-{digest}"),
            name=name,
            root=Path(uri),
            layout="notes",
            shared=address,
        )
        yield SharedWorkspace(workspace, address, memory)


def _free_name(title: str, names: set[str]) -> str:
    """The title if no workspace has it; otherwise "Title (shared)", "Title (3)" and so on."""
    name = title
    count = 1
    while name in names:
        count += 1
        name = f"{title} ({count})" if count > 2 else f"{title} (shared)"
    return name


def _stored(workspace: SharedRecord) -> Mapping[str, Any]:
    """A record as the file of states has it."""
    at = workspace.published_at
    # The reason is kept with its parts, so that another language can show it after a restart.
    return {
        "name": workspace.name,
        "title": workspace.title,
        "documents": workspace.documents,
        "chunks": workspace.chunks,
        "identity": workspace.identity,
        "publishedAt": at.isoformat() if at else "",
        "publishedBy": workspace.published_by,
        "isNewer": workspace.is_newer,
        "reason": serialize_sentence(workspace.reason),
        "damagedPassages": workspace.damaged_passages,
        "damagedWords": workspace.damaged_words,
    }


def _restored(state: Mapping[str, Any]) -> SharedRecord:
    """A record from the file of states. Raises what a malformed one makes of it."""
    at = str(state["publishedAt"])
    # Fields that came later are missing in the files of older versions.
    return SharedRecord(
        name=str(state["name"]),
        title=str(state["title"]),
        documents=int(state["documents"]),
        chunks=int(state["chunks"]),
        identity=str(state["identity"]),
        published_at=dt.datetime.fromisoformat(at) if at else None,
        published_by=str(state["publishedBy"]),
        is_newer=bool(state["isNewer"]),
        reason=deserialize_sentence(str(state.get("reason", ""))),
        damaged_passages=int(state.get("damagedPassages", 0)),
        damaged_words=int(state.get("damagedWords", 0)),
    )
