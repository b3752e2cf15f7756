"""`python -m bench.plot`: draws docs/benchmarks.svg from the results of `python -m bench`."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 208, 28, 52
_SERIES = (
    ("words", "p50_ms", "words, median", "#1b7f79", ""),
    ("words", "p95_ms", "words, 95 of 100", "#1b7f79", "6 4"),
    ("words_and_meaning", "p50_ms", "and meaning, median", "#8a4fbf", ""),
    ("words_and_meaning", "p95_ms", "and meaning, 95 of 100", "#8a4fbf", "6 4"),
)
"""Kind, percentile, label, colour and dashes."""

_GOALS = ((100_000, 20, "#1b7f79"), (100_000, 40, "#8a4fbf"), (1_000_000, 250, "#8a4fbf"))
"""(chunks, milliseconds that 95 of 100 searches stay below, colour)."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic scale from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def decades(self) -> Iterable[float]:
        """1, 2, 5, 10, ... within the scale."""
        first = math.floor(math.log10(self.low))
        steps = (factor * 10.0**power for power in range(first, 9) for factor in (1, 2, 5))
        return [step for step in steps if self.low <= step <= self.high]


def draw(search: Mapping[str, Mapping[str, Any]]) -> str:
    """SVG of milliseconds a search over chunks, both logarithmic."""
    rows = sorted(search.values(), key=lambda row: row["chunks"])
    chunks = [row["chunks"] for row in rows]
    times = [row[kind][share] for row in rows for kind, share, *_ in _SERIES]
    across = Axis(min(chunks), max(chunks), _LEFT, _WIDTH - _RIGHT)
    goals = [goal for goal in _GOALS if goal[0] <= max(chunks)]
    highest = max(*times, *(limit for _, limit, _ in goals))
    up = Axis(min(1.0, *times), highest * 1.3, _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="12" fill="#555">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="16">milliseconds a search</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 12}" text-anchor="end">chunks</text>',
        *_grid(across, up, chunks),
        *(part for number in range(len(_SERIES)) for part in _line(rows, number, across, up)),
        *_circles(goals, across, up),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _grid(across: Axis, up: Axis, chunks: Sequence[int]) -> Iterable[str]:
    for value in up.decades():
        y = round(up.at(value), 1)
        yield f'<path d="M{across.start} {y}H{across.end}" stroke="#ddd"/>'
        yield f'<text x="{across.start - 8}" y="{y + 4}" text-anchor="end">{value:g}</text>'
    for count in chunks:
        x = round(across.at(count), 1)
        yield f'<path d="M{x} {up.start}V{up.end}" stroke="#eee"/>'
        yield f'<text x="{x}" y="{up.start + 18}" text-anchor="middle">{count:,}</text>'


def _line(rows: Sequence[Mapping[str, Any]], number: int, across: Axis, up: Axis) -> Iterable[str]:
    kind, share, label, colour, dashes = _SERIES[number]
    points = [(across.at(row["chunks"]), up.at(row[kind][share])) for row in rows]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
    yield f'<polyline points="{path}" {style}/>'
    x, y = across.end + 16, _TOP + 20 + 22 * number
    yield f'<path d="M{x} {y - 4}h28" {style}/>'
    yield f'<text x="{x + 36}" y="{y}">{label}</text>'


def _circles(goals: Sequence[tuple[int, int, str]], across: Axis, up: Axis) -> Iterable[str]:
    for chunks, limit, colour in goals:
        yield _circle(across.at(chunks), up.at(limit), colour)
    if goals:
        x, y = across.end + 30, _TOP + 20 + 22 * len(_SERIES)
        yield _circle(x, y - 4, "#555")
        yield f'<text x="{x + 22}" y="{y}">goal for 95 of 100</text>'


def _circle(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#fff" stroke="{colour}"/>'


def main() -> None:
    """Draw the results in a JSON file of the bench."""
    parser = argparse.ArgumentParser(prog="python -m bench.plot")
    parser.add_argument("measured", type=Path, nargs="?", default=_ROOT / "build" / "bench.json")
    parser.add_argument("--output", type=Path, default=_ROOT / "docs" / "benchmarks.svg")
    options = parser.parse_args()
    search = json.loads(options.measured.read_text()).get("search", {})
    if len(search) < 2:
        parser.error("nothing to draw: searches of at least two sizes have to be measured")
    options.output.write_text(draw(search))


if __name__ == "__main__":
    main()
