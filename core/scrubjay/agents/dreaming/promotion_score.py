"""The score of an entry for promotion to MEMORY.md: 0 to 1, a sum of weighted parts."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence

from scrubjay.agents.dreaming.recall_entry import PHASES, RecallEntry, parse_time, read_number

FREQUENCY = 0.24
RELEVANCE = 0.30
DIVERSITY = 0.15
RECENCY = 0.15
CONSOLIDATION = 0.10
CONCEPTS = 0.06
"""The weights; they add up to 1."""

PHASE_MAX = {"light": 0.06, "rem": 0.09}
"""The most that the two earlier phases can add."""

HALF_LIFE_DAYS = 14.0

_FULL_VARIETY = 5
"""Different queries or days for the whole weight, and so on below."""
_FULL_CONCEPTS = 6
_FULL_PHASE_HITS = 6
_FULL_DAYS = 4
"""Days after the first one."""
_FULL_SPAN = 7
"""Days between the first and the last."""


def total(parts: Mapping[str, float]) -> float:
    """The score: the sum of its parts, at most 1."""
    return min(1.0, sum(parts.values()))


def score_parts(entry: RecallEntry, signals: object, now: dt.datetime) -> dict[str, float]:
    """The parts of the score of an entry now, each from 0 to its weight.

    Signals is the record of the phases that selected the entry, if there is one.
    """
    record = signals if isinstance(signals, dict) else {}
    variety = max(len(entry.queries), len(entry.days))
    phases: dict[str, float] = {}
    for phase, (hits, last) in PHASES.items():
        saturation = math.log1p(read_number(record.get(hits))) / math.log1p(_FULL_PHASE_HITS)
        fresh = recency(parse_time(record.get(last)), now)
        phases[phase] = PHASE_MAX[phase] * min(1.0, saturation) * fresh
    return {
        "frequency": FREQUENCY * frequency(entry.signals),
        "relevance": RELEVANCE * entry.relevance,
        "diversity": DIVERSITY * min(1.0, variety / _FULL_VARIETY),
        "recency": RECENCY * recency(entry.last_recalled, now),
        "consolidation": CONSOLIDATION * consolidation(entry.days),
        "concepts": CONCEPTS * min(1.0, len(entry.tags) / _FULL_CONCEPTS),
        **phases,
    }


def frequency(signals: int) -> float:
    """log(1 + n) / log(10), at most 1: nine are enough."""
    return min(1.0, math.log1p(max(0, signals)) / math.log(10))


def recency(last: dt.datetime | None, now: dt.datetime) -> float:
    """Halves every fourteen days; 1 in the future, 0 for never."""
    if last is None:
        return 0.0
    return float(0.5 ** (age_days(last, now) / HALF_LIFE_DAYS))


def age_days(then: dt.datetime, now: dt.datetime) -> float:
    """Days since then; 0 for the future."""
    return max(0.0, (now - then).total_seconds() / 86_400)


def consolidation(days: Sequence[dt.date]) -> float:
    """0.2 for hits on one day, else 0 to 1 by the number of days and their span."""
    if not days:
        return 0.0
    if len(days) == 1:
        return 0.2
    number = min(1.0, math.log1p(len(days) - 1) / math.log1p(_FULL_DAYS))
    span = min(1.0, (max(days) - min(days)).days / _FULL_SPAN)
    return 0.55 * number + 0.45 * span
