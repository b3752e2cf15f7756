"""The end of a conversation's transcript: what the person said, and how full the context is."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.platform.paths import expanded_path

TAIL_BYTES = 512 * 1024
"""Enough for what was said since a hook last looked."""

_SUFFIX = ".jsonl"
_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
"""What the last answer of Claude Code's model says of the context, by part."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The end of a conversation."""

    said: tuple[str, ...] = ()
    """Messages of the person, oldest first, each as it was typed."""
    tokens: int | None = None
    """In the context after the last answer; None when the transcript does not say."""


def read_talk(path: str) -> Talk:
    """Read the end of a transcript of Claude Code or OpenClaw. What cannot be read is empty."""
    if not path.lower().endswith(_SUFFIX) or "\0" in path:
        return Talk()
    try:
        data = _tail(expanded_path(Path(path)))
    except (OSError, ValueError):
        return Talk()
    said: list[str] = []
    tokens: int | None = None
    for record in _records(data):
        if _is_compaction(record):
            tokens = None  # what was counted before is not in the context any more
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        if text := _typed(record, message):
            said.append(text)
        tokens = _tokens(message.get("usage")) or tokens
    return Talk(tuple(said), tokens)


def _tail(path: Path) -> bytes:
    # A pipe or device would block for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    with open(handle, "rb") as file:  # noqa: PTH123  (a descriptor, not a path)
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return b""
        skipped = max(0, found.st_size - TAIL_BYTES)
        file.seek(skipped)
        data = file.read(TAIL_BYTES)
    # The first line of a tail is half a line.
    return data.partition(b"\n")[2] if skipped else data


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    """Messages and compactions of the conversation itself."""
    for line in data.split(b"\n"):
        try:
            # Tools write long lines: only what may be of interest is looked at.
            record = json.loads(line) if b'"message"' in line or b'"compact' in line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and not record.get("isSidechain"):
            yield record


def _is_compaction(record: dict[str, Any]) -> bool:
    """True where Claude Code or OpenClaw say that the context was compacted."""
    is_mark = record.get("type") == "compaction" or record.get("subtype") == "compact_boundary"
    return is_mark or bool(record.get("isCompactSummary"))


def _typed(record: dict[str, Any], message: dict[str, Any]) -> str:
    """What a person typed; empty for everything that a program put into that role."""
    is_machine = record.get("isMeta") or record.get("isCompactSummary") or "provenance" in message
    if is_machine or message.get("role") != "user" or record.get("type") not in ("user", "message"):
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    if any(one.get("type") == "tool_result" for one in blocks):
        return ""
    texts = [one.get("text") for one in blocks if one.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _tokens(usage: object) -> int | None:
    if not isinstance(usage, dict):
        return None
    parts = [usage.get(name) for name in (*_USED, "totalTokens")]
    total = sum(one for one in parts if isinstance(one, int) and not isinstance(one, bool))
    return total if total > 0 else None
