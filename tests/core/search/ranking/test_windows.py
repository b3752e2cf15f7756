"""Windows of lines that hold the most evidence."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.search_records import ChunkId, Source
from scrubjay.search.ranking.features import NAMES, LineFeatures
from scrubjay.search.ranking.windows import BUDGETS, WEIGHTS, PassageWindow, windows
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.store.rows import StoredChunk

LINES = st.lists(st.text("ab ", max_size=400), min_size=1, max_size=30)
REGIONS = st.lists(LINES, min_size=1, max_size=4)


def region(lines: list[str], number: int = 1) -> Passage:
    """Lines of one note."""
    place = (f"{number}.md", Path(f"{number}.md"), Source.NOTES, "", None, 0)
    chunk = StoredChunk(ChunkId(number), number, *place, 1, len(lines), "", "\n".join(lines))
    return Passage(1, list(lines), [Candidate(chunk, lexical_rank=1)])


def judged(score: list[float], feature: str = "words_line") -> LineFeatures:
    """Evidence of one kind, so that the log-odds of the lines are what is given."""
    features = {name: np.zeros(len(score)) for name in NAMES}
    features[feature] = np.array(score) / WEIGHTS[feature]
    return LineFeatures(features, 0.0, 0.1, 0.2, {})


def looked_at(lines: list[list[str]], seed: int) -> list[PassageWindow]:
    scores = np.random.default_rng(seed).normal(0, 3, sum(map(len, lines)))
    found = [region(one, number) for number, one in enumerate(lines, start=1)]
    return list(windows(found, judged(list(scores)), 50))


@given(REGIONS, st.integers(0, 9))
def test_windows_are_disjoint_runs_of_lines_inside_their_region(
    lines: list[list[str]], seed: int
) -> None:
    taken: set[tuple[int, int]] = set()
    for one in looked_at(lines, seed):
        assert 0 <= one.first <= one.best <= one.last < len(one.region.lines)
        places = {(id(one.region), line) for line in range(one.first, one.last + 1)}
        assert not places & taken
        taken |= places


@given(REGIONS, st.integers(0, 9))
def test_every_line_that_says_something_is_in_a_window_in_the_end(
    lines: list[list[str]], seed: int
) -> None:
    spoken = sum(bool(line.strip()) for one in lines for line in one)
    covered = [
        line
        for one in looked_at(lines, seed)
        for line in one.region.lines[one.first : one.last + 1]
        if line.strip()
    ]
    assert len(covered) >= min(spoken, 1)
    assert len(covered) <= spoken


@given(REGIONS, st.integers(0, 9))
def test_a_window_fits_its_budget_or_is_one_long_line(lines: list[list[str]], seed: int) -> None:
    for rank, one in enumerate(looked_at(lines, seed)):
        size = sum(len(line) + 1 for line in one.region.lines[one.first : one.last + 1])
        budget = BUDGETS[min(rank, len(BUDGETS) - 1)] * 4
        assert size <= budget or one.first == one.last


@given(REGIONS, st.integers(0, 9), st.integers(1, 8))
def test_the_first_windows_do_not_depend_on_how_many_are_asked_for(
    lines: list[list[str]], seed: int, limit: int
) -> None:
    scores = list(np.random.default_rng(seed).normal(0, 3, sum(map(len, lines))))
    found = [region(one, number) for number, one in enumerate(lines, start=1)]
    few, many = (list(windows(found, judged(scores), count)) for count in (limit, 20))
    assert [(one.region, one.first, one.last) for one in few] == [
        (one.region, one.first, one.last) for one in many[:limit]
    ]


def test_a_window_is_centred_on_the_evidence_not_on_a_chunk() -> None:
    lines = ["x" * 400 for _ in range(40)]
    score = [-9.0] * 40
    score[17:20] = [5.0, 6.0, 5.0]
    [first, *_] = windows([region(lines)], judged(score), 1)
    assert first.first <= 17 <= 19 <= first.last
    assert first.best == 18


def test_lines_in_company_beat_a_lone_one_a_little_better() -> None:
    lines = ["y" * 200 for _ in range(30)]
    score = [-9.0] * 30
    score[2], score[20:24] = 3.0, [2.5] * 4
    [first, *_] = windows([region(lines)], judged(score), 1)
    assert (first.first <= 20, first.last >= 23) == (True, True)


@pytest.mark.parametrize("feature", NAMES)
def test_the_parts_of_a_window_add_up_to_all_its_mass(feature: str) -> None:
    score = [1.0, 2.0, 0.5]
    [one] = windows([region(["a", "b", "c"])], judged(score, feature), 1)
    assert one.log_odds == pytest.approx(math.log(sum(map(math.exp, score))))
    assert one.parts[feature] == pytest.approx(2.0)


def test_nothing_comes_of_blank_lines() -> None:
    assert list(windows([region(["", "  "])], judged([3.0, 4.0]), 5)) == []
    assert list(windows([], judged([]), 5)) == []
