"""`scrubjay captured` and `forget`: lines captured from conversations, and lines to delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from scrubjay.agents.recall.capture_queue import CapturedSentence
from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, CommandGroup, Option, UsageError
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.session import find_workspace, open_engine

if TYPE_CHECKING:
    from scrubjay.agents.recall.forgettable_lines import SourceLine

app = CommandGroup("Review texts from your messages to agents that Scrubjay suggests keeping.")

Ids = Annotated[list[str], Argument(help="ID from the list, or the first characters of the ID.")]


@app.command("list")
def list_captured(as_json: AsJson = False) -> None:
    """Show the texts that are waiting for your decision."""
    with open_engine() as engine:
        waiting = engine.recall.captured().result()
    if as_json:
        output.print_json([output.json_fields(line) for line in waiting])
        return
    if not waiting:
        print_line("There are no texts to review.")
    for line in waiting:
        print_line(f"{line.id}  {line.category:<10}  {line.text}")


@app.command("accept")
def accept_captured(ids: Ids) -> None:
    """Write texts to today's note."""
    with open_engine() as engine:
        for line in _chosen(engine.recall.captured().result(), ids):
            written = engine.recall.accept(line.id).result()
            print_line(f"{written.path}:{written.first_line}  {line.text}")


@app.command("refuse")
def refuse_captured(ids: Ids) -> None:
    """Discard texts. They will not be suggested again."""
    with open_engine() as engine:
        for line in _chosen(engine.recall.captured().result(), ids):
            engine.recall.refuse(line.id).result()
            print_line(f"Discarded: {line.text}")


def forget_text(
    text: Annotated[str, Argument(help="Text of the line to delete.")] = "",
    workspace: In = None,
    line: Annotated[
        int | None, Option(low=1, help="Delete the line with this number in the list.")
    ] = None,
    undo: Annotated[bool, Option("--undo", help="Restore the last deleted line.")] = False,
) -> None:
    """Delete a line from the notes. If several lines match, choose one with --line."""
    with open_engine() as engine:
        if undo:
            back = engine.recall.undo_forget().result()
            print_line(f"Undone: {back.what}.")
            return
        answer = engine.recall.forget(text, find_workspace(engine, workspace)).result()
        # One line that is surely meant is deleted already; another one only by its number.
        deleted = answer.deleted
        if not deleted and line is not None and line <= len(answer.found):
            deleted = answer.found[line - 1]
            engine.recall.forget_line(deleted).result()
    if deleted:
        print_line(f"Deleted from {deleted.path}: {deleted.text.strip()}")
        print_line("To restore the line, run `scrubjay forget --undo`.")
    elif not answer.found:
        print_line("No similar line was found.")
    else:
        _print_matches(answer.found)
        print_line("Nothing was deleted. Choose a line with --line NUMBER.")


def _print_matches(found: Sequence[SourceLine]) -> None:
    """Print the lines that may be meant, with their numbers."""
    for number, match in enumerate(found, 1):
        where = f"{match.path}:{match.line}"
        print_line(f"{number}. {where}  {match.similarity:.2f}  {match.text.strip()}")


def _chosen(waiting: tuple[CapturedSentence, ...], ids: list[str]) -> list[CapturedSentence]:
    """The captured lines with these ids. Wrong usage for an id that fits none or several."""
    chosen: list[CapturedSentence] = []
    for prefix in ids:
        lines = [line for line in waiting if line.id.startswith(prefix)]
        if len(lines) != 1:
            raise UsageError(f"{prefix} is not in the list. Run `scrubjay captured list`.")
        chosen += lines
    return list(dict.fromkeys(chosen))
