"""Which notes are on this computer already: those of agents, and those of other note apps.

Looks in the few places where each app keeps its notes or says where they are, and nowhere else.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.json5.json5_parser import Json5Error, parse
from scrubjay.notes.scan import NEVER_ENTERED, given_path, is_agent_workspace, is_folder

MOST_ENTRIES = 20_000
"""Files and folders that are looked at below one place; whoever has more sees "more than"."""
_MOST_FOLDERS_OF_AN_APP = 24
_MOST_BYTES = 8 * 1024 * 1024
"""Of a settings file; what is larger is something else."""
_CHECK_EVERY = 256
_MEMORY = frozenset({"MEMORY.md", "memory.md", "DREAMS.md", "memory"})
"""What of an agent's folder is searched."""


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """A folder of notes that an app left on this computer."""

    app: str
    """Whose notes they are, such as "OpenClaw"."""
    name: str
    """What to call the workspace."""
    root: Path
    notes: int
    """At least one."""
    is_more: bool
    """There are more notes than were counted."""
    newest: dt.datetime
    """When a note was written last, local time with zone."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was looked for, and what came of it."""

    found: tuple[FoundNotes, ...]
    """In the order of the apps; an app may have several folders."""
    absent: tuple[str, ...]
    """Apps of which there is nothing here."""


@dataclass(frozen=True, slots=True)
class Home:
    """The person's home, and where apps put their settings there."""

    folder: Path
    environ: Mapping[str, str]

    def settings_of(self, app: str, flatpak: str) -> Iterator[Path]:
        """Folders where an Electron app keeps its settings, on any platform."""
        configs = [self.folder / ".config"]
        for variable in ("XDG_CONFIG_HOME", "APPDATA"):
            if given := self.environ.get(variable):
                configs.insert(0, Path(given))
        configs += [
            self.folder / "Library" / "Application Support",
            self.folder / "AppData" / "Roaming",
            self.folder / ".var" / "app" / flatpak / "config",
            self.folder / "snap" / app.lower() / "current" / ".config",
        ]
        yield from (config / app for config in dict.fromkeys(configs))

    def path(self, given: object) -> Path | None:
        """A path as a settings file has it; None when it is none."""
        return given_path(given, self.folder)


Place = tuple[str, Path]
"""What to call a folder, and where it is."""
_Finder = Callable[[Home], Iterable[Place]]


def discover(
    home: Path, environ: Mapping[str, str] = os.environ, cancel: CancelToken | None = None
) -> Discovery:
    """Look for notes below a person's home. Raises Cancelled.

    Reads settings of other apps and folder listings, never a note, and writes nothing.
    """
    around = Home(home, environ)
    token = cancel or CancelToken()
    found: list[FoundNotes] = []
    seen: set[Path] = set()
    for app, finder in _APPS.items():
        for name, root in _few(finder(around)):
            token.check()
            if (real := _resolved(root)) is None or real in seen or home.is_relative_to(real):
                continue
            seen.add(real)
            if notes := _counted(app, name, root, token):
                found.append(notes)
    named = {one.app for one in found}
    return Discovery(tuple(found), tuple(app for app in _APPS if app not in named))


def _openclaw(around: Home) -> Iterator[Place]:
    for state in (".openclaw", ".moltbot", ".clawdbot"):
        folder = around.folder / state
        for child in _folders(folder):
            if child.name == "workspace" or child.name.startswith("workspace-"):
                agent = child.name.removeprefix("workspace").removeprefix("-")
                yield f"OpenClaw {agent}".strip(), child
        for settings in ("openclaw.json", "moltbot.json", "clawdbot.json"):
            for given in _workspaces_in(_settings(folder / settings)):
                if path := around.path(given):
                    yield path.name, path
    for former in ("clawd", "moltbot", "molt"):
        yield former, around.folder / former


def _workspaces_in(settings: Any) -> Iterator[object]:
    """Every `workspace` of the defaults and of single agents."""
    agents = _member(settings, "agents")
    listed = _member(agents, "list")
    blocks = [_member(settings, "agent"), _member(agents, "defaults")]
    for block in [*blocks, *(listed if isinstance(listed, list) else ())]:
        yield _member(block, "workspace")


def _claude_code(around: Home) -> Iterator[Place]:
    state = Path(around.environ.get("CLAUDE_CONFIG_DIR") or around.folder / ".claude")
    projects = state / "projects"
    if any(is_folder(child / "memory") for child in _folders(projects)):
        yield "Claude Code", projects
    for settings in (around.folder / ".claude.json", state / ".claude.json"):
        known = _member(_settings(settings), "projects")
        for given in known if isinstance(known, dict) else ():
            path = around.path(given)
            # ClawCode and its like make a project folder the home of an agent.
            if path and is_agent_workspace(path):
                yield path.name, path


def _codex(around: Home) -> Iterator[Place]:
    state = Path(around.environ.get("CODEX_HOME") or around.folder / ".codex")
    yield "Codex", state / "memories"


def _gemini(around: Home) -> Iterator[Place]:
    state = around.folder / ".gemini"
    yield "Gemini", state / "memory"
    if _is_file(state / "GEMINI.md"):
        yield "Gemini", state


def _cursor(around: Home) -> Iterator[Place]:
    for name in ("memories", "memory", "memory-bank", "plans"):
        yield f"Cursor {name}", around.folder / ".cursor" / name


def _obsidian(around: Home) -> Iterator[Place]:
    for folder in around.settings_of("obsidian", "md.obsidian.Obsidian"):
        vaults = _member(_settings(folder / "obsidian.json"), "vaults")
        for vault in vaults.values() if isinstance(vaults, dict) else ():
            if path := around.path(_member(vault, "path")):
                yield path.name, path


def _logseq(around: Home) -> Iterator[Place]:
    for graph in _files(around.folder / ".logseq" / "graphs", ".transit"):
        # A graph of files is named after its folder, with signs that file names may not have.
        escaped = graph.stem.removeprefix("logseq_local_").replace("++", "/").replace("+3A+", ":")
        if path := around.path(urllib.parse.unquote(escaped)):
            yield path.name, path
    for usual in ("logseq", "Logseq", "Documents/logseq", "Documents/Logseq"):
        if _is_file(around.folder / usual / "logseq" / "config.edn"):
            yield "Logseq", around.folder / usual


def _zettlr(around: Home) -> Iterator[Place]:
    for folder in around.settings_of("Zettlr", "com.zettlr.Zettlr"):
        settings = _settings(folder / "config.json")
        for key in ("openPaths", "openWorkspaces"):
            given = _member(settings, key)
            for one in given if isinstance(given, list) else ():
                if path := around.path(one):
                    yield path.name, path


_APPS: Mapping[str, _Finder] = {
    "OpenClaw": _openclaw,
    "Claude Code": _claude_code,
    "Codex": _codex,
    "Gemini": _gemini,
    "Cursor": _cursor,
    "Obsidian": _obsidian,
    "Logseq": _logseq,
    "Zettlr": _zettlr,
}


def _few(places: Iterable[Place]) -> Iterator[Place]:
    """Folders that are there, not too many of one app."""
    left = _MOST_FOLDERS_OF_AN_APP
    for name, root in places:
        if left and is_folder(root):
            left -= 1
            yield name, root


def _counted(app: str, name: str, root: Path, cancel: CancelToken) -> FoundNotes | None:
    """The notes of a folder; None when there are none."""
    count, newest, is_more = 0, 0.0, False
    for seen, entry in enumerate(_entries(root), start=1):
        if seen % _CHECK_EVERY == 0:
            cancel.check()
        if seen > MOST_ENTRIES:
            is_more = True
            break
        if entry.name.lower().endswith(".md"):
            try:
                newest = max(newest, entry.stat(follow_symlinks=False).st_mtime)
            except OSError:
                continue  # deleted meanwhile
            count += 1
    if not count:
        return None
    written = dt.datetime.fromtimestamp(newest).astimezone()
    return FoundNotes(app, name, root, count, is_more, written)


def _entries(root: Path) -> Iterator[os.DirEntry[str]]:
    """Everything in a folder of notes, as a workspace would walk it."""
    is_agent = is_agent_workspace(root)
    waiting = [str(root)]
    while waiting:
        path = waiting.pop()
        for entry in _listed(path):
            # Of an agent's workspace only its memory is searched.
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


def _files(parent: Path, suffix: str) -> Iterator[Path]:
    yield from (Path(entry.path) for entry in _listed(parent) if entry.name.endswith(suffix))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no permission on the way
        return False


def _settings(file: Path) -> Any:
    """What a settings file holds; None when it is not there or not to be understood."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return parse(text).value
    except (Json5Error, RecursionError):
        return None


def _member(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return None
