"""The end of a transcript."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents.recall.hook_input import TAIL_BYTES, TranscriptTail, read_transcript_tail


def transcript(folder: Path, *records: Any) -> str:
    file = folder / "talk.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    return str(file)


def said(text: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}, **more}


def test_what_the_person_typed_in_claude_code(tmp_path: Path) -> None:
    file = transcript(
        tmp_path,
        {"type": "summary", "summary": "before"},
        said("first"),
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text"}]}},
        said([{"type": "text", "text": "second"}, {"type": "image"}]),
        said([{"type": "tool_result", "content": "ls"}, {"type": "text", "text": "a tool"}]),
        said("a machine", isMeta=True),
        said("a summary", isCompactSummary=True),
        said("a helper", isSidechain=True),
    )
    assert read_transcript_tail(file) == TranscriptTail(("first", "second"))


def test_what_the_person_typed_in_openclaw(tmp_path: Path) -> None:
    blocks = [{"type": "text", "text": "hola"}]
    user = {"type": "message", "message": {"role": "user", "content": blocks}}
    other = {"role": "user", "content": blocks, "provenance": {"kind": "inter_session"}}
    file = transcript(tmp_path, user, {"type": "message", "message": other})
    assert read_transcript_tail(file).messages == ("hola",)


def test_the_last_answer_tells_how_full_the_context_is(tmp_path: Path) -> None:
    def answer(**usage: Any) -> dict[str, Any]:
        return {"type": "assistant", "message": {"role": "assistant", "usage": usage}}

    file = transcript(
        tmp_path,
        answer(input_tokens=1, output_tokens=2),
        answer(input_tokens=10, cache_read_input_tokens=1000, output_tokens=5, service_tier="x"),
        answer(input_tokens="many"),
    )
    assert read_transcript_tail(file).tokens == 1015


@pytest.mark.parametrize(
    "mark",
    [
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
        {"type": "compaction", "summary": "what was said"},
        said("a summary", isCompactSummary=True),
    ],
)
def test_what_was_counted_before_a_compaction_is_forgotten(
    tmp_path: Path, mark: dict[str, Any]
) -> None:
    usage = {"message": {"role": "assistant", "usage": {"input_tokens": 190_000}}}
    assert read_transcript_tail(transcript(tmp_path, usage)).tokens == 190_000
    assert read_transcript_tail(transcript(tmp_path, usage, mark, said("go on"))).tokens is None


@pytest.mark.parametrize("line", [b"\xff\x00", b"[" * 5000 + b'"message"', b'{"message": 3}', b"{"])
def test_bad_lines_are_left_out(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_bytes(line + b"\n" + json.dumps(said("good")).encode())
    assert read_transcript_tail(str(file)).messages == ("good",)


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path) -> None:
    file = transcript(tmp_path, said("first"), said("x" * TAIL_BYTES), said("last"))
    assert read_transcript_tail(file).messages == ("last",)


@pytest.mark.parametrize(
    "path", ["", "missing.jsonl", "secret.txt", "a\0.jsonl", "~nobody/x.jsonl"]
)
def test_what_cannot_be_read_is_empty(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text(json.dumps(said("secret")))
    assert read_transcript_tail(str(tmp_path / path)) == TranscriptTail()
    assert read_transcript_tail(path) == TranscriptTail()


@pytest.mark.needs("named pipes")
def test_a_pipe_does_not_hold_the_hook_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    assert read_transcript_tail(str(pipe)) == TranscriptTail()
