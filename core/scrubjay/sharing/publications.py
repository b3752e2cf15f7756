"""Publishes the folders that are shared from this computer, after their own indexes changed."""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.errors import Cancelled, IndexUnavailable, ScrubjayError
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import IndexChanged, IndexFinished, SharingChanged
from scrubjay.messages import msg
from scrubjay.records.shared_records import Publication, PublicationState, SharedAddress
from scrubjay.workspaces.registry import PublishedWorkspace, Registry

if TYPE_CHECKING:
    from scrubjay.store.lancedb.lease import Publisher
    from scrubjay.store.lancedb.publisher import WorkspacePublisher
    from scrubjay.store.lancedb.shared_store import StoreAccess

log = logging.getLogger(__name__)

QUIET_SECONDS = 0.5
"""Seconds within which changes that follow each other are published together."""
_REST = 2.0
"""Rest after a publication, in multiples of its duration: a first pass commits all the time."""
_AGAIN_SECONDS = 30.0
"""Seconds until a publication that failed, or that another computer holds, is tried again."""

_TROUBLED = (PublicationState.FAILED, PublicationState.ELSEWHERE)
"""States whose reason holds until the next publication."""


class _Place(Struct):
    """One folder that is shared."""

    workspace: PublishedWorkspace
    state: Publication
    publisher: WorkspacePublisher | None = None
    timer: Timer | None = None
    waiting: Future[bool] | None = None
    """Publication that is queued or under way, or the last one."""
    rests_until: float = 0.0
    """End of the rest, on the monotonic clock."""
    is_wanted: bool = False
    """Whether a person asked for the next publication."""
    cancel: CancelToken = field(default_factory=CancelToken)


class Publications:
    """Publishes on a thread of its own, one folder at a time. For any thread."""

    def __init__(
        self,
        registry: Registry,
        access: StoreAccess,
        publisher: Callable[[str], Publisher],
        timers: Timers,
        events: EventBus,
    ) -> None:
        """Publisher says who publishes a workspace, by its id."""
        self._registry = registry
        self._access = access
        self._publisher = publisher
        self._timers = timers
        self._events = events
        self._queue = SerialQueue(DaemonThreadPool("publications"))
        self._lock = threading.Lock()
        self._places: dict[str, _Place] = {}
        self._joining: dict[str, _Place] = {}
        """Folders that are published for the first time, before the settings share them."""
        self._is_on = False
        self._unsubscribe: Callable[[], None] = lambda: None
        self.follow()

    def start(self) -> None:
        """Publish by itself from now on, after each change of an index."""
        if self._is_on:
            return
        self._is_on = True
        self._unsubscribe = self._events.subscribe(self._on_event, IndexChanged, IndexFinished)
        for workspace_id in list(self._places):
            self._schedule(workspace_id, QUIET_SECONDS)

    def follow(self) -> None:
        """Publish the folders that the settings share now, and no others."""
        wanted = {each.workspace.id: each for each in self._registry.publications()}
        with self._lock:
            for name in self._places.keys() - wanted.keys():
                self._forget(self._places.pop(name))
            for name, each in wanted.items():
                place = self._places.get(name)
                if place and place.workspace == each:
                    continue
                # A folder whose address or title changed is published as if it were new.
                if place:
                    self._forget(place)
                self._places[name] = _Place(each, _waiting(each))
                if self._is_on:
                    self._schedule(name, QUIET_SECONDS)

    def status(self) -> tuple[Publication, ...]:
        """All folders that are shared from here, or are being shared."""
        with self._lock:
            return tuple(place.state for place in (self._joining | self._places).values())

    def look(self) -> Future[None]:
        """Done when all places were asked for what is published there."""

        def job() -> None:
            with self._lock:
                places = list(self._places.values())
            for place in places:
                try:
                    self._look_at(place)
                except ScrubjayError as error:
                    self._show(place, reason=str(error), record=None)

        return self._queue.submit(job)

    def _look_at(self, place: _Place) -> None:
        """Show what is published of a folder. Raises SharedUnavailable."""
        from scrubjay.store.lancedb.shared_store import shared_workspace
        from scrubjay.store.lancedb.upkeep import left_overs

        store = self._opened(place).store
        name = place.state.name
        store.open()
        row = store.call(lambda: store.workspaces(name)).find(name)
        record = shared_workspace(row) if row else None
        left = store.call(lambda: left_overs(store, name, row))
        # That the storage answers now says nothing of a publication that failed.
        reason = ""
        if place.state.state in _TROUBLED:
            reason = place.state.reason
        self._show(place, record=record, left_overs=len(left), reason=reason)

    def publish(self, workspace_id: str, *, is_wanted: bool = False) -> Future[bool]:
        """Publish a folder now; False while another computer does.

        Is_wanted: a person asked for it. The future may raise SharedUnavailable, IndexUnavailable
        or Cancelled.
        """
        with self._lock:
            place = self._places[workspace_id]
            place.is_wanted |= is_wanted
            # One that runs already may have read the index before the change; one that waits in
            # the queue will read it after.
            if place.waiting is None or place.waiting.running() or place.waiting.done():
                place.waiting = self._queue.submit(functools.partial(self._publish, place))
            return place.waiting

    def withdraw(self, workspace_id: str) -> Future[bool]:
        """Delete what was published of a folder; False while another computer publishes it."""
        with self._lock:
            place = self._places[workspace_id]
            place.cancel.cancel()
        return self._queue.submit(lambda: self._opened(place).withdraw())

    def join(self, published: PublishedWorkspace) -> Future[bool]:
        """Publish a folder that is shared from now on, unless another one has its name there."""
        place = _Place(published, _waiting(published), is_wanted=True)

        def job() -> bool:
            try:
                place.cancel.check()
                self._show(place, state=PublicationState.PUBLISHING)
                self._opened(place).begin()
                return self._pass(place, is_first=True)
            finally:
                with self._lock:
                    self._joining.pop(published.workspace.id, None)
                self._events.publish(SharingChanged())

        with self._lock:
            self._joining[published.workspace.id] = place
        return self._queue.submit(job)

    def close(self) -> None:
        """Stop; what was committed stays."""
        self._unsubscribe()
        with self._lock:
            for place in (*self._places.values(), *self._joining.values()):
                self._forget(place)
        self._queue.close(seconds=1)

    # -- when ---------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case IndexChanged(workspace):
                self._schedule(workspace, QUIET_SECONDS)
            case IndexFinished(report):
                self._schedule(report.workspace, 0.0)

    def _schedule(self, workspace_id: str, seconds: float) -> None:
        """Publish a folder soon, together with what changes until then."""
        place = self._places.get(workspace_id)
        if place is None:
            return
        due = max(seconds, place.rests_until - time.monotonic())
        if place.timer:
            place.timer.cancel()
        place.timer = self._timers.after(due, functools.partial(self._due, workspace_id, place))

    def _due(self, workspace_id: str, place: _Place) -> None:
        if self._places.get(workspace_id) is place:
            self.publish(workspace_id)

    def _forget(self, place: _Place) -> None:
        place.cancel.cancel()
        if place.timer:
            place.timer.cancel()

    # -- on the thread ------------------------------------------------------------------------

    def _publish(self, place: _Place) -> bool:
        place.cancel.check()
        self._show(place, state=PublicationState.PUBLISHING, reason="")
        began = time.monotonic()
        try:
            is_done = self._pass(place)
        except Cancelled:
            raise
        except Exception as error:  # the thread must outlive it, and the person learn of it
            if not isinstance(error, ScrubjayError):
                log.error("Publishing %s failed", place.state.name, exc_info=error)
            self._show(place, state=PublicationState.FAILED, reason=str(error))
            self._again(place)
            raise
        finally:
            place.rests_until = time.monotonic() + _REST * (time.monotonic() - began)
        if is_done:
            record = self._opened(place).record
            self._show(place, state=PublicationState.PUBLISHED, reason="", pending=0, record=record)
        else:
            holder = self._opened(place).holder
            reason = msg("{computer} publishes it at the moment.", computer=holder)
            self._show(place, state=PublicationState.ELSEWHERE, reason=reason)
            self._again(place)
        return is_done

    def _pass(self, place: _Place, *, is_first: bool = False) -> bool:
        from scrubjay.store.publication_reader import PublicationReader

        publisher = self._opened(place)
        # A wish that arrives from here on is for the next publication.
        is_wanted = place.is_wanted
        place.is_wanted = False
        publisher.store.open()
        index = PublicationReader.open(self._registry.index_file(place.workspace.workspace))
        if index is None:
            raise IndexUnavailable(
                msg("{name} has not been read yet", name=place.workspace.workspace.name),
                hint="It will be published once it has been read.",
            )
        with contextlib.closing(index):
            index.metadata.check_owner(place.workspace.workspace.id)
            return publisher.publish(
                index,
                place.cancel,
                lambda pending: self._show(place, pending=pending),
                is_wanted=is_wanted,
                is_first=is_first,
            )

    def _opened(self, place: _Place) -> WorkspacePublisher:
        """The publisher of a folder, which imports the library at the first use."""
        from scrubjay.store.lancedb.publisher import WorkspacePublisher
        from scrubjay.store.lancedb.shared_store import WRITE_SECONDS, SharedStore

        if place.publisher is None:
            address = place.workspace.address
            place.publisher = WorkspacePublisher(
                SharedStore(address.place, self._access, WRITE_SECONDS),
                address.name,
                title=place.workspace.title,
                publisher=self._publisher(place.workspace.workspace.id),
            )
        return place.publisher

    def _again(self, place: _Place) -> None:
        if self._is_on:
            self._schedule(place.workspace.workspace.id, _AGAIN_SECONDS)

    def _show(self, place: _Place, **changes: object) -> None:
        before = place.state
        place.state = replace(before, **changes)
        if place.state != before:
            self._events.publish(SharingChanged())


def _waiting(published: PublishedWorkspace) -> Publication:
    """The state of a folder before its first publication."""
    address: SharedAddress = published.address
    return Publication(published.workspace.id, address.place.uri, name=address.name)
