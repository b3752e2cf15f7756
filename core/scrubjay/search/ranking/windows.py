"""Turns the evidence of lines into hits: windows of lines that hold the most probability.

Each line's features add up to log-odds. A hit is centred on the evidence and not on the grid of
chunks, and later hits are shorter, since what comes late should cost its reader little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.notes.chunker import CHARACTERS_PER_TOKEN
from scrubjay.search.ranking.features import Floats, LineFeatures
from scrubjay.search.retrieval.candidates import SESSIONS_SHARE, Passage

WEIGHTS: Mapping[str, float] = {
    "words_chunk": 5.0, "words_line": 10.0, "meaning_chunk": 2.0, "meaning_line": 7.0,
    "meaning_around": 4.0, "meaning_trust": 16.0, "date": 8.0, "path": 16.0,
}  # fmt: skip
"""Log-odds for one unit of each feature, near a flat optimum (docs/quality.md)."""

BUDGETS = (430, 350, 300, 260, 230, 140)
"""Tokens of the first, second, ... hit; the last one holds for all that follow."""


@dataclass(frozen=True, slots=True)
class PassageWindow:
    """Consecutive lines of a region."""

    region: Passage
    first: int
    """0-based line of the region."""
    last: int
    """Inclusive."""
    best: int
    """The line with the most evidence."""
    parts: Mapping[str, float]
    """Named log-odds of the best line and its surroundings."""
    line_meaning: float
    """Cosine of the best line, estimated from its signs."""

    @property
    def log_odds(self) -> float:
        """Sum of the parts."""
        return sum(self.parts.values())


def windows(found: Sequence[Passage], judged: LineFeatures, limit: int) -> Iterator[PassageWindow]:
    """At most limit disjoint windows, best first; the first ones do not depend on limit.

    Transcripts get their share of them, unless there is nothing else.
    """
    if not found:
        return
    score: Floats = np.zeros(sum(len(region.lines) for region in found))
    for name, values in judged.features.items():
        score += WEIGHTS[name] * values
    picker = _Picker(found, score)
    sessions = {number for number, region in enumerate(found) if region.is_session}
    room_for_sessions = limit // SESSIONS_SHARE if len(sessions) < len(found) else limit
    for rank in range(limit):
        place = picker.next(BUDGETS[min(rank, len(BUDGETS) - 1)] * CHARACTERS_PER_TOKEN)
        if place is None:
            break
        first, last, best, around = place
        number = int(picker.owner[best])
        start = int(picker.starts[number])
        parts = {name: WEIGHTS[name] * float(at[best]) for name, at in judged.features.items()}
        parts["lines_around"] = around
        meaning = float(judged.features["meaning_line"][best])
        region = found[number]
        yield PassageWindow(region, first - start, last - start, best - start, parts, meaning)
        if number in sessions:
            room_for_sessions -= 1
            if room_for_sessions == 0:
                picker.leave_out(sessions)


class _Picker:
    """Takes one window after the other out of the lines."""

    def __init__(self, found: Sequence[Passage], score: Floats) -> None:
        sizes = [len(region.lines) for region in found]
        self.starts: npt.NDArray[np.int64] = np.concatenate([[0], np.cumsum(sizes)])
        self.owner: npt.NDArray[np.int64] = np.repeat(np.arange(len(found)), sizes)
        self._numbers = np.arange(self.starts[-1] + 1)
        self._borders = np.repeat(self.starts[1:], sizes)
        """Where the region of each line ends."""
        lines = [line for region in found for line in region.lines]
        self._blank = np.array([not line.strip() for line in lines])
        highest = score[~self._blank].max(initial=-np.inf)
        self._mass = np.where(self._blank, 0.0, np.exp(score - highest))
        self._offsets = np.concatenate([[0], np.cumsum([len(line) + 1 for line in lines])])
        self._taken = np.zeros(len(lines), dtype=bool)
        self._budget = -1
        self._all = self._changed = 0, len(lines)
        """Lines that are measured anew before the next window is taken: whole regions."""
        self._ends = np.zeros(len(lines), dtype=np.int64)
        self._held = np.zeros(len(lines))

    def next(self, budget: int) -> tuple[int, int, int, float] | None:
        """(first, last, best line, log of all mass by the best line's); None when nothing is left.

        Budget is in characters; a single longer line is a window of its own.
        """
        self._measure(*(self._changed if budget == self._budget else self._all), budget)
        first = int(np.argmax(self._held))
        held = float(self._held[first])
        if held <= 0:
            return None
        last = int(self._ends[first]) - 1
        while self._blank[last]:
            last -= 1
        best = first + int(np.argmax(self._mass[first : last + 1]))
        self._taken[first : last + 1] = True
        number = self.owner[first]
        self._changed = int(self.starts[number]), int(self.starts[number + 1])
        return first, last, best, math.log(held / self._mass[best])

    def leave_out(self, numbers: set[int]) -> None:
        """Take nothing more from these regions."""
        self._taken |= np.isin(self.owner, list(numbers))
        self._changed = self._all

    def _measure(self, start: int, stop: int, budget: int) -> None:
        """Compute the windows that begin in some lines, which are whole regions."""
        self._budget = budget
        lines = slice(start, stop)
        taken = self._taken[lines]
        cumulative = np.zeros(stop - start + 1)
        np.cumsum(np.where(taken, 0.0, self._mass[lines]), out=cumulative[1:])
        offsets = self._offsets[start : stop + 1]
        ends = np.searchsorted(offsets, offsets[:-1] + budget, side="right") - 1
        # A window may not reach over lines that a better one has, nor out of its region.
        barrier = np.where(taken, self._numbers[lines], self._borders[lines]) - start
        barrier = np.minimum.accumulate(barrier[::-1])[::-1]
        ends = np.maximum(np.minimum(ends, barrier), self._numbers[1 : stop - start + 1])
        held = cumulative[ends] - cumulative[:-1]
        held[taken | self._blank[lines]] = -1.0
        self._ends[lines], self._held[lines] = ends + start, held
