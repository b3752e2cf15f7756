"""Every writer, killed at each step of a save: the next start leaves no content of it anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import killed_saves
from support.attacks import IS_LONG
from support.vault import write_notes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")

KEY = "sk-PLANTED0123456789abcdefgh"
"""Stands in the settings and in those of an agent."""
OF_A_NOTE = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx0123456789"

SETTINGS = """{{
  workspaces: [{{ id: "notes", path: {root!r} }}],
  memorySearch: {{ provider: "openai", remote: {{ apiKey: "{key}" }} }},
}}
"""


def killed(home: Path, writer: str) -> dict[str, int]:
    root = write_notes(
        home / "notes", {"MEMORY.md": f"My key is {OF_A_NOTE}.\n", "memory/a.md": "A.\n"}
    )
    settings = SETTINGS.format(root=str(root), key=KEY)
    servers = json.dumps({"mcpServers": {"other": {"env": {"OTHER_API_KEY": KEY}}}})
    write_notes(home, {"config.json5": settings, "person/.cursor/mcp.json": servers})
    path = os.pathsep.join(part for part in sys.path if part)
    ran = subprocess.run(
        [sys.executable, killed_saves.__file__, writer, str(home)],
        env=os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    counts: dict[str, int] = json.loads(ran.stdout)
    return counts


WRITERS = ("settings", "rules", "remember", "ticks", "edits", "state", "keys", "token")


@pytest.mark.soak
@pytest.mark.parametrize("writer", WRITERS if IS_LONG else ["rules"])
def test_nothing_of_a_killed_save_is_left_after_the_next_start(tmp_path: Path, writer: str) -> None:
    counts = killed(tmp_path, writer)
    assert 0 < counts["left"] <= counts["kills"]


def test_a_note_that_was_just_exchanged_with_its_new_content_is_kept(tmp_path: Path) -> None:
    assert killed(tmp_path, "redact")["left"]
    kept = [file.read_text() for file in (tmp_path / "state" / "backups").glob("left-behind-*")]
    assert f"{OF_A_NOTE}.\n" in "".join(kept)


@pytest.mark.parametrize("writer", ["key_moved", "connect"])
def test_a_key_that_was_taken_out_is_nowhere_after_the_next_start(
    tmp_path: Path, writer: str
) -> None:
    assert killed(tmp_path, writer)["left"]
    for name in ("config.json5", "person/.cursor/mcp.json"):
        file = tmp_path / name
        file.write_text(file.read_text().replace(KEY, "another"))
    killed_saves.start(tmp_path)
    holders = [file for file in tmp_path.rglob("*") if file.is_file() and _holds_key(file)]
    assert holders == []


def _holds_key(file: Path) -> bool:
    return KEY.encode() in file.read_bytes()
