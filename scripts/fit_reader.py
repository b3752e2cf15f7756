"""Fits the two numbers of a model that reads: `fit_reader.py MODEL.gguf QRELS... [--cache FILE]`.

Searches for every question, has the model read the first hits, and prints measures as found, with
the numbers in core/scrubjay/search/ranking/weights.py, with fitted ones, and with numbers fitted
without the folder that a question is about. No file is changed except the cache, which holds what
the model said, so that a second fit takes seconds. --cached leaves out what is not in it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.answers.second_look import found_log_odds, passage_text, weigh_again
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.local.local_reader import LocalReader
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    JudgedQuestion,
    QuestionOutcome,
    calibration_error,
    covered_lines,
    read_qrels,
    reliability_bins,
)
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchRequest
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.weights import ReaderNumbers

MIN_SCORE = 0.35
PLAIN_SHARE = 0.05
"""Share of the plain answerable questions that the second share of unanswerable ones gives up."""
ROUNDS = 60


class Read(Struct, frozen=True):
    """A question, its first hits, and what the model said of them."""

    judged: JudgedQuestion
    folder: Path
    suite: str
    hits: Sequence[Hit]
    ratios: Sequence[float]
    weight: float = 1.0
    """Number of questions for which it stands."""

    @property
    def rights(self) -> list[bool]:
        """Whether each hit holds a relevant line."""
        return [bool(covered_lines(self.judged, hit)) for hit in self.hits]

    @property
    def kind(self) -> str:
        """Unanswerable, paraphrase or plain."""
        return kind_of(self.judged)

    def ranked(self, numbers: ReaderNumbers | None) -> list[tuple[float, bool]]:
        """Scores of the hits and whether they are right, best first; as found without numbers."""
        hits = self.hits
        if numbers:
            hits = weigh_again(hits, self.ratios, numbers)
        scored = zip((hit.score for hit in hits), self.rights, strict=True)
        return sorted(scored, key=lambda pair: -pair[0])


def kind_of(judged: JudgedQuestion) -> str:
    """Unanswerable, paraphrase or plain."""
    if not judged.relevant:
        return "unanswerable"
    return "paraphrase" if "paraphrase" in judged.category else "plain"


class CachedReader:
    """A model that reads, with what it said before in a file of JSON lines."""

    def __init__(self, model: Path, cache: Path | None) -> None:
        self._reader = LocalReader(model.resolve())
        self._cache = cache
        self._known: dict[str, float] = {}
        if cache and cache.exists():
            for line in cache.read_text(encoding="utf-8").splitlines():
                key, ratio = json.loads(line)
                self._known[key] = ratio

    def ratios(self, question: str, hits: Sequence[Hit], *, only_cached: bool) -> list[float]:
        """What the model says of hits; empty for some that it did not read before."""
        passages = [passage_text(hit) for hit in hits]
        keys = [self._key(question, *passage) for passage in passages]
        new = [at for at, key in enumerate(keys) if key not in self._known]
        if new and only_cached:
            return []
        read = self._reader.ratios(question, [passages[at] for at in new], CancelToken())
        for at, ratio in zip(new, read, strict=True):
            self._known[keys[at]] = ratio
            if self._cache:
                with self._cache.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps([keys[at], ratio]) + "\n")
        return [self._known[key] for key in keys]

    @property
    def content(self) -> str:
        """Digest of the model."""
        return self._reader.content

    def close(self) -> None:
        """End the model."""
        self._reader.close()

    def _key(self, question: str, text: str, best: int) -> str:
        parts = [self._reader.content, question, text, best]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def record(files: Sequence[Path], reader: CachedReader, *, only_cached: bool) -> list[Read]:
    """Every question of the files with its first hits."""
    found: list[Read] = []
    asked: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as home:
        engine = Engine(Paths.under(Path(home)))
        for file in files:
            qrels = read_qrels(file)
            folder = qrels.workspace.resolve()
            workspace = engine.open_folder(folder)
            engine.refresh(workspace).result()
            for judged in qrels.queries:
                asked[file.parent.name, kind_of(judged)] += 1
                request = SearchRequest(
                    judged.query, workspace.id, Mode.HYBRID, max_results=20, min_score=0.0
                )
                answer = engine.search(request, CancelToken()).result()
                hits = answer.hits[: weights.READ_HITS]
                ratios = reader.ratios(judged.query, hits, only_cached=only_cached)
                if hits and ratios:
                    found.append(Read(judged, folder, file.parent.name, hits, ratios))
        engine.close()
    read = Counter((each.suite, each.kind) for each in found)
    weight = {key: asked[key] / read[key] for key in read}
    return [replace(each, weight=weight[each.suite, each.kind]) for each in found]


def fitted(read: Sequence[Read]) -> ReaderNumbers:
    """The numbers with which the right hits, or no answer, are most probable."""
    best = [weights.OTHER_READER.weight, weights.OTHER_READER.doubt]
    least = _surprise(read, best)
    steps = [0.1, 0.1]
    # One number at a time, in steps that shrink where neither direction helps.
    for number in range(ROUNDS):
        at = number % len(best)
        tried = [[*best], [*best]]
        tried[0][at] += steps[at]
        tried[1][at] -= steps[at]
        surprise, better = min((_surprise(read, each), each) for each in tried)
        if surprise < least:
            least = surprise
            best = better
        else:
            steps[at] /= 2
    return ReaderNumbers(weight=best[0], doubt=best[1])


def _surprise(read: Sequence[Read], numbers: Sequence[float]) -> float:
    """Sum of -log P of what is right, over all questions for which these stand."""
    weight, doubt = numbers
    total = 0.0
    for each in read:
        found = np.array([found_log_odds(hit) for hit in each.hits])
        ratios = np.array(each.ratios)
        own = weights.FOUND_SHARE * found + weight * ratios
        no_answer = doubt * ratios.max()
        everything = np.logaddexp.reduce([no_answer, *own])
        right = own[np.array(each.rights)]
        outcome = np.logaddexp.reduce(right) if len(right) else no_answer
        total += each.weight * (everything - outcome)
    return total


def measures(
    read: Sequence[Read], numbers: Callable[[Read], ReaderNumbers | None]
) -> dict[str, float]:
    """The measures of docs/quality.md."""
    ranked = {
        each.judged.id + str(at): (each, each.ranked(numbers(each))) for at, each in enumerate(read)
    }

    def of(*kinds: str) -> list[list[tuple[float, bool]]]:
        return [hits for each, hits in ranked.values() if each.kind in kinds]

    def share(hits: Sequence[bool]) -> float:
        return fmean(hits) if hits else 0.0

    plain = sorted(hits[0][0] for hits in of("plain"))
    least = plain[int(PLAIN_SHARE * len(plain))] if plain else 0.0
    outcomes: list[QuestionOutcome] = []
    for each, hits in ranked.values():
        outcomes += [QuestionOutcome("", {}, 0.0, tuple(hits))] * round(each.weight)
    rows = {
        f"{kind}: Hit@1": share([hits[0][1] for hits in of(kind)])
        for kind in ("paraphrase", "plain")
    }
    for kind in ("paraphrase", "plain", "unanswerable"):
        rows[f"{kind}: sure"] = share([hits[0][0] >= MIN_SCORE for hits in of(kind)])
    above = [hits[0][0] >= least for hits in of("unanswerable")]
    rows["unanswerable: above 95 % of plain"] = share(above)
    rows["calibration error of first hits"] = calibration_error(reliability_bins(outcomes, 1))
    return rows


def report(read: Sequence[Read], content: str) -> str:
    """Tables in Markdown: the numbers, and the measures of each suite."""
    now = weights.READERS.get(content, weights.OTHER_READER)
    best = fitted(read)
    left_out = {
        folder: fitted([each for each in read if each.folder != folder])
        for folder in {each.folder for each in read}
    }
    rows = ["| number | today | fitted |", "|---|---|---|"]
    rows += [
        f"| {name} | {getattr(now, name):g} | {getattr(best, name):.2f} |"
        for name in ("weight", "doubt")
    ]
    rows += ["", "| | found | today | fitted | each folder left out |", "|---|---|---|---|---|"]
    columns: Mapping[str, Callable[[Read], ReaderNumbers | None]] = {
        "found": lambda _: None,
        "today": lambda _: now,
        "fitted": lambda _: best,
        "left out": lambda each: left_out[each.folder],
    }
    for suite in dict.fromkeys(each.suite for each in read):
        own = [each for each in read if each.suite == suite]
        by_column = [measures(own, numbers) for numbers in columns.values()]
        counts = [sum(each.kind == kind for each in own) for kind in ("paraphrase", "plain")]
        rows.append(f"| {suite}: {len(own)} questions, {counts[0]} paraphrases | | | | |")
        for name in by_column[0]:
            rows.append(f"| {name} | {' | '.join(f'{each[name]:.3f}' for each in by_column)} |")
    return "\n".join(rows)


def main() -> None:
    """Record, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("qrels", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--cached", action="store_true", help="only what is in the cache")
    options = parser.parse_args()
    reader = CachedReader(options.model, options.cache)
    read = record(options.qrels, reader, only_cached=options.cached)
    print(report(read, reader.content))
    reader.close()


if __name__ == "__main__":
    main()
