"""`scrubjay connect`: Scrubjay's entry in the settings of an agent."""

from __future__ import annotations

from typing import Annotated

from scrubjay.agents.connect.connections import AgentConnection
from scrubjay.agents.connect.known_agents import GUIDE
from scrubjay.agents.connect.settings_edit import ConnectionChange
from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import Argument, Option
from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.platform.program_search import command_line


def connect_agent(
    client: Annotated[
        str | None,
        Argument(help="Agent to connect. Without a name, the command lists all known agents."),
    ] = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show the change without making it.")
    ] = False,
    undo: Annotated[bool, Option("--undo", help="Disconnect the agent.")] = False,
    text: Annotated[
        bool,
        Option(
            "--text",
            help="Print the instructions for AGENTS.md or CLAUDE.md without changing any file.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let an agent use these notes. A copy of the agent's former settings is kept."""
    if text:
        print_text(GUIDE)
        return
    with open_engine() as engine:
        # Without an agent's name the command is a question.
        if client is None:
            _list(engine.connections.list().result(), as_json=as_json)
            return
        change = engine.connections.plan(client, undo=undo).result()
        connection = None
        if not dry_run:
            connection = engine.connections.apply(change).result()
    # The change is planned in any case, and written only where nothing speaks against it.
    if as_json:
        reply = {
            "client": change.client,
            "file": change.file,
            "undo": change.is_undo,
            "needed": change.is_needed,
            "written": connection is not None and change.is_needed,
            "diff": change.diff,
            "notSearched": _memory_paths(connection),
        }
        output.print_json(reply)
        return
    _print_change(change, connection)
    if connection is not None:
        _print_memory(connection)


def _print_change(change: ConnectionChange, connection: AgentConnection | None) -> None:
    """Print the change, and what to do next; nothing is written where it is only shown."""
    if not change.is_needed:
        state = "not connected" if change.is_undo else "already connected"
        print_line(f"{change.name} is {state}. Nothing was changed.")
        return
    # The difference is shown first, whether it was written or not.
    print_text(change.diff)
    if connection is None:
        print_line(f"This would change {change.file}. Nothing was written.")
    elif change.is_undo:
        print_line(f"{change.name} is no longer connected.")
    else:
        print_line(f"{change.name} is connected. {connection.after}")
        print_line(f"To undo this, run scrubjay connect {change.client} --undo")
        if connection.guide:
            print_line()
            print_line(
                f"Paste this text into {connection.guide} so that {change.name} searches "
                "your notes on its own:"
            )
            print_text(f"\n{GUIDE}\n")


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
    if connection.is_connected:
        return "connected"
    if connection.is_outdated:
        return "connected to another copy of Scrubjay"
    if connection.is_found:
        return "found"
    return "not found on this computer"
