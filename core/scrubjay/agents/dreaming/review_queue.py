"""What waits for a person's yes or no, and what was refused for good."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.agents.dreaming.recall_entry import RecallEntry, daily_date, moment, read_entry, stamp
from scrubjay.platform.state_file import StateFile

MAX_REFUSED = 5000
"""Keys; those that were refused longest ago go first."""


@dataclass(frozen=True, slots=True)
class DreamCandidate:
    """A place in a daily file that is proposed for MEMORY.md."""

    workspace: str
    key: str
    text: str
    """What would be written, on one line."""
    path: str
    first_line: int
    """1-based, where it stood when it was proposed."""
    last_line: int
    day: dt.date | None
    """The day of the daily file."""
    score: float
    """0 to 1."""
    parts: Mapping[str, float]
    """What the score consists of: frequency, relevance, diversity, recency ..."""
    recalls: int
    """How often agents found it."""
    queries: int
    """With how many different questions."""
    relevance: float
    """Mean score of these searches, 0 to 1."""
    snippet: str
    """What the place is found again by."""
    proposed_at: dt.datetime

    def entry(self) -> RecallEntry:
        """The place as it was known when it was proposed."""
        return RecallEntry(
            key=self.key,
            path=self.path,
            first_line=self.first_line,
            last_line=self.last_line,
            snippet=self.snippet,
            recalls=self.recalls,
            signals=max(1, self.recalls),
            total_score=self.relevance * max(1, self.recalls),
            queries=(),
            days=(),
            tags=(),
            last_recalled=None,
            is_promoted=False,
        )


@dataclass(slots=True)
class ReviewState:
    """Everything that is kept between two runs. Change it inside `Review.changed` only."""

    waiting: dict[str, DreamCandidate]
    refused: dict[str, str]
    """Key -> when."""
    applied: dict[str, DreamCandidate]
    """What the last change of MEMORY.md consisted of, for undoing it."""
    last_run: dt.datetime | None


class Review:
    """The review of one workspace, on disk. Methods may raise OSError."""

    def __init__(self, workspace: str, file: Path) -> None:
        self._workspace = workspace
        self._file = StateFile(file)

    def state(self) -> ReviewState:
        """As it is now."""
        return self._read(self._file.read())

    @contextlib.contextmanager
    def changed(self) -> Iterator[ReviewState]:
        """The state, for changing it while no other process does."""
        with self._file.changed() as held:
            state = self._read(held)
            yield state
            held["version"] = 1
            held["waiting"] = {key: _written(one) for key, one in state.waiting.items()}
            held["refused"] = dict(list(state.refused.items())[-MAX_REFUSED:])
            held["applied"] = {key: _written(one) for key, one in state.applied.items()}
            if state.last_run:
                held["lastRun"] = stamp(state.last_run)

    def _read(self, held: dict[str, Any]) -> ReviewState:
        refused = held.get("refused")
        return ReviewState(
            waiting=self._candidates(held.get("waiting")),
            refused={str(key): str(at) for key, at in refused.items()}
            if isinstance(refused, dict)
            else {},
            applied=self._candidates(held.get("applied")),
            last_run=moment(held.get("lastRun")),
        )

    def _candidates(self, listed: object) -> dict[str, DreamCandidate]:
        records = listed.items() if isinstance(listed, dict) else ()
        found = (_candidate(self._workspace, str(key), record) for key, record in records)
        return {one.key: one for one in found if one}


def _candidate(workspace: str, key: str, record: object) -> DreamCandidate | None:
    entry = read_entry(key, record)
    at = moment(record.get("proposedAt")) if isinstance(record, dict) else None
    if entry is None or at is None or not isinstance(record, dict):
        return None
    parts = record.get("parts")
    score, text, queries = record.get("score"), record.get("text"), record.get("queries")
    if not isinstance(score, int | float) or not isinstance(text, str):
        return None
    return DreamCandidate(
        workspace=workspace,
        key=key,
        text=text,
        path=entry.path,
        first_line=entry.first_line,
        last_line=entry.last_line,
        day=daily_date(entry.path),
        score=float(score),
        parts={str(name): float(value) for name, value in parts.items()}
        if isinstance(parts, dict)
        else {},
        recalls=entry.recalls,
        queries=queries if isinstance(queries, int) else 0,
        relevance=entry.relevance,
        snippet=entry.snippet,
        proposed_at=at,
    )


def _written(one: DreamCandidate) -> dict[str, Any]:
    return {
        "path": one.path,
        "startLine": one.first_line,
        "endLine": one.last_line,
        "snippet": one.snippet,
        "text": one.text,
        "score": round(one.score, 6),
        "parts": {name: round(value, 6) for name, value in one.parts.items()},
        "recallCount": max(1, one.recalls),
        "totalScore": one.relevance * max(1, one.recalls),
        "queries": one.queries,
        "proposedAt": stamp(one.proposed_at),
    }
