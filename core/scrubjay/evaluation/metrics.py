"""Metrics of retrieval against relevance judgements (qrels)."""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from msgspec import Struct

from scrubjay.errors import QueryError, system_reason
from scrubjay.messages import msg
from scrubjay.records.chunks import CHARACTERS_PER_TOKEN
from scrubjay.records.search_records import Hit
from scrubjay.text.markdown import split_lines

DEPTH = 50
"""Hits that are asked for: enough to fill the largest token budget."""

SCORED = 6
"""First hits of a question whose scores are compared with what is right."""

CUTOFFS = (1, 5, 10)
"""Numbers of first hits among which the answer is looked for."""
TOKEN_BUDGETS = (1_000, 2_000, 4_000)
"""Tokens of first hits, as agents read them, within which the answer is looked for."""


class JudgedQuestion(Struct, frozen=True):
    """A question with the lines that answer it. An unanswerable question has no lines."""

    id: str
    query: str
    category: str
    relevant: frozenset[tuple[str, int]]
    """Lines that answer it: (path, 1-based line)."""


class Qrels(Struct, frozen=True):
    """The judged questions of one workspace."""

    workspace: Path
    queries: tuple[JudgedQuestion, ...]


class QuestionOutcome(Struct, frozen=True):
    """Measures of one question."""

    category: str
    measures: Mapping[str, float]
    """Name -> value; `answered` for all questions, the others for those that have an answer."""
    elapsed_ms: float
    scored: tuple[tuple[float, bool], ...] = ()
    """Scores of its first hits, and whether they are right."""


class ReliabilityBin(Struct, frozen=True):
    """Hits with scores in one tenth."""

    hits: int
    score: float
    """Mean score of the hits."""
    right: float
    """Share of them that are right."""


def read_qrels(file: Path) -> Qrels:
    """Read one file. Raises QueryError with the fault in it."""
    # People write these files by hand, so that any value may be missing or of another type.
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        queries = tuple(
            JudgedQuestion(
                id=str(entry["id"]),
                query=str(entry["query"]),
                category=str(entry.get("category", "")),
                relevant=frozenset(
                    (str(line["path"]), int(line["line"])) for line in entry["relevant"]
                ),
            )
            for entry in data["queries"]
        )
        return Qrels(file.parent / data["workspace"], queries)
    except OSError as error:
        raise QueryError(msg("{file} cannot be read", file=file), system_reason(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise QueryError(
            msg("{file} is not a qrels file", file=file),
            msg("{name}: {error}.", name=type(error).__name__, error=error),
        ) from error


def evaluate(
    qrels: Qrels,
    search: Callable[[str], Sequence[Hit]],
    *,
    text_of: Callable[[Hit], str],
    min_score: float,
    on_answer: Callable[[], None] = lambda: None,
) -> list[QuestionOutcome]:
    """Outcomes of all questions; `text_of` reads a whole note, `on_answer` is called after each.

    Search has no threshold, so that ranks are also measured where min_score leaves no answer.
    """
    outcomes: list[QuestionOutcome] = []
    lines_of: dict[Path, Sequence[str]] = {}

    # Notes are read once, and as they are on the disk.
    def tokens(hit: Hit) -> float:
        """Tokens in its line range, four characters each, from the file on disk."""
        if hit.file not in lines_of:
            lines_of[hit.file] = split_lines(text_of(hit))
        lines = lines_of[hit.file][hit.first_line - 1 : hit.last_line]
        return sum(len(line) + 1 for line in lines) / CHARACTERS_PER_TOKEN

    for judged in qrels.queries:
        began = time.perf_counter()
        hits = search(judged.query)
        elapsed = (time.perf_counter() - began) * 1000
        # Ranks make sense only where there is something to find.
        values: dict[str, float] = {}
        if judged.relevant:
            values = compute_measures(judged, hits, tokens)
        values["answered"] = float(any(hit.score >= min_score for hit in hits))
        scored = tuple((hit.score, bool(covered_lines(judged, hit))) for hit in hits[:SCORED])
        outcomes.append(QuestionOutcome(judged.category, values, elapsed_ms=elapsed, scored=scored))
        on_answer()
    return outcomes


def compute_measures(
    judged: JudgedQuestion, hits: Sequence[Hit], tokens: Callable[[Hit], float]
) -> dict[str, float]:
    """Hit, recall and reciprocal rank at the cut-offs, recall within the token budgets."""
    # What each hit covers, and the tokens that are read when it has been read.
    gains = [covered_lines(judged, hit) for hit in hits]
    spent = list(accumulate(map(tokens, hits)))
    first = next((rank for rank, gain in enumerate(gains, start=1) if gain), math.inf)

    def recall(seen: Iterable[frozenset[tuple[str, int]]]) -> float:
        return len(frozenset[tuple[str, int]]().union(*seen)) / len(judged.relevant)

    values = {f"hit@{cutoff}": float(first <= cutoff) for cutoff in CUTOFFS}
    values |= {f"recall@{cutoff}": recall(gains[:cutoff]) for cutoff in CUTOFFS}
    values["mrr@10"] = 1 / first if first <= 10 else 0.0
    for budget in TOKEN_BUDGETS:
        within = [gain for gain, total in zip(gains, spent, strict=True) if total <= budget]
        values[f"recall@{budget}t"] = recall(within)
    return values


def covered_lines(judged: JudgedQuestion, hit: Hit) -> frozenset[tuple[str, int]]:
    """The relevant lines inside a hit's path and range."""
    return frozenset(
        (path, line)
        for path, line in judged.relevant
        if path == hit.path and hit.first_line <= line <= hit.last_line
    )


def mean_measures(outcomes: Sequence[QuestionOutcome]) -> dict[str, float]:
    """Number of queries, mean of each measure over those that have it, times in milliseconds."""
    if not outcomes:
        return {"queries": 0}
    # Questions without an answer have one measure only.
    names = dict.fromkeys(name for outcome in outcomes for name in outcome.measures)
    row: dict[str, float] = {"queries": len(outcomes)}
    for name in names:
        values = [each.measures[name] for each in outcomes if name in each.measures]
        row[name] = round(statistics.fmean(values), 4)
    # The usual time, and that of the slowest in twenty.
    times = sorted(outcome.elapsed_ms for outcome in outcomes)
    row["ms_p50"] = round(times[len(times) // 2], 2)
    row["ms_p95"] = round(times[min(len(times) - 1, int(len(times) * 0.95))], 2)
    return row


def reliability_bins(
    outcomes: Sequence[QuestionOutcome], ranks: int = SCORED
) -> list[ReliabilityBin]:
    """The scores of the first hits of each question and their share of right hits, in tenths."""
    # A score of 1 belongs to the last tenth.
    tenths: dict[int, list[tuple[float, bool]]] = {}
    for score, is_right in (pair for each in outcomes for pair in each.scored[:ranks]):
        tenths.setdefault(min(int(score * 10), 9), []).append((score, is_right))
    pairs = [list(zip(*tenths[tenth], strict=True)) for tenth in sorted(tenths)]
    return [
        ReliabilityBin(
            hits=len(scores), score=statistics.fmean(scores), right=statistics.fmean(rights)
        )
        for scores, rights in pairs
    ]


def calibration_error(tenths: Sequence[ReliabilityBin]) -> float:
    """Mean distance of scores from the share that is right (the expected calibration error)."""
    total = sum(tenth.hits for tenth in tenths)
    return sum(tenth.hits * abs(tenth.score - tenth.right) for tenth in tenths) / max(1, total)


def means_by_category(outcomes: Sequence[QuestionOutcome]) -> dict[str, dict[str, float]]:
    """Means of each category, by name."""
    names = sorted({outcome.category for outcome in outcomes})
    return {
        name: mean_measures([each for each in outcomes if each.category == name]) for name in names
    }
