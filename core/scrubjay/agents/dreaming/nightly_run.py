"""One run over all entries: the light, REM and deep phases, and the candidates they give."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import current_range
from scrubjay.agents.dreaming.memory_file import objection, promoted_keys
from scrubjay.agents.dreaming.promotion_score import Reinforcement, Score, age_days, score
from scrubjay.agents.dreaming.recall_entry import RecallEntry
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.embedding.similarity import Likeness, shared_words
from scrubjay.messages import msg

LIGHT_DAYS = 2
LIGHT_LIMIT = 100
LIGHT_SAME_ABOVE = 0.9

REM_DAYS = 7
REM_LIMIT = 10
REM_STRENGTH = 0.75

DEEP_LIMIT = 10
DEEP_SCORE = 0.8
DEEP_RECALLS = 3
DEEP_QUERIES = 3
DEEP_AGE_DAYS = 30

_THEME_SHARE = 2
"""A concept in half of the entries is a theme of full strength."""
_THEME_ENTRIES = 2
"""Fewer entries have no theme."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A concept that many entries of the last days share."""

    tag: str
    strength: float
    """0 to 1."""
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry that deserves to be in MEMORY.md."""

    entry: RecallEntry
    score: Score


def light(entries: Iterable[RecallEntry], now: dt.datetime) -> tuple[RecallEntry, ...]:
    """Entries of the last two days, the latest first; of near-duplicates the best."""
    selected: list[RecallEntry] = []
    recent = _recent(entries, now, LIGHT_DAYS)
    for entry in sorted(recent, key=lambda entry: (-entry.total_score, entry.key))[:LIGHT_LIMIT]:
        if all(
            shared_words(entry.snippet, other.snippet) <= LIGHT_SAME_ABOVE for other in selected
        ):
            selected.append(entry)
    return tuple(sorted(selected, key=_latest_first))


def rem(entries: Iterable[RecallEntry], now: dt.datetime) -> tuple[Theme, ...]:
    """Themes of the last week, strongest first."""
    recent = _recent(entries, now, REM_DAYS)
    counts = Counter(tag for entry in recent for tag in set(entry.tags))
    themes = [
        Theme(
            tag,
            min(1.0, _THEME_SHARE * count / len(recent)),
            tuple(entry.key for entry in recent if tag in entry.tags),
        )
        for tag, count in counts.items()
        if count >= _THEME_ENTRIES
    ]
    strong = [theme for theme in themes if theme.strength >= REM_STRENGTH]
    return tuple(sorted(strong, key=lambda theme: (-len(theme.keys), theme.tag))[:REM_LIMIT])


def deep(
    entries: Iterable[RecallEntry], reinforced: Mapping[str, Reinforcement], now: dt.datetime
) -> tuple[Proposal, ...]:
    """Entries worth proposing, best first. Promoted entries are not proposed again."""
    proposals = [
        Proposal(entry, score(entry, reinforced.get(entry.key, Reinforcement()), now))
        for entry in entries
        if _is_eligible(entry, now)
    ]
    worthy = [proposal for proposal in proposals if proposal.score.total >= DEEP_SCORE]
    return tuple(sorted(worthy, key=lambda proposal: (-proposal.score.total, proposal.entry.key)))


def _is_eligible(entry: RecallEntry, now: dt.datetime) -> bool:
    return (
        not entry.is_promoted
        and entry.recalls >= DEEP_RECALLS
        and len(entry.queries) >= DEEP_QUERIES
        and bool(_recent([entry], now, DEEP_AGE_DAYS))
    )


def _recent(entries: Iterable[RecallEntry], now: dt.datetime, days: int) -> Sequence[RecallEntry]:
    return [
        entry
        for entry in entries
        if entry.last_recalled is not None and age_days(entry.last_recalled, now) <= days
    ]


def _latest_first(entry: RecallEntry) -> tuple[float, str]:
    return (-entry.last_recalled.timestamp() if entry.last_recalled else 0.0, entry.key)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An entry that scored high enough and is still not proposed or written."""

    key: str
    reason: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True)
class NightlyRun:
    """The result of one run. The run itself writes nothing."""

    looked_at: int
    """Number of all entries."""
    light: tuple[str, ...]
    """Keys that the light phase selected."""
    themes: tuple[Theme, ...]
    proposed: tuple[DreamCandidate, ...]
    passed_over: tuple[PassedOver, ...]

    @property
    def rem(self) -> tuple[str, ...]:
        """Keys that the REM phase selected."""
        return tuple(dict.fromkeys(key for theme in self.themes for key in theme.keys))


def run_phases(
    workspace: str,
    root: Path,
    entries: Mapping[str, RecallEntry],
    reinforced: Mapping[str, Reinforcement],
    now: dt.datetime,
    *,
    memory: str,
    decided: Collection[str],
    likeness: Likeness,
) -> NightlyRun:
    """The result for all entries; memory is the text of MEMORY.md.

    Decided are keys that are not proposed again.
    """
    lit, themes = light(entries.values(), now), rem(entries.values(), now)
    run = NightlyRun(len(entries), tuple(entry.key for entry in lit), themes, (), ())
    reinforced = _reinforced(reinforced, run.light, "light", now)
    reinforced = _reinforced(reinforced, run.rem, "rem", now)
    proposed: list[DreamCandidate] = []
    passed_over: list[PassedOver] = []
    excluded = promoted_keys(memory) | set(decided)
    for proposal in deep(entries.values(), reinforced, now):
        entry = proposal.entry
        if len(proposed) == DEEP_LIMIT:
            break
        if entry.key in excluded:
            continue
        lines = current_range(root, entry)
        if lines is None:
            reason: str = msg("{path} was changed since, or is gone.", path=entry.path)
        else:
            beside = "\n".join([memory, *(candidate.text for candidate in proposed)])
            reason = objection(lines.text, beside, likeness)
        if lines is None or reason:
            passed_over.append(PassedOver(entry.key, reason))
            continue
        moved = replace(entry, first_line=lines.first_line, last_line=lines.last_line)
        proposed.append(
            DreamCandidate(
                workspace,
                moved,
                lines.text,
                proposal.score.total,
                proposal.score.parts,
                len(entry.queries),
                now,
            )
        )
    return replace(run, proposed=tuple(proposed), passed_over=tuple(passed_over))


def _reinforced(
    reinforced: Mapping[str, Reinforcement], keys: Collection[str], phase: str, now: dt.datetime
) -> dict[str, Reinforcement]:
    """The counts after a phase has selected these keys; each counts once a day."""
    after = dict(reinforced)
    for key in keys:
        before = after.get(key, Reinforcement())
        last = before.last_light if phase == "light" else before.last_rem
        if last is not None and last.date() >= now.date():
            continue
        if phase == "light":
            after[key] = replace(before, light_hits=before.light_hits + 1, last_light=now)
        else:
            after[key] = replace(before, rem_hits=before.rem_hits + 1, last_rem=now)
    return after
