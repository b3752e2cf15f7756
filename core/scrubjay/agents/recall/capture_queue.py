"""What may be worth remembering, kept until a person has looked at it."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.agents.recall.capture_rules import Category
from scrubjay.platform.state_file import StateFile
from scrubjay.text.tokenizer import fold

MAX_WAITING = 200
"""Nobody reviews more; the oldest are dropped beyond this."""
MAX_SEEN = 5000
"""Digests of texts that were looked at before, so that none is proposed twice."""

_DIGEST = 16


@dataclass(frozen=True, slots=True)
class Captured:
    """Something that a person said, waiting for a yes or a no."""

    id: str
    workspace: str
    """Id of the workspace whose daily file it would go to."""
    text: str
    category: Category
    at: dt.datetime
    """When it was said."""


class CaptureQueue:
    """The waiting list on disk, shared by all processes. Methods may raise OSError."""

    def __init__(self, path: Path) -> None:
        self._file = StateFile(path)

    def waiting(self) -> tuple[Captured, ...]:
        """Everything that waits, oldest first."""
        return tuple(_captured(self._file.read()))

    def unseen(self, workspace: str, texts: Sequence[str]) -> list[str]:
        """Those texts that were never looked at for a workspace, in order, each once."""
        seen = set(_seen(self._file.read()))
        return [one for one in dict.fromkeys(texts) if digest(workspace, one) not in seen]

    def add(
        self, workspace: str, found: Sequence[tuple[str, Category]], looked_at: Sequence[str]
    ) -> tuple[Captured, ...]:
        """Put texts on the list, and note all that were looked at. The answer are the new ones."""
        now = dt.datetime.now().astimezone().replace(microsecond=0)
        with self._file.changed() as held:
            seen, entries = _seen(held), _captured(held)
            known = set(seen)
            added = [
                Captured(digest(workspace, text), workspace, text, category, now)
                for text, category in found
                if digest(workspace, text) not in known
            ]
            marks = [digest(workspace, text) for text in looked_at]
            held["version"] = 1
            held["entries"] = [_written(one) for one in [*entries, *added][-MAX_WAITING:]]
            held["seen"] = list(dict.fromkeys([*seen, *marks]))[-MAX_SEEN:]
        return tuple(added)

    def take(self, captured_id: str) -> Captured | None:
        """Take one off the list; None when it is not on it (any more)."""
        with self._file.changed() as held:
            entries = _captured(held)
            taken = next((one for one in entries if one.id == captured_id), None)
            if taken:
                held["entries"] = [_written(one) for one in entries if one is not taken]
        return taken

    def put_back(self, captured: Captured) -> None:
        """Put one on the list again, because it could not be written."""
        with self._file.changed() as held:
            held["entries"] = [_written(one) for one in [captured, *_captured(held)]]

    def forget(self, workspace: str) -> None:
        """Drop everything of a workspace that is removed."""
        with self._file.changed() as held:
            entries = [one for one in _captured(held) if one.workspace != workspace]
            if "entries" in held:
                held["entries"] = [_written(one) for one in entries]


def digest(workspace: str, text: str) -> str:
    """The same for texts that differ in case, accents and white space only."""
    plain = f"{workspace}\n{' '.join(fold(text).split())}"
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:_DIGEST]


def _seen(held: dict[str, Any]) -> list[str]:
    listed = held.get("seen")
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _captured(held: dict[str, Any]) -> list[Captured]:
    listed = held.get("entries")
    entries: list[Captured] = []
    for one in listed if isinstance(listed, list) else []:
        try:
            entries.append(
                Captured(
                    str(one["id"]),
                    str(one["workspace"]),
                    str(one["text"]),
                    Category(one["category"]),
                    dt.datetime.fromisoformat(one["at"]).astimezone(),
                )
            )
        except (KeyError, TypeError, ValueError):
            continue  # written by something else; it is not ours to show
    return entries


def _written(one: Captured) -> dict[str, str]:
    return {
        "id": one.id,
        "workspace": one.workspace,
        "text": one.text,
        "category": str(one.category),
        "at": one.at.isoformat(timespec="seconds"),
    }
