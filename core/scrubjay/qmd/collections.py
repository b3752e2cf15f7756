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
from scrubjay.notes.note_files import walk
from scrubjay.notes.scan import is_agent_workspace
from scrubjay.notes.transcripts import SUFFIX, is_transcript_name, read_transcript
from scrubjay.platform.atomic_write import replace_bytes
from scrubjay.platform.paths import expanded_path, private_folder
from scrubjay.records.search_records import Source

PREFIX = "qmd/"
"""Of paths outside of the workspace: `qmd/<collection>/<path>`."""

_UNSAFE = re.compile(r"[^a-z0-9_-]+")
_NOT_WORD = re.compile(r"[\W_]+")
_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", re.DOTALL)
_WILDCARDS = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
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
        is_odd = "\\" in inside or "\0" in inside or ":" in parts[0]
        if is_odd or any(part in ("", "..") or part.startswith(".") for part in parts):
            return False
        return bool(_pattern(self.pattern).fullmatch(inside))

    def locate(self, inside: str) -> str | None:
        """The path below root as it is on disk, None for none: QMD may print other signs."""
        for candidate in dict.fromkeys((inside, unquote(inside))):
            if self.holds(candidate) and (self.root / candidate).is_file():
                return candidate
        folded = _folded(unquote(inside))
        return next((path for path in self._files() if _folded(path) == folded), None)

    def _files(self) -> Iterator[str]:
        if not any(sign in self.pattern for sign in "*?[{,"):  # the name of a file
            yield self.pattern
            return
        for folder, names in walk(self.root):
            for inside in (f"{folder}{name}" for name in names):
                if self.holds(inside) and (self.root / inside).is_file():
                    yield inside


def collections(
    root: Path, settings: QmdSettings, sessions: Path | None, layout: str = ""
) -> dict[str, QmdCollection]:
    """The collections of one workspace by name, whose folders exist, without duplicates.

    Sessions is the folder of exported transcripts; None if they are not exported.
    """
    listed: list[QmdCollection] = []
    if settings.include_default_memory and is_agent_workspace(root, layout):
        curated = "MEMORY.md" if (root / "MEMORY.md").is_file() else "memory.md"
        listed = [
            QmdCollection("memory-root", root, curated, Source.MEMORY),
            QmdCollection("memory-dir", root / "memory", "**/*.md", Source.MEMORY),
        ]
    elif settings.include_default_memory:
        listed = [QmdCollection("notes", root, "**/*.md", Source.NOTES)]
    names = {collection.name for collection in listed} | {"sessions"}
    for number, path in enumerate(settings.paths, start=1):
        if not path.path.strip() or "\0" in path.path:
            continue
        plain = unicodedata.normalize("NFKD", path.name).encode("ascii", "ignore").decode()
        base = _UNSAFE.sub("-", plain.lower()).strip("-") or f"custom-{number}"
        name, suffix = base, 2
        while name in names:
            name, suffix = f"{base}-{suffix}", suffix + 1
        names.add(name)
        target = root / expanded_path(Path(path.path.strip()))
        folder, pattern = target, path.pattern.strip() or "**/*.md"
        if target.is_file():
            folder, pattern = target.parent, target.name
        listed.append(QmdCollection(name, folder, pattern, Source.EXTRA))
    if sessions is not None:
        listed.append(QmdCollection("sessions", sessions, "**/*.md", Source.SESSIONS))
    unique: dict[tuple[Path, str], QmdCollection] = {}
    for collection in listed:
        unique.setdefault((collection.root, collection.pattern), collection)
    return {item.name: item for item in unique.values() if item.root.is_dir()}


def _folded(path: str) -> str:
    """A path in the form to which QMD may reduce it."""
    return "/".join(_NOT_WORD.sub("-", part.casefold()).strip("-") for part in path.split("/"))


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob as QMD reads it: `**`, `*`, `?`, `[ab]`, `{a,b}`, and several with commas."""
    parts, depth = [""], 0
    for sign in glob:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return re.compile(
        "|".join(f"(?:{_translated(part)})" for part in map(str.strip, parts) if part)
    )


def _translated(glob: str) -> str:
    pieces = []
    for piece in _GLOB.findall(glob.removeprefix("./")):
        if piece in _WILDCARDS:
            pieces.append(_WILDCARDS[piece])
        elif piece.startswith("{") and len(piece) > 1:
            pieces.append("(?:" + "|".join(map(_translated, piece[1:-1].split(","))) + ")")
        elif piece.startswith("[") and len(piece) > 1:
            inner = re.escape(piece[1:-1]).replace(r"\-", "-")
            pieces.append(f"[^/{inner[1:]}]" if inner[:1] in ("!", "^") else f"[{inner}]")
        else:
            pieces.append(re.escape(piece))
    return "".join(pieces)


def export_sessions(folders: Iterable[Path], target: Path, retention_days: int | None) -> None:
    """Export transcripts as Markdown files into target, without those that are too old.

    Target belongs to Scrubjay alone: other Markdown files in it are deleted. Secrets are blanked
    out. Unreadable transcripts are left as they are. May raise OSError.
    """
    private_folder(target)
    oldest = time.time() - retention_days * _DAY_S if retention_days else 0.0
    transcripts: list[Path] = []
    for folder in folders:
        with contextlib.suppress(OSError):  # most agents have one of the usual folders only
            transcripts += [
                file
                for file in sorted(folder.iterdir())
                if is_transcript_name(file.name) and not file.is_symlink() and file.is_file()
            ]
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
    with contextlib.suppress(FileNotFoundError):
        if target.stat().st_mtime >= changed:
            return
    transcript = read_transcript(source.read_bytes())
    lines = [line for line in transcript.text.split("\n") if line]
    text = "\n\n".join([f"# {transcript.title or source.stem}", *lines])
    replace_bytes(target, f"{text}\n".encode(), 0o600)
