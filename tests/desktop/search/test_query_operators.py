"""Operators of other programs in a question."""

from __future__ import annotations

import pytest

from scrubjay_desktop.search.query_operators import unfinished_tag, unknown_sentence, with_tag


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


@pytest.mark.parametrize(
    ("text", "begun", "whole"),
    [
        ("soup #ga", "ga", "soup #garden "),
        ("#", "", "#garden "),
        ("#garden/po", "garden/po", "#garden "),
        ("soup #💡", "💡", "soup #garden "),
        ("#💡/ho", "💡/ho", "#garden "),
        ("#❤\ufe0f", "❤\ufe0f", "#garden "),
        ("#🇪🇸", "🇪🇸", "#garden "),
        ("#हिन्दी", "हिन्दी", "#garden "),
    ],
)
def test_a_begun_tag_is_completed(text: str, begun: str, whole: str) -> None:
    assert unfinished_tag(text) == begun
    assert with_tag(text, "garden") == whole


@pytest.mark.parametrize("text", ["a#b", "#a b", "#a.", "C#", "#(", ""])
def test_what_is_not_a_tag_is_not_completed(text: str) -> None:
    assert unfinished_tag(text) is None
