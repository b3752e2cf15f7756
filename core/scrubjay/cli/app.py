"""The commands of `scrubjay`; a command is imported when it runs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

_COMMANDS = {
    "search": ("search:search", "Find notes by their words and by their meaning."),
    "context": ("search:context", "Print what the notes say about a whole message."),
    "get": ("search:get", "Print part of a memory file, as agents read it."),
    "index": ("index:index", "Bring the index up to date."),
    "status": ("index:status", "Show what is indexed, what is not, and why."),
    "changes": ("changes:changes", "Show which notes were added, changed, moved or removed."),
    "workspace": ("index:app", "The folders of notes that are searched."),
    "models": ("models:app", "The models that search by meaning uses."),
    "keys": ("keys:app", "API keys of remote providers."),
    "doctor": ("doctor:doctor", "Look for what is wrong."),
    "diagnostics": ("doctor:diagnostics", "Print versions, sizes, settings and logs."),
    "import": ("import_:import_", "Bring over agents, folders and settings of another program."),
    "mcp": ("mcp:serve", "Let agents search these notes."),
    "connect": ("connect:connect", "Let an agent use these notes."),
    "agents": ("agents:app", "Who may use these notes, and who did."),
    "hook": ("hook:app", "What the hooks of an agent call."),
    "dream": ("dream:app", "Notes that agents look up again and again."),
    "captured": ("captured:app", "What people told their agents and may want to keep."),
    "forget": ("captured:forget", "Delete a line from the notes."),
    "update-check": ("doctor:update_check", "Ask whether there is a newer Scrubjay."),
    "eval": ("eval_:eval_", "Measure retrieval against files of judged questions."),
    "demo": ("demo:demo", "Try it on the sample notes."),
}
"""Command -> module:name and its line in the list of commands, in this order."""


class _LazyCommands(Mapping[str, Any]):
    """Commands by name; looking one up imports its module.

    Agents, hooks and scripts start the program often and wait for it, and importing all modules
    takes longer than a search.
    """

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = _COMMANDS[name][0].partition(":")
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

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, which imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


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
