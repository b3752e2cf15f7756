"""The commands of `scrubjay` and their options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from scrubjay.backfill import question
from scrubjay.cli import keys, models, output
from scrubjay.cli.demo import run as run_demo
from scrubjay.cli.evaluating import evaluate_files
from scrubjay.cli.session import opened, wait
from scrubjay.engine import Engine
from scrubjay.errors import IndexCorrupt, IndexLocked, IndexUnavailable, WorkspaceMissing
from scrubjay.jobs import CancelToken
from scrubjay.records import IndexState, Mode, SearchRequest, Workspace

app = typer.Typer(
    name="scrubjay",
    help="Find what was written down, by its words and by its meaning.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
workspaces = typer.Typer(help="The folders of notes that are searched.", no_args_is_help=True)
app.add_typer(workspaces, name="workspace")
app.add_typer(models.app, name="models")
app.add_typer(keys.app, name="keys")


class ModeName(StrEnum):
    """How to search."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


In: TypeAlias = Annotated[
    str | None, typer.Option("--workspace", help="Name or folder of one workspace.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
How: TypeAlias = Annotated[ModeName, typer.Option("--mode", help="Words, meaning, or both.")]


@workspaces.command("add")
def add(
    path: Path,
    name: Annotated[str | None, typer.Option(help="What to call it.")] = None,
) -> None:
    """Put a folder of notes on the list."""
    with opened() as engine:
        workspace = engine.add_workspace(path, name).result()
        output.line(f"Added {workspace.name} ({workspace.root}).")
        output.line("Index it with `scrubjay index`, or just search.")


@workspaces.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show the list."""
    with opened() as engine:
        output.workspaces(engine.workspaces(), as_json=as_json)


@workspaces.command("remove")
def remove(workspace: str) -> None:
    """Forget a workspace and its index. The notes are not touched."""
    with opened() as engine:
        found = engine.find_workspace(workspace)
        engine.remove_workspace(found.id).result()
        output.line(f"Forgot {found.name}. The notes in {found.root} are as they were.")


@app.command()
def index(
    workspace: In = None,
    force: Annotated[bool, typer.Option(help="Read every file again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Answer yes to every question.")] = False,
) -> None:
    """Bring the index up to date. Asks before notes are sent to a remote provider."""
    with opened() as engine:
        failures: list[IndexUnavailable] = []
        for one in _chosen(engine, workspace):
            try:
                [report] = wait(engine, engine.refresh(one.id, force=force, may_send=yes))
                if report.backfill and output.asked(f"{one.name}: {question(report.backfill)}"):
                    [report] = wait(engine, engine.refresh(one.id, may_send=True))
                output.report(report, one)
            except IndexUnavailable as error:
                failures.append(error)  # the others are read all the same
        for failure in failures[1:]:
            output.warn(f"scrubjay: {failure}")
        if failures:
            raise failures[0]


@app.command()
def status(as_json: AsJson = False) -> None:
    """Show what is indexed, what is not, and why."""
    with opened() as engine:
        output.status(engine.current_status().result(), engine.settings, as_json=as_json)


@app.command()
def get(
    path: str,
    first_line: Annotated[int, typer.Option("--from", help="First line.")] = 1,
    lines: Annotated[int | None, typer.Option("--lines", help="Number of lines.")] = None,
    workspace: In = None,
    as_json: AsJson = False,
) -> None:
    """Print part of a memory file, as agents read it."""
    with opened() as engine:
        chosen = _chosen(engine, workspace)
        if len(chosen) > 1:
            names = ", ".join(one.name for one in chosen)
            raise WorkspaceMissing(
                "Say which workspace", f"There are {names}.", hint="Use --workspace NAME."
            )
        page = engine.get(chosen[0].id, path, first_line=first_line, line_count=lines)
        output.page(page.result(), as_json=as_json)


@app.command()
def search(
    query: str,
    workspace: In = None,
    mode: How = ModeName.HYBRID,
    max_results: Annotated[int | None, typer.Option(min=1, help="Number of hits.")] = None,
    min_score: Annotated[float | None, typer.Option(min=0, max=1, help="0 to 1.")] = None,
    explain: Annotated[bool, typer.Option(help="Say why each hit is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find notes by their words and by their meaning."""
    with opened() as engine:
        chosen = _chosen(engine, workspace)
        _bring_up_to_date(engine, chosen)
        request = SearchRequest(
            query,
            chosen[0].id if workspace else None,
            Mode(mode),
            max_results=max_results,
            min_score=min_score,
        )
        try:
            answer = engine.search(request, CancelToken()).result()
        except IndexCorrupt:
            # Damage that only reading shows; the engine knows now and rebuilds.
            _bring_up_to_date(engine, chosen)
            answer = engine.search(request, CancelToken()).result()
        if as_json:
            citations = engine.settings.settings.memory_search.citations == "on"
            output.answer_as_json(answer, citations=citations, explain=explain)
        else:
            output.answer(answer, explain=explain)


@app.command("eval")
def evaluate(qrels: list[Path], mode: How = ModeName.HYBRID, as_json: AsJson = False) -> None:
    """Measure retrieval against files of judged questions."""
    with opened() as engine:
        found = evaluate_files(engine, qrels, Mode(mode))
        output.evaluation(found, as_json=as_json)


@app.command()
def demo() -> None:
    """Try it on the sample notes."""
    with opened() as engine:
        run_demo(engine)


def _chosen(engine: Engine, workspace: str | None) -> tuple[Workspace, ...]:
    if workspace is not None:
        return (engine.find_workspace(workspace),)
    chosen = engine.workspaces()
    if not chosen:
        raise WorkspaceMissing(
            "There are no notes to search yet",
            hint="Add a folder with `scrubjay workspace add FOLDER`.",
        )
    return chosen


def _bring_up_to_date(engine: Engine, chosen: tuple[Workspace, ...]) -> None:
    """Take in what changed, words only; the first search of all waits for the whole index."""
    known = {one.workspace.id: one.state for one in engine.current_status().result().workspaces}
    for workspace in chosen:
        is_first = known.get(workspace.id) is IndexState.NEVER
        try:
            wait(engine, engine.refresh(workspace.id, words_only=not is_first))
        except IndexLocked:
            continue  # whoever has it brings it up to date
        except IndexUnavailable as error:
            output.warn(f"scrubjay: {error}")  # what is indexed already may still answer
