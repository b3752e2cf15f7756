"""The queue that publishes this computer's shared folders after their indexes changed."""

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
from scrubjay.concurrency.timers import ScheduledCall, Timers
from scrubjay.errors import Cancelled, IndexUnavailable, ScrubjayError
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import IndexChanged, IndexFinished, SharingChanged
from scrubjay.messages import msg
from scrubjay.records.shared_records import PublishPhase, PublishState, SharedAddress
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.registry import PublishSettings, Registry

if TYPE_CHECKING:
    from scrubjay.store.lancedb.lease import ComputerId
    from scrubjay.store.lancedb.publishing_process import ChildPublisher, PublishingProcess
    from scrubjay.store.lancedb.publishing_requests import PublisherAt
    from scrubjay.store.lancedb.shared_store import StoreAccess

log = logging.getLogger(__name__)

_REST = 2.0
"""Rest after a publication, in multiples of its duration: a first pass commits all the time."""
_AGAIN_SECONDS = 30.0
"""Seconds until a publication that failed, or that another computer holds, is tried again."""

_TROUBLED = (PublishPhase.FAILED, PublishPhase.ELSEWHERE)
"""States whose reason holds until the next publication."""


class _SharedFolder(Struct, eq=False):
    """One folder that is shared."""

    settings: PublishSettings
    state: PublishState
    publisher: ChildPublisher | None = None
    timer: ScheduledCall | None = None
    waiting: Future[bool] | None = None
    """Publication that is queued or under way, or the last one."""
    rests_until: float = 0.0
    """End of the rest, on the monotonic clock."""
    is_wanted: bool = False
    """Whether a person asked for the next publication."""
    cancel: CancelToken = field(default_factory=CancelToken)


class PublishQueue:
    """Publishes on its own thread, one folder at a time. For any thread."""

    def __init__(
        self,
        registry: Registry,
        access: StoreAccess,
        computer_id: Callable[[LocalWorkspace], ComputerId],
        timers: Timers,
        events: EventBus,
    ) -> None:
        """Computer_id gives the identity under which a workspace is published."""
        self._registry = registry
        self._access = access
        self._quiet_seconds = access.limits.publish_quiet_seconds
        self._computer_id = computer_id
        self._timers = timers
        self._events = events
        self._queue = SerialQueue(DaemonThreadPool("publish"))
        self._lock = threading.Lock()
        self._folders: list[_SharedFolder] = []
        self._joining: list[_SharedFolder] = []
        """Folders that are published for the first time, before the settings share them."""
        self._process: PublishingProcess | None = None
        """Process that publishes; None before the first publication."""
        self._is_on = False
        self._unsubscribe: Callable[[], None] = lambda: None
        self.follow()

    def start(self) -> None:
        """Publish by itself from now on, after each change of an index."""
        if self._is_on:
            return
        self._is_on = True
        self._unsubscribe = self._events.subscribe(self._on_event, IndexChanged, IndexFinished)
        for folder in list(self._folders):
            self._schedule(folder, self._quiet_seconds)

    def follow(self) -> None:
        """Publish the folders that the settings share now, and no others."""
        with self._lock:
            former = {folder.settings.workspace: folder for folder in self._folders}
            self._folders = []
            for wanted in self._registry.publish_settings():
                folder = former.get(wanted.workspace)
                is_off = bool(wanted.workspace.off_key)
                if folder and folder.settings == wanted and not is_off:
                    self._folders.append(former.pop(wanted.workspace))
                    continue
                # A folder whose address or title changed is published as if it were new.
                new = _SharedFolder(wanted, _waiting(wanted))
                self._folders.append(new)
                if self._is_on and not is_off:
                    self._schedule(new, self._quiet_seconds)
            for folder in former.values():
                self._forget(folder)

    def status(self) -> tuple[PublishState, ...]:
        """All folders that are shared from here, or are being shared."""
        with self._lock:
            # One that is being shared again has its former state until the settings share it.
            listed = {folder.settings.workspace for folder in self._folders}
            joining = (each for each in self._joining if each.settings.workspace not in listed)
            return tuple(folder.state for folder in (*joining, *self._folders))

    def look(self) -> Future[None]:
        """Done when all shared memories were asked for what is published there."""

        def job() -> None:
            with self._lock:
                folders = list(self._folders)
            for folder in folders:
                try:
                    self._look_at(folder)
                except ScrubjayError as error:
                    self._show(folder, reason=str(error), record=None)

        return self._queue.submit(job)

    def _look_at(self, folder: _SharedFolder) -> None:
        """Show what is published of a folder. Raises SharedUnavailable."""
        looked = self._opened(folder).look()
        # That the storage answers now says nothing of a publication that failed.
        reason = ""
        if folder.state.state in _TROUBLED:
            reason = folder.state.reason
        self._show(folder, record=looked.record, left_overs=looked.left_overs, reason=reason)

    def publish(self, workspace: LocalWorkspace, *, is_wanted: bool = False) -> Future[bool]:
        """Publish a folder now; False if another computer does.

        Is_wanted: a person asked for it. The future may raise SharedUnavailable, IndexUnavailable
        or Cancelled.
        """
        with self._lock:
            folder = self._folder_of(workspace)
            folder.is_wanted |= is_wanted
            # One that runs already may have read the index before the change; one that waits in
            # the queue will read it after.
            if folder.waiting is None or folder.waiting.running() or folder.waiting.done():
                folder.waiting = self._queue.submit(functools.partial(self._publish, folder))
            return folder.waiting

    def withdraw(self, workspace: LocalWorkspace) -> Future[bool]:
        """Delete what was published of a folder; False if another computer publishes it."""
        with self._lock:
            folder = self._folder_of(workspace)
            folder.cancel.cancel()
        return self._queue.submit(lambda: self._opened(folder).withdraw())

    def join(self, published: PublishSettings) -> Future[bool]:
        """Publish a folder that is shared from now on, unless another one has its name there."""
        folder = _SharedFolder(published, _waiting(published), is_wanted=True)

        def job() -> bool:
            try:
                folder.cancel.check()
                self._show(folder, state=PublishPhase.PUBLISHING)
                self._opened(folder).begin()
                return self._pass(folder, is_first=True)
            finally:
                with self._lock:
                    self._joining.remove(folder)
                self._events.publish(SharingChanged())

        with self._lock:
            self._joining.append(folder)
        return self._queue.submit(job)

    def close(self) -> None:
        """Stop; what was committed stays."""
        self._unsubscribe()
        with self._lock:
            for folder in (*self._folders, *self._joining):
                self._forget(folder)
        self._queue.close(seconds=1)
        if self._process:
            self._process.close()

    # -- when ---------------------------------------------------------------------------------

    def _folder_of(self, workspace: LocalWorkspace) -> _SharedFolder:
        """Under the lock: a workspace that is shared."""
        return next(each for each in self._folders if each.settings.workspace is workspace)

    def _on_event(self, event: Event) -> None:
        match event:
            case IndexChanged(changed):
                seconds = self._quiet_seconds
            case IndexFinished(report):
                changed = report.workspace
                seconds = 0.0
            case _:
                return
        for folder in list(self._folders):
            if folder.settings.workspace.id == changed:
                self._schedule(folder, seconds)

    def _schedule(self, folder: _SharedFolder, seconds: float) -> None:
        """Publish a folder soon, together with what changes until then."""
        # Each change replaces the timer, so that a busy folder waits until it is quiet.
        due = max(seconds, folder.rests_until - time.monotonic())
        if folder.timer:
            folder.timer.cancel()
        folder.timer = self._timers.after(due, functools.partial(self._due, folder))

    def _due(self, folder: _SharedFolder) -> None:
        if folder in self._folders and not folder.settings.workspace.off_key:
            self.publish(folder.settings.workspace)

    def _forget(self, folder: _SharedFolder) -> None:
        folder.cancel.cancel()
        if folder.timer:
            folder.timer.cancel()

    # -- on the thread ------------------------------------------------------------------------

    def _publish(self, folder: _SharedFolder) -> bool:
        folder.cancel.check()
        self._show(folder, state=PublishPhase.PUBLISHING, reason="")
        # The longer a pass took, the longer the folder rests, also after a failure.
        began = time.monotonic()
        try:
            is_done = self._pass(folder)
        except Cancelled:
            raise
        except Exception as error:  # the thread must outlive it, and the person learn of it
            if not isinstance(error, ScrubjayError):
                log.error("Publishing %s failed", folder.state.name, exc_info=error)
            self._show(folder, state=PublishPhase.FAILED, reason=str(error))
            self._again(folder)
            raise
        finally:
            folder.rests_until = time.monotonic() + _REST * (time.monotonic() - began)
        # If another computer holds the lease, this one tries again later.
        if is_done:
            record = self._opened(folder).record
            self._show(folder, state=PublishPhase.PUBLISHED, reason="", pending=0, record=record)
        else:
            holder = self._opened(folder).holder
            reason = msg("{computer} is publishing this folder right now.", computer=holder)
            self._show(folder, state=PublishPhase.ELSEWHERE, reason=reason)
            self._again(folder)
        return is_done

    def _pass(self, folder: _SharedFolder, *, is_first: bool = False) -> bool:
        from scrubjay.store.local_index_export import LocalIndexExport

        folder.settings.workspace.check_on()
        publisher = self._opened(folder)
        # A wish that arrives from here on is for the next publication.
        is_wanted = folder.is_wanted
        folder.is_wanted = False
        file = folder.settings.workspace.index_file
        index = LocalIndexExport.open(file)
        if index is None:
            raise IndexUnavailable(
                msg("{name} has not been read yet", name=folder.settings.workspace.name),
                hint="The folder will be published once it has been read.",
            )
        with contextlib.closing(index):
            index.metadata.check_owner(folder.settings.workspace.record)
            return publisher.publish(
                index,
                file,
                folder.cancel,
                lambda pending: self._show(folder, pending=pending),
                is_wanted=is_wanted,
                is_first=is_first,
            )

    def _opened(self, folder: _SharedFolder) -> ChildPublisher:
        """The publisher of a folder, whose process starts with its first request."""
        from scrubjay.store.lancedb.publishing_process import ChildPublisher, PublishingProcess

        if self._process is None:
            self._process = PublishingProcess()
        if folder.publisher is None:
            computer = self._computer_id(folder.settings.workspace)
            at = functools.partial(self._publisher_at, folder.settings, computer)
            folder.publisher = ChildPublisher(self._process, at)
        return folder.publisher

    def _publisher_at(self, published: PublishSettings, computer: ComputerId) -> PublisherAt:
        """Whose folder is published where, with the key and the settings of now."""
        from scrubjay.store.lancedb.publishing_requests import PublisherAt
        from scrubjay.store.lancedb.shared_store import WRITE_SECONDS, SharedStore

        place = published.address.place
        # The keychain may ask a person, who is not there.
        store = SharedStore(place, self._access, WRITE_SECONDS)
        return PublisherAt(
            place,
            key=store.call_opening(store.key),
            is_local_only=self._access.is_local_only(),
            limits=self._access.limits,
            name=published.address.name,
            title=published.title,
            computer=computer,
        )

    def _again(self, folder: _SharedFolder) -> None:
        if self._is_on:
            self._schedule(folder, _AGAIN_SECONDS)

    def _show(self, folder: _SharedFolder, **changes: object) -> None:
        before = folder.state
        folder.state = replace(before, **changes)
        if folder.state != before:
            self._events.publish(SharingChanged())


def _waiting(published: PublishSettings) -> PublishState:
    """The state of a folder before its first publication."""
    address: SharedAddress = published.address
    return PublishState(published.workspace.id, address.place.uri, name=address.name)
