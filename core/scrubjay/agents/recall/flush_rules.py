"""Rules of the memory flush before an agent's context is compacted: when, and with which words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NO_REPLY = "NO_REPLY"
"""An answer that begins with it is not shown to the user."""

COMPACTIONS = "compactionCount"
FLUSHED = "memoryFlushCompactionCount"
FLUSHED_AT = "memoryFlushAt"

_ONLY_TODAY = (
    "Store durable memories in {path} only, and always under exactly that name. "
    "If it is missing, make it, with its folder."
)
_APPEND = "If that file exists, APPEND to its end and leave every line that is there as it is."
_READ_ONLY = (
    "MEMORY.md, DREAMS.md, AGENTS.md, SOUL.md, TOOLS.md and all other files are read-only now."
)
_SYSTEM = (
    "This is a memory flush turn: the conversation is about to be compacted, and what is not "
    "written down may be lost."
)
_USER = (
    "Before this conversation is compacted, write down what should outlive it: decisions, "
    "preferences, facts about people and projects, open ends. One short line each."
)


@dataclass(frozen=True, slots=True)
class FlushTexts:
    """The prompts for the agent."""

    system: str
    user: str
    path: str
    """The one file that may be appended to, such as `memory/2026-11-21.md`."""

    @property
    def both(self) -> str:
        """Both prompts, for agents that take one text."""
        return f"{self.system}\n\n{self.user}"


def flush_texts(path: str, *, system: str = "", user: str = "") -> FlushTexts:
    """The two prompts of a flush into a daily file; texts of the user get the same rules."""
    rules = (_ONLY_TODAY.replace("{path}", path), _APPEND, _READ_ONLY)
    silent = f"If there is nothing to store, answer with {NO_REPLY} alone."
    usual = f"Usually {NO_REPLY} is the right answer afterwards."
    return FlushTexts(
        system=" ".join((system.strip() or _SYSTEM, *rules, usual)),
        user=" ".join((user.strip() or _USER, *rules, silent)),
        path=path,
    )


def is_flushed(entry: Mapping[str, Any]) -> bool:
    """True when this compaction cycle had its flush."""
    return _count(entry, FLUSHED, -1) >= _count(entry, COMPACTIONS, 0)


def note_flush(entry: dict[str, Any], now: dt.datetime) -> None:
    """Record the flush of this cycle."""
    entry[FLUSHED] = _count(entry, COMPACTIONS, 0)
    entry[FLUSHED_AT] = int(now.timestamp() * 1000)


def note_late_flush(entry: dict[str, Any]) -> None:
    """Record the flush of the cycle that has just ended."""
    entry[FLUSHED] = _count(entry, COMPACTIONS, 0) - 1


def note_compaction(entry: dict[str, Any]) -> None:
    """Begin a new cycle."""
    entry[COMPACTIONS] = _count(entry, COMPACTIONS, 0) + 1


def missed_flush(entry: Mapping[str, Any]) -> bool:
    """True when the cycle that has just ended was compacted without a flush."""
    return _count(entry, FLUSHED, -1) < _count(entry, COMPACTIONS, 0) - 1


def _count(entry: Mapping[str, Any], key: str, otherwise: int) -> int:
    value = entry.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
