"""Questions to try, from headings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.suggested_questions import suggested_questions


def test_each_note_gives_its_last_heading_that_people_would_type() -> None:
    notes = [
        ("house.md", "# House\n\nText.\n\n## Boiler service\n\n## 2026-03-01\n\n## Open points\n"),
        ("club.md", "# Choir and club\n\n## Summer concert\n\n## Open points\n"),
        ("trip.org", "* Trip to Lisbon\n** Where we stayed\n"),
    ]
    expected = ("Boiler service", "Summer concert", "Where we stayed")
    assert suggested_questions(notes, 3) == expected
    assert suggested_questions(notes, 2) == expected[:2]


def test_marks_numbers_and_long_lines_are_no_questions() -> None:
    odd = ["[[Link]] to it", "Q3 plan", "x" * 50, "One", "**Bold** words", "a b c d e f g h"]
    text = "".join(f"## {each}\n\n" for each in odd)
    assert suggested_questions([("a.md", text)], 3) == ()


def test_code_has_no_headings() -> None:
    assert suggested_questions([("a.md", "```\n# install the package\n```\n")], 3) == ()


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=200))), st.integers(0, 4))
def test_any_text_gives_different_questions(notes: list[tuple[str, str]], count: int) -> None:
    questions = suggested_questions(notes, count)
    assert len({each.casefold() for each in questions}) == len(questions) <= count
