"""Notes of agents and other note apps, from the few locations where each keeps or lists them, and
folders of notes among the documents.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import os
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.config.aliases import mapping_at
from scrubjay.notes.note_files import is_folder
from scrubjay.notes.scan import (
    NEVER_ENTERED,
    foreign_path,
    is_agent_workspace,
    modified_ns,
    path_exists,
)
from scrubjay.onboarding.foreign_setups import (
    OPENCLAW_FAMILY,
    claude_projects,
    read_foreign_settings,
)
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.text.age import local_time

MOST_ENTRIES = 20_000
"""Files and folders counted below one folder; for a larger one the app shows "more than"."""
DOCUMENTS = "Documents"
"""App of the folders among a person's documents, which no program lists."""
FEWEST_IN_DOCUMENTS = 10
"""Notes of a folder among the documents; fewer are as likely to be the papers of something else."""
_MOST_FOLDERS_OF_AN_APP = 64
"""Folders of one app that are looked at."""
_CHECK_EVERY = 256
"""Files and folders between two looks whether the search was cancelled."""
_MEMORY = frozenset({"MEMORY.md", "memory.md", "DREAMS.md", "memory"})
"""Names of the searched parts of an agent's folder."""

_FORMER_WORKSPACES = (("Clawdbot", "clawd"), ("Moltbot", "moltbot"), ("Moltbot", "molt"))
"""Program, and the folder in the home that was its agents' workspace before a hidden one."""


class NotesFolder(Struct, frozen=True):
    """A folder of notes that an app left on this computer."""

    app: str
    """Name of the app, such as "OpenClaw"."""
    name: str
    """Name of the workspace."""
    root: Path
    notes: int
    """Number of notes, at least one."""
    is_more: bool
    """Whether there are more notes than were counted."""
    newest: dt.datetime
    """Last change of a note, local time with zone."""


class Discovery(Struct, frozen=True):
    """Result of a search for notes."""

    folders: tuple[NotesFolder, ...]
    """Folders in the order of the apps; an app may have several."""
    absent: tuple[str, ...]
    """Apps without notes here."""


class Home(Struct, frozen=True):
    """The user's home, and the locations of settings in it."""

    folder: Path
    environ: Mapping[str, str]
    drives: IoTimeouts
    documents: Path
    """Folder of a person's documents, whatever its name in their language."""

    def app_settings_folders(self, app: str, flatpak: str) -> Iterator[Path]:
        """Folders where an Electron app keeps its settings, on any platform."""
        configs = [self.folder / ".config"]
        for variable in ("XDG_CONFIG_HOME", "APPDATA"):
            folder = self.environ.get(variable)
            if folder:
                configs.insert(0, Path(folder))
        # An app may be installed in several ways, each with its own location.
        configs += [
            self.folder / "Library" / "Application Support",
            self.folder / "AppData" / "Roaming",
            self.folder / ".var" / "app" / flatpak / "config",
            self.folder / "snap" / app.lower() / "current" / ".config",
        ]
        yield from (config / app for config in dict.fromkeys(configs))


class Location(NamedTuple):
    """A folder that an app may keep notes in."""

    name: str
    """Name of the folder; empty for that of the path."""
    place: object
    """Path, or the value of a settings file."""
    app: str = ""
    """Related program that keeps notes there; empty for the app itself."""


_Finder = Callable[[Home], Iterable[Location]]


def discover_notes(
    home: Path,
    environ: Mapping[str, str] = os.environ,
    cancel: CancelToken | None = None,
    *,
    documents: Path | None = None,
    most_entries: int = MOST_ENTRIES,
    only: str = "",
) -> Discovery:
    """Notes below a user's home, found from settings and folder lists. Raises Cancelled.

    With the name of an app, only its notes are looked for. Documents are the folder of the user's
    documents, by default that with the English name.
    Folders on drives that do not answer are skipped.
    """
    token = cancel or CancelToken()
    drives = IoTimeouts(DEFAULT_LIMITS.search_io_seconds)
    folders: list[NotesFolder] = []
    apps = {DOCUMENTS}
    seen: set[Path] = set()
    places = Home(home, environ, drives=drives, documents=documents or home / "Documents")
    finders = _APPS
    if only:
        finders = {only: _APPS[only]}
    for app, finder in finders.items():
        for location, root in _some_reachable(finder, places, token):
            token.check()
            try:
                real = root.resolve()
            except (OSError, RuntimeError):
                continue
            # Two apps may name the same folder, and nobody wants to search the whole home.
            if real in seen or home.is_relative_to(real):
                continue
            if app == DOCUMENTS and any(known.is_relative_to(real) for known in seen):
                continue
            seen.add(real)
            program = location.app or app
            name = location.name or root.name
            notes = _counted(program, name, root=root, cancel=token, most_entries=most_entries)
            if notes and (app != DOCUMENTS or notes.notes >= FEWEST_IN_DOCUMENTS):
                folders.append(notes)
                apps.add(app)
    return Discovery(tuple(folders), tuple(app for app in finders if app not in apps))


def _some_reachable(
    finder: _Finder, home: Home, cancel: CancelToken
) -> Sequence[tuple[Location, Path]]:
    """The first folders of an app; none if a drive with its settings does not answer."""
    some = itertools.islice(_reachable(finder, home), _MOST_FOLDERS_OF_AN_APP)
    try:
        # Any of its settings may be a link to a drive that does not answer.
        return home.drives[home.folder].call(lambda: list(some), cancel)
    except IoTimedOut:
        return ()


def app_folders(app: str, home: Path, environ: Mapping[str, str]) -> frozenset[Path]:
    """The folders in which an app keeps its notes, also as they are without links.

    None for an unknown app.
    """
    finder = _APPS.get(app)
    if finder is None:
        return frozenset()
    # Nothing in them is counted, since an agent waits for the answer.
    drives = IoTimeouts(DEFAULT_LIMITS.search_io_seconds)
    places = Home(home, environ, drives=drives, documents=home / "Documents")
    some = itertools.islice(_reachable(finder, places), _MOST_FOLDERS_OF_AN_APP)
    try:
        return drives[home].call(
            lambda: frozenset(path for _, root in some for path in (root, root.resolve())),
            CancelToken(),
        )
    except (IoTimedOut, OSError, RuntimeError):
        return frozenset()


def _reachable(finder: _Finder, home: Home) -> Iterator[tuple[Location, Path]]:
    """Locations and paths of an app's folders that exist, on drives that answer."""
    for location in finder(home):
        root = foreign_path(location.place, home.folder)
        if isinstance(location.place, Path):
            root = location.place
        if root and home.drives.answers(root) and is_folder(root):
            yield location, root


def _openclaw(home: Home) -> Iterator[Location]:
    states = [(app, home.folder / folder) for app, folder, _ in OPENCLAW_FAMILY]
    elsewhere = foreign_path(home.environ.get("OPENCLAW_STATE_DIR"), home.folder)
    if elsewhere:
        states.insert(0, ("OpenClaw", elsewhere))
    for app, folder in states:
        for child in _folders(folder):
            if child.name == "workspace" or child.name.startswith("workspace-"):
                agent = child.name.removeprefix("workspace").removeprefix("-")
                yield Location(f"{app} {agent}".strip(), child, app)
        # Each of its settings may name other folders: one for all agents, or one for each.
        for _, _, settings in OPENCLAW_FAMILY:
            raw = read_foreign_settings(folder / settings)
            agents = mapping_at(raw, ("agents",))
            blocks: list[object] = [mapping_at(raw, ("agent",)), mapping_at(agents, ("defaults",))]
            listed = agents.get("list")
            if isinstance(listed, list):
                blocks += listed
            for block in blocks:
                yield Location("", mapping_at(block, ()).get("workspace"), app)
    for app, folder_name in _FORMER_WORKSPACES:
        yield Location(folder_name, home.folder / folder_name, app)


def _claude_code(home: Home) -> Iterator[Location]:
    # Its memories lie beside its transcripts, in a folder for each project.
    state = Path(home.environ.get("CLAUDE_CONFIG_DIR") or home.folder / ".claude")
    projects = state / "projects"
    if any(is_folder(child / "memory") for child in _folders(projects)):
        yield Location("Claude Code", projects)
    for path in claude_projects(home.folder, home.environ):
        # ClawCode and its like make a project folder the home of an agent.
        if home.drives.answers(path) and is_agent_workspace(path):
            yield Location("", path)


def _gemini(home: Home) -> Iterator[Location]:
    state = home.folder / ".gemini"
    yield Location("Gemini CLI", state / "memory")
    if path_exists(state / "GEMINI.md"):
        yield Location("Gemini CLI", state)


def _obsidian(home: Home) -> Iterator[Location]:
    # The app lists the vaults that were ever opened in it.
    for folder in home.app_settings_folders("obsidian", "md.obsidian.Obsidian"):
        vaults = mapping_at(read_foreign_settings(folder / "obsidian.json"), ("vaults",))
        for vault in vaults.values():
            yield Location("", mapping_at(vault, ()).get("path"))


def _logseq(home: Home) -> Iterator[Location]:
    for entry in _listed(home.folder / ".logseq" / "graphs"):
        graph = Path(entry.path)
        if graph.suffix != ".transit":
            continue
        # A graph of files is named after its folder, with signs that file names may not have.
        escaped = graph.stem.removeprefix("logseq_local_").replace("+3A+", ":").replace("++", "/")
        yield Location("", urllib.parse.unquote(escaped))
    for default in ("logseq", "Logseq", "Documents/logseq", "Documents/Logseq"):
        if path_exists(home.folder / default / "logseq" / "config.edn"):
            yield Location("Logseq", home.folder / default)


def _zettlr(home: Home) -> Iterator[Location]:
    # Both of its lists may name folders.
    for config in home.app_settings_folders("Zettlr", "com.zettlr.Zettlr"):
        settings = mapping_at(read_foreign_settings(config / "config.json"), ())
        for key in ("openPaths", "openWorkspaces"):
            listed = settings.get(key)
            if isinstance(listed, list):
                for folder in listed:
                    yield Location("", folder)


def _documents(home: Home) -> Iterator[Location]:
    """The folders among the documents, or the folder of the documents if notes lie loose in it."""
    if not home.drives.answers(home.documents):
        return
    loose = [entry for entry in _listed(home.documents) if entry.name.lower().endswith(".md")]
    if len(loose) >= FEWEST_IN_DOCUMENTS:
        yield Location("", home.documents)
        return
    for folder in _folders(home.documents):
        # The texts of programs are no notes.
        is_code = path_exists(folder / ".git") or any(
            path_exists(child / ".git") for child in _folders(folder)
        )
        if not (is_code or folder.name.startswith(".") or folder.name in NEVER_ENTERED):
            yield Location("", folder)


# Apps in the order in which their folders are listed.
_APPS: Mapping[str, _Finder] = {
    "OpenClaw": _openclaw,
    "Claude Code": _claude_code,
    "Codex": lambda home: [
        Location(
            "Codex", Path(home.environ.get("CODEX_HOME") or home.folder / ".codex") / "memories"
        )
    ],
    "Gemini CLI": _gemini,
    "Cursor": lambda home: [
        Location(f"Cursor {name}", home.folder / ".cursor" / name)
        for name in ("memories", "memory", "memory-bank", "plans")
    ],
    "Obsidian": _obsidian,
    "Logseq": _logseq,
    "Zettlr": _zettlr,
    DOCUMENTS: _documents,
}


def _counted(
    app: str, name: str, *, root: Path, cancel: CancelToken, most_entries: int
) -> NotesFolder | None:
    """Count and age of the notes in a folder; None if there are none."""
    count = 0
    newest = -math.inf
    is_more = False
    # A folder may be as large as a disk, so that counting ends somewhere and can be cancelled.
    for number, entry in enumerate(_entries(root), start=1):
        if number % _CHECK_EVERY == 0:
            cancel.check()
        if number > most_entries:
            is_more = True
            break
        if entry.name.lower().endswith(".md"):
            try:
                newest = max(newest, modified_ns(entry.stat(follow_symlinks=False)))
            except OSError:
                continue  # deleted meanwhile
            count += 1
    if not count:
        return None
    written = local_time(newest)
    return NotesFolder(app, name, root=root, notes=count, is_more=is_more, newest=written)


def _entries(root: Path) -> Iterator[os.DirEntry[str]]:
    """Everything in a folder of notes, as a workspace would walk it."""
    is_agent = is_agent_workspace(root) and not path_exists(root / ".obsidian")
    waiting = [str(root)]
    while waiting:
        path = waiting.pop()
        for entry in _listed(path):
            # Only the memory of an agent's workspace is searched.
            if is_agent and path == str(root) and entry.name not in _MEMORY:
                continue
            yield entry
            try:
                is_entered = entry.is_dir(follow_symlinks=False)
            except OSError:
                continue
            if is_entered and entry.name not in NEVER_ENTERED:
                waiting.append(entry.path)


def _listed(folder: str | Path) -> list[os.DirEntry[str]]:
    """Entries of a folder in the order of their names; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _folders(parent: Path) -> Iterator[Path]:
    for entry in _listed(parent):
        path = Path(entry.path)
        if is_folder(path):
            yield path
