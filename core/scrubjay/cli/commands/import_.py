"""`scrubjay import`: notes or the set-up of another program, brought over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, Option
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import opened
from scrubjay.cli.terminal import print_line
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.note_import.formats import SUFFIXES
from scrubjay.onboarding.setup_import import ImportKind
from scrubjay.platform.paths import expanded_path

if TYPE_CHECKING:
    from scrubjay.note_import.note_import import NotesBrought
    from scrubjay.note_import.plan import NotePlan
    from scrubjay.onboarding.setup_import import Brought, Plan

_TITLES = {
    ImportKind.WORKSPACE: "Folders to search",
    ImportKind.SETTING: "Settings",
    ImportKind.MODEL: "Models (only with --models: they are copied)",
}
_SHOWN = 20
"""Obstacles that are named."""


def import_(
    source: Annotated[
        str,
        Argument(
            help="An export of notes (Evernote, Notion, …), or OpenClaw, ClawCode, QMD, or a "
            "settings file; empty for all set-ups."
        ),
    ] = "",
    into: Annotated[str, Option("--into", help="Folder for the notes of an export.")] = "",
    dry_run: Annotated[bool, Option("--dry-run", help="Show the plan only.")] = False,
    models: Annotated[bool, Option("--models", help="Copy their models too.")] = False,
    undo: Annotated[bool, Option("--undo", help="Undo the last import.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import notes, agents, folders and settings from other programs. Their files stay."""
    with opened() as engine:
        if undo and _notes_came_last(engine):
            _undo_notes(engine, as_json=as_json)
            return
        if undo:
            for workspace in engine.importer.undo().result():
                engine.remove_workspace(workspace).result()
            engine.reload_settings().result()
            print_line("Undone. Files of other programs and your notes are as they were.")
            return
        path = expanded_path(Path(source)).absolute()
        engine.check_drive(path)
        if source and (path.suffix.lower() in SUFFIXES or path.is_dir() or into):
            target = expanded_path(Path(into)).absolute() if into else None
            _import_notes(engine, path, target, dry_run=dry_run, as_json=as_json)
            return
        if "/" in source or Path(source).suffix:
            setups = [engine.importer.read(path).result()]
        else:
            every = engine.importer.find().result()
            setups = [each for each in every if source.lower() in ("", each.app.lower())]
        plans = [engine.importer.plan(setup).result() for setup in setups]
        if not plans:
            raise ScrubjayError(
                "Nothing to import was found",
                "There is no set-up of OpenClaw, ClawCode or QMD in the default places.",
                hint="Name a settings file: scrubjay import ~/path/openclaw.json",
            )
        done = None if dry_run else engine.importer.apply(plans, with_models=models).result()
    if as_json:
        failed = done.failed if done else ()
        kept = ("kind", "what", "obstacle")
        listed = [
            {
                "app": plan.setup.app,
                "file": plan.setup.file,
                "items": [{name: getattr(item, name) for name in kept} for item in plan.items],
            }
            for plan in plans
        ]
        reply = {
            "plans": listed,
            "brought": [item.what for item in done.done] if done else [],
            "failed": [{"what": item.what, "reason": why} for item, why in failed],
        }
        output.data(reply)
        _end_setups(plans, done)
        return
    for plan in plans:
        print_line(f"{plan.setup.app} ({plan.setup.file})")
        for kind, title in _TITLES.items():
            items = [item for item in plan.items if item.kind is kind]
            if items:
                print_line(f"  {title}:")
            for item in items:
                sign, why = ("-", f"  ({item.obstacle})") if item.obstacle else ("+", "")
                print_line(f"    {sign} {item.what}{why}")
    if done is None:
        print_line("Nothing was changed: this is the plan only.")
        return
    _print_brought(len(done.done), "")
    for item, reason in done.failed:
        print_line(f"Not imported: {item.what}. {reason}")
    _end_setups(plans, done)


def _end_setups(plans: Sequence[Plan], done: Brought | None) -> None:
    """End with 1 where nothing was brought over, unless all of it is there already."""
    if done is None or done.done:
        return
    is_there = any(item.is_there for plan in plans for item in plan.items)
    if done.failed or not is_there:
        raise SystemExit(1)


def _print_brought(count: int, what: str) -> None:
    if count:
        print_line(f"Brought over {count:,}{what}. Take it back: scrubjay import --undo")
    else:
        print_line("Nothing was imported.")


def _import_notes(
    engine: Engine, export: Path, target: Path | None, *, dry_run: bool, as_json: bool
) -> None:
    plan = engine.note_import.plan(export, target).result()
    done = None if dry_run else engine.note_import.apply(plan).result()
    obstacles = [*plan.obstacles, *(done.failed if done else ())]
    if as_json:
        reply = {
            "program": plan.program,
            "target": str(plan.target),
            "new": len(plan.labels),
            "known": len(plan.known),
            "attachments": plan.attachments,
            "tags": plan.tags,
            "notBrought": [{"what": each.what, "reason": each.reason} for each in obstacles],
            "written": done.notes if done else 0,
        }
        output.data(reply)
        _end_notes(plan, done)
        return
    print_line(
        f"{plan.program}: {len(plan.labels):,} new notes with {plan.attachments:,} attachments"
    )
    print_line(f"  and {plan.tags:,} tags, for {plan.target!s}")
    if plan.known:
        print_line(f"  {len(plan.known):,} notes are there already")
    for each in obstacles[:_SHOWN]:
        print_line(f"  - {each.what}: {each.reason}")
    if (more := len(obstacles) - _SHOWN + plan.more_obstacles) > 0:
        print_line(f"  - and {more:,} more that are not imported")
    if done is None:
        print_line("Nothing was changed: this is the plan only.")
        return
    _print_brought(done.notes, " notes")
    _end_notes(plan, done)


def _end_notes(plan: NotePlan, done: NotesBrought | None) -> None:
    """End with 1 where no note was brought over, unless all of them are there already."""
    if done is not None and not done.notes and (plan.labels or not plan.known):
        raise SystemExit(1)


def _notes_came_last(engine: Engine) -> bool:
    notes, setups = engine.note_import.last().result(), engine.importer.last().result()
    return notes is not None and (setups is None or notes > setups)


def _undo_notes(engine: Engine, *, as_json: bool) -> None:
    taken = engine.note_import.undo().result()
    if as_json:
        output.data(output.fields(taken))
        return
    print_line(f"Undone: {taken.removed:,} files in {taken.target!s}.")
    for label in taken.changed:
        print_line(f"Kept, because it was changed since: {label}")
