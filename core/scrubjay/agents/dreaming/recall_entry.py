"""What is known of a place that agents found again and again. Foreign fields stay in its record."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scrubjay.records.search_records import Hit, Source
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_words

MAX_TAGS = 8

_MIN_LETTERS = 4
_MAX_LETTERS = 40
_WORD = re.compile(r"[^\W_](?:[\w.'-]{0,60}[^\W_])?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_NUMBERS = re.compile(r"[\d.:,/-]+$")


def concept_tags(snippet: str) -> tuple[str, ...]:
    """At most eight, lower case: names with signs in them first, then words, as they come."""
    words = list(_words(snippet))
    empty = stop_words(fold(word) for word in words)
    kept = [word for word in words if fold(word) not in empty]
    compound = [word for word in kept if re.search(r"[\W_\d]", word)]
    return tuple(dict.fromkeys([*compound, *kept]))[:MAX_TAGS]


def _words(snippet: str) -> Iterator[str]:
    for match in _WORD.finditer(snippet.lower()):
        word = match[0].strip(".'-")
        is_long_enough = len(word) >= _MIN_LETTERS or bool(_CJK.fullmatch(word))
        if is_long_enough and len(word) <= _MAX_LETTERS and not _NUMBERS.match(word):
            yield word


MAX_QUERIES = 32
MAX_DAYS = 16

_HASH_DIGITS = 12
_DAILY = re.compile(r"memory/(?:[^/]+/){0,8}(\d{4}-\d\d-\d\d)(?:-[^/]{1,80})?\.md$")
_REPORTS = re.compile(r"memory/(?:\.dreams|dreaming)/")
"""Dream reports of other programs are named like daily files."""
_LINES_MAX = 2**31


@dataclass(frozen=True, slots=True)
class RecallEntry:
    """One place in a daily file, and how often it was found."""

    key: str
    path: str
    first_line: int
    last_line: int
    snippet: str
    """White space made single spaces."""
    recalls: int
    """How often a search of an agent found it."""
    signals: int
    """Recalls and what other programs count beside them."""
    total_score: float
    queries: tuple[str, ...]
    """Digests of different queries."""
    days: tuple[dt.date, ...]
    """Different days on which it was found, in order."""
    tags: tuple[str, ...]
    last_recalled: dt.datetime | None
    is_promoted: bool

    @property
    def relevance(self) -> float:
        """Mean score of the searches that found it, 0 to 1."""
        return min(1.0, self.total_score / self.signals) if self.signals else 0.0


def read_entry(key: str, record: object) -> RecallEntry | None:
    """An entry as any program wrote it; None for what is none, or is about no daily file."""
    if not isinstance(record, Mapping) or record.get("source", "memory") != "memory":
        return None
    path = record.get("path")
    first, last = _number(record.get("startLine")), _number(record.get("endLine"))
    if not isinstance(path, str) or not is_daily(path) or not 1 <= first <= last < _LINES_MAX:
        return None
    recalls = _number(record.get("recallCount"))
    others = sum(_number(record.get(name)) for name in ("dailyCount", "groundedCount"))
    snippet = record.get("snippet")
    return RecallEntry(
        key=key,
        path=_slashes(path),
        first_line=first,
        last_line=last,
        snippet=one_line(snippet) if isinstance(snippet, str) else "",
        recalls=recalls,
        signals=recalls + others,
        total_score=_score(record.get("totalScore"), limit=math.inf),
        queries=_texts(record.get("queryHashes"), MAX_QUERIES),
        days=_days(record.get("recallDays")),
        tags=_texts(record.get("conceptTags"), MAX_TAGS),
        last_recalled=moment(record.get("lastRecalledAt")),
        is_promoted=bool(record.get("promotedAt")),
    )


def recorded(record: dict[str, Any], hit: Hit, query: str, now: dt.datetime) -> None:
    """Note in a record that a query found a hit. A known query counts on a new day only."""
    digest, day = query_hash(query), now.date().isoformat()
    queries = list(_texts(record.get("queryHashes"), MAX_QUERIES))
    days = [one.isoformat() for one in _days(record.get("recallDays"))]
    is_repeated = digest in queries and day in days
    score = min(1.0, max(0.0, hit.score)) if math.isfinite(hit.score) else 0.0
    snippet = one_line(hit.snippet.text)
    record.update(
        key=key_of(hit),
        path=hit.path,
        startLine=hit.first_line,
        endLine=hit.last_line,
        source="memory",
        snippet=snippet,
        recallCount=_number(record.get("recallCount")) + (not is_repeated),
        dailyCount=_number(record.get("dailyCount")),
        groundedCount=_number(record.get("groundedCount")),
        totalScore=_score(record.get("totalScore"), math.inf) + (0 if is_repeated else score),
        maxScore=max(_score(record.get("maxScore"), 1.0), score),
        lastRecalledAt=stamp(now),
        queryHashes=[*(one for one in queries if one != digest), digest][-MAX_QUERIES:],
        recallDays=sorted({*days, day})[-MAX_DAYS:],
        conceptTags=list(concept_tags(snippet)),
    )
    record.setdefault("firstRecalledAt", stamp(now))


def key_of(hit: Hit) -> str:
    """As in `memory:memory/2026-11-20.md:3:5`."""
    return f"memory:{hit.path}:{hit.first_line}:{hit.last_line}"


def is_recordable(hit: Hit) -> bool:
    """True for a place in a dated daily file of an agent's memory."""
    return hit.source is Source.MEMORY and is_daily(hit.path)


def is_daily(path: str) -> bool:
    """True for `memory/2026-11-20.md` and the like, false for reports and impossible dates."""
    return daily_date(path) is not None


def daily_date(path: str) -> dt.date | None:
    """The day that a daily file is about; None for every other path."""
    plain = _slashes(path)
    match = _DAILY.match(plain)
    if match is None or _REPORTS.match(plain) or ".." in plain.split("/"):
        return None
    try:
        return dt.date.fromisoformat(match[1])
    except ValueError:
        return None


def query_hash(query: str) -> str:
    """The first twelve hexadecimal digits of the SHA-1 of the lower-cased query."""
    plain = query.strip().lower().encode("utf-8", "replace")
    return hashlib.sha1(plain, usedforsecurity=False).hexdigest()[:_HASH_DIGITS]


def one_line(text: str) -> str:
    """With single spaces only."""
    return " ".join(text.split())


def moment(written: object) -> dt.datetime | None:
    """A point in time as it is written in these files; None for anything else."""
    if not isinstance(written, str):
        return None
    try:
        return dt.datetime.fromisoformat(written.strip()).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def stamp(now: dt.datetime) -> str:
    """A point in time as these files have it: UTC with milliseconds and a Z."""
    utc = now.astimezone(dt.UTC).isoformat(timespec="milliseconds")
    return utc.replace("+00:00", "Z")


def _slashes(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def _number(value: object) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(float(value)):  # type: ignore[arg-type]
        return 0
    return max(0, min(int(value), _LINES_MAX))  # type: ignore[call-overload, no-any-return]


def _score(value: object, limit: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return 0.0
    return min(max(0.0, float(value)), limit)


def _texts(value: object, limit: int) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    texts = (one.strip() for one in listed if isinstance(one, str))
    return tuple(dict.fromkeys(text for text in texts if text))[-limit:]


def _days(value: object) -> tuple[dt.date, ...]:
    days: set[dt.date] = set()
    for text in _texts(value, 4 * MAX_DAYS):
        try:
            days.add(dt.date.fromisoformat(text[:10]))
        except ValueError:
            continue
    return tuple(sorted(days)[-MAX_DAYS:])
