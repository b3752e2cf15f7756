"""`scrubjay captured`: what people told their agents and may want to keep."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.agents.recall.capture_queue import Captured
from scrubjay.agents.recall.forget_line import Forgettable
from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, opened
from scrubjay.notes.scan import printable

app = typer.Typer(help="What people told their agents and may want to keep.", no_args_is_help=True)

Ids = Annotated[list[str], typer.Argument(help="From the list; the first letters are enough.")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show what waits for a yes or a no."""
    with opened() as engine:
        waiting = engine.recall.captured().result()
    if as_json:
        output.data([_as_json(one) for one in waiting])
        return
    if not waiting:
        output.line("Nothing waits for you.")
    for one in waiting:
        output.line(f"{one.id}  {one.category:<10}  {printable(one.text)}")


@app.command()
def accept(ids: Ids) -> None:
    """Write them into today's file."""
    with opened() as engine:
        for one in _chosen(engine.recall.captured().result(), ids):
            written = engine.recall.accept(one.id).result()
            output.line(f"{written.path}:{written.first_line}  {printable(one.text)}")


@app.command()
def refuse(ids: Ids) -> None:
    """Drop them. They are not proposed again."""
    with opened() as engine:
        for one in _chosen(engine.recall.captured().result(), ids):
            engine.recall.refuse(one.id).result()
            output.line(f"Dropped: {printable(one.text)}")


def forget(
    text: Annotated[str, typer.Argument(help="What should be forgotten.")] = "",
    workspace: In = None,
    line: Annotated[int | None, typer.Option(min=1, help="Delete this one of the list.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Put the last deleted line back.")] = False,
) -> None:
    """Delete a line from the notes. It is asked for when more than one may be meant."""
    with opened() as engine:
        if undo:
            back = engine.recall.undo_forget().result()
            output.line(f"Taken back: {back.what}.")
            return
        chosen = engine.find_workspace(workspace).id if workspace else None
        done = engine.recall.forget(text, chosen).result()
        if done.deleted:
            _deleted(done.deleted)
        elif line is not None and line <= len(done.found):
            engine.recall.forget_line(done.found[line - 1]).result()
            _deleted(done.found[line - 1])
        elif not done.found:
            output.line("Nothing in the notes says that.")
        else:
            for number, one in enumerate(done.found, 1):
                where = f"{printable(one.path)}:{one.line}"
                output.line(f"{number}. {where}  {one.likeness:.2f}  {printable(one.text.strip())}")
            output.line("Nothing was deleted. Say which one with --line NUMBER.")


def _deleted(one: Forgettable) -> None:
    output.line(f"Deleted from {printable(one.path)}: {printable(one.text.strip())}")
    output.line("Put it back with `scrubjay forget --undo`.")


def _chosen(waiting: tuple[Captured, ...], ids: list[str]) -> list[Captured]:
    """Those that are meant. Wrong usage when one is not on the list, or not clear."""
    chosen: list[Captured] = []
    for given in ids:
        meant = [one for one in waiting if one.id.startswith(given)]
        if len(meant) != 1:
            raise typer.BadParameter(f"{given} is not on the list. See `scrubjay captured list`.")
        chosen += meant
    return list(dict.fromkeys(chosen))


def _as_json(one: Captured) -> dict[str, str]:
    return {
        "id": one.id,
        "workspace": one.workspace,
        "text": one.text,
        "category": str(one.category),
        "at": one.at.isoformat(),
    }
