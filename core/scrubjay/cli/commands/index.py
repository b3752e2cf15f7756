"""`scrubjay index` and `status`: the indexes of the folders of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from scrubjay.cli import output, status_output
from scrubjay.cli.arguments import Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.progress import wait_with_progress
from scrubjay.cli.session import find_workspace, open_engine, select_workspaces
from scrubjay.errors import IndexUnavailable, ProviderUnavailable, SearchOff
from scrubjay.index.consent import backfill_question

if TYPE_CHECKING:
    from scrubjay.engine.key_commands import KeyTest


def index_notes(
    workspace: In = None,
    force: Annotated[bool, Option(help="Read every file again.")] = False,
    yes: Annotated[bool, Option("--yes", help="Answer yes to all questions.")] = False,
) -> None:
    """Update the index. Scrubjay asks before it sends notes to a remote provider."""
    with open_engine() as engine:
        # One workspace that fails does not keep the others from being indexed.
        failures: list[IndexUnavailable] = []
        off: list[SearchOff] = []
        selected = select_workspaces(engine, workspace)
        for each in selected:
            try:
                [report] = wait_with_progress(
                    engine, engine.refresh(each, force=force, may_send=yes)
                )
                # A yes to sending notes away belongs to this pass, so that it asks before.
                if report.backfill and output.confirm(
                    f"{each.name}: {backfill_question(report.backfill)}"
                ):
                    [report] = wait_with_progress(engine, engine.refresh(each, may_send=True))
                status_output.print_index_report(report, engine.status())
            except SearchOff as error:
                # Among others, a folder that is off is not a failure.
                if len(selected) == 1:
                    raise
                off.append(error)
                print_line(f"{each.name}: {error.message} Scrubjay does not read this folder.")
            except IndexUnavailable as error:
                failures.append(error)
        if len(off) == len(selected):
            raise off[0]
        for failure in failures[1:]:
            output.print_warning(f"scrubjay: {failure}")
        if failures:
            raise failures[0]


def print_index_status(
    workspace: In = None,
    as_json: AsJson = False,
    deep: Annotated[
        bool, Option("--deep", help="Test the model by asking it for a vector.")
    ] = False,
    first: Annotated[bool, Option("--index", help="Update the index first.")] = False,
    verbose: Annotated[
        bool, Option("--verbose", help="Also show sources, vectors and files.")
    ] = False,
) -> None:
    """Show which notes are indexed, which are not, and why."""
    with open_engine() as engine:
        chosen = find_workspace(engine, workspace)
        if first:
            wait_with_progress(engine, engine.refresh(chosen))
        test: KeyTest | ProviderUnavailable | None = None
        # Asking a provider costs a request, so it is done on demand.
        if deep:
            try:
                test = wait_with_progress(engine, engine.keys.ask())
            except ProviderUnavailable as error:
                test = error
        current = engine.current_status().result()
        # A folder of another computer may be chosen as well.
        if chosen:
            listed = (*current.workspaces, *current.shared)
            [own] = [each for each in listed if each.workspace.id == chosen.id]
            current = replace(current, workspaces=(own,), shared=())
        status_output.print_status(
            current, engine.settings, test, as_json=as_json, is_verbose=verbose
        )
