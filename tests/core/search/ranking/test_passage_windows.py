"""Windows of lines that hold the most probability."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.note_records import ChunkId, Source
from scrubjay.search.ranking.features import NAMES, LineFeatures
from scrubjay.search.ranking.fusion import PassageWindow, best_windows
from scrubjay.search.ranking.weights import BUDGETS, WEIGHTS
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.store.index_records import StoredChunk

LINES = st.lists(st.text("ab ", max_size=400), min_size=1, max_size=30)
PASSAGES = st.lists(LINES, min_size=1, max_size=4)


def passage(lines: list[str], number: int = 1) -> Passage:
    """Lines of one note."""
    place = (f"{number}.md", Path(f"{number}.md"), Source.NOTES, "", None, 0)
    chunk = StoredChunk(ChunkId(number), number, *place, 1, len(lines), "", "\n".join(lines))
    return Passage(1, list(lines), [Candidate(chunk, lexical_rank=1)])


def features(score: list[float], feature: str = "words_line") -> LineFeatures:
    """Features of one kind that give lines these log-odds."""
    values = {name: [0.0] * len(score) for name in NAMES}
    values[feature] = [value / WEIGHTS[feature] for value in score]
    return LineFeatures(values, {})


def picked(lines: list[list[str]], seed: int) -> list[PassageWindow]:
    scores = np.random.default_rng(seed).normal(0, 3, sum(map(len, lines)))
    passages = [passage(each, number) for number, each in enumerate(lines, start=1)]
    return list(best_windows(passages, features(list(scores)), 50))


@given(PASSAGES, st.integers(0, 9))
def test_windows_are_disjoint_runs_of_lines_inside_their_passage(
    lines: list[list[str]], seed: int
) -> None:
    taken: set[tuple[int, int]] = set()
    for window in picked(lines, seed):
        assert 0 <= window.first <= window.best <= window.last < len(window.passage.lines)
        places = {(id(window.passage), line) for line in range(window.first, window.last + 1)}
        assert not places & taken
        taken |= places


@given(PASSAGES, st.integers(0, 9))
def test_every_line_that_says_something_is_in_a_window_in_the_end(
    lines: list[list[str]], seed: int
) -> None:
    spoken = sum(bool(line.strip()) for each in lines for line in each)
    covered = [
        line
        for window in picked(lines, seed)
        for line in window.passage.lines[window.first : window.last + 1]
        if line.strip()
    ]
    assert len(covered) >= min(spoken, 1)
    assert len(covered) <= spoken


@given(PASSAGES, st.integers(0, 9))
def test_a_window_fits_its_budget_or_is_one_long_line(lines: list[list[str]], seed: int) -> None:
    for rank, window in enumerate(picked(lines, seed)):
        size = sum(len(line) + 1 for line in window.passage.lines[window.first : window.last + 1])
        budget = BUDGETS[min(rank, len(BUDGETS) - 1)] * 4
        assert size <= budget or window.first == window.last


@given(PASSAGES, st.integers(0, 9), st.integers(1, 8))
def test_the_first_windows_do_not_depend_on_how_many_are_asked_for(
    lines: list[list[str]], seed: int, limit: int
) -> None:
    scores = list(np.random.default_rng(seed).normal(0, 3, sum(map(len, lines))))
    passages = [passage(each, number) for number, each in enumerate(lines, start=1)]
    few, many = (list(best_windows(passages, features(scores), count)) for count in (limit, 20))
    assert [(window.passage, window.first, window.last) for window in few] == [
        (window.passage, window.first, window.last) for window in many[:limit]
    ]


def test_a_window_is_centred_on_the_best_lines_not_on_a_chunk() -> None:
    lines = ["x" * 400 for _ in range(40)]
    score = [-9.0] * 40
    score[17:20] = [5.0, 6.0, 5.0]
    [first, *_] = best_windows([passage(lines)], features(score), 1)
    assert first.first <= 17 <= 19 <= first.last
    assert first.best == 18


def test_lines_in_company_beat_a_lone_one_a_little_better() -> None:
    lines = ["y" * 200 for _ in range(30)]
    score = [-9.0] * 30
    score[2], score[20:24] = 3.0, [2.5] * 4
    [first, *_] = best_windows([passage(lines)], features(score), 1)
    assert (first.first <= 20, first.last >= 23) == (True, True)


@pytest.mark.parametrize("feature", NAMES)
def test_the_parts_of_a_window_add_up_to_all_its_mass(feature: str) -> None:
    score = [1.0, 2.0, 0.5]
    [window] = best_windows([passage(["a", "b", "c"])], features(score, feature), 1)
    assert sum(window.parts.values()) == pytest.approx(math.log(sum(map(math.exp, score))))
    assert window.parts[feature] == pytest.approx(2.0)


def test_nothing_comes_of_blank_lines() -> None:
    assert list(best_windows([passage(["", "  "])], features([3.0, 4.0]), 5)) == []
    assert list(best_windows([], features([]), 5)) == []
