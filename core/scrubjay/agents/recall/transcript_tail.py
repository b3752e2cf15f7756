"""The end of a conversation's transcript: messages of the user, and the size of the context."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.platform.paths import expanded_path

TAIL_BYTES = 512 * 1024
"""Enough for the messages since the last call of a hook."""

_SUFFIX = ".jsonl"
_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
"""The parts of the context in an answer of Claude Code's model."""


@dataclass(frozen=True, slots=True)
class TranscriptTail:
    """The end of a transcript."""

    messages: tuple[str, ...] = ()
    """Messages of the user, oldest first, each as it was typed."""
    tokens: int | None = None
    """In the context after the last answer; None if the transcript does not say."""


def read_tail(path: str) -> TranscriptTail:
    """The end of a transcript of Claude Code or OpenClaw; empty if it cannot be read."""
    if not path.lower().endswith(_SUFFIX) or "\0" in path:
        return TranscriptTail()
    try:
        data = _tail(expanded_path(Path(path)))
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


def _tail(path: Path) -> bytes:
    # A pipe or device would block for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
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
