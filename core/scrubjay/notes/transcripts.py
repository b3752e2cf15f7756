"""Text of the transcripts of agents' conversations (JSONL).

Line k of the text is the message in line k of the file, or blank: chunks, hits and editors all
count the same lines.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.notes.note_files import open_note
from scrubjay.text.age import as_local
from scrubjay.text.printable import encodable_text

SUFFIX = ".jsonl"
"""Ending of the names of transcripts."""

_DERIVED = re.compile(r"\.(?:checkpoint\.[^.]+|trajectory)\.jsonl$")
"""Files that OpenClaw writes beside a transcript; they repeat its messages."""

_SPEAKERS = {"user": "User", "assistant": "Assistant"}
"""Names of those who speak, by their role."""

_POSSIBLE = re.compile(rb'"message"|"type":"(?:user|gemini)"')
"""What each line with a message has; the second form is that of Gemini CLI."""

_QUERY_BEGIN = "<user_query>"
"""What Cursor puts before the words of a person."""
_QUERY_END = "</user_query>"
"""What it puts after them."""

_ENVELOPE = re.compile(r"[^\n]{0,200}\(untrusted[^)\n]{0,100}\):\s*```json\n.*?\n```\s*", re.DOTALL)
"""Metadata that a channel puts before a message: its author, place and thread."""

_CRON = re.compile(r"\[cron:[^\]]+\]")
"""Beginning of a message that a timer of OpenClaw sends."""
_MACHINE_PROMPT = re.compile(
    r"\[cron:[^\]]+\]|System(?: \(untrusted\))?: ?\[|Pre-compaction memory flush"
    r"|<(?:local-)?command-|Read HEARTBEAT\.md|.{0,2000}\breply HEARTBEAT_OK\b"
)
"""Beginning of a message that a program sends in the name of the user."""
_MACHINE_REPLY = re.compile(r"\W*(?:NO_REPLY|HEARTBEAT_OK)\W*$")
"""Answer to such a message that says nothing."""


class Transcript(Struct, frozen=True):
    """The messages of a conversation."""

    text: str
    """Text with one line for each message, at the line of the file where it stands."""
    messages: int
    title: str
    """Title with the day on which it began; empty if the file does not say."""


def is_transcript_name(name: str) -> bool:
    """Whether a name is that of a transcript, and not of a file that is derived from one."""
    return name[-len(SUFFIX) :].lower() == SUFFIX and not _DERIVED.search(name)


def read_transcript(data: bytes) -> Transcript:
    """Read a whole transcript. A line that is damaged, endless or not JSON is blank.

    Messages between machines are excluded, and so is a conversation that a timer began. Secrets are
    blanked out.
    """
    lines: list[str] = []
    title = ""
    messages = 0
    for record in _records(data):
        role, text = _message(record)
        if not messages and role == "user" and _CRON.match(text):
            return Transcript("", messages=0, title="")
        # The answer to a timer stays: a message that imitates its question must not hide an answer.
        is_prompt = role == "user" and _MACHINE_PROMPT.match(text)
        is_kept = bool(text) and not is_prompt and not _MACHINE_REPLY.match(text)
        messages += is_kept
        if not is_kept:
            # A blank line keeps the numbers of the others.
            lines.append("")
            continue
        title = title or _title(record)
        lines.append(f"{_SPEAKERS[role]}: {text}")
    return Transcript("\n".join(lines), messages=messages, title=title)


def may_be_message(line: bytes) -> bool:
    """Whether a line of a transcript may hold a message."""
    return _POSSIBLE.search(line) is not None


def with_message(record: dict[str, Any]) -> dict[str, Any]:
    """A record of Codex, Cursor or Gemini CLI in the form of Claude Code; others as they are.

    Codex: https://github.com/openai/codex/tree/main/codex-rs/protocol, its events. Cursor: one
    object with `role` and `message` a line. Gemini CLI: its chat recording, a record a line.
    """
    # Codex writes what a person saw as events, beside the items for its model.
    match record:
        case {"type": "event_msg", "payload": {"type": kind, "message": str(content)}}:
            role = {"user_message": "user", "agent_message": "assistant"}.get(str(kind), "")
        case {"type": "user" | "gemini" as kind, "content": content} if "message" not in record:
            role = {"user": "user", "gemini": "assistant"}[kind]
            if isinstance(content, list):
                content = [{"type": "text", **part} for part in content if isinstance(part, dict)]
        case {"role": str(role), "message": {"content": content}} if "type" not in record:
            content = _without_query_marks(content)
        case _:
            return record
    message = {"role": role, "content": content}
    return {"type": role, "timestamp": record.get("timestamp"), "message": message}


def has_grown(file: Path, label: str, size_before: int, size: int, limits: tuple[int, int]) -> bool:
    """Whether it grew by (bytes, messages), 0 for any, or has a new text. May raise OSError."""
    added = size - size_before
    new_bytes, new_messages = limits
    if added <= 0 or added >= new_bytes or new_messages == 0:
        return True
    # Only what was added is read, since transcripts may be large.
    with open(open_note(file, label), "rb") as opened:  # noqa: PTH123  (a descriptor, not a path)
        opened.seek(size_before)
        return read_transcript(opened.read(added)).messages >= new_messages


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    """A record for each line; an empty one for a line that holds none."""
    for line in data.split(b"\n"):
        try:
            # Tools write long lines: only possible messages are parsed.
            record = json.loads(line) if may_be_message(line) else {}
        except (ValueError, RecursionError):
            record = {}
        if not isinstance(record, dict):
            record = {}
        yield with_message(record)


def _without_query_marks(content: object) -> object:
    """The content of a message of Cursor, without the marks around what a person wrote."""
    if not isinstance(content, list):
        return content
    # The marks stand around the whole message, which may be several blocks.
    texts = [block.get("text") for block in content if isinstance(block, dict)]
    text = "\n".join(text for text in texts if isinstance(text, str))
    text = text.strip()
    if text.startswith(_QUERY_BEGIN) and text.endswith(_QUERY_END):
        return text.removeprefix(_QUERY_BEGIN).removesuffix(_QUERY_END).strip()
    return content


def _message(record: dict[str, Any]) -> tuple[str, str]:
    """(role, text on one line) of a record; two empty texts for a record without a message."""
    message = record.get("message")
    # OpenClaw's type, and those of Claude Code, which marks what its programs said.
    is_spoken = record.get("type") in ("message", *_SPEAKERS)
    is_machine = any(record.get(mark) for mark in ("isMeta", "isSidechain", "isCompactSummary"))
    if not is_spoken or is_machine or not isinstance(message, dict):
        return "", ""
    role = message.get("role")
    provenance = message.get("provenance")
    is_between_agents = isinstance(provenance, dict) and provenance.get("kind") == "inter_session"
    if not isinstance(role, str) or role not in _SPEAKERS or is_between_agents:
        return "", ""
    # The text is a string, or a list of blocks of which some are text.
    content = message.get("content")
    if isinstance(content, list):
        texts = (
            block.get("text")
            for block in content
            if isinstance(block, dict) and block.get("type") == "text"
        )
        content = "\n".join(text for text in texts if isinstance(text, str))
    text = content.lstrip() if isinstance(content, str) else ""
    # Channels may have put several envelopes around what a person wrote.
    start = 0
    while role == "user" and (envelope := _ENVELOPE.match(text, start)):
        start = envelope.end()
    text = text[start:]
    # Only where a transcript is read: its rules take longer to import than a window to open.
    from scrubjay.text.redaction import redact

    text = encodable_text(redact(text).replace("\0", " "))
    return role, " ".join(text.split())


def _title(record: dict[str, Any]) -> str:
    """The title of a conversation that began with a record; empty if that has no time."""
    when = record.get("timestamp")
    # The time is mostly that of UTC, and the day that of the person counts.
    try:
        began = as_local(dt.datetime.fromisoformat(str(when)))
    except (ValueError, OverflowError):
        return ""
    return f"Conversation of {began:%Y-%m-%d}"
