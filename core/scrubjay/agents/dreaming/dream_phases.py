"""One run over all entries: the light, REM and deep phases, the score, and the candidates."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.agents.dreaming import dream_weights as weights
from scrubjay.agents.dreaming.line_ranges import current_range
from scrubjay.agents.dreaming.memory_file import memory_refusal_reason, promoted_keys
from scrubjay.agents.dreaming.recall_entry import PHASES, RecallEntry, parse_time, read_count
from scrubjay.agents.dreaming.recall_store import count_selection
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.embedding.similarity import TextSimilarity, word_overlap
from scrubjay.messages import msg
from scrubjay.records.note_records import Workspace


class DreamTheme(Struct, frozen=True):
    """A concept that many entries of the last days share."""

    tag: str
    strength: float
    """Share of the entries that have it, doubled, at most 1."""
    keys: tuple[str, ...]


def light_phase(entries: Iterable[RecallEntry], now: dt.datetime) -> tuple[RecallEntry, ...]:
    """Entries of the last two days, the latest first; of near-duplicates the best."""
    selected: list[RecallEntry] = []
    recent = _recent(entries, now, weights.LIGHT_DAYS)
    # The best come first, so that a near-duplicate is always the weaker one.
    for entry in sorted(recent, key=lambda entry: (-entry.total_score, entry.key))[
        : weights.LIGHT_LIMIT
    ]:
        if all(
            word_overlap(entry.snippet, other.snippet) <= weights.LIGHT_SAME_ABOVE
            for other in selected
        ):
            selected.append(entry)
    selected.sort(key=lambda entry: (-(entry.last_recalled or now).timestamp(), entry.key))
    return tuple(selected)


def rem_phase(entries: Iterable[RecallEntry], now: dt.datetime) -> tuple[DreamTheme, ...]:
    """Themes of the last week, strongest first."""
    recent = _recent(entries, now, weights.REM_DAYS)
    # Strong is a concept that many of the entries of the week share.
    counts = Counter(tag for entry in recent for tag in set(entry.tags))
    themes = [
        DreamTheme(
            tag,
            min(1.0, weights.THEME_SHARE * count / len(recent)),
            tuple(entry.key for entry in recent if tag in entry.tags),
        )
        for tag, count in counts.items()
        if count >= weights.THEME_ENTRIES
    ]
    strong = [theme for theme in themes if theme.strength >= weights.REM_STRENGTH]
    return tuple(
        sorted(strong, key=lambda theme: (-len(theme.keys), theme.tag))[: weights.REM_LIMIT]
    )


def deep_phase(
    entries: Iterable[RecallEntry], signals: Mapping[str, Any], now: dt.datetime
) -> list[tuple[RecallEntry, dict[str, float]]]:
    """Entries worth proposing, not those promoted, with the parts of their scores, best first."""
    scored = [
        (entry, score_parts(entry, signals.get(entry.key), now))
        for entry in _recent(entries, now, weights.DEEP_AGE_DAYS)
        # Found often, and for different questions: one that is repeated tells little.
        if not entry.is_promoted
        and entry.recalls >= weights.DEEP_RECALLS
        and len(entry.queries) >= weights.DEEP_QUERIES
    ]
    worthy = [(entry, parts) for entry, parts in scored if total_score(parts) >= weights.DEEP_SCORE]
    return sorted(worthy, key=lambda item: (-total_score(item[1]), item[0].key))


def _recent(entries: Iterable[RecallEntry], now: dt.datetime, days: int) -> Sequence[RecallEntry]:
    return [
        entry
        for entry in entries
        if entry.last_recalled is not None and age_days(entry.last_recalled, now) <= days
    ]


class DreamRun(Struct, frozen=True):
    """The result of one run. The run itself does not write to notes."""

    looked_at: int
    """Number of all entries."""
    light: tuple[str, ...]
    """Keys that the light phase selected."""
    themes: tuple[DreamTheme, ...]
    proposed: tuple[DreamCandidate, ...]
    passed_over: Mapping[str, str]
    """Reason why an entry that scored high enough is not proposed, by its key."""

    @property
    def rem(self) -> tuple[str, ...]:
        """Keys that the REM phase selected."""
        return tuple(dict.fromkeys(key for theme in self.themes for key in theme.keys))


# The parameters are all that a night works on.
def run_phases(  # noqa: PLR0913
    workspace: Workspace,
    entries: Mapping[str, RecallEntry],
    *,
    signals: dict[str, Any],
    now: dt.datetime,
    memory: str,
    decided: Collection[str],
    similarity: TextSimilarity,
) -> DreamRun:
    """The result for all entries; memory is the text of MEMORY.md.

    Signals are records of earlier phases, in which those of this run are counted. Decided are
    keys that are not proposed again.
    """
    run = DreamRun(
        len(entries),
        light=tuple(entry.key for entry in light_phase(entries.values(), now)),
        themes=rem_phase(entries.values(), now),
        proposed=(),
        passed_over={},
    )
    # The deep phase counts what the two others have just selected.
    count_selection(signals, "light", keys=run.light, now=now)
    count_selection(signals, "rem", keys=run.rem, now=now)
    proposed: list[DreamCandidate] = []
    passed_over: dict[str, str] = {}
    excluded = promoted_keys(memory) | set(decided)
    # Propose the best entries whose lines are still there and would add something to MEMORY.md.
    for entry, parts in deep_phase(entries.values(), signals, now):
        if len(proposed) == weights.DEEP_LIMIT:
            break
        if entry.key in excluded:
            continue
        lines = current_range(workspace.root, entry)
        if lines is None:
            passed_over[entry.key] = msg("{path} was changed or no longer exists.", path=entry.path)
            continue
        beside = "\n".join([memory, *(candidate.text for candidate in proposed)])
        reason = memory_refusal_reason(lines.text, beside, similarity)
        if reason:
            passed_over[entry.key] = reason
            continue
        moved = replace(entry, first_line=lines.first_line, last_line=lines.last_line)
        proposed.append(_candidate(workspace, moved, text=lines.text, parts=parts, now=now))
    return replace(run, proposed=tuple(proposed), passed_over=passed_over)


def _candidate(
    workspace: Workspace,
    entry: RecallEntry,
    *,
    text: str,
    parts: Mapping[str, float],
    now: dt.datetime,
) -> DreamCandidate:
    # The score and its parts stay as they were, so that a person sees why it was proposed.
    return DreamCandidate(
        workspace.id,
        entry,
        text=text,
        score=total_score(parts),
        parts=parts,
        queries=len(entry.queries),
        proposed_at=now,
    )


def total_score(parts: Mapping[str, float]) -> float:
    """The score: the sum of its parts, at most 1."""
    return min(1.0, sum(parts.values()))


def score_parts(entry: RecallEntry, signals: object, now: dt.datetime) -> dict[str, float]:
    """Parts of the score now, each from 0 to its weight; signals is the record of the phases."""
    record = signals if isinstance(signals, dict) else {}
    # A selection by a phase counts less, the longer ago it was.
    variety = max(len(entry.queries), len(entry.days))
    phases: dict[str, float] = {}
    for phase, (hits, last) in PHASES.items():
        saturation = math.log1p(read_count(record.get(hits))) / math.log1p(weights.FULL_PHASE_HITS)
        fresh = recency_score(parse_time(record.get(last)), now)
        phases[phase] = weights.PHASE_MAX[phase] * min(1.0, saturation) * fresh
    return {
        "frequency": weights.FREQUENCY * frequency_score(entry.signals),
        "relevance": weights.RELEVANCE * entry.relevance,
        "diversity": weights.DIVERSITY * min(1.0, variety / weights.FULL_VARIETY),
        "recency": weights.RECENCY * recency_score(entry.last_recalled, now),
        "consolidation": weights.CONSOLIDATION * consolidation_score(entry.days),
        "concepts": weights.CONCEPTS * min(1.0, len(entry.tags) / weights.FULL_CONCEPTS),
        **phases,
    }


def frequency_score(signals: int) -> float:
    """log(1 + n) / log(10), at most 1: nine are enough."""
    return min(1.0, math.log1p(max(0, signals)) / math.log(weights.FULL_FREQUENCY))


def recency_score(last: dt.datetime | None, now: dt.datetime) -> float:
    """Halves every fourteen days; 1 in the future, 0 for never."""
    if last is None:
        return 0.0
    return float(0.5 ** (age_days(last, now) / weights.HALF_LIFE_DAYS))


def age_days(then: dt.datetime, now: dt.datetime) -> float:
    """Days since then; 0 for the future."""
    return max(0.0, (now - then).total_seconds() / 86_400)


def consolidation_score(days: Sequence[dt.date]) -> float:
    """0.2 for hits on one day, otherwise 0 to 1 by the number of days and their span."""
    if not days:
        return 0.0
    if len(days) == 1:
        return weights.ONE_DAY
    # Several days count a little more than the time between the first and the last.
    number = min(1.0, math.log1p(len(days) - 1) / math.log1p(weights.FULL_DAYS))
    span = min(1.0, (max(days) - min(days)).days / weights.FULL_SPAN)
    return weights.DAYS_SHARE * number + weights.SPAN_SHARE * span
