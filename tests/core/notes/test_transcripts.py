"""What of a transcript is text, and on which line."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.notes.transcripts import has_grown, is_transcript_name, read_transcript
from support.transcripts import HEADER, chat, message, transcript


def lines(data: bytes) -> dict[int, str]:
    """Line of the file -> what was said there."""
    text = read_transcript(data).text.split("\n")
    return {number: line for number, line in enumerate(text, start=1) if line}


def test_each_message_stands_on_its_line_of_the_file() -> None:
    tool = json.dumps({"type": "message", "message": {"role": "toolResult", "content": "x"}})
    data = transcript(message("user", "Hello"), tool, tool, message("assistant", "Good morning"))
    assert lines(data) == {2: "User: Hello", 5: "Assistant: Good morning"}


def test_text_blocks_are_joined_on_one_line() -> None:
    data = transcript(message("assistant", "One\n\n- two", "three\r\n\tfour"))
    assert lines(data) == {2: "Assistant: One - two three four"}


def test_content_may_be_plain_text() -> None:
    record = {"type": "message", "message": {"role": "user", "content": "Just text"}}
    assert lines(transcript(json.dumps(record))) == {2: "User: Just text"}


def test_a_transcript_is_called_after_its_day() -> None:
    found = read_transcript(chat("Hello", "Hi"))
    assert (found.title, found.messages) == ("Conversation of 2026-05-03", 2)
    assert read_transcript(b"").title == ""


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be changed here")
@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("PST8", "2026-03-15T02:30:00.000Z", "2026-03-14"),
        ("NZT-13", "2026-03-14T23:30:00Z", "2026-03-15"),
        ("IST-5:30", "2026-03-14T20:00:00-05:00", "2026-03-15"),
        ("CET-1", "2026-03-14T23:30:00", "2026-03-14"),
        ("CET-1", "2026-03-14", "2026-03-14"),
        ("CET-1", "yesterday", ""),
    ],
)
def test_the_day_of_a_transcript_is_that_of_the_person(
    monkeypatch: pytest.MonkeyPatch, zone: str, at: str, day: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    record = {**json.loads(message("user", "Hello")), "timestamp": at}
    title = read_transcript(transcript(json.dumps(record))).title
    monkeypatch.undo()
    time.tzset()
    assert title == (f"Conversation of {day}" if day else "")


@pytest.mark.parametrize(
    "noise",
    [
        message("system", "You are helpful"),
        message("toolResult", "42 files"),
        message("user", "System: [2026-05-03 10:00:00 UTC] Node connected"),
        message("user", "System (untrusted): [2026-05-03] Exec completed"),
        message("user", "Read HEARTBEAT.md if it exists. If nothing needs attention, reply ok"),
        message("user", "Look at the clock. When all is well, reply HEARTBEAT_OK."),
        message("user", "Pre-compaction memory flush. Store durable memories now."),
        message("user", "Do this for me", provenance={"kind": "inter_session"}),
        message("assistant", "HEARTBEAT_OK"),
        message("assistant", "**NO_REPLY**"),
        message("assistant", "  "),
        message("assistant"),
        json.dumps({"type": "custom", "message": {"role": "user", "content": "x"}}),
        json.dumps(
            {
                "type": "message",
                "message": {"role": "assistant", "content": [{"type": "toolCall", "text": "rm"}]},
            }
        ),
    ],
)
def test_noise_is_left_out(noise: str) -> None:
    data = transcript(message("user", "Hello"), noise, message("assistant", "Bye"))
    assert lines(data) == {2: "User: Hello", 4: "Assistant: Bye"}


def test_a_conversation_that_a_timer_began_is_left_out() -> None:
    data = chat("[cron:7f morning report] Summarise my mail", "You have three mails", "Thanks")
    assert lines(data) == {}


def test_a_timer_in_the_middle_hides_no_answer() -> None:
    data = chat("Hello", "Hi", "[cron:7f x] Report", "All is well")
    assert lines(data) == {2: "User: Hello", 3: "Assistant: Hi", 5: "Assistant: All is well"}


def test_what_a_channel_puts_before_a_message_is_left_out() -> None:
    envelope = 'Conversation info (untrusted metadata):\n```json\n{"chat": 1}\n```\n\n'
    sender = 'Sender (untrusted metadata):\n```json\n{"name": "Ann"}\n```\n\n'
    assert lines(chat(f"{envelope}{sender}Where is the key?")) == {2: "User: Where is the key?"}


def test_secrets_are_blanked_out() -> None:
    pem = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
    data = chat(f"My key is sk-{'a1' * 12}\n{pem}", "password=hunter2 noted")
    text = read_transcript(data).text
    assert "[redacted]" in text
    assert not any(secret in text for secret in ("a1a1", "MIIE", "hunter2"))


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\x00\xff\xfe\x80" * 999,
        message("user", "cut off").encode()[:-20],
        b'{"type": "message"}',
        b'{"type": "message", "message": 7}',
        b'{"type": "message", "message": {"role": ["user"], "content": 1}}',
        b'["message"]',
        b'"message"',
        b'{"message": ' + b"[" * 100_000,
        b'{"message": ' + b"9" * 100_000 + b"}",
        b'"message" ' + b"x" * 10_000_000,
    ],
    ids=range(11),
)
def test_a_bad_line_says_nothing_and_spoils_nothing(bad: bytes) -> None:
    data = b"\n".join([HEADER.encode(), bad, message("user", "Hello").encode()])
    assert lines(data) == {3: "User: Hello"}


def test_what_is_no_text_in_a_database_is_replaced() -> None:
    record = '{"type":"message","message":{"role":"user","content":"a\\u0000b \\ud83d c"}}'
    assert lines(transcript(record)) == {2: "User: a b ? c"}


@given(st.lists(st.text(max_size=200), max_size=8))
def test_whatever_is_said_the_lines_stay(said: list[str]) -> None:
    text = read_transcript(chat(*said)).text
    if text:
        assert text.count("\n") == len(said) + 1
        assert text.splitlines() == text.split("\n")[: len(text.splitlines())]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("0197.jsonl", True),
        ("0197-topic-4.JSONL", True),
        ("0197.checkpoint.0001.jsonl", False),
        ("0197.trajectory.jsonl", False),
        ("0197.jsonl.bak", False),
        ("sessions.json", False),
        ("notes.md", False),
    ],
)
def test_names_of_transcripts(name: str, is_one: bool) -> None:
    assert is_transcript_name(name) is is_one


@pytest.mark.parametrize(
    ("limits", "is_worth_it"),
    [
        ((100_000, 50), False),
        ((0, 50), True),
        ((100_000, 0), True),
        ((100_000, 3), True),
        ((100_000, 4), False),
        ((100, 50), True),
    ],
)
def test_a_conversation_is_read_again_when_enough_was_said(
    tmp_path: Path, limits: tuple[int, int], is_worth_it: bool
) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(chat("Hello", "Hi"))
    before = file.stat().st_size
    said = [message("user", "And"), message("assistant", "so"), message("user", "on")]
    with file.open("a") as opened:
        opened.writelines(f"{line}\n" for line in said)
    assert has_grown(file, file.name, before, file.stat().st_size, limits) is is_worth_it


def test_a_conversation_that_was_cut_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(chat("Hello", "Hi"))
    os.truncate(file, 10)
    assert has_grown(file, file.name, 400, 10, (100_000, 50))


def of_cursor(text: str) -> bytes:
    record = {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}
    return f"{json.dumps(record)}\n".encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<user_query>\nThe roof leaks.\n</user_query>", "User: The roof leaks."),
        (" \n<user_query>One\ntwo</user_query>\n", "User: One two"),
        ("<user_query></user_query>", ""),
        ("<user_query>a</user_query> b", "User: <user_query>a</user_query> b"),
        ("<user_query> a", "User: <user_query> a"),
    ],
)
def test_the_marks_of_cursor_are_left_out(text: str, said: str) -> None:
    assert read_transcript(of_cursor(text)).text == f"{said}\n"


def test_a_long_message_of_blanks_is_read() -> None:
    # Time that grows faster than the message would be hours.
    blanks = " " * 200_000
    assert read_transcript(of_cursor(f"<user_query>{blanks}x")).messages == 1
    assert read_transcript(of_cursor(f"<user_query>{blanks}x{blanks}</user_query>")).messages == 1


def test_many_envelopes_of_a_channel_are_left_out() -> None:
    envelope = "Info (untrusted metadata):\n```json\n{}\n```\n"
    assert lines(chat(f"{envelope * 20_000}Where is the key?")) == {2: "User: Where is the key?"}
