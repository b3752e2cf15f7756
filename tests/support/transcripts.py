"""Transcripts as OpenClaw writes them."""

from __future__ import annotations

import json

HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-05-03T10:00:00.000Z"}'


def message(role: str, *texts: str, **fields: object) -> str:
    """One line: a message of text blocks."""
    blocks = [{"type": "text", "text": text} for text in texts]
    record = {
        "type": "message",
        "timestamp": "2026-05-03T10:00:01.000Z",
        "message": {"role": role, "content": blocks, **fields},
    }
    return json.dumps(record)


def transcript(*lines: str) -> bytes:
    """A whole file."""
    return "".join(f"{line}\n" for line in (HEADER, *lines)).encode()


def chat(*said: str) -> bytes:
    """A conversation in turns; the user begins."""
    roles = ("user", "assistant")
    return transcript(*(message(roles[turn % 2], text) for turn, text in enumerate(said)))
