"""One pass over what agents found: light, REM, deep, and what of it is proposed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import located
from scrubjay.agents.dreaming.memory_file import promoted_keys, why_not
from scrubjay.agents.dreaming.phases import DEEP_LIMIT, Proposal, Theme, deep, light, rem
from scrubjay.agents.dreaming.promotion_score import Reinforcement
from scrubjay.agents.dreaming.recall_entry import RecallEntry, daily_date
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.embedding.similarity import Likeness
from scrubjay.messages import msg


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A place that scored high enough and is not proposed all the same."""

    key: str
    reason: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True)
class Night:
    """What one pass found. Nothing is written by it."""

    looked_at: int
    """Places that are known."""
    light: tuple[str, ...]
    """Keys that the light phase met."""
    themes: tuple[Theme, ...]
    proposed: tuple[DreamCandidate, ...]
    passed_over: tuple[PassedOver, ...]

    @property
    def rem(self) -> tuple[str, ...]:
        """Keys that the REM phase met."""
        return tuple(dict.fromkeys(key for theme in self.themes for key in theme.keys))


def dream(
    workspace: str,
    root: Path,
    entries: Mapping[str, RecallEntry],
    met: Mapping[str, Reinforcement],
    now: dt.datetime,
    *,
    held: str,
    decided: Collection[str],
    likeness: Likeness,
) -> Night:
    """Look through all places; held is MEMORY.md, decided are keys that are not proposed again."""
    lit, themes = light(entries.values(), now), rem(entries.values(), now)
    after = _reinforced(met, [entry.key for entry in lit], "light", now)
    night = Night(len(entries), tuple(entry.key for entry in lit), themes, (), ())
    after = _reinforced(after, night.rem, "rem", now)
    taken: list[DreamCandidate] = []
    over: list[PassedOver] = []
    known = promoted_keys(held) | set(decided)
    for proposal in deep(entries.values(), after, now):
        if len(taken) == DEEP_LIMIT:
            break
        if proposal.entry.key in known:
            continue
        candidate = _candidate(workspace, root, proposal, now)
        reason: str
        if candidate is None:
            reason = msg("{path} was changed since, or is gone.", path=proposal.entry.path)
        else:
            beside = "\n".join([held, *(one.text for one in taken)])
            reason = why_not(candidate.text, beside, likeness)
        if candidate and not reason:
            taken.append(candidate)
        else:
            over.append(PassedOver(proposal.entry.key, reason))
    return replace(night, proposed=tuple(taken), passed_over=tuple(over))


def _candidate(
    workspace: str, root: Path, proposal: Proposal, now: dt.datetime
) -> DreamCandidate | None:
    entry = proposal.entry
    place = located(root, entry)
    if place is None:
        return None
    return DreamCandidate(
        workspace=workspace,
        key=entry.key,
        text=place.text,
        path=entry.path,
        first_line=place.first_line,
        last_line=place.last_line,
        day=daily_date(entry.path),
        score=proposal.score.total,
        parts=proposal.score.parts,
        recalls=entry.recalls,
        queries=len(entry.queries),
        relevance=entry.relevance,
        snippet=entry.snippet,
        proposed_at=now,
    )


def _reinforced(
    met: Mapping[str, Reinforcement], keys: Collection[str], phase: str, now: dt.datetime
) -> dict[str, Reinforcement]:
    """As it will be once this phase is written down. Each place counts once a day."""
    after = dict(met)
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
