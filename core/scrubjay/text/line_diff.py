"""Two texts compared line by line, as people read it: what was added, what was removed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.records.journal_records import DiffLine, LineKind

_CONTEXT = 3
"""Unchanged lines that are shown around a change."""

_MOST_COMPARED = 5_000
"""Lines between the first and the last change; more are not matched with each other, because that
takes a time that grows with their square."""

_MOST_SHOWN = 3_000

_Step = tuple[bool, int, int, int, int]
"""Whether lines are equal, their range in the old text, their range in the new one."""


@dataclass(frozen=True, slots=True)
class LineDiff:
    """How one text became another."""

    lines: tuple[DiffLine, ...]
    """Empty when all lines are equal."""
    added: int
    removed: int
    is_cut: bool
    """There is more than is shown."""


def compare_lines(former: str, current: str) -> LineDiff:
    """Compare two texts; what is far from any change is left out."""
    old, new = _lines(former), _lines(current)
    steps = list(_steps(old, new))
    shown: list[DiffLine] = []
    added = removed = 0
    for at, (is_same, i1, i2, j1, j2) in enumerate(steps):
        if is_same and len(steps) > 1:
            before, after = _CONTEXT * (at > 0), _CONTEXT * (at + 1 < len(steps))
            shown += _context(new, j1, j2, before, after)
        elif not is_same:
            added += j2 - j1
            removed += i2 - i1
            shown += [DiffLine(LineKind.REMOVED, old[line], line + 1) for line in range(i1, i2)]
            shown += [DiffLine(LineKind.ADDED, new[line], line + 1) for line in range(j1, j2)]
    return LineDiff(tuple(shown[:_MOST_SHOWN]), added, removed, is_cut=len(shown) > _MOST_SHOWN)


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _context(
    new: Sequence[str], start: int, end: int, before: int, after: int
) -> Iterator[DiffLine]:
    """Unchanged lines: so many behind the change before them, so many ahead of the next one."""
    hidden = end - start - before - after
    for line in range(start, end):
        if hidden > 1 and start + before <= line < end - after:
            if line == start + before:
                yield DiffLine(LineKind.GAP, "", hidden)
            continue
        yield DiffLine(LineKind.SAME, new[line], line + 1)


def _steps(old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    """Alternating runs of equal and of other lines, from the first line to the last."""
    head = _equal_ahead(old, new)
    tail = _equal_ahead(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    if head:
        yield True, 0, head, 0, head
    if old_end - head + new_end - head > _MOST_COMPARED:
        yield False, head, old_end, head, new_end
    else:
        matcher = difflib.SequenceMatcher(None, old[head:old_end], new[head:new_end])
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            yield tag == "equal", head + i1, head + i2, head + j1, head + j2
    if tail:
        yield True, old_end, len(old), new_end, len(new)


def _equal_ahead(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new))
    )
