"""A home, or an index in it, that may only be read: it is searched, and what is new is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.store.index_file import open_writer
from support.vault import write_notes

_PROGRAM = "import sys; from scrubjay.cli import main; sys.exit(main())"
_NO_OVERRIDE = "-dac_override,-dac_read_search"


def run(home: Path, *command: str) -> tuple[int, str]:
    """Exit code and printout of the program of a user whom modes bind."""
    way = ["setpriv", f"--bounding-set={_NO_OVERRIDE}", f"--inh-caps={_NO_OVERRIDE}"]
    program = [*(way if os.geteuid() == 0 else []), sys.executable, "-c", _PROGRAM, *command]
    environ = {**os.environ, "SCRUBJAY_HOME": str(home)}
    ran = subprocess.run(program, env=environ, check=False, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home with an index of one note."""
    if os.name == "nt" or (os.geteuid() == 0 and not shutil.which("setpriv")):
        pytest.skip("modes bind no one here")
    home = write_notes(tmp_path / "home", {"config.json5": '{memorySearch: {provider: "none"}}'})
    write_notes(tmp_path / "notes", {"a.md": "# Apples\n\nAn apple a day.\n"})
    run(home, "workspace", "add", str(tmp_path / "notes"))
    assert run(home, "index")[0] == 0
    yield home
    for place in (home, *home.rglob("*")):
        place.chmod(0o700)


@pytest.mark.parametrize("what", ["home", "home with a log", "index"])
def test_what_may_only_be_read_is_searched(home: Path, tmp_path: Path, what: str) -> None:
    index = home / "state/memory/notes.sqlite"
    if what == "home with a log":
        writer = open_writer(index)
        writer.execute("insert into note values ('a', 'b')")
        log = Path(f"{index}-wal").read_bytes()
        writer.close()
        Path(f"{index}-wal").write_bytes(log)
    for place in [index] if what == "index" else [home, *home.rglob("*")]:
        place.chmod(place.stat().st_mode & 0o555)
    assert "a.md" in run(home, "search", "apple")[1]
    assert run(home, "status")[0] == 0
    write_notes(tmp_path / "notes", {"b.md": "# Pears\n"})
    code, text = run(home, "index")
    assert code == 1
    assert "cannot be used" in text
    assert len(text.splitlines()) == 1
    assert "cannot be used" in run(home, "search", "apple")[1]  # and says why b.md is missing
