"""The list of workspaces, which is read from the settings and changed through them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.config.ignore_patterns import (
    excluded_entries,
    folder_entry,
    folder_label,
    usable_patterns,
    with_former_lines,
    written_patterns,
)
from scrubjay.config.loading import (
    LoadedSettings,
    agent_ids,
    complete_entry,
    copy_usable,
    file_version,
    load_settings,
    memory_search_for,
    names_agents,
    off_key,
)
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.settings import WorkspaceEntry
from scrubjay.config.settings_file import ConfigFile, clear_backup
from scrubjay.errors import ONLY_WHEN_NAMED, NotWritable, SearchOff, WorkspaceMissing
from scrubjay.messages import msg
from scrubjay.notes.note_files import as_listed, is_folder
from scrubjay.notes.scan import Exclusions, Scan, detect_layout, document_count, is_utf8_name
from scrubjay.platform.file_names import file_name_key
from scrubjay.platform.paths import Paths, expanded_path
from scrubjay.records.conversation import Conversation
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.records.note_records import FolderDescription, NoteAddress, Workspace
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.shared_records import SharedAddress, SharedPlace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.printable import printable_label
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace, required_names
from scrubjay.workspaces.shared_workspace import SharedWorkspace
from scrubjay.workspaces.user_skips import UserSkips

T = TypeVar("T")


class PublishSettings(Struct, frozen=True):
    """A folder that is published, and its address."""

    workspace: LocalWorkspace
    address: SharedAddress
    title: str
    """Name that it has there."""


class _Reading(Struct, frozen=True):
    """One reading of the settings file."""

    loaded: LoadedSettings
    version: object
    """Version of the file before it was read."""
    records: tuple[Workspace, ...]
    """Workspaces that the settings list."""


class Registry:
    """All workspaces and their settings. For any thread."""

    def __init__(
        self,
        paths: Paths,
        io_timeouts: IoTimeouts | None = None,
        many_documents: int = DEFAULT_LIMITS.many_documents,
    ) -> None:
        """Io_timeouts are for the folders, while a person waits."""
        self._paths = paths
        self._many_documents = many_documents
        self.io_timeouts = io_timeouts or IoTimeouts(DEFAULT_LIMITS.search_io_seconds)
        self.user_skips = UserSkips(paths.state / "left-out.json", self.io_timeouts)
        self._lock = threading.Lock()
        self._listed: dict[WorkspaceId, LocalWorkspace] = {}
        """Workspaces by id, in the order of the settings file."""
        self._guests: tuple[LocalWorkspace, ...] = ()
        self._shared: tuple[SharedWorkspace, ...] = ()
        self._reading = self._read(None)
        self._follow(self._reading)

    @property
    def loaded(self) -> LoadedSettings:
        """Settings and their problems, as of the last reading."""
        return self._reading.loaded

    def reload(self) -> None:
        """Read the settings file again; an unusable file changes nothing but the problems."""
        with self._lock:
            reading = self._read(self._reading.loaded)
            self._follow(reading)
            self._reading = reading

    def up_to_date(self) -> LoadedSettings:
        """Settings as they are in the file at this moment, also where no watcher follows it."""
        with contextlib.suppress(OSError):  # then they stay
            if file_version(self._paths.config_file) != self._reading.version:
                self.reload()
        return self.loaded

    def _read(self, before: LoadedSettings | None) -> _Reading:
        """A new reading; an unusable file gives the settings before, with its problems."""
        paths = self._paths
        # Taken before reading: a change meanwhile makes the reading outdated, not the version.
        version: object = None
        with contextlib.suppress(OSError):
            version = file_version(paths.config_file)
        loaded = load_settings(*paths.settings, before)
        if not loaded.is_settled:
            version = object()  # the same file may count a moment later
        # What can be used is kept, for the day on which the file cannot.
        copy_usable(loaded, paths.last_settings)
        if loaded.text and not loaded.broken:
            clear_backup(paths.config_file, loaded.text)
        return _Reading(loaded, version, _records(loaded))

    def _follow(self, reading: _Reading) -> None:
        """Update the workspaces after the settings were read."""
        settings = [memory_search_for(reading.loaded, each.id)[0] for each in reading.records]
        files = self._index_files(reading.records, settings)
        listed: dict[WorkspaceId, LocalWorkspace] = {}
        for record, own, file in zip(reading.records, settings, files, strict=True):
            workspace = self._listed.get(record.id)
            # One that stays on the list keeps what is known of it.
            if workspace:
                workspace.follow(record, own, file)
            else:
                workspace = LocalWorkspace(record, own, file, self.user_skips)
            listed[record.id] = workspace
        for gone in self._listed.keys() - listed.keys():
            self._listed[gone].is_listed = False
        for each in listed.values():
            each.others = tuple(other for other in listed.values() if other is not each)
        for each in listed.values():
            each.off_key = off_key(reading.loaded, each.id)
        for guest in self._guests:
            _update_guest(guest, reading.loaded, tuple(listed.values()))
        for shared in self._shared:
            _set_settings(shared, reading.loaded)
        # Others read it without the lock, so it is exchanged as a whole, and last: a new workspace
        # that is off never looks on.
        self._listed = listed

    def _index_files(
        self, records: Sequence[Workspace], settings: Sequence[MemorySearch]
    ) -> list[Path]:
        """Index files of the workspaces.

        A `store.path` without `{agentId}` belongs to the first workspace; in one file the others
        would prune its notes, so they get one beside it.
        """
        files: list[Path] = []
        wanted: set[Path] = set()
        for record, own in zip(records, settings, strict=True):
            file = own.store.index_file(record.id, self._paths.indexes)
            beside = file.with_name(f"{file.stem}-{record.id}{file.suffix}")
            files.append(beside if file in wanted else file)
            wanted.add(file)
        return files

    def at_this_moment(self) -> tuple[LoadedSettings, tuple[Workspace, ...]]:
        """The settings as `up_to_date`, and all workspaces to search by the same reading."""
        self.up_to_date()
        reading = self._reading
        return reading.loaded, (*reading.records, *(each.record for each in self._shared))

    def all(self) -> tuple[LocalWorkspace, ...]:
        """All workspaces in the order of the settings file, also those that are off."""
        return tuple(self._listed.values())

    def shared(self) -> tuple[SharedWorkspace, ...]:
        """Workspaces of shared memories, as they were last known."""
        return self._shared

    def with_shared(self) -> tuple[OpenWorkspace, ...]:
        """All workspaces, and after them those of shared memories."""
        return (*self.all(), *self._shared)

    def searched(self, request: SearchRequest, named: Set[str]) -> tuple[OpenWorkspace, ...]:
        """The workspaces that a request asks for; named are the folders that its text asks for.

        Raises WorkspaceMissing or SearchOff.
        """
        if request.workspace:
            return (self.get(request.workspace),)
        asked = self._asked_for(request)
        searched = tuple(each for each in asked if not _why_not(each, named))
        if searched or not asked:
            return searched
        off = next((each.off_key for each in asked if each.off_key), "")
        if off:
            raise SearchOff(off)
        raise WorkspaceMissing(
            "This search does not include a folder",
            msg("{name} is searched only when a search names it.", name=asked[0].name),
            hint=msg(
                'Choose the folder, or add folder:"{name}" to the search.', name=asked[0].name
            ),
        )

    def is_searched(
        self, workspace: LocalWorkspace, request: SearchRequest, named: Set[str]
    ) -> bool:
        """Whether a workspace is part of a search."""
        if request.workspace:
            return workspace.id == request.workspace
        is_asked = not request.among or workspace.id in request.among
        return is_asked and not _why_not(workspace, named)

    def not_searched(self, request: SearchRequest, named: Set[str]) -> dict[WorkspaceId, str]:
        """Sentences on why workspaces that a request asks for are not searched, by their ids."""
        if request.workspace:
            return {}
        reasons = {each.id: _why_not(each, named) for each in self._asked_for(request)}
        return {workspace: reason for workspace, reason in reasons.items() if reason}

    def described(self) -> dict[WorkspaceId, Workspace]:
        """The workspaces with descriptions, by their ids."""
        return {each.id: each.record for each in self.readable() if each.record.descriptions}

    def recalled_in(self, conversation: Conversation) -> frozenset[WorkspaceId]:
        """Ids of the workspaces whose transcripts a conversation may be told of.

        Those of its own agent if its key names one, of any agent without a name, and none where
        others take part.
        """
        # What was said in private stays there, also in a group of the same agent.
        if not conversation.is_private:
            return frozenset()
        every: tuple[OpenWorkspace, ...] = (*self.with_guests(), *self._shared)
        agent = conversation.agent_id
        if not agent:
            return frozenset(each.id for each in every)
        own = [each for each in every if agent in map(str.lower, agent_ids(self.loaded, each.id))]
        # A single memory is that of an agent whom the settings do not name.
        if not own and len(every) == 1 and not names_agents(self.loaded):
            own = [*every]
        return frozenset(each.id for each in own)

    def _asked_for(self, request: SearchRequest) -> list[OpenWorkspace]:
        """All workspaces, or those among which a request searches, also those that are off."""
        among = request.among
        return [each for each in self.with_shared() if not among or each.id in among]

    def records(self) -> tuple[Workspace, ...]:
        """All workspaces as others are told of them."""
        return tuple(each.record for each in self.all())

    def show_shared(self, workspaces: Sequence[SharedWorkspace]) -> None:
        """List these workspaces of shared memories, and no others."""
        for each in workspaces:
            _set_settings(each, self.loaded)
        self._shared = tuple(workspaces)

    def shared_places(self) -> tuple[SharedPlace, ...]:
        """Places of the shared memories that are searched, each once."""
        settings = self.loaded.settings
        places = [SharedPlace.of(each.uri, each.options) for each in settings.shared_memories]
        store = settings.memory_search.store
        if store.is_shared:
            places.append(SharedPlace.of(store.uri, store.options))
        return tuple({place.uri: place for place in places if place.uri}.values())

    def publish_settings(self) -> tuple[PublishSettings, ...]:
        """The workspaces that are published in a shared memory, also those that are off."""
        common = self.loaded.settings.memory_search.store.name
        published: list[PublishSettings] = []
        for workspace in self.all():
            store = workspace.settings.store
            if not store.is_shared:
                continue
            # A name for all would be the same for each.
            name = store.name if store.name != common else ""
            published.append(
                publish_settings(workspace, store.uri, name=name, options=store.options)
            )
        return tuple(published)

    def find_publish_settings(self, workspace: LocalWorkspace) -> PublishSettings | None:
        """The publication settings of a workspace; None if it is not published."""
        every = self.publish_settings()
        return next((each for each in every if each.workspace is workspace), None)

    def readable(self) -> tuple[LocalWorkspace, ...]:
        """Workspaces that are not turned off: only these are read, watched and searched."""
        return tuple(workspace for workspace in self.all() if not workspace.off_key)

    def with_guests(self) -> tuple[LocalWorkspace, ...]:
        """All workspaces, and the folders that are open in this run only."""
        return (*self.all(), *self._guests)

    def mark_damaged(self, file: Path) -> bool:
        """Have an index built again by its next pass; False if it was marked before."""
        for workspace in self.with_guests():
            if workspace.index_file == file and not workspace.is_damaged:
                workspace.is_damaged = True
                return True
        return False

    def get(self, workspace_id: WorkspaceId) -> OpenWorkspace:
        """The workspace with an id, to read it. Raises WorkspaceMissing or SearchOff."""
        workspace = self.find(workspace_id)
        if workspace.off_key:
            raise SearchOff(workspace.off_key)
        return workspace

    def local(self, workspace_id: WorkspaceId, hint: str = "") -> LocalWorkspace:
        """The workspace of this computer with an id, to read it.

        Raises SearchOff, or WorkspaceMissing, with the hint where it is one of a shared memory.
        """
        workspace = self.find_local(self.find(workspace_id).record, hint)
        workspace.check_on()
        return workspace

    def find(self, workspace_id: WorkspaceId) -> OpenWorkspace:
        """The workspace with an id, also one that is off. Raises WorkspaceMissing."""
        every: tuple[OpenWorkspace, ...] = (*self.with_guests(), *self._shared)
        for workspace in every:
            if workspace.id == workspace_id:
                return workspace
        raise _missing(workspace_id)

    def find_local(self, record: Workspace, hint: str = "") -> LocalWorkspace:
        """The workspace of this computer that a record tells of, also one that is off.

        Raises WorkspaceMissing, with the hint where it is one of a shared memory.
        """
        workspace = self.find(record.id)
        if isinstance(workspace, LocalWorkspace):
            return workspace
        raise WorkspaceMissing(
            msg("Another computer is publishing {name}", name=workspace.name), hint=hint
        )

    def writable(self, note: NoteAddress) -> LocalWorkspace:
        """The workspace of a note, to write to it.

        Raises SearchOff, WorkspaceMissing, or NotWritable for what another computer publishes.
        """
        workspace = self.get(note.workspace)
        if isinstance(workspace, LocalWorkspace):
            return workspace
        raise NotWritable(
            msg("{name} is read-only on this computer", name=workspace.name),
            hint="Choose a folder on this computer.",
        )

    def named(self, name_or_path: str) -> OpenWorkspace:
        """The workspace with a name, id or folder. Raises WorkspaceMissing, with how to add it."""
        folder = expanded_path(Path(name_or_path)).absolute()
        for workspace in self.with_shared():
            if name_or_path in (workspace.id, workspace.name) or workspace.record.root == folder:
                return workspace
        # It may be written by another of its paths.
        listed = self.listed(folder)
        if listed:
            return listed
        raise _missing(name_or_path)

    @property
    def uses_qmd(self) -> bool:
        """Whether the settings choose QMD for searching."""
        return self.loaded.settings.memory.backend == "qmd"

    def add(self, root: Path, name: str | None = None) -> LocalWorkspace:
        """Put a folder on the list; one that is already there is returned as it is.

        Folders in it that are on the list stay separate, and are excluded from it. Raises
        WorkspaceMissing when there is no such folder or another one has its notes, ConfigError
        when the settings cannot be written.
        """
        folder = self._folder(expanded_path(root).absolute())
        listed = self.listed(folder)
        if listed:
            return listed
        # What the folder itself tells is asked for before the settings are touched.
        ids = {file_name_key(workspace.id) for workspace in self.all()}
        layout = self._asked(folder, detect_layout)
        inner = [each.root for each in self.all() if folder in each.root.parents]
        # Folders that are part of another one would be found twice.
        documents = 0
        if layout == "notes":
            self._refuse_part(folder)
            documents = self._asked(folder, document_count)
        new = WorkspaceEntry(
            name=name or "",
            path=str(folder),
            layout=layout,
            ignore=written_patterns(
                folder_entry(root.relative_to(folder).as_posix()) for root in inner
            ),
            documents=0 < documents < self._many_documents,
        )
        # The settings are the list, so the entry is written there and read again.
        entry = complete_entry(new, ids)
        with self._lock:
            ConfigFile(*self._paths.settings).add_workspace(entry)
        self.reload()
        return self._listed[WorkspaceId(entry.id)]

    def searches(self, folder: Path) -> bool:
        """Whether the notes in a folder are searched, as a workspace or as a part of one."""
        return self.listed(folder) is not None or self._around(folder) is not None

    def _refuse_part(self, folder: Path) -> None:
        """Raise WorkspaceMissing for a folder whose notes belong to another one."""
        holder = self._around(folder)
        if holder:
            raise WorkspaceMissing(
                "Scrubjay already searches these notes",
                msg("These notes are already in the folder {name}.", name=holder.name),
                hint=("To search these notes separately, exclude them from that folder first."),
            )

    def _around(self, folder: Path) -> LocalWorkspace | None:
        """The workspace that reads a folder as part of its own. Raises DriveSilent."""
        for each in self.all():
            # An agent's memory is its own folder, wherever it is.
            is_around = each.record.layout == "notes" and each.root in folder.parents
            if is_around and not self._leaves_out(each, folder):
                return each
        return None

    def _leaves_out(self, workspace: LocalWorkspace, folder: Path) -> bool:
        """Whether a folder in a workspace is not read as part of it. Raises DriveSilent."""
        inside = folder.relative_to(workspace.root)
        # A folder whose name begins with a dot is read only where a tick says so.
        is_hidden = any(part.startswith(".") for part in inside.parts)
        if is_hidden and not workspace.record.hidden_folders:
            return True
        exclusions = Exclusions(workspace.root, workspace.record.left_out)
        path = inside.as_posix()
        return self._asked(folder, lambda *_: exclusions.holds_written(f"{path}/"))

    def change(self, workspace: Workspace) -> Workspace:
        """Write a workspace in place of the one with its id, which is the answer.

        Folders around it exclude it where it is now. Raises WorkspaceMissing or ConfigError.
        """
        former = self.find(workspace.id).record
        listed = self._entry(former)
        # What a person wrote stays, with its comments, unless something else is excluded now.
        if listed.left_out or workspace.left_out != former.left_out:
            written = written_patterns(workspace.left_out)
            listed = replace(listed, ignore=with_former_lines(written, listed.ignore), left_out=())
        entry = WorkspaceEntry(
            id=workspace.id,
            name=workspace.name,
            path=str(workspace.root),
            layout=workspace.layout,
            ignore=listed.ignore,
            left_out=listed.left_out,
            documents=workspace.documents,
            pictures=workspace.pictures,
            hidden_folders=workspace.hidden_folders,
            searched=workspace.searched,
            descriptions={each.folder or "/": each.text for each in workspace.descriptions},
        )
        # Only one thread at a time changes the file.
        with self._lock:
            ConfigFile(*self._paths.settings).change_workspace(entry)
        self.reload()
        if former.root != workspace.root:
            self._leave_out(former.root, workspace.root)
        return former

    def _entry(self, workspace: Workspace) -> WorkspaceEntry:
        """The entry of a workspace as it is written; an empty one if it has none."""
        entries = self.loaded.settings.workspaces
        named = (each for each in entries if each.id == workspace.id)
        return next(named, WorkspaceEntry())

    def _leave_out(self, former: Path, now: Path | None) -> None:
        """Let the folders around a workspace exclude it where it is now, not where it was."""
        for around in self.all():
            excluded = around.record.left_out
            left = tuple(
                entry
                for entry in excluded
                if not folder_label(entry) or around.root / folder_label(entry) != former
            )
            # An agent's memory may be read twice where a person wants it.
            is_shared = around.root in former.parents and left == excluded
            # Where it is now, it would be read twice.
            if now and around.root in now.parents and not is_shared:
                left = _with_folder(left, now.relative_to(around.root))
            if left != excluded:
                self.change(replace(around.record, left_out=left))

    def folder_label(self, workspace: LocalWorkspace, written: str) -> str:
        """The label of a folder in a workspace, written as one or as a path on the disk.

        It is empty for the workspace itself. Raises WorkspaceMissing or DriveSilent.
        """
        if not written:
            return ""
        root = workspace.root
        folder = _written_folder(root, written)
        is_there = self._asked(root, lambda *_: is_folder(folder))
        if not is_there or root not in folder.parents:
            raise WorkspaceMissing(
                "There is no such folder",
                msg("{folder} is not a folder in {name}.", folder=written, name=workspace.name),
                hint="Check the name of the folder, then try again.",
            )
        return folder.relative_to(root).as_posix()

    def former_label(self, workspace: LocalWorkspace, written: str) -> str:
        """The label that a folder has, or had while it was there; written as for `folder_label`."""
        folder = _written_folder(workspace.root, written)
        # The settings may name a folder with a slash before it, which is no path on the disk.
        if workspace.root in folder.parents:
            return folder.relative_to(workspace.root).as_posix()
        return written.strip("/")

    def free_folder(self, root: Path) -> Path:
        """The folder at a path, absolute, that is not on the list. Raises WorkspaceMissing."""
        folder = self._folder(expanded_path(root).absolute())
        listed = self.listed(folder)
        if listed:
            raise WorkspaceMissing(
                "This folder is already in the list",
                msg("In Scrubjay, this folder is called {name}.", name=listed.name),
                hint="Choose another folder.",
            )
        return folder

    def choose_model(self, model_path: str) -> None:
        """Write a model file for vectors into the settings. Raises ConfigError."""
        with self._lock:
            file = ConfigFile(*self._paths.settings)
            # A model file is of use only to the provider that runs models here.
            file.set_memory_search(("local", "modelPath"), model_path)
            if self.loaded.settings.memory_search.provider not in ("auto", "local"):
                file.set_memory_search(("provider",), "local")
        self.reload()

    def use_reader(self) -> None:
        """Let the result reader that is installed read results again. Raises ConfigError."""
        if self.loaded.settings.memory_search.query.reader == "off":
            with self._lock:
                ConfigFile(*self._paths.settings).set_memory_search(("query", "reader"), "auto")
            self.reload()

    def guest(self, root: Path) -> LocalWorkspace:
        """A folder for this run only, not on the list; its index is stored in the cache.

        A folder that is on the list is returned as it is. Raises WorkspaceMissing.
        """
        folder = self._folder(expanded_path(root).absolute())
        folder = self._asked(folder, lambda path, _: path.resolve())
        listed = self.listed(folder)
        if listed:
            return listed
        # The same folder has the same id in every run, so that its index is found again.
        digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
        guest_id = WorkspaceId(f"guest-{digest}")
        for guest in self._guests:
            if guest.id == guest_id:
                return guest
        opened = LocalWorkspace(
            Workspace(guest_id, folder.name, folder),
            memory_search_for(self.loaded, guest_id)[0],
            index_file=self._paths.cache / "guests" / f"{guest_id}.sqlite",
            user_skips=self.user_skips,
        )
        _update_guest(opened, self.loaded, self.all())
        self._guests = (*self._guests, opened)
        return opened

    def listed(self, folder: Path) -> LocalWorkspace | None:
        """The workspace of the list at a folder, which may have several paths."""
        entries = self.all()
        same = next((entry for entry in entries if entry.root == folder), None)
        if same:
            return same
        # Looking at folders takes time, so paths are compared first.
        identity = self._identity(folder)
        if identity is None:
            return None
        return next((entry for entry in entries if self._identity(entry.root) == identity), None)

    def _identity(self, folder: Path) -> tuple[int, int] | None:
        """Drive and number of a folder; None if it is not there or does not answer."""
        try:
            status = self.io_timeouts[folder].call(folder.stat)
        except (OSError, ValueError, IoTimedOut):
            return None
        return status.st_dev, status.st_ino

    def _folder(self, path: Path) -> Path:
        """The path of a folder that can be searched. Raises WorkspaceMissing or DriveSilent."""
        is_there = self._asked(path, lambda path, _: is_folder(path))
        checked = _checked_folder(path, is_there=is_there)
        # Whether it is in another folder of the list, or around it, is told by the names.
        return self._asked(checked, lambda folder, _: as_listed(folder))

    def _asked(self, folder: Path, question: Callable[[Path, Scan], T]) -> T:
        """The answer of a folder to a question. Raises DriveSilent."""
        # A question that makes progress may take as long as it needs.
        seen = Scan()
        return self.io_timeouts.ask(
            folder, lambda: question(folder, seen), progress=lambda: seen.looked_at
        )

    def remove(self, workspace: LocalWorkspace) -> None:
        """Take a workspace off the list. Raises WorkspaceMissing or ConfigError.

        Folders around it that excluded it have its notes from now on.
        """
        self._leave_out(self.find(workspace.id).record.root, None)
        with self._lock:
            ConfigFile(*self._paths.settings).remove_workspace(workspace.id)
        self.reload()


def _written_folder(root: Path, written: str) -> Path:
    """The place of a folder that is written as its label or as a path on the disk."""
    return Path(os.path.normpath(root / expanded_path(Path(written))))


def _why_not(workspace: OpenWorkspace, named: Set[str]) -> str:
    """Why a workspace is not part of a search over several; empty if it is."""
    if workspace.off_key:
        return SearchOff(workspace.off_key).title
    required = required_names(workspace.record)
    if required and named.isdisjoint(required):
        return ONLY_WHEN_NAMED
    return ""


def _update_guest(
    guest: LocalWorkspace, loaded: LoadedSettings, listed: tuple[LocalWorkspace, ...]
) -> None:
    """Give a folder that is open for this run what the settings and the list say of it."""
    off = [each for each in listed if each.off_key]
    record = _without(replace(guest.record, left_out=()), (each.record for each in off))
    guest.follow(record, memory_search_for(loaded, guest.id)[0], guest.index_file)
    guest.off_key = off_key(loaded, guest.id) or _off_around(guest.root, off)
    guest.others = listed


def _set_settings(workspace: SharedWorkspace, loaded: LoadedSettings) -> None:
    """Give the workspace of a shared memory what the settings say of it."""
    workspace.settings = memory_search_for(loaded, workspace.id)[0]
    workspace.off_key = off_key(loaded, workspace.id)


def publish_settings(
    workspace: LocalWorkspace, uri: str, name: str, options: Mapping[str, str]
) -> PublishSettings:
    """A workspace in a shared memory, by another name if it is to have one there.

    Without one it is known by its id, which stays when the folder is renamed here.
    """
    from scrubjay.store.lancedb.tables import workspace_key  # late: most people share nothing

    key = workspace_key(name.strip() or workspace.id)
    address = SharedAddress(SharedPlace.of(uri, options), key)
    return PublishSettings(workspace, address, title=name.strip() or workspace.name)


def _records(loaded: LoadedSettings) -> tuple[Workspace, ...]:
    """The workspaces of the list."""
    entries = loaded.settings.workspaces
    listed = [
        Workspace(
            id=WorkspaceId(entry.id),
            name=name,
            root=entry.root,
            layout=entry.layout,
            left_out=_left_out(entry),
            documents=entry.documents and entry.layout != "agent",
            pictures=entry.pictures and entry.layout != "agent",
            hidden_folders=entry.hidden_folders,
            searched=entry.searched,
            descriptions=_descriptions(entry),
        )
        for entry, name in zip(entries, _names(entries), strict=True)
    ]
    # Each folder omits those that are on the list themselves. An agent's memory may be read twice,
    # but no folder reads one that is turned off.
    off = frozenset(each.id for each in listed if off_key(loaded, each.id))
    return tuple(
        _without(each, (other for other in listed if other.id in off or _is_separate(other, each)))
        for each in listed
    )


def _off_around(folder: Path, workspaces: Iterable[LocalWorkspace]) -> str:
    """The key that turns off a workspace around a folder; empty if there is none."""
    around = (each.off_key for each in workspaces if each.root in folder.parents)
    return next(filter(None, around), "")


def _is_separate(workspace: Workspace, around: Workspace) -> bool:
    """Whether a folder on the list is not read as part of another one."""
    # One that is searched only when named would be found without its name there.
    is_named_only = workspace.searched == "named" and around.searched == "always"
    return is_named_only or "agent" not in (workspace.layout, around.layout)


def _descriptions(entry: WorkspaceEntry) -> tuple[FolderDescription, ...]:
    """Descriptions of an entry in the order of their folders, each of one line."""
    texts = {
        folder.replace("\\", "/").strip("/"): " ".join(text.split())
        for folder, text in entry.descriptions.items()
    }
    return tuple(FolderDescription(folder, text) for folder, text in sorted(texts.items()) if text)


def _names(entries: Sequence[WorkspaceEntry]) -> list[str]:
    """Names of the entries, with as many folders above them as tell equal names apart."""
    names = [entry.name for entry in entries]
    for depth in (1, 2, 3):
        counts = Counter(names)
        longer: list[str] = []
        # Only names that are still equal get one folder more.
        for name, entry in zip(names, entries, strict=True):
            if counts[name] > 1:
                name = f"{entry.name} ({'/'.join(entry.root.parts[-1 - depth : -1])})"
            longer.append(name)
        names = longer
    return names


def _without(workspace: Workspace, others: Iterable[Workspace]) -> Workspace:
    """A folder without those of other workspaces that are inside it."""
    left_out = workspace.left_out
    for each in others:
        if workspace.root in each.root.parents:
            left_out = _with_folder(left_out, each.root.relative_to(workspace.root))
    return replace(workspace, left_out=left_out)


def _with_folder(entries: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """What is excluded from a folder, and a folder in it."""
    # The last entry counts, so that no pattern before it brings the folder back.
    entry = folder_entry(folder.as_posix())
    return entries if entry in entries else (*entries, entry)


def _left_out(entry: WorkspaceEntry) -> tuple[str, ...]:
    """What an entry excludes; its patterns that cannot be used are among the problems."""
    folders = (folder_entry(folder.strip("/")) for folder in entry.left_out if folder.strip("/"))
    return tuple(dict.fromkeys((*folders, *excluded_entries(usable_patterns(entry.ignore)))))


def _checked_folder(path: Path, *, is_there: bool) -> Path:
    """The path of a folder that can be searched. Raises WorkspaceMissing."""
    if not is_there:
        # What was typed may be anything, and has to fit a sentence.
        name = str(path) if len(str(path)) < 200 else f"{str(path)[:200]}..."
        raise WorkspaceMissing(
            "The folder does not exist",
            msg("{folder}.", folder=name),
            hint="Check the name of the folder, then try again.",
        )
    if not is_utf8_name(str(path)):
        raise WorkspaceMissing(
            "The name of this folder contains characters that Scrubjay cannot read",
            msg("{name}.", name=printable_label(str(path))),
            hint="Rename the folder and try again.",
        )
    return path


def _missing(name: str) -> WorkspaceMissing:
    """The error for a workspace that is not on the list."""
    return WorkspaceMissing(
        "This folder is not in the list",
        msg("{name} has not been added to Scrubjay.", name=name),
        hint=msg(
            ("Add the folder on the Folders page, or with `scrubjay workspace add {name}`."),
            name=name,
        ),
    )
