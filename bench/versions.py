"""`python -m bench.versions CORE`: agents' times of this version and of another, in turn.

CORE is the folder `core` of another checkout. Both versions run with the same Python, packages and
notes, so that only their code differs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bench.agents import first_answer_ms, index_notes, running_server, work

_ROOT = Path(__file__).resolve().parents[1]
_LOAD = "p95 of eight clients"


def main() -> None:
    """Measure in turn, and print a line with both medians and the ratio for each step."""
    parser = argparse.ArgumentParser(prog="python -m bench.versions")
    parser.add_argument("other", type=Path, help="folder `core` of another checkout")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument(
        "--requests", type=int, default=100, help="of eight clients in a round, or 0"
    )
    options = parser.parse_args()
    cores = {"this": _ROOT / "core", "other": options.other.resolve()}
    times: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in cores}
    with tempfile.TemporaryDirectory(prefix="scrubjay-versions-") as name:
        folder = Path(name)
        environs: dict[str, dict[str, str]] = {}
        # Each version has an index of its own, since one may not read that of the other.
        for version, core in cores.items():
            home = {"SCRUBJAY_HOME": str(folder / f"{version}-home"), "PYTHONPATH": str(core)}
            environs[version] = {**os.environ, **home}
            index_notes(folder / version, environs[version])
        headings = [
            file.read_text().splitlines()[0]
            for file in sorted((folder / "this").rglob("*.md"))[: options.rounds]
        ]
        for number, question in enumerate(headings):
            # Going first may make a difference, so they take turns.
            for version in sorted(cores, reverse=number % 2 == 0):
                measured = _round_ms(environs[version], question, options.requests)
                for step, elapsed_ms in measured.items():
                    times[version][step].append(elapsed_ms)
            print(f"round {number + 1} of {len(headings)}", file=sys.stderr)
    json.dump(times, sys.stdout)
    print()
    for step, own in times["this"].items():
        _print_row(step, own, times["other"][step])


def _round_ms(environ: Mapping[str, str], question: str, requests: int) -> dict[str, float]:
    """The times of one version, of a server that starts and of one that eight clients use."""
    measured = first_answer_ms(environ, question)
    if not requests:
        return measured
    command = [str(Path(sys.executable).with_name("scrubjay")), "mcp", "--http", "--port", "0"]
    with running_server(environ, command) as (_, port, token):
        work(port, token, requests=requests // 2)  # warm
        results = work(port, token, requests)
    every = [each for of_tool in results["times_ms"].values() for each in of_tool]
    measured[_LOAD] = float(np.percentile(every, 95))
    return measured


def _print_row(step: str, this: Sequence[float], other: Sequence[float]) -> None:
    """Medians of both in milliseconds, and the ratio with the range of the middle half of pairs."""
    ratios = [mine / theirs for mine, theirs in zip(this, other, strict=True)]
    low, middle, high = np.percentile(ratios, (25, 50, 75))
    print(
        f"{step}: {statistics.median(other):.0f} -> {statistics.median(this):.0f} ms, "
        f"ratio {middle:.2f} ({low:.2f} to {high:.2f})"
    )


if __name__ == "__main__":
    main()
