"""A JSON file that several processes change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.platform.state_file import StateFile

_COUNT = """
import sys
from pathlib import Path
from scrubjay.platform.state_file import StateFile
file = StateFile(Path(sys.argv[1]))
for number in range(25):
    with file.changed() as held:
        held[f"{sys.argv[2]}-{number}"] = number
"""


@pytest.mark.needs("POSIX modes")
def test_unknown_keys_and_the_mode_of_the_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"theirs": {"deep": [1]}, "ours": 1}')
    path.chmod(0o664)
    with StateFile(path).changed() as held:
        held["ours"] = 2
    assert json.loads(path.read_text()) == {"theirs": {"deep": [1]}, "ours": 2}
    assert path.stat().st_mode & 0o777 == 0o664


@pytest.mark.needs("POSIX modes")
def test_a_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state.json"
    with StateFile(path).changed() as held:
        held["a"] = 1
    assert path.stat().st_mode & 0o777 == 0o600


def test_nothing_changed_is_nothing_written(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with StateFile(path).changed():
        pass
    assert not path.exists()


def test_after_a_failure_nothing_is_written(tmp_path: Path) -> None:
    file = StateFile(tmp_path / "state.json")
    with pytest.raises(KeyError), file.changed() as held:
        held["half"] = held["missing"]
    assert file.read() == {}


@pytest.mark.parametrize("damaged", [b"", b"{", b"[1]", b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_put_aside(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(damaged)
    file = StateFile(path)
    assert file.read() == {}
    with file.changed() as held:
        held["a"] = 1
    assert file.read() == {"a": 1}
    assert (tmp_path / "state.json.damaged").read_bytes() == damaged


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    running = [
        subprocess.Popen([sys.executable, "-c", _COUNT, str(path), name]) for name in ("a", "b")
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    assert len(StateFile(path).read()) == 50
