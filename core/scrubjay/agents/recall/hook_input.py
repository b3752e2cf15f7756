"""The JSON that an agent passes to a hook command on standard input."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_BYTES = 4 * 1024 * 1024
"""More than any prompt."""

MAX_SESSION = 300
"""Characters of a session's name; it is kept in a file."""


class HookInputRefused(ValueError):
    """The input is invalid; the message is one plain sentence."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """The fields that are used, in the spelling of Claude Code; empty where they are missing."""

    event: str = ""
    """UserPromptSubmit, Stop, PreCompact, SessionStart, or empty."""
    prompt: str = ""
    cwd: str = ""
    transcript: str = ""
    """Path of the conversation's JSONL file."""
    session: str = ""
    source: str = ""
    """Of SessionStart: startup, resume, clear or compact."""
    is_continued: bool = False
    """Of Stop: the agent goes on only because a hook asked it to."""
    tokens: int | None = None
    context_window: int | None = None


def hook_input(data: bytes) -> HookInput:
    """The fields of a hook's input; those of a wrong type are left out. Raises HookInputRefused."""
    if len(data) > MAX_BYTES:
        raise HookInputRefused(f"The input is larger than {MAX_BYTES // 2**20} MB.")
    if not data.strip():
        raise HookInputRefused("There is nothing on standard input; it should be JSON.")
    try:
        fields = json.loads(data)
    except RecursionError:
        raise HookInputRefused("The input is nested too deeply.") from None
    except ValueError as error:  # also bytes that are no text, and endless numbers
        raise HookInputRefused(f"The input is not JSON ({type(error).__name__}).") from None
    if not isinstance(fields, dict):
        raise HookInputRefused("The input is JSON, but not an object.")
    return HookInput(
        event=_text(fields, "hook_event_name", "hookEventName"),
        prompt=_text(fields, "prompt", "message", "user_prompt"),
        cwd=_text(fields, "cwd"),
        transcript=_text(fields, "transcript_path", "transcriptPath"),
        session=_text(fields, "session_id", "sessionId", "sessionKey")[:MAX_SESSION],
        source=_text(fields, "source"),
        is_continued=fields.get("stop_hook_active") is True,
        tokens=_count(fields, "totalTokens", "total_tokens", "tokens"),
        context_window=_count(fields, "contextWindow", "context_window", "contextTokens"),
    )


def _text(fields: Mapping[str, Any], *names: str) -> str:
    for name in names:
        if isinstance(value := fields.get(name), str):
            # Files and models refuse half a surrogate pair.
            return value.encode("utf-8", "replace").decode()
    return ""


def _count(fields: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return max(0, int(value))
    return None
