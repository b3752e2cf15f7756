"""`scrubjay eval`: retrieval metrics over judged questions."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec.structs import asdict
from rich.progress import Progress

from scrubjay.cli import output
from scrubjay.cli.arguments import Option
from scrubjay.cli.console import console
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, How
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.session import open_engine
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.loading import memory_search_for
from scrubjay.engine.engine import Engine
from scrubjay.evaluation.metrics import (
    DEPTH,
    Qrels,
    QuestionOutcome,
    calibration_error,
    evaluate,
    mean_measures,
    means_by_category,
    read_qrels,
    reliability_bins,
)
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest

_BAR = 40
"""Columns of the terminal for a share of 1."""

_Look: TypeAlias = Callable[[SearchAnswer], SearchAnswer]


def evaluate_search(
    qrels: list[Path],
    mode: How = Mode.HYBRID,
    reader: Annotated[
        Path | None, Option(help="A language model (.gguf) that reranks the first results.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure search quality with questions whose correct notes are known."""
    outcomes: list[QuestionOutcome] = []
    with open_engine() as engine, _open_reader(reader) as look:
        judged = [read_qrels(file) for file in qrels]
        for each in judged:  # the folders are indexed where needed
            wait_with_progress(engine, engine.refresh(engine.open_folder(each.workspace)))
        with Progress(console=console(to_errors=True), disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task("Asking", total=sum(len(each.queries) for each in judged))
            for each in judged:
                outcomes += _ask(
                    engine, each, mode=mode, look=look, on_answer=lambda: bar.advance(task)
                )
    # The same outcomes as means, by category, and as what the scores promised.
    metrics = mean_measures(outcomes)
    categories = means_by_category(outcomes)
    tenths = reliability_bins(outcomes)
    errors = {
        "error": round(calibration_error(tenths), 4),
        "errorOfFirst": round(calibration_error(reliability_bins(outcomes, 1)), 4),
    }
    if as_json:
        calibration = errors | {"tenths": [asdict(tenth) for tenth in tenths]}
        output.print_json(
            {"metrics": metrics, "categories": categories, "calibration": calibration}
        )
        return
    _print_metrics({"all": metrics, **categories}, [*metrics])
    print_line()
    print_line(f"Calibration error {errors['error']}, of first hits {errors['errorOfFirst']}")
    print_line("score  hits  right")
    for tenth in tenths:
        line = "#" * round(_BAR * tenth.right)
        print_line(f"{tenth.score:5.2f} {tenth.hits:5}  {tenth.right:5.2f} {line}")


def _print_metrics(rows: Mapping[str, Mapping[str, float]], metrics: Sequence[str]) -> None:
    """Print a table: the categories below each other, the metrics side by side."""
    width = max(map(len, rows))
    print_line(" ".join([" " * width, *(f"{name:>12}" for name in metrics)]))
    for name, values in rows.items():
        # A category of questions without an answer has only some of the metrics.
        cells = [f"{values[key]:g}" if key in values else "-" for key in metrics]
        print_line(" ".join([name.ljust(width), *(f"{cell:>12}" for cell in cells)]))


@contextlib.contextmanager
def _open_reader(file: Path | None) -> Iterator[_Look]:
    """What is done with each answer: a model reads its first hits again, if there is one."""
    if file is None:
        yield lambda answer: answer
        return
    # Late: most evaluations read nothing again.
    from scrubjay.answers.second_look import look_again
    from scrubjay.embedding.local.local_reader import LocalReader

    # The child process works in another folder.
    reader = LocalReader(file.absolute())
    with contextlib.closing(reader):
        # Like the search, it has no threshold, so that ranks are measured.
        yield lambda answer: look_again(
            answer, reader, min_score=lambda _hit: 0.0, cancel=CancelToken()
        )


def _ask(
    engine: Engine, qrels: Qrels, mode: Mode, look: _Look, on_answer: Callable[[], None]
) -> list[QuestionOutcome]:
    """Outcomes of all questions of a file."""
    workspace = engine.open_folder(qrels.workspace)
    min_score = memory_search_for(engine.settings, workspace.id)[0].query.min_score

    def search(query: str) -> Sequence[Hit]:
        request = SearchRequest(query, workspace.id, mode, max_results=DEPTH, min_score=0.0)
        return look(engine.search(request, CancelToken()).result()).hits

    def text_of(hit: Hit) -> str:
        return engine.notes.read(NoteAddress(hit.workspace, hit.path)).result()

    return evaluate(qrels, search, text_of=text_of, min_score=min_score, on_answer=on_answer)
