"""Markdown as a reader sees it."""

from __future__ import annotations

import pytest

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.prose import prose


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("one\ntwo", "one two"),
        ("# Title\ntext", "Title · text"),
        ("- milk\n- **eggs**\n- [ ] bread", "milk · eggs · bread"),
        ("first\n\nsecond", "first · second"),
        ("It ends.\n\nIt begins.", "It ends. It begins."),
        ("see [the page](http://x.org/y) and ![cat](c.png) there", "see the page and there"),
        ("[[Router]] and `code`", "Router and code"),
        ("[[Books/Bloom|Bloom]] ![[leaf.png|200]] ==bright==", "Bloom bright"),
        ("a == b, {{title}} <!-- not --> %%this%% line<br>end ^1a2b", "a == b, lineend"),
        ("> [!tip]- Water\n> it well", "Water · it well"),
        ("---\ntags: [a]\n---\ntext", "text"),
        ("| a | b |\n|---|---|\n| c | d |", "a · b · c · d"),
        ("> quoted", "quoted"),
        ("snake_case stays, _this_ not", "snake_case stays, this not"),
        ("  wide    gaps\there ", "wide gaps here"),
        ("---\n", ""),
        ("", ""),
    ],
)
def test_marks_of_markdown_are_not_shown(text: str, shown: str) -> None:
    assert prose(Snippet(text), " ", " · ").text == shown


def test_lines_stay_lines_with_their_matches() -> None:
    text = "# Home\n\n- [ ] the **router** is\n  there\n"
    at = text.index("router")
    shown = prose(Snippet(text, (Span(at, at + 6),), text.index("- [")))
    assert shown.text == "Home\nthe router is\nthere"
    assert (shown.text[shown.best :], shown.spans) == ("the router is\nthere", (Span(9, 15),))


@pytest.mark.parametrize("text", ["See ![[leaf.png]] here", "See ![leaf](leaf.png) here"])
def test_the_name_of_a_picture_is_shown_where_it_matched(text: str) -> None:
    at = text.index("leaf")
    shown = prose(Snippet(text, (Span(at, at + 4),)))
    assert "leaf" in shown.text
    assert "[" not in shown.text
    assert "leaf" not in prose(Snippet(text)).text
