"""The line-by-line difference of two texts, with context."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from scrubjay.records.journal_records import DiffLine, LineDiff, LineKind

_CONTEXT = 3
"""Unchanged lines that are shown around a change."""

_MOST_COMPARED = 5_000
"""Lines between the first and last change that are matched, which takes quadratic time."""

_MAX_LINES = 3_000
"""Lines of a difference at most."""

_Step = tuple[bool, int, int, int, int]
"""Whether lines are equal, their range in the old text, their range in the new one."""


def compare_lines(former: str, current: str) -> LineDiff:
    """The difference of two texts, without lines that are far from any change."""
    old = former.split("\n") if former else []
    new = current.split("\n") if current else []
    steps = list(_steps(old, new))
    lines: list[DiffLine] = []
    added = 0
    removed = 0
    for at, (is_same, i1, i2, j1, j2) in enumerate(steps):
        if is_same and len(steps) > 1:
            # At both ends of the text there is a change on one side only.
            before = _CONTEXT
            after = _CONTEXT
            if at == 0:
                before = 0
            if at + 1 == len(steps):
                after = 0
            lines += _context(new, j1, j2, before=before, after=after)
        elif not is_same:
            added += j2 - j1
            removed += i2 - i1
            lines += [DiffLine(LineKind.REMOVED, old[line], line + 1) for line in range(i1, i2)]
            lines += [DiffLine(LineKind.ADDED, new[line], line + 1) for line in range(j1, j2)]
    return LineDiff(tuple(lines[:_MAX_LINES]), added, removed, is_cut=len(lines) > _MAX_LINES)


def _context(
    new: Sequence[str], start: int, end: int, before: int, after: int
) -> Iterator[DiffLine]:
    """Unchanged lines: some after the change above them, some before the next one."""
    # A gap of one line is no shorter than the line itself, so it is shown.
    hidden = end - start - before - after
    for line in range(start, end):
        if hidden > 1 and start + before <= line < end - after:
            if line == start + before:
                yield DiffLine(LineKind.GAP, "", hidden)
            continue
        yield DiffLine(LineKind.SAME, new[line], line + 1)


def _steps(old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    """Alternating runs of equal and of different lines, from the first line to the last."""
    head = _equal_ahead(old, new)
    tail = _equal_ahead(old[head:][::-1], new[head:][::-1])
    old_end = len(old) - tail
    new_end = len(new) - tail
    if head:
        yield True, 0, head, 0, head
    # Only what lies between the first and the last change is matched, if it is not too long.
    if old_end - head + new_end - head > _MOST_COMPARED:
        yield False, head, old_end, head, new_end
    else:
        matcher = difflib.SequenceMatcher(None, old[head:old_end], new[head:new_end])
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            yield tag == "equal", head + i1, head + i2, head + j1, head + j2
    if tail:
        yield True, old_end, len(old), new_end, len(new)


def _equal_ahead(old: Sequence[str], new: Sequence[str]) -> int:
    """The number of equal lines at the beginning."""
    pairs = zip(old, new, strict=False)
    different = (at for at, (left, right) in enumerate(pairs) if left != right)
    return next(different, min(len(old), len(new)))
