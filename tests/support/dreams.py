"""Hits of searches, and daily files that they point at."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scrubjay.agents.dreaming.recall_entry import count_hit, format_time, read_entry
from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Hit, Snippet

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC).astimezone()

KEY_NOTE = "The spare key of the office in Lisbon hangs behind the blue door"
"""Eight words that are no stop words."""


def hit(
    text: str = KEY_NOTE,
    path: str = "memory/2026-11-19.md",
    line: int = 3,
    *,
    score: float = 0.95,
    workspace: str = "agent",
    source: Source = Source.MEMORY,
) -> Hit:
    """One line of a daily file that was found."""
    return Hit(
        workspace=workspace,
        path=path,
        file=Path(path),
        source=source,
        title="",
        heading="",
        first_line=line,
        last_line=line + text.count("\n"),
        best_line=line,
        score=score,
        text_score=None,
        vector_score=None,
        snippet=Snippet(text),
        modified=NOW,
    )


def record_of(
    found: Hit, queries: Iterable[str], days: Iterable[int] = (0,), **fields: Any
) -> dict[str, Any]:
    """What the store holds after these queries found it, each so many days ago."""
    record: dict[str, Any] = {}
    for ago in sorted(days, reverse=True):
        for query in queries:
            count_hit(record, found, query, NOW - dt.timedelta(days=ago))
    return record | fields


def entry_of(record: dict[str, Any]) -> Any:
    """The entry that a record stands for; it must be one."""
    entry = read_entry(str(record["key"]), record)
    assert entry
    return entry


def signals(light: int, rem: int, last: dt.datetime | None) -> dict[str, Any]:
    """The record of phases that selected an entry so often, at last at this time."""
    at = format_time(last) if last else None
    return {"lightHits": light, "remHits": rem, "lastLightAt": at, "lastRemAt": at}
