"""A line range and how often agents found it. Fields of other programs are kept."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from scrubjay.agents.dreaming.dream_weights import MAX_DAYS, MAX_QUERIES, MAX_TAGS
from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Hit
from scrubjay.text.age import as_local
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_words

# What counts as a concept of a line.
_MIN_LETTERS = 4
"""Letters of a concept at least."""
_MAX_LETTERS = 40
"""Letters of a concept at most."""
_WORD = re.compile(r"[^\W_](?:[\w.'-]{0,60}[^\W_])?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_NUMBERS = re.compile(r"[\d.:,/-]+$")
_HASH_DIGITS = 12
_DAILY = re.compile(r"memory/(?:[^/]+/){0,8}(\d{4}-\d\d-\d\d)(?:-[^/]{1,80})?\.md$")
_REPORTS = re.compile(r"memory/(?:\.dreams|dreaming)/")
"""Dream reports of other programs, which are named like daily files."""
_LINES_MAX = 2**31
"""Highest number of a line, or of anything that is counted, in records of other programs."""

PHASES = {"light": ("lightHits", "lastLightAt"), "rem": ("remHits", "lastRemAt")}
"""Fields of the count and the last time of each phase, in the records of phases."""


class RecallEntry(Struct, frozen=True):
    """A line range in a daily file with its counts."""

    key: str
    path: str
    first_line: int
    last_line: int
    snippet: str
    """Text of the lines, on one line."""
    recalls: int
    """Hits in searches of agents."""
    signals: int
    """Recalls and the counts of other programs."""
    total_score: float
    queries: tuple[str, ...]
    """Digests of different queries."""
    days: tuple[dt.date, ...]
    """Different days of hits, in order."""
    tags: tuple[str, ...]
    last_recalled: dt.datetime | None
    is_promoted: bool

    @property
    def day(self) -> dt.date | None:
        """The day of the daily file."""
        return daily_date(self.path)

    @property
    def relevance(self) -> float:
        """Mean score of the hits, 0 to 1."""
        if not self.signals:
            return 0.0
        return min(1.0, self.total_score / self.signals)


def read_entry(key: str, record: object) -> RecallEntry | None:
    """The entry in a record of any program; None if it is invalid or not about a daily file."""
    if not isinstance(record, Mapping) or record.get("source", "memory") != "memory":
        return None
    path = record.get("path")
    first = read_count(record.get("startLine"))
    last = read_count(record.get("endLine"))
    if not isinstance(path, str) or not daily_date(path) or not 1 <= first <= last < _LINES_MAX:
        return None
    # Nothing else is refused: a field that is missing or wrong counts as empty.
    recalls = read_count(record.get("recallCount"))
    others = sum(read_count(record.get(name)) for name in ("dailyCount", "groundedCount"))
    snippet = record.get("snippet")
    if not isinstance(snippet, str):
        snippet = ""
    return RecallEntry(
        key=key,
        path=_slashes(path),
        first_line=first,
        last_line=last,
        snippet=" ".join(snippet.split()),
        recalls=recalls,
        signals=recalls + others,
        total_score=_score(record.get("totalScore"), limit=math.inf),
        queries=_texts(record.get("queryHashes"), MAX_QUERIES),
        days=_days(record.get("recallDays")),
        tags=_texts(record.get("conceptTags"), MAX_TAGS),
        last_recalled=parse_time(record.get("lastRecalledAt")),
        is_promoted=bool(record.get("promotedAt")),
    )


def count_hit(record: dict[str, Any], hit: Hit, query: str, now: dt.datetime) -> None:
    """Add a hit to a record. The same query counts once a day."""
    digest = query_hash(query)
    day = now.date().isoformat()
    queries = list(_texts(record.get("queryHashes"), MAX_QUERIES))
    days = [earlier.isoformat() for earlier in _days(record.get("recallDays"))]
    is_repeated = digest in queries and day in days
    score = min(1.0, max(0.0, hit.score)) if math.isfinite(hit.score) else 0.0
    total = _score(record.get("totalScore"), limit=math.inf)
    if not is_repeated:
        total += score
    # Asking the same again on one day says no more than asking once.
    snippet = " ".join(hit.snippet.text.split())
    # The names are those of OpenClaw; its other fields stay in the record.
    record.update(
        key=entry_key(hit),
        path=hit.path,
        startLine=hit.first_line,
        endLine=hit.last_line,
        source="memory",
        snippet=snippet,
        recallCount=read_count(record.get("recallCount")) + (not is_repeated),
        dailyCount=read_count(record.get("dailyCount")),
        groundedCount=read_count(record.get("groundedCount")),
        totalScore=total,
        maxScore=max(_score(record.get("maxScore"), limit=1.0), score),
        lastRecalledAt=format_time(now),
        queryHashes=[*(query for query in queries if query != digest), digest][-MAX_QUERIES:],
        recallDays=sorted({*days, day})[-MAX_DAYS:],
        conceptTags=list(concept_tags(snippet)),
    )
    record.setdefault("firstRecalledAt", format_time(now))


def concept_tags(snippet: str) -> tuple[str, ...]:
    """At most eight words of a snippet, lower case: those with signs or digits first."""
    stripped = [match[0].strip(".'-") for match in _WORD.finditer(snippet.lower())]
    # Words of a useful length that are not numbers; Japanese, Chinese and Korean ones are short.
    words = [
        word
        for word in stripped
        if (len(word) >= _MIN_LETTERS or _CJK.fullmatch(word))
        and len(word) <= _MAX_LETTERS
        and not _NUMBERS.match(word)
    ]
    # Compound names such as `release-2.4` say more than plain words.
    empty = stop_words(fold(word) for word in words)
    concepts = [word for word in words if fold(word) not in empty]
    compound = [word for word in concepts if re.search(r"[\W_\d]", word)]
    return tuple(dict.fromkeys([*compound, *concepts]))[:MAX_TAGS]


def entry_key(hit: Hit) -> str:
    """As in `memory:memory/2026-11-20.md:3:5`."""
    return f"memory:{hit.path}:{hit.first_line}:{hit.last_line}"


def is_recordable(hit: Hit) -> bool:
    """True for lines of a dated daily file of an agent's memory."""
    return hit.source is Source.MEMORY and daily_date(hit.path) is not None


def daily_date(path: str) -> dt.date | None:
    """The day of a daily file such as `memory/2026-11-20.md`; None for every other path."""
    path = _slashes(path)
    match = _DAILY.match(path)
    if match is None or _REPORTS.match(path) or ".." in path.split("/"):
        return None
    try:
        return dt.date.fromisoformat(match[1])
    except ValueError:
        return None


def query_hash(query: str) -> str:
    """The first twelve hexadecimal digits of the SHA-1 of the lower-cased query."""
    plain = query.strip().lower().encode("utf-8", "replace")
    return hashlib.sha1(plain, usedforsecurity=False).hexdigest()[:_HASH_DIGITS]


def parse_time(written: object) -> dt.datetime | None:
    """A point in time as these files have it, in the zone of this computer; None for anything else.

    Times of exports also come as numbers and keep their zone (`imported_note.parse_timestamp`).
    """
    if not isinstance(written, str):
        return None
    try:
        return as_local(dt.datetime.fromisoformat(written.strip()))
    except ValueError:
        return None


def format_time(now: dt.datetime) -> str:
    """A point in time as these files have it: UTC with milliseconds and a Z."""
    utc = now.astimezone(dt.UTC).isoformat(timespec="milliseconds")
    return utc.replace("+00:00", "Z")


def _slashes(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def read_count(value: object) -> int:
    """A count in a record; 0 for anything else."""
    return int(_score(value, _LINES_MAX))


def _score(value: object, limit: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return 0.0
    return min(max(0.0, float(value)), limit)


def _texts(value: object, limit: int) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    texts = (item.strip() for item in value if isinstance(item, str))
    return tuple(dict.fromkeys(text for text in texts if text))[-limit:]


def _days(value: object) -> tuple[dt.date, ...]:
    # A record may list a day more than once, or something that is not a day.
    days: set[dt.date] = set()
    for text in _texts(value, 4 * MAX_DAYS):
        try:
            days.add(dt.date.fromisoformat(text[:10]))
        except ValueError:
            continue
    return tuple(sorted(days)[-MAX_DAYS:])
