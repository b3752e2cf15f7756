"""Files that another program has open are waited for, and then called so."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import pytest

from scrubjay.errors import system_reason
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.notes.note_edits import NoteRefused, UndoableEdits, change_note, undo_change
from scrubjay.platform.atomic_write import PAUSES_S, when_released, write_atomically
from scrubjay.platform.deferred_deletion import delete_or_note
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.platform.temporary_files import delete_left_behind, delete_temporary_files
from support.files_in_use import InUse
from support.vault import write_notes


def test_a_step_is_repeated_until_the_file_is_free(tmp_path: Path) -> None:
    attempts = 0

    def work() -> int:
        nonlocal attempts
        attempts += 1
        if attempts < len(PAUSES_S):
            raise OSError(errno.EBUSY, "busy")
        return attempts

    assert when_released(work, tmp_path) == len(PAUSES_S)


def test_what_is_never_a_file_in_use_is_tried_once(tmp_path: Path) -> None:
    attempts = 0

    def work() -> None:
        nonlocal attempts
        attempts += 1
        raise FileNotFoundError(errno.ENOENT, "gone")

    with pytest.raises(FileNotFoundError):
        when_released(work, tmp_path)
    assert attempts == 1


@pytest.mark.parametrize("number", [32, 33])
def test_a_sharing_violation_of_windows_is_called_a_file_in_use(number: int) -> None:
    error = PermissionError(errno.EACCES, "Permission denied")
    error.winerror = number  # type: ignore[attr-defined]
    assert system_reason(error) == "Another program is using the file"


def test_a_file_is_replaced_once_its_holder_lets_go(tmp_path: Path, in_use: InUse) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(b"before")
    checks = 0

    with in_use(file) as release:

        def check() -> None:
            nonlocal checks
            checks += 1
            if checks == 3:
                release()

        write_atomically(file, b"after", 0o600, check)
    assert file.read_bytes() == b"after"
    assert checks == 3


def test_a_note_that_stays_open_is_said_to_be_open(tmp_path: Path, in_use: InUse) -> None:
    file = tmp_path / "garden.md"
    file.write_bytes(b"")
    with in_use(file), pytest.raises(NoteRefused) as refused:
        change_note(file, "garden.md", before=b"", after=b"after", backups=tmp_path / "backups")
    assert refused.value.message == "Another program is using the file."
    assert "Close it in the other program" in refused.value.hint
    assert file.read_bytes() == b""
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".scrubjay-")]


def test_a_state_file_is_changed_once_its_holder_lets_go(
    tmp_path: Path, in_use: InUse, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(b"")
    with in_use(file) as release:
        # Released in the first pause between two attempts, however busy the computer is.
        monkeypatch.setattr(time, "sleep", lambda _: release())
        with StateFile(file).changed() as state:
            state["a"] = 1
        monkeypatch.undo()
    assert StateFile(file).read() == {"a": 1}


def test_a_download_is_complete_once_who_reads_its_description_lets_go(
    tmp_path: Path, in_use: InUse, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = PartialFile(tmp_path / "a.gguf")
    part.file.write_bytes(b"acorns")
    part.update(model="a")
    with in_use(tmp_path / "a.gguf.part.json") as release:
        monkeypatch.setattr(time, "sleep", lambda _: release())
        assert part.finish().read_bytes() == b"acorns"
        monkeypatch.undo()
    assert not part.exists


def test_a_file_in_use_is_deleted_at_the_next_start(paths: Paths, in_use: InUse) -> None:
    paths.indexes.mkdir(parents=True)
    held, free = paths.indexes / "a.sqlite", paths.indexes / "a.sqlite-wal"
    note = paths.indexes / "a.sqlite.to-delete"
    for file in (held, free):
        file.write_bytes(b"text")
    with in_use(held):
        problem = delete_or_note([held, free], note)
        assert problem is not None
        assert system_reason(problem) == "Another program is using the file"
        assert not free.exists()
        delete_left_behind(paths)
        assert note.exists()
    delete_left_behind(paths)
    assert list(paths.indexes.iterdir()) == []


def test_a_note_of_deletions_names_only_files_beside_it(paths: Paths) -> None:
    paths.indexes.mkdir(parents=True)
    (paths.indexes / "a.to-delete").write_text("../settings\n..\n\n")
    (paths.state / "settings").write_text("kept")
    delete_left_behind(paths)
    assert (paths.state / "settings").read_text() == "kept"


def test_a_note_of_deletions_names_only_files_of_its_own_index(paths: Paths) -> None:
    write_notes(paths.indexes, {"a.sqlite": "", "b.sqlite": "kept"})
    write_notes(paths.indexes, {"a.sqlite.to-delete": "a.sqlite\nb.sqlite"})
    delete_left_behind(paths)
    assert [file.name for file in paths.indexes.iterdir()] == ["b.sqlite"]


def test_a_list_of_a_person_with_the_name_of_a_note_of_deletions_stays(
    paths: Paths, tmp_path: Path
) -> None:
    theirs = {"files.to-delete": "thesis.docx\nfiles.odt", "thesis.docx": "", "files.odt": ""}
    for folder in (paths.config, paths.state, tmp_path / "home"):
        write_notes(folder, theirs)
    delete_left_behind(paths)
    delete_temporary_files(tmp_path / "home")
    for folder in (paths.config, paths.state, tmp_path / "home"):
        assert theirs.keys() <= {file.name for file in folder.iterdir()}


def test_the_copy_before_an_older_change_may_stay_open(tmp_path: Path, in_use: InUse) -> None:
    edits = UndoableEdits(tmp_path / "state")
    note = tmp_path / "garden.md"
    note.write_bytes(b"one")
    first = edits.replace(note, "garden.md", before=b"one", after=b"two", what="first")
    with in_use(first.backup):
        edits.replace(note, "garden.md", before=b"two", after=b"three", what="second")
    last = edits.last()
    assert last is not None
    undo_change(last)
    assert note.read_bytes() == b"two"
