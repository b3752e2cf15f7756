"""Our commands among the hooks in an agent's settings file; all others stay as they are."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.hook_sets import HOOKS_KEY, MANAGED, RECALL, HookSet
from scrubjay.agents.connect.known_agents import Client
from scrubjay.agents.connect.settings_edit import is_blank, misplaced, read_json
from scrubjay.config.json5.json5_editor import append_entry, is_empty, remove_value, set_value
from scrubjay.errors import ConnectFailed
from scrubjay.messages import msg
from scrubjay.platform.program_search import split_command

_OR_NOTHING = " || true"
"""End of a command that a shell runs, so that it never fails."""
_PROGRAMS = ("scrubjay", "scrubjay.exe")
"""Names of our program."""
_CALL = "&"
"""What runs a program in quotes in PowerShell."""
_PLAIN_PROGRAM = re.compile(r"[A-Za-z]:[\w.\\-]+")
"""Path on Windows that needs no quotes."""
_LIVE_IN_QUOTES = re.compile('[%$`"\u201c-\u201e\r\n]')
"""What PowerShell or cmd.exe does not take as it is between quotes."""

_Place = tuple[tuple[str | int, ...], dict[str, Any]]
"""Path and entry of a command of ours in a file."""


class ProgramStart(Struct, frozen=True):
    """How an agent starts this Scrubjay."""

    program: Path
    """Absolute path, since a bare name might be looked up in the current folder."""
    home: Path | None = None
    """Folder of the settings; None for that of the user."""
    is_windows: bool = False
    is_for_any_system: bool = False
    """Whether the same command must run on every system, as in a bundle."""

    def words(self, *arguments: str) -> list[str]:
        """The words of a command."""
        if self.home is None:
            return [str(self.program), *arguments]
        return [str(self.program), "--home", str(self.home), *arguments]


class HookCommands:
    """The hooks that recall, flush and keep, in a file of JSON."""

    part = ConnectionPart.HOOKS

    def __init__(
        self, client: Client, file: Path, hooks: HookSet, *, start: ProgramStart, folder: str
    ) -> None:
        """The folder is the workspace to write to, empty for that of the agent's folder."""
        self.file = file
        self._client = client
        self._hooks = hooks
        self._start = start
        self._folder = folder

    def applied(self, text: str | None) -> str | None:
        """The file with our hooks at the end of each event."""
        settings = read_json(self._client, text or "")
        wanted = self._wanted()
        if _count(self._ours(settings)) == _count(wanted):
            return text
        # Those of another version or place go first, so that no hook runs twice.
        after = self.removed(text) or ""
        if is_blank(after):
            after = "{}\n"
        # Keys that the agent asks for come first, then a group for each event.
        try:
            for key, value in self._hooks.constants.items():
                if key not in settings:
                    after = set_value(after, [key], value, quoted=True)
            for event, entries in wanted.items():
                for entry in self._hooks.listed(entries):
                    after = append_entry(after, [HOOKS_KEY, event], entry, quoted=True)
        except LookupError as error:
            raise misplaced(self._client, str(error.args[0])) from error
        # An editor that made a mistake would leave the agent without its settings.
        read_json(self._client, after)
        return after

    def removed(self, text: str | None) -> str | None:
        """The file without our hooks, and without lists that only they were in."""
        if text is None:
            return None
        # One at a time, since each removal moves the numbers of those behind it.
        while True:
            settings = read_json(self._client, text)
            path = next((path for path, _ in self._places(settings)), None)
            if path is None:
                return text
            text = remove_value(text, path)
            # The group, its event and the list of events, from the inside.
            for depth in range(len(path) - 1, 0, -1):
                outer = path[:depth]
                if isinstance(outer[-1], int):
                    continue
                if not is_empty(text, outer):
                    break
                # A group of no commands goes with its matcher.
                if depth > 1 and outer[-1] == HOOKS_KEY:
                    outer = outer[:-1]
                text = remove_value(text, outer)

    def _wanted(self) -> dict[str, list[dict[str, Any]]]:
        """Our entries by event."""
        return hook_entries(self._client.id, self._hooks, start=self._start, folder=self._folder)

    def _ours(self, settings: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """Our entries in a file, by event."""
        found: dict[str, list[dict[str, Any]]] = {}
        for path, entry in self._places(settings):
            found.setdefault(str(path[1]), []).append(entry)
        return found

    def _places(self, settings: Mapping[str, Any]) -> Iterator[_Place]:
        return _places(settings, is_windows=self._start.is_windows)


def hook_entries(
    agent: str, hooks: HookSet, *, start: ProgramStart, folder: str = ""
) -> dict[str, list[dict[str, Any]]]:
    """Our entries by event. Raises ConnectFailed for words that a shell would change."""
    entries: dict[str, list[dict[str, Any]]] = {}
    for event, names in hooks.events.items():
        entries[event] = []
        for name in names:
            words = start.words("hook", name, "--agent", agent)
            # Recall reads all workspaces; the others have one to read or write.
            if folder and name != RECALL:
                words += ["--workspace", folder]
            entries[event].append(_entry(hooks, event, words=words, start=start))
    return entries


def _entry(
    hooks: HookSet, event: str, *, words: Sequence[str], start: ProgramStart
) -> dict[str, Any]:
    """The entry that runs a command at an event."""
    # Each shell changes other characters, and without a shell nothing is changed.
    if hooks.takes_arguments and (start.is_windows or start.is_for_any_system):
        return hooks.entry(event, words[0], words[1:])
    if start.is_for_any_system:
        return hooks.entry(event, shlex.join(words))
    if start.is_windows:
        return hooks.entry(event, windows_command(words))
    # Otherwise, some agents show an error at each message once the program was removed.
    return hooks.entry(event, shlex.join(words) + _OR_NOTHING)


def windows_command(words: Sequence[str]) -> str:
    """A command for PowerShell; cmd.exe runs it too where the path of the program is plain.

    Raises ConnectFailed for words that one of them would change.
    """
    for word in words:
        if _LIVE_IN_QUOTES.search(word):
            raise ConnectFailed(
                msg("Scrubjay cannot write a hook with the path {path}", path=word),
                "The path contains a quotation mark, a line break, or one of the characters %, $ "
                "and `, which Windows would change.",
                hint="Rename the folder or choose another one.",
            )
    # A backslash before the closing quote would take its meaning.
    program, *arguments = (f'"{word.replace(chr(92), "/")}"' for word in words)
    start = f"{_CALL} {program}"
    if _PLAIN_PROGRAM.fullmatch(words[0]):
        start = words[0]
    return " ".join([start, *arguments])


def _command_words(entry: Mapping[str, Any], *, is_windows: bool) -> list[str]:
    """The words of an entry's command, from the program on; none for what is not a command."""
    command = entry.get("command")
    if not isinstance(command, str):
        return []
    arguments = entry.get("args")
    if isinstance(arguments, list):
        return [command, *map(str, arguments)]
    # A command with an unclosed quote is not ours.
    try:
        words = split_command(command, is_windows=is_windows)
    except ValueError:
        return []
    if words[:1] == [_CALL]:
        return words[1:]
    return words


def hook_name(entry: Mapping[str, Any], *, is_windows: bool) -> str:
    """The name of the hook that an entry of ours runs; empty for another entry."""
    words = _command_words(entry, is_windows=is_windows)
    # The last part of the path, also of a Windows path on another system.
    if not words or words[0].replace("\\", "/").rpartition("/")[2] not in _PROGRAMS:
        return ""
    # The folder of the settings may stand before the command.
    rest = words[1:]
    if rest[:1] == ["--home"]:
        rest = rest[2:]
    if rest[:1] != ["hook"] or len(rest) < 2:
        return ""
    return rest[1]


def chosen_workspace(settings: Mapping[str, Any], *, is_windows: bool) -> str:
    """The workspace that hooks of ours in a file name; empty if they name none."""
    for _, entry in _places(settings, is_windows=is_windows):
        words = _command_words(entry, is_windows=is_windows)
        if "--workspace" in words[:-1]:
            return words[words.index("--workspace") + 1]
    return ""


def _places(settings: Mapping[str, Any], *, is_windows: bool) -> Iterator[_Place]:
    """The path and entry of each command of ours. Other forms are somebody else's."""
    events = settings.get(HOOKS_KEY)
    if not isinstance(events, dict):
        return
    # A list has groups of commands, or the commands themselves in Cursor.
    for event, listed in events.items():
        for number, item in enumerate(_objects(listed)):
            place = (HOOKS_KEY, event, number)
            if hook_name(item, is_windows=is_windows) in MANAGED:
                yield place, item
            for inner, entry in enumerate(_objects(item.get(HOOKS_KEY))):
                if hook_name(entry, is_windows=is_windows) in MANAGED:
                    yield (*place, HOOKS_KEY, inner), entry


def _objects(value: object) -> list[dict[str, Any]]:
    """The items of a list; an item of another form counts as an empty object."""
    if not isinstance(value, list):
        return []
    return [item if isinstance(item, dict) else {} for item in value]


def _count(entries: Mapping[str, list[dict[str, Any]]]) -> Counter[tuple[str, str]]:
    """Entries of each event, in any order."""
    return Counter(
        (event, repr(sorted(entry.items())))
        for event, listed in entries.items()
        for entry in listed
    )
