"""The fit of the numbers of a model that reads, over questions with known answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.core.answers.test_second_look import hit

import fit_reader
from fit_reader import Read
from scrubjay.evaluation.metrics import JudgedQuestion
from scrubjay.search.ranking.weights import ReaderNumbers


def read(number: int, right: int | None, ratios: list[float]) -> Read:
    hits = [hit("first", 0.5), hit("second", 0.4)]
    relevant = frozenset[tuple[str, int]]()
    if right is not None:
        relevant = frozenset({(hits[right].path, 1)})
    judged = JudgedQuestion(str(number), "why", "paraphrase", relevant)
    return Read(judged, Path(f"/{number % 2}"), "own", hits, ratios)


def test_a_model_that_knows_the_answer_gets_a_weight() -> None:
    numbers = fit_reader.fitted([read(at, 1, [0.0, 10.0]) for at in range(8)])
    assert numbers.weight > 0.2
    ranked = read(0, 1, [0.0, 10.0]).ranked(numbers)
    assert ranked[0][1]


def test_a_model_that_knows_nothing_gets_none() -> None:
    turns = [read(at, at % 2, [8.0 * (at % 4 < 2), 8.0 * (at % 4 >= 2)]) for at in range(16)]
    assert abs(fit_reader.fitted(turns).weight) < 0.1


def test_a_question_counts_as_often_as_those_it_stands_for() -> None:
    helped = [read(at, 1, [0.0, 4.0]) for at in range(4)]
    misled = [read(at, 0, [0.0, 4.0]) for at in range(4)]
    many = [replace(each, weight=9.0) for each in misled]
    assert fit_reader.fitted([*helped, *many]).weight < fit_reader.fitted([*helped, *misled]).weight


def test_the_report_compares_as_found_with_after_reading() -> None:
    questions = [read(at, 1, [0.0, 10.0]) for at in range(4)]
    questions.append(read(4, None, [0.0, 0.0]))
    row = next(
        line
        for line in fit_reader.report(questions, "other").splitlines()
        if line.startswith("| paraphrase: Hit@1")
    )
    assert row.split(" | ")[1:3] == ["0.000", "1.000"]


@pytest.mark.parametrize(
    ("category", "is_answerable", "kind"),
    [
        ("paraphrase", True, "paraphrase"),
        ("spanish-paraphrase", True, "paraphrase"),
        ("identifier", True, "plain"),
        ("nothing-there", False, "unanswerable"),
    ],
)
def test_questions_have_a_kind(category: str, is_answerable: bool, kind: str) -> None:
    relevant = frozenset({("first.md", 1)}) if is_answerable else frozenset[tuple[str, int]]()
    judged = JudgedQuestion("1", "why", category, relevant)
    assert Read(judged, Path(), "own", [], []).kind == kind


def test_numbers_stand_for_a_whole_model() -> None:
    assert read(0, 1, [0.0, 0.0]).ranked(ReaderNumbers(weight=0.0, doubt=0.0))[0][1] is False
