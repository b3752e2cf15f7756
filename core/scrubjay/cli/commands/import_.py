"""`scrubjay import`: the set-up of another program, brought over."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, Option
from scrubjay.cli.session import AsJson, opened
from scrubjay.errors import ScrubjayError
from scrubjay.onboarding.setup_import import ImportKind
from scrubjay.platform.paths import expanded_path

_TITLES = {
    ImportKind.WORKSPACE: "Folders to search",
    ImportKind.SETTING: "Settings",
    ImportKind.MODEL: "Models (only with --models: they are copied)",
}


def import_(
    source: Annotated[
        str, Argument(help="OpenClaw, ClawCode, QMD, or a settings file; empty for all.")
    ] = "",
    dry_run: Annotated[bool, Option("--dry-run", help="Show the plan only.")] = False,
    models: Annotated[bool, Option("--models", help="Copy their models too.")] = False,
    undo: Annotated[bool, Option("--undo", help="Take back the last import.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring over agents, folders and settings of another program. Its files are only read."""
    with opened() as engine:
        if undo:
            for workspace in engine.importer.undo().result():
                engine.remove_workspace(workspace).result()
            engine.reload_settings().result()
            print("Taken back. Files of other programs and your notes are as they were.")
            return
        if "/" in source or Path(source).suffix:
            setups = [engine.importer.read(expanded_path(Path(source)).absolute()).result()]
        else:
            every = engine.importer.find().result()
            setups = [each for each in every if source.lower() in ("", each.app.lower())]
        plans = [engine.importer.plan(setup).result() for setup in setups]
        if not plans:
            raise ScrubjayError(
                "Nothing to bring over was found",
                "There is no set-up of OpenClaw, ClawCode or QMD in the usual places.",
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
        return
    for plan in plans:
        print(f"{plan.setup.app} ({plan.setup.file})")
        for kind, title in _TITLES.items():
            items = [item for item in plan.items if item.kind is kind]
            if items:
                print(f"  {title}:")
            for item in items:
                sign, why = ("-", f"  ({item.obstacle})") if item.obstacle else ("+", "")
                print(f"    {sign} {item.what}{why}")
    if done is None:
        print("Nothing was changed: this is the plan only.")
        return
    print(f"Brought over {len(done.done)}. Take it back: scrubjay import --undo")
    for item, reason in done.failed:
        print(f"Not brought over: {item.what}. {reason}")
