"""Fits the numbers of ranking to judged questions: `fit_weights.py QRELS... [--lines]`.

Searches for every question once in each mode, and for some questions in other folders, and keeps
the candidates. The code of the product then ranks them with the current numbers, with fitted ones,
and with numbers fitted without the folder that a question is about. No file is changed: the numbers
are in core/scrubjay/search/ranking/weights.py. --lines also fits the weights of lines.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypeAlias
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    SCORED,
    JudgedQuestion,
    QuestionOutcome,
    calibration_error,
    read_qrels,
    reliability_bins,
)
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.search.ranking import fusion, weights
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.ranking.features import NAMES, LineFeatures
from scrubjay.search.retrieval.candidates import Passage
from scrubjay.search.retrieval.query_terms import QueryTerms

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = Mapping[str, float]

SCORE = ("COVERAGE_WEIGHT", "MEANING_WEIGHT", "UNKNOWN_NAME_PENALTY", "BIAS")
SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
MODE_WEIGHTS = {Mode.HYBRID: 1.0, Mode.LEXICAL: 0.5, Mode.VECTOR: 0.3}
FOREIGN, FOREIGN_WEIGHT = 60, 0.2
"""Questions of other folders that each folder is asked, none of which it answers."""
HITS, PLACES = 20, 5
MIN_SCORE = 0.35
PULL = 3.0
"""Strength that holds weights of lines near those of today, which many questions do not move."""


@dataclass(frozen=True)
class Asked:
    """A question and its candidates."""

    judged: JudgedQuestion
    folder: Path
    """Of the notes; questions about the same notes are left out together."""
    suite: str
    """Name of the folder that holds the qrels."""
    mode: Mode
    is_foreign: bool
    passages: Sequence[Passage]
    terms: QueryTerms
    features: LineFeatures

    @property
    def has_meaning(self) -> bool:
        """Whether meaning was searched."""
        return self.mode is not Mode.LEXICAL

    def is_right(self, path: str, first: int, last: int) -> bool:
        """Whether lines, 1-based, hold a relevant one."""
        relevant = self.judged.relevant
        return any(path == each and first <= line <= last for each, line in relevant)

    def ranked(self) -> list[tuple[float, bool]]:
        """Scores of the hits and whether they are right, as the product ranks them now."""
        if not self.passages:
            return []
        picked = fusion.pick_windows(self.passages, self.features, HITS)
        hits = fusion.rank_windows(picked, self.terms, self.features, has_meaning=self.has_meaning)
        return [(hit.score, self._has(hit)) for hit in hits]

    def _has(self, hit: RankedPassage | fusion.PassageWindow) -> bool:
        first = hit.passage.first_line
        return self.is_right(hit.candidate.chunk.path, first + hit.first, first + hit.last)

    def evidence(self) -> Iterator[tuple[float, list[float], bool]]:
        """Log-odds without the fitted part, the fitted features and the truth of first windows."""
        picked = fusion.pick_windows(self.passages, self.features, HITS) if self.passages else []
        own = [weights.SHARPNESS * sum(window.parts.values()) for window in picked]
        nothing = weights.NO_ANSWER if self.has_meaning else weights.NO_ANSWER_BY_WORDS
        for rank, window in enumerate(picked[:SCORED]):
            rivals = [odds for at, odds in enumerate(own[: weights.RIVALS]) if at != rank]
            against = np.logaddexp.reduce([weights.SHARPNESS * nothing, *rivals])
            fields = self.features.fields[window.candidate.chunk.id]
            evidence = fusion.window_evidence(window, fields, self.terms)
            values = [evidence.covered, evidence.meaning, evidence.unknown, 1.0]
            yield own[rank] - float(against), values, self._has(window)

    def lines(self) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Features of the lines that are not blank, and whether they are relevant."""
        values = np.array([self.features.values[name] for name in NAMES]).T
        rows = [
            (bool(line.strip()), self.is_right(passage.candidates[0].chunk.path, number, number))
            for passage in self.passages
            for number, line in enumerate(passage.lines, start=passage.first_line)
        ]
        filled, right = np.array(rows, dtype=bool).reshape(-1, 2).T
        return values[filled], right[filled]


def record(files: Iterable[Path]) -> list[Asked]:
    """Every question of the files in each mode, and some of other folders."""
    sets = {file: read_qrels(file) for file in files}
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory() as home, recording() as found:
        engine = Engine(Paths.under(Path(home)))
        for file, qrels in sets.items():
            folder = qrels.workspace.resolve()
            workspace = engine.open_folder(folder)
            engine.refresh(workspace).result()
            others = [
                replace(judged, relevant=frozenset())
                for other in sets.values()
                if other.workspace.resolve() != folder
                for judged in other.queries
                if judged.relevant
            ]
            foreign = others[:: max(1, len(others) // FOREIGN)]
            for judged in (*qrels.queries, *foreign):
                for mode in Mode:
                    found.clear()
                    request = SearchRequest(
                        judged.query, workspace.id, mode, max_results=HITS, min_score=0.0
                    )
                    engine.search(request, CancelToken()).result()
                    candidates = found[-1] if found else ((), QueryTerms(()), LineFeatures({}, {}))
                    is_foreign = judged not in qrels.queries
                    asked.append(
                        Asked(judged, folder, file.parent.name, mode, is_foreign, *candidates)
                    )
        engine.close()
    return asked


Found: TypeAlias = list[tuple[Sequence[Passage], QueryTerms, LineFeatures]]


@contextmanager
def recording() -> Iterator[Found]:
    """The candidates of each search from here on."""
    found: Found = []
    pick, rank = fusion.pick_windows, fusion.rank_windows
    passages: list[Sequence[Passage]] = []

    def picking(
        of: Sequence[Passage], features: LineFeatures, max_results: int = HITS
    ) -> list[fusion.PassageWindow]:
        passages[:] = [of]
        return pick(of, features, max_results)

    def ranking(
        picked: Sequence[fusion.PassageWindow],
        terms: QueryTerms,
        features: LineFeatures,
        **rest: object,
    ) -> list[RankedPassage]:
        found.append((passages[0], terms, features))
        return rank(picked, terms, features, **rest)  # type: ignore[arg-type]

    with (
        patch.object(fusion, "pick_windows", picking),
        patch.object(fusion, "rank_windows", ranking),
    ):
        yield found


def today() -> dict[str, float]:
    """The numbers as they are."""
    return {**weights.WEIGHTS, **{name: getattr(weights, name) for name in SCORE}}


@contextmanager
def using(numbers: Numbers) -> Iterator[None]:
    """Rank with other numbers."""
    before = today()
    try:
        _use(numbers)
        yield
    finally:
        _use(before)


def _use(numbers: Numbers) -> None:
    weights.WEIGHTS = {name: numbers[name] for name in weights.WEIGHTS}
    for name in SCORE:
        setattr(weights, name, numbers[name])


def fitted(asked: Sequence[Asked], *, with_lines: bool) -> Numbers:
    """Numbers fitted to questions: those of the score with the weights of lines before them."""
    numbers = today()
    if with_lines:
        numbers |= zip(NAMES, fit_lines(asked).tolist(), strict=True)
    with using(numbers):
        return numbers | dict(zip(SCORE, fit_score(asked).tolist(), strict=True))


def fit_lines(asked: Sequence[Asked]) -> Floats:
    """Weights of lines by softmax regression: the share of probability on relevant lines."""
    start = np.array([weights.WEIGHTS[name] for name in NAMES])
    own = [each for each in asked if each.mode is Mode.HYBRID and not each.is_foreign]
    suites = [each.suite for each in own]
    data = [
        (2 * len(own) / suites.count(each.suite) / len({*suites}), *lines)
        for each in own
        if each.passages and (lines := each.lines())[1].any()
    ]
    pull = PULL / (start + 1) ** 2

    def slope(found: Floats) -> tuple[Floats, Floats]:
        gradient, curvature = pull * (found - start), np.diag(pull)
        for share, values, right in data:
            odds = values @ found
            chances, wanted = _softmax(odds), _softmax(np.where(right, odds, -np.inf))
            centred = values - chances @ values
            gradient = gradient - share * (wanted @ centred)
            curvature = curvature + share * (centred * chances[:, None]).T @ centred
        return gradient, curvature

    return _newton(start, slope)


def fit_score(asked: Sequence[Asked]) -> Floats:
    """Numbers of the score by logistic regression over the first hits."""
    rows = [
        (*row, MODE_WEIGHTS[each.mode] * (FOREIGN_WEIGHT if each.is_foreign else 1.0))
        for each in asked
        for row in each.evidence()
    ]
    before, values, right, shares = (
        np.array(column, dtype=float) for column in zip(*rows, strict=True)
    )
    features = values * SIGNS

    def slope(found: Floats) -> tuple[Floats, Floats]:
        chances = 1 / (1 + np.exp(-np.clip(before + features @ found, -50, 50)))
        gradient = features.T @ (shares * (chances - right)) + found * np.array([1, 1, 1, 0])
        spread = (shares * chances * (1 - chances))[:, None]
        return gradient, (features * spread).T @ features + np.diag([1.0, 1.0, 1.0, 1e-6])

    return _newton(np.array([getattr(weights, name) for name in SCORE]), slope)


def _softmax(odds: Floats) -> Floats:
    chances = np.exp(odds - odds.max())
    shares: Floats = chances / chances.sum()
    return shares


def _newton(start: Floats, slope: Callable[[Floats], tuple[Floats, Floats]]) -> Floats:
    found = start
    for _ in range(40):
        step = np.linalg.solve(*reversed(slope(found)))
        found = found - step * min(1.0, 2 / max(float(np.abs(step).max()), 1e-9))
        if np.abs(step).max() < 1e-3:
            break
    return found


Ranked: TypeAlias = list[tuple[Asked, list[tuple[float, bool]]]]


def measures(ranked: Ranked) -> dict[str, float]:
    """The measures of docs/quality.md for questions and their ranked hits."""
    own = [(each, hits) for each, hits in ranked if not each.is_foreign]
    answerable = [(each, hits) for each, hits in own if each.judged.relevant]
    places = [
        next((place for place, hit in enumerate(hits, 1) if hit[1]), HITS + 1)
        for _, hits in answerable
    ]
    outcomes = [QuestionOutcome("", {}, 0.0, tuple(hits[:SCORED])) for _, hits in own]

    def sure(wanted: Callable[[Asked], bool]) -> float:
        chosen = [hits for each, hits in ranked if wanted(each)]
        return fmean(bool(hits) and hits[0][0] >= MIN_SCORE for hits in chosen) if chosen else 0.0

    def is_paraphrase(each: Asked) -> bool:
        return "paraphrase" in each.judged.category

    return {
        "Hit@1": fmean(place == 1 for place in places),
        "Hit@5": fmean(place <= PLACES for place in places),
        "MRR@10": fmean(1 / place if place <= 10 else 0.0 for place in places),
        "calibration error, six hits": calibration_error(reliability_bins(outcomes)),
        "of first hits": calibration_error(reliability_bins(outcomes, 1)),
        "paraphrases, sure": sure(lambda each: bool(each.judged.relevant) and is_paraphrase(each)),
        "other answerable, sure": sure(
            lambda each: bool(each.judged.relevant) and not is_paraphrase(each)
        ),
        "unanswerable, sure": sure(lambda each: not each.judged.relevant and not each.is_foreign),
        "of other folders, sure": sure(lambda each: each.is_foreign),
    }


def rank(asked: Iterable[Asked], numbers: Numbers) -> Ranked:
    """The hits of questions with given numbers."""
    with using(numbers):
        return [(each, each.ranked()) for each in asked]


def report(asked: Sequence[Asked], *, with_lines: bool) -> str:
    """Tables in Markdown: the numbers, and the measures of each suite and mode."""
    now, best = today(), fitted(asked, with_lines=with_lines)
    left_out: Ranked = []
    for folder in dict.fromkeys(each.folder for each in asked):
        others = [each for each in asked if each.folder != folder]
        own = [each for each in asked if each.folder == folder]
        left_out += rank(own, fitted(others, with_lines=with_lines))
    columns = (rank(asked, now), rank(asked, best), left_out)
    names = [name for name in now if with_lines or name in SCORE]
    rows = ["| number | today | fitted |", "|---|---|---|"]
    rows += [f"| {name} | {now[name]:g} | {best[name]:.2f} |" for name in names]
    rows += ["", "| | today | fitted | each folder left out |", "|---|---|---|---|"]
    for suite in dict.fromkeys(each.suite for each in asked):
        for mode in MODE_WEIGHTS:
            of_mode = [
                measures([row for row in ranked if (row[0].suite, row[0].mode) == (suite, mode)])
                for ranked in columns
            ]
            for name in of_mode[0]:
                values = " | ".join(f"{each[name]:.3f}" for each in of_mode)
                rows.append(f"| {suite}, {mode}: {name} | {values} |")
    return "\n".join(rows)


def main() -> None:
    """Record, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("qrels", type=Path, nargs="+")
    parser.add_argument("--lines", action="store_true", help="fit the weights of lines as well")
    options = parser.parse_args()
    print(report(record(options.qrels), with_lines=options.lines))


if __name__ == "__main__":
    main()
