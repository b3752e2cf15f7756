"""What an agent tells a hook command on standard input. Whatever arrives, nothing breaks."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_BYTES = 4 * 1024 * 1024
"""More than any prompt; beyond it nobody speaks to us in good faith."""

MAX_SESSION = 300
"""Characters of a session's name; it is kept in a file."""


class HookInputRefused(ValueError):
    """What arrived is no input of a hook; the message says why in one plain sentence."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """The fields that are used, in the spelling of Claude Code; empty where nothing was said."""

    event: str = ""
    """UserPromptSubmit, Stop, PreCompact, SessionStart, or empty when nobody said."""
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
    """Read what a hook was given. Raises HookInputRefused; fields of a wrong type are left out."""
    if len(data) > MAX_BYTES:
        raise HookInputRefused(f"The input is larger than {MAX_BYTES // 2**20} MB.")
    if not data.strip():
        raise HookInputRefused("There is nothing on standard input; it should be JSON.")
    try:
        given = json.loads(data)
    except RecursionError:
        raise HookInputRefused("The input is nested too deeply.") from None
    except ValueError as error:  # also bytes that are no text, and endless numbers
        raise HookInputRefused(f"The input is not JSON ({type(error).__name__}).") from None
    if not isinstance(given, dict):
        raise HookInputRefused("The input is JSON, but not an object.")
    return HookInput(
        event=_text(given, "hook_event_name", "hookEventName"),
        prompt=_text(given, "prompt", "message", "user_prompt"),
        cwd=_text(given, "cwd"),
        transcript=_text(given, "transcript_path", "transcriptPath"),
        session=_text(given, "session_id", "sessionId", "sessionKey")[:MAX_SESSION],
        source=_text(given, "source"),
        is_continued=given.get("stop_hook_active") is True,
        tokens=_count(given, "totalTokens", "total_tokens", "tokens"),
        context_window=_count(given, "contextWindow", "context_window", "contextTokens"),
    )


def _text(given: Mapping[str, Any], *names: str) -> str:
    for name in names:
        if isinstance(value := given.get(name), str):
            # Half a surrogate pair is no text that a file or a model would take.
            return value.encode("utf-8", "replace").decode()
    return ""


def _count(given: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = given.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return max(0, int(value))
    return None
