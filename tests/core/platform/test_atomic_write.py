from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from scrubjay.platform.atomic_write import write_atomically


@pytest.mark.needs("POSIX modes")
def test_a_file_is_made_or_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    for data in (b"first", b"second"):
        write_atomically(file, data, 0o640)
        assert file.read_bytes() == data
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_check_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_bytes(b"before")

    def check() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        write_atomically(file, b"after", 0o640, check)
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]


class Changed(Exception):
    """The answer of a check."""


@pytest.mark.parametrize("way", ["by rename", "in place"])
def test_what_is_saved_after_the_check_comes_back(tmp_path: Path, way: str) -> None:
    file, other = tmp_path / "n.md", tmp_path / "other"
    file.write_bytes(b"former")
    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1
        if checks == 2:
            raise Changed
        other.write_bytes(b"saved")
        other.replace(file) if way == "by rename" else file.write_bytes(b"saved")

    with pytest.raises(Changed):
        write_atomically(file, b"ours", 0o644, check, former=hashlib.sha256(b"former").digest())
    assert file.read_bytes() == b"saved"
    assert {each.name for each in tmp_path.iterdir()} <= {"n.md", "other"}


def test_a_file_that_stayed_is_replaced_in_its_folder_and_nothing_is_left(tmp_path: Path) -> None:
    file = tmp_path / "n.md"
    file.write_bytes(b"former")
    folder = os.open(tmp_path, os.O_RDONLY) if os.open in os.supports_dir_fd else None
    former = hashlib.sha256(b"former").digest()
    write_atomically(file, b"ours", 0o600, folder=folder, former=former)
    assert file.read_bytes() == b"ours"
    assert [each.name for each in tmp_path.iterdir()] == ["n.md"]
    if folder is not None:
        os.close(folder)
