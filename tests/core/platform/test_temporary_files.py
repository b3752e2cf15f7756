"""What killed processes left behind is told from what is being written."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.notes.interrupted_saves import clear_interrupted_saves
from scrubjay.notes.scan import scan_folder
from scrubjay.platform.atomic_write import INCOMPLETE_FILE, create_file, write_atomically
from scrubjay.platform.paths import Paths
from scrubjay.platform.temporary_files import delete_left_behind, delete_temporary_files
from support.vault import write_notes

LEFT = ".scrubjay-0123456789abcdef"


def write_old_notes(root: Path, notes: dict[str, str]) -> Path:
    """Write notes of an hour ago, which nobody is still writing where no lock tells."""
    write_notes(root, notes)
    for label in notes:
        hour_ago = (root / label).stat().st_mtime - 3600
        os.utime(root / label, (hour_ago, hour_ago))
    return root


def test_it_is_deleted_beside_the_settings_and_in_the_state(paths: Paths) -> None:
    places = (paths.config, paths.state, paths.state / "agents" / "connections")
    for folder in places:
        write_old_notes(folder, {LEFT: "a key", "settings": "kept"})
    delete_left_behind(paths)
    for folder in places:
        assert not (folder / LEFT).exists()
        assert (folder / "settings").exists()


@pytest.mark.needs("links")
def test_it_is_deleted_beside_the_real_settings_file_behind_a_link(
    paths: Paths, tmp_path: Path
) -> None:
    real = write_old_notes(tmp_path / "dotfiles", {"config.json5": "{}", LEFT: "a key"})
    paths.config.mkdir()
    paths.config_file.symlink_to(real / "config.json5")
    delete_left_behind(paths)
    assert [file.name for file in real.iterdir()] == ["config.json5"]


@pytest.mark.parametrize(
    "name", [".scrubjay-0123456789abcdeg", ".scrubjay-0123", ".scrubjay-notes", "scrubjay-home"]
)
def test_other_names_are_not_ours(tmp_path: Path, name: str) -> None:
    write_old_notes(tmp_path, {name: "theirs"})
    delete_temporary_files(tmp_path)
    assert (tmp_path / name).exists()


@pytest.mark.needs("links")
def test_a_link_or_a_folder_of_the_name_stays(tmp_path: Path) -> None:
    (tmp_path / LEFT).mkdir()
    (tmp_path / f"{LEFT[:-1]}0").symlink_to(tmp_path / "nothing")
    delete_temporary_files(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_being_written_stays(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"n"
        delete_temporary_files(tmp_path)
        yield b"ew"

    create_file(tmp_path / "new.md", parts(), 0o600)
    write_atomically(tmp_path / "old.md", b"new", 0o600, lambda: delete_temporary_files(tmp_path))
    for name in ("new.md", "old.md"):
        assert (tmp_path / name).read_bytes() == b"new"


def test_saves_and_deletions_at_once_lose_nothing(tmp_path: Path) -> None:
    is_over = threading.Event()

    def delete() -> None:
        while not is_over.is_set():
            delete_temporary_files(tmp_path)

    deleting = threading.Thread(target=delete)
    deleting.start()
    for number in range(400):
        write_atomically(tmp_path / "state.json", b"%d" % number, 0o600)
    is_over.set()
    deleting.join()
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"399"]


@pytest.mark.skipif(sys.platform == "win32", reason="no file is exchanged there")
def test_an_incomplete_note_is_deleted_and_another_goes_to_the_backups(tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", {LEFT: "half", f"deep/{LEFT}": "exchanged", "a.md": ""})
    (notes / LEFT).chmod(INCOMPLETE_FILE)
    found = scan_folder(notes).temporary
    assert {label for _, label in found} == {LEFT, f"deep/{LEFT}"}
    clear_interrupted_saves(found, tmp_path / "backups")
    assert [file.name for file in notes.rglob("*") if file.is_file()] == ["a.md"]
    [kept] = (tmp_path / "backups").iterdir()
    assert kept.read_text() == "exchanged"


def test_an_agents_memory_is_looked_through_too(tmp_path: Path) -> None:
    write_notes(tmp_path, {"MEMORY.md": "", LEFT: "", f"memory/{LEFT}": ""})
    assert {label for _, label in scan_folder(tmp_path).temporary} == {LEFT, f"memory/{LEFT}"}
