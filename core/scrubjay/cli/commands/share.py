"""`scrubjay share`, `unshare` and `shared`: memories that a team shares."""

from __future__ import annotations

from typing import Annotated, Any

from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import Argument, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.session import open_engine
from scrubjay.errors import ScrubjayError, SharedUnavailable
from scrubjay.records.shared_records import PublishState, SharedMemory, SharedRecord
from scrubjay.sharing.places import parse_place, parse_storage_options
from scrubjay.text.age import as_local
from scrubjay.workspaces.shared_damage import workspace_damage

_WHO_READS = "Anyone with access to {place} can read these notes."

Address = Annotated[
    str,
    Argument(
        help=(
            "A folder that others can access, or an address that starts with s3://, gs://, az:// "
            "or db://."
        )
    ),
]
Options = Annotated[
    str, Option("--options", help="Storage options, such as aws_region=eu-central-1,aws_endpoint=…")
]


def share_folder(
    folder: Annotated[
        str,
        Argument(
            help="Name or path of the folder to publish, as listed by `scrubjay workspace list`."
        ),
    ],
    uri: Address,
    name: Annotated[str, Option("--as", help="Name of the folder in the shared memory.")] = "",
    options: Options = "",
    yes: Annotated[bool, Option("--yes", help="Answer yes to all questions.")] = False,
) -> None:
    """Publish a folder for a team, now and after each change."""
    with open_engine() as engine:
        workspace = engine.find_workspace(folder)
        given = parse_storage_options(options)
        # Notes leave this computer, which a person has to say yes to.
        warning = _WHO_READS.format(place=parse_place(uri, given).uri)
        if not yes and not output.confirm(f"{warning} Share {workspace.name} there?"):
            output.print_warning(
                f"{warning} Nothing was shared. To share the folder, answer yes or add --yes."
            )
            raise SystemExit(1)
        # What is published is the index, so it is brought up to date first.
        wait_with_progress(engine, engine.refresh(workspace))
        future = engine.sharing.share(workspace, uri, name=name, options=given)
        done = wait_with_progress(engine, future, f"Publishing {workspace.name}")
        print_line(f"{workspace.name} is shared at {done.uri} as {done.name}. {warning}")
        print_line("Scrubjay publishes changes while it is running.")


def unshare_folder(
    folder: Annotated[str, Argument(help="Name or path of a shared folder.")],
    keep: Annotated[
        bool, Option("--keep", help="Keep the published notes so that others can still find them.")
    ] = False,
) -> None:
    """Stop publishing a folder, and delete the published notes."""
    with open_engine() as engine:
        workspace = engine.find_workspace(folder)
        # The folder is no longer published, whether its copy could be deleted or not.
        obstacle = ""
        try:
            if not wait_with_progress(engine, engine.sharing.unshare(workspace, keeps=keep)):
                obstacle = (
                    "Another computer is publishing this folder, so the published notes were "
                    "not deleted."
                )
        except SharedUnavailable as error:
            obstacle = f"The published notes could not be deleted. {error}"
    print_line(f"{workspace.name} is no longer published. Its notes are unchanged.")
    if obstacle:
        output.print_warning(obstacle)
        raise SystemExit(1)


def list_shared(
    add: Annotated[str, Option("--add", help="Start searching a shared memory.")] = "",
    remove: Annotated[str, Option("--remove", help="Stop searching a shared memory.")] = "",
    options: Options = "",
    as_json: AsJson = False,
) -> None:
    """Show the folders that you share and that others share with you."""
    with open_engine() as engine:
        # Changes first, so that what is shown is what holds now. What may be refused comes first.
        if remove and not engine.sharing.remove(remove).result():
            raise ScrubjayError(f"Scrubjay does not search {remove}", "Nothing was changed.")
        if add:
            wait_with_progress(engine, engine.sharing.add(add, parse_storage_options(options)))
        status = wait_with_progress(engine, engine.sharing.look())
        names = {each.id: each.name for each in engine.workspaces()}
    # First what is published from here, then what is searched here.
    if as_json:
        published = [_publication_fields(each) for each in status.publications]
        searched = [_memory_fields(each) for each in status.memories]
        output.print_json({"published": published, "searched": searched})
        return
    if not status.publications and not status.memories:
        print_line("Nothing is shared. To publish a folder, run `scrubjay share FOLDER URI`.")
        print_line("To search a folder that others publish, run `scrubjay shared --add URI`.")
    for publication in status.publications:
        line = f"{names.get(publication.workspace, publication.workspace)} -> {publication.uri}"
        print_line(f"{line} as {publication.name}. {publication.reason}".rstrip())
        if publication.record:
            print_line(f"  {_workspace_line(publication.record)}")
    for memory in status.memories:
        _print_memory(memory)


def _print_memory(memory: SharedMemory) -> None:
    """Print the state of a shared memory, its workspaces, and what is damaged in it."""
    print_line(f"{memory.uri}: {memory.reason or pluralize(len(memory.workspaces), 'workspace')}")
    damage = memory.damage
    if damage:
        output.print_warning(damage)
    for workspace in memory.workspaces:
        print_line(f"  {_workspace_line(workspace)}")
        damage = workspace_damage(workspace)
        if damage:
            output.print_warning(f"  {damage}")


def _workspace_line(workspace: SharedRecord) -> str:
    """The sizes of a published workspace, and who published it when."""
    if workspace.is_newer:
        return f"{workspace.title}: written by a newer version of Scrubjay. Update Scrubjay."
    sizes = f"{pluralize(workspace.documents, 'note')}, {pluralize(workspace.chunks, 'passage')}"
    line = f"{workspace.title}: {sizes}"
    # What is not known of a publication is not said.
    if workspace.published_at:
        when = f"{as_local(workspace.published_at):%Y-%m-%d %H:%M}"
        line += f", published {when} by {workspace.published_by}"
    if workspace.holder:
        line += f"; {workspace.holder} is publishing the folder now"
    return line


def _publication_fields(publication: PublishState) -> dict[str, Any]:
    record = publication.record and output.json_fields(publication.record)
    return {**output.json_fields(publication), "record": record}


def _memory_fields(memory: SharedMemory) -> dict[str, Any]:
    workspaces = [output.json_fields(each) for each in memory.workspaces]
    return {
        "uri": memory.uri,
        "reason": memory.reason,
        "workspaces": workspaces,
        "excluded": memory.excluded,
    }
