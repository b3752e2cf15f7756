"""`scrubjay index` and `status`."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, chosen, opened, wait
from scrubjay.errors import IndexUnavailable
from scrubjay.index.consent import question


def index(
    workspace: In = None,
    force: Annotated[bool, typer.Option(help="Read every file again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Answer yes to every question.")] = False,
) -> None:
    """Bring the index up to date. Asks before notes are sent to a remote provider."""
    with opened() as engine:
        failures: list[IndexUnavailable] = []
        for each in chosen(engine, workspace):
            try:
                [report] = wait(engine, engine.refresh(each.id, force=force, may_send=yes))
                if report.backfill and output.confirm(f"{each.name}: {question(report.backfill)}"):
                    [report] = wait(engine, engine.refresh(each.id, may_send=True))
                output.report(report, each)
            except IndexUnavailable as error:
                failures.append(error)  # the other workspaces are indexed all the same
        for failure in failures[1:]:
            output.warn(f"scrubjay: {failure}")
        if failures:
            raise failures[0]


def status(as_json: AsJson = False) -> None:
    """Show what is indexed, what is not, and why."""
    with opened() as engine:
        output.status(engine.current_status().result(), engine.settings, as_json=as_json)
