"""`scrubjay models`: the models that embed the notes."""

from __future__ import annotations

import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Annotated, Any

import humanize
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, opened, wait_with_events
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ModelMissing
from scrubjay.events import Event, ModelComparisonProgressed, ModelDownloadProgressed
from scrubjay.records.model_records import ModelComparison, ModelInfo

app = typer.Typer(help="The models that search by meaning uses.", no_args_is_help=True)

_WIDTH = 20
"""In columns of the terminal."""

Accept = Annotated[
    bool, typer.Option("--accept-terms", help="Accept the terms of use of the model.")
]
Name = Annotated[
    str, typer.Argument(help="Id from the list, hf:OWNER/REPOSITORY/FILE.gguf, or file.")
]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show which models there are, and which are here."""
    with opened() as engine:
        models = engine.models.list().result()
    if as_json:
        output.data([_as_json(model) for model in models])
        return
    for model in models:
        _print(model)


@app.command()
def download(model: Name, accept_terms: Accept = False) -> None:
    """Fetch a model; one that was interrupted goes on where it stopped."""
    with opened() as engine:
        accept_terms = accept_terms or _accepts(engine, model)
        try:
            done = wait_for_download(
                engine, engine.models.download(model, accept_terms=accept_terms)
            )
        except KeyboardInterrupt:
            engine.models.pause(model)
            output.warn("What has arrived of the model is kept: the same command goes on.")
            raise
        print(f"{done.name} is here and works ({done.file}).")
        if not done.is_used:
            print(f"Use it with `scrubjay models use {done.id}`.")


@app.command("import")
def import_(file: Path, accept_terms: Accept = False) -> None:
    """Take a GGUF file that is on this computer already; it is checked and copied."""
    with opened() as engine:
        done = engine.models.import_file(file, accept_terms=accept_terms).result()
        print(f"{done.name} works and was copied to {done.file}.")
        print(f"Use it with `scrubjay models use {done.id}`.")


@app.command()
def verify(model: Name) -> None:
    """Read a whole model again, compare it with what it should be, and try it."""
    with opened() as engine:
        done = engine.models.verify(model).result()
        print(f"{done.name} is complete and works ({done.dimensions} dimensions).")


@app.command()
def remove(model: Name) -> None:
    """Delete a model, or what has arrived of one."""
    with opened() as engine:
        print(engine.models.remove(model).result())


@app.command()
def clean() -> None:
    """Delete what broken downloads left behind."""
    with opened() as engine:
        print(f"Freed {humanize.naturalsize(engine.models.clean().result())}.")


@app.command()
def use(model: Name) -> None:
    """Understand the notes with this model from now on."""
    with opened() as engine:
        done = engine.models.use(model).result()
        print(f"{done.name} is used from now on.")
        print("The notes are read anew by `scrubjay index`; until then the old model answers.")


@app.command()
def compare(
    model: Name,
    other: Annotated[
        str | None, typer.Argument(help="The other one; the model in use when left out.")
    ] = None,
    workspace: In = None,
    as_json: AsJson = False,
) -> None:
    """Find out which of two models finds more in your notes, with questions from their headings."""
    with opened() as engine:
        chosen = engine.find_workspace(workspace).id if workspace else None
        second = other or _used(engine)
        cancel = CancelToken()
        try:
            future = engine.models.compare(model, second, chosen, cancel)
            result = _wait_for_comparison(engine, future)
        except KeyboardInterrupt:
            cancel.cancel()
            raise
    if as_json:
        output.data(_comparison_as_json(result))
        return
    width = max(len(score.name) for score in result.scores)
    for score in result.scores:
        bar = "█" * round(_WIDTH * score.first / result.questions)
        print(
            f"{score.name:<{width}}  {bar:<{_WIDTH}}  {score.first} of {result.questions} found "
            f"first, {score.among_five} among five, read in {score.seconds:.1f} s"
        )
    if result.better:
        print(f"{result.better.name} finds more in these notes.")
    else:
        print("The difference may be chance: neither finds clearly more in these notes.")


def _used(engine: Engine) -> str:
    used = [model.id for model in engine.models.list().result() if model.is_used]
    if not used:
        raise ModelMissing("No model is in use", hint="Name two models to compare.")
    return used[0]


def _wait_for_comparison(engine: Engine, future: Future[ModelComparison]) -> ModelComparison:
    with _progress() as bars:
        bar = bars.add_task("Asking both models", total=None)

        def show(event: Event) -> None:
            if isinstance(event, ModelComparisonProgressed):
                bars.update(bar, completed=event.done, total=event.total)

        return wait_with_events(engine, future, show)


def _comparison_as_json(result: ModelComparison) -> dict[str, Any]:
    return {
        "questions": result.questions,
        "models": [
            {
                "id": score.model,
                "name": score.name,
                "first": score.first,
                "amongFive": score.among_five,
                "seconds": round(score.seconds, 3),
            }
            for score in result.scores
        ],
        "better": result.better.model if result.better else None,
    }


def _accepts(engine: Engine, name: str) -> bool:
    """The answer of the user at a terminal to terms of use that are not accepted yet."""
    models = (each for each in engine.models.list().result() if each.id == name)
    model = next(models, None)
    if model is None or model.is_accepted or not output.has_terminal():
        return False
    return typer.confirm(
        f"{model.name} comes under the {model.terms_name} ({model.terms_url}). Accept?"
    )


def wait_for_download(engine: Engine, future: Future[ModelInfo]) -> ModelInfo:
    """The finished model, with a progress bar on a terminal and none in a pipe."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with _progress(*columns) as bars:
        bar = bars.add_task("Waiting", total=None)

        def show(event: Event) -> None:
            if isinstance(event, ModelDownloadProgressed):
                now = event.progress
                bars.update(
                    bar,
                    description=now.phase.capitalize(),
                    completed=now.done_bytes,
                    total=now.total_bytes,
                )

        return wait_with_events(engine, future, show)


def _progress(*columns: ProgressColumn) -> Progress:
    """Bars on a terminal, which vanish at the end; nothing in a pipe."""
    is_piped = not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=is_piped)


def _print(model: ModelInfo) -> None:
    state = f"{model.state}, used" if model.is_used else str(model.state)
    if model.progress and model.progress.done_bytes and model.progress.total_bytes:
        state += f" at {model.progress.done_bytes / model.progress.total_bytes:.0%}"
    facts = [
        humanize.naturalsize(model.size_bytes) if model.size_bytes else "",
        f"{model.dimensions} dimensions" if model.dimensions else "",
        model.licence,
    ]
    print(f"{model.id}  [{state}]")
    print(f"  {', '.join(filter(None, [model.name, *facts]))}")
    if model.description:
        print(f"  {model.description}")
    if model.reason:
        print(f"  {model.reason}")


def _as_json(model: ModelInfo) -> dict[str, Any]:
    progress = model.progress
    return {
        "id": model.id,
        "name": model.name,
        "description": model.description,
        "state": model.state.name.lower(),
        "used": model.is_used,
        "reason": model.reason,
        "file": str(model.file) if model.file else None,
        "sizeBytes": model.size_bytes,
        "doneBytes": progress.done_bytes if progress else None,
        "dimensions": model.dimensions,
        "context": model.context,
        "languages": list(model.languages),
        "licence": model.licence,
        "termsUrl": model.terms_url or None,
        "termsAccepted": model.is_accepted,
    }
