"""`scrubjay dream`: what agents look up again and again, proposed for MEMORY.md."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from scrubjay.agents.dreaming.dreaming import DreamStatus
from scrubjay.agents.dreaming.nightly_run import NightlyRun, PassedOver
from scrubjay.agents.dreaming.review_queue import DreamCandidate
from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, chosen, opened
from scrubjay.engine.engine import Engine
from scrubjay.notes.scan import printable
from scrubjay.records.search_records import Workspace

app = typer.Typer(
    help="Notes that agents look up again and again, proposed for MEMORY.md.",
    no_args_is_help=True,
)

Numbers = Annotated[
    list[str] | None, typer.Argument(help="Numbers of `scrubjay dream review`, or keys.")
]
Everything = Annotated[bool, typer.Option("--all", help="Everything on the list.")]


@app.command()
def run(
    workspace: In = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Look only; write nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look through what agents found in daily files, and propose the best of it."""
    with opened() as engine:
        nights = [
            (one, engine.dreams.run(one.id, dry_run=dry_run).result())
            for one in chosen(engine, workspace)
        ]
    if as_json:
        output.data([_night(one, night) for one, night in nights])
        return
    for one, night in nights:
        _show_night(one, night)


@app.command()
def review(workspace: In = None, as_json: AsJson = False) -> None:
    """Show what waits for a yes or a no."""
    with opened() as engine:
        waiting = _waiting(engine, workspace)
    if as_json:
        output.data([_candidate(one) for one in waiting])
        return
    if not waiting:
        output.line("Nothing waits for you.")
    for number, one in enumerate(waiting, 1):
        output.line(f"{number}. {printable(one.text)}")
        output.line(
            f"   {printable(one.path)}:{one.first_line}, found {one.recalls} times "
            f"by {one.queries} questions, score {one.score:.2f}"
        )
    if waiting:
        output.line("Take them with `scrubjay dream apply 1 2`, drop them with `dream refuse`.")


@app.command()
def apply(numbers: Numbers = None, everything: Everything = False, workspace: In = None) -> None:
    """Write some into MEMORY.md. `scrubjay dream undo` takes the last time back."""
    with opened() as engine:
        for workspace_id, keys in _decided(engine, numbers or [], everything, workspace):
            done = engine.dreams.apply(workspace_id, keys).result()
            for one in done.written:
                output.line(f"In MEMORY.md now: {printable(one.text)}")
            _show_left(done.left)


@app.command()
def refuse(numbers: Numbers = None, everything: Everything = False, workspace: In = None) -> None:
    """Drop some. They are not proposed again."""
    with opened() as engine:
        for workspace_id, keys in _decided(engine, numbers or [], everything, workspace):
            for one in engine.dreams.refuse(workspace_id, keys).result():
                output.line(f"Dropped: {printable(one.text)}")


@app.command()
def undo(workspace: In = None) -> None:
    """Put MEMORY.md back as it was before the last time."""
    with opened() as engine:
        able = [
            one
            for one in chosen(engine, workspace)
            if workspace or any(s.can_undo for s in engine.dreams.status(one.id).result())
        ]
        if not able:
            output.line("There is nothing to undo.")
        for one in able:
            back = engine.dreams.undo(one.id).result()
            output.line(f"{one.name}: taken back ({back.what}).")


@app.command()
def status(workspace: In = None, as_json: AsJson = False) -> None:
    """Show where dreaming stands."""
    with opened() as engine:
        found = [
            (one, engine.dreams.status(one.id).result()[0]) for one in chosen(engine, workspace)
        ]
    if as_json:
        output.data([_status(one) for _, one in found])
        return
    for one, told in found:
        how = "automatic" if told.is_automatic else "on" if told.is_enabled else "switched off"
        last = f"{told.last_run:%Y-%m-%d %H:%M}" if told.last_run else "never"
        output.line(
            f"{one.name}: {how}, {told.entries} places that agents found, "
            f"{told.waiting} waiting for you, last run {last}."
        )
        if not told.is_enabled:
            output.line("Switch it on with dreaming.enabled in the settings.")


def _waiting(engine: Engine, workspace: str | None) -> tuple[DreamCandidate, ...]:
    one = engine.find_workspace(workspace) if workspace else None
    return engine.dreams.candidates(one.id if one else None).result()


def _decided(
    engine: Engine, numbers: list[str], everything: bool, workspace: str | None
) -> list[tuple[str, list[str]]]:
    """Workspaces and keys that are meant. Wrong usage for what is not on the list."""
    waiting = _waiting(engine, workspace)
    if not numbers and not everything:
        raise typer.BadParameter("Say which ones by their numbers, or --all.")
    meant = list(waiting) if everything else [_one(waiting, number) for number in numbers]
    ids = dict.fromkeys(one.workspace for one in meant)
    return [(each, [one.key for one in meant if one.workspace == each]) for each in ids]


def _one(waiting: tuple[DreamCandidate, ...], given: str) -> DreamCandidate:
    if given.isdecimal() and 1 <= int(given) <= len(waiting):
        return waiting[int(given) - 1]
    for one in waiting:
        if one.key == given:
            return one
    raise typer.BadParameter(f"{given} is not on the list. See `scrubjay dream review`.")


def _show_night(workspace: Workspace, night: NightlyRun) -> None:
    output.line(
        f"{workspace.name}: {night.looked_at} places that agents found, "
        f"{len(night.proposed)} proposed."
    )
    if night.themes:
        output.line(f"   Themes: {', '.join(printable(theme.tag) for theme in night.themes)}")
    for one in night.proposed:
        output.line(f"   {one.score:.2f}  {printable(one.text)}  ({printable(one.path)})")
    _show_left(night.passed_over)


def _show_left(left: tuple[PassedOver, ...]) -> None:
    for one in left:
        output.line(f"   Left out: {printable(one.key)}: {one.reason}")


def _night(workspace: Workspace, night: NightlyRun) -> dict[str, Any]:
    return {
        "workspace": workspace.id,
        "places": night.looked_at,
        "light": len(night.light),
        "themes": [
            {"tag": theme.tag, "strength": round(theme.strength, 4), "places": len(theme.keys)}
            for theme in night.themes
        ],
        "proposed": [_candidate(one) for one in night.proposed],
        "leftOut": [{"key": one.key, "reason": one.reason} for one in night.passed_over],
    }


def _candidate(one: DreamCandidate) -> dict[str, Any]:
    return {
        "workspace": one.workspace,
        "key": one.key,
        "text": one.text,
        "path": one.path,
        "startLine": one.first_line,
        "endLine": one.last_line,
        "date": one.day.isoformat() if one.day else None,
        "score": round(one.score, 4),
        "parts": {name: round(value, 4) for name, value in one.parts.items()},
        "recallCount": one.recalls,
        "queries": one.queries,
        "proposedAt": one.proposed_at.isoformat(timespec="seconds"),
    }


def _status(told: DreamStatus) -> dict[str, Any]:
    return {
        "workspace": told.workspace,
        "enabled": told.is_enabled,
        "automatic": told.is_automatic,
        "places": told.entries,
        "waiting": told.waiting,
        "lastRun": told.last_run.isoformat(timespec="seconds") if told.last_run else None,
        "canUndo": told.can_undo,
    }
