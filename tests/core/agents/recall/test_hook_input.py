"""Whatever a hook is given, it is read or refused."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.recall.hook_input import (
    MAX_BYTES,
    HookInput,
    HookInputRefused,
    parse_hook_input,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["prompt", "cwd", "hook_event_name", "transcript_path", "session_id", "source", "tokens",
     "stop_hook_active", "contextWindow"]
)  # fmt: skip


def test_the_fields_of_claude_code() -> None:
    given_json = {
        "session_id": "abc",
        "transcript_path": "/tmp/t.jsonl",
        "cwd": "/work",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "Where is the key?",
        "permission_mode": "default",
    }
    assert parse_hook_input(json.dumps(given_json).encode()) == HookInput(
        event="UserPromptSubmit",
        event_name="UserPromptSubmit",
        prompt="Where is the key?",
        cwd="/work",
        transcript="/tmp/t.jsonl",
        session="abc",
    )


def test_a_bare_prompt_and_a_byte_order_mark_are_enough() -> None:
    assert parse_hook_input(b'\xef\xbb\xbf{"prompt": "hello"}'.decode("utf-8-sig").encode()).prompt
    assert parse_hook_input(b'{"prompt": "hello"}').prompt == "hello"


def test_a_compaction_and_how_full_the_context_is() -> None:
    told = parse_hook_input(
        b'{"source": "compact", "stop_hook_active": true, "totalTokens": 1e5, "contextTokens": 7}'
    )
    assert (told.source, told.is_continued, told.tokens) == ("compact", True, 100_000)
    assert told.context_window == 7


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "standard input is empty"),
        (b" \n", "standard input is empty"),
        (b"\x00\xff\xfe\x80", "not JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'{"tokens": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"prompt": "' + b"x" * MAX_BYTES, "larger than"),
    ],
)
def test_what_is_refused_and_why(data: bytes, reason: str) -> None:
    with pytest.raises(HookInputRefused, match=reason):
        parse_hook_input(data)


def test_an_endless_name_of_a_session_is_cut() -> None:
    told = parse_hook_input(b'{"session_id": "' + b"s" * 100_000 + b'"}')
    assert told.session == "s" * 300


def test_half_a_surrogate_pair_becomes_text() -> None:
    assert parse_hook_input(b'{"prompt": "a\\ud800b"}').prompt.encode()


@given(st.dictionaries(NAMES, JSON))
def test_wrong_types_are_left_out(fields: dict[str, object]) -> None:
    told = parse_hook_input(json.dumps(fields).encode())
    for name in ("event", "prompt", "cwd", "transcript", "session", "source"):
        assert isinstance(getattr(told, name), str)
    assert told.tokens is None or told.tokens >= 0


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(HookInputRefused):
        assert isinstance(parse_hook_input(data), HookInput)
