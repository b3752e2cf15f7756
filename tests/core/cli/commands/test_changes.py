"""`scrubjay changes`: what became of the notes since a day."""

from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path

import pytest

from scrubjay.cli.commands.changes import start_of_day
from scrubjay.errors import QueryError
from support.vault import write_notes

TODAY = dt.date(2026, 3, 12)  # a Thursday


@pytest.fixture
def edited(cli, notes: Path) -> Path:
    """Three indexed notes, then one is changed, one removed and one new."""
    cli("workspace", "add", notes)
    cli("index")
    (notes / "garden.md").write_text("# Garden\n\nThe tomatoes need shade.\n")
    (notes / "people" / "emma.md").unlink()
    (notes / "new.md").write_text("# New\n")
    return notes


def test_each_note_is_listed_with_what_became_of_it(cli, edited: Path) -> None:
    ran = cli("changes")
    assert ran.code == 0
    assert {line.partition("\t")[0] for line in ran.out.splitlines()} == {
        "~ garden.md",
        "- people/emma.md",
        "+ new.md",
    }


def test_the_lines_are_shown_when_asked_for(cli, edited: Path) -> None:
    lines = cli("changes", "--diff", "--workspace", "notes").out.splitlines()
    assert "    - The tomatoes need water every second day." in lines
    assert "    + The tomatoes need shade." in lines


def test_a_renamed_folder_is_one_line_and_for_programs_each_note_with_its_places(
    cli, notes: Path
) -> None:
    (notes / "house" / "boiler.md").write_text("# Boiler\n")
    cli("workspace", "add", notes)
    cli("index")
    (notes / "house").rename(notes / "flat")
    (notes / "garden.md").rename(notes / "yard.md")
    assert {line.partition("\t")[0] for line in cli("changes").out.splitlines()} == {
        "> flat/ (2 notes, were in house/)",
        "> yard.md (was garden.md)",
    }
    found = cli("changes", "--json").json["changes"]
    assert {(change["kind"], change["path"], change["formerPath"]) for change in found} == {
        ("moved", "flat/boiler.md", "house/boiler.md"),
        ("moved", "flat/router.md", "house/router.md"),
        ("moved", "yard.md", "garden.md"),
    }


def test_programs_get_the_same(cli, edited: Path) -> None:
    found = cli("changes", "--json", "--diff").json
    [garden] = [change for change in found["changes"] if change["path"] == "garden.md"]
    assert (garden["kind"], garden["isKnown"], garden["title"]) == ("changed", True, "Garden")
    assert {"kind": "added", "text": "The tomatoes need shade.", "line": 3} in garden["lines"]


def test_without_changes_it_says_so(cli, notes: Path) -> None:
    cli("workspace", "add", notes)
    cli("index")
    day = dt.date.today() - dt.timedelta(days=1)
    assert cli("changes").out == f"No changes since {day} were found.\n"


@pytest.mark.parametrize("day", ["1600-01-01", "1960-01-01", "9999-12-31"])
def test_changes_since_a_day_that_no_note_has_are_listed(cli, notes: Path, day: str) -> None:
    cli("workspace", "add", notes)
    cli("index")
    assert cli("changes", "--since", day).out == f"No changes since {day} were found.\n"


def test_a_folder_that_is_missing_is_not_said_to_be_unchanged(
    cli, edited: Path, tmp_path: Path
) -> None:
    place = edited.rename(tmp_path / "elsewhere")
    ran = cli("changes")
    assert ran.err.startswith(f"notes: The folder {edited} does not exist.")
    place.rename(edited)
    ran = cli("changes")
    assert (ran.err, len(ran.out.splitlines())) == ("", 3)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("yesterday", 11),
        ("anteayer", 10),
        ("last Monday", 9),
        ("2026-03-01", 1),
        ("2026-03-05 or 2026-03-02", 2),
    ],
)
def test_a_day_is_named_as_in_a_question(words: str, day: int) -> None:
    moment = start_of_day(words, TODAY)
    assert (moment.date(), moment.time()) == (dt.date(2026, 3, day), dt.time.min)


def test_what_names_no_day_is_refused(cli, notes: Path) -> None:
    with pytest.raises(QueryError):
        start_of_day("soon", TODAY)
    cli("workspace", "add", notes)
    refused = cli("changes", "--since", "soon")
    assert (refused.code, refused.out) == (1, "")
    assert "soon is not a day" in refused.err


def test_folders_are_named_and_the_last_change_is_first(cli, notes: Path, tmp_path: Path) -> None:
    cli("workspace", "add", notes)
    cli("workspace", "add", write_notes(tmp_path / "work", {"a.md": "A.\n"}))
    cli("index")
    now = time.time()
    for name, later in (("work/b.md", 300), ("notes/new.md", 200), ("work/c.md", 100)):
        file = tmp_path / name
        file.write_text("New.\n")
        os.utime(file, (now + later, now + later))
    lines = [line.partition("\t")[0] for line in cli("changes").out.splitlines()]
    assert lines == ["+ work: b.md", "+ notes: new.md", "+ work: c.md"]
