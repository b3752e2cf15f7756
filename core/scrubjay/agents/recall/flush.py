"""The answer of the flush hook: notes are asked for once before each compaction of a context."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.agents.recall.flush_rules import (
    FlushTexts,
    flush_texts,
    is_flushed,
    missed_flush,
    note_compaction,
    note_flush,
    note_late_flush,
)
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.agents.recall.transcript_tail import read_tail
from scrubjay.agents.write_rules import is_writable
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.notes.daily_note import daily_label
from scrubjay.platform.state_file import StateFile

MAX_SESSIONS = 500
"""Sessions in our own file; the oldest are dropped beyond this."""

_KEEP = (
    "Keep in the summary every decision, preference, fact about people or projects, and open end "
    "that was not written into {path} yet, so that it can be written there afterwards."
)


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
