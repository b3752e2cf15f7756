"""`scrubjay eval`: asks judged questions and adds the answers up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from scrubjay.cli import output
from scrubjay.cli.commands.search import How, ModeName
from scrubjay.cli.session import AsJson, opened, wait
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.loading import memory_search_for
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    DEPTH,
    Outcome,
    Qrels,
    by_category,
    evaluate,
    means,
    read_qrels,
)
from scrubjay.records.search_records import Hit, Mode, SearchRequest


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Means over all questions, and of each category."""

    metrics: dict[str, float]
    categories: dict[str, dict[str, float]]


def eval_(qrels: list[Path], mode: How = ModeName.HYBRID, as_json: AsJson = False) -> None:
    """Measure retrieval against files of judged questions."""
    with opened() as engine:
        found = _of_files(engine, qrels, Mode(mode))
    if as_json:
        output.data({"metrics": found.metrics, "categories": found.categories})
        return
    rows = {"all": found.metrics, **found.categories}
    width = max(map(len, rows))
    output.line(" ".join([" " * width, *(f"{name:>12}" for name in found.metrics)]))
    for name, values in rows.items():
        cells = (f"{values[one]:>12g}" if one in values else f"{'-':>12}" for one in found.metrics)
        output.line(" ".join([name.ljust(width), *cells]))


def _of_files(engine: Engine, files: Sequence[Path], mode: Mode) -> Evaluation:
    """Index the folders where needed and ask all questions. Raises QueryError."""
    judged = [read_qrels(file) for file in files]
    outcomes: list[Outcome] = []
    total = sum(len(one.queries) for one in judged)
    for qrels in judged:
        workspace = engine.open_folder(qrels.workspace)
        wait(engine, engine.refresh(workspace.id))
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("Asking", total=total)
        for qrels in judged:
            outcomes += _ask(engine, qrels, mode, lambda: bar.advance(task))
    return Evaluation(means(outcomes), by_category(outcomes))


def _ask(engine: Engine, qrels: Qrels, mode: Mode, asked: Callable[[], None]) -> list[Outcome]:
    workspace = engine.open_folder(qrels.workspace)
    min_score = memory_search_for(engine.settings, workspace.id)[0].query.min_score

    def search(query: str) -> Sequence[Hit]:
        request = SearchRequest(query, workspace.id, mode, max_results=DEPTH, min_score=0.0)
        return engine.search(request, CancelToken()).result().hits

    return evaluate(qrels, search, min_score, asked)
