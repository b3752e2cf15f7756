"""Where a page of a note begins, as agents and people write it."""

from __future__ import annotations

import pytest

from scrubjay.records.page_start import PageStart


@pytest.mark.parametrize(
    ("written", "line", "column"),
    [
        ("12", 12, 1),
        (12, 12, 1),
        (" 12:3001 ", 12, 3001),
        ("12:1", 12, 1),
        ("12:", 12, 1),
        (-5, 1, 1),
        ("0:0", 1, 1),
        (10**30, 2**31, 1),
    ],
)
def test_a_page_begins_at_a_line_or_inside_of_one(
    written: str | int, line: int, column: int
) -> None:
    start = PageStart(written)
    assert (start.line, start.column) == (line, column)
    assert PageStart(start) == start


@pytest.mark.parametrize("written", ["", "all", "3:x", ":4", "1:2:3"])
def test_other_texts_are_no_page(written: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        PageStart(written)
