"""The way of a search and of a saved note leads through few modules."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.vault import TIMEOUT

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "call_paths.py"
MOST_MODULES = {"a search by words": 30, "a saved note": 32}
"""Modules that somebody reads who follows either from its beginning to its end. What goes beyond
these is better answered by an owner of the fact than by one more module in between."""


def test_few_modules_lie_on_the_way() -> None:
    printed = subprocess.run(
        [sys.executable, SCRIPT, "--list"],
        capture_output=True,
        text=True,
        timeout=3 * TIMEOUT,
        check=False,
    )
    found = re.findall(r"^(a [a-z ]+?) +(\d+) modules", printed.stdout, re.MULTILINE)
    modules = {title: int(number) for title, number in found}
    assert modules.keys() == MOST_MODULES.keys(), printed.stderr
    longer = {title for title, most in MOST_MODULES.items() if modules[title] > most}
    assert not longer, printed.stdout
