"""Hits from the output of QMD."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import NoteRefused, QmdFailed
from scrubjay.notes.note_pages import file_inside
from scrubjay.qmd.collections import PREFIX, QmdCollection, named
from scrubjay.records.search_records import Hit, Snippet, Source, Workspace

_HEAD = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? @@[^\n]*(?:\n|$)")
_NOTHING = re.compile(r"(?:\S+ )?no results found[^\n]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QmdResult:
    """One entry of QMD's answer."""

    collection: str
    inside: str
    """Path in the collection."""
    score: float
    title: str
    first_line: int
    last_line: int
    best_line: int
    text: str
    """The snippet without its head."""


def read_results(output: str) -> list[QmdResult]:
    """The entries of an answer, in its order, without those that name no note.

    Raises QmdFailed when the output is no answer.
    """
    text = output.strip()
    if _NOTHING.fullmatch(text):  # older versions, even with --json
        return []
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise QmdFailed("QMD printed something that is no JSON.") from None
    if not isinstance(entries, list):
        raise QmdFailed("QMD printed JSON that is no list of results.")
    read = (_result(entry) for entry in entries if isinstance(entry, dict))
    results = [result for result in read if result]
    if entries and not results:
        raise QmdFailed("QMD printed results in an unknown form.")
    return results


def _result(entry: dict[str, Any]) -> QmdResult | None:
    file, score = entry.get("file"), entry.get("score")
    place = _place(file) if isinstance(file, str) else None
    if place is None or isinstance(score, bool) or not isinstance(score, int | float):
        return None
    text = entry.get("snippet") or entry.get("body") or ""
    if not isinstance(text, str):
        text = ""
    line = entry.get("line")
    best = line if isinstance(line, int) and not isinstance(line, bool) and line > 0 else 0
    head = _HEAD.match(text)
    if head:
        text = text[head.end() :]
        first = max(1, int(head[1]))
        count = max(1, int(head[2] or 1))
    else:
        first, count = best or 1, max(1, text.count("\n") + 1)
    title = entry.get("title")
    return QmdResult(
        *place,
        # NaN compares false with everything.
        score=min(1.0, max(0.0, float(score))) if score == score else 0.0,
        title=title if isinstance(title, str) else "",
        first_line=first,
        last_line=first + count - 1,
        best_line=min(max(best or first, first), first + count - 1),
        text=text,
    )


def _place(file: str) -> tuple[str, str] | None:
    """Collection and path of `qmd://collection/path` or `collection/path`."""
    path = file.removeprefix("qmd://")
    if path != file:
        path = path.split("?index=")[0]
    collection, slash, inside = path.lstrip("/").partition("/")
    return (collection, inside) if slash and collection and inside else None


def hits(
    results: Iterable[QmdResult], workspace: Workspace, collections: Sequence[QmdCollection]
) -> list[Hit]:
    """The results in collections of the workspace as hits."""
    located: list[Hit] = []
    for result in results:
        collection = named(collections, result.collection)
        inside = collection.locate(result.inside) if collection else None
        if collection and inside and (hit := _hit(result, workspace, collection, inside)):
            located.append(hit)
    return located


def _hit(
    result: QmdResult, workspace: Workspace, collection: QmdCollection, inside: str
) -> Hit | None:
    try:
        file = file_inside(collection.root, inside)
        modified = dt.datetime.fromtimestamp(file.stat().st_mtime).astimezone()
    except (NoteRefused, OSError):
        return None
    return Hit(
        workspace=workspace.id,
        path=label(workspace.root, collection, inside),
        file=file,
        source=collection.source,
        title=result.title or Path(inside).stem,
        heading="",
        first_line=result.first_line,
        last_line=result.last_line,
        best_line=result.best_line,
        score=result.score,
        text_score=None,
        vector_score=None,
        snippet=Snippet(result.text.strip("\n")),
        modified=modified,
    )


def label(root: Path, collection: QmdCollection, inside: str) -> str:
    """Relative to the workspace for its own notes, else `qmd/<collection>/<path>`."""
    file = collection.root / inside
    is_own = collection.source in (Source.MEMORY, Source.NOTES)
    if is_own and file.is_relative_to(root):
        return file.relative_to(root).as_posix()
    return f"{PREFIX}{collection.name}/{inside}"


def limited(hits: Iterable[Hit], settings: QmdSettings, max_results: int | None) -> tuple[Hit, ...]:
    """The best hits, with as much text as the limits allow."""
    limits = settings.limits
    count = min(max_results or 1000, limits.max_results)
    best: list[Hit] = []
    room = limits.max_injected_chars
    for hit in sorted(hits, key=lambda hit: -hit.score)[:count]:
        text = hit.snippet.text[: min(limits.max_snippet_chars, room)]
        if not text and hit.snippet.text:
            break
        room -= len(text)
        best.append(replace(hit, snippet=Snippet(text)))
    return tuple(best)
