"""`scrubjay proposals`: changes to notes that agents propose, and those that were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from scrubjay.agents.edits.edit_records import ProposedEdit, ReviewedEdit, WrittenEdit
from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, CommandGroup, Option, UsageError
from scrubjay.cli.commands.changes import print_diff_lines
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError

app = CommandGroup("Review changes that agents propose to notes, and undo those that were written.")

_ID_HELP = "ID from the list, or the first characters of the ID."
Ids = Annotated[list[str] | None, Argument(help=_ID_HELP)]
OfAgent = Annotated[str, Option("--agent", help="Choose the proposals of this agent.")]


@app.command("list")
def list_proposals(as_json: AsJson = False) -> None:
    """Show the changes that are waiting for your decision, line by line."""
    with open_engine() as engine:
        waiting = engine.edits.waiting().result()
    if as_json:
        output.print_json([_proposal_fields(each) for each in waiting])
        return
    if not waiting:
        print_line("There are no changes to review.")
    # The lines say more than the text of a proposal, which may stand anywhere in its note.
    for each in waiting:
        proposed = each.proposed
        print_line(f"{proposed.id}  {proposed.agent}  {proposed.workspace}/{proposed.path}")
        if each.reason:
            print_line(f"    {each.reason}")
        print_diff_lines(each.lines)


@app.command("accept")
def accept_proposals(
    ids: Ids = None,
    agent: OfAgent = "",
    text: Annotated[str, Option(help="Write this text instead of the proposed one.")] = "",
) -> None:
    """Write proposed changes to the notes."""
    with open_engine() as engine:
        chosen = _chosen(engine, ids, agent)
        if text and len(chosen) != 1:
            raise UsageError("--text needs exactly one ID.")
        # All that fit are written, and the exit code tells that some did not.
        failed = False
        for proposed in chosen:
            # One that no longer fits its note does not hold up the others.
            try:
                written = engine.edits.accept(proposed.id, text).result()
            except ScrubjayError as error:
                failed = True
                output.print_warning(f"{proposed.id}: {error}")
            else:
                print_line(f"{written.id}  {written.path}:{written.first_line}")
    if failed:
        raise SystemExit(1)


@app.command("refuse")
def refuse_proposals(ids: Ids = None, agent: OfAgent = "") -> None:
    """Discard proposed changes."""
    with open_engine() as engine:
        for proposed in _chosen(engine, ids, agent):
            engine.edits.refuse(proposed.id).result()
            print_line(f"Discarded: {proposed.path}  {proposed.edit.text}")


@app.command("written")
def list_written(as_json: AsJson = False) -> None:
    """Show the changes by agents in the last two weeks, latest first."""
    with open_engine() as engine:
        written = engine.edits.written().result()
    if as_json:
        output.print_json([_written_fields(each) for each in written])
        return
    if not written:
        print_line("There are no changes by agents to undo.")
    # The id comes first, since it is what undo needs.
    for each in written:
        place = f"{each.workspace}/{each.path}:{each.first_line}"
        print_line(f"{each.id}  {each.at:%Y-%m-%d %H:%M}  {each.agent}  {place}")


@app.command("undo")
def undo_written(ids: Annotated[list[str], Argument(help=_ID_HELP)]) -> None:
    """Undo changes that were written in the last two weeks."""
    with open_engine() as engine:
        for each in _with_ids(engine.edits.written().result(), ids, "written"):
            engine.edits.undo(each.id).result()
            print_line(f"Undone: {each.path}")


def _chosen(engine: Engine, ids: Sequence[str] | None, agent: str) -> list[ProposedEdit]:
    """The proposals with these ids, or all of an agent. Wrong usage for none."""
    # All of an agent need no ids, and nothing is chosen by mistake.
    waiting = [each.proposed for each in engine.edits.waiting().result()]
    if agent:
        found = [each for each in waiting if each.agent == agent]
        if not found:
            raise UsageError(f"{agent} has not proposed any changes that are still waiting.")
        return found
    if not ids:
        raise UsageError("Pass the IDs of changes, or --agent NAME.")
    return _with_ids(waiting, ids, "list")


def _with_ids(
    edits: Sequence[ProposedEdit | WrittenEdit], ids: Sequence[str], command: str
) -> list[Any]:
    """The changes with these ids. Wrong usage for an id that fits none or several."""
    # An id may be cut, as long as it fits one change only.
    chosen: list[Any] = []
    for prefix in ids:
        found = [each for each in edits if each.id.startswith(prefix)]
        if len(found) != 1:
            raise UsageError(
                f"{prefix} does not match exactly one change. To see the IDs, run "
                f"`scrubjay proposals {command}`."
            )
        chosen += [each for each in found if each not in chosen]
    return chosen


def _proposal_fields(reviewed: ReviewedEdit) -> dict[str, Any]:
    """A proposal for JSON."""
    proposed = reviewed.proposed
    fields: dict[str, Any] = {
        "id": proposed.id,
        "agent": proposed.agent,
        "workspace": proposed.workspace,
        "path": proposed.path,
        "action": proposed.edit.kind,
        "text": proposed.edit.text,
        "time": proposed.at,
        "lines": [output.json_fields(line, number="line") for line in reviewed.lines],
    }
    # Only one that no longer fits its note has a reason.
    if reviewed.reason:
        fields["reason"] = reviewed.reason
    return fields


def _written_fields(written: WrittenEdit) -> dict[str, Any]:
    """A written change for JSON."""
    return {
        "id": written.id,
        "agent": written.agent,
        "workspace": written.workspace,
        "path": written.path,
        "startLine": written.first_line,
        "endLine": written.last_line,
        "time": written.at,
    }
