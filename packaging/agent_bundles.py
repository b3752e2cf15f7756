"""Bundles that agents install by themselves: `python packaging/agent_bundles.py [TARGET]`.

A plugin for Claude Code in a marketplace that can be added from a folder, an extension for Gemini
CLI, and an MCP bundle for Claude Desktop. They have the parts that `scrubjay connect` writes, and
start the `scrubjay` that is installed on the computer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import versions
from archives import write_zip
from scrubjay.agents.connect.hook_commands import ProgramStart, hook_entries
from scrubjay.agents.connect.hook_sets import HOOK_SETS, HOOKS_KEY
from scrubjay.agents.connect.known_agents import CLIENTS, GUIDE, SERVER
from scrubjay.agents.connect.part_edits import server_entry

ROOT = Path(__file__).resolve().parents[1]
DESKTOP_SERVER = ROOT / "packaging" / "claude_desktop" / "server.js"
"""Program that looks for Scrubjay, because apps are started without the PATH of a terminal."""
SERVER_FILE = "server/index.js"
"""Its place in the bundle."""

START = ProgramStart(Path("scrubjay"), is_for_any_system=True)
"""The program is found on PATH, since a bundle is the same on every computer but for Windows."""
WINDOWS_PROGRAM = "Programs\\Scrubjay\\scrubjay.exe"
"""Place below LOCALAPPDATA where the installer for Windows puts the program by default.

Windows looks for a name without a folder in the current folder first, so bundles for it have the
path. Both agents put variables into the command of a server, and PowerShell into that of a hook.
"""
WINDOWS_SERVER = ProgramStart(Path("${LOCALAPPDATA}\\" + WINDOWS_PROGRAM))
WINDOWS_HOOK = f'& "$env:LOCALAPPDATA\\{WINDOWS_PROGRAM}"'
AUTHOR = "Scrubjay maintainers"
DESCRIPTION = "Lets your agent recall and search your notes, and save what matters."
SKILL_DESCRIPTION = (
    "Use before answering about earlier work, decisions, dates, people, preferences or to-dos, at "
    "the start of a session, and when something should be remembered: search, read and write the "
    "user's notes with the memory tools."
)
"""Sentence by which Claude Code decides when to read the instructions."""


def main(arguments: list[str]) -> int:
    """Write all bundles into dist or the named folder."""
    target = Path(arguments[0]) if arguments else ROOT / "dist"
    for file in build(target):
        print(file)
    return 0


def build(target: Path) -> list[Path]:
    """Write the bundles into a folder; returns their paths."""
    target.mkdir(parents=True, exist_ok=True)
    version = versions.version()
    bundles = {
        f"scrubjay-{version}-claude-code.zip": below("scrubjay-claude-code", claude_code()),
        f"scrubjay-{version}-claude-desktop.mcpb": claude_desktop(),
        f"scrubjay-{version}-gemini-cli.zip": below("scrubjay-gemini-cli", gemini_cli()),
        f"scrubjay-{version}-claude-code-windows.zip": below(
            "scrubjay-claude-code", claude_code(for_windows=True)
        ),
        f"scrubjay-{version}-gemini-cli-windows.zip": below(
            "scrubjay-gemini-cli", gemini_cli(for_windows=True)
        ),
    }
    for name, files in bundles.items():
        contents = [(path, text.encode()) for path, text in sorted(files.items())]
        write_zip(target / name, contents)
    return [target / name for name in bundles]


def claude_code(*, for_windows: bool = False) -> dict[str, str]:
    """The files of a marketplace with one plugin, by path."""
    # https://code.claude.com/docs/en/plugins-reference and .../plugin-marketplaces
    about = {
        "name": SERVER,
        "version": versions.version(),
        "description": DESCRIPTION,
        "author": {"name": AUTHOR},
        "license": "MIT",
    }
    marketplace = {
        "name": SERVER,
        "owner": {"name": AUTHOR},
        "metadata": {"description": DESCRIPTION},
        "plugins": [{"name": SERVER, "source": f"./{SERVER}", "description": DESCRIPTION}],
    }
    skill = f"---\nname: memory\ndescription: {json.dumps(SKILL_DESCRIPTION)}\n---\n\n{GUIDE}"
    return {
        ".claude-plugin/marketplace.json": as_text(marketplace),
        f"{SERVER}/.claude-plugin/plugin.json": as_text(about),
        f"{SERVER}/.mcp.json": as_text(
            {"mcpServers": servers("claude-code", for_windows=for_windows)}
        ),
        f"{SERVER}/hooks/hooks.json": as_text(
            {HOOKS_KEY: hooks("claude-code", for_windows=for_windows)}
        ),
        f"{SERVER}/skills/memory/SKILL.md": skill,
    }


def gemini_cli(*, for_windows: bool = False) -> dict[str, str]:
    """The files of an extension, by path."""
    # https://geminicli.com/docs/extensions/reference
    about = {
        "name": SERVER,
        "version": versions.version(),
        "description": DESCRIPTION,
        "contextFileName": "GEMINI.md",
        "mcpServers": servers("gemini-cli", for_windows=for_windows),
    }
    return {
        "gemini-extension.json": as_text(about),
        "GEMINI.md": GUIDE,
        "hooks/hooks.json": as_text({HOOKS_KEY: hooks("gemini-cli", for_windows=for_windows)}),
    }


def claude_desktop() -> dict[str, str]:
    """The files of an MCP bundle, by path."""
    # https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
    entry = servers("claude-desktop")[SERVER]
    program = {
        "type": "file",
        "title": "Program",
        "description": "Path to the scrubjay program. Leave empty if it is in the usual place.",
        "required": False,
    }
    manifest = {
        "manifest_version": "0.3",
        "name": SERVER,
        "display_name": "Scrubjay",
        "version": versions.version(),
        "description": DESCRIPTION,
        "author": {"name": AUTHOR},
        "license": "MIT",
        "server": {
            "type": "node",
            "entry_point": SERVER_FILE,
            "mcp_config": {
                "command": "node",
                "args": [f"${{__dirname}}/{SERVER_FILE}", *entry["args"]],
                "env": {"SCRUBJAY_PROGRAM": "${user_config.program}"},
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {"platforms": ["darwin", "win32", "linux"]},
        "user_config": {"program": program},
    }
    return {
        "manifest.json": as_text(manifest),
        SERVER_FILE: DESKTOP_SERVER.read_text(encoding="utf-8"),
    }


def servers(client: str, *, for_windows: bool = False) -> dict[str, Any]:
    """The list of servers of a client, with ours alone."""
    start = WINDOWS_SERVER if for_windows else START
    return {SERVER: server_entry(CLIENTS[client], start)}


def hooks(client: str, *, for_windows: bool = False) -> dict[str, Any]:
    """Our hooks in a client, by event."""
    hook_set = HOOK_SETS[client]
    entries = hook_entries(client, hook_set, start=START)
    if for_windows:
        for listed in entries.values():
            listed[:] = [windows_hook(client, entry) for entry in listed]
    return {event: hook_set.listed(listed) for event, listed in entries.items()}


def windows_hook(client: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A hook that PowerShell runs from the folder of the installer."""
    # Without a shell, Claude Code puts no variable of the person into a command.
    words = [entry["command"], *entry.get("args", [])]
    arguments = " ".join(words).removeprefix(f"{START.program} ")
    changed = {name: value for name, value in entry.items() if name != "args"}
    changed["command"] = f"{WINDOWS_HOOK} {arguments}"
    if client == "claude-code":
        # https://code.claude.com/docs/en/hooks#command-hook-fields
        changed["shell"] = "powershell"
    return changed


def below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files in a folder, so that unpacking does not scatter them."""
    return {f"{folder}/{name}": text for name, text in files.items()}


def as_text(value: object) -> str:
    """JSON as people read it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
