"""Differences of two texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.journal_records import LineDiff, LineKind
from scrubjay.text.line_diff import compare_lines

MARKS = {LineKind.SAME: " ", LineKind.ADDED: "+", LineKind.REMOVED: "-", LineKind.GAP: "~"}


def shown(diff: LineDiff) -> list[str]:
    return [f"{MARKS[line.kind]}{line.text or line.number}" for line in diff.lines]


@pytest.mark.parametrize(
    ("former", "current", "lines"),
    [
        ("a\nb", "a\nb", []),
        ("", "a", ["+a"]),
        ("a", "", ["-a"]),
        ("a\nb\nc", "a\nB\nc", [" a", "-b", "+B", " c"]),
        ("a", "a\nb", [" a", "+b"]),
        ("a\nb", "b", ["-a", " b"]),
        ("1\n2\n3\n4\n5\n6\n7\nx", "1\n2\n3\n4\n5\n6\n7\ny", ["~4", " 5", " 6", " 7", "-x", "+y"]),
        (
            "x\n1\n2\n3\n4\n5\n6\n7\n8\nx",
            "y\n1\n2\n3\n4\n5\n6\n7\n8\ny",
            ["-x", "+y", " 1", " 2", " 3", "~2", " 6", " 7", " 8", "-x", "+y"],
        ),
        # A gap of one line would take as much room as the line.
        ("1\n2\n3\n4\nx", "1\n2\n3\n4\ny", [" 1", " 2", " 3", " 4", "-x", "+y"]),
    ],
)
def test_changes_are_shown_with_three_lines_around(former, current, lines) -> None:
    assert shown(compare_lines(former, current)) == lines


def test_lines_are_numbered_as_in_the_text_that_they_are_from() -> None:
    diff = compare_lines("a\nb\nc", "x\na\nc")
    assert [(line.kind, line.number) for line in diff.lines] == [
        (LineKind.ADDED, 1),
        (LineKind.SAME, 2),
        (LineKind.REMOVED, 2),
        (LineKind.SAME, 3),
    ]
    assert (diff.added, diff.removed, diff.is_cut) == (1, 1, False)


def test_a_huge_change_is_cut_and_still_counted() -> None:
    former = "\n".join(f"old {n}" for n in range(10_000))
    diff = compare_lines(former, "new")
    assert (diff.added, diff.removed, diff.is_cut) == (1, 10_000, True)
    assert len(diff.lines) == 3000


TEXTS = st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=30).map("\n".join)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_what_is_shown(former: str, current: str) -> None:
    diff = compare_lines(former, current)
    old, new = (text.split("\n") if text else [] for text in (former, current))
    for line in diff.lines:
        if line.kind in (LineKind.SAME, LineKind.ADDED):
            assert new[line.number - 1] == line.text
        if line.kind is LineKind.REMOVED:
            assert old[line.number - 1] == line.text
    hidden = sum(line.number for line in diff.lines if line.kind is LineKind.GAP)
    same = sum(line.kind is LineKind.SAME for line in diff.lines)
    if former != current:
        assert same + hidden + diff.added == len(new)
        assert same + hidden + diff.removed == len(old)
    assert bool(diff.lines) == (former != current)
