"""Every writer, killed at any moment: nothing confirmed is lost, nothing is torn, the next starts.

Downloads are killed in `models/download/test_fault_runs.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import killed_writer
from support.attacks import tries
from support.vault import write_notes

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here"),
]

SETTINGS = """{{
  // A person wrote this.
  workspaces: [{{ id: "notes", path: {root!r} }}],
}}
"""
WRITERS = ("index", "settings", "rules", "remember", "ticks", "edits", "state", "keys", "guests")


@pytest.mark.parametrize("writer", WRITERS)
def test_nothing_is_lost_when_it_is_killed(tmp_path: Path, writer: str) -> None:
    root = write_notes(tmp_path / "notes", {"MEMORY.md": "A line.\n"})
    write_notes(tmp_path, {"config.json5": SETTINGS.format(root=str(root))})
    times = tries(3, 100)
    path = os.pathsep.join(part for part in sys.path if part)
    ran = subprocess.run(
        [sys.executable, killed_writer.__file__, writer, str(tmp_path), str(times)],
        env=os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["changes"] >= times
