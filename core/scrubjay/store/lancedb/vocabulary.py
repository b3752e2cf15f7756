"""The stems of a shared workspace with their frequencies, in memory."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scrubjay.store.lancedb.checked_rows import whole_stems

if TYPE_CHECKING:
    import pyarrow as pa

MOST_STEMS = 300
"""Stems with one beginning or ending that are listed at most."""
_MANY = 5_000
"""Later rows that are taken in one by one."""
_LONGEST = 40
"""Bytes of a stem that is kept side by side with others, each of which takes as many."""


class Vocabulary:
    """Stem -> number of chunks with it. A million stems take 48 MB. Not changed once it is made."""

    def __init__(
        self,
        stems: npt.NDArray[np.bytes_],
        counts: npt.NDArray[np.int64],
        later: Mapping[str, int],
        step: int,
        damaged: int,
    ) -> None:
        """Stems are in order, as UTF-8, each with its count; later ones count before them."""
        self._stems, self._counts, self._later = stems, counts, later
        self._later_stems = sorted(later)
        self.step = step
        """The last that was read."""
        self.damaged = damaged
        """Rows that were excluded."""

    @classmethod
    def of(cls, rows: pa.Table) -> Vocabulary:
        """The vocabulary of all rows of its table."""
        import pyarrow.compute as pc

        count = len(rows)
        rows = whole_stems(rows)
        damaged = count - len(rows)
        lengths = pc.binary_length(rows["stem"])
        long = rows.filter(pc.greater(lengths, _LONGEST))
        step = pc.max(rows["step"]).as_py() or 0
        rows = rows.filter(pc.less_equal(lengths, _LONGEST))
        # A nought at the end would be cut off, and no stem has one.
        stems = np.array([stem.encode() for stem in rows["stem"].to_pylist()], f"S{_LONGEST}")
        counts = rows["chunks"].to_numpy()
        order = np.lexsort((rows["step"].to_numpy(), stems))
        stems, counts = stems[order], counts[order]
        is_last = np.append(stems[1:] != stems[:-1], np.ones(min(1, len(stems)), dtype=bool))
        return cls(stems[is_last], counts[is_last], _in_order(long), step, damaged)

    def with_rows(
        self, after: Callable[[int], pa.Table], whole: Callable[[], pa.Table], count: int
    ) -> Vocabulary:
        """The vocabulary with the rows after a step, or of the whole table where those are many.

        Count is that of all rows: where all are later ones, the table was written anew.
        """
        rows = after(self.step)
        if len(rows) == count:
            return Vocabulary.of(rows)
        if not len(rows):
            return self
        if len(rows) > max(_MANY, len(self._stems) // 2):
            return Vocabulary.of(whole())
        usable = whole_stems(rows)
        damaged = self.damaged + len(rows) - len(usable)
        step = max([self.step, *usable["step"].to_pylist()])
        later = {**self._later, **_in_order(usable)}
        return Vocabulary(self._stems, self._counts, later, step, damaged)

    def count(self, stem: str) -> int:
        """Number of chunks with a stem."""
        if stem in self._later:
            return self._later[stem]
        place = self._place(stem)
        return 0 if place is None else int(self._counts[place])

    def counts(self, stems: Sequence[str]) -> Mapping[str, int]:
        """The same for many, without those that do not occur."""
        return {stem: count for stem in stems if (count := self.count(stem))}

    def beginning(self, prefix: str) -> Sequence[str]:
        """Stems that begin so, in order, MOST_STEMS at most."""
        data = prefix.encode("utf-8", "replace")
        first = int(np.searchsorted(self._stems, np.bytes_(data)))
        stems: list[str] = []
        for stem in self._stems[first : first + MOST_STEMS]:
            if not stem.startswith(data):
                break
            stems.append(stem.decode())
        at = bisect.bisect_left(self._later_stems, prefix)
        for later in self._later_stems[at : at + MOST_STEMS]:
            if not later.startswith(prefix):
                break
            stems.append(later)
        return sorted({stem for stem in stems if self.count(stem)})[:MOST_STEMS]

    def ending(self, ending: str, letters: int) -> Sequence[str]:
        """Stems of so many letters that end so, MOST_STEMS at most. Reads through all."""
        ends = np.char.endswith(self._stems, ending.encode("utf-8", "replace"))
        found = {stem.decode() for stem in self._stems[ends]}
        found |= {stem for stem in self._later_stems if stem.endswith(ending)}
        long = sorted(stem for stem in found if len(stem) >= letters and self.count(stem))
        return long[:MOST_STEMS]

    def _place(self, stem: str) -> int | None:
        data = stem.encode("utf-8", "replace")
        place = int(np.searchsorted(self._stems, np.bytes_(data)))
        is_there = place < len(self._stems) and self._stems[place] == data
        return place if is_there else None


def _in_order(rows: pa.Table) -> Mapping[str, int]:
    """Stem -> its count in the last step."""
    columns = (rows[name].to_pylist() for name in ("step", "stem", "chunks"))
    return {stem: count for _, stem, count in sorted(zip(*columns, strict=True))}
