"""What Scrubjay keeps of notes is for their owner alone, whatever the umask."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.store.writer import Writer
from support.vault import write_notes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such modes")

_PROGRAM = "import sys; from scrubjay.cli import main; sys.exit(main())"


def readable_by_others(*tops: Path) -> list[Path]:
    places: Iterable[Path] = (place for top in tops for place in (top, *top.rglob("*")))
    return [place for place in places if stat.S_IMODE(place.lstat().st_mode) & 0o077]


def test_nothing_is_for_others_under_the_widest_umask(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "home")
    write_notes(paths.config, {"config.json5": '{memorySearch: {provider: "none"}}'})
    notes = write_notes(tmp_path / "notes", {"a.md": "# Apples\n\nAn apple a day."})
    environ = {**os.environ, "SCRUBJAY_HOME": str(paths.config)}
    for command in (
        ["workspace", "add", str(notes)],
        ["index"],
        ["search", "apple"],
        ["agents", "deny", "someone", "--write"],
        ["doctor"],
        ["diagnostics"],
    ):
        program = [sys.executable, "-c", _PROGRAM, *command]
        subprocess.run(program, env=environ, umask=0, check=False, capture_output=True)
    assert list(paths.indexes.glob("*.sqlite"))
    assert list(paths.logs.iterdir())
    backups = [file for file in paths.config.iterdir() if ".bak" in file.name]
    assert backups
    folders = [folder for folder in (paths.state, paths.data, paths.cache) if folder.exists()]
    assert readable_by_others(*folders, *backups) == []


def test_the_log_of_an_open_index_is_as_private_as_the_index(tmp_path: Path) -> None:
    former = os.umask(0)
    try:
        writer = Writer.open(tmp_path / "memory" / "w.sqlite")
        assert (tmp_path / "memory" / "w.sqlite-wal").exists()
        assert readable_by_others(tmp_path / "memory") == []
        writer.close()
    finally:
        os.umask(former)


def test_what_an_earlier_version_left_open_is_closed_once(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    write_notes(tmp_path, {"state/memory/w.sqlite": "x", "state/logs/a.log": "y", "cache/z": "z"})
    others = write_notes(tmp_path, {"others/note.md": "mine"}) / "others/note.md"
    others.chmod(0o644)
    (paths.state / "link").symlink_to(others)
    for folder in (paths.state, paths.indexes, paths.logs, paths.cache):
        folder.chmod(0o755)
    Engine(paths).close()
    assert readable_by_others(paths.state / "memory", paths.state / "logs", paths.cache) == []
    assert stat.S_IMODE(paths.state.stat().st_mode) == 0o700
    assert stat.S_IMODE(others.stat().st_mode) == 0o644
    (paths.indexes / "w.sqlite").chmod(0o644)  # a person's own wish
    Engine(paths).close()
    assert readable_by_others(paths.state / "memory") == [paths.indexes / "w.sqlite"]


def test_the_copy_of_the_settings_is_private_and_the_settings_keep_their_mode(
    tmp_path: Path,
) -> None:
    file = write_notes(tmp_path, {"config.json5": "{}"}) / "config.json5"
    file.chmod(0o644)
    ConfigFile(file).set(("memorySearch", "provider"), "none")
    modes = {place.name: stat.S_IMODE(place.stat().st_mode) for place in tmp_path.iterdir()}
    assert modes["config.json5"] == 0o644
    assert modes["config.json5.bak"] == 0o600
