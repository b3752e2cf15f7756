"""What a hook answers when an agent's context fills up. Each compaction cycle is flushed once."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.agents.recall.flush_rules import (
    FlushLimits,
    FlushTexts,
    flush_texts,
    is_due,
    is_flushed,
    missed_flush,
    note_compaction,
    note_flush,
    note_late_flush,
)
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.transcript_tail import read_talk
from scrubjay.agents.write_rules import is_writable
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.notes.daily_note import daily_label
from scrubjay.platform.state_file import StateFile

_KEEP = (
    "Keep in the summary every decision, preference, fact about people or projects, and open end "
    "that was not written into {path} yet, so that it can be written there afterwards."
)


@dataclass(frozen=True, slots=True)
class FlushAnswer:
    """What the hook prints; both empty when there is nothing to do."""

    reply: dict[str, Any] | None = None
    """JSON for the agent."""
    text: str = ""
    """Plain text: instructions for whoever makes the summary."""
    reason: str = ""
    """Why nothing is to do, in one plain sentence."""


class Flushing:
    """Decides when an agent is asked to write down what matters."""

    def __init__(self, sessions: Sessions, settings: Callable[[], FlushSettings]) -> None:
        self._sessions = sessions
        self._settings = settings

    def answer(self, given: HookInput, root: Path) -> FlushAnswer:
        """The answer to one call of the hook, for a workspace. May raise OSError.

        PreCompact counts a cycle. After a compaction that nobody asked before, the agent is
        asked at the start of what follows.
        """
        settings = self._settings()
        if not settings.enabled:
            return FlushAnswer(reason="The memory flush is switched off (flush.enabled).")
        if not is_writable(root):
            return FlushAnswer(reason=f"The workspace {root} is read-only.")
        texts = texts_for(root, settings, cwd=given.cwd)
        now = dt.datetime.now().astimezone()
        with self._sessions.changed(given.session or "main") as entry:
            if given.event == "PreCompact":
                was_flushed = is_flushed(entry)
                note_compaction(entry)
                return FlushAnswer(text="" if was_flushed else _KEEP.format(path=texts.path))
            if given.event == "SessionStart":
                if given.source != "compact" or not missed_flush(entry):
                    return FlushAnswer(reason="Nothing was compacted unasked.")
                note_late_flush(entry)
                return FlushAnswer(reply=_context("SessionStart", texts))
            tokens = (
                given.tokens if given.tokens is not None else read_talk(given.transcript).tokens
            )
            limits = FlushLimits(
                given.context_window or settings.context_window,
                settings.reserve_tokens_floor,
                settings.soft_threshold_tokens,
            )
            if tokens is None or given.is_continued or not is_due(entry, tokens, limits):
                return FlushAnswer(reason="A flush is not due.")
            note_flush(entry, now)
        return FlushAnswer(reply=_asked(given.event, texts))


def texts_for(root: Path, settings: FlushSettings, *, cwd: str = "") -> FlushTexts:
    """The prompts for a flush into today's file; its whole path where the agent is elsewhere."""
    label = daily_label(root, dt.datetime.now().astimezone().date())
    is_there = cwd and Path(cwd) != root
    path = str(root / label) if is_there else label
    return flush_texts(path, system=settings.system_prompt, user=settings.prompt)


def _asked(event: str, texts: FlushTexts) -> dict[str, Any]:
    if event == "Stop":
        # The only way to give Claude Code's agent one more turn.
        return {"decision": "block", "reason": texts.both, "suppressOutput": True}
    return _context(event or "UserPromptSubmit", texts)


def _context(event: str, texts: FlushTexts) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": texts.both}}


KEPT = 500
"""Sessions of our own file; those that were touched longest ago are dropped beyond this."""


class Sessions:
    """The entries of `sessions.json`, by session."""

    def __init__(self, path: Path, *, is_ours: bool) -> None:
        """A file of another program is never shortened."""
        self._file = StateFile(path)
        self._is_ours = is_ours

    @contextlib.contextmanager
    def changed(self, session: str) -> Iterator[dict[str, Any]]:
        """The entry of a session, for changing it. May raise OSError.

        It is looked for by key, then by its `sessionId`, and made where there is none.
        """
        with self._file.changed() as held:
            yield _entry(held, session)
            if self._is_ours:
                if session in held:
                    held[session] = held.pop(session)
                for oldest in list(held)[: max(0, len(held) - KEPT)]:
                    del held[oldest]


def _entry(held: dict[str, Any], session: str) -> dict[str, Any]:
    found = held.get(session)
    if isinstance(found, dict):
        return found
    for entry in held.values():
        if isinstance(entry, dict) and entry.get("sessionId") == session:
            return entry
    made: dict[str, Any] = {"sessionId": session}
    held[session] = made
    return made
