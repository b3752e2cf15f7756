"""The input of hooks: JSON of an agent on standard input, and the end of its transcript."""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.platform.paths import expanded_path
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.text.printable import encodable

MAX_BYTES = 4 * 1024 * 1024
"""More than any prompt."""

MAX_SESSION = 300
"""Characters of a session's name; it is kept in a file."""


TAIL_BYTES = 512 * 1024
"""Enough for the messages since the last call of a hook."""

_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
"""The parts of the context in an answer of Claude Code's model."""


class HookInputRefused(ValueError):
    """The input is invalid; the message is one plain sentence."""


class HookInput(Struct, frozen=True):
    """The fields that are used, in the spelling of Claude Code; empty where they are missing."""

    event: str = ""
    """UserPromptSubmit, Stop, PreCompact, SessionStart, SessionEnd, or empty."""
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
    conversation: Conversation = NO_KEY
    workspace_access: str = ""
    """Of a sandboxed agent: rw, ro or none."""

    @property
    def is_read_only(self) -> bool:
        """Whether the agent may not write into its workspace."""
        return self.workspace_access in ("ro", "none")


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
        session=_text(fields, "session_id", "sessionId", "sessionKey", "session_key")[:MAX_SESSION],
        source=_text(fields, "source"),
        is_continued=fields.get("stop_hook_active") is True,
        tokens=_count(fields, "totalTokens", "total_tokens", "tokens"),
        context_window=_count(fields, "contextWindow", "context_window", "contextTokens"),
        conversation=Conversation(_text(fields, "sessionKey", "session_key")),
        workspace_access=_text(fields, "workspaceAccess", "workspace_access").strip().lower(),
    )


def _text(fields: Mapping[str, Any], *names: str) -> str:
    for name in names:
        if isinstance(value := fields.get(name), str):
            return encodable(value)
    return ""


def _count(fields: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return max(0, int(value))
    return None


class TranscriptTail(Struct, frozen=True):
    """The end of a transcript."""

    messages: tuple[str, ...] = ()
    """Messages of the user, oldest first, each as it was typed."""
    tokens: int | None = None
    """In the context after the last answer; None if the transcript does not say."""


def read_tail(path: str) -> TranscriptTail:
    """The end of a transcript of Claude Code or OpenClaw; empty if it cannot be read."""
    try:
        data = tail_of(path)
    except (OSError, ValueError):
        return TranscriptTail()
    messages: list[str] = []
    tokens: int | None = None
    for line in data.split(b"\n"):
        try:
            # The long lines of tools are not parsed.
            record = json.loads(line) if b'"message"' in line or b'"compact' in line else None
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict) or record.get("isSidechain"):
            continue
        is_mark = record.get("type") == "compaction" or record.get("subtype") == "compact_boundary"
        if is_mark or record.get("isCompactSummary"):
            tokens = None  # earlier counts are not in the context any more
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        if text := _typed(record, message):
            messages.append(text)
        tokens = _tokens(message.get("usage")) or tokens
    return TranscriptTail(tuple(messages), tokens)


def tail_of(path: str) -> bytes:
    """Whole lines at the end of a transcript. Raises OSError, or ValueError for no such file."""
    if not path.lower().endswith(".jsonl") or "\0" in path:
        raise ValueError("The conversation is in no .jsonl file.")
    # A pipe or device would block for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(expanded_path(Path(path)), flags)
    with open(handle, "rb") as file:  # noqa: PTH123  (a descriptor, not a path)
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return b""
        skipped = max(0, status.st_size - TAIL_BYTES)
        file.seek(skipped)
        data = file.read(TAIL_BYTES)
    # The first line of a tail is half a line.
    return data.partition(b"\n")[2] if skipped else data


def _typed(record: dict[str, Any], message: dict[str, Any]) -> str:
    """Text that the user typed; empty for text that a program put into that role."""
    is_machine = record.get("isMeta") or record.get("isCompactSummary") or "provenance" in message
    if is_machine or message.get("role") != "user" or record.get("type") not in ("user", "message"):
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    blocks = [block for block in content if isinstance(block, dict)]
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _tokens(usage: object) -> int | None:
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in (*_USAGE, "totalTokens")]
    total = sum(n for n in counts if isinstance(n, int) and not isinstance(n, bool))
    return total if total > 0 else None
