"""The memory flush: an agent is asked for notes once before its context is compacted."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.transcript_tail import read_tail
from scrubjay.agents.write_rules import is_writable
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.notes.daily_note import daily_label
from scrubjay.platform.state_file import StateFile

NO_REPLY = "NO_REPLY"
"""An answer that begins with it is not shown to the user."""

MAX_SESSIONS = 500
"""Sessions in our own file; the oldest are dropped beyond this."""

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


_KEEP = (
    "Keep in the summary every decision, preference, fact about people or projects, and open end "
    "that was not written into {path} yet, so that it can be written there afterwards."
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


@dataclass(frozen=True, slots=True)
class FlushAnswer:
    """The output of the hook; both reply and text are empty if nothing is to do."""

    reply: dict[str, Any] | None = None
    """JSON for the agent."""
    text: str = ""
    """Instructions for the model that writes the summary."""
    reason: str = ""
    """Why nothing is to do, in one plain sentence."""


class FlushState:
    """The entries of `sessions.json`, by session, in the form of OpenClaw."""

    def __init__(self, path: Path, *, is_ours: bool) -> None:
        """A file of another program is never shortened."""
        self._file = StateFile(path)
        self._is_ours = is_ours

    @contextlib.contextmanager
    def changed(self, session: str) -> Iterator[dict[str, Any]]:
        """The entry of a session, to change it. May raise OSError.

        It is searched by key, then by its `sessionId`, and created if missing.
        """
        with self._file.changed() as data:
            yield _entry(data, session)
            if self._is_ours:
                if session in data:
                    data[session] = data.pop(session)
                for oldest in list(data)[: max(0, len(data) - MAX_SESSIONS)]:
                    del data[oldest]


class MemoryFlush:
    """Decides when an agent is asked to write down what should outlive its context."""

    def __init__(self, state: FlushState, settings: Callable[[], FlushSettings]) -> None:
        self._state = state
        self._settings = settings

    def answer(self, hook: HookInput, root: Path) -> FlushAnswer:
        """The answer to one call of the hook, for a workspace. May raise OSError.

        PreCompact counts a cycle. After a compaction without a flush, the agent is asked at the
        start of the next cycle.
        """
        settings = self._settings()
        if not settings.enabled:
            return FlushAnswer(reason="The memory flush is switched off (flush.enabled).")
        if not is_writable(root):
            return FlushAnswer(reason=f"The workspace {root} is read-only.")
        texts = _texts_for(root, settings, hook.cwd)
        with self._state.changed(hook.session or "main") as entry:
            if hook.event == "PreCompact":
                was_flushed = is_flushed(entry)
                note_compaction(entry)
                return FlushAnswer(text="" if was_flushed else _KEEP.format(path=texts.path))
            if hook.event == "SessionStart":
                if hook.source != "compact" or not missed_flush(entry):
                    return FlushAnswer(reason="Nothing was compacted unasked.")
                note_late_flush(entry)
                return FlushAnswer(reply=_context("SessionStart", texts))
            tokens = hook.tokens
            if tokens is None:
                tokens = read_tail(hook.transcript).tokens
            window = hook.context_window or settings.context_window
            reserve = settings.reserve_tokens_floor + settings.soft_threshold_tokens
            is_full = tokens is not None and tokens >= max(1, window - reserve)
            if not is_full or hook.is_continued or is_flushed(entry):
                return FlushAnswer(reason="A flush is not due.")
            note_flush(entry, dt.datetime.now().astimezone())
        if hook.event == "Stop":
            # The only way to give Claude Code's agent one more turn.
            return FlushAnswer(
                reply={"decision": "block", "reason": texts.both, "suppressOutput": True}
            )
        return FlushAnswer(reply=_context(hook.event or "UserPromptSubmit", texts))


def _texts_for(root: Path, settings: FlushSettings, cwd: str) -> FlushTexts:
    """The prompts for a flush into today's file; its whole path if the agent works elsewhere."""
    label = daily_label(root, dt.datetime.now().astimezone().date())
    path = str(root / label) if cwd and Path(cwd) != root else label
    return flush_texts(path, system=settings.system_prompt, user=settings.prompt)


def _context(event: str, texts: FlushTexts) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": texts.both}}


def _entry(data: dict[str, Any], session: str) -> dict[str, Any]:
    entry = data.get(session)
    if isinstance(entry, dict):
        return entry
    for entry in data.values():
        if isinstance(entry, dict) and entry.get("sessionId") == session:
            return entry
    created: dict[str, Any] = {"sessionId": session}
    data[session] = created
    return created
