"""An editor that reads a note, adds a line and saves it, again and again, as fast as it can."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SAVES = {
    "in place": "file.write_text(text)",
    "by rename": "new.write_text(text); new.replace(file)",
}
"""Ways to save a note."""
ROUNDS = 60

_EDITOR = """
import sys, pathlib, time
file, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
new = file.with_name(".editor.swp")

def save(text):
    # Windows refuses to replace a file that is open, so programs there try again.
    while True:
        try:
            {save}
            return
        except PermissionError:
            time.sleep(0.001)

print("ready", flush=True)
for round in range(rounds):
    save(file.read_text() + f"editor {{round}}\\n")
    time.sleep(0.004)
"""


@contextlib.contextmanager
def saving_editor(file: Path, way: str) -> Iterator[None]:
    """Runs the editor until it has saved all its lines in one of the ways of SAVES."""
    command = [sys.executable, "-c", _EDITOR.format(save=SAVES[way]), str(file), str(ROUNDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as editor:
        assert editor.stdout is not None
        editor.stdout.readline()
        yield
    assert editor.returncode == 0


def lost_lines(file: Path) -> list[str]:
    """Lines that the editor saved and that are not in the note."""
    lines = file.read_text().splitlines()
    saved = [f"editor {number}" for number in range(ROUNDS)]
    return [line for line in saved if line not in lines]
