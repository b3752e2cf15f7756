"""Changing a note, and taking the change back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import NoteRefused, NotWritable
from scrubjay.notes.note_edits import NothingToUndo, UndoableEdits, read_for_edit
from support import platforms


@pytest.fixture
def edits(tmp_path: Path) -> UndoableEdits:
    return UndoableEdits(tmp_path / "state")


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "note.md"
    file.write_bytes(b"one\r\ntwo\n")
    file.chmod(0o640)
    return file


def test_a_change_is_taken_back_to_the_byte(edits: UndoableEdits, note: Path) -> None:
    mode = note.stat().st_mode
    edits.replace(note, note.name, b"one\r\ntwo\n", b"one\n", "forgot two")
    assert note.read_bytes() == b"one\n"
    assert edits.undo().what == "forgot two"
    assert note.read_bytes() == b"one\r\ntwo\n"
    assert note.stat().st_mode == mode
    with pytest.raises(NothingToUndo):
        edits.undo()


def test_a_note_that_was_made_goes_again(edits: UndoableEdits, tmp_path: Path) -> None:
    file = tmp_path / "new.md"
    edits.replace(file, file.name, None, b"hello\n", "made it")
    assert file.read_bytes() == b"hello\n"
    edits.undo()
    assert not file.exists()


def test_a_save_in_between_is_never_overwritten(edits: UndoableEdits, note: Path) -> None:
    with pytest.raises(NoteRefused):
        edits.replace(note, note.name, b"one\n", b"", "late")
    assert note.read_bytes() == b"one\r\ntwo\n"
    assert edits.last() is None


def test_undo_refuses_when_the_note_was_saved_since_and_says_how(
    edits: UndoableEdits, note: Path
) -> None:
    edits.replace(note, note.name, note.read_bytes(), b"one\n", "forgot two")
    note.write_bytes(b"one\nthree\n")
    with pytest.raises(NoteRefused, match="has changed since") as refused:
        edits.undo()
    assert note.read_bytes() == b"one\nthree\n"
    assert edits.last() is not None
    backup = refused.value.hint.removeprefix(
        "The earlier version of the note is saved in "
    ).removesuffix(".")
    assert Path(backup).read_bytes() == b"one\r\ntwo\n"


@pytest.mark.parametrize(
    "name", [pytest.param("link.md", marks=pytest.mark.needs("links")), "locked.md", "folder.md"]
)
def test_links_folders_and_what_is_read_only_are_left_alone(
    edits: UndoableEdits, note: Path, tmp_path: Path, name: str
) -> None:
    platforms.make_link(tmp_path / "link.md", note)
    locked = tmp_path / "locked.md"
    locked.write_bytes(b"x")
    locked.chmod(0o444)
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(NotWritable):
        read_for_edit(tmp_path / name, name)
    with pytest.raises(NotWritable):
        edits.replace(tmp_path / name, name, b"x", b"y", "no")
    assert (note.read_bytes(), locked.read_bytes()) == (b"one\r\ntwo\n", b"x")


@settings(max_examples=20)
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_come_back(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes
) -> None:
    folder = tmp_path_factory.mktemp("edits")
    file = folder / "note.md"
    file.write_bytes(before)
    edits = UndoableEdits(folder / "state")
    edits.replace(file, file.name, before, after, "change")
    assert file.read_bytes() == after
    edits.undo()
    assert file.read_bytes() == before
