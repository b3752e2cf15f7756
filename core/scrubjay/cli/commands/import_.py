"""`scrubjay import`: notes or settings of another program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.note_import.formats import may_be_export
from scrubjay.onboarding.setup_import import ImportKind
from scrubjay.platform.paths import expanded_path

if TYPE_CHECKING:
    from scrubjay.note_import.imported_note import Obstacle
    from scrubjay.note_import.note_import import NoteImportResult
    from scrubjay.note_import.plan import NotePlan
    from scrubjay.onboarding.setup_import import Plan, SetupImportResult

_TITLES = {
    ImportKind.WORKSPACE: "Folders to search",
    ImportKind.SETTING: "Settings",
    ImportKind.MODEL: "Models (copied only with --models)",
}
_SHOWN = 20
"""Obstacles that are named, so that the rest stays on the screen."""


def import_export_or_setup(
    source: Annotated[
        str,
        Argument(
            help="What to import: an export of notes or conversations (Evernote, "
            "Notion, ChatGPT, Claude, …), a settings file, or the name of a program "
            "(OpenClaw, ClawCode, QMD). If you omit this, Scrubjay looks for the settings of all "
            "these programs."
        ),
    ] = "",
    into: Annotated[str, Option("--into", help="Folder for the imported notes.")] = "",
    dry_run: Annotated[bool, Option("--dry-run", help="Show what would be imported.")] = False,
    models: Annotated[
        bool, Option("--models", help="Also copy the models of the other programs.")
    ] = False,
    undo: Annotated[bool, Option("--undo", help="Undo the last import.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import notes, agents, folders and settings from other programs. Their files are kept."""
    with open_engine() as engine:
        if undo:
            _undo(engine, as_json=as_json)
            return
        # A file of notes, any folder, or a target make it an import of notes.
        path = expanded_path(Path(source)).absolute()
        engine.check_drive(path)
        if source and (may_be_export(path) or path.is_dir() or into):
            target = None
            if into:
                target = expanded_path(Path(into)).absolute()
            _import_notes(engine, path, target, dry_run=dry_run, as_json=as_json)
            return
        # Anything else is a set-up: a settings file, a program, or all programs.
        plans = _plans(engine, source, path)
        done = None
        if not dry_run:
            done = engine.importer.apply(plans, with_models=models).result()
    if as_json:
        output.print_json(_setup_fields(plans, done))
        _end_setups(plans, done)
        return
    for plan in plans:
        _print_plan(plan)
    if done is None:
        print_line("This is only the plan. Nothing was changed.")
        return
    _print_brought(len(done.done), "")
    for item, reason in done.failed:
        print_line(f"Not imported: {item.what}. {reason}")
    _end_setups(plans, done)


def _plans(engine: Engine, source: str, path: Path) -> list[Plan]:
    """Plans for a settings file, a program, or all programs. ScrubjayError if there are none."""
    # A name without a slash or an ending is that of a program.
    if "/" in source or Path(source).suffix:
        setups = [engine.importer.read(path).result()]
    else:
        every = engine.importer.find().result()
        setups = [each for each in every if source.lower() in ("", each.app.lower())]
    plans = [engine.importer.plan(setup).result() for setup in setups]
    if not plans:
        programs = source or "OpenClaw, ClawCode or QMD"
        raise ScrubjayError(
            "Nothing to import was found",
            f"There are no settings of {programs} in the default locations.",
            hint="Specify a settings file: scrubjay import ~/path/openclaw.json",
        )
    return plans


def _setup_fields(plans: Sequence[Plan], done: SetupImportResult | None) -> dict[str, Any]:
    """The plans for JSON, with what was imported and what failed."""
    listed = [
        {
            "app": plan.setup.app,
            "file": plan.setup.file,
            "items": [
                {"kind": item.kind, "what": item.what, "obstacle": item.obstacle}
                for item in plan.items
            ],
        }
        for plan in plans
    ]
    # Without an import both lists are there, and empty.
    if done is None:
        return {"plans": listed, "brought": [], "failed": []}
    return {
        "plans": listed,
        "brought": [item.what for item in done.done],
        "failed": [{"what": item.what, "reason": why} for item, why in done.failed],
    }


def _print_plan(plan: Plan) -> None:
    """Print what would be imported from one program, and what stands in the way of the rest."""
    print_line(f"{plan.setup.app} ({plan.setup.file})")
    # Obstacles stand with what they concern, with another sign.
    for kind, title in _TITLES.items():
        items = [item for item in plan.items if item.kind is kind]
        if items:
            print_line(f"  {title}:")
        for item in items:
            if item.obstacle:
                print_line(f"    - {item.what}  ({item.obstacle})")
            else:
                print_line(f"    + {item.what}")


def _end_setups(plans: Sequence[Plan], done: SetupImportResult | None) -> None:
    """End with 1 where nothing was imported, unless all of it is there already."""
    if done is None or done.done:
        return
    is_there = any(item.is_there for plan in plans for item in plan.items)
    if done.failed or not is_there:
        raise SystemExit(1)


def _print_brought(count: int, what: str) -> None:
    if count:
        print_line(f"Imported {count:,}{what}. To undo the import, run scrubjay import --undo")
    else:
        print_line("Nothing was imported.")


def _import_notes(
    engine: Engine, export: Path, target: Path | None, *, dry_run: bool, as_json: bool
) -> None:
    """Import the notes of an export, or show the plan for it."""
    plan = engine.note_import.plan(export, target).result()
    done = None
    obstacles = [*plan.obstacles]
    # Obstacles of the plan come first, then those of the import.
    if not dry_run:
        done = engine.note_import.apply(plan).result()
        obstacles += done.failed
    if as_json:
        output.print_json(_note_fields(plan, done, obstacles))
        _end_notes(plan, done)
        return
    _print_note_plan(plan, obstacles)
    if done is None:
        print_line("This is only the plan. Nothing was changed.")
        return
    _print_brought(done.notes, " notes")
    _end_notes(plan, done)


def _note_fields(
    plan: NotePlan, done: NoteImportResult | None, obstacles: Sequence[Obstacle]
) -> dict[str, Any]:
    """The plan for JSON, with the number of notes that were written."""
    written = 0
    if done:
        written = done.notes
    return {
        "program": plan.program,
        "target": str(plan.target),
        "new": len(plan.labels),
        "known": len(plan.known),
        "attachments": plan.attachments,
        "tags": plan.tags,
        "notBrought": [{"what": each.what, "reason": each.reason} for each in obstacles],
        "written": written,
    }


def _print_note_plan(plan: NotePlan, obstacles: Sequence[Obstacle]) -> None:
    """Print the numbers of a plan, and the first obstacles."""
    print_line(
        f"{plan.program}: {len(plan.labels):,} new notes with {plan.attachments:,} attachments"
    )
    print_line(f"  and {plan.tags:,} tags, for {plan.target!s}")
    if plan.known:
        print_line(f"  {len(plan.known):,} notes were imported before")
    for each in obstacles[:_SHOWN]:
        print_line(f"  - {each.what}: {each.reason}")
    # A plan counts more obstacles than it names.
    more = len(obstacles) - _SHOWN + plan.more_obstacles
    if more > 0:
        print_line(f"  - and {more:,} more that are not imported")


def _end_notes(plan: NotePlan, done: NoteImportResult | None) -> None:
    """End with 1 where no note was imported, unless all of them are there already."""
    if done is not None and not done.notes and (plan.labels or not plan.known):
        raise SystemExit(1)


def _undo(engine: Engine, *, as_json: bool) -> None:
    """Undo the last import, of notes or of set-ups."""
    notes = engine.note_import.last().result()
    setups = engine.importer.last().result()
    if notes is not None and (setups is None or notes > setups):
        _undo_notes(engine, as_json=as_json)
        return
    for workspace in engine.importer.undo().result():
        engine.folders.remove(engine.workspace(workspace)).result()
    engine.reload_settings().result()
    print_line("The import was undone. Your notes and the files of other programs are unchanged.")


def _undo_notes(engine: Engine, *, as_json: bool) -> None:
    taken = engine.note_import.undo().result()
    if as_json:
        output.print_json(output.json_fields(taken))
        return
    print_line(f"Undone: {taken.removed:,} files in {taken.target!s}.")
    for label in taken.changed:
        print_line(f"Kept, because it was changed after the import: {label}")
