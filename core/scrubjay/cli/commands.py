"""The commands of `scrubjay` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.backfill import question
from scrubjay.cli import agents, captured, dream, finding, hook, keys, mcp, models, output, updates
from scrubjay.cli.changes import changes
from scrubjay.cli.connect import connect
from scrubjay.cli.demo import run as run_demo
from scrubjay.cli.diagnostics import diagnostics
from scrubjay.cli.doctor import doctor
from scrubjay.cli.evaluating import evaluate_files
from scrubjay.cli.finding import How, ModeName
from scrubjay.cli.import_ import import_
from scrubjay.cli.session import AsJson, In, chosen, opened, wait
from scrubjay.errors import IndexUnavailable, WorkspaceMissing
from scrubjay.records import Mode

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
app.command()(diagnostics)
app.command()(doctor)
app.command("import")(import_)
app.add_typer(hook.app, name="hook")
app.add_typer(dream.app, name="dream")
app.add_typer(captured.app, name="captured")
app.command()(captured.forget)
app.command("update-check")(updates.check)
app.command("mcp")(mcp.serve)
app.command()(connect)
app.command()(changes)
app.add_typer(agents.app, name="agents")


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
        for one in chosen(engine, workspace):
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
        found = chosen(engine, workspace)
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            raise WorkspaceMissing(
                "Say which workspace", f"There are {names}.", hint="Use --workspace NAME."
            )
        page = engine.get(found[0].id, path, first_line=first_line, line_count=lines)
        output.page(page.result(), as_json=as_json)


app.command()(finding.search)
app.command()(finding.context)


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
