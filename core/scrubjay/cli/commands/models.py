"""`scrubjay models`: the models that embed the notes, and those that read results again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import humanize
from rich.progress import DownloadColumn, TaskProgressColumn, TransferSpeedColumn

from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, CommandGroup, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.session import find_workspace, open_engine, requested_workspace_id
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ModelMissing
from scrubjay.records.model_records import ModelComparison, ModelInfo, ModelPurpose

app = CommandGroup("List and change the models that Scrubjay searches with.")

_WIDTH = 20
"""Columns of the terminal for the bar of a comparison."""

Accept = Annotated[bool, Option("--accept-terms", help="Accept the terms of use of the model.")]
Name = Annotated[
    str,
    Argument(help="Model ID from the list, hf:OWNER/REPOSITORY/FILE.gguf, or the path of a file."),
]


@app.command("list")
def list_models(as_json: AsJson = False) -> None:
    """Show the models, and which of them are on this computer."""
    with open_engine() as engine:
        models = engine.models.list().result()
    # Sizes are numbers of bytes, and what is unknown is null.
    if as_json:
        rows = [
            {
                "id": model.id,
                "name": model.name,
                "description": model.description,
                "purpose": str(model.purpose),
                "state": model.state.name.lower(),
                "used": model.is_used,
                "reason": model.reason,
                "warning": model.warning,
                "file": model.file,
                "sizeBytes": model.size_bytes,
                "doneBytes": model.progress.done_bytes if model.progress else None,
                "dimensions": model.dimensions,
                "context": model.context,
                "languages": model.languages,
                "licence": model.licence,
                "termsUrl": model.terms_url or None,
                "termsAccepted": model.is_accepted,
            }
            for model in models
        ]
        output.print_json(rows)
        return
    # People get a few lines for each model.
    for model in models:
        _print_model(model)


def _print_model(model: ModelInfo) -> None:
    """Print the state of a model, and below it what is known of it."""
    state = str(model.state)
    if model.is_used:
        state += ", used"
    if model.progress and model.progress.done_bytes and model.progress.total_bytes:
        state += f" at {model.progress.done_bytes / model.progress.total_bytes:.0%}"
    # What is not known of a model is not said.
    facts = [model.name]
    if model.size_bytes:
        facts.append(humanize.naturalsize(model.size_bytes))
    if model.dimensions:
        facts.append(f"{model.dimensions} dimensions")
    if model.purpose is ModelPurpose.READING:
        facts.append("result reader")
    facts.append(model.licence)
    print_line(f"{model.id}  [{state}]")
    for line in filter(
        None, [", ".join(filter(None, facts)), model.description, model.reason, model.warning]
    ):
        print_line(f"  {line}")


@app.command("download")
def download_model(model: Name, accept_terms: Accept = False) -> None:
    """Download a model. An interrupted download continues where it stopped."""
    with open_engine() as engine:
        if not accept_terms and output.has_terminal():
            accept_terms = _are_terms_accepted(engine, model)
        # Ctrl-C pauses the download, so that the same command goes on with it.
        try:
            arriving = engine.models.download(model, accept_terms=accept_terms)
            amounts = (DownloadColumn, TransferSpeedColumn)
            done = wait_with_progress(engine, arriving, "Waiting", amounts=amounts)
        except KeyboardInterrupt:
            engine.models.library.pause(model)
            output.print_warning(
                "The downloaded part is kept. To continue, run the same command again."
            )
            raise
        print_line(f"{done.name} was downloaded and works ({done.file}).")
        if done.purpose is ModelPurpose.READING:
            _print_reader_use(done)
        elif not done.is_used:
            print_line(
                f"To compare it with the model in use, run `scrubjay models compare {done.id}`."
            )
            print_line(f"To use the model, run `scrubjay models use {done.id}`.")


def _are_terms_accepted(engine: Engine, model_id: str) -> bool:
    """The user's yes to the terms of a model, where they need one."""
    for model in engine.models.list().result():
        if model.id == model_id and not model.is_accepted:
            terms = f"{model.name} is licensed under the {model.terms_name} ({model.terms_url})."
            return output.confirm(f"{terms} Do you accept the terms?")
    return False


@app.command("import")
def import_model_file(file: Path, accept_terms: Accept = False) -> None:
    """Check and copy a GGUF file that is already on this computer."""
    with open_engine() as engine:
        importing = engine.models.library.import_model(file, accept_terms=accept_terms)
        amounts = (TaskProgressColumn,)
        done = wait_with_progress(engine, importing, "Checking", amounts=amounts)
        print_line(f"{done.name} works and was copied to {done.file}.")
        if done.purpose is ModelPurpose.READING:
            _print_reader_use(done)
        else:
            print_line(f"To use the model, run `scrubjay models use {done.id}`.")


def _print_reader_use(reader: ModelInfo) -> None:
    """Print what a result reader that is new here is used for, or why it is not."""
    if reader.is_used:
        print_line("Agents and `scrubjay search --reader` use it from now on.")
    else:
        print_line(f"To use the result reader, run `scrubjay models use {reader.id}`.")


@app.command("verify")
def verify_model(model: Name) -> None:
    """Read a whole model again, compare it with its checksum, and try it."""
    with open_engine() as engine:
        done = engine.models.library.verify(model).result()
        dimensions = ""
        if done.dimensions:
            dimensions = f" ({done.dimensions} dimensions)"
        print_line(f"{done.name} is complete and works{dimensions}.")


@app.command("remove")
def remove_model(model: Name) -> None:
    """Delete a model, or a partial download."""
    with open_engine() as engine:
        print_line(engine.models.library.remove(model).result())


@app.command("clean")
def clean_downloads() -> None:
    """Delete the files of unfinished downloads."""
    with open_engine() as engine:
        print_line(f"Freed {humanize.naturalsize(engine.models.library.clean().result())}.")


@app.command("use")
def use_model(model: Name) -> None:
    """Use this model from now on, for search by meaning or for reading results again."""
    with open_engine() as engine:
        done = engine.models.use(model).result()
        print_line(f"{done.name} will be used from now on.")
        if done.purpose is ModelPurpose.READING:
            return
        print_line(
            "To start using the new model, run `scrubjay index`. Until then, "
            "Scrubjay uses the old one."
        )


@app.command("compare")
def compare_models(
    model: Name,
    other: Annotated[
        str | None, Argument(help="Model to compare with. By default, the model in use.")
    ] = None,
    workspace: In = None,
    as_json: AsJson = False,
) -> None:
    """Find out which of two models finds more in your notes, with questions from their headings."""
    with open_engine() as engine:
        workspace_id = requested_workspace_id(find_workspace(engine, workspace))
        cancel = CancelToken()
        # Ctrl-C ends the questions that are still to be asked.
        try:
            future = engine.models.comparisons.compare(
                model, other or _used_model(engine), workspace_id=workspace_id, cancel=cancel
            )
            amounts = (TaskProgressColumn,)
            result = wait_with_progress(engine, future, "Comparing both models", amounts=amounts)
        except KeyboardInterrupt:
            cancel.cancel()
            raise
    if as_json:
        output.print_json(_comparison_fields(result))
        return
    width = max(len(score.name) for score in result.scores)
    # One bar for each model, as long as its share of first places.
    for score in result.scores:
        bar = "█" * round(_WIDTH * score.first / result.questions)
        print_line(
            f"{score.name:<{width}}  {bar:<{_WIDTH}}  {score.first} of {result.questions} found "
            f"first, {score.among_five} among five, read in {score.seconds:.1f} s"
        )
    if result.better:
        print_line(f"{result.better.name} finds more in these notes.")
    else:
        print_line(
            "Neither model clearly finds more in these notes. The difference may be due to chance."
        )


def _used_model(engine: Engine) -> str:
    """Id of the model in use. Raises ModelMissing."""
    for model in engine.models.list().result():
        if model.is_used and model.purpose is ModelPurpose.EMBEDDING:
            return model.id
    raise ModelMissing("No model is in use", hint="Specify two models to compare.")


def _comparison_fields(result: ModelComparison) -> dict[str, Any]:
    """The result of a comparison for JSON."""
    better = None
    if result.better:
        better = result.better.model
    models = [
        output.json_fields(score, model="id") | {"seconds": round(score.seconds, 3)}
        for score in result.scores
    ]
    return {"questions": result.questions, "models": models, "better": better}
