"""`scrubjay workspace`: the folders of notes that are searched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, opened

app = typer.Typer(help="The folders of notes that are searched.", no_args_is_help=True)


@app.command("add")
def add(
    path: Path, name: Annotated[str | None, typer.Option(help="What to call it.")] = None
) -> None:
    """Put a folder of notes on the list."""
    with opened() as engine:
        workspace = engine.add_workspace(path, name).result()
        print(f"Added {workspace.name} ({workspace.root}).")
        print("Index it with `scrubjay index`, or just search.")


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show the list."""
    with opened() as engine:
        listed = engine.workspaces()
    if as_json:
        output.data([output.fields(each, root="path") for each in listed])
        return
    if not listed:
        print("The list is empty. Add a folder with `scrubjay workspace add FOLDER`.")
    for workspace in listed:
        print(f"{workspace.name}\t{workspace.root}")


@app.command("remove")
def remove(workspace: str) -> None:
    """Forget a workspace and its index. The notes are not touched."""
    with opened() as engine:
        removed = engine.find_workspace(workspace)
        engine.remove_workspace(removed.id).result()
        print(f"Forgot {removed.name}. The notes in {removed.root} are as they were.")
