"""Measures of retrieval, computed by hand here."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.errors import QueryError
from scrubjay.evaluation.metrics import (
    JudgedQuestion,
    QuestionOutcome,
    calibration_error,
    compute_measures,
    covered_lines,
    evaluate,
    mean_measures,
    means_by_category,
    read_qrels,
    reliability_bins,
)
from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Hit, Snippet
from support.vault import write_notes

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def hit(path: str, first: int, last: int) -> Hit:
    place = (path, Path(path), Source.NOTES, "", "", first, last, first)
    return Hit("w", *place, 0.5, None, None, Snippet(""), NOW)


def judged(*relevant: tuple[str, int]) -> JudgedQuestion:
    return JudgedQuestion("1", "query", "kind", frozenset(relevant))


def measured(one: JudgedQuestion, hits: Sequence[Hit], tokens: float = 10) -> dict[str, float]:
    return compute_measures(one, hits, lambda _hit: tokens)


@pytest.mark.parametrize(
    ("place", "inside"),
    [(("a.md", 3), True), (("a.md", 5), True), (("a.md", 6), False), (("b.md", 4), False)],
)
def test_a_hit_covers_the_lines_of_its_range(place: tuple[str, int], inside: bool) -> None:
    assert bool(covered_lines(judged(place), hit("a.md", 3, 5))) is inside


def test_the_first_relevant_hit_counts() -> None:
    hits = [hit("x.md", 1, 9)] * 2 + [hit("a.md", 1, 9)]
    values = measured(judged(("a.md", 4)), hits)
    assert (values["hit@1"], values["hit@5"], values["hit@10"]) == (0, 1, 1)
    assert values["mrr@10"] == pytest.approx(1 / 3)


def test_recall_counts_each_line_once() -> None:
    hits = [hit("a.md", 1, 5), hit("a.md", 4, 9), hit("b.md", 1, 1)]
    values = measured(judged(("a.md", 4), ("b.md", 1), ("c.md", 1)), hits)
    assert values["recall@1"] == pytest.approx(1 / 3)
    assert values["recall@5"] == pytest.approx(2 / 3)


def test_a_relevant_hit_beyond_ten_has_no_rank() -> None:
    hits = [hit("x.md", 1, 1)] * 10 + [hit("a.md", 1, 1)]
    assert measured(judged(("a.md", 1)), hits)["mrr@10"] == 0


@pytest.mark.parametrize(("tokens", "recall"), [(400, 1.0), (500, 1.0), (501, 0.0)])
def test_a_hit_counts_while_it_fits_the_budget(tokens: float, recall: float) -> None:
    hits = [hit("x.md", 1, 1), hit("a.md", 1, 1)]
    assert measured(judged(("a.md", 1)), hits, tokens)["recall@1000t"] == recall


def test_nothing_found_is_zero_everywhere() -> None:
    assert set(measured(judged(("a.md", 1)), []).values()) == {0.0}


def test_means_and_categories() -> None:
    outcomes = [
        QuestionOutcome("fact", {"hit@1": 1.0}, 10.0),
        QuestionOutcome("fact", {"hit@1": 0.0}, 20.0),
        QuestionOutcome("date", {"hit@1": 1.0}, 30.0),
    ]
    assert mean_measures(outcomes)["hit@1"] == pytest.approx(0.6667, abs=1e-4)
    assert (mean_measures(outcomes)["ms_p50"], mean_measures(outcomes)["ms_p95"]) == (20.0, 30.0)
    assert {name: one["hit@1"] for name, one in means_by_category(outcomes).items()} == {
        "date": 1.0,
        "fact": 0.5,
    }
    assert mean_measures([]) == {"queries": 0}


def test_a_question_without_an_answer_is_only_answered_or_not(tmp_path: Path) -> None:
    write_notes(tmp_path, {"notes/a.md": "one\ntwo\nthree\n"})
    data = {
        "workspace": "notes",
        "queries": [
            {"id": 1, "query": "two?", "relevant": [{"path": "a.md", "line": 2}]},
            {"id": 2, "query": "nothing?", "relevant": []},
        ],
    }
    (tmp_path / "qrels.json").write_text(json.dumps(data))
    qrels = read_qrels(tmp_path / "qrels.json")
    asked: list[str] = []

    def search(query: str) -> list[Hit]:
        asked.append(query)
        return [replace(hit("a.md", 2, 2), file=qrels.workspace / "a.md")]

    def text_of(hit: Hit) -> str:
        return hit.file.read_text("utf-8")

    fact, nothing = evaluate(qrels, search, text_of=text_of, min_score=0.35)
    assert asked == ["two?", "nothing?"]
    assert (fact.measures["hit@1"], fact.measures["answered"]) == (1.0, 1.0)
    assert nothing.measures == {"answered": 1.0}
    assert mean_measures([fact, nothing])["hit@1"] == 1.0
    outcomes = evaluate(qrels, search, text_of=text_of, min_score=0.6)
    assert [outcome.measures["answered"] for outcome in outcomes] == [0, 0]


def test_scores_are_compared_with_what_is_right_in_tenths() -> None:
    scored = [((0.95, True), (0.12, False)), ((0.91, False), (0.18, True), (0.11, False))]
    outcomes = [QuestionOutcome("fact", {}, 1.0, pairs) for pairs in scored]
    low, high = reliability_bins(outcomes)
    assert (low.hits, low.right, high.hits, high.right) == (3, pytest.approx(1 / 3), 2, 0.5)
    assert calibration_error([low, high]) == pytest.approx(
        (3 * abs(0.41 / 3 - 1 / 3) + 2 * abs(0.93 - 0.5)) / 5
    )
    assert [tenth.hits for tenth in reliability_bins(outcomes, 1)] == [2]
    assert calibration_error([]) == 0


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="cannot be read"):
        read_qrels(tmp_path / "gone.json")
