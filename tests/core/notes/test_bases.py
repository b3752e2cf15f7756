"""Tables of Obsidian Bases."""

from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.notes.bases import BaseTooComplex, NoteFacts, base_table

NOTES = (
    NoteFacts(
        "Books/Dune.md",
        {"categories": ["[[Books]]"], "year": 1965, "author": "[[Frank Herbert]]", "read": True},
        tags=frozenset({"book/novel"}),
    ),
    NoteFacts(
        "Books/Emma.md",
        {"categories": ["[[x/Books|B]]"], "year": 1815, "rating": 4, "day": dt.date(2026, 1, 2)},
        tags=frozenset({"book"}),
        links=frozenset({"People/Ana.md"}),
    ),
    NoteFacts(
        "Films/Jaws.md", {"categories": [["Movies"]], "year": 1975}, tags=frozenset({"bookish"})
    ),
    NoteFacts("People/Ana.md", {}),
)


def names(filters: str) -> list[str]:
    """Names of the notes that a base with a filter shows in the note about Ana."""
    text = f"filters:\n  and:\n    - {filters}\nviews:\n  - type: table\n"
    rows = base_table(text, "", NOTES, "People/Ana.md").rows
    return [row[0].partition("|")[2].rstrip("]") for row in rows]


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ('file.hasTag("book")', ["Dune", "Emma"]),
        ("file.hasTag('#book/novel', 'x')", ["Dune"]),
        ('file.inFolder("Books")', ["Dune", "Emma"]),
        ('file.inFolder("Book")', []),
        ("file.hasLink(this.file)", ["Emma"]),
        ("file.hasLink(this)", ["Emma"]),
        ('categories.contains(link("Books"))', ["Dune", "Emma"]),
        ('note.categories.contains("[[Movies]]")', ["Jaws"]),
        ("'!categories.contains(link(\"Books\"))'", ["Ana", "Jaws"]),
        ("year > 1900", ["Dune", "Jaws"]),
        ("year == 1815", ["Emma"]),
        ("author == link('Frank Herbert')", ["Dune"]),
        ('file.name != "Ana"', ["Dune", "Emma", "Jaws"]),
        ("read == true", ["Dune"]),
        ('day >= "2026-01-01"', ["Emma"]),
        ("rating.isEmpty()", ["Ana", "Dune", "Jaws"]),
        ("'!rating.isEmpty()'", ["Emma"]),
        ('file.name.startsWith("J")', ["Jaws"]),
        ('file.folder == "Films"', ["Jaws"]),
        ("or: [year < 1900, 'file.hasTag(\"bookish\")']", ["Emma", "Jaws"]),
        ("not: [year > 0]", ["Ana"]),
    ],
)
def test_simple_filters_admit_what_they_admit_in_obsidian(filters: str, shown: list[str]) -> None:
    assert names(filters) == shown


@pytest.mark.parametrize(
    "filters",
    [
        "year > 1900 && year < 1970", "file.mtime > now() - \"1d\"", "formula.x == 1", "year",
        "file.size > 5", "list(categories).length > 2", 'categories.map("x")', "year == other",
        "xor: [year > 5]", "today() == 5", 'file.hasTag(name)', '"["',
    ],
)  # fmt: skip
def test_a_base_with_anything_else_is_refused(filters: str) -> None:
    with pytest.raises(BaseTooComplex):
        names(filters)


@pytest.mark.parametrize(
    "filters",
    ["5", "[year > 1900]", "{and: year > 1900}", f"{{or: [{'year > 1900, ' * 51}]}}", "{and: [5]}"],
)
def test_filters_of_another_form_admit_no_wrong_notes(filters: str) -> None:
    with pytest.raises(BaseTooComplex):
        base_table(f"filters: {filters}\nviews: []\n", "", NOTES, "People/Ana.md")


@pytest.mark.parametrize("text", ["", "[", "views: 5", "a", "views: [5]", "views:\n  - sort: [5]"])
def test_a_broken_base_lists_all_notes_or_none(text: str) -> None:
    try:
        assert len(base_table(text, "", NOTES, "a.md").rows) == 4
    except BaseTooComplex:
        assert text == "["


def test_a_view_has_its_columns_in_its_order_and_names_formulas() -> None:
    text = (
        'filters: file.hasTag("book")\n'
        "formulas:\n  age: now() - year\n"
        "properties:\n  note.author:\n    displayName: Writer\n"
        "views:\n"
        "  - type: cards\n    name: First\n"
        "  - type: table\n    name: By year\n    limit: 1\n"
        "    order: [file.name, author, formula.age, categories, read]\n"
        "    sort:\n      - property: year\n        direction: DESC\n"
    )
    table = base_table(text, "By year", NOTES, "a.md")
    assert table.columns == ("name", "Writer", "categories", "read")
    assert table.formulas == ("age",)
    assert table.rows == (("[[Books/Dune|Dune]]", "[[Frank Herbert]]", "[[Books]]", "✓"),)
    assert base_table(text, "gone", NOTES, "a.md").name == "First"


def test_notes_without_a_value_come_last_in_both_directions() -> None:
    for direction, first in (("ASC", "Emma"), ("DESC", "Jaws")):
        text = f"views:\n  - sort:\n      - {{property: year, direction: {direction}}}\n"
        rows = base_table(text, "", NOTES, "a.md").rows
        assert (first in rows[0][0], "Ana" in rows[-1][0]) == (True, True)
