"""`python -m bench.soak_picture`: draws docs/soak.svg from the samples of `bench.soak`."""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

_ROOT = Path(__file__).resolve().parents[1]
_WIDTH, _HEIGHT = 720, 150
"""Of one panel."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 26, 22
_MB = 2**20
_MOST_POINTS = 240
_STEPS = 4
"""Lines of the grid that a scale has at most, beside its zero."""


class _Line(Struct, frozen=True):
    """One column of the samples."""

    column: str
    label: str
    colour: str
    unit: float = 1.0
    is_compared: bool = False
    """Drawn of an older version, too."""


_PANELS: tuple[tuple[str, tuple[_Line, ...]], ...] = (
    (
        "MB",
        (
            _Line("rss", "resident", "#1b7f79", unit=_MB),
            _Line("private", "private", "#8a4fbf", unit=_MB, is_compared=True),
            _Line("malloc_free", "freed, but kept", "#c2702a", unit=_MB, is_compared=True),
        ),
    ),
    ("descriptors", (_Line("files", "descriptors", "#1b7f79"),)),
    ("threads", (_Line("threads", "threads", "#1b7f79"),)),
    ("Qt objects", (_Line("qt_objects", "Qt objects", "#1b7f79"),)),
)
"""What each panel counts, and its lines."""

Sample = dict[str, float]


def read_samples(file: Path) -> list[Sample]:
    """The rows of a file of samples."""
    with file.open(newline="") as lines:
        return [
            {name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)
        ]


def draw(samples: Sequence[Sample], before: Sequence[Sample] = ()) -> str:
    """SVG of what the app held, with a panel for each kind, over the same minutes.

    Dashed lines are of an older version under the same load.
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT * len(_PANELS)}"'
        ' font-family="sans-serif" font-size="12" fill="#555">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT * len(_PANELS)}" fill="#fff"/>',
    ]
    for number, (title, lines) in enumerate(_PANELS):
        parts.append(f'<g transform="translate(0 {_HEIGHT * number})">')
        parts += _panel(title, lines, _thinned(samples), _thinned(before))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    """As many samples as a picture can show."""
    return samples[:: max(1, math.ceil(len(samples) / _MOST_POINTS))]


def _panel(
    title: str, lines: Sequence[_Line], samples: Sequence[Sample], before: Sequence[Sample]
) -> Iterator[str]:
    drawn = [(line, samples, "") for line in lines]
    if before:
        drawn += [(line, before, "5 3") for line in lines if line.is_compared]
    highest = max(sample[line.column] / line.unit for line, some, _ in drawn for sample in some)
    step = _round_step(highest / _STEPS)
    top = step * math.ceil(highest / step)
    end = _WIDTH - _RIGHT
    minutes = max(1.0, *(some[-1]["minute"] for some in (samples, before) if some))

    def across(minute: float) -> float:
        return round(_LEFT + minute / minutes * (end - _LEFT), 1)

    def up(value: float) -> float:
        return round(_HEIGHT - _BOTTOM - value / top * (_HEIGHT - _BOTTOM - _TOP), 1)

    yield f'<text x="{_LEFT}" y="16">{title}</text>'
    for number in range(round(top / step) + 1):
        y = up(number * step)
        yield f'<path d="M{_LEFT} {y}H{end}" stroke="#ddd"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{number * step:,g}</text>'
    each = _round_step(minutes / 8)
    for number in range(int(minutes / each) + 1):
        x = across(number * each)
        yield f'<text x="{x}" y="{_HEIGHT - 6}" text-anchor="middle">{number * each:g} min</text>'
    for number, (line, some, dashes) in enumerate(drawn):
        points = " ".join(
            f"{across(sample['minute'])},{up(sample[line.column] / line.unit)}" for sample in some
        )
        style = f'fill="none" stroke="{line.colour}" stroke-width="1.5" stroke-dasharray="{dashes}"'
        yield f'<polyline points="{points}" {style}/>'
        y = _TOP + 8 + 18 * number
        yield f'<path d="M{end + 10} {y - 4}h14" {style}/>'
        label = f"{line.label}, before" if dashes else line.label
        yield f'<text x="{end + 28}" y="{y}" font-size="10">{label}</text>'


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, … that is not less."""
    power = 10.0 ** math.floor(math.log10(max(least, 1.0)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def main() -> None:
    """Draw a file of samples."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak_picture")
    parser.add_argument(
        "samples", type=Path, nargs="?", default=_ROOT / "build" / "soak" / "soak.csv"
    )
    parser.add_argument("--before", type=Path, help="samples of an older version")
    parser.add_argument("--output", type=Path, default=_ROOT / "docs" / "soak.svg")
    options = parser.parse_args()
    before = read_samples(options.before) if options.before else ()
    options.output.write_text(draw(read_samples(options.samples), before))


if __name__ == "__main__":
    main()
