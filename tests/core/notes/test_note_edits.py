from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.errors import NoteRefused
from scrubjay.notes.note_edits import change_note, undo_change


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "notes" / "note.md"
    file.parent.mkdir()
    file.write_bytes(b"before\r\n")
    file.chmod(0o640)
    return file


def test_a_change_can_be_undone_and_leaves_nothing_behind(note: Path, tmp_path: Path) -> None:
    mode = note.stat().st_mode
    edit = change_note(note, note.name, b"before\r\n", b"after\r\n", tmp_path / "backups")
    assert note.read_bytes() == b"after\r\n"
    assert edit.backup.read_bytes() == b"before\r\n"
    assert note.stat().st_mode == mode
    undo_change(edit)
    assert note.read_bytes() == b"before\r\n"
    assert list(note.parent.iterdir()) == [note]
    assert not edit.backup.exists()


def test_what_somebody_else_wrote_meanwhile_stays(note: Path, tmp_path: Path) -> None:
    with pytest.raises(NoteRefused, match="has changed since"):
        change_note(note, note.name, b"another state", b"after", tmp_path / "backups")
    assert note.read_bytes() == b"before\r\n"


def test_an_undo_never_overwrites_later_work(note: Path, tmp_path: Path) -> None:
    edit = change_note(note, note.name, b"before\r\n", b"after", tmp_path / "backups")
    note.write_bytes(b"later work")
    with pytest.raises(NoteRefused, match=edit.backup.name):
        undo_change(edit)
    assert note.read_bytes() == b"later work"
    assert edit.backup.read_bytes() == b"before\r\n"


def test_a_note_that_went_is_not_made_again(note: Path, tmp_path: Path) -> None:
    edit = change_note(note, note.name, b"before\r\n", b"after", tmp_path / "backups")
    note.unlink()
    with pytest.raises(NoteRefused, match=r"cannot be changed. The file no longer exists\."):
        undo_change(edit)
    assert not note.exists()


def test_a_full_backup_folder_leaves_the_note_alone(note: Path, tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("a file where the folder should be")
    with pytest.raises(NoteRefused, match="Scrubjay cannot write to"):
        change_note(note, note.name, b"before\r\n", b"after", tmp_path / "backups")
    assert note.read_bytes() == b"before\r\n"


def test_a_note_with_the_longest_name_there_is_can_be_changed(tmp_path: Path) -> None:
    file = tmp_path / f"{'橿' * 84}.md"
    file.write_bytes(b"before")
    edit = change_note(file, file.name, b"before", b"after", tmp_path / "backups")
    assert file.read_bytes() == b"after"
    undo_change(edit)
    assert file.read_bytes() == b"before"
