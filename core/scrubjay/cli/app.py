"""The commands of `scrubjay`; a command is imported when it runs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

_COMMANDS = {
    "search": "search:search",
    "context": "search:context",
    "get": "search:get",
    "index": "index:index",
    "status": "index:status",
    "changes": "changes:changes",
    "workspace": "index:app",
    "models": "models:app",
    "keys": "keys:app",
    "doctor": "doctor:doctor",
    "diagnostics": "doctor:diagnostics",
    "import": "import_:import_",
    "mcp": "mcp:serve",
    "connect": "connect:connect",
    "agents": "agents:app",
    "hook": "hook:app",
    "dream": "dream:app",
    "captured": "captured:app",
    "forget": "captured:forget",
    "update-check": "doctor:update_check",
    "eval": "eval_:eval_",
    "demo": "demo:demo",
}
"""Command -> module:name, in the order of the help."""


class _LazyCommands(Mapping[str, Any]):
    """Commands by name; looking one up imports its module.

    Agents, hooks and scripts start the program often and wait for it, and importing all modules
    takes longer than a search. Only the help needs them all.
    """

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = _COMMANDS[name].partition(":")
        command = getattr(importlib.import_module(f"scrubjay.cli.commands.{module}"), attribute)
        alone = typer.Typer(rich_markup_mode=None)
        if isinstance(command, typer.Typer):
            alone.add_typer(command, name=name)
        else:
            alone.command(name)(command)
        return typer.main.get_group(alone).commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**(settings | {"commands": _LazyCommands()}))


app = typer.Typer(
    cls=_Group,
    name="scrubjay",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(is_asked: bool) -> None:
    if not is_asked:
        return
    from scrubjay.version import current_version

    typer.echo(f"scrubjay {current_version()}")
    raise typer.Exit


@app.callback()
def _scrubjay(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Find what was written down, by its words and by its meaning."""
