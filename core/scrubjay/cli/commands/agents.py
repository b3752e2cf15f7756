"""`scrubjay agents`: who may use these notes, and who did."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.cli import output
from scrubjay.cli.session import AsJson, In, opened
from scrubjay.engine.engine import Engine
from scrubjay.notes.scan import printable
from scrubjay.records.access_records import Action, AuditEntry, Permission, Rule
from scrubjay.records.search_records import Workspace

app = typer.Typer(help="Who may use these notes, and who did.", no_args_is_help=True)

Agent = Annotated[
    str | None, typer.Argument(help="Name of the agent; without one, the rule is for all.")
]
Write = Annotated[bool, typer.Option("--write", help="Writing to today's note, not reading.")]


@app.command()
def allow(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Allow an agent to read, or with --write to append to today's note."""
    _set(agent, workspace, Permission.ALLOW, write=write)


@app.command()
def ask(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Ask in the app each time, while it runs; refuse while it does not."""
    _set(agent, workspace, Permission.ASK, write=write)


@app.command()
def deny(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Do not let an agent read, or with --write not write."""
    _set(agent, workspace, Permission.DENY, write=write)


@app.command()
def reset(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Take a rule back."""
    _set(agent, workspace, None, write=write)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show the rules, and which agents were here."""
    with opened() as engine:
        rules, seen = engine.agents.rules(), engine.agents.known_agents().result()
    if as_json:
        shown = {
            "rules": [_rule(one) for one in rules],
            "agents": [
                {
                    "name": one.name,
                    "title": one.title,
                    "firstSeen": one.first.isoformat(timespec="seconds"),
                    "lastSeen": one.last.isoformat(timespec="seconds"),
                    "requests": one.requests,
                }
                for one in seen
            ],
        }
        output.data(shown)
        return
    for rule in rules:
        who, where = rule.agent or "all agents", rule.workspace or "all workspaces"
        output.line(f"{rule.permission}\t{rule.action}\t{who}\t{where}")
    for one in seen:
        times = "time" if one.requests == 1 else "times"
        when = f"{one.last:%Y-%m-%d %H:%M}"
        output.line(f"{one.name} was here {one.requests:,} {times}, last on {when}.")


@app.command()
def visits(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of requests.")] = 20,
    agent: Annotated[str, typer.Option(help="Of one agent only.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the guest book: who asked what, and which notes were shown. The latest last."""
    with opened() as engine:
        found = engine.agents.audit_log(limit=limit, agent=agent).result()
    if as_json:
        output.data([_visit(one) for one in reversed(found)])
        return
    for one in reversed(found):
        notes = ", ".join(dict.fromkeys(place.path for place in one.hits))
        told = notes if one.outcome == "answered" else f"{one.outcome}: {one.reason}"
        output.line(
            printable(f"{one.at:%Y-%m-%d %H:%M} {one.agent} {one.tool} {one.query!r} {told}")
        )


@app.command()
def clear() -> None:
    """Empty the guest book. The rules stay."""
    with opened() as engine:
        engine.agents.clear().result()
    output.line("The guest book is empty.")


def _set(agent: str | None, name: str | None, wanted: Permission | None, *, write: bool) -> None:
    action = Action.WRITE if write else Action.READ
    with opened() as engine:
        workspace = engine.find_workspace(name) if name is not None else None
        engine.agents.set_rule(
            agent or "", workspace.id if workspace else "", action, wanted
        ).result()
        output.line(_told(engine, agent, workspace, action, wanted))


def _told(
    engine: Engine,
    agent: str | None,
    workspace: Workspace | None,
    action: Action,
    wanted: Permission | None,
) -> str:
    who, where = agent or "All agents", workspace.name if workspace else "every workspace"
    verb = "read" if action is Action.READ else "write to"
    deed = f"{verb} {where}"
    match wanted:
        case Permission.ALLOW:
            told = f"{who} may {deed} now."
        case Permission.ASK:
            told = f"{who} may {deed} when you say yes in the app."
        case Permission.DENY:
            refused = f"{agent} may not" if agent else "No agent may"
            told = f"{refused} {verb} {workspace.name if workspace else 'any workspace'}."
        case _:
            told = f"There is no rule any more whether {agent or 'all agents'} may {deed}."
    if agent and workspace:
        counts = engine.agents.permission(agent, workspace.id, action)
        if wanted and counts is not wanted:
            told += f" A stricter rule counts, though: {counts}."
    return told


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "agent": rule.agent or None,
        "workspace": rule.workspace or None,
        "action": str(rule.action),
        "permission": str(rule.permission),
        "default": rule.is_default,
    }


def _visit(one: AuditEntry) -> dict[str, object]:
    return {
        "time": one.at.isoformat(timespec="seconds") if one.at else None,
        "agent": one.agent,
        "tool": one.tool,
        "query": one.query,
        "outcome": one.outcome,
        **({"reason": one.reason} if one.reason else {}),
        "elapsedMs": round(one.elapsed_ms, 1),
        "shown": [
            {
                "workspace": place.workspace,
                "path": place.path,
                "startLine": place.first_line,
                "endLine": place.last_line,
            }
            for place in one.hits
        ],
    }
