"""Operators of other programs in a question."""

from __future__ import annotations

import pytest

from scrubjay_desktop.search.query_operators import unknown_sentence


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("section:(dog cat)", "section:"),
        ("milk task-todo:buy", "task-todo:"),
        ("-line:(a b)", "line:"),
        ("[categories:Movies] jaws", "[categories:Movies]"),
        ("/call.*out/", "/call.*out/"),
        ("match-case:HappyCat", "match-case:"),
    ],
)
def test_an_operator_that_only_obsidian_knows_is_named(text: str, operator: str) -> None:
    assert unknown_sentence(text) == (
        f"Scrubjay does not know {operator}. Use file:, path:, tag:, kind:, after: or before: "
        "instead."
    )


@pytest.mark.parametrize(
    "text",
    [
        "file:a path:b tag:c #d kind:pdf after:2026-01-02 before:2026-02-03 -without",
        "line: 5", "https://a.org/b.c/", "/home/mo/", "and/or", "[x](a:b)", "[1]",
        "a task: call Ana", "what is this? (really)", "10:30",
    ],
)  # fmt: skip
def test_words_and_known_operators_say_nothing(text: str) -> None:
    assert unknown_sentence(text) == ""
