"""The user's commands for shared memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.loading import load_settings
from scrubjay.config.settings_file import ConfigFile
from scrubjay.errors import SharedUnavailable, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import PublishState, SharedMemory, SharedPlace, SharingStatus
from scrubjay.sharing.places import parse_place
from scrubjay.workspaces.registry import PublishSettings, publish_settings

if TYPE_CHECKING:
    from scrubjay.engine.engine_parts import EngineParts
    from scrubjay.store.lancedb.shared_store import StoreAccess


class SharingCommands:
    """Shares folders and adds shared memories. For any thread. Slow commands return futures."""

    def __init__(self, parts: EngineParts, begin: Callable[[], None]) -> None:
        """Begin lets this engine publish by itself, where it runs as the app does."""
        self._parts = parts
        self._begin = begin
        self._jobs = SerialQueue(parts.pool)

    def status(self) -> SharingStatus:
        """The folders shared from this computer and with it, as currently known."""
        parts = self._parts
        publications: tuple[PublishState, ...] = ()
        memories: tuple[SharedMemory, ...] = ()
        # Parts that share nothing are not made for this.
        if parts.is_made("publish_queue") or parts.registry.publish_settings():
            publications = parts.publish_queue.status()
        if parts.registry.shared_places():
            memories = parts.shared.status()
        return SharingStatus(publications, memories)

    @queued
    def look(self) -> SharingStatus:
        """The shared folders, after a request to all shared memories."""
        looks: list[Future[None]] = []
        if self._parts.registry.publish_settings():
            looks.append(self._parts.publish_queue.look())
        if self._parts.registry.shared_places():
            looks += self._parts.shared.look()
        wait(looks, self._parts.limits.storage_opening_seconds)
        if self._parts.registry.shared_places():
            self._parts.shared.open_all()
        return self.status()

    def look_for_news(self) -> None:
        """Ask the shared memories that are searched for news, without waiting for their answers."""
        if self._parts.registry.shared_places():
            self._parts.shared.look()

    @queued
    def share(
        self, record: Workspace, uri: str, name: str = "", options: Mapping[str, str] | None = None
    ) -> PublishState:
        """Publish a folder in a shared memory, now and after each change.

        The future may raise IndexUnavailable and those of its kind, WorkspaceMissing or
        ConfigError; then nothing is shared.
        """
        parts = self._parts
        # Everything that can go wrong does so before the settings are changed.
        workspace = parts.registry.local(record.id)
        place = parse_place(uri, options or {})
        # The address by which others will find it must be free before anything is written.
        published = publish_settings(
            workspace, place.uri, name=name.strip() or workspace.name, options=options or {}
        )
        self._refuse_place(published)
        _make_folder(published.address.place, parts.store_access())
        if not parts.publish_queue.join(published).result():
            raise SharedUnavailable(
                msg(
                    "Another computer is already publishing {name} to that location",
                    name=published.title,
                ),
                hint="Try again in a minute, or choose another name.",
            )
        store: dict[str, Any] = {
            "driver": "lancedb",
            "uri": published.address.place.uri,
            "name": published.title,
        }
        if options:
            store["options"] = dict(options)
        # Options of an earlier place must not stay, where the new one has none.
        file = ConfigFile(*parts.paths.settings)
        file.remove((*_store_of(record), "options"))
        for key, value in store.items():
            file.set((*_store_of(record), key), value)
        parts.apply_settings()
        self._begin()
        parts.publish_queue.publish(workspace).result()
        return self._publication(record)

    def _refuse_place(self, published: PublishSettings) -> None:
        """Raise SharedUnavailable where a folder is not to be shared."""
        registry = self._parts.registry
        workspace = published.workspace
        uri = published.address.place.uri
        name = published.address.name
        # At another place, or by another name, what was published before would grow old.
        former = registry.find_publish_settings(workspace)
        if former and (former.address.place.uri, former.address.name) != (uri, name):
            at = former.address.place.uri
            raise SharedUnavailable(
                msg("{name} is already shared at {uri}", name=workspace.name, uri=at),
                hint=(
                    "Stop sharing the folder first. Otherwise, other people will still "
                    "find the notes that are published at the current location."
                ),
            )
        # A shared memory among the notes would be searched, and published in turn.
        for each in registry.all():
            if "://" not in uri and Path(uri).is_relative_to(each.root):
                raise SharedUnavailable(
                    msg("{uri} is inside the folder {name}", uri=uri, name=each.name),
                    hint="Choose a folder outside your notes.",
                )

    @queued
    def unshare(self, record: Workspace, *, keeps: bool = False) -> bool:
        """Stop publishing a folder, and delete what was published of it, unless it is kept.

        The answer is False when it could not be deleted, since another computer publishes it. The
        future may raise SharedUnavailable, after which nothing is published from here either.
        """
        parts = self._parts
        self._publication(record)
        withdrawal: Future[bool] | None = None
        if not keeps:
            withdrawal = parts.publish_queue.withdraw(parts.registry.find_local(record))
        # The settings stop sharing it even when the other side does not answer.
        file = ConfigFile(*parts.paths.settings)
        for key in ("driver", "uri", "name", "options"):
            file.remove((*_store_of(record), key))
        # Where the settings share all folders, this one has to be excluded by name.
        if load_settings(*parts.paths.settings).settings.memory_search.store.is_shared:
            file.set((*_store_of(record), "driver"), "sqlite")
        is_gone = True
        try:
            if withdrawal:
                is_gone = withdrawal.result()
        finally:
            parts.apply_settings()
        return is_gone

    @queued
    def publish(self, record: Workspace) -> PublishState:
        """Publish a folder that is shared, now. The future may raise SharedUnavailable."""
        self._publication(record)
        workspace = self._parts.registry.local(record.id)
        self._parts.publish_queue.publish(workspace, is_wanted=True).result()
        return self._publication(record)

    @queued
    def add(self, uri: str, options: Mapping[str, str] | None = None) -> SharedMemory:
        """Search a shared memory from now on.

        The future may raise SharedUnavailable, when it does not answer now, or ConfigError.
        """
        from scrubjay.store.lancedb.shared_store import WRITE_SECONDS

        parts = self._parts
        place = parse_place(uri, options or {})
        # The memory is asked first, so that no address is added that nobody answers at.
        store = parts.shared.store(place, seconds=WRITE_SECONDS)
        store.open()
        if not store.call(store.workspaces).rows:
            raise SharedUnavailable(
                msg("There is no shared memory at {uri} yet", uri=place.uri),
                hint="Share a folder at this location first.",
            )
        entry: dict[str, Any] = {"uri": place.uri}
        if options:
            entry["options"] = dict(options)
        others = self._other_memories(place.uri)
        ConfigFile(*parts.paths.settings).set(("sharedMemories",), [*others, entry])
        parts.apply_settings()
        wait(parts.shared.look(), parts.limits.storage_opening_seconds)
        return next(each for each in parts.shared.status() if each.uri == place.uri)

    @queued
    def remove(self, uri: str) -> bool:
        """Stop searching a shared memory; the answer is whether the settings listed it."""
        parts = self._parts
        others = self._other_memories(SharedPlace.of(uri, {}).uri)
        if len(others) == len(parts.registry.loaded.settings.shared_memories):
            return False
        file = ConfigFile(*parts.paths.settings)
        # The last one takes the whole list out of the file.
        if others:
            file.set(("sharedMemories",), others)
        else:
            file.remove(("sharedMemories",))
        parts.apply_settings()
        return True

    def close(self) -> None:
        """Finish the queue, for a second at most."""
        self._jobs.close(seconds=1)

    def _other_memories(self, uri: str) -> list[dict[str, Any]]:
        """The entries of the settings for all shared memories but the one at an address."""
        listed = self._parts.registry.loaded.settings.shared_memories
        # An empty value is the default, which the file need not name.
        others = (each.by_key() for each in listed if SharedPlace.of(each.uri, {}).uri != uri)
        return [{key: value for key, value in each.items() if value} for each in others]

    def _publication(self, record: Workspace) -> PublishState:
        for publication in self._parts.publish_queue.status():
            if publication.workspace == record.id:
                return publication
        raise WorkspaceMissing(msg("{name} is not shared", name=record.name))


def _store_of(record: Workspace) -> tuple[str, ...]:
    """Path of the settings that say where a workspace is stored."""
    return ("agents", "entries", record.id, "memorySearch", "store")


def _make_folder(place: SharedPlace, access: StoreAccess) -> None:
    """Make the folder of a new shared memory. Raises SharedUnavailable."""
    from scrubjay.store.lancedb.shared_store import SharedStore, uri_folder

    if place.scheme:
        return
    folder = uri_folder(place.uri)

    # Only the last folder is made: a missing drive must not be replaced by an empty folder.
    def make() -> None:
        if not folder.parent.is_dir():
            raise SharedUnavailable(
                msg("The folder {folder} does not exist", folder=folder.parent),
                hint="Check whether the drive is connected, then try again.",
            )
        folder.mkdir(exist_ok=True)

    SharedStore(place, access).call_opening(make)
