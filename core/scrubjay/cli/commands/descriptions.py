"""`scrubjay descriptions`: what agents are told about the folders in which they find something."""

from __future__ import annotations

from typing import Annotated

from scrubjay.answers.answer_json import description_text
from scrubjay.cli import output
from scrubjay.cli.arguments import CommandGroup, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, Listed
from scrubjay.cli.session import open_engine
from scrubjay.errors import WorkspaceMissing
from scrubjay.messages import msg

app = CommandGroup("Describe folders for agents that search them.")

Inside = Annotated[str, Option("--folder", help="Folder in the workspace.")]


@app.command("list")
def list_descriptions(as_json: AsJson = False) -> None:
    """Show all descriptions."""
    with open_engine() as engine:
        described = [
            (workspace, description)
            for workspace in engine.workspaces()
            for description in workspace.descriptions
        ]
    if as_json:
        output.print_json(
            [
                {"workspace": workspace.id, "folder": each.folder, "description": each.text}
                for workspace, each in described
            ]
        )
        return
    if not described:
        print_line(
            "There are no descriptions yet. Add one with `scrubjay descriptions set NAME TEXT`."
        )
    for workspace, each in described:
        print_line("/".join(filter(None, (workspace.name, each.folder))), each.text)


@app.command("set")
def set_description(workspace: Listed, text: str, folder: Inside = "") -> None:
    """Describe a workspace, or a folder in it, in one or two sentences."""
    with open_engine() as engine:
        described = engine.find_workspace(workspace)
        change = engine.folders.describe(described, folder, text)
        # A long one is cut before agents get it.
        print_line(f"Agents will be told: {description_text(change.result())}")


@app.command("remove")
def remove_description(workspace: Listed, folder: Inside = "") -> None:
    """Remove the description of a workspace, or of a folder in it."""
    with open_engine() as engine:
        described = engine.find_workspace(workspace)
        removed = engine.folders.drop_description(described, folder).result()
        if removed is None:
            raise WorkspaceMissing(
                msg("{name} has no description", name=folder or described.name),
                hint="To see all descriptions, run `scrubjay descriptions list`.",
            )
        print_line(f"Removed the description of {removed.folder or described.name}.")
