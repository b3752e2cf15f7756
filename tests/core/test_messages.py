"""Sentences that are English here and can be said in another language elsewhere."""

from __future__ import annotations

import copy
import datetime as dt
import errno
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import NotWritable, ScrubjayError, system_reason
from scrubjay.messages import (
    Sentence,
    Value,
    as_sentence,
    deserialize_sentence,
    fill_template,
    join_sentences,
    msg,
    serialize_sentence,
)

TEXTS = st.text(max_size=30)


def parts(text: Value) -> object:
    """What the app needs of a sentence."""
    if not isinstance(text, Sentence):
        return text
    return text.template, {name: parts(one) for name, one in text.values.items()}


def spoken() -> st.SearchStrategy[Sentence]:
    """Sentences in sentences, with whatever people call their notes."""
    plain = st.sampled_from(["Nothing was written.", "It has {braces}", ""]).map(as_sentence)
    values = st.integers() | TEXTS | st.dates()

    def around(inner: st.SearchStrategy[Sentence]) -> st.SearchStrategy[Sentence]:
        of_two = st.tuples(inner | values, inner | values)
        return of_two.map(lambda two: msg("{first}: {day}.", first=two[0], day=two[1]))

    return st.recursive(plain, around, max_leaves=4)


@pytest.mark.parametrize(
    ("said", "english"),
    [
        (msg("The disk is full"), "The disk is full"),
        (msg("{file} cannot be written", file="{a}.md"), "{a}.md cannot be written"),
        (msg("{n} notes", n=12345), "12,345 notes"),
        (msg("{n} {n:note|notes}", n=1), "1 note"),
        (msg("{n} {n:note|notes}", n=0), "0 notes"),
        (msg("in {year}", year="2026"), "in 2026"),
        (msg("since {day}", day=dt.date(2026, 3, 9)), "since 2026-03-09"),
        (msg("{why} Go on.", why=msg("No {what}.", what="room")), "No room. Go on."),
        (fill_template(msg("Line {line}"), {"line": "3", "path": "a.md"}), "Line 3"),
        (join_sentences("; ", ["a: {x}", msg("b: {n}", n=2)]), "a: {x}; b: 2"),
        (join_sentences("; ", []), ""),
    ],
)
def test_a_sentence_is_its_english_text(said: Sentence, english: str) -> None:
    assert said == english


def test_an_error_is_one_sentence_that_remembers_its_parts() -> None:
    error = NotWritable(
        msg("{file} cannot be written", file="a.md"),
        "It only points to another file.",
        hint="Try again.",
    )
    whole = str(error)
    assert whole == "a.md cannot be written. It only points to another file. Try again."
    assert isinstance(whole, Sentence)
    assert parts(error.title) == ("{file} cannot be written", {"file": "a.md"})
    assert parts(whole) == (
        "{part0} {part1}",
        {
            "part0": (
                "{part0}. {part1}",
                {"part0": parts(error.title), "part1": ("It only points to another file.", {})},
            ),
            "part1": ("Try again.", {}),
        },
    )


def test_an_error_in_a_sentence_keeps_its_parts() -> None:
    error = ScrubjayError("The disk is full")
    around = msg("{path}: {error}", path="a.md", error=error)
    assert parts(around.values["error"]) == ("The disk is full", {})


@given(spoken())
def test_what_is_stored_or_copied_comes_back_with_all_its_parts(said: Sentence) -> None:
    for again in (deserialize_sentence(serialize_sentence(said)), copy.deepcopy(said)):
        assert again == said
        assert parts(again) == parts(said)


def test_plain_text_is_stored_as_it_is() -> None:
    assert serialize_sentence("It is {larger} than that.") == "It is {larger} than that."
    assert deserialize_sentence("It is {larger} than that.") == "It is {larger} than that."


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "Kein Platz"), "There is no space left on the disk"),
        (OSError(errno.ENOTTY, "Not a terminal"), "Not a terminal"),
        (OSError("told otherwise"), "OSError"),
    ],
)
def test_the_system_gives_reasons_in_english(error: OSError, reason: str) -> None:
    assert system_reason(error) == reason


@pytest.mark.parametrize(
    ("number", "system", "reason"),
    [
        (errno.EPERM, "darwin", "check Privacy & Security in System Settings"),
        (errno.EACCES, "darwin", "Permission denied"),
        (errno.EPERM, "linux", "The system does not allow this operation"),
    ],
)
def test_a_mac_that_refuses_a_folder_is_told_where_to_allow_it(
    number: int, system: str, reason: str
) -> None:
    assert reason in system_reason(OSError(number, "Operation not permitted"), system)


@given(
    st.text(max_size=40) | st.sampled_from(["3}", '"{a.b}"}', '"{0}"}', '"{"}', '"{a}", "a": []}'])
)
def test_what_another_program_stored_is_shown_as_it_is_or_said(text: str) -> None:
    assert isinstance(deserialize_sentence('{"say": ' + text), Sentence)


@pytest.mark.parametrize(
    "stored_text",
    [
        '{"say": "{n:>999999999}", "n": "x"}',
        '{"say": "{n.__class__}", "n": "x"}',
        '{"say": "{n.__class__}", "n": 1, "n.__class__": 1}',
        '{"say": "{n[0]}", "n": "secret"}',
        '{"say": "{n!r:>999999999}", "n": "x"}',
        '{"say": "{n:{n.__new__.__globals__}}", "n": 1}',
        '{"say": "{n:{n:>999999999}}", "n": 1}',
        '{"say": 5, "n": 1}',
        pytest.param('{"say": ' + "[" * 100_000, id="nested without end"),
        pytest.param('{"say": "x", "n": ' * 100_000, id="sentences in sentences"),
        pytest.param(
            json.dumps({"say": "{n}" * 500, "n": {"say": "{n}" * 500, "n": "x" * 5_000}}),
            id="values that multiply",
        ),
        pytest.param(json.dumps({"say": "x" * 100_000}), id="a long template"),
    ],
)
def test_a_template_of_another_program_puts_in_values_and_does_nothing_else(
    stored_text: str,
) -> None:
    assert deserialize_sentence(stored_text) == stored_text
