"""Questions to try, from headings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.suggested_questions import suggested_questions


def always(_question: str, _note: str) -> bool:
    return True


def test_each_note_gives_its_last_heading_that_people_would_type() -> None:
    notes = [
        ("house.md", "# House\n\nText.\n\n## Boiler service\n\n## 2026-03-01\n\n## Open points\n"),
        ("club.md", "# Choir and club\n\n## Summer concert\n\n## Open points\n"),
        ("trip.org", "* Trip to Lisbon\n** Where we stayed\n"),
    ]
    expected = ("Choir and club", "Where we stayed", "Boiler service")
    assert suggested_questions(notes, 3, always) == expected
    assert suggested_questions(notes, 2, always) == expected[:2]


def test_marks_numbers_and_long_lines_are_no_questions() -> None:
    odd = ["[[Link]] to it", "Q3 plan", "x" * 50, "One", "**Bold** words", "a b c d e f g h"]
    text = "".join(f"## {each}\n\n" for each in odd)
    assert suggested_questions([("a.md", text)], 3, always) == ()


def test_whole_questions_come_first_and_stop_words_alone_are_none() -> None:
    notes = [
        ("server.md", "# Server\n\n## Let's Encrypt\n"),
        ("roof.md", "# Library\n\n## What it is\n\n## Is it\n"),
        ("bike.md", "# Bikes\n\n## Who fixes the brakes?\n\n## Spare parts\n"),
        ("piso.md", "# Piso\n\n## ¿Cuándo vence el contrato?\n"),
        ("trip.md", "# Trip\n\n## Where we stayed\n"),
    ]
    questions = suggested_questions(notes, 5, always)
    assert questions == (
        "Who fixes the brakes?", "¿Cuándo vence el contrato?", "Where we stayed", "Let's Encrypt",
    )  # fmt: skip


def test_only_questions_that_find_their_note_are_suggested() -> None:
    notes = [(f"{name}.md", f"## All about {name}\n") for name in ("jays", "owls", "wrens")]
    questions = suggested_questions(notes, 2, lambda question, note: "owls" not in note)
    assert questions == ("All about jays", "All about wrens")


def test_code_has_no_headings() -> None:
    assert suggested_questions([("a.md", "```\n# install the package\n```\n")], 3, always) == ()


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=200))), st.integers(0, 4))
def test_any_text_gives_different_questions(notes: list[tuple[str, str]], count: int) -> None:
    questions = suggested_questions(notes, count, always)
    assert len({each.casefold() for each in questions}) == len(questions) <= count
