"""The tag that a question ends in."""

from __future__ import annotations

import pytest

from scrubjay_desktop.search.query_operators import unfinished_tag, with_tag


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
