"""`scrubjay agents`: rules for agents, and the log of their requests."""

from __future__ import annotations

from typing import Annotated, Any

from scrubjay.agents.access.permissions import agent_id
from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import Argument, CommandGroup, Option
from scrubjay.cli.harmless_output import print_line
from scrubjay.cli.options import AsJson, In
from scrubjay.cli.session import open_engine
from scrubjay.engine.engine import Engine
from scrubjay.records.access_records import EVERY_WORKSPACE, Action, AuditEntry, Permission, Rule
from scrubjay.records.note_records import Workspace

app = CommandGroup("Show and change which agents are allowed to use these notes.")

Agent = Annotated[
    str | None, Argument(help="Name of the agent. Without a name, the rule applies to all agents.")
]
Write = Annotated[
    bool, Option("--write", help="Set a rule for changing notes instead of a rule for reading.")
]


@app.command("allow")
def allow_agent(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Allow an agent to read notes or, with --write, to change them."""
    _set(agent, workspace, Permission.ALLOW, write=write)


@app.command("propose")
def let_agent_propose(agent: Agent = None, workspace: In = None) -> None:
    """Let an agent propose changes to notes, which you review before they are written."""
    _set(agent, workspace, Permission.PROPOSE, write=True)


@app.command("ask")
def ask_about_agent(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Ask in the app each time. While the app is not running, refuse access."""
    _set(agent, workspace, Permission.ASK, write=write)


@app.command("deny")
def deny_agent(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Forbid an agent to read notes or, with --write, to change them."""
    _set(agent, workspace, Permission.DENY, write=write)


@app.command("reset")
def reset_agent_rule(agent: Agent = None, workspace: In = None, write: Write = False) -> None:
    """Remove a rule."""
    _set(agent, workspace, None, write=write)


@app.command("list")
def list_agents(as_json: AsJson = False) -> None:
    """Show the rules and the agents that have sent requests."""
    with open_engine() as engine:
        rules = engine.agents.rules()
        agents = engine.agents.known_agents().result()
    if as_json:
        # A rule without a name is for all of them, which is null in JSON.
        rows = [
            output.json_fields(rule)
            | {"agent": rule.agent or None, "workspace": rule.workspace or None}
            for rule in rules
        ]
        seen = [output.json_fields(agent, first="firstSeen", last="lastSeen") for agent in agents]
        output.print_json({"rules": rows, "agents": seen})
        return
    for rule in rules:
        agent_name = rule.agent or "all agents"
        columns = [rule.permission, rule.action, agent_name, rule.workspace or "all workspaces"]
        print_line(*columns)
    for agent in agents:
        times = pluralize(agent.requests, "time")
        line = f"{agent.name} sent requests {times}, most recently on {agent.last:%Y-%m-%d %H:%M}."
        if agent.is_claimed:
            line += (
                " Any program can send this name, so rules for it cannot allow more than the rules "
                "for all agents."
            )
        print_line(line)


@app.command("audit-log", former="visits")
def print_audit_log(
    limit: Annotated[
        int, Option(low=1, high=1000, help="Maximum number of requests to show.")
    ] = 20,
    agent: Annotated[str, Option(help="Show only requests from this agent.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the audit log: which agent asked what, and which notes it got, latest last."""
    with open_engine() as engine:
        entries = engine.agents.audit_log(limit=limit, agent=agent).result()
    if as_json:
        output.print_json([_entry_fields(entry) for entry in reversed(entries)])
        return
    # An answer is told by its notes, anything else by its reason.
    for entry in reversed(entries):
        outcome = f"{entry.outcome}: {entry.reason}"
        if entry.outcome == "answered":
            outcome = ", ".join(dict.fromkeys(hit.path for hit in entry.hits))
        request = f"{entry.at:%Y-%m-%d %H:%M} {entry.agent} {entry.tool} {entry.query!r}"
        print_line(f"{request} {outcome}")


@app.command("clear")
def clear_audit_log() -> None:
    """Empty the audit log. The rules are kept."""
    with open_engine() as engine:
        engine.agents.clear().result()
    print_line("The audit log is empty.")


def _entry_fields(entry: AuditEntry) -> dict[str, Any]:
    """A request for JSON."""
    fields: dict[str, Any] = {
        "time": entry.at,
        "agent": entry.agent,
        "tool": entry.tool,
        "query": entry.query,
        "outcome": entry.outcome,
    }
    # Only requests without an answer have a reason.
    if entry.reason:
        fields["reason"] = entry.reason
    fields["elapsedMs"] = round(entry.elapsed_ms, 1)
    fields["shown"] = [
        output.json_fields(hit, first_line="startLine", last_line="endLine") for hit in entry.hits
    ]
    return fields


def _set(
    agent: str | None, name: str | None, permission: Permission | None, *, write: bool
) -> None:
    """Write or remove a rule, and say what holds from now on."""
    action = Action.READ
    if write:
        action = Action.WRITE
    with open_engine() as engine:
        workspace = None
        workspace_id = EVERY_WORKSPACE
        if name is not None:
            workspace = engine.find_workspace(name)
            workspace_id = workspace.id
        agents = engine.agents
        agents.set_rule(agent or "", workspace_id, action=action, permission=permission).result()
        sentence = _rule_sentence(agent, workspace, action=action, permission=permission)
        # A rule for one agent or one workspace counts more than one for all.
        if permission and _has_exceptions(
            engine, Rule(agent or "", workspace_id, action=action, permission=permission)
        ):
            sentence += " Other rules override this one. To see them, run `scrubjay agents list`."
        print_line(sentence)
        if agent and permission:
            _warn_of_claim(engine, agent_id(agent), action=action, permission=permission)


def _warn_of_claim(engine: Engine, name: str, action: Action, permission: Permission) -> None:
    """Say if a rule has no effect for an agent, as it only sends its name."""
    agents = engine.agents
    known = agents.known_agents().result()
    if not any(agent.name == name and agent.is_claimed for agent in known):
        return
    named = agents.permissions(name, action)
    claimed = agents.permissions(name, action, is_claimed=True)
    # A rule that takes away holds for every name.
    if permission is not Permission.DENY and named != claimed:
        print_line(
            f"This rule does not apply to the program that last used the name {name}, because any "
            f"program can send that name. To make it apply, run `scrubjay connect` for the agent, "
            f"or let the agent start `scrubjay mcp --as {name}`."
        )


def _has_exceptions(engine: Engine, rule: Rule) -> bool:
    """Whether another rule counts for some agent and workspace that a rule is about."""
    agents = engine.agents
    names = {rule.agent}
    if not rule.agent:
        names = {each.agent for each in agents.rules()}
    workspaces = [each.id for each in engine.workspaces()]
    if rule.workspace:
        workspaces = [rule.workspace]
    return any(
        agents.permission(name, workspace, rule.action) is not rule.permission
        for name in names
        for workspace in workspaces
    )


def _rule_sentence(
    agent: str | None, workspace: Workspace | None, action: Action, permission: Permission | None
) -> str:
    """The sentence on a rule that was written; permission is None for one that was removed."""
    verb = "read"
    if action is Action.WRITE:
        verb = "write to"
    every = "every workspace"
    any_ = "any workspace"
    if workspace:
        every = workspace.name
        any_ = workspace.name
    # A ban speaks of any workspace, all other rules speak of every one.
    match permission:
        case Permission.ALLOW:
            return f"{agent or 'All agents'} can now {verb} {every}."
        case Permission.PROPOSE:
            return f"{agent or 'All agents'} can propose changes in {every}, which you review."
        case Permission.ASK:
            return f"{agent or 'All agents'} can {verb} {every} if you agree in the app."
        case Permission.DENY if agent:
            return f"{agent} cannot {verb} {any_}."
        case Permission.DENY:
            return f"No agent can {verb} {any_}."
        case _:
            about = f"{agent or 'all agents'} can {verb} {every}"
            return f"There is no longer a rule that says whether {about}."
