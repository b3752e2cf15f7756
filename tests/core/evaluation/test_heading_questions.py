"""Questions from headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.evaluation.model_comparison import heading_questions

BELOW = "The answer to it is told here, in a sentence that is long enough to be told apart."


def note(*headings: str) -> str:
    return "\n".join(f"{heading}\n\n{BELOW} {heading}\n" for heading in headings)


def asked(*texts: str, limit: int = 99) -> set[str]:
    return {question.question for question in heading_questions(texts, limit)}


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("# Router password", "Router password"),
        ("### The **new** `router` ###", "The new router"),
        ("## [The manual](https://a.example) of it", "The manual of it"),
        ("## See [[Home network]]", "See Home network"),
        ("# 家庭网络设置", "家庭网络设置"),
    ],
)
def test_a_heading_asks_in_plain_words(heading: str, question: str) -> None:
    assert asked(note(heading)) == {question}


@pytest.mark.parametrize("heading", ["# Notes", "# 2026-03-12", "## 12:30 call", "#", "# 网络"])
def test_what_could_mean_any_section_does_not_ask(heading: str) -> None:
    assert asked(note(heading, "# Router password")) == {"Router password"}


def test_a_heading_that_occurs_twice_does_not_ask() -> None:
    assert asked(note("# Open questions"), note("# open Questions", "# Router password")) == {
        "Router password"
    }


def test_a_section_ends_where_the_next_heading_begins() -> None:
    [first, second] = sorted(
        heading_questions([note("# First one", "## Second one")], 9),
        key=lambda question: question.question,
    )
    assert first.answer == f"{BELOW} # First one"
    assert second.answer == f"{BELOW} ## Second one"


def test_a_heading_without_text_does_not_ask() -> None:
    assert asked("# Router password\n\nnone\n\n## Where it is\n") == set()


def test_a_heading_in_a_fence_is_no_heading() -> None:
    assert asked(f"```\n# Not a heading\n{BELOW}\n```\n") == set()


@given(st.lists(st.text(), max_size=5), st.integers(0, 3))
def test_any_notes_give_the_same_questions_at_each_call(texts: list[str], limit: int) -> None:
    notes = [*texts, note("# Router password", "# Dentist for Emma")]
    once = heading_questions(notes, limit)
    assert once == heading_questions(notes, limit)
    assert len(once) <= limit
