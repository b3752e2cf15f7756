"""The input of hooks: JSON of an agent on standard input, and the end of its transcript."""

from __future__ import annotations

import json
import math
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.notes.transcripts import may_be_message, with_message
from scrubjay.platform.paths import expanded_path
from scrubjay.records.conversation import NO_KEY, Conversation
from scrubjay.text.json_values import json_objects
from scrubjay.text.printable import encodable_text

MAX_BYTES = 4 * 1024 * 1024
"""Bytes of the input, more than any prompt has."""

MAX_SESSION = 300
"""Characters of a session's name; it is kept in a file."""

TAIL_BYTES = 512 * 1024
"""Bytes of a transcript, enough for the messages since the last call of a hook."""

_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
"""The parts of the context in an answer of Claude Code's model."""
_SESSION_FIELDS = ("session_id", "sessionId", "conversation_id", "sessionKey", "session_key")
"""Spellings of the field with the name of a session."""
_WINDOW_FIELDS = ("contextWindow", "context_window", "contextTokens", "context_window_size")
"""Spellings of the field with the tokens that a context has room for."""
_COUNTS = re.compile(rb'"compact|"token_count"')
"""What a line about the size of the context has."""
_EVENTS = {
    "BeforeAgent": "UserPromptSubmit",
    "PreCompress": "PreCompact",
    "sessionStart": "SessionStart",
    "preCompact": "PreCompact",
    "stop": "Stop",
    "sessionEnd": "SessionEnd",
}
"""Events of Gemini CLI and Cursor, as Claude Code and Codex call them."""


class HookInputRefused(ValueError):
    """The input is invalid; the message is one plain sentence."""


class HookInput(Struct, frozen=True):
    """The fields in use, with the names of Claude Code. Missing fields are empty."""

    event: str = ""
    """UserPromptSubmit, Stop, PreCompact, SessionStart, SessionEnd, or empty."""
    event_name: str = ""
    """Name of the event that the agent sent, which its answer repeats."""
    prompt: str = ""
    cwd: str = ""
    transcript: str = ""
    """Path of the conversation's JSONL file."""
    session: str = ""
    source: str = ""
    """Reason for SessionStart: startup, resume, clear or compact."""
    # What else decides whether a flush is due, and where it may write.
    is_continued: bool = False
    """Whether the agent that stops went on only because a hook asked it to."""
    tokens: int | None = None
    context_window: int | None = None
    conversation: Conversation = NO_KEY
    workspace_access: str = ""
    """Rights of a sandboxed agent: rw, ro or none."""

    @property
    def is_read_only(self) -> bool:
        """Whether the agent may not write into its workspace."""
        return self.workspace_access in ("ro", "none")


def parse_hook_input(data: bytes) -> HookInput:
    """The fields of a hook's input; those of a wrong type are empty. Raises HookInputRefused."""
    if len(data) > MAX_BYTES:
        raise HookInputRefused(f"The input is larger than {MAX_BYTES // 2**20} MB.")
    if not data.strip():
        raise HookInputRefused("The standard input is empty. It must contain a JSON object.")
    try:
        fields = json.loads(data)
    except RecursionError:
        raise HookInputRefused("The input is nested too deeply.") from None
    except ValueError as error:  # also bytes that are not text, and endless numbers
        raise HookInputRefused(f"The input is not JSON ({type(error).__name__}).") from None
    if not isinstance(fields, dict):
        raise HookInputRefused("The input is valid JSON, but not a JSON object.")
    # Agents spell the same fields in their own ways; the first spelling that is there counts.
    event_name = _text(fields, ("hook_event_name", "hookEventName"))
    return HookInput(
        event=_EVENTS.get(event_name, event_name),
        event_name=event_name,
        prompt=_text(fields, ("prompt", "message", "user_prompt")),
        cwd=_text(fields, ("cwd",)) or _first_root(fields),
        transcript=_text(fields, ("transcript_path", "transcriptPath")),
        session=_text(fields, _SESSION_FIELDS)[:MAX_SESSION],
        source=_text(fields, ("source",)),
        is_continued=fields.get("stop_hook_active") is True,
        tokens=_count(fields, ("totalTokens", "total_tokens", "tokens", "context_tokens")),
        context_window=_count(fields, _WINDOW_FIELDS),
        conversation=Conversation(_text(fields, ("sessionKey", "session_key"))),
        workspace_access=_text(fields, ("workspaceAccess", "workspace_access")).strip().lower(),
    )


def _first_root(fields: Mapping[str, Any]) -> str:
    """The first folder that Cursor has open; empty for none."""
    match fields.get("workspace_roots"):
        case [str(root), *_]:
            return encodable_text(root)
    return ""


def _text(fields: Mapping[str, Any], names: Sequence[str]) -> str:
    """The text in the first of these fields that has one."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str):
            return encodable_text(value)
    return ""


def _count(fields: Mapping[str, Any], names: Sequence[str]) -> int | None:
    """The number in the first of these fields that has one; None for none."""
    for name in names:
        value = fields.get(name)
        # JSON's true is a number in Python, and its numbers may be endless.
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return max(0, int(value))
    return None


class TranscriptTail(Struct, frozen=True):
    """The end of a transcript."""

    messages: tuple[str, ...] = ()
    """Messages of the user, oldest first, each as it was typed."""
    tokens: int | None = None
    """Tokens in the context after the last answer; None if the transcript does not say."""


def read_transcript_tail(path: str) -> TranscriptTail:
    """The end of a transcript of a known agent; empty if it cannot be read."""
    try:
        data = read_last_lines(path)
    except (OSError, ValueError):
        return TranscriptTail()
    messages: list[str] = []
    tokens: int | None = None
    for line in data.split(b"\n"):
        # The long lines of tools are not parsed.
        if not may_be_message(line) and not _COUNTS.search(line):
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict) or record.get("isSidechain"):
            continue
        tokens = _counted(record) or tokens
        record = with_message(record)
        # Counts from before a compaction say nothing about the context that is left.
        is_mark = record.get("type") in ("compaction", "compacted")
        is_mark = is_mark or record.get("subtype") == "compact_boundary"
        if is_mark or record.get("isCompactSummary"):
            tokens = None
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        text = _typed(record, message)
        if text:
            messages.append(text)
        tokens = _tokens(message.get("usage")) or tokens
    return TranscriptTail(tuple(messages), tokens)


def read_last_lines(path: str) -> bytes:
    """Whole lines at the end of a transcript. Raises OSError, or ValueError for no such file."""
    if not path.lower().endswith(".jsonl") or "\0" in path:
        raise ValueError("The conversation is not in a .jsonl file.")
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
    if skipped:
        data = data.partition(b"\n")[2]
    return data


def _typed(record: dict[str, Any], message: dict[str, Any]) -> str:
    """Text that the user typed; empty for text that a program put into that role."""
    is_machine = record.get("isMeta") or record.get("isCompactSummary") or "provenance" in message
    if is_machine or message.get("role") != "user" or record.get("type") not in ("user", "message"):
        return ""
    # Some programs write a text, others a list of blocks.
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    blocks = json_objects(content)
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _counted(record: dict[str, Any]) -> int | None:
    """Tokens of the context that a record of Codex or Gemini CLI counts; None if it counts none."""
    # Codex counts in an event of its own, Gemini CLI beside each answer.
    match record:
        case {"payload": {"info": {"last_token_usage": {"total_tokens": int(total)}}}}:
            return total
        case {"type": "gemini", "tokens": {"total": int(total)}}:
            return total
    return None


def _tokens(usage: object) -> int | None:
    """Tokens of the context that an answer counts; None if it counts none."""
    if not isinstance(usage, dict):
        return None
    # Claude Code counts in parts, OpenClaw as a whole.
    counts = [usage.get(name) for name in (*_USAGE, "totalTokens")]
    total = sum(n for n in counts if isinstance(n, int) and not isinstance(n, bool))
    return total if total > 0 else None
