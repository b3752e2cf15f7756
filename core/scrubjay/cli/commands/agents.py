"""`scrubjay agents`: rules for agents, and the log of their requests."""

from __future__ import annotations

from typing import Annotated

from scrubjay.cli import output
from scrubjay.cli.arguments import Argument, Group, Option
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.session import opened
from scrubjay.cli.terminal import print_line
from scrubjay.records.access_records import EVERY_WORKSPACE, Action, Permission

app = Group("Who may use these notes, and who did.")

Agent = Annotated[str | None, Argument(help="Name of the agent; without one, the rule is for all.")]
Write = Annotated[bool, Option("--write", help="Writing to today's note, not reading.")]


@app.command("allow")
def allow(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Allow an agent to read, or with --write to append to today's note."""
    _set(agent, workspace, Permission.ALLOW, write=write)


@app.command("ask")
def ask(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Ask in the app each time, while it runs; refuse while it does not."""
    _set(agent, workspace, Permission.ASK, write=write)


@app.command("deny")
def deny(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Do not let an agent read, or with --write not write."""
    _set(agent, workspace, Permission.DENY, write=write)


@app.command("reset")
def reset(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Take a rule back."""
    _set(agent, workspace, None, write=write)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """Show the rules, and which agents were here."""
    with opened() as engine:
        rules, agents = engine.agents.rules(), engine.agents.known_agents().result()
    if as_json:
        rows = [
            output.fields(rule) | {"agent": rule.agent or None, "workspace": rule.workspace or None}
            for rule in rules
        ]
        seen = [output.fields(agent, first="firstSeen", last="lastSeen") for agent in agents]
        output.data({"rules": rows, "agents": seen})
        return
    for rule in rules:
        subject, where = rule.agent or "all agents", rule.workspace or "all workspaces"
        print_line(rule.permission, rule.action, subject, where)
    for agent in agents:
        times = "time" if agent.requests == 1 else "times"
        when = f"{agent.last:%Y-%m-%d %H:%M}"
        print_line(f"{agent.name} was here {agent.requests:,} {times}, last on {when}.")


@app.command("audit-log", former="visits")
def audit_log(
    limit: Annotated[int, Option(low=1, high=1000, help="Number of requests.")] = 20,
    agent: Annotated[str, Option(help="Of one agent only.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the audit log: who asked what, and which notes were shown. The latest last."""
    with opened() as engine:
        entries = engine.agents.audit_log(limit=limit, agent=agent).result()
    if as_json:
        renamed = {"first_line": "startLine", "last_line": "endLine"}
        rows = [
            {
                "time": entry.at,
                "agent": entry.agent,
                "tool": entry.tool,
                "query": entry.query,
                "outcome": entry.outcome,
                **({"reason": entry.reason} if entry.reason else {}),
                "elapsedMs": round(entry.elapsed_ms, 1),
                "shown": [output.fields(hit, **renamed) for hit in entry.hits],
            }
            for entry in reversed(entries)
        ]
        output.data(rows)
        return
    for entry in reversed(entries):
        notes = ", ".join(dict.fromkeys(hit.path for hit in entry.hits))
        outcome = notes if entry.outcome == "answered" else f"{entry.outcome}: {entry.reason}"
        request = f"{entry.at:%Y-%m-%d %H:%M} {entry.agent} {entry.tool} {entry.query!r}"
        print_line(f"{request} {outcome}")


@app.command("clear")
def clear() -> None:
    """Empty the audit log. The rules stay."""
    with opened() as engine:
        engine.agents.clear().result()
    print_line("The audit log is empty.")


def _set(
    agent: str | None, name: str | None, permission: Permission | None, *, write: bool
) -> None:
    action = Action.WRITE if write else Action.READ
    with opened() as engine:
        workspace = engine.find_workspace(name) if name is not None else None
        workspace_id = workspace.id if workspace else EVERY_WORKSPACE
        engine.agents.set_rule(agent or "", workspace_id, action, permission).result()
        subject, verb = agent or "All agents", "write to" if write else "read"
        place = f"{verb} {workspace.name if workspace else 'every workspace'}"
        match permission:
            case Permission.ALLOW:
                sentence = f"{subject} may {place} now."
            case Permission.ASK:
                sentence = f"{subject} may {place} when you say yes in the app."
            case Permission.DENY:
                refused = f"{agent} may not" if agent else "No agent may"
                sentence = f"{refused} {verb} {workspace.name if workspace else 'any workspace'}."
            case _:
                sentence = (
                    f"There is no longer a rule for whether {agent or 'all agents'} may {place}."
                )
        if agent and workspace and permission:
            counts = engine.agents.permission(agent, workspace_id, action)
            if counts is not permission:
                sentence += f" A stricter rule counts, though: {counts}."
        print_line(sentence)
