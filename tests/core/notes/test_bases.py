"""Tables of Obsidian Bases."""

from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.notes.bases import BaseNoteFacts, BaseTable, BaseTooComplex, base_table

NOTES = (
    BaseNoteFacts(
        "Books/Dune.md",
        {"categories": ["[[Books]]"], "year": 1965, "author": "[[Frank Herbert]]", "read": True},
        tags=frozenset({"book/novel"}),
    ),
    BaseNoteFacts(
        "Books/Emma.md",
        {"categories": ["[[x/Books|B]]"], "year": 1815, "rating": 4, "day": dt.date(2026, 1, 2)},
        tags=frozenset({"book"}),
        links=frozenset({"People/Ana.md"}),
    ),
    BaseNoteFacts(
        "Films/Jaws.md",
        {"categories": [["Movies"]], "year": 1975},
        tags=frozenset({"bookish"}),
        modified=dt.datetime(2026, 3, 1, 8, tzinfo=dt.UTC),
    ),
    BaseNoteFacts("People/Ana.md", {}, modified=dt.datetime(2026, 3, 14, 8, tzinfo=dt.UTC)),
)


NOW = dt.datetime(2026, 3, 14, 12, tzinfo=dt.UTC)


def table_of(text: str, view: str = "") -> BaseTable:
    """A view of a base, as the note about Ana shows it."""
    return base_table(text, view, NOTES, this="People/Ana.md", now=NOW)


def names(filters: str) -> list[str]:
    """Names of the notes that a base with a filter shows in the note about Ana."""
    text = f"filters:\n  and:\n    - {filters}\nviews:\n  - type: table\n"
    return [row[0].partition("|")[2].rstrip("]") for row in table_of(text).rows]


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
        ("'! !!rating.isEmpty()'", ["Emma"]),
        ("'!!rating.isEmpty()'", ["Ana", "Dune", "Jaws"]),
        ('file.name.startsWith("J")', ["Jaws"]),
        ('file.folder == "Films"', ["Jaws"]),
        ("or: [year < 1900, 'file.hasTag(\"bookish\")']", ["Emma", "Jaws"]),
        ("not: [year > 0]", ["Ana"]),
        ("'file.mtime > now() - \"1d\"'", ["Ana"]),
        ("'file.mtime >= today() - \"2 weeks\"'", ["Ana", "Jaws"]),
        ("day < now() - '3 days'", ["Emma"]),
        ("day > date('2026-01-01 10:00')", ["Emma"]),
        ("day > today()", []),
    ],
)
def test_simple_filters_admit_what_they_admit_in_obsidian(filters: str, shown: list[str]) -> None:
    assert names(filters) == shown


@pytest.mark.parametrize(
    "filters",
    [
        "year > 1900 && year < 1970", "file.ctime > now()", "file.mtime > now() - \"1 month\"",
        "day == today()",
        "file.mtime > date(\"2026-13-40\")", "day > today() - 5", "formula.x == 1", "year",
        "file.size > 5", "list(categories).length > 2", 'categories.map("x")', "year == other",
        "'file.mtime > date(\"0001-01-01\") - \"1d\"'",
        "'day < date(\"9999-12-31\") + \"9999w\"'", f"'{'!' * 2000}rating.isEmpty()'",
        "year == last", "year == last link(2)",
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
        table_of(f"filters: {filters}\nviews: []\n")


def test_a_condition_has_500_characters_at_most() -> None:
    condition = 'file.name != "{}"'
    most = 500 - len(condition.format(""))
    assert names(condition.format("x" * most)) == ["Ana", "Dune", "Emma", "Jaws"]
    for text in (condition.format("x" * (most + 1)), f"year{' ' * 500}> 0"):
        with pytest.raises(BaseTooComplex):
            names(text)


def test_a_base_and_its_view_have_50_conditions_at_most() -> None:
    half = f"{{or: [{{and: [{'year > 1900, ' * 25}]}}]}}"
    text = f"filters: {half}\nviews:\n  - filters: {{and: [{half}%s]}}\n"
    assert len(table_of(text % "").rows) == 2
    for more in (", year > 1900", ", {}", ", {or: []}"):
        with pytest.raises(BaseTooComplex):
            table_of(text % more)


@pytest.mark.parametrize("text", ["", "[", "views: 5", "a", "views: [5]", "views:\n  - sort: [5]"])
def test_a_broken_base_lists_all_notes_or_none(text: str) -> None:
    try:
        assert len(table_of(text).rows) == 4
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
    table = table_of(text, "By year")
    assert table.columns == ("file.name", "Writer", "categories", "read")
    assert table.formulas == ("age",)
    assert table.other_views == ()
    assert table_of(text).other_views == ("By year",)
    assert table_of(text, "Gone").other_views == ("By year",)
    assert table.rows == (("[[Books/Dune|Dune]]", "[[Frank Herbert]]", "[[Books]]", "✓"),)
    assert table_of(text, "gone").name == "First"


def test_groups_come_in_their_order_with_a_column_of_their_own() -> None:
    text = (
        "views:\n  - groupBy: {property: note.categories, direction: DESC}\n"
        "    order: [file.name, file.mtime]\n    sort: [{property: year, direction: DESC}]\n"
    )
    table = table_of(text)
    assert table.columns == ("categories", "file.name", "file.mtime")
    assert table.rows == (
        ("[[x/Books|B]]", "[[Books/Emma|Emma]]", ""),
        ("[[Movies]]", "[[Films/Jaws|Jaws]]", "2026-03-01 08:00"),
        ("[[Books]]", "[[Books/Dune|Dune]]", ""),
        ("", "[[People/Ana|Ana]]", "2026-03-14 08:00"),
    )
    assert table_of(text.replace("[file.name", "[categories")).columns[0] == "categories"


def test_notes_without_a_value_come_last_in_both_directions() -> None:
    for direction, first in (("ASC", "Emma"), ("DESC", "Jaws")):
        text = f"views:\n  - sort:\n      - {{property: year, direction: {direction}}}\n"
        rows = table_of(text).rows
        assert (first in rows[0][0], "Ana" in rows[-1][0]) == (True, True)
