"""Notes by names that are nearly theirs."""

from __future__ import annotations

import pytest

from scrubjay.answers.note_lookup import nearest_paths, parse_references

MANY = [f"Archive/{number:05} minutes of the council.md" for number in range(8_000)]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Zeppelin flihgt", "z/Zeppelin flight.md"),
        ("zepelin flight.md", "z/Zeppelin flight.md"),
        ("tow", "two.md"),
        ("Zürch", "z/Zürich.md"),
        ("Council", "z/Councils.md"),
        ("word " * 30, f"z/{'word ' * 31}.md"),
    ],
)
def test_a_name_that_is_nearly_that_of_one_of_many_notes_proposes_it(name: str, path: str) -> None:
    # Notes late in the alphabet as well, and names of any length.
    assert nearest_paths([*MANY, path], name)[0] == path


def test_a_name_unlike_all_others_proposes_nothing() -> None:
    assert nearest_paths([*MANY, "a.md", ".md"], "quokka") == []
    assert nearest_paths(MANY, "") == []


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("my%20note.md", ["my%20note.md", "my note.md"]),
        ("[[100%2525]]", ["100%2525", "100%25"]),
        ("my%20report.pdf#p3", ["my%20report.pdf#p3", "my report.pdf#p3"]),
        ("%" + "25" * 2_000, ["%" + "25" * 2_000, "%" + "25" * 1_999]),
    ],
)
def test_escapes_in_a_name_are_decoded_once(written: str, names: list[str]) -> None:
    assert [each.name for each in parse_references(written)] == names
