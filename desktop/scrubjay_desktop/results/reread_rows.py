"""The rows on screen after a result reader has read the first of them again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from scrubjay.records.search_records import Verdict
from scrubjay_desktop.results.result_rows import Key, Row
from scrubjay_desktop.text.formatting import translate


def reread_rows(shown: Sequence[Row], wanted: Sequence[Row], chosen: Collection[Key]) -> list[Row]:
    """The shown rows in the order of those that are wanted now, except for the chosen ones.

    Chosen rows and those between them stay where they are: rows above them stay above, and rows
    below stay below. Rows that rose or became sure say that they were read again.
    """
    notes = [row for row in shown if not row.is_passage]
    newest = {row.key: row for row in wanted}
    known = {row.key for row in notes}
    read = [_as_read(row, newest) for row in notes]
    new = [row for row in wanted if row.key not in known]
    # Three parts, of which the middle one keeps its order, and how sure it is.
    first, end = _chosen_range(notes, chosen)
    upper = read[:first]
    middle = [_graded(row, is_sure=_is_sure(notes[n])) for n, row in enumerate(read[:end])][first:]
    lower = [*read[end:], *new]
    # Sure rows stand above the others in the whole list.
    if middle and _is_sure(middle[0]):
        upper = [_graded(row, is_sure=True) for row in upper]
    if middle and not _is_sure(middle[-1]):
        lower = [_graded(row, is_sure=False) for row in lower]
    ranks = {row.key: rank for rank, row in enumerate(wanted)}

    def place(row: Row) -> tuple[bool, bool, int]:
        return row.is_late, not _is_sure(row), ranks.get(row.key, len(ranks))

    rows = [*sorted(upper, key=place), *middle, *sorted(lower, key=place)]
    return _with_passages(_marked(_with_group(rows), notes), shown)


def _chosen_range(notes: Sequence[Row], chosen: Collection[Key]) -> tuple[int, int]:
    """Place of the first chosen note, and the one after the last; both 0 if none is chosen."""
    heads = {key[:2] for key in chosen}
    places = [place for place, row in enumerate(notes) if row.key[:2] in heads]
    if not places:
        return 0, 0
    return places[0], places[-1] + 1


def _as_read(row: Row, newest: Mapping[Key, Row]) -> Row:
    """A row as it was read, if it was, in the state in which it is shown."""
    read = newest.get(row.key, row)
    return replace(read, is_late=row.is_late, is_unfolded=row.is_unfolded)


def _is_sure(row: Row) -> bool:
    return not (row.is_perhaps or row.is_uncertain)


def _graded(row: Row, *, is_sure: bool) -> Row:
    return replace(row, is_perhaps=not is_sure, is_uncertain=False)


def _with_group(rows: Sequence[Row]) -> list[Row]:
    """The rows, of which those that are not sure are the others, or all that there is."""
    has_sure = any(map(_is_sure, rows))
    return [
        replace(row, is_perhaps=has_sure and not _is_sure(row), is_uncertain=not has_sure)
        for row in rows
    ]


def _marked(rows: Sequence[Row], before: Sequence[Row]) -> list[Row]:
    """The rows, of which those say so that rose or became sure and fit."""
    ranks = {row.key: rank for rank, row in enumerate(before)}
    sure = {row.key for row in before if _is_sure(row)}
    marked: list[Row] = []
    highest = len(ranks)
    # From below, a row has risen if one of those below it stood above it.
    for row in reversed(rows):
        rank = ranks.get(row.key, len(ranks))
        is_better = rank > highest or (_is_sure(row) and row.key not in sure)
        highest = min(highest, rank)
        if is_better and row.hit and row.hit.explanation.verdict is Verdict.FITS:
            note = translate("ResultList", "read again: fits")
            row = replace(row, breadcrumb=" › ".join(filter(None, (row.breadcrumb, note))))
        marked.append(row)
    return marked[::-1]


def _with_passages(notes: Sequence[Row], shown: Sequence[Row]) -> list[Row]:
    """The notes, each with the passages that are shown below it."""

    def passages(note: Row) -> Iterator[Row]:
        for row in shown:
            if row.is_passage and row.key[:2] == note.key[:2]:
                yield replace(row, is_perhaps=note.is_perhaps, is_uncertain=note.is_uncertain)

    return list(chain.from_iterable((note, *passages(note)) for note in notes))
