"""Rows that move when a result reader has read them again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex

from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Explanation, Hit, Snippet, Verdict
from scrubjay.search.ranking.weights import CLEARLY_BETTER
from scrubjay_desktop.results.reread_rows import reread_rows
from scrubjay_desktop.results.result_model import ResultListModel, group_title
from scrubjay_desktop.results.result_rows import Key, Row, row_of_hit, unfold_row

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
NOTE = "read again: fits"
LEAST = 0.35
"""Score of the least sure row."""


def row(name: str, score: float = 0.9, reading: float | None = None) -> Row:
    """A row as the search, or a reader if it has a change of log-odds, found it."""
    parts = {} if reading is None else {"reading": reading}
    hit = Hit(
        "home", f"{name}.md", Path(f"/{name}.md"), Source.NOTES, name, "", 1, 2, 1, score, None,
        score, Snippet(name), NOW, explanation=Explanation(parts=parts),
        is_perhaps=score < LEAST,
    )  # fmt: skip
    return row_of_hit(hit, {}, NOW)


def key(name: str) -> Key:
    return ("home", f"{name}.md", 0)


def names(rows: list[Row]) -> str:
    return "".join(each.title for each in rows)


def sure(rows: list[Row]) -> str:
    return "".join(each.title for each in rows if not (each.is_perhaps or each.is_uncertain))


def says(rows: list[Row]) -> str:
    return "".join(each.title for each in rows if NOTE in each.breadcrumb)


FOUND = [row("a"), row("b", 0.8), row("c", 0.3), row("d", 0.2)]


def test_a_better_row_rises_and_says_why(qapp) -> None:
    read = [row("b", 0.9, 2.0), row("a", 0.5, -1.0), FOUND[2], FOUND[3]]
    rows = reread_rows(FOUND, read, ())
    assert (names(rows), says(rows)) == ("bacd", "b")


def test_a_row_that_is_believed_becomes_sure(qapp) -> None:
    read = [*FOUND[:2], row("d", 0.5, 3.0), row("c", 0.2, -1.0)]
    rows = reread_rows(FOUND, read, [key("a")])
    assert (names(rows), sure(rows), says(rows)) == ("abdc", "abd", "d")
    assert rows[3].is_perhaps


def test_the_nearest_rows_are_others_once_one_is_sure(qapp) -> None:
    shown = [replace(each, is_perhaps=False, is_uncertain=True) for each in FOUND[2:]]
    rows = reread_rows(shown, [row("d", 0.5, 3.0), row("c", 0.2, -1.0)], ())
    assert [group_title(each) for each in rows] == ["", "Other possible results"]


def test_a_row_that_fits_as_well_as_before_does_not_say_that_it_fits(qapp) -> None:
    read = [*FOUND[:2], row("c", 0.36, 0.3), FOUND[3]]
    rows = reread_rows(FOUND, read, ())
    assert (sure(rows), says(rows)) == ("abc", "")


def test_no_row_passes_the_chosen_one(qapp) -> None:
    read = [row("d", 0.9, 4.0), row("c", 0.8, 4.0), row("b", 0.6, 0.5), row("a", 0.4, -1.0)]
    rows = reread_rows(FOUND, read, [key("b")])
    assert (names(rows), sure(rows)) == ("abdc", "abdc")


def test_nothing_is_sure_below_a_chosen_row_that_is_not(qapp) -> None:
    read = [row("d", 0.9, 4.0), *FOUND[:3]]
    rows = reread_rows(FOUND, read, [key("c")])
    assert (names(rows), sure(rows)) == ("abcd", "ab")


def test_an_unfolded_note_moves_with_its_passages(qapp) -> None:
    passage = row("b").hit
    assert passage is not None
    passage = replace(passage, first_line=9)
    head = row("b", 0.8)
    assert head.hit is not None
    head = replace(head, hit=replace(head.hit, passages=(passage,)))
    shown = unfold_row([row("a"), head], head, NOW)
    rows = reread_rows(shown, [row("b", 0.9, 2.0), row("a", 0.3, -1.0)], ())
    assert [(each.title, each.is_passage) for each in rows] == [
        ("b", False),
        ("b", True),
        ("a", False),
    ]


def test_the_choice_stays_with_its_row_while_others_move(qapp) -> None:
    model = ResultListModel()
    model.replace(FOUND)
    selection = QItemSelectionModel(model)
    selection.setCurrentIndex(model.index(1), QItemSelectionModel.SelectionFlag.Select)
    below = QPersistentModelIndex(model.index(2))
    model.update(reread_rows(FOUND, [*FOUND[:2], row("d", 0.5, 3.0), FOUND[2]], [key("b")]))
    assert names([*model.rows]) == "abdc"
    assert (selection.currentIndex().row(), below.row()) == (1, 3)


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[Row], list[Row], list[Key]]:
    """Rows as they were found, as they were read again, and the keys of the chosen ones."""
    probability = st.floats(0.0, 1.0)
    scores = sorted(draw(st.lists(probability, min_size=1, max_size=8)), reverse=True)
    shown = [row(chr(97 + n), score) for n, score in enumerate(scores)]
    if scores[0] < LEAST:
        shown = [replace(each, is_perhaps=False, is_uncertain=True) for each in shown]
    # Clearly better ones rise, as the core puts them in order.
    read: list[Row] = []
    for each in shown:
        new = row(each.title, draw(probability), draw(st.floats(-3.0, 3.0)))
        place = len(read)
        while place and _score(new) >= _score(read[place - 1]) + CLEARLY_BETTER:
            place -= 1
        read.insert(place, new)
    read.sort(key=lambda each: each.is_perhaps)
    chosen = draw(st.sets(st.sampled_from([each.key for each in shown]), max_size=3))
    return shown, read, [*chosen]


def _score(row: Row) -> float:
    assert row.hit is not None
    return row.hit.score


@given(answers())
def test_chosen_rows_never_move(given: tuple[list[Row], list[Row], list[Key]]) -> None:
    shown, read, chosen = given
    rows = reread_rows(shown, read, chosen)
    assert sorted(names(rows)) == sorted(names(shown))
    for place, each in enumerate(shown):
        if each.key in chosen:
            assert rows[place].key == each.key


@given(answers())
def test_a_row_rises_only_if_it_is_clearly_better_or_surer(
    given: tuple[list[Row], list[Row], list[Key]],
) -> None:
    shown, read, chosen = given
    rows = reread_rows(shown, read, chosen)
    ranks = {each.key: rank for rank, each in enumerate(shown)}
    wanted = {each.key: rank for rank, each in enumerate(read)}
    for place, upper in enumerate(rows):
        for lower in rows[place + 1 :]:
            if ranks[upper.key] < ranks[lower.key]:
                continue
            # What the core holds for better or surer may pass, and nothing else.
            assert wanted[upper.key] < wanted[lower.key]
            is_clear = _score(upper) >= _score(lower) + CLEARLY_BETTER
            assert is_clear or (upper.title in sure(read) and lower.title not in sure(read))


@given(answers())
def test_each_group_is_in_one_piece(given: tuple[list[Row], list[Row], list[Key]]) -> None:
    titles = [group_title(each) for each in reread_rows(*given)]
    assert titles == sorted(titles, key=bool)
    assert len({*titles} - {""}) <= 1


@given(answers())
def test_only_rows_that_fit_and_rose_say_so(given: tuple[list[Row], list[Row], list[Key]]) -> None:
    shown, read, chosen = given
    rows = reread_rows(shown, read, chosen)
    for place, each in enumerate(rows):
        above_before = {other.key for other in shown[: names(shown).index(each.title)]}
        passed = above_before & {other.key for other in rows[place + 1 :]}
        became_sure = each.title in sure(rows) and each.title not in sure(shown)
        assert each.hit is not None
        fits = each.hit.explanation.verdict is Verdict.FITS
        assert (each.title in says(rows)) == (fits and bool(passed or became_sure))
