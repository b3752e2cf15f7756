"""Reads what QMD prints, and makes hits of it."""

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
    """Without its head."""


def read_results(output: str) -> list[QmdResult]:
    """The entries of an answer, in its order; those that name no note are left out.

    Raises QmdFailed when the output is no answer.
    """
    text = output.strip()
    if _NOTHING.fullmatch(text):  # older versions say so even when JSON is asked for
        return []
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        raise QmdFailed("QMD printed something that is no JSON.") from None
    if not isinstance(entries, list):
        raise QmdFailed("QMD printed JSON that is no list of results.")
    results = [_result(entry) for entry in entries if isinstance(entry, dict)]
    found = [one for one in results if one]
    if entries and not found:
        raise QmdFailed("QMD printed results in an unknown form.")
    return found


def _result(entry: dict[str, Any]) -> QmdResult | None:
    file, score = entry.get("file"), entry.get("score")
    place = _place(file) if isinstance(file, str) else None
    if place is None or isinstance(score, bool) or not isinstance(score, int | float):
        return None
    shown = entry.get("snippet") or entry.get("body") or ""
    text = shown if isinstance(shown, str) else ""
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
    without = file.removeprefix("qmd://")
    if without != file:
        without = without.split("?index=")[0]
    collection, slash, inside = without.lstrip("/").partition("/")
    return (collection, inside) if slash and collection and inside else None


def hits(
    results: Iterable[QmdResult], workspace: Workspace, found: Sequence[QmdCollection]
) -> list[Hit]:
    """The results as hits. What is not in a collection of the workspace is left out."""
    made: list[Hit] = []
    for one in results:
        collection = named(found, one.collection)
        inside = collection.locate(one.inside) if collection else None
        if collection and inside and (hit := _hit(one, workspace, collection, inside)):
            made.append(hit)
    return made


def _hit(
    one: QmdResult, workspace: Workspace, collection: QmdCollection, inside: str
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
        title=one.title or Path(inside).stem,
        heading="",
        first_line=one.first_line,
        last_line=one.last_line,
        best_line=one.best_line,
        score=one.score,
        text_score=None,
        vector_score=None,
        snippet=Snippet(one.text.strip("\n")),
        modified=modified,
    )


def label(root: Path, collection: QmdCollection, inside: str) -> str:
    """Relative to the workspace for its own notes, else `qmd/<collection>/<path>`."""
    file = collection.root / inside
    is_own = collection.source in (Source.MEMORY, Source.NOTES)
    if is_own and file.is_relative_to(root):
        return file.relative_to(root).as_posix()
    return f"{PREFIX}{collection.name}/{inside}"


def limited(found: Iterable[Hit], settings: QmdSettings, wanted: int | None) -> tuple[Hit, ...]:
    """The best of them, with as much text as the limits allow."""
    limits = settings.limits
    best = sorted(found, key=lambda hit: -hit.score)[: min(wanted or 1000, limits.max_results)]
    kept: list[Hit] = []
    room = limits.max_injected_chars
    for hit in best:
        text = hit.snippet.text[: min(limits.max_snippet_chars, room)]
        if not text and hit.snippet.text:
            break
        room -= len(text)
        kept.append(replace(hit, snippet=Snippet(text)))
    return tuple(kept)
