"""The command that fits the numbers of ranking, on the smallest sets."""

from __future__ import annotations

from pathlib import Path

import pytest

import fit_weights
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import covered_lines, read_qrels
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest

pytestmark = pytest.mark.model

SETS = [Path(__file__).with_name(f"{name}.qrels.json") for name in ("pair", "household")]


@pytest.fixture(scope="module")
def asked() -> list[fit_weights.Asked]:
    return fit_weights.record(SETS)


def test_recorded_candidates_are_ranked_as_the_product_ranks_them(
    asked: list[fit_weights.Asked], tmp_path: Path
) -> None:
    qrels = read_qrels(SETS[0])
    engine = Engine(Paths.under(tmp_path))
    workspace = engine.open_folder(qrels.workspace)
    engine.refresh(workspace).result()
    for each in asked:
        if each.folder == qrels.workspace.resolve() and not each.is_foreign:
            request = SearchRequest(
                each.judged.query, workspace.id, each.mode, max_results=20, min_score=0.0
            )
            hits = engine.search(request, CancelToken()).result().hits
            scores = [score for score, _ in each.ranked()]
            assert scores == pytest.approx([hit.score for hit in hits], abs=1e-4)
            right = [is_right for _, is_right in each.ranked()]
            assert right == [bool(covered_lines(each.judged, hit)) for hit in hits]
    engine.close()


def test_numbers_that_are_wrong_are_fitted_to_the_same_ones(asked: list[fit_weights.Asked]) -> None:
    before = fit_weights.today()
    best = fit_weights.fit_score(asked)
    with fit_weights.using({**before, "BIAS": 5.0, "COVERAGE_WEIGHT": -1.0}):
        assert fit_weights.fit_score(asked) == pytest.approx(best, abs=0.01)
    assert fit_weights.today() == before


def test_the_report_shows_each_measure_fitted_and_with_each_folder_left_out(
    asked: list[fit_weights.Asked],
) -> None:
    before = fit_weights.today()
    report = fit_weights.report(asked, with_lines=True)
    assert fit_weights.today() == before
    rows = dict(row.strip("| ").split(" | ", 1) for row in report.splitlines() if " | " in row)
    own = [each for each in asked if each.mode is Mode.HYBRID and each.judged.relevant]
    first = sum(each.ranked()[0][1] for each in own) / len(own)
    values = [float(value) for value in rows["quality, hybrid: Hit@1"].split(" | ")]
    assert values[0] == pytest.approx(first, abs=0.001)
    assert min(values) >= 0.8
    assert float(rows["meaning_line"].split(" | ")[1]) > 0
