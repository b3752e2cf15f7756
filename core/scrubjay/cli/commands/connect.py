"""`scrubjay connect`: the server entry, the hooks and the instructions of agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from scrubjay.agents.connect.connection_records import (
    AgentConnection,
    ConnectionChange,
    ConnectionPart,
)
from scrubjay.agents.connect.connections import ALL_PARTS
from scrubjay.agents.connect.known_agents import GUIDE
from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import Argument, Option, UsageError
from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.platform.program_search import command_line


def connect_agent(  # noqa: PLR0913
    client: Annotated[
        str | None, Argument(help="Name of the agent. Without a name, the known agents are listed.")
    ] = None,
    everything: Annotated[bool, Option("--all", help="Connect every agent that is found.")] = False,
    only: Annotated[str, Option("--only", help="Parts: server,hooks,instructions.")] = "",
    workspace: Annotated[
        str | None, Option("--workspace", help="Name or path of the folder that hooks write to.")
    ] = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show the changes without making them.")
    ] = False,
    yes: Annotated[bool, Option("--yes", help="Make the changes without asking.")] = False,
    undo: Annotated[bool, Option("--undo", help="Disconnect the agent.")] = False,
    text: Annotated[bool, Option("--text", help="Print the text for AGENTS.md.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let an agent use these notes. Copies of the agent's former files are kept."""
    if text:
        print_text(GUIDE)
        return
    wanted = _Wanted(_parts(only), undo=undo, dry_run=dry_run, is_sure=yes, as_json=as_json)
    with open_engine() as engine:
        # Without an agent's name the command is a question.
        if client is None and not everything:
            _list(engine.connections.list().result(), as_json=as_json)
            return
        # The workspace is looked up once, before any agent is changed.
        root: Path | None = None
        if workspace:
            root = engine.find_workspace(workspace).root
        if client:
            replies = [_connect(engine, client, wanted=wanted, root=root)]
            failures: list[ScrubjayError] = []
        else:
            replies, failures = _connect_found(engine, wanted, root)
    if as_json:
        output.print_json(replies[0] if client else replies)
    for failure in failures:
        print_line(f"scrubjay: {failure}", to_errors=True)
    if failures:
        raise SystemExit(1)


class _Wanted(Struct, frozen=True):
    """What the options of the command ask for."""

    parts: frozenset[ConnectionPart]
    undo: bool
    dry_run: bool
    is_sure: bool
    """Whether nothing is asked before files are changed."""
    as_json: bool


def _connect_found(
    engine: Engine, wanted: _Wanted, root: Path | None
) -> tuple[list[dict[str, Any]], list[ScrubjayError]]:
    """Connect or disconnect each agent on this computer; the replies, and what went wrong."""
    names = _found(engine.connections.list().result(), undo=wanted.undo)
    if not names and not wanted.as_json:
        print_line("No agents were found to connect or disconnect.")
    replies = []
    failures = []
    # One agent whose files cannot be read does not keep the others from being connected.
    for name in names:
        try:
            replies.append(_connect(engine, name, wanted=wanted, root=root))
        except ScrubjayError as error:
            failures.append(error)
    return replies, failures


def _connect(engine: Engine, name: str, wanted: _Wanted, root: Path | None) -> dict[str, Any]:
    """Connect or disconnect one agent, unless someone says no."""
    # An agent is disconnected as a whole, and connected by parts.
    if wanted.undo:
        change = engine.connections.plan_undo(name).result()
    else:
        change = engine.connections.plan(name, wanted.parts, workspace=root).result()
    if not wanted.as_json:
        _print_plan(change)
    connection = None
    if wanted.dry_run:
        if change.is_needed and not wanted.as_json:
            print_line(f"This would change {_files(change)}. Nothing was written.")
    elif _is_agreed(change, wanted):
        connection = engine.connections.apply(change).result()
        if not wanted.as_json:
            _print_result(change, connection)
    else:
        print_line("Nothing was written.")
    return _reply(change, connection)


def _is_agreed(change: ConnectionChange, wanted: _Wanted) -> bool:
    """Whether a change may be made; only a person at a terminal is asked."""
    if wanted.is_sure or wanted.as_json or not change.is_needed or not output.has_terminal():
        return True
    return output.confirm("Make these changes?")


def _parts(only: str) -> frozenset[ConnectionPart]:
    """The parts that were named, or all. Raises UsageError."""
    # Names in any order and case, divided by commas.
    names = {name.strip().lower() for name in only.split(",")} - {""}
    unknown = names - {part.value for part in ConnectionPart}
    if unknown:
        raise UsageError(
            f"--only takes server, hooks and instructions, and not {', '.join(sorted(unknown))}."
        )
    return frozenset(ConnectionPart(name) for name in names) or ALL_PARTS


def _found(connections: tuple[AgentConnection, ...], *, undo: bool) -> list[str]:
    """The ids of the agents to connect, or to disconnect."""
    if undo:
        return [each.client for each in connections if each.is_connected or each.is_outdated]
    return [each.client for each in connections if each.is_found]


def _print_plan(change: ConnectionChange) -> None:
    """Print the changes, and what this agent lacks."""
    if change.has_bundle:
        print_line(
            f"{change.name} has the Scrubjay extension, so its settings must not contain the same "
            f"parts. To disconnect {change.name}, remove the extension in {change.name} itself."
        )
    if not change.is_needed:
        state = "already connected"
        if change.is_undo and not change.has_bundle:
            state = "not connected"
        print_line(f"{change.name} is {state}. Nothing was changed.")
        return
    # The difference is shown first, whether it is written or not.
    print_text(change.diff)
    if not change.is_undo:
        for sentence in change.lacks:
            print_line(sentence)


def _print_result(change: ConnectionChange, connection: AgentConnection) -> None:
    """Print what was done, and what to do next."""
    # Next steps are told only where something was written.
    if change.is_needed and change.has_bundle:
        print_line(f"{change.name} is now connected only through its Scrubjay extension.")
    elif change.is_needed and change.is_undo:
        print_line(f"{change.name} is no longer connected.")
    elif change.is_needed:
        parts = ", ".join(change.parts)
        print_line(f"{change.name} is connected ({parts}). {connection.after}")
        print_line(f"To undo this, run scrubjay connect {change.client} --undo")
        if connection.guide and ConnectionPart.INSTRUCTIONS not in connection.current:
            print_line()
            print_line(
                f"Paste this text into {connection.guide} so that {change.name} searches "
                "your notes on its own:"
            )
            print_text(f"\n{GUIDE}\n")
    _print_memory(connection)


def _print_memory(connection: AgentConnection) -> None:
    """Print which memory of its own an agent has that is not searched, and how to add it."""
    for folder in connection.memory:
        count = pluralize(folder.notes, "note")
        print_line()
        print_line(
            f"{connection.name}'s own memory in {folder.root} ({count}) is not searched yet. "
            "To add it, run:"
        )
        # With its name, since the folder itself is called "workspace" or "memories".
        words = ["scrubjay", "workspace", "add", str(folder.root), "--name", folder.name]
        print_line(f"  {command_line(words)}")


def _reply(change: ConnectionChange, connection: AgentConnection | None) -> dict[str, Any]:
    """A change for JSON."""
    return {
        "client": change.client,
        "parts": list(change.parts),
        "files": [str(each.file) for each in change.files],
        "undo": change.is_undo,
        "needed": change.is_needed,
        "written": connection is not None and change.is_needed,
        "diff": change.diff,
        "lacks": list(change.lacks),
        "notSearched": _memory_paths(connection),
    }


def _files(change: ConnectionChange) -> str:
    return ", ".join(str(each.file) for each in change.files)


def _memory_paths(connection: AgentConnection | None) -> list[str]:
    """The folders with an agent's own memory that are not searched."""
    if connection is None:
        return []
    return [str(folder.root) for folder in connection.memory]


def _list(connections: tuple[AgentConnection, ...], *, as_json: bool) -> None:
    """Print the agents that are known."""
    if as_json:
        # A problem is a field only where there is one.
        rows = [
            output.json_fields(connection, after="", guide="", memory="")
            | {"notSearched": _memory_paths(connection)}
            for connection in connections
        ]
        output.print_json(
            [{key: row[key] for key in row if key != "problem" or row[key]} for row in rows]
        )
        return
    for connection in connections:
        print_line(connection.client, _state(connection), str(connection.file))
    for connection in connections:
        _print_memory(connection)
    print_line(
        "To connect an agent, run `scrubjay connect NAME`. To see the change first, add --dry-run."
    )


def _state(connection: AgentConnection) -> str:
    """A few words on whether an agent is connected, and to what."""
    if connection.problem:
        return connection.problem
    # What was undone by someone counts more than what is left.
    parts = ", ".join(connection.current)
    if connection.doubled:
        doubled = ", ".join(connection.doubled)
        return f"connected twice, through its Scrubjay extension and its settings: {doubled}"
    if connection.has_bundle:
        return f"connected through its Scrubjay extension ({parts})"
    if connection.lost:
        return f"connected, but these parts were removed or changed: {', '.join(connection.lost)}"
    if connection.is_connected:
        return f"connected ({parts})"
    if connection.is_outdated:
        return "connected to another copy of Scrubjay"
    if connection.is_found:
        return "found"
    return "not found on this computer"
