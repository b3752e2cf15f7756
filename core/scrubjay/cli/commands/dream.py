"""`scrubjay dream`: lines that agents often look up, proposed for MEMORY.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, CommandGroup, Option, UsageError
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.session import find_workspace, open_engine, select_workspaces
from scrubjay.engine.engine import Engine
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId

if TYPE_CHECKING:
    from scrubjay.agents.dreaming.dream_phases import DreamRun

app = CommandGroup("Suggest often-used notes for MEMORY.md.")

Numbers = Annotated[
    list[str] | None,
    Argument(help="Numbers or keys of suggestions, as listed by `scrubjay dream review`."),
]
Everything = Annotated[bool, Option("--all", help="Choose all suggestions in the list.")]


@app.command("run")
def run_dreaming(
    workspace: In = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show the suggestions without saving anything.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Suggest the best passages that agents found in daily notes for MEMORY.md."""
    with open_engine() as engine:
        nights = [
            (each, engine.dreams.run(each, dry_run=dry_run).result())
            for each in select_workspaces(engine, workspace)
        ]
    if as_json:
        output.print_json([_night_fields(each, night) for each, night in nights])
        return
    # What was passed over is told too, with the reason.
    for each, night in nights:
        counts = f"{night.looked_at} passages that agents found, {len(night.proposed)} suggested"
        print_line(f"{each.name}: {counts}.")
        if night.themes:
            print_line(f"   Themes: {', '.join(theme.tag for theme in night.themes)}")
        for candidate in night.proposed:
            score = f"{candidate.score:.2f}"
            print_line(f"   {score}  {candidate.text}  ({candidate.entry.path})")
        _show_left(night.passed_over)


def _night_fields(workspace: Workspace, night: DreamRun) -> dict[str, Any]:
    """A run in one workspace for JSON."""
    # Themes come with numbers of places, since the places are long.
    themes = [
        {"tag": theme.tag, "strength": round(theme.strength, 4), "places": len(theme.keys)}
        for theme in night.themes
    ]
    return {
        "workspace": workspace.id,
        "places": night.looked_at,
        "light": len(night.light),
        "themes": themes,
        "proposed": [_candidate(candidate) for candidate in night.proposed],
        "leftOut": [{"key": key, "reason": reason} for key, reason in night.passed_over.items()],
    }


@app.command("review")
def review_candidates(workspace: In = None, as_json: AsJson = False) -> None:
    """Show the suggestions that are waiting for your decision."""
    with open_engine() as engine:
        waiting = _waiting(engine, find_workspace(engine, workspace))
    if as_json:
        output.print_json([_candidate(candidate) for candidate in waiting])
        return
    if not waiting:
        print_line("There are no suggestions to review.")
    # The numbers are what `apply` and `refuse` take.
    for number, candidate in enumerate(waiting, 1):
        print_line(f"{number}. {candidate.text}")
        print_line(
            f"   {candidate.entry.path}:{candidate.entry.first_line}, "
            f"found {candidate.entry.recalls} times "
            f"with {candidate.queries} questions, score {candidate.score:.2f}"
        )
    if waiting:
        print_line(
            "To accept suggestions, run `scrubjay dream apply 1 2`. "
            "To discard them, run `scrubjay dream refuse`."
        )


@app.command("apply")
def apply_candidates(
    numbers: Numbers = None, everything: Everything = False, workspace: In = None
) -> None:
    """Write suggestions to MEMORY.md. To undo the last change, run `scrubjay dream undo`."""
    with open_engine() as engine:
        waiting = _waiting(engine, find_workspace(engine, workspace))
        for each, keys in _decided(engine, waiting, numbers or [], everything=everything):
            applied = engine.dreams.apply(each, keys).result()
            for candidate in applied.written:
                print_line(f"Added to MEMORY.md: {candidate.text}")
            _show_left(applied.left)


@app.command("refuse")
def refuse_candidates(
    numbers: Numbers = None, everything: Everything = False, workspace: In = None
) -> None:
    """Discard suggestions. They will not be suggested again."""
    with open_engine() as engine:
        waiting = _waiting(engine, find_workspace(engine, workspace))
        for each, keys in _decided(engine, waiting, numbers or [], everything=everything):
            for candidate in engine.dreams.refuse(each, keys).result():
                print_line(f"Discarded: {candidate.text}")


@app.command("undo")
def undo_dreaming(workspace: In = None) -> None:
    """Restore MEMORY.md as it was before the last change."""
    with open_engine() as engine:
        # A workspace that is named says itself why there is nothing to undo.
        undoable = [
            each
            for each in select_workspaces(engine, workspace)
            if workspace or any(s.can_undo for s in engine.dreams.status(each).result())
        ]
        if not undoable:
            print_line("There is nothing to undo.")
        for each in undoable:
            edit = engine.dreams.undo(each).result()
            print_line(f"{each.name}: undone ({edit.what}).")


@app.command("status")
def print_dreaming_status(workspace: In = None, as_json: AsJson = False) -> None:
    """Show the state of dreaming."""
    with open_engine() as engine:
        states = [
            (each, engine.dreams.status(each).result()[0])
            for each in select_workspaces(engine, workspace)
        ]
    if as_json:
        output.print_json([output.json_fields(state, entries="places") for _, state in states])
        return
    # One line says what dreaming does, what it found and when.
    for each, state in states:
        # Automatic dreaming is on, too, so it is asked for first.
        how = "turned off"
        if state.is_automatic:
            how = "automatic"
        elif state.is_enabled:
            how = "on"
        last = "never"
        if state.last_run:
            last = f"{state.last_run:%Y-%m-%d %H:%M}"
        print_line(
            f"{each.name}: {how}, {state.entries} passages that agents found, "
            f"{state.waiting} waiting for you, last run {last}."
        )
        if not state.is_enabled:
            print_line("To turn on dreaming, set dreaming.enabled to true in the settings.")


def _waiting(engine: Engine, workspace: Workspace | None) -> tuple[DreamCandidate, ...]:
    """Candidates of one workspace, or of all."""
    return engine.dreams.candidates(workspace).result()


def _decided(
    engine: Engine, waiting: tuple[DreamCandidate, ...], numbers: list[str], *, everything: bool
) -> list[tuple[Workspace, list[str]]]:
    """Workspaces and keys of their candidates. Wrong usage for a number not on the list."""
    if not numbers and not everything:
        raise UsageError("Enter the numbers of the suggestions, or add --all.")
    decided = waiting
    if not everything:
        decided = tuple(_numbered(waiting, number) for number in numbers)
    keys: dict[WorkspaceId, list[str]] = {}
    for candidate in decided:
        keys.setdefault(candidate.workspace, []).append(candidate.key)
    return [(each, keys[each.id]) for each in engine.workspaces() if each.id in keys]


def _numbered(waiting: tuple[DreamCandidate, ...], number: str) -> DreamCandidate:
    """The candidate with a number of the list, or a key."""
    if number.isdecimal() and 1 <= int(number) <= len(waiting):
        return waiting[int(number) - 1]
    for candidate in waiting:
        if candidate.key == number:
            return candidate
    raise UsageError(f"{number} is not in the list. Run `scrubjay dream review`.")


def _show_left(left: Mapping[str, str]) -> None:
    """Print the keys that were excluded, and why."""
    for key, reason in left.items():
        print_line(f"   Excluded: {key}: {reason}")


def _candidate(candidate: DreamCandidate) -> dict[str, Any]:
    """A candidate for JSON."""
    entry = candidate.entry
    return {
        "workspace": candidate.workspace,
        "key": candidate.key,
        "text": candidate.text,
        "path": entry.path,
        "startLine": entry.first_line,
        "endLine": entry.last_line,
        "date": entry.day,
        "score": round(candidate.score, 4),
        "parts": {name: round(value, 4) for name, value in candidate.parts.items()},
        "recallCount": entry.recalls,
        "queries": candidate.queries,
        "proposedAt": candidate.proposed_at,
    }
