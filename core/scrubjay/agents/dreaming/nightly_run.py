"""One run over all entries: the light, REM and deep phases, and the candidates they give."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import current_range
from scrubjay.agents.dreaming.memory_file import objection, promoted_keys
from scrubjay.agents.dreaming.phases import DEEP_LIMIT, Theme, deep, light, rem
from scrubjay.agents.dreaming.promotion_score import Reinforcement
from scrubjay.agents.dreaming.recall_entry import RecallEntry
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.embedding.similarity import Likeness
from scrubjay.messages import msg


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
