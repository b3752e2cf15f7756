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

ROOT = Path(__file__).resolve().parents[2]
IS_LONG = bool(os.environ.get("SCRUBJAY_SOAK"))
MINUTES, TIMES = ("30", "40") if IS_LONG else ("0.7", "150")
MOST_KB_FOR_EACH = 20 if IS_LONG else 40
"""Private memory that may be added for each edit, with all else that is done meanwhile."""
CACHES_KB = 2_048
"""What may still be put into caches."""
ARENAS = 2
_SLACK = {"files": 8, "threads": 8, "qt_objects": 40}
"""Of what is only there for a moment: an open index, a thread of a drive, a tool tip."""

Sample = dict[str, float]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """What the app held every second, after the first third of the time."""
    output = tmp_path_factory.mktemp("soak")
    command = [sys.executable, "-m", "bench.soak", "--free-vectors", "--output", str(output)]
    loads = ["--only", "edits", "searches", "calls", "readings", "commands"]
    times = ["--minutes", MINUTES, "--times", TIMES, "--sample-seconds", "1", "--questions", "5"]
    subprocess.run([*command, *times, *loads], cwd=ROOT, check=True, timeout=3_600)
    with (output / "soak.csv").open(newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    return rows[len(rows) // 3 :]


def halves(samples: Sequence[Sample], name: str) -> tuple[float, float]:
    """Medians of the first and of the second half."""
    middle = len(samples) // 2
    first, second = (
        statistics.median(sample[name] for sample in part)
        for part in (samples[:middle], samples[middle:])
    )
    return first, second


@pytest.mark.soak
def test_memory_does_not_grow_with_what_is_done(samples: Sequence[Sample]) -> None:
    before, after = halves(samples, "private")
    edits_before, edits_after = halves(samples, "edits")
    assert edits_after > edits_before
    allowed_kb = CACHES_KB + MOST_KB_FOR_EACH * (edits_after - edits_before)
    assert (after - before) / 1024 < allowed_kb
    assert samples[-1]["arenas"] <= ARENAS


@pytest.mark.soak
@pytest.mark.parametrize("name", _SLACK)
def test_what_is_counted_stays_as_it_is(samples: Sequence[Sample], name: str) -> None:
    before, after = halves(samples, name)
    assert after - before <= _SLACK[name]


@pytest.mark.soak
def test_all_that_was_asked_was_answered(samples: Sequence[Sample]) -> None:
    assert samples[-1]["searches"] > 0
    assert samples[-1]["unanswered"] == 0
