"""Fits the numbers of similar notes to judged pairs: `fit_similar.py JUDGED`.

Indexes each folder of the file by itself and all of them as one, and takes the evidence that
Scrubjay uses for each note and those nearest to it. Prints the present numbers, fitted ones, and
the measures with each folder left out. The numbers are in core/scrubjay/search/ranking/weights.py.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt

from scrubjay.answers.relations import Likeness, RelatedSearch
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.search_query import QuerySettings
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import QuestionOutcome, calibration_error, reliability_bins
from scrubjay.platform.paths import Paths
from scrubjay.search.ranking import weights
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import Analyzer

MIN_SCORE = QuerySettings().min_score
TODAY = (weights.SIMILAR_MEANING, weights.SIMILAR_WORDS, weights.SIMILAR_BIAS)
STEPS = 30


@dataclass(frozen=True)
class Pair:
    """A note, one of those nearest to it, and whether they were judged as similar."""

    note: str
    """Path of the note below the folder of the file."""
    is_of_all: bool
    """Whether all folders were one."""
    likeness: Likeness
    is_similar: bool

    @property
    def folder(self) -> str:
        """The folder of the note; its pairs are left out together."""
        return self.note.partition("/")[0]

    @property
    def evidence(self) -> tuple[float, float, float]:
        """What the numbers are multiplied by."""
        return self.likeness.share, self.likeness.closeness, -1.0


def record(judged: Path) -> list[Pair]:
    """The pairs of all notes, in the folder of each and in one folder with all."""
    content = json.loads(judged.read_text())
    similar = {frozenset((a, b)) for a, others in content["similar"].items() for b in others}
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory() as temporary:
        together = Path(temporary) / "together"
        for name in content["folders"]:
            shutil.copytree(judged.parent / name, together / name)
        for root in (*sorted(together.iterdir()), together):
            prefix = "" if root == together else f"{root.name}/"
            for note, likeness in _likenesses(root, Path(temporary) / "homes" / root.name):
                both = frozenset((prefix + note, prefix + likeness.chunk.path))
                pairs.append(Pair(prefix + note, root == together, likeness, both in similar))
    return pairs


def _likenesses(root: Path, home: Path) -> Iterator[tuple[str, Likeness]]:
    """Each note of a folder with its likeness to each of the nearest ones."""
    engine = Engine(Paths.under(home))
    workspace = engine.add_workspace(root).result()
    engine.refresh(workspace).result()
    file = Path(engine.current_status().result().details[workspace.id]["indexFile"])
    engine.close()
    with contextlib.closing(Reader.open(file)) as reader:
        search = RelatedSearch(reader, Analyzer(), MIN_SCORE)
        for path in reader.relations.paths():
            for likeness in search.likenesses(path, CancelToken()):
                yield path, likeness


def fitted(pairs: Sequence[Pair]) -> npt.NDArray[np.float64]:
    """The three numbers, by logistic regression."""
    values = np.array([pair.evidence for pair in pairs])
    is_similar = np.array([pair.is_similar for pair in pairs], dtype=float)
    numbers = np.zeros(3)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-values @ numbers))
        curvature = (values * (chances * (1 - chances))[:, None]).T @ values
        numbers -= np.linalg.solve(curvature + 1e-6 * np.eye(3), values.T @ (chances - is_similar))
    return numbers


def scores(pairs: Iterable[Pair], numbers: Sequence[float]) -> list[tuple[float, bool]]:
    """The probability of each pair with some numbers, and whether it is similar."""
    odds = ((float(np.dot(pair.evidence, numbers)), pair.is_similar) for pair in pairs)
    return [(1 / (1 + float(np.exp(-log_odds))), is_similar) for log_odds, is_similar in odds]


def left_out(pairs: Sequence[Pair]) -> list[tuple[float, bool]]:
    """The probability of each pair, fitted to the other folders, and whether it is similar."""
    scored: list[tuple[float, bool]] = []
    for folder in sorted({pair.folder for pair in pairs}):
        numbers = fitted([pair for pair in pairs if pair.folder != folder])
        scored += scores([pair for pair in pairs if pair.folder == folder], [*numbers])
    return scored


def measures(scored: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """The calibration error, the number of pairs shown, and how many of them are right."""
    shown = [is_similar for score, is_similar in scored if score >= MIN_SCORE]
    outcome = QuestionOutcome("", {}, 0.0, tuple(scored))
    return {
        "calibration error": calibration_error(reliability_bins([outcome], len(scored))),
        "shown": len(shown),
        "similar, of those shown": fmean(shown),
        "shown, of the similar ones": sum(shown) / sum(is_similar for _, is_similar in scored),
    }


def main() -> None:
    """Record, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judged", type=Path)
    pairs = record(parser.parse_args().judged)
    print("today ", TODAY)
    print("fitted", fitted(pairs).round(2))
    for is_of_all in (False, True):
        own = [pair for pair in pairs if pair.is_of_all is is_of_all]
        print(f"all as one: {is_of_all}, today", measures(scores(own, TODAY)))
    print("today, all pairs", measures(scores(pairs, TODAY)))
    print("each folder left out", measures(left_out(pairs)))


if __name__ == "__main__":
    main()
