"""Remembering something in today's file: nothing is lost, and it can be taken back."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import threading
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.errors import NotWritable, QueryError
from scrubjay.notes.daily_note import (
    MAX_CHARACTERS,
    AppendedEntry,
    append_line,
    append_to_daily_note,
    daily_note_path,
    undo_append,
)
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from support.saving_editor import SAVES, lost_lines, saving_editor
from support.vault import TIMEOUT, NewEngine, add, found, tree_digest, write_notes

NOW = dt.datetime(2026, 11, 21, 9, 30).astimezone()
TODAY = "memory/2026-11-21.md"


def keep(root: Path, text: str) -> AppendedEntry:
    return append_to_daily_note(Workspace(WorkspaceId("w"), "w", root), text, now=NOW)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "agent", {"MEMORY.md": "# Memory\n"})


@pytest.mark.parametrize("entry", ["memory", "memory/**", "*.md", "20*-*-*.md"])
def test_nothing_is_remembered_in_a_note_that_is_excluded(
    new_engine: NewEngine, workspace: Path, entry: str
) -> None:
    engine = new_engine()
    record = replace(add(engine, workspace), left_out=(entry,))
    engine.folders.change(record).result(TIMEOUT)
    before = tree_digest(workspace)
    with pytest.raises(NotWritable) as refused:
        engine.notes.remember(record.id, "The spare key is here").result(TIMEOUT)
    assert str(refused.value.title).endswith(".md cannot be changed")
    assert "This note is in an excluded folder, or a pattern excludes it." in str(refused.value)
    assert tree_digest(workspace) == before


def test_what_is_remembered_is_found(new_engine: NewEngine, workspace: Path) -> None:
    engine = new_engine()
    one = add(engine, workspace)
    done = engine.notes.remember(one.id, "The spare key is under the blue pot").result(TIMEOUT)
    engine.refresh().result(TIMEOUT)
    assert found(engine, "spare key") == [done.path]
    assert done.path == daily_note_path(workspace, dt.datetime.now().astimezone().date())
    assert engine.notes.undo_remember(done).result(TIMEOUT)
    assert not done.file.exists()


@pytest.mark.parametrize(
    ("files", "label"),
    [
        (["Home.md"], "2026-11-21.md"),
        (["Home.md", "Journal/2026-11-17.md"], "Journal/2026-11-21.md"),
        (["2026-11-17.md", "Trips/2026-11-18.md"], "2026-11-21.md"),
        (["2026-11-17.md", "Log/2026-11-18.md", "Log/2026-11-19.md"], "Log/2026-11-21.md"),
        (["Log/2025/12/2025-12-30.md", "Log/2025/12/2025-12-31.md"], "Log/2026/11/2026-11-21.md"),
        (["Home.md", ".trash/2026-11-17.md", "Trip 2026-11-18.md"], "2026-11-21.md"),
        (["Home.md", "Diario/17-11-2026.md"], "Diario/21-11-2026.md"),
        (["Home.md", "Log/2025/12/31.12.2025.md"], "Log/2026/11/21.11.2026.md"),
        (["Home.md", "Log/20261117.md"], "Log/20261121.md"),
        (["Home.md", "Scans/20269999.md"], "2026-11-21.md"),
    ],
)
def test_a_line_goes_where_the_dated_notes_are(
    tmp_path: Path, files: list[str], label: str
) -> None:
    root = write_notes(tmp_path / "vault", dict.fromkeys(files, "Text.\n"))
    assert keep(root, "Call Rod").path == label
    assert (root / label).is_file()


@pytest.mark.parametrize(
    ("settings", "label"),
    [
        ('{"folder": "Days/Mine"}', "Days/Mine/2026-11-21.md"),
        ('{"folder": "Days", "format": "YYYY/MM/DD.MM.YYYY"}', "Days/2026/11/21.11.2026.md"),
        ('{"format": "YYYYMMDD"}', "20261121.md"),
        ('{"folder": "Days", "format": "dddd D MMMM"}', "Days/2026-11-21.md"),
        ('{"folder": "../elsewhere"}', "Journal/2026-11-21.md"),
        ("{}", "Journal/2026-11-21.md"),
        ("[1]", "Journal/2026-11-21.md"),
        ("no JSON", "Journal/2026-11-21.md"),
    ],
)
def test_a_line_goes_where_obsidian_has_its_daily_notes(
    tmp_path: Path, settings: str, label: str
) -> None:
    files = {"Journal/2026-11-17.md": "Text.\n", ".obsidian/daily-notes.json": settings}
    root = write_notes(tmp_path / "vault", files)
    done = keep(root, "Call Rod")
    assert (done.path, undo_append(done)) == (label, True)


def test_a_first_entry_makes_the_day_and_undo_leaves_no_trace(tmp_path: Path) -> None:
    root = tmp_path / "agent"
    root.mkdir()
    done = keep(root, "Call Rod")
    assert (root / TODAY).read_text() == "# 2026-11-21\n\n- Call Rod\n"
    assert (done.path, done.first_line, done.is_new_file) == (TODAY, 3, True)
    assert undo_append(done)
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    ("files", "label"),
    [
        ({"Journal/2026-11-20.md": "Rain.\n", "Home.md": "Home.\n"}, "Journal/2026-11-21.md"),
        ({"journals/2026_11_20.md": "- Rain.\n"}, "journals/2026_11_21.md"),
        ({"Home.md": "Home.\n", ".trash/2026-11-20.md": "Rain.\n"}, "2026-11-21.md"),
        (
            {
                "Journal/2026-11-20.md": "Rain.\n",
                ".obsidian/daily-notes.json": '{"folder": "Daily", "format": "YYYY/MM/YYYY-MM-DD"}',
            },
            "Daily/2026/11/2026-11-21.md",
        ),
        (
            {"Home.md": "H\n", ".obsidian/daily-notes.json": '{"folder": "D", "format": "dddd D"}'},
            "D/2026-11-21.md",
        ),
        (
            {"Home.md": "Home.\n", ".obsidian/daily-notes.json": '{"folder": "../out"}'},
            "2026-11-21.md",
        ),
        ({"Home.md": "Home.\n", ".obsidian/daily-notes.json": "[1]"}, "2026-11-21.md"),
        ({"Home.md": "Home.\n", ".obsidian/daily-notes.json": "[" * 9_999}, "2026-11-21.md"),
    ],
)
def test_a_persons_entry_is_beside_the_other_days(
    tmp_path: Path, files: dict[str, str], label: str
) -> None:
    root = write_notes(tmp_path / "notes", files)
    before = sorted(root.rglob("*"))
    done = keep(root, "The spare key is under the blue pot")
    assert done.path == label
    assert "spare key" in (root / label).read_text()
    assert undo_append(done)
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("# Day\n\n- one\n", "two", "# Day\n\n- one\n- two\n"),
        ("# Day\n\n- one", "two", "# Day\n\n- one\n- two\n"),
        ("Some words", "two", "Some words\n\n- two\n"),
        ("Words\n\n", "two", "Words\n\n- two\n"),
        ("- one\r\n", "two", "- one\r\n- two\r\n"),
        ("- one\n", "## Plan\n\nFirst this.", "- one\n\n## Plan\n\nFirst this.\n"),
        ("- one\n", "* two", "- one\n\n* two\n"),
        ("", "  two  ", "# 2026-11-21\n\n- two\n"),
        (" \t", "two", " \t# 2026-11-21\n\n- two\n"),
        ("- one\n", "1. first\r\n2. second\n", "- one\n\n1. first\n2. second\n"),
    ],
)
def test_an_entry_stands_on_lines_of_its_own(
    workspace: Path, before: str, text: str, after: str
) -> None:
    file = write_notes(workspace, {TODAY: before}) / TODAY
    done = keep(workspace, text)
    assert file.read_bytes().decode() == after
    lines = after.splitlines()[done.first_line - 1 : done.last_line]
    assert lines == done.text.split("\n")
    assert undo_append(done)
    assert file.read_bytes().decode() == before


@example(before="\r", text="0")
@given(
    before=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=80),
    text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=80),
)
def test_whatever_is_there_stays_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, before: str, text: str
) -> None:
    root = write_notes(tmp_path_factory.mktemp("w"), {"MEMORY.md": "", TODAY: before})
    try:
        done = keep(root, text)
    except QueryError:
        assert not "".join(text.split())
        return
    data = (root / TODAY).read_bytes()
    assert data.startswith(before.encode())
    assert undo_append(done)
    assert (root / TODAY).read_bytes() == before.encode()


def test_a_plain_folder_of_notes_stays_one(notes: Path) -> None:
    done = keep(notes, "Buy seeds")
    assert done.path == "2026-11-21.md"
    assert undo_append(done)
    assert not done.file.exists()


@pytest.mark.parametrize("text", ["", " \n\t\n", "a\0b", "a\ud800b", "x" * (MAX_CHARACTERS + 1)])
def test_what_is_no_entry_is_refused(workspace: Path, text: str) -> None:
    before = tree_digest(workspace)
    with pytest.raises(QueryError):
        keep(workspace, text)
    assert tree_digest(workspace) == before


def test_undo_finds_its_entry_between_later_ones(workspace: Path) -> None:
    first, second = keep(workspace, "one"), keep(workspace, "two")
    assert undo_append(first)
    assert (workspace / TODAY).read_text() == "- two\n"
    assert not undo_append(first)
    assert undo_append(second)


def test_undo_leaves_alone_what_was_edited(workspace: Path) -> None:
    done = keep(workspace, "one")
    (workspace / TODAY).write_text("# 2026-11-21\n\n- one, and more\n")
    assert not undo_append(done)
    assert (workspace / TODAY).read_text() == "# 2026-11-21\n\n- one, and more\n"


@pytest.mark.needs("links")
def test_links_are_not_followed(workspace: Path, tmp_path: Path) -> None:
    secret = write_notes(tmp_path / "other", {"target.md": "theirs\n"}) / "target.md"
    (workspace / "memory").mkdir()
    (workspace / TODAY).symlink_to(secret)
    with pytest.raises(NotWritable):
        keep(workspace, "one")
    (workspace / TODAY).unlink()
    (workspace / "memory").rmdir()
    (workspace / "memory").symlink_to(secret.parent)
    with pytest.raises(NotWritable):
        keep(workspace, "one")
    assert sorted(path.name for path in secret.parent.iterdir()) == ["target.md"]
    assert secret.read_text() == "theirs\n"


@pytest.mark.needs("POSIX modes")
@pytest.mark.parametrize("place", ["", "memory", TODAY])
def test_what_is_read_only_is_left_alone(workspace: Path, place: str) -> None:
    write_notes(workspace, {TODAY: "- one\n"})
    if place == "":
        (workspace / TODAY).unlink()
        (workspace / "memory").rmdir()
    target = workspace / place
    target.chmod(target.stat().st_mode & ~0o222)
    if place == "memory":
        (workspace / TODAY).chmod(0o444)
    before = tree_digest(workspace)
    try:
        with pytest.raises(NotWritable, match="not allowed to write"):
            keep(workspace, "two")
        assert tree_digest(workspace) == before
    finally:
        target.chmod(0o755)


@pytest.mark.parametrize("content", [b"\xff\xfea", b"a\0b", b"caf\xe9\x01"])
def test_a_file_that_is_no_text_is_left_alone(workspace: Path, content: bytes) -> None:
    file = write_notes(workspace, {TODAY: content}) / TODAY
    with pytest.raises(NotWritable, match="into a new note"):
        keep(workspace, "one")
    assert file.read_bytes() == content


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman", "utf-16-le", "utf-16-be"])
def test_a_note_of_an_old_program_stays_in_its_encoding(workspace: Path, codec: str) -> None:
    mark = "\ufeff" if codec.startswith("utf-16") else ""
    before = f"{mark}# Küche\r\n\r\nDie Schlüssel für die Tür hängen über der Spüle.\r\n".encode(
        codec
    )
    file = write_notes(workspace, {TODAY: before}) / TODAY
    kept = keep(workspace, "Größe 42, schön für Müller")
    after = file.read_bytes()
    assert after.startswith(before)
    assert "Größe 42, schön für Müller" in after.decode(codec)
    assert undo_append(kept)
    assert file.read_bytes() == before


def test_a_letter_that_an_old_encoding_has_not_is_told(workspace: Path) -> None:
    before = "# Küche\n\nDie Schlüssel für die Tür hängen über der Spüle.\n".encode("cp1252")
    file = write_notes(workspace, {TODAY: before}) / TODAY
    with pytest.raises(NotWritable, match="cannot store the character 漢"):
        keep(workspace, "漢字")
    assert file.read_bytes() == before


@pytest.mark.needs("named pipes")
def test_a_folder_or_a_pipe_in_the_place_of_the_day_is_left_alone(workspace: Path) -> None:
    (workspace / "memory").mkdir()
    os.mkfifo(workspace / TODAY)
    with pytest.raises(NotWritable):
        keep(workspace, "one")
    (workspace / TODAY).unlink()
    (workspace / TODAY).mkdir()
    with pytest.raises(NotWritable):
        keep(workspace, "one")


def test_a_full_disk_leaves_the_file_as_it_was(small_disk: Path) -> None:
    file = write_notes(small_disk, {TODAY: "- one\n"}) / TODAY
    free = os.statvfs(small_disk)
    (small_disk / "filler").write_bytes(b"x" * (free.f_bavail * free.f_bsize))
    with pytest.raises(NotWritable):
        keep(small_disk, "word " * 3000)
    assert file.read_text() == "- one\n"


@pytest.mark.parametrize("way", SAVES)
def test_an_editor_that_saves_at_the_same_moment_loses_nothing_of_its_own(
    workspace: Path, way: str
) -> None:
    """It reads, adds and saves as fast as it can; both sides' lines are there in the end."""
    file = write_notes(workspace, {TODAY: "# Day\n"}) / TODAY
    with saving_editor(file, way):
        for number in range(5):
            with contextlib.suppress(NotWritable):
                keep(workspace, f"ours {number}")
    keep(workspace, "last")
    assert file.read_text().splitlines().count("- last") == 1
    assert lost_lines(file) == []


def test_many_threads_lose_nothing(workspace: Path) -> None:
    threads = [
        threading.Thread(target=keep, args=(workspace, f"entry {number}")) for number in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (workspace / TODAY).read_text().splitlines()
    assert sorted(line for line in lines if line.startswith("- ")) == sorted(
        f"- entry {number}" for number in range(16)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "milk\n"),
        ("# Shopping\n", "# Shopping\n\nmilk\n"),
        ("# Shopping", "# Shopping\n\nmilk\n"),
        ("Text.\n\n", "Text.\n\nmilk\n"),
        ("- bread\n", "- bread\n- milk\n"),
        ("- bread", "- bread\n- milk\n"),
        ("- bread\n  * rye\n", "- bread\n  * rye\n  * milk\n"),
        ("- [x] bread\n", "- [x] bread\n- [ ] milk\n"),
        ("9. bread\r\n", "9. bread\r\n10. milk\r\n"),
        ("> said\r\n", "> said\r\n\r\nmilk\r\n"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_line_is_added_to_any_note_as_its_end_is_written(
    tmp_path: Path, before: str, after: str, codec: str
) -> None:
    file = write_notes(tmp_path, {"Shopping.md": before.encode(codec)}) / "Shopping.md"
    file.chmod(0o640)
    mode = file.stat().st_mode
    former = file.read_bytes()
    done = append_line(file, file.name, "milk ")
    assert file.read_bytes().decode(codec if former else "utf-8") == after
    assert file.read_bytes().startswith(former)
    assert after.replace("\r\n", "\n").split("\n")[done.first_line - 1].endswith("milk")
    assert undo_append(done)
    assert file.read_bytes() == former
    assert file.stat().st_mode == mode


@given(
    before=st.one_of(st.binary(max_size=60), st.text("- [x]\r\na1.>\ufeff", max_size=40)),
    text=st.text(max_size=20),
)
@example(before="\ufeff\ufeff", text="0")
def test_a_line_that_is_added_changes_no_byte_above_and_goes_again(
    tmp_path_factory: pytest.TempPathFactory, before: bytes | str, text: str
) -> None:
    former = before.encode() if isinstance(before, str) else before
    file = write_notes(tmp_path_factory.mktemp("n"), {"n.md": former}) / "n.md"
    try:
        done = append_line(file, file.name, text)
    except (NotWritable, QueryError):
        assert file.read_bytes() == former
        return
    assert file.read_bytes().startswith(former)
    assert undo_append(done)
    assert file.read_bytes() == former


def test_a_line_is_added_only_to_a_real_note_that_is_there(tmp_path: Path) -> None:
    root = write_notes(tmp_path / "notes", {"a/Real.md": "real\n", "Locked.md": "x\n"})
    (root / "b").symlink_to(root / "a")
    (root / "Link.md").symlink_to(root / "a" / "Real.md")
    (root / "Locked.md").chmod(0o444)
    before = tree_digest(tmp_path)
    for label in ("b/Real.md", "Link.md", "Locked.md", "Gone.md", "a"):
        with pytest.raises(NotWritable):
            append_line(root / label, label, "milk")
    assert tree_digest(tmp_path) == before


def test_another_programs_save_stays_when_a_line_is_taken_back(tmp_path: Path) -> None:
    file = write_notes(tmp_path, {"List.md": "- bread\n"}) / "List.md"
    done = append_line(file, file.name, "milk")
    file.write_text("# Mine\n" + file.read_text() + "- eggs\n")
    assert undo_append(done)
    assert file.read_text() == "# Mine\n- bread\n- eggs\n"
