"""Captured sentences that wait for a decision of the user."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from scrubjay.agents.recall.capture_rules import Category
from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.age import as_local
from scrubjay.text.tokenizer import fold

MAX_WAITING = 200
"""Entries in the queue; the oldest are dropped beyond this."""
MAX_SEEN = 5000
"""Digests of examined texts, so that none is proposed twice."""

_DIGEST = 16
"""Digits of a digest, which is also the id of an entry."""


class CapturedSentence(Struct, frozen=True):
    """A sentence of the user that waits for a decision."""

    id: str
    workspace: WorkspaceId
    """Id of the workspace whose daily file it would go to."""
    text: str
    category: Category
    at: dt.datetime
    """Time at which it was captured, with a zone."""


class CaptureQueue:
    """The queue on disk, shared by all processes. Methods may raise OSError."""

    def __init__(self, path: Path) -> None:
        self._file = StateFile(path)

    def waiting(self) -> tuple[CapturedSentence, ...]:
        """All entries, oldest first."""
        return tuple(_entries(self._file.read()))

    def unseen(self, workspace: Workspace, texts: Sequence[str]) -> list[str]:
        """The texts that were never examined for a workspace, in order, each once."""
        seen = set(_seen(self._file.read()))
        return [text for text in dict.fromkeys(texts) if text_digest(workspace, text) not in seen]

    def add(
        self, workspace: Workspace, texts: Sequence[tuple[str, Category]], examined: Sequence[str]
    ) -> tuple[CapturedSentence, ...]:
        """Add texts, and mark all examined ones as seen. The result are the new entries."""
        now = dt.datetime.now().astimezone().replace(microsecond=0)
        with self._file.changed() as data:
            seen = _seen(data)
            # Another process may have examined the same texts in the meantime.
            added = [
                CapturedSentence(
                    text_digest(workspace, text), workspace.id, text=text, category=category, at=now
                )
                for text, category in texts
                if text_digest(workspace, text) not in seen
            ]
            marks = [text_digest(workspace, text) for text in examined]
            data["version"] = 1
            data["entries"] = _records([*_entries(data), *added][-MAX_WAITING:])
            data["seen"] = list(dict.fromkeys([*seen, *marks]))[-MAX_SEEN:]
        return tuple(added)

    @contextlib.contextmanager
    def taken(self, captured_id: str) -> Iterator[CapturedSentence | None]:
        """An entry, which leaves the queue unless the caller fails; None if it is not in it."""
        with self._file.changed() as data:
            entries = {entry.id: entry for entry in _entries(data)}
            taken = entries.pop(captured_id, None)
            if taken:
                data["entries"] = _records(entries.values())
            yield taken

    def forget(self, workspace: Workspace) -> None:
        """Drop the entries of a removed workspace."""
        with self._file.changed() as data:
            if "entries" in data:
                data["entries"] = _records(
                    entry for entry in _entries(data) if entry.workspace != workspace.id
                )


def text_digest(workspace: Workspace, text: str) -> str:
    """A digest of a text, which is the same whatever its case, accents and white space."""
    plain = f"{workspace.id}\n{' '.join(fold(text).split())}"
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:_DIGEST]


def _seen(data: dict[str, Any]) -> list[str]:
    """Digests of texts that were examined, the oldest first."""
    digests = data.get("seen")
    if not isinstance(digests, list):
        return []
    return [item for item in digests if isinstance(item, str)]


def _entries(data: dict[str, Any]) -> list[CapturedSentence]:
    """Entries of the queue that can be read, the oldest first."""
    records = data.get("entries")
    if not isinstance(records, list):
        return []
    entries: list[CapturedSentence] = []
    # Records of another form, such as those of another version, are skipped.
    for record in records:
        match record:
            case {
                "id": str(name),
                "workspace": str(workspace),
                "text": str(text),
                "category": str(category),
                "at": str(at),
            }:
                with contextlib.suppress(ValueError):  # a record of another program
                    moment = as_local(dt.datetime.fromisoformat(at))
                    entries.append(
                        CapturedSentence(
                            name,
                            WorkspaceId(workspace),
                            text=text,
                            category=Category(category),
                            at=moment,
                        )
                    )
    return entries


def _records(entries: Iterable[CapturedSentence]) -> list[dict[str, str]]:
    return [asdict(entry) | {"at": entry.at.isoformat()} for entry in entries]
