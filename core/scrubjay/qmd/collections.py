"""Which folders QMD indexes for a workspace, and which file a path in one of them means."""

from __future__ import annotations

import contextlib
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from scrubjay.config.schema.qmd_backend import QmdPath, QmdSettings
from scrubjay.notes.scan import is_agent_workspace
from scrubjay.notes.transcripts import SUFFIX, is_transcript_name, read_transcript
from scrubjay.platform.atomic_write import replace_bytes
from scrubjay.platform.paths import expanded_path
from scrubjay.records.search_records import Source

PREFIX = "qmd/"
"""Paths outside of the workspace begin so: `qmd/<collection>/<path>`."""

_UNSAFE = re.compile(r"[^a-z0-9_-]+")
_NOT_WORD = re.compile(r"[\W_]+")
_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class QmdCollection:
    """One folder, or a part of it, under a name."""

    name: str
    root: Path
    pattern: str
    source: Source

    def holds(self, inside: str) -> bool:
        """True when a path relative to root is one that QMD would index."""
        parts = inside.split("/")
        is_odd = "\\" in inside or "\0" in inside or ":" in parts[0]
        if is_odd or any(part in ("", "..") or part.startswith(".") for part in parts):
            return False
        return bool(_pattern(self.pattern).fullmatch(inside))

    def locate(self, inside: str) -> str | None:
        """The path relative to root as it is on disk; None when there is no such file.

        Some versions of QMD print paths with a part of their signs replaced.
        """
        for candidate in dict.fromkeys((inside, unquote(inside))):
            if self.holds(candidate) and (self.root / candidate).is_file():
                return candidate
        wanted = _folded(unquote(inside))
        return next((one for one in self._files() if _folded(one) == wanted), None)

    def _files(self) -> Iterator[str]:
        if self.is_one_file:
            yield self.pattern
            return
        for file in self.root.rglob("*"):
            inside = file.relative_to(self.root).as_posix()
            if self.holds(inside) and file.is_file():
                yield inside

    @property
    def is_one_file(self) -> bool:
        """True when the pattern is a name."""
        return not any(sign in self.pattern for sign in "*?[{,")


def collections(
    root: Path, settings: QmdSettings, sessions: Path | None
) -> tuple[QmdCollection, ...]:
    """Those of one workspace; folders that are not there are left out.

    Sessions is where conversations are exported to; None when they are not.
    """
    found: list[QmdCollection] = []
    if settings.include_default_memory:
        found += _of_workspace(root)
    taken = {one.name for one in found} | {"sessions"}
    for number, given in enumerate(settings.paths, start=1):
        if one := _custom(root, given, number, taken):
            taken.add(one.name)
            found.append(one)
    if sessions is not None:
        found.append(QmdCollection("sessions", sessions, "**/*.md", Source.SESSIONS))
    unique = {(one.root, one.pattern): one for one in reversed(found)}
    return tuple(one for one in found if unique[one.root, one.pattern] is one and one.root.is_dir())


def _of_workspace(root: Path) -> list[QmdCollection]:
    if not is_agent_workspace(root):
        return [QmdCollection("notes", root, "**/*.md", Source.NOTES)]
    curated = "MEMORY.md" if (root / "MEMORY.md").is_file() else "memory.md"
    return [
        QmdCollection("memory-root", root, curated, Source.MEMORY),
        QmdCollection("memory-dir", root / "memory", "**/*.md", Source.MEMORY),
    ]


def _custom(root: Path, given: QmdPath, number: int, taken: set[str]) -> QmdCollection | None:
    if not given.path.strip() or "\0" in given.path:
        return None
    place = root / expanded_path(Path(given.path.strip()))
    plain = unicodedata.normalize("NFKD", given.name).encode("ascii", "ignore").decode()
    base = _UNSAFE.sub("-", plain.lower()).strip("-") or f"custom-{number}"
    name, more = base, 2
    while name in taken:
        name, more = f"{base}-{more}", more + 1
    if place.is_file():
        return QmdCollection(name, place.parent, place.name, Source.EXTRA)
    return QmdCollection(name, place, given.pattern.strip() or "**/*.md", Source.EXTRA)


def named(found: Sequence[QmdCollection], name: str) -> QmdCollection | None:
    """The collection of that name, if there is one."""
    return next((one for one in found if one.name == name), None)


def _folded(path: str) -> str:
    """What is left of a path when QMD has replaced what it does not like in names."""
    return "/".join(_NOT_WORD.sub("-", part.casefold()).strip("-") for part in path.split("/"))


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob as QMD reads it: `**`, `*`, `?`, `[ab]`, `{a,b}`, and several with commas."""
    return re.compile("|".join(f"(?:{_translated(one)})" for one in _several(glob)))


def _several(glob: str) -> list[str]:
    """Split at commas that do not stand in braces."""
    parts, depth = [""], 0
    for sign in glob:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _translated(glob: str) -> str:
    return "".join(_piece(piece) for piece in _GLOB.findall(glob.removeprefix("./")))


def _piece(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:[^/]+/)*"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
    if piece.startswith("{") and len(piece) > 1:
        return "(?:" + "|".join(_translated(one) for one in piece[1:-1].split(",")) + ")"
    if piece.startswith("[") and len(piece) > 1:
        inner = re.escape(piece[1:-1]).replace(r"\-", "-")
        return f"[^/{inner[1:]}]" if inner[:1] in ("!", "^") else f"[{inner}]"
    return re.escape(piece)


_DAY_S = 86_400


def export_sessions(folders: Iterable[Path], target: Path, retention_days: int | None) -> None:
    """Bring target up to date: one file for each transcript, none for those that are too old.

    Target belongs to Scrubjay alone: other Markdown files in it are deleted. Secrets are blanked
    out. What cannot be read is left as it is. May raise OSError.
    """
    target.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - retention_days * _DAY_S if retention_days else 0.0
    wanted: set[str] = set()
    for source in _transcripts(folders):
        name = f"{source.name[: -len(SUFFIX)]}.md"
        with contextlib.suppress(OSError):
            changed = source.stat().st_mtime
            if name not in wanted and changed >= oldest:
                wanted.add(name)
                _export(source, target / name, changed)
    for file in target.glob("*.md"):
        if file.name not in wanted:
            file.unlink(missing_ok=True)


def _transcripts(folders: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        with contextlib.suppress(OSError):  # most agents have one of the usual places only
            listed = sorted(folder.iterdir())
            found += [
                one
                for one in listed
                if is_transcript_name(one.name) and not one.is_symlink() and one.is_file()
            ]
    return found


def _export(source: Path, target: Path, changed: float) -> None:
    with contextlib.suppress(FileNotFoundError):
        if target.stat().st_mtime >= changed:
            return
    said = read_transcript(source.read_bytes())
    lines = [line for line in said.text.split("\n") if line]
    text = "\n\n".join([f"# {said.title or source.stem}", *lines])
    replace_bytes(target, f"{text}\n".encode(), 0o600)
