"""The commands of `scrubjay`. Each command is imported when it runs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping, Sequence

from scrubjay.cli.arguments import (
    EXIT_WRONG_USAGE,
    Command,
    CommandGroup,
    UsageError,
    invoke_command,
)
from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.platform.paths import HOME_VARIABLE

_COMMANDS = {
    "search": ("search:search_notes", "Find notes by words and by meaning."),
    "context": ("search:print_context", "Print what your notes say about a message."),
    "get": ("search:print_note", "Print part of a memory file as agents see it."),
    "index": ("index:index_notes", "Update the index."),
    "status": ("index:print_index_status", "Show which notes are indexed, which are not, and why."),
    "changes": ("changes:list_changes", "Show which notes were added, changed, moved or removed."),
    "workspace": ("workspace:app", "List and change the folders that Scrubjay searches."),
    "descriptions": ("descriptions:app", "Describe folders for agents that search them."),
    "share": ("share:share_folder", "Publish a folder for a team."),
    "unshare": ("share:unshare_folder", "Stop publishing a folder."),
    "shared": (
        "share:list_shared",
        "Show the folders that you share and that others share with you.",
    ),
    "models": ("models:app", "List and change the models that Scrubjay searches with."),
    "keys": (
        "keys:app",
        "Store API keys for remote providers in the system keychain, and test them.",
    ),
    "doctor": (
        "doctor:run_doctor",
        "Check the notes, the indexes, the settings and the model for problems.",
    ),
    "diagnostics": ("doctor:print_diagnostics", "Print versions, sizes, settings and logs."),
    "import": (
        "import_:import_export_or_setup",
        "Import notes, agents, folders and settings from other programs.",
    ),
    "mcp": ("mcp:serve_mcp", "Start the server that lets agents search these notes."),
    "connect": ("connect:connect_agent", "Let an agent use these notes."),
    "agents": ("agents:app", "Show and change which agents are allowed to use these notes."),
    "hook": ("hook:app", "Respond to an agent's hooks."),
    "dream": ("dream:app", "Suggest often-used notes for MEMORY.md."),
    "captured": (
        "captured:app",
        "Review texts from your messages to agents that Scrubjay suggests keeping.",
    ),
    "proposals": (
        "proposals:app",
        "Review changes that agents propose to notes, and undo those that were written.",
    ),
    "forget": ("captured:forget_text", "Delete a line from the notes."),
    "update-check": (
        "doctor:check_for_update",
        "Check whether a newer version of Scrubjay is available.",
    ),
    "eval": (
        "eval_:evaluate_search",
        "Measure search quality with questions whose correct notes are known.",
    ),
    "uninstall": (
        "uninstall:uninstall_program",
        "Remove what Scrubjay has stored on this computer, but never notes.",
    ),
    "demo": ("demo:run_demo", "Try Scrubjay with sample notes."),
}
"""Command -> module:name and its line in the list of commands, in this order."""


class _LazyCommands(Mapping[str, Command]):
    """Commands by name; looking one up imports its module.

    Agents, hooks and scripts start the program often and wait for it, and importing all modules
    takes longer than a search.
    """

    def __getitem__(self, name: str) -> Command:
        module, _, attribute = _COMMANDS[name][0].partition(":")
        command: Command = getattr(
            importlib.import_module(f"scrubjay.cli.commands.{module}"), attribute
        )
        return command

    def __contains__(self, name: object) -> bool:
        return name in _COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


app = CommandGroup(
    "Search notes by words and by meaning.",
    _LazyCommands(),
    {name: line for name, (_, line) in _COMMANDS.items()},
    options=[
        ("--home PATH", "Use the settings and indexes in this folder."),
        ("--version", "Print the version."),
    ],
)


_OPENCLAW = frozenset({"search", "index", "status"})
"""Commands that OpenClaw has below `memory`, with other options."""


def _own_spelling(words: Sequence[str]) -> list[str]:
    """The words of a command as Scrubjay spells it: `memory search --query x --agent y` is taken
    as `search x --workspace y`.
    """
    # The other commands of both programs have nothing in common.
    if words[:1] == ["memory"] and words[1:] and words[1] in _OPENCLAW:
        words = words[1:]
    if not words or words[0] not in _OPENCLAW:
        return [*words]
    spelled: list[str] = []
    rest = iter(words)
    # Each option may have its value after it or after an equals sign.
    for word in rest:
        flag, has_value, value = word.partition("=")
        if word == "--":
            spelled += [word, *rest]
        elif flag == "--agent":
            spelled.append(f"--workspace{has_value}{value}")
        elif flag == "--query":
            spelled += [value] * bool(has_value)
        else:
            spelled.append(word)
    return spelled


def run_command(words: Sequence[str]) -> int:
    """The exit code of the command that the words after the name of the program ask for."""
    # Hooks of agents have no place for a variable that all systems would read.
    if words[:1] == ["--home"] and len(words) > 1:
        os.environ[HOME_VARIABLE] = words[1]
        words = words[2:]
    if words[:1] == ["--version"]:
        from scrubjay.version import current_version

        print_line(f"scrubjay {current_version()}")
        return 0
    words = _own_spelling(words)
    # Commands raise SystemExit where they end with their own code.
    try:
        invoke_command(app, "scrubjay", words)
    except UsageError as error:
        print_text(f"Usage: {error.usage}\nHelp: {error.path} --help\n\n", to_errors=True)
        print_line(f"scrubjay: {error}", to_errors=True)
        return EXIT_WRONG_USAGE
    except SystemExit as ended:
        if isinstance(ended.code, int):
            return ended.code
    return 0
