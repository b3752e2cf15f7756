"""Bundles of ours that are installed in agents: plugins and extensions.

They have the same parts as a connection, and `packaging/agent_bundles.py` makes them. Claude Code
lists plugins in its settings: https://code.claude.com/docs/en/plugins-reference. Gemini CLI copies
extensions into its folder: https://geminicli.com/docs/extensions/reference. So does Claude Desktop:
https://github.com/modelcontextprotocol/mcpb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scrubjay.agents.connect.connection_records import PartEdit
from scrubjay.agents.connect.hook_sets import HOOK_SETS
from scrubjay.agents.connect.known_agents import CLIENTS, SERVER, ClientContext
from scrubjay.config.json5.json5_parser import Json5Error, parse_json5
from scrubjay.platform.paths import portable_home
from scrubjay.platform.program_search import find_program

_Read = Callable[[Path], str | None]
"""Function that reads a file, and returns None for no file."""
_GEMINI_FILES = ("gemini-extension.json", ".gemini-extension-install.json")
"""Files in the folder of an extension; a linked one has the second file only."""
_MOST_EXTENSIONS = 200
"""Extensions of Claude Desktop that are looked at."""


class BundledPart:
    """A part that an installed bundle has, so the files of the agent must not have it as well."""

    def __init__(self, edit: PartEdit) -> None:
        self.part = edit.part
        self.file = edit.file
        self._edit = edit

    def applied(self, text: str | None) -> str | None:
        """The file without the part."""
        return self._edit.removed(text)

    def removed(self, text: str | None) -> str | None:
        """The file without the part."""
        return self._edit.removed(text)


def bundle_home() -> Path | None:
    """The folder of the settings that a bundle uses; None for that of the user."""
    # A bundle names none, so that only a portable copy on PATH has a folder of its own.
    program = find_program("scrubjay")
    if program is None:
        return None
    return portable_home(Path(program))


def extension_folders(client: str, at: ClientContext) -> Sequence[Path]:
    """The folders in which ours may be among a client's extensions."""
    if client == "gemini-cli":
        return (at.home / ".gemini" / "extensions" / SERVER,)
    if client != "claude-desktop":
        return ()
    # Claude Desktop makes up the names of its folders.
    try:
        folder = CLIENTS[client].file(at).parent / "Claude Extensions"
        return sorted(folder.iterdir())[:_MOST_EXTENSIONS]
    except OSError:
        return ()


def has_bundle(client: str, at: ClientContext, read: _Read, folders: Sequence[Path]) -> bool:
    """Whether a bundle of ours is installed in a client, and switched on.

    Folders are those of its extensions. Raises ConnectFailed or DriveSilent.
    """
    if client == "claude-code":
        return _is_in_claude_code(_mapping(read(HOOK_SETS[client].file(at))))
    if client == "gemini-cli":
        return any(_is_in_gemini(folder, at.home, read) for folder in folders)
    return any(_is_in_claude_desktop(folder, read) for folder in folders)


def _is_in_claude_code(settings: dict[str, Any]) -> bool:
    # Plugins are named with their marketplace, such as `scrubjay@scrubjay`, and true if on.
    match settings.get("enabledPlugins"):
        case dict(plugins):
            return any(
                str(name).partition("@")[0] == SERVER and plugins[name] is True for name in plugins
            )
    return False


def _is_in_gemini(folder: Path, home: Path, read: _Read) -> bool:
    if all(read(folder / name) is None for name in _GEMINI_FILES):
        return False
    # The last rule that matches the home decides; rules that exclude begin with "!".
    is_on = True
    path = f"/{home.as_posix().strip('/')}/"
    enablement = _mapping(read(folder.parent / "extension-enablement.json"))
    match enablement.get(SERVER):
        case {"overrides": list(rules)}:
            for rule in map(str, rules):
                if _gemini_rule(rule.removeprefix("!")).fullmatch(path):
                    is_on = not rule.startswith("!")
    return is_on


def _gemini_rule(glob: str) -> re.Pattern[str]:
    """The folders that a rule of Gemini CLI is about, each with a slash at both ends."""
    # A star stands for the folder before it as well as for all that is below.
    pieces = re.split(r"(/?\*+)", glob)
    return re.compile("".join(_gemini_piece(piece) for piece in pieces), re.DOTALL)


def _gemini_piece(piece: str) -> str:
    if not piece.endswith("*"):
        return re.escape(piece)
    return f"({piece.rstrip('*')}.*)?"


def _is_in_claude_desktop(folder: Path, read: _Read) -> bool:
    if _mapping(read(folder / "manifest.json")).get("name") != SERVER:
        return False
    settings = folder.parents[1] / "Claude Extensions Settings" / f"{folder.name}.json"
    # Without the file nobody has switched it off.
    return _mapping(read(settings)).get("isEnabled", True) is True


def _mapping(text: str | None) -> dict[str, Any]:
    """The object in a text of JSON; an empty one for anything else."""
    # Other programs write these files, so anything may be in them.
    try:
        value = parse_json5(text or "{}").value
    except (Json5Error, RecursionError):
        return {}
    if isinstance(value, dict):
        return value
    return {}
