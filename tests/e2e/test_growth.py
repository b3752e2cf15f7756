"""What the app holds while a busy day goes on: `python -m bench.soak` in a short form."""

from __future__ import annotations

import csv
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from scrubjay.platform.malloc import MOST_ARENAS

ROOT = Path(__file__).resolve().parents[2]
IS_LONG = bool(os.environ.get("SCRUBJAY_SOAK"))
MINUTES, TIMES = ("30", "40") if IS_LONG else ("0.7", "150")
LOADS = ("edits", "searches", "calls", "readings", "commands")
KB_FOR_EACH = 20 if IS_LONG else 40
"""Private memory that may be added for each edit, with all else that is done meanwhile."""
CACHES_KB = 2_048
"""What may still be put into caches."""
SLACK = {"files": 8, "threads": 8, "qt_objects": 20}
"""Of what is there for a moment only: an open index, a thread of a drive, a tool tip."""

Sample = dict[str, float]


def sampled(output: Path) -> list[Sample]:
    """What the app held every second, but for the first third of the time."""
    command = [sys.executable, "-m", "bench.soak", "--free-vectors", "--output", str(output)]
    times = ["--minutes", MINUTES, "--times", TIMES, "--sample-seconds", "1", "--questions", "5"]
    subprocess.run([*command, *times, "--only", *LOADS], cwd=ROOT, check=True, timeout=3_600)
    with (output / "soak.csv").open(newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    return rows[len(rows) // 3 :]


def growth(samples: Sequence[Sample], name: str) -> float:
    """Median of the second half, less that of the first one."""
    middle = len(samples) // 2
    before = statistics.median(sample[name] for sample in samples[:middle])
    return statistics.median(sample[name] for sample in samples[middle:]) - before


# One test, since each would wait for a day of its own.
@pytest.mark.soak
def test_a_busy_day_leaves_nothing_behind(tmp_path: Path) -> None:
    samples = sampled(tmp_path)
    assert all(samples[-1][load] > samples[0][load] for load in LOADS)
    # A command that a busy app does not take within half a second answers itself.
    assert 10 * samples[-1]["unanswered"] < samples[-1]["commands"] + samples[-1]["calls"]
    allowed_kb = CACHES_KB + KB_FOR_EACH * growth(samples, "edits")
    assert growth(samples, "private") < 1024 * allowed_kb
    assert samples[-1]["arenas"] <= MOST_ARENAS
    assert {name: more for name in SLACK if (more := growth(samples, name)) > SLACK[name]} == {}
