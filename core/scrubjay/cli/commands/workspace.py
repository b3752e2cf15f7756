"""`scrubjay workspace`: the list of folders that are searched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import CommandGroup, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, Listed
from scrubjay.cli.running_app import is_running
from scrubjay.cli.session import open_engine
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.loading import off_key
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Searched, Workspace

app = CommandGroup("List and change the folders that Scrubjay searches.")


@app.command("add")
def add_workspace(
    path: Path, name: Annotated[str | None, Option(help="Name of the folder in Scrubjay.")] = None
) -> None:
    """Add a folder of notes to the list."""
    with open_engine() as engine:
        workspace = engine.add_workspace(path, name).result()
        print_line(f"Added {workspace.name} ({workspace.root}).")
        if workspace.documents:
            print_line("Scrubjay also reads the PDF, Word and other documents in this folder.")
        if is_running(Paths.of_user()):
            print_line("Scrubjay is running and will read the folder.")
        else:
            print_line(
                "To index the folder now, run `scrubjay index`. Otherwise, Scrubjay indexes it "
                "at the next search."
            )


@app.command("list")
def list_workspaces(as_json: AsJson = False) -> None:
    """Show the folders in the list."""
    with open_engine() as engine:
        listed = engine.workspaces()
        off = {each.id: off_key(engine.settings, each.id) for each in listed}
    if as_json:
        rows = [output.json_fields(each, root="path") for each in listed]
        # The setting that turns a folder off is told where there is one.
        for each, row in zip(listed, rows, strict=True):
            if off[each.id]:
                row["off"] = off[each.id]
        output.print_json(rows)
        return
    if not listed:
        print_line("There are no folders yet. Add one with `scrubjay workspace add FOLDER`.")
    for workspace in listed:
        columns = [workspace.name, str(workspace.root)]
        if off[workspace.id]:
            columns.append(f"off ({off[workspace.id]})")
        print_line(*columns)


@app.command("documents")
def switch_documents(
    workspace: Listed,
    off: Annotated[bool, Option("--off", help="Read notes only, not other documents.")] = False,
) -> None:
    """Also read the PDF, Word and other documents of a folder."""
    with open_engine() as engine:
        former = engine.find_workspace(workspace)
        if not off:
            _check_no_agent(former)
        engine.folders.change(replace(former, documents=not off)).result()
        which = "Notes and documents"
        if off:
            which = "Only notes"
        print_line(f"{which} will be read in {former.name} from now on.")


@app.command("pictures")
def switch_pictures(
    workspace: Listed, off: Annotated[bool, Option("--off", help="Stop reading pictures.")] = False
) -> None:
    """Also read the text in the pictures and scanned PDFs of a folder."""
    with open_engine() as engine:
        former = engine.find_workspace(workspace)
        if not off:
            _check_no_agent(former)
        engine.folders.change(replace(former, pictures=not off)).result()
        if off:
            print_line(f"Pictures in {former.name} are no longer read.")
            return
        import humanize  # late: it takes longer than the command

        count = engine.folders.count_pictures(former, CancelToken()).result()
        if count.obstacle:
            output.print_warning(count.obstacle)
            return
        if count.kept and not count.pictures + count.scans:
            print_line(f"The pictures in {former.name} were read before.")
            return
        what = pluralize(count.pictures, "picture")
        time = f" This takes about {humanize.naturaldelta(count.seconds)}."
        # Scans are read as documents. The time is that of both.
        if former.documents:
            what = f"{what} and {pluralize(count.scans, 'scanned PDF')}"
        elif count.scans:
            time = ""
        print_line(f"{what} in {former.name} will be read in the background.{time}")


def _check_no_agent(workspace: Workspace) -> None:
    """Exit with 1 for an agent's memory, which is Markdown by definition."""
    if workspace.layout == "agent":
        output.print_warning(
            f"{workspace.name} is an agent's memory. Only its Markdown files are read."
        )
        raise SystemExit(1)


@app.command("named")
def search_when_named(
    workspace: Listed,
    off: Annotated[
        bool, Option("--off", help="Include it in searches of all folders again.")
    ] = False,
) -> None:
    """Search a folder only when a search names it."""
    with open_engine() as engine:
        former = engine.find_workspace(workspace)
        searched: Searched = "always" if off else "named"
        engine.folders.change(replace(former, searched=searched)).result()
        if off:
            print_line(f"{former.name} is included in searches of all folders again.")
        else:
            print_line(
                f"{former.name} is searched only when a search names it, as in "
                f"`scrubjay search --workspace {former.id} WORDS`."
            )


@app.command("move")
def move_workspace(
    workspace: Listed,
    path: Path,
    yes: Annotated[bool, Option("--yes", help="Answer yes to all questions.")] = False,
) -> None:
    """Set the new location of a folder. The index of its notes is kept."""
    with open_engine() as engine:
        former = engine.find_workspace(workspace)
        moved = engine.folders.moved_folder(former, path).result()
        assert moved is not None
        # Moved and edited notes may be unknown, so a person decides where few are known.
        known = f"{moved.known} of {moved.notes} notes of {former.name} are in {moved.root}."
        if (
            moved.is_likely
            or yes
            or output.confirm(f"Only {known} Did you really move the folder there?")
        ):
            engine.folders.change(replace(former, root=moved.root)).result()
            print_line(f"{known} Their index is kept.")
        else:
            output.print_warning(
                f"Nothing was changed, because only {known} If the location is right, add --yes."
            )
            raise SystemExit(1)


@app.command("remove")
def remove_workspace(workspace: Listed) -> None:
    """Remove a workspace and its index. The notes are not changed."""
    with open_engine() as engine:
        removed = engine.find_workspace(workspace)
        engine.folders.remove(removed).result()
        print_line(
            f"Removed {removed.name} from the list. The notes in {removed.root} are unchanged."
        )
