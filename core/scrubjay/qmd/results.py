"""Hits from the output of QMD."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import NoteRefused, QmdFailed
from scrubjay.notes.note_pages import file_inside
from scrubjay.notes.scan import modified_ns
from scrubjay.qmd.collections import PREFIX, QmdCollection
from scrubjay.records.note_records import Source, Workspace
from scrubjay.records.search_records import Hit, Snippet
from scrubjay.text.age import local_time
from scrubjay.text.file_kinds import group_copies

# The forms in which versions of QMD print their results.
_HEAD = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? @@[^\n]*(?:\n|$)")
_NOTHING = re.compile(r"(?:\S+ )?no results found[^\n]*", re.IGNORECASE)
"""Line of older versions in place of an empty list."""


def parse_hits(
    output: str, workspace: Workspace, collections: Mapping[str, QmdCollection]
) -> list[Hit]:
    """The results in the workspace's collections, in QMD's order. Raises QmdFailed."""
    text = output.strip()
    if _NOTHING.fullmatch(text):  # older versions, even with --json
        return []
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise QmdFailed("QMD sent a response that Scrubjay cannot read.") from None
    if not isinstance(entries, list):
        raise QmdFailed("QMD sent a response that is not a list of results.")
    addressed = [(entry, _address(entry)) for entry in entries]
    results = [(entry, address) for entry, address in addressed if address]
    if entries and not results:
        raise QmdFailed("QMD sent results in an unknown format.")
    # Notes that are gone, excluded or outside of the collections are not shown.
    located: list[Hit] = []
    for entry, (name, path) in results:
        collection = collections.get(name)
        if collection is None:
            continue
        inside = collection.locate(path)
        if inside:
            with contextlib.suppress(NoteRefused, OSError):
                located.append(_hit(entry, workspace, collection=collection, inside=inside))
    return located


def _address(entry: Any) -> tuple[str, str] | None:
    """Collection and path of `qmd://collection/path` or `collection/path`, if it has a score."""
    if not isinstance(entry, dict):
        return None
    file = entry.get("file")
    score = entry.get("score")
    if not isinstance(file, str) or isinstance(score, bool) or not isinstance(score, int | float):
        return None
    # Only an address has a query; a question mark may stand in the name of a file.
    path = file.removeprefix("qmd://")
    if path != file:
        path = path.split("?index=")[0]
    collection, _, inside = path.lstrip("/").partition("/")
    if not collection or not inside:
        return None
    return collection, inside


def _hit(
    entry: dict[str, Any], workspace: Workspace, *, collection: QmdCollection, inside: str
) -> Hit:
    """The hit that an entry describes. May raise NoteRefused or OSError."""
    file = file_inside(collection.root, inside, workspace)
    modified = local_time(modified_ns(file.stat()))
    text = entry.get("snippet") or entry.get("body") or ""
    if not isinstance(text, str):
        text = ""
    best = 0
    line = entry.get("line")
    if isinstance(line, int) and not isinstance(line, bool) and line > 0:
        best = line
    # The text may begin with its lines in the note, in the form of a diff.
    head = _HEAD.match(text)
    if head:
        text = text[head.end() :]
        first = max(1, int(head[1]))
        count = max(1, int(head[2] or 1))
    else:
        first = best or 1
        count = text.count("\n") + 1
    last = first + count - 1
    title = entry.get("title")
    if not title or not isinstance(title, str):
        title = Path(inside).stem
    # JSON of other programs may hold NaN, which no comparison puts in order.
    score = float(entry["score"])
    if math.isnan(score):
        score = 0.0
    return Hit(
        workspace=workspace.id,
        path=_label(workspace.root, collection, inside),
        file=file,
        source=collection.source,
        title=title,
        heading="",
        first_line=first,
        last_line=last,
        best_line=min(max(best or first, first), last),
        score=min(1.0, max(0.0, score)),
        text_score=None,
        vector_score=None,
        snippet=Snippet(text.strip("\n")),
        modified=modified,
    )


def _label(root: Path, collection: QmdCollection, inside: str) -> str:
    """The path in the workspace for its own notes, otherwise `qmd/<collection>/<path>`."""
    file = collection.root / inside
    is_own = collection.source in (Source.MEMORY, Source.NOTES)
    if is_own and file.is_relative_to(root):
        return file.relative_to(root).as_posix()
    return f"{PREFIX}{collection.name}/{inside}"


def limit_hits(
    hits: Iterable[Hit], settings: QmdSettings, max_results: int | None
) -> tuple[Hit, ...]:
    """The best hits, with as much text as the limits allow; copies stand behind their note."""
    limits = settings.limits
    count = min(max_results or 1000, limits.max_results)
    best: list[Hit] = []
    room = limits.max_injected_chars
    # The worst hits are dropped when the best ones have used all the room.
    for hit in _without_copies(sorted(hits, key=lambda hit: -hit.score))[:count]:
        text = hit.snippet.text[: min(limits.max_snippet_chars, room)]
        if not text and hit.snippet.text:
            break
        room -= len(text)
        best.append(replace(hit, snippet=Snippet(text)))
    return tuple(best)


def _without_copies(hits: Sequence[Hit]) -> list[Hit]:
    """Hits with the paths of their conflict copies, which have none of their own."""
    # QMD shows other lines of each note, so that names alone tell what is a copy.
    paths: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for hit in hits:
        paths[hit.workspace][hit.path] = []
    groups = {workspace: group_copies(texts) for workspace, texts in paths.items()}
    return [
        replace(hit, conflict_copies=groups[hit.workspace][hit.path])
        for hit in hits
        if hit.path in groups[hit.workspace]
    ]
