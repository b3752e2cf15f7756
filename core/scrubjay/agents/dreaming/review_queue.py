"""Candidates for MEMORY.md that wait for a decision of the user, and those that were refused."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.dreaming.dream_weights import MAX_REFUSED
from scrubjay.agents.dreaming.recall_entry import RecallEntry, format_time, parse_time, read_entry
from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId


class DreamCandidate(Struct, frozen=True):
    """Lines of a daily file that are proposed for MEMORY.md."""

    workspace: WorkspaceId
    entry: RecallEntry
    """The entry with its lines at the time of the proposal."""
    text: str
    """The text to be written, on one line."""
    score: float
    """Score at the time of the proposal, 0 to 1."""
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
    """Time of each refusal, by key."""
    applied: dict[str, DreamCandidate]
    """The candidates of the last change of MEMORY.md, for undo."""
    last_run: dt.datetime | None


class ReviewQueue:
    """The queue of one workspace, on disk. Methods may raise OSError."""

    def __init__(self, workspace: Workspace, file: Path) -> None:
        self._workspace = workspace.id
        # It is kept apart from the files that other programs share: only people decide here.
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
            # The newest refusals stay; an entry that old is not proposed any longer.
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
        """The candidates in valid records, by key."""
        if not isinstance(records, dict):
            return {}
        candidates: dict[str, DreamCandidate] = {}
        for key, record in records.items():
            candidate = self._candidate(str(key), record)
            if candidate:
                candidates[candidate.key] = candidate
        return candidates

    def _candidate(self, key: str, record: Any) -> DreamCandidate | None:
        """The candidate in a record; None if it lacks what a decision needs."""
        entry = read_entry(key, record)
        if entry is None:
            return None
        proposed_at = parse_time(record.get("proposedAt"))
        text = record.get("text")
        score = record.get("score")
        if not proposed_at or not isinstance(score, int | float) or not isinstance(text, str):
            return None
        # The parts and the number of queries only explain the score, so they may be missing.
        parts = record.get("parts")
        if not isinstance(parts, dict):
            parts = {}
        queries = record.get("queries")
        return DreamCandidate(
            self._workspace,
            entry,
            text=text,
            score=float(score),
            parts={str(name): float(value) for name, value in parts.items()},
            queries=queries if isinstance(queries, int) else 0,
            proposed_at=proposed_at,
        )


def _record(candidate: DreamCandidate) -> dict[str, Any]:
    """The candidate as a record, from which `read_entry` reads its entry again."""
    # Reading divides the total by the recalls, so that it gives the same relevance again.
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
