"""Days with notes and what changed, through the engine."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.answers.journal import first_page, resume_position
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexCorrupt, NoteRefused
from scrubjay.platform.paths import Paths
from scrubjay.records.journal_records import ChangeKind, JournalPosition, LineKind
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.index_records import Filters
from support.vault import TIMEOUT, NewEngine, add, age, found, write_notes

DAY = dt.date(2026, 3, 12)
YESTERDAY = dt.datetime.now().astimezone() - dt.timedelta(days=1)


def read(engine: Engine, root: Path) -> str:
    """Put a folder on the list and read it; its id."""
    workspace = add(engine, root)
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    return workspace.id


def again(engine: Engine) -> None:
    engine.refresh(words_only=True).result(TIMEOUT)


def dated(root: Path, name: str, moment: dt.datetime) -> None:
    os.utime(root / name, (moment.timestamp(), moment.timestamp()))


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """An agent's memory: daily files, a dated note, and one that only its time dates."""
    root = write_notes(
        tmp_path / "diary",
        {
            "MEMORY.md": "Emma plays the clarinet.\n",
            "memory/2026-03-12.md": "Booked the orthodontist.\n",
            "memory/2026-03-13-trip.md": "Packed for the trip.\n",
            "memory/plan.md": "---\ndate: 2026-03-12\n---\nThe plan.\n",
        },
    )
    dated(root, "MEMORY.md", dt.datetime(2026, 3, 14, 23, 59).astimezone())
    return root


def test_a_note_counts_for_the_day_that_it_names_else_for_its_last_change(
    engine: Engine, diary: Path
) -> None:
    one = read(engine, diary)
    found = engine.journal.days(DAY, DAY + dt.timedelta(days=30)).result(TIMEOUT)
    assert [(day.day.day, day.workspace, day.notes) for day in found.days] == [
        (12, one, 2),
        (13, one, 1),
        (14, one, 1),
    ]
    assert found.days[1].bytes == len("Packed for the trip.\n")
    assert found.earliest == DAY


def test_days_can_be_those_of_one_workspace(engine: Engine, diary: Path, tmp_path: Path) -> None:
    first = read(engine, diary)
    other = write_notes(tmp_path / "work", {"2026-03-12.md": "Agenda.\n", "2020-01-01.md": "Old."})
    second = read(engine, other)
    both = engine.journal.days(DAY, DAY).result(TIMEOUT)
    assert {(day.workspace, day.notes) for day in both.days} == {(first, 2), (second, 1)}
    assert both.earliest == dt.date(2020, 1, 1)
    alone = engine.journal.days(DAY, DAY, engine.find_workspace(second)).result(TIMEOUT)
    assert [day.workspace for day in alone.days] == [second]


def test_notes_of_days_come_in_the_order_of_their_days(engine: Engine, tmp_path: Path) -> None:
    days = ("2026-03-10", "2026-03-12", "2026-03-11")
    root = write_notes(tmp_path / "diary", {f"{day}.md": "Walked.\n" for day in days})
    for number, day in enumerate(days):
        dated(root, f"{day}.md", dt.datetime(2026, 3, 20, 10 + number).astimezone())
    read(engine, root)
    place, seen = None, list[str]()
    for _ in days:
        page = engine.journal.notes(dt.date(2026, 3, 1), DAY, after=place, limit=1).result(TIMEOUT)
        seen += [note.path for note in page.notes]
        place = page.next
    assert seen == ["2026-03-12.md", "2026-03-11.md", "2026-03-10.md"]


def test_without_notes_there_are_no_days(engine: Engine) -> None:
    found = engine.journal.days(DAY, DAY).result(TIMEOUT)
    assert (found.days, found.earliest) == ((), None)


def test_notes_of_days_come_page_by_page_over_all_workspaces(
    engine: Engine, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        root = write_notes(tmp_path / name, {f"{n}.md": f"Note {n}.\n" for n in range(5)})
        for n in range(5):
            dated(root, f"{n}.md", dt.datetime(2026, 3, 12, 10 + n).astimezone())
        read(engine, root)
    seen: list[tuple[str, str]] = []
    place = None
    while True:
        page = engine.journal.notes(DAY, DAY, after=place, limit=3).result(TIMEOUT)
        seen += [(note.workspace, note.path) for note in page.notes]
        if (place := page.next) is None:
            break
    assert seen == [(name, f"{n}.md") for n in (4, 3, 2, 1, 0) for name in ("two", "one")]
    assert (
        engine.journal.notes(DAY, DAY, engine.find_workspace("one")).result(TIMEOUT).notes[0].path
        == "4.md"
    )
    earlier = DAY - dt.timedelta(days=1)
    assert engine.journal.notes(earlier, earlier).result(TIMEOUT).notes == ()


def test_what_changed_is_told_with_its_lines(engine: Engine, notes: Path) -> None:
    one = read(engine, notes)
    (notes / "garden.md").write_text("# Garden\n\nThe tomatoes need shade.\n")
    (notes / "people" / "emma.md").unlink()
    (notes / "new.md").write_text("# New\n")
    again(engine)
    found = engine.journal.changes(YESTERDAY).result(TIMEOUT)
    assert {(change.path, change.kind, change.title) for change in found.changes} == {
        ("garden.md", ChangeKind.CHANGED, "Garden"),
        ("people/emma.md", ChangeKind.REMOVED, "Emma"),
        ("new.md", ChangeKind.ADDED, "New"),
    }
    diff = engine.journal.difference(NoteAddress(one, "garden.md"), YESTERDAY).result(TIMEOUT)
    assert [(line.kind, line.text) for line in diff.lines if line.text] == [
        (LineKind.SAME, "# Garden"),
        (LineKind.REMOVED, "The tomatoes need water every second day."),
        (LineKind.ADDED, "The tomatoes need shade."),
    ]
    gone = engine.journal.difference(NoteAddress(one, "people/emma.md"), YESTERDAY).result(TIMEOUT)
    assert (gone.kind, gone.removed, gone.is_known) == (ChangeKind.REMOVED, 3, True)
    new = engine.journal.difference(NoteAddress(one, "new.md"), YESTERDAY).result(TIMEOUT)
    assert (new.kind, new.added, new.removed) == (ChangeKind.ADDED, 1, 0)


@pytest.fixture
def recipes(tmp_path: Path) -> Path:
    """A vault with a folder of three notes, one of them in a folder below."""
    names = ("Recipes/apple.md", "Recipes/pear.md", "Recipes/soups/leek.md", "home.md")
    return write_notes(tmp_path / "vault", {name: f"# {name}\n\nMix it.\n" for name in names})


def told(engine: Engine) -> list[tuple[str, str, str, int]]:
    changes = engine.journal.changes(YESTERDAY).result(TIMEOUT).changes
    return sorted((each.kind, each.former_path, each.path, len(each.moved)) for each in changes)


@pytest.mark.parametrize(("former", "folder"), [("Recipes", "Cooking"), ("Recipes", "old/Recipes")])
def test_a_renamed_folder_is_one_move(
    engine: Engine, recipes: Path, former: str, folder: str
) -> None:
    read(engine, recipes)
    (recipes / folder).parent.mkdir(exist_ok=True)
    (recipes / former).rename(recipes / folder)
    again(engine)
    [move] = engine.journal.changes(YESTERDAY).result(TIMEOUT).changes
    assert (move.kind, move.path, move.former_path) == (
        ChangeKind.MOVED,
        "old" if folder == "old/Recipes" else folder,
        "" if folder == "old/Recipes" else former,
    )
    assert sorted((each.former_path, each.path) for each in move.moved) == [
        (f"{former}/{name}", f"{folder}/{name}")
        for name in ("apple.md", "pear.md", "soups/leek.md")
    ]
    [page] = [engine.journal.changes(YESTERDAY, limit=1).result(TIMEOUT)]
    assert page.changes == (move,)
    assert page.next is not None
    assert engine.journal.changes(YESTERDAY, after=page.next).result(TIMEOUT).changes == ()


def test_a_renamed_note_is_a_move(engine: Engine, recipes: Path) -> None:
    one = read(engine, recipes)
    (recipes / "home.md").rename(recipes / "house.md")
    again(engine)
    assert told(engine) == [("moved", "home.md", "house.md", 0)]
    diff = engine.journal.difference(NoteAddress(one, "house.md"), YESTERDAY).result(TIMEOUT)
    assert (diff.kind, diff.former_path, diff.lines) == (ChangeKind.MOVED, "home.md", ())


def test_a_note_that_was_moved_and_then_changed_shows_the_lines_that_changed(
    engine: Engine, recipes: Path
) -> None:
    one = read(engine, recipes)
    (recipes / "Recipes").rename(recipes / "Cooking")
    again(engine)
    (recipes / "Cooking" / "pear.md").write_text("# Recipes/pear.md\n\nBoil it.\n")
    again(engine)
    assert told(engine) == [
        ("moved", "Recipes", "Cooking", 2),
        ("moved", "Recipes/pear.md", "Cooking/pear.md", 0),
    ]
    diff = engine.journal.difference(NoteAddress(one, "Cooking/pear.md"), YESTERDAY).result(TIMEOUT)
    assert [line.text for line in diff.lines if line.kind is not LineKind.SAME] == [
        "Mix it.",
        "Boil it.",
    ]


def test_a_note_moved_twice_comes_from_its_first_place(engine: Engine, recipes: Path) -> None:
    read(engine, recipes)
    for former, name in (("home.md", "house.md"), ("house.md", "flat.md")):
        (recipes / former).rename(recipes / name)
        again(engine)
    assert told(engine) == [("moved", "home.md", "flat.md", 0)]
    (recipes / "flat.md").rename(recipes / "home.md")
    again(engine)
    assert told(engine) == []


def test_a_copy_is_no_move(engine: Engine, recipes: Path) -> None:
    read(engine, recipes)
    (recipes / "copy.md").write_bytes((recipes / "home.md").read_bytes())
    again(engine)
    assert told(engine) == [("added", "", "copy.md", 0)]


def test_equal_notes_are_moved_each_to_the_place_with_its_name(
    engine: Engine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "vault", {f"In/{n}.md": "- [ ] \n" for n in "abc"})
    read(engine, root)
    (root / "In").rename(root / "Out")
    (root / "Out" / "c.md").unlink()
    again(engine)
    assert told(engine) == [("moved", "In", "Out", 2), ("removed", "", "In/c.md", 0)]


def test_a_note_that_a_person_deleted_and_forgot_leaves_no_text_behind(
    engine: Engine, notes: Path, paths: Paths
) -> None:
    one = read(engine, notes)
    (notes / "people" / "emma.md").unlink()
    again(engine)
    engine.folders.remove(engine.find_workspace(one)).result(TIMEOUT)
    assert not list(paths.indexes.glob("*"))


def test_older_text_that_is_not_kept_is_said_to_be_unknown(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    paths.config.mkdir(parents=True)
    paths.config_file.write_text("{ memorySearch: { history: { maxBytes: 0 } } }")
    engine = new_engine()
    one = read(engine, notes)
    (notes / "garden.md").write_text("Other.\n")
    again(engine)
    diff = engine.journal.difference(NoteAddress(one, "garden.md"), YESTERDAY).result(TIMEOUT)
    assert (diff.kind, diff.is_known, diff.lines) == (ChangeKind.CHANGED, False, ())


@pytest.mark.parametrize(("days", "kept"), [("", 14), ("history: { days: 0 }", 0)])
def test_it_is_known_how_far_back_changes_go(
    new_engine: NewEngine, notes: Path, paths: Paths, days: str, kept: int
) -> None:
    paths.config.mkdir(parents=True)
    paths.config_file.write_text(f"{{ memorySearch: {{ {days} }} }}")
    engine = new_engine()
    read(engine, notes)
    (notes / "garden.md").write_text("Other.\n")
    again(engine)
    found = engine.journal.changes(YESTERDAY).result(TIMEOUT)
    assert (len(found.changes), found.kept_days) == (int(kept > 0), kept)


def test_a_workspace_that_was_never_read_has_no_differences(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes)
    with pytest.raises(NoteRefused):
        engine.journal.difference(NoteAddress(workspace.id, "garden.md"), YESTERDAY).result(TIMEOUT)


def test_touching_a_note_is_no_change(engine: Engine, notes: Path) -> None:
    read(engine, notes)
    age(notes / "garden.md")
    again(engine)
    assert engine.journal.changes(YESTERDAY).result(TIMEOUT).changes == ()


def test_one_damaged_index_does_not_silence_the_others(
    new_engine: NewEngine, notes: Path, diary: Path, paths: Paths
) -> None:
    engine = new_engine()
    damaged, whole = read(engine, notes), read(engine, diary)
    engine.close()
    (paths.indexes / f"{damaged}.sqlite").write_bytes(b"rubbish" * 1000)
    again = new_engine()
    found = again.journal.days(DAY, DAY).result(TIMEOUT)
    assert [(day.workspace, day.notes) for day in found.days] == [(whole, 2)]
    assert again.journal.notes(DAY, DAY).result(TIMEOUT).notes
    with pytest.raises(IndexCorrupt):
        again.journal.changes(YESTERDAY, again.find_workspace(damaged)).result(TIMEOUT)


@pytest.mark.wine_fault("it never wakes a program that waits for a lock of a file, as SQLite does")
def test_no_search_waits_while_long_notes_are_compared(engine: Engine, notes: Path) -> None:
    one = read(engine, notes)
    (notes / "garden.md").write_text("\n".join(f"line {n % 7} {n}" for n in range(4000)))
    again(engine)
    (notes / "garden.md").write_text("\n".join(f"line {n % 7} {n + 1}" for n in range(4000)))
    again(engine)
    comparing = engine.journal.difference(NoteAddress(one, "garden.md"), YESTERDAY)
    assert found(engine, "router") == ["house/router.md"]
    assert comparing.result(TIMEOUT).is_known


INDEXES = st.dictionaries(
    st.sampled_from("abc"),
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 50)), unique_by=lambda row: row[1]),
)
"""Workspace -> (moment, row number); many rows share a moment."""


@given(INDEXES, st.integers(1, 7))
def test_pages_over_several_indexes_hold_each_row_once_and_in_order(
    indexes: dict[str, list[tuple[int, int]]], limit: int
) -> None:
    seen: list[tuple[int, str, int]] = []
    after: JournalPosition | None = None
    while True:
        found = [
            (JournalPosition(moment, name, row), (moment, name, row))
            for name, rows in indexes.items()
            for moment, row in sorted(rows, reverse=True)
            if (moment, row)
            < resume_position(after, Workspace(WorkspaceId(name), name, Path(name)))
        ]
        page, after = first_page(found, limit)
        seen += page
        if after is None:
            break
    everything = [(moment, name, row) for name, rows in indexes.items() for moment, row in rows]
    assert seen == sorted(everything, reverse=True)


def test_conflict_copies_stand_behind_their_note(engine: Engine, tmp_path: Path) -> None:
    text = "The plan of the pond.\nDig.\n"
    names = (
        "Plan.md", "Plan.sync-conflict-20260312-101500-ABCDEFG.md", "Plan (conflicted copy 2).md",
        "Plan 2.md", "Plan 3.md", "Alone.sync-conflict-20260312-101500-ABCDEFG.md",
    )  # fmt: skip
    root = write_notes(tmp_path / "copies", dict.fromkeys(names, text) | {"Plan 3.md": "Other.\n"})
    for name in names:
        dated(root, name, dt.datetime(2026, 3, 12, 9).astimezone())
    workspace = read(engine, root)
    page = engine.journal.notes(DAY, DAY).result(TIMEOUT)
    newest = engine.journal.newest(Filters(), [WorkspaceId(workspace)]).result(TIMEOUT)
    for notes in (page.notes, newest.notes):
        assert {note.path: set(note.conflict_copies) for note in notes} == {
            "Plan.md": {names[1], names[2], names[3]},
            "Plan 3.md": set(),
            names[5]: set(),
        }


PAGES = [f"{number:02}.md" for number in range(20)]
COPIES = ["Plans.conflict-a.md", "Plans (conflicted copy 2).md"]
LONE = ["Gone.conflict-a.md", "Gone.conflict-b.md"]


@pytest.mark.parametrize(
    "order",
    [
        # The note is the newest, or stands between its copies.
        ["Plans.md", *PAGES, *COPIES, *LONE],
        [COPIES[0], LONE[0], *PAGES, "Plans.md", COPIES[1], LONE[1]],
    ],
)
@pytest.mark.parametrize("is_of_days", [True, False])
def test_a_conflict_copy_stands_behind_its_note_on_another_page(
    engine: Engine, tmp_path: Path, order: list[str], *, is_of_days: bool
) -> None:
    root = write_notes(tmp_path / "copies", {name: f"{name}\n" for name in order})
    for minutes, name in enumerate(order):
        dated(root, name, dt.datetime(2026, 3, 12, 9, 59 - minutes).astimezone())
    workspace = WorkspaceId(read(engine, root))
    seen: list[tuple[str, set[str]]] = []
    after = None
    while after or not seen:
        if is_of_days:
            page = engine.journal.notes(DAY, DAY, after=after, limit=5).result(TIMEOUT)
        else:
            listed = engine.journal.newest(Filters(), [workspace], after=after, limit=5)
            page = listed.result(TIMEOUT)
        seen += [(note.path, set(note.conflict_copies)) for note in page.notes]
        after = page.next
    assert sorted(seen, key=lambda row: row[0]) == [
        *((name, set()) for name in PAGES),
        (LONE[0], {LONE[1]}),
        ("Plans.md", {*COPIES}),
    ]


def test_a_conflict_copy_whose_note_is_not_in_the_list_is_a_note_of_its_own(
    engine: Engine, tmp_path: Path
) -> None:
    copy = "Plans.conflict-a.md"
    root = write_notes(tmp_path / "copies", {"Plans.md": "New. #open\n", copy: "Old.\n"})
    dated(root, copy, dt.datetime(2026, 3, 12, 9).astimezone())
    dated(root, "Plans.md", dt.datetime(2026, 3, 20, 9).astimezone())
    workspace = WorkspaceId(read(engine, root))
    of_day = engine.journal.notes(DAY, DAY).result(TIMEOUT)
    assert [note.path for note in of_day.notes] == [copy]
    tagged = engine.journal.newest(Filters(tags=("open",)), [workspace]).result(TIMEOUT)
    assert [(note.path, note.conflict_copies) for note in tagged.notes] == [("Plans.md", ())]


def test_a_copy_that_only_its_text_tells_stays_in_the_list_without_its_note(
    engine: Engine, tmp_path: Path
) -> None:
    # On the page of a certain copy, whose note is on another one.
    names = ["Plan 2.md", "Plan.conflict-a.md", "Z.md", "Plan.md"]
    root = write_notes(tmp_path / "copies", dict.fromkeys(names, "Dig.\n"))
    for minutes, name in enumerate(names):
        dated(root, name, dt.datetime(2026, 3, 12, 9, 59 - minutes).astimezone())
    workspace = WorkspaceId(read(engine, root))
    page = engine.journal.newest(Filters(), [workspace], limit=2).result(TIMEOUT)
    assert [note.path for note in page.notes] == ["Plan 2.md"]
