from __future__ import annotations

import stat
from pathlib import Path

import pytest

from scrubjay.platform.atomic_write import replace_bytes


def test_a_file_is_made_or_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    for data in (b"first", b"second"):
        replace_bytes(file, data, 0o640)
        assert file.read_bytes() == data
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_check_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_bytes(b"before")

    def check() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        replace_bytes(file, b"after", 0o640, check)
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]
