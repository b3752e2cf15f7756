"""Files and folders that are not as they should be: each is told, and the rest goes on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.notes.scan import MAX_BYTES
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexReport
from support.providers import WordProvider
from support.vault import (
    TIMEOUT,
    Announcements,
    NewEngine,
    add,
    ask,
    first,
    found,
    tree_digest,
    write_notes,
)


def index(engine: Engine, root: Path) -> IndexReport:
    """One pass over a folder."""
    [report] = engine.refresh(add(engine, root)).result(TIMEOUT)
    return report


def reasons(report: IndexReport) -> dict[str, str]:
    """Why each path was left out."""
    return {file.path: file.reason for file in report.skipped}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"caf\xe9 \x01\x02\n", "saved by an old program"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "saved by an old program"),
        (b"text with a \0 in it\n", "not look like text"),
        (b"\xff\xfea", "an old program"),
    ],
)
def test_what_is_no_text_is_left_out_with_a_reason(
    engine: Engine, notes: Path, content: bytes, reason: str
) -> None:
    write_notes(notes, {"odd.md": content})
    before = tree_digest(notes)
    report = index(engine, notes)
    assert reason in reasons(report)["odd.md"]
    assert found(engine, "router") == ["house/router.md"]
    assert ask(engine, "router").freshness.unreadable == 1
    assert tree_digest(notes) == before


@pytest.mark.parametrize("seconds", [-9_300_000_000, 9_300_000_000, 15_000_000_000])
def test_a_date_that_databases_cannot_hold_is_the_nearest_that_they_can(
    engine: Engine, notes: Path, seconds: int
) -> None:
    write_notes(notes, {"old camera.md": "A zebra.\n"})
    os.utime(notes / "old camera.md", (seconds, seconds))
    if int((notes / "old camera.md").stat().st_mtime) != seconds:
        pytest.skip("this drive keeps no such dates")
    report = index(engine, notes)
    assert not reasons(report)
    assert found(engine, "zebra") == ["old camera.md"]
    assert found(engine, "router") == ["house/router.md"]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf# Zebra\n\nStripes.\n",
        b"# Zebra\r\n\r\nStripes.\r\n",
        b"# Zebra\r\rStripes.\r",
        "# Zebra\n\nStripes.\n".encode("utf-16"),
        b"# Zebra\n\nStripes.",
    ],
    ids=["BOM", "CRLF", "CR", "UTF-16", "no end of line"],
)
def test_every_way_to_write_lines_gives_the_same_note(
    engine: Engine, tmp_path: Path, content: bytes
) -> None:
    index(engine, write_notes(tmp_path / "zoo", {"zebra.md": content}))
    hit = first(engine, "stripes")
    assert (hit.title, hit.first_line, hit.best_line, hit.last_line) == ("Zebra", 1, 3, 3)
    assert hit.snippet.text == "# Zebra\n\nStripes."


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"  \n\t\n" * 1000, b"\xef\xbb\xbf", b"---\n---\n"]
)
def test_a_note_without_text_is_no_problem(engine: Engine, notes: Path, content: bytes) -> None:
    write_notes(notes, {"empty.md": content})
    report = index(engine, notes)
    assert (report.changed, report.skipped) == (4, [])
    assert engine.refresh().result(TIMEOUT)[0].unchanged == 4


def test_a_line_of_ten_megabytes(engine: Engine, tmp_path: Path) -> None:
    line = b"lorem ipsum dolor sit amet " * 400_000 + b"zanzibar"
    root = write_notes(tmp_path / "big", {"long.md": line, "short.md": b"All about parrots.\n"})
    engine.refresh(add(engine, root), words_only=True).result(TIMEOUT)
    hit = first(engine, "zanzibar", Mode.LEXICAL)
    assert (hit.path, hit.first_line, hit.last_line) == ("long.md", 1, 1)
    assert len(hit.snippet.text) <= 700
    assert "zanzibar" in hit.snippet.text
    assert found(engine, "parrots") == ["short.md"]


def test_a_long_line_without_spaces(engine: Engine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "big", {"base64.md": b"QUJD" * 250_000, "cjk.md": "漢字" * 9999})
    engine.refresh(add(engine, root), words_only=True).result(TIMEOUT)
    assert found(engine, "字漢") == ["cjk.md"]


def test_a_hundred_thousand_tiny_lines(engine: Engine, tmp_path: Path) -> None:
    lines = [f"- {n}" for n in range(100_000)]
    lines[77_776] = "- the needle"
    root = write_notes(tmp_path / "big", {"list.md": "\n".join(lines)})
    engine.refresh(add(engine, root), words_only=True).result(TIMEOUT)
    assert first(engine, "needle", Mode.LEXICAL).best_line == 77_777


def test_a_file_that_is_too_large_for_a_note(engine: Engine, notes: Path) -> None:
    with (notes / "disk.md").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "larger than 64 MB" in reasons(index(engine, notes))["disk.md"]


ODD = pytest.mark.needs("odd names")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("two\nlines.md", marks=ODD),
        pytest.param("tab\there.md", marks=ODD),
        pytest.param("bell\x07.md", marks=ODD),
        "非常に\u3000広い.md",
        "no\u00a0break.md",
        "family 👨\u200d👩\u200d👧.md",
        pytest.param("quote ' \" ` $(x) %s {0} [a](b) *.md", marks=ODD),
        "-rf.md",
        pytest.param("C: \\notes.md", marks=ODD),
        pytest.param("a" * 252 + ".md", marks=pytest.mark.needs("long paths")),
    ],
)
def test_any_name_that_is_text_is_found_and_stays(engine: Engine, notes: Path, name: str) -> None:
    write_notes(notes, {name: "Where the zebra sleeps.\n"})
    assert index(engine, notes).skipped == []
    for _ in range(2):
        hit = first(engine, "zebra")
        assert (hit.path, hit.file.name) == (name, name)
        report = engine.refresh().result(TIMEOUT)[0]
        assert (report.changed, report.removed) == (0, 0)


@pytest.mark.needs("odd names")
def test_a_name_that_is_no_text_is_left_out_with_a_reason(engine: Engine, notes: Path) -> None:
    bad = os.fsdecode(b"caf\xe9.md")
    write_notes(notes, {bad: "Zebra.\n", "café.md": "Zebra.\n"})
    report = index(engine, notes)
    assert "rename it" in reasons(report)["caf�.md"]
    assert found(engine, "zebra") == ["café.md"]


@pytest.mark.needs("odd names")
def test_a_folder_whose_name_is_no_text_is_told_once_for_each_note(
    engine: Engine, notes: Path
) -> None:
    bad = os.fsdecode(b"caf\xe9")
    write_notes(notes, {f"{bad}/one.md": "One.\n", f"{bad}/two.md": "Two.\n"})
    assert set(reasons(index(engine, notes))) == {"caf�/one.md", "caf�/two.md"}


@pytest.mark.needs("named pipes")
def test_special_files_and_links_are_left_out(engine: Engine, notes: Path, tmp_path: Path) -> None:
    write_notes(tmp_path / "outside", {"secret.md": "Zebra.\n"})
    os.mkfifo(notes / "pipe.md")
    (notes / "linked.md").symlink_to(tmp_path / "outside/secret.md")
    (notes / "folder").symlink_to(tmp_path / "outside")
    (notes / "loop").symlink_to(notes)
    (notes / "broken.md").symlink_to(notes / "nothing")
    (notes / "folder.md").mkdir()
    report = index(engine, notes)
    assert set(reasons(report)) == {"pipe.md", "linked.md", "folder", "loop", "broken.md"}
    assert not any(file.is_problem for file in report.skipped)
    assert found(engine, "zebra") == []


def test_unreadable_notes_and_folders_are_told_and_keep_what_was_indexed(locked_away: Path) -> None:
    paths = Paths.under(locked_away / "home")
    root = write_notes(
        locked_away / "notes",
        {"open.md": "Zebra one.\n", "shut.md": "Zebra two.\n", "closed/deep.md": "Zebra three.\n"},
    )
    engine = Engine(paths, provider=WordProvider())
    try:
        index(engine, root)
        write_notes(root, {"shut.md": "Zebra two, changed.\n"})
        (root / "shut.md").chmod(0)
        (root / "closed").chmod(0)
        [report] = engine.refresh().result(TIMEOUT)
        assert reasons(report) == {
            "shut.md": "The file cannot be read (Permission denied).",
            "closed/": "The folder cannot be read (Permission denied).",
        }
        assert report.removed == 0
        assert set(found(engine, "zebra")) == {"open.md", "shut.md", "closed/deep.md"}
        assert ask(engine, "zebra").freshness.unreadable == 2
    finally:
        engine.close()


def test_a_folder_behind_a_locked_door_prunes_nothing(locked_away: Path) -> None:
    root = write_notes(locked_away / "house/notes", {"zoo.md": "Zebra.\n"})
    engine = Engine(Paths.under(locked_away / "home"), provider=WordProvider())
    try:
        index(engine, root)
        (locked_away / "house").chmod(0)
        [report] = engine.refresh().result(TIMEOUT)
        assert report.removed == 0
        assert [file.is_problem for file in report.skipped] == [True]
        assert found(engine, "zebra") == ["zoo.md"]
    finally:
        engine.close()


def test_a_folder_that_is_removed_and_comes_back(engine: Engine, notes: Path) -> None:
    index(engine, notes)
    away = notes.rename(notes.with_name("away"))
    [report] = engine.refresh().result(TIMEOUT)
    assert report.removed == 0
    assert f"The folder {notes} does not exist." in reasons(report).values()
    assert found(engine, "router") == ["house/router.md"]
    away.rename(notes)
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.removed, report.unchanged) == (0, 0, 3)
    assert report.skipped == []


def test_a_note_that_vanishes_while_it_is_indexed(
    engine: Engine, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_notes(notes, {"zoo.md": "Zebra.\n"})
    heard = Announcements(engine)

    def vanish(event: object) -> None:
        (notes / "zoo.md").unlink(missing_ok=True)

    engine.events.subscribe(vanish)  # the first event comes before any note is read
    report = index(engine, notes)
    assert heard.seen
    assert (report.changed, report.skipped) == (3, [])
    assert found(engine, "zebra") == []


def test_a_note_that_changes_while_it_is_understood(new_engine: NewEngine, notes: Path) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    provider.before_batch = lambda: write_notes(notes, {"garden.md": "Now about pumpkins.\n"})
    index(engine, notes)
    engine.refresh().result(TIMEOUT)
    assert (found(engine, "tomatoes"), found(engine, "pumpkins")) == ([], ["garden.md"])
    assert first(engine, "pumpkins", Mode.VECTOR, min_score=0.0).path == "garden.md"


def test_a_whole_folder_that_vanishes_while_it_is_understood(
    new_engine: NewEngine, notes: Path
) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    provider.before_batch = lambda: shutil.rmtree(notes, ignore_errors=True)
    report = index(engine, notes)
    assert report.embedded == 3
    assert found(engine, "router") == ["house/router.md"]


def test_a_note_that_became_unreadable_text_is_forgotten(engine: Engine, notes: Path) -> None:
    index(engine, notes)
    write_notes(notes, {"garden.md": b"tomatoes \xff\xfe\x00"})
    [report] = engine.refresh().result(TIMEOUT)
    assert "garden.md" in reasons(report)
    assert found(engine, "tomatoes") == []
