"""Folders that QMD indexes for a workspace, the files in them, and exported transcripts."""

from __future__ import annotations

import contextlib
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.notes.note_files import as_listed, walk_folders
from scrubjay.notes.scan import is_agent_workspace
from scrubjay.notes.transcripts import SUFFIX, is_transcript_name, read_transcript
from scrubjay.platform.atomic_write import write_atomically
from scrubjay.platform.paths import expanded_path, make_private_folder
from scrubjay.records.note_records import Source

PREFIX = "qmd/"
"""Beginning of paths outside of the workspace: `qmd/<collection>/<path>`."""

_UNSAFE = re.compile(r"[^a-z0-9_-]+")
"""Signs that no name of a collection has."""
_NOT_WORD = re.compile(r"[\W_]+")
"""Signs that QMD may replace in a path."""
_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", re.DOTALL)
_WILDCARDS = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_ALL_NOTES = "**/*.md"
"""Pattern of a collection that names none."""
_DAY_S = 86_400


class QmdCollection(Struct, frozen=True):
    """A named folder, or a part of it."""

    name: str
    root: Path
    pattern: str
    source: Source

    def holds(self, inside: str) -> bool:
        """True for a path relative to root that QMD would index."""
        parts = inside.split("/")
        # QMD prints paths that it was given by others; none may lead out of its folder.
        is_odd = "\\" in inside or "\0" in inside or ":" in parts[0]
        if is_odd or any(part in ("", "..") or part.startswith(".") for part in parts):
            return False
        return bool(_pattern(self.pattern).fullmatch(inside))

    def locate(self, inside: str) -> str | None:
        """The path below root as it is on disk, None for none: QMD may print other signs."""
        # All files are compared with the printed path only if it is not that of a file.
        for candidate in dict.fromkeys((inside, unquote(inside))):
            file = self.root / candidate
            if self.holds(candidate) and file.is_file():
                # A disk that ignores case has the file under another spelling of its path.
                depth = candidate.count("/") + 1
                return "/".join(as_listed(file).parts[-depth:])
        folded = _folded(unquote(inside))
        return next((path for path in self._files() if _folded(path) == folded), None)

    def _files(self) -> Iterator[str]:
        if not any(sign in self.pattern for sign in "*?[{,"):  # the name of a file
            yield self.pattern
            return
        for folder, names in walk_folders(self.root):
            for inside in (f"{folder}{name}" for name in names):
                if self.holds(inside) and (self.root / inside).is_file():
                    yield inside


def workspace_collections(
    root: Path, settings: QmdSettings, sessions: Path | None, layout: str = ""
) -> dict[str, QmdCollection]:
    """The collections of one workspace by name, whose folders exist, without duplicates.

    Sessions is the folder of exported transcripts; None if they are not exported.
    """
    listed: list[QmdCollection] = []
    if settings.include_default_memory:
        listed += _own_collections(root, layout)
    # Folders of the settings are named after themselves, or with a number where that is taken.
    names = {collection.name for collection in listed} | {"sessions"}
    for number, path in enumerate(settings.paths, start=1):
        if not path.path.strip() or "\0" in path.path:
            continue
        plain = unicodedata.normalize("NFKD", path.name).encode("ascii", "ignore").decode()
        base = _UNSAFE.sub("-", plain.lower()).strip("-") or f"custom-{number}"
        name = base
        suffix = 2
        while name in names:
            name = f"{base}-{suffix}"
            suffix += 1
        names.add(name)
        folder = root / expanded_path(Path(path.path.strip()))
        pattern = path.pattern.strip() or _ALL_NOTES
        # A single file is its folder with its name as the pattern.
        if folder.is_file():
            pattern = folder.name
            folder = folder.parent
        listed.append(QmdCollection(name, folder, pattern=pattern, source=Source.EXTRA))
    if sessions is not None:
        listed.append(
            QmdCollection("sessions", sessions, pattern=_ALL_NOTES, source=Source.SESSIONS)
        )
    # Of two collections with the same files, the first one stays.
    unique: dict[tuple[Path, str], QmdCollection] = {}
    for collection in listed:
        unique.setdefault((collection.root, collection.pattern), collection)
    return {item.name: item for item in unique.values() if item.root.is_dir()}


def _own_collections(root: Path, layout: str) -> list[QmdCollection]:
    """The notes of a workspace; of an agent's workspace, only its memory."""
    if not is_agent_workspace(root, layout):
        return [QmdCollection("notes", root, pattern=_ALL_NOTES, source=Source.NOTES)]
    # Everything else in such a folder is the agent's work, and not its memory.
    curated = "MEMORY.md" if (root / "MEMORY.md").is_file() else "memory.md"
    folder = root / "memory"
    return [
        QmdCollection("memory-root", root, pattern=curated, source=Source.MEMORY),
        QmdCollection("memory-dir", folder, pattern=_ALL_NOTES, source=Source.MEMORY),
    ]


def _folded(path: str) -> str:
    """A path in the form to which QMD may reduce it."""
    return "/".join(_NOT_WORD.sub("-", part.casefold()).strip("-") for part in path.split("/"))


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob as QMD reads it: `**`, `*`, `?`, `[ab]`, `{a,b}`, and several with commas."""
    parts = [""]
    depth = 0
    # Commas outside of braces separate whole patterns.
    for sign in glob:
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    stripped = (part.strip() for part in parts)
    return re.compile("|".join(f"(?:{_translated(part)})" for part in stripped if part))


def _translated(glob: str) -> str:
    """A glob without outer commas as a regular expression."""
    pieces = []
    # A bracket or brace without its end stands for itself.
    for piece in _GLOB.findall(glob.removeprefix("./")):
        if piece in _WILDCARDS:
            pieces.append(_WILDCARDS[piece])
        elif piece.startswith("{") and len(piece) > 1:
            pieces.append("(?:" + "|".join(map(_translated, piece[1:-1].split(","))) + ")")
        elif piece.startswith("[") and len(piece) > 1:
            inner = re.escape(piece[1:-1]).replace(r"\-", "-")
            if inner[:1] in ("!", "^"):
                inner = f"^/{inner[1:]}"
            pieces.append(f"[{inner}]")
        else:
            pieces.append(re.escape(piece))
    return "".join(pieces)


def export_sessions(folders: Iterable[Path], target: Path, retention_days: int | None) -> None:
    """Export transcripts as Markdown files into target, without those that are too old.

    Target belongs to Scrubjay alone: other Markdown files in it are deleted. Secrets are blanked
    out. Unreadable transcripts are left as they are. May raise OSError.
    """
    make_private_folder(target)
    oldest = 0.0
    if retention_days:
        oldest = time.time() - retention_days * _DAY_S
    transcripts: list[Path] = []
    for folder in folders:
        with contextlib.suppress(OSError):  # most agents have one of these folders only
            transcripts += [
                file
                for file in sorted(folder.iterdir())
                if is_transcript_name(file.name) and not file.is_symlink() and file.is_file()
            ]
    # Of transcripts with the same name, the first one is exported.
    exported: set[str] = set()
    for source in transcripts:
        name = f"{source.name[: -len(SUFFIX)]}.md"
        with contextlib.suppress(OSError):
            changed = source.stat().st_mtime
            if name not in exported and changed >= oldest:
                exported.add(name)
                _export(source, target / name, changed)
    for file in target.glob("*.md"):
        if file.name not in exported:
            file.unlink(missing_ok=True)


def _export(source: Path, target: Path, changed: float) -> None:
    """Write a transcript as a note, unless it has not changed since the last time."""
    with contextlib.suppress(FileNotFoundError):
        if target.stat().st_mtime >= changed:
            return
    # Each message becomes a paragraph of its own.
    transcript = read_transcript(source.read_bytes())
    lines = [line for line in transcript.text.split("\n") if line]
    text = "\n\n".join([f"# {transcript.title or source.stem}", *lines])
    write_atomically(target, f"{text}\n".encode(), 0o600)
