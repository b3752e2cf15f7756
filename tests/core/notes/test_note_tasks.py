"""Ticking a task of a note: one letter changes, and all bytes come back."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import NoteRefused, NotWritable
from scrubjay.notes.note_edits import UndoableEdits, toggle_task, toggle_task_in_text
from scrubjay.notes.note_reader import decode_note
from scrubjay.platform.atomic_write import when_released
from support.saving_editor import SAVES, lost_lines, saving_editor
from support.vault import tree_digest, write_notes

TEXT = "# To do\n\n- [ ] ring Emma\n- [x] the boiler\n"


@pytest.fixture
def edits(tmp_path: Path) -> UndoableEdits:
    return UndoableEdits(tmp_path / "state")


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("- [ ] a", "- [x] a"),
        ("- [x] a", "- [ ] a"),
        ("* [X] a", "* [ ] a"),
        ("  + [ ] a [ ]", "  + [x] a [ ]"),
        ("12) [ ] a", "12) [x] a"),
        ("\t1. [x]", "\t1. [ ]"),
        ("> > - [ ] a", "> > - [x] a"),
        (">- [ ] a", ">- [x] a"),
        ("- - [ ] a", "- - [x] a"),
        ("- > - [ ] a", "- > - [x] a"),
    ],
)
def test_a_task_is_ticked_and_opened(line: str, other: str) -> None:
    assert toggle_task_in_text(f"one\r\n{line}\rtwo", 2) == f"one\r\n{other}\rtwo"
    assert toggle_task_in_text(f"\ufeff{line}", 1) == f"\ufeff{other}"


@pytest.mark.parametrize(
    "line", ["", "[ ] a", "- [-] a", "- a [ ] b", "- [ ]a", "-[ ] a", "- [] a"]
)
def test_what_is_no_task_stays(line: str) -> None:
    assert toggle_task_in_text(f"{line}\n- [ ] b", 1) is None
    assert toggle_task_in_text(line, 7) is None


@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(["- [ ] a", "- [x] ñ", "> 1. [X]\u2028b", "- [ ]\x0b", "text 🐦", ""]),
            st.sampled_from(["\n", "\r\n", "\r"]),
        ),
        min_size=1,
    ),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    number=st.integers(0, 40),
)
def test_one_letter_changes_and_undo_gives_each_byte_back(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str]], codec: str, number: int
) -> None:
    text, home = "".join(line + end for line, end in lines), tmp_path_factory.mktemp("n")
    file = write_notes(home, {"n.md": text.encode(codec)}) / "n.md"
    before, edits = file.read_bytes(), UndoableEdits(home / "state")
    shown = re.split(r"\r\n|\r|\n", text)
    try:
        edit = toggle_task(edits, file, file.name, number, decode_note(before))
    except NoteRefused:
        assert file.read_bytes() == before
        assert not 0 < number <= len(shown) or "[" not in shown[number - 1]
        return
    after = file.read_bytes()
    assert len(after) == len(before)
    changed = [at for at in range(len(before)) if before[at] != after[at]]
    assert len(changed) == 1
    lines_now = re.split(r"\r\n|\r|\n", decode_note(after))
    assert [at for at, line in enumerate(lines_now) if line != shown[at]] == [number - 1]
    assert edits.undo(edit).backup == edit.backup
    assert file.read_bytes() == before


def test_a_note_that_was_saved_meanwhile_is_left_alone(
    edits: UndoableEdits, tmp_path: Path
) -> None:
    saved = f"One more line.\n{TEXT}"
    file = write_notes(tmp_path, {"n.md": saved}) / "n.md"
    with pytest.raises(NoteRefused, match="has changed since"):
        toggle_task(edits, file, file.name, 3, TEXT)
    file.unlink()
    with pytest.raises(NoteRefused, match="has changed since"):
        toggle_task(edits, file, file.name, 3, TEXT)
    assert not file.exists()


def test_a_tick_is_taken_back_only_while_nothing_else_was_saved(
    edits: UndoableEdits, tmp_path: Path
) -> None:
    file = write_notes(tmp_path, {"n.md": TEXT}) / "n.md"
    edit = toggle_task(edits, file, file.name, 3, TEXT)
    saved = f"{file.read_text()}More.\n"
    file.write_text(saved)
    with pytest.raises(NoteRefused, match="has changed since"):
        edits.undo(edit)
    assert file.read_text() == saved


def test_only_the_last_tick_is_taken_back(edits: UndoableEdits, tmp_path: Path) -> None:
    file = write_notes(tmp_path, {"n.md": TEXT}) / "n.md"
    first = toggle_task(edits, file, file.name, 3, TEXT)
    ticked = file.read_text()
    second = toggle_task(edits, file, file.name, 4, ticked)
    with pytest.raises(Exception, match="nothing to undo"):
        edits.undo(first)
    edits.undo(second)
    assert file.read_text() == ticked


@pytest.mark.needs("links")
def test_links_and_locked_notes_and_modes_stay(edits: UndoableEdits, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "notes", {"a/Real.md": TEXT, "Locked.md": TEXT})
    (root / "b").symlink_to(root / "a")
    (root / "Link.md").symlink_to(root / "a" / "Real.md")
    (root / "Locked.md").chmod(0o444)
    before = tree_digest(root)
    for label in ("b/Real.md", "Link.md", "Locked.md"):
        with pytest.raises((NoteRefused, NotWritable)):
            toggle_task(edits, root / label, label, 3, TEXT)
    assert tree_digest(root) == before
    real = root / "a" / "Real.md"
    real.chmod(0o600)
    toggle_task(edits, real, "a/Real.md", 3, TEXT)
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_the_note_as_it_was(small_disk: Path, tmp_path: Path) -> None:
    text = TEXT + "word " * 10_000
    file = write_notes(small_disk, {"n.md": text}) / "n.md"
    free = os.statvfs(small_disk)
    (small_disk / "filler").write_bytes(b"x" * (free.f_bavail * free.f_bsize))
    with pytest.raises((NoteRefused, NotWritable)):
        toggle_task(UndoableEdits(tmp_path / "state"), file, file.name, 3, text)
    assert file.read_text() == text
    assert {each.name for each in small_disk.iterdir()} >= {"n.md", "filler"}
    assert not [each for each in small_disk.iterdir() if each.name.startswith(".")]


@pytest.mark.parametrize("way", SAVES)
def test_an_editor_that_saves_all_the_time_loses_none_of_its_lines(
    edits: UndoableEdits, tmp_path: Path, way: str
) -> None:
    file = write_notes(tmp_path / "notes", {"n.md": TEXT}) / "n.md"
    with saving_editor(file, way):
        for _ in range(10):
            with contextlib.suppress(NoteRefused, NotWritable):
                text = when_released(file.read_text, file)
                edits.undo(toggle_task(edits, file, file.name, 3, text))
            time.sleep(0.02)
    assert lost_lines(file) == []
