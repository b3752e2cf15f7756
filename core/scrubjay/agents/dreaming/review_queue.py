"""Candidates for MEMORY.md that wait for a decision of the user, and those that were refused."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.dreaming.recall_entry import RecallEntry, format_time, parse_time, read_entry
from scrubjay.platform.state_file import StateFile

MAX_REFUSED = 5000
"""Refused keys that are kept; the oldest go first."""


class DreamCandidate(Struct, frozen=True):
    """Lines of a daily file that are proposed for MEMORY.md."""

    workspace: str
    entry: RecallEntry
    """The entry with its lines at the time of the proposal."""
    text: str
    """The text to be written, on one line."""
    score: float
    """0 to 1."""
    parts: Mapping[str, float]
    """The parts of the score: frequency, relevance, diversity, recency ..."""
    queries: int
    """Different queries of the searches that hit it."""
    proposed_at: dt.datetime

    @property
    def key(self) -> str:
        """The key of the entry."""
        return self.entry.key


class ReviewState(Struct):
    """The state between two runs. Change it inside `ReviewQueue.changed` only."""

    waiting: dict[str, DreamCandidate]
    refused: dict[str, str]
    """Key -> time."""
    applied: dict[str, DreamCandidate]
    """The candidates of the last change of MEMORY.md, for undo."""
    last_run: dt.datetime | None


class ReviewQueue:
    """The queue of one workspace, on disk. Methods may raise OSError."""

    def __init__(self, workspace: str, file: Path) -> None:
        self._workspace = workspace
        self._file = StateFile(file)

    def state(self) -> ReviewState:
        """The current state."""
        return self._read(self._file.read())

    @contextlib.contextmanager
    def changed(self) -> Iterator[ReviewState]:
        """The state, to change it while no other process does."""
        with self._file.changed() as data:
            state = self._read(data)
            yield state
            data["version"] = 1
            data["waiting"] = {key: _record(item) for key, item in state.waiting.items()}
            data["refused"] = dict(list(state.refused.items())[-MAX_REFUSED:])
            data["applied"] = {key: _record(item) for key, item in state.applied.items()}
            if state.last_run:
                data["lastRun"] = format_time(state.last_run)

    def _read(self, data: dict[str, Any]) -> ReviewState:
        refused = data.get("refused")
        if not isinstance(refused, dict):
            refused = {}
        return ReviewState(
            waiting=self._candidates(data.get("waiting")),
            refused={str(key): str(at) for key, at in refused.items()},
            applied=self._candidates(data.get("applied")),
            last_run=parse_time(data.get("lastRun")),
        )

    def _candidates(self, records: object) -> dict[str, DreamCandidate]:
        candidates: dict[str, DreamCandidate] = {}
        for key, record in records.items() if isinstance(records, dict) else ():
            entry = read_entry(str(key), record)
            if entry is None:
                continue
            at, text, score = (record.get(name) for name in ("proposedAt", "text", "score"))
            parts, queries = record.get("parts"), record.get("queries")
            proposed_at = parse_time(at)
            if proposed_at and isinstance(score, int | float) and isinstance(text, str):
                numbers = parts.items() if isinstance(parts, dict) else ()
                candidates[entry.key] = DreamCandidate(
                    self._workspace,
                    entry,
                    text,
                    float(score),
                    {str(name): float(value) for name, value in numbers},
                    queries if isinstance(queries, int) else 0,
                    proposed_at,
                )
        return candidates


def _record(candidate: DreamCandidate) -> dict[str, Any]:
    return {
        "path": candidate.entry.path,
        "startLine": candidate.entry.first_line,
        "endLine": candidate.entry.last_line,
        "snippet": candidate.entry.snippet,
        "text": candidate.text,
        "score": round(candidate.score, 6),
        "parts": {name: round(value, 6) for name, value in candidate.parts.items()},
        "recallCount": max(1, candidate.entry.recalls),
        "totalScore": candidate.entry.relevance * max(1, candidate.entry.recalls),
        "queries": candidate.queries,
        "proposedAt": format_time(candidate.proposed_at),
    }
