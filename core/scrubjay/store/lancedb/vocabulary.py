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
"""Bytes of the longest stem in the array, in which each stem takes as many."""


class Vocabulary:
    """Stem -> number of chunks with it. A million stems take 48 MB. It does not change."""

    def __init__(
        self,
        stems: npt.NDArray[np.bytes_],
        counts: npt.NDArray[np.int64],
        *,
        later: Mapping[str, int],
        step: int,
        damaged: int,
    ) -> None:
        """Stems are in order, as UTF-8, each with its count; later ones count before them."""
        self._stems = stems
        self._counts = counts
        self._later = later
        self._later_stems = sorted(later)
        self.step = step
        """Last step that was read."""
        self.damaged = damaged
        """Number of rows that were excluded."""

    @classmethod
    def of(cls, rows: pa.Table) -> Vocabulary:
        """The vocabulary of all rows of its table."""
        import pyarrow.compute as pc

        usable = whole_stems(rows)
        lengths = pc.binary_length(usable["stem"])
        long = usable.filter(pc.greater(lengths, _LONGEST))
        short = usable.filter(pc.less_equal(lengths, _LONGEST))

        # Stems stand side by side in one array: a dictionary takes several times the memory.
        # A nought at the end would be cut off, and no stem has one.
        stems = np.array([stem.encode() for stem in short["stem"].to_pylist()], f"S{_LONGEST}")
        order = np.lexsort((short["step"].to_numpy(), stems))
        stems = stems[order]
        counts = short["chunks"].to_numpy()[order]
        # Of several rows of a stem the last step counts.
        is_last = np.append(stems[1:] != stems[:-1], np.ones(min(1, len(stems)), dtype=bool))
        return cls(
            stems[is_last],
            counts[is_last],
            later=_in_order(long),
            step=pc.max(usable["step"]).as_py() or 0,
            damaged=len(rows) - len(usable),
        )

    def with_rows(
        self, after: Callable[[int], pa.Table], whole: Callable[[], pa.Table], count: int
    ) -> Vocabulary:
        """The vocabulary with the rows after a step, or of the whole table where those are many.

        Count is that of all rows: where all are later ones, the table was rewritten.
        """
        rows = after(self.step)
        if len(rows) == count:
            return Vocabulary.of(rows)
        if not len(rows):
            return self
        if len(rows) > max(_MANY, len(self._stems) // 2):
            return Vocabulary.of(whole())
        # The arrays are shared with the former vocabulary, which searches may still use.
        usable = whole_stems(rows)
        return Vocabulary(
            self._stems,
            self._counts,
            later={**self._later, **_in_order(usable)},
            step=max([self.step, *usable["step"].to_pylist()]),
            damaged=self.damaged + len(rows) - len(usable),
        )

    def count(self, stem: str) -> int:
        """Number of chunks with a stem."""
        if stem in self._later:
            return self._later[stem]
        position = self._position(stem)
        if position is None:
            return 0
        return int(self._counts[position])

    def counts(self, stems: Sequence[str]) -> Mapping[str, int]:
        """Stem -> number of chunks with it, for those of many that occur."""
        counts = {stem: self.count(stem) for stem in stems}
        return {stem: count for stem, count in counts.items() if count}

    def beginning(self, prefix: str) -> Sequence[str]:
        """Stems that begin so, in order, MOST_STEMS at most."""
        # Both lists are in order, so the stems of one beginning are side by side.
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
        # A stem may be in both, or have no chunk any longer.
        return sorted({stem for stem in stems if self.count(stem)})[:MOST_STEMS]

    def ending(self, ending: str, letters: int) -> Sequence[str]:
        """Stems of so many letters that end so, MOST_STEMS at most. Reads through all."""
        ends = np.char.endswith(self._stems, ending.encode("utf-8", "replace"))
        found = {stem.decode() for stem in self._stems[ends]}
        found |= {stem for stem in self._later_stems if stem.endswith(ending)}
        long = sorted(stem for stem in found if len(stem) >= letters and self.count(stem))
        return long[:MOST_STEMS]

    def _position(self, stem: str) -> int | None:
        """The index of a stem in the arrays; None if it is not in them."""
        data = stem.encode("utf-8", "replace")
        position = int(np.searchsorted(self._stems, np.bytes_(data)))
        if position < len(self._stems) and self._stems[position] == data:
            return position
        return None


def _in_order(rows: pa.Table) -> Mapping[str, int]:
    """Stem -> its count in the last step."""
    columns = (rows[name].to_pylist() for name in ("step", "stem", "chunks"))
    return {stem: count for _, stem, count in sorted(zip(*columns, strict=True))}
