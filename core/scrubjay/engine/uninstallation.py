"""What Scrubjay has stored on this computer, and its removal. Notes are never touched."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

from msgspec import Struct

from scrubjay.agents.connect.connection_records import AgentConnection
from scrubjay.agents.connect.connections import Connections
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.messages import Sentence, msg
from scrubjay.models.download.partial_file import IMPORT_PREFIX, LOCKS, PARTS
from scrubjay.models.verification import Receipt, receipt_file
from scrubjay.notes.note_files import is_link
from scrubjay.platform.atomic_write import when_released
from scrubjay.platform.autostart.login_entry import own_login_entry
from scrubjay.platform.installation import removal_advice
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.logs import stop_logging
from scrubjay.platform.paths import Paths
from scrubjay.store.index_file import index_files
from scrubjay.store.schema import APPLICATION_ID


class Part(StrEnum):
    """Parts that can be removed or kept, by their names on the command line."""

    SETTINGS = "settings"
    SEARCH_INDEXES = "indexes"
    MODELS = "models"
    KEYS = "keys"
    AUTOSTART = "autostart"
    AGENTS = "agents"
    AUDIT_LOG = "audit-log"
    LOGS = "logs"
    NOTE_COPIES = "note-copies"


_TITLES = {
    Part.SETTINGS: msg("Settings, pinned searches and other app data"),
    Part.SEARCH_INDEXES: msg("Search indexes, and earlier versions of notes"),
    Part.MODELS: msg("Downloaded language helpers"),
    Part.KEYS: msg("Service keys in the keychain"),
    Part.AUTOSTART: msg("Start when you log in"),
    Part.AGENTS: msg("Connections in the settings of agents"),
    Part.AUDIT_LOG: msg("Questions from agents, suggestions, and facts to review"),
    Part.LOGS: msg("Log files and crash reports"),
    Part.NOTE_COPIES: msg("Copies of notes from before Scrubjay changed them"),
}
_OF_STATE = {
    Part.SETTINGS: (
        *("accepted-terms.json", "computer.json", "desktop.ini", "fallback.json", "imports.json"),
        *("last-numbers.json", "last-settings.json5", "left-findings.json", "left-out.json"),
        *("local-model.json", "model-calibrations.json", "model-comparisons.json"),
        *("note-imports.json", "sessions.json", "updates.json"),
    ),
    Part.SEARCH_INDEXES: (
        *("memory", "qmd", "vector-lengths.json", "shared-memories.json"),
        *("pictures", "picture-pace.json"),
    ),
    Part.AUDIT_LOG: ("agents", "dreams", "captures.json"),
    Part.LOGS: ("logs", "crashes"),
    Part.NOTE_COPIES: ("backups", "edits", "forgotten", "ticked"),
}
"""Entries of the state folder, by their parts. Whatever else is in it is somebody else's."""
_OF_CACHE = ("documents", "guests")
"""Entries of the cache folder, which belong to the search indexes."""
_HEADER = 72
"""Bytes at the beginning of an index that tell whose it is."""
_KEY_LIST = "keys.json"
"""Entry of the state folder with the ids of the keys in the keychain."""


class StoredPart(Struct, frozen=True):
    """One part with everything that is there of it."""

    part: Part
    title: Sentence
    places: tuple[str, ...]
    """Paths, and names of agents and keys, as people are shown them."""
    size_bytes: int | None
    """Size of its files; None where it is not made of files."""

    @property
    def is_chosen_first(self) -> bool:
        """Whether it is removed unless a person keeps it; copies of notes may be wanted."""
        return self.part is not Part.NOTE_COPIES


class Inventory(Struct, frozen=True):
    """What is stored on this computer, and what stays in any case."""

    parts: tuple[StoredPart, ...]
    remaining: tuple[Sentence, ...]
    """Sentences about what is not removed."""
    program: Sentence
    """Sentence on how to remove the program itself."""


class Elsewhere(Struct, frozen=True):
    """Places outside of the folders of Scrubjay, as the settings name them."""

    roots: Collection[Path]
    """Folders of notes, where no note is ever deleted."""
    model_folders: Collection[Path]
    indexes: Collection[Path]
    """Files of search indexes, in the folders of Scrubjay or elsewhere."""


class Uninstall:
    """Lists and removes what Scrubjay has stored. For any thread."""

    def __init__(
        self,
        paths: Paths,
        jobs: SerialQueue,
        connections: Connections,
        keychain: Keychain,
        elsewhere: Elsewhere,
    ) -> None:
        """Nothing is listed yet."""
        self._paths = paths
        self._jobs = jobs
        self._connections = connections
        self._keychain = keychain
        self._roots = {root.resolve() for root in (*elsewhere.roots, paths.sample_notes)}
        self._model_folders = tuple(elsewhere.model_folders)
        self._indexes = tuple(elsewhere.indexes)

    @queued
    def look(self) -> Inventory:
        """All parts of which something is stored."""
        connections = self._connections.list().result()
        parts = []
        for part in Part:
            files = list(self._files(part))
            places = tuple(map(str, files))
            # What other programs keep of ours has no size.
            size: int | None = sum(map(_size, files))
            if part in (Part.KEYS, Part.AGENTS, Part.AUTOSTART):
                size = None
            match part:
                case Part.KEYS:
                    places = self._stored_keys()
                case Part.AGENTS:
                    places = tuple(f"{each.name}: {each.file}" for each in _own(connections))
                case Part.AUTOSTART:
                    places = tuple(entry.place for entry in filter(None, [own_login_entry()]))
            if places:
                parts.append(StoredPart(part, _TITLES[part], places=places, size_bytes=size))
        return Inventory(tuple(parts), tuple(self._remaining(connections)), removal_advice())

    @queued
    def remove_entries(self, parts: Collection[Part]) -> tuple[str, ...]:
        """Remove what other programs keep of ours; the answer says what could not be removed."""
        problems: list[str] = []
        # One that fails is told, and the others go all the same.
        if Part.AGENTS in parts:
            for each in _own(self._connections.list().result()):
                try:
                    change = self._connections.plan_undo(each.client).result()
                    self._connections.apply(change).result()
                except (ScrubjayError, OSError) as error:
                    problems.append(_reason(each.file, error))
        if Part.KEYS in parts:
            try:
                self._keychain.clear()
            except (ScrubjayError, OSError) as error:
                problems.append(_reason(self._paths.state / _KEY_LIST, error))
        # Last the entry that starts Scrubjay at login.
        entry = own_login_entry()
        if Part.AUTOSTART in parts and entry:
            try:
                entry.remove()
            except OSError as error:
                problems.append(_undeleted(entry.place, error))
        return tuple(problems)

    def delete_files(self, parts: Collection[Part]) -> tuple[str, ...]:
        """Delete files, once no engine uses them; the answer says which could not be deleted."""
        problems: list[str] = []
        # The log is one of them.
        if Part.LOGS in parts:
            stop_logging()
        files = [file for part in Part if part in parts for file in self._files(part)]
        for file in files:
            problems += self._delete(file)
        # Folders that are empty now are not left behind; others cannot be removed this way.
        paths = self._paths
        for folder in (paths.models, paths.data, paths.cache, paths.state, paths.config):
            with contextlib.suppress(OSError):
                folder.rmdir()
        return tuple(problems)

    def _files(self, part: Part) -> Iterator[Path]:
        """Files and folders of a part that exist."""
        # Those of a part may be there or not.
        candidates: Iterable[Path] = ()
        match part:
            case Part.SETTINGS:
                candidates = (*self._settings_files(), *self._of_state(part))
            case Part.MODELS:
                for folder in self._model_folders:
                    yield from _own_models(folder)
            case Part.KEYS:
                # The list of keys goes once the keys have gone.
                if not self._stored_keys():
                    candidates = _with_companions(self._paths.state / _KEY_LIST)
            case Part.SEARCH_INDEXES:
                cached = [self._paths.cache / name for name in _OF_CACHE]
                candidates = (*self._of_state(part), *cached, *self._other_indexes())
            case _:
                candidates = self._of_state(part)
        yield from (path for path in candidates if os.path.lexists(path))

    def _of_state(self, part: Part) -> Iterator[Path]:
        for name in _OF_STATE.get(part, ()):
            yield from _with_companions(self._paths.state / name)

    def _other_indexes(self) -> Iterator[Path]:
        """Files of the indexes that the settings put outside of the state folder."""
        for index in self._indexes:
            if not index.is_relative_to(self._paths.indexes) and _is_own_index(index):
                yield from index_files(index)

    def _stored_keys(self) -> tuple[str, ...]:
        """Ids of the keys in the keychain, which is not opened for it."""
        return tuple(key.id for key in self._keychain.known() if not key.is_session_only)

    def _settings_files(self) -> list[Path]:
        """The settings file, its former version, and the lock beside it."""
        file = self._paths.config_file
        names = (file.name, f"{file.name}.bak", f".{file.name}.lock")
        return [file.with_name(name) for name in names]

    def _remaining(self, connections: Iterable[AgentConnection]) -> Iterator[Sentence]:
        yield msg("Your notes, including imported notes, stay where they are.")
        if self._paths.sample_notes.is_dir():
            yield msg("The sample notes stay in {folder}.", folder=self._paths.sample_notes)
        # Of some settings nobody can tell whether an entry is in them.
        for each in (each for each in connections if each.is_found and each.problem):
            yield msg(
                "{name} may still be connected to Scrubjay. {problem}",
                name=each.name,
                problem=each.problem,
            )
        for folder in self._model_folders:
            others = sorted(set(folder.glob("*.gguf")) - set(_own_models(folder)))
            if others:
                yield msg(
                    "Language helpers that Scrubjay did not download or copy stay in {folder}.",
                    folder=folder,
                )

    def _delete(self, path: Path) -> list[str]:
        """Delete a file or a whole folder, except folders of notes in it."""
        real = path.resolve()
        leads_elsewhere = is_link(path)
        if real in self._roots and not leads_elsewhere:
            return []
        problems: list[str] = []
        # A link is deleted, never followed: what it leads to may be anything.
        if path.is_dir() and not leads_elsewhere:
            for inner in sorted(path.iterdir()):
                problems += self._delete(inner)
            if any(root.is_relative_to(real) and root.exists() for root in self._roots):
                return problems
        try:
            # A junction of Windows is removed like an empty folder.
            if path.is_dir() and not path.is_symlink():
                when_released(path.rmdir, path)
            else:
                when_released(partial(path.unlink, missing_ok=True), path)
        except OSError as error:
            # Of a folder that is not empty, the first file that stays is the reason.
            if not problems:
                problems.append(_undeleted(path, error))
        return problems


def _own(connections: Iterable[AgentConnection]) -> list[AgentConnection]:
    """The agents that have an entry of this profile in their settings."""
    return [each for each in connections if each.is_of_this_home]


def _own_models(folder: Path) -> Sequence[Path]:
    """Models that Scrubjay put into a folder, with their records and unfinished downloads."""
    files: list[Path] = []
    for record in sorted(folder.glob("*.gguf.json")):
        model = record.with_name(record.name.removesuffix(".json"))
        receipt = Receipt.read(record)
        # A file that someone put there by hand was only checked.
        if receipt and _is_replaceable(model, receipt.imported_from):
            files += [path for path in (model, receipt_file(model)) if path.exists()]
    for pattern in (PARTS, f"{PARTS}.json", LOCKS, f"{IMPORT_PREFIX}*"):
        files += sorted(folder.glob(pattern))
    return files


def _is_own_index(file: Path) -> bool:
    """Whether Scrubjay made a file: the settings may name any file as an index."""
    # https://www.sqlite.org/fileformat2.html: a program's own id stands at byte 68 of the header.
    with contextlib.suppress(OSError), file.open("rb") as index:
        return int.from_bytes(index.read(_HEADER)[_HEADER - 4 :]) == APPLICATION_ID
    return False


def _is_replaceable(model: Path, source: str) -> bool:
    """Whether a model was downloaded, or copied from a file that is still there."""
    if not source:
        return True
    try:
        return not model.samefile(source)
    except OSError:
        return False


def _with_companions(file: Path) -> Iterator[Path]:
    """A file or folder, with its lock and what was left of a damaged one."""
    yield file
    yield from (file.with_name(f".{file.name}.lock"), file.with_name(f"{file.name}.lock"))
    yield file.with_name(f"{file.name}.damaged")


def _size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    # A link counts as itself, as it is deleted.
    if path.is_dir() and not is_link(path):
        inner = [Path(folder) / name for folder, _, names in os.walk(path) for name in names]
    else:
        inner = [path]
    total = 0
    for file in inner:
        with contextlib.suppress(OSError):
            total += file.lstat().st_size
    return total


def _reason(file: Path, error: ScrubjayError | OSError) -> str:
    """Why what is kept in a file could not be removed."""
    if isinstance(error, OSError):
        return msg("{file}: {reason}.", file=file, reason=system_reason(error))
    return str(error)


def _undeleted(path: Path | str, error: OSError) -> str:
    return msg("{file} could not be deleted: {reason}.", file=path, reason=system_reason(error))
