"""`scrubjay uninstall`: removal of what Scrubjay has stored on this computer, except notes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import humanize

from scrubjay.cli import output
from scrubjay.cli.arguments import Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson
from scrubjay.cli.running_app import is_running
from scrubjay.cli.session import open_engine
from scrubjay.engine.uninstallation import Inventory, Part, StoredPart
from scrubjay.errors import AppRunning, QueryError
from scrubjay.platform.paths import Paths

_SHOWN = 5
"""Places of a part that are listed."""
_EXIT_INCOMPLETE = 1


def uninstall_program(
    yes: Annotated[bool, Option("--yes", help="Remove without asking for confirmation.")] = False,
    keep: Annotated[
        str,
        Option(
            "--keep",
            help="Parts to keep, separated by commas: settings, indexes, models, keys, "
            "autostart, agents, audit-log, logs.",
        ),
    ] = "",
    note_copies: Annotated[
        bool,
        Option(
            "--note-copies",
            help="Also remove the copies of notes from before Scrubjay changed them.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remove what Scrubjay has stored on this computer, but never notes.

    The command first shows what is stored, where, and how large it is. Notes and imported notes
    stay; copies of notes go only with --note-copies. Quit Scrubjay before you run this command.
    """
    kept = _kept(keep, note_copies=note_copies)
    with open_engine() as engine:
        removal = engine.uninstall
        inventory = removal.look().result()
        chosen = [each.part for each in inventory.parts if each.part not in kept]
        # The plan is shown first, whatever comes then.
        if not as_json:
            _print(inventory, kept)
        if not chosen or not _is_confirmed(yes=yes, as_json=as_json):
            if as_json:
                output.print_json(_reply(inventory, kept, removed=False, problems=()))
            else:
                _print_nothing_removed(chosen)
            return
        _refuse_running_app()
        problems = list(removal.remove_entries(chosen).result())
    # The engine is closed by now, so that no file is open.
    problems += removal.delete_files(chosen)
    if as_json:
        output.print_json(_reply(inventory, kept, removed=True, problems=problems))
    else:
        _print_end(inventory, chosen, problems)
    if problems:
        raise SystemExit(_EXIT_INCOMPLETE)


def _is_confirmed(*, yes: bool, as_json: bool) -> bool:
    # A program that reads the plan is asked nothing.
    return yes or (not as_json and output.confirm("Remove the parts that are marked?"))


def _refuse_running_app() -> None:
    """Raise AppRunning while an app has the indexes open and would write its settings again."""
    if is_running(Paths.of_user()):
        raise AppRunning(
            "Scrubjay is running",
            "Nothing was removed.",
            hint="Quit Scrubjay, then run the command again.",
        )


def _kept(names: str, *, note_copies: bool) -> set[Part]:
    """Parts that stay."""
    kept: set[Part] = set()
    for name in filter(None, (name.strip() for name in names.split(","))):
        if name not in list(Part):
            raise QueryError(
                f"{name} is not a part that can be kept", hint=f"Choose from: {', '.join(Part)}."
            )
        kept.add(Part(name))
    if not note_copies:
        kept.add(Part.NOTE_COPIES)
    return kept


def _print(inventory: Inventory, kept: Collection[Part]) -> None:
    """Print the plan: each part with its mark, its size and its places."""
    if not inventory.parts:
        print_line("Nothing that Scrubjay can remove was found on this computer.")
    # Each part with a mark as on paper: what has one is removed.
    for each in inventory.parts:
        mark = "[x]"
        if each.part in kept:
            mark = "[ ]"
        size = ""
        if each.size_bytes is not None:
            size = f", {humanize.naturalsize(each.size_bytes)}"
        print_line(f"{mark} {each.part}: {each.title}{size}")
        for place in each.places[:_SHOWN]:
            print_line(f"      {place}")
        if len(each.places) > _SHOWN:
            print_line(f"      and {len(each.places) - _SHOWN} more")
    for sentence in inventory.remaining:
        print_line(sentence)


def _print_nothing_removed(chosen: Collection[Part]) -> None:
    print_line("Nothing was removed.")
    # Without a terminal, nobody was asked.
    if chosen and not output.has_terminal():
        print_line("To remove the parts that are marked, add --yes.")


def _print_end(inventory: Inventory, chosen: Collection[Part], problems: Collection[str]) -> None:
    """Print what was removed, what was not, and what is left to do."""
    for problem in problems:
        output.print_warning(problem)
    if problems:
        print_line("Some things could not be removed.")
    else:
        print_line(f"Removed: {', '.join(chosen)}.")
    if Part.AGENTS in chosen:
        print_line("Restart your agents. Until then, they can still start Scrubjay.")
    print_line(inventory.program)


def _reply(
    inventory: Inventory, kept: Collection[Part], *, removed: bool, problems: Collection[str]
) -> dict[str, object]:
    """The plan and its result for programs."""
    return {
        "parts": [_part_reply(each, kept) for each in inventory.parts],
        "removed": removed,
        "problems": list(problems),
        "remaining": list(inventory.remaining),
        "program": inventory.program,
    }


def _part_reply(each: StoredPart, kept: Collection[Part]) -> dict[str, object]:
    return {
        "part": each.part,
        "title": each.title,
        "places": list(each.places),
        "sizeBytes": each.size_bytes,
        "kept": each.part in kept,
    }
