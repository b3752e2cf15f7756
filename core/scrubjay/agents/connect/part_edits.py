"""The edits that make up the connection of one agent: which files, and which parts in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scrubjay.agents.connect.client_bundles import (
    BundledPart,
    bundle_home,
    extension_folders,
    has_bundle,
)
from scrubjay.agents.connect.connection_files import read_text
from scrubjay.agents.connect.connection_records import ConnectionPart, PartEdit, PartState
from scrubjay.agents.connect.hook_commands import HookCommands, ProgramStart, chosen_workspace
from scrubjay.agents.connect.hook_sets import HOOK_SETS
from scrubjay.agents.connect.instruction_block import InstructionBlock
from scrubjay.agents.connect.known_agents import Client, ClientContext, openclaw_folder
from scrubjay.agents.connect.openclaw_plugin import (
    CODE_FILE,
    FOLDER,
    PluginEntry,
    PluginFile,
    openclaw_workspace,
    plugin_files,
    plugin_workspace,
)
from scrubjay.agents.connect.settings_edit import ServerEntry, read_json
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.messages import Sentence, fill_template, msg
from scrubjay.platform.paths import HOME_VARIABLE

_NO_HOOKS = msg(
    "Scrubjay cannot add hooks to {name}, so {name} finds notes only when it decides to search."
)
_NO_INSTRUCTIONS = msg("Scrubjay cannot add instructions that apply to all projects in {name}.")
_OWN_FLUSH = msg("{name} itself asks its agent to write notes before it compacts a conversation.")


class PartEdits:
    """Finds the files of an agent, and the edits that connect it."""

    def __init__(self, at: ClientContext, io_timeouts: IoTimeouts, *, home: Path | None) -> None:
        """The home is the folder of the settings; None for that of the user."""
        self._at = at
        self._io_timeouts = io_timeouts
        self._home = home

    def read(self, file: Path) -> str | None:
        """The text of a file; None for no file. Raises ConnectFailed or DriveSilent."""
        return self._io_timeouts.ask(file, lambda: read_text(file))

    def of(
        self, client: Client, start: ProgramStart, workspaces: Sequence[Path], chosen: Path | None
    ) -> tuple[PartEdit, ...]:
        """The edits of a client, in the order in which they are written.

        Hooks write to the workspace that was chosen, else to the one that they have now, else to
        the agent's own or the first of the list. Raises ConnectFailed or DriveSilent.
        """
        edits: list[PartEdit] = []
        # A choice of folder that was made before stays, as long as the folder is listed.
        hooks = HOOK_SETS.get(client.id)
        if hooks:
            file = hooks.file(self._at)
            settings = read_json(client, self.read(file) or "")
            current = chosen_workspace(settings, is_windows=start.is_windows)
            folder = self._workspace(client, workspaces, chosen or _listed(current, workspaces))
            edits.append(HookCommands(client, file, hooks, start=start, folder=folder))
        if client.id == "openclaw":
            code = self.read(openclaw_folder(self._at) / FOLDER / CODE_FILE)
            current = plugin_workspace(code)
            folder = self._workspace(client, workspaces, chosen or _listed(current, workspaces))
            edits += self._plugin(client, start, folder)
        # Settings follow the files that they name, and a program may read them at once.
        edits.append(ServerEntry(client, client.file(self._at), server_entry(client, start)))
        # The text comes last: without the tools it would promise what the agent cannot do.
        instructions = self._instructions(client)
        if instructions:
            edits.append(InstructionBlock(instructions))
        # What an installed extension has would run twice if the files had it as well.
        if self.has_bundle(client):
            return tuple(BundledPart(edit) for edit in edits)
        return tuple(edits)

    def has_bundle(self, client: Client) -> bool:
        """Whether our plugin or extension is on in a client, and leads to this profile."""
        folders = self._io_timeouts.ask(
            client.file(self._at), lambda: extension_folders(client.id, self._at)
        )
        if not has_bundle(client.id, self._at, self.read, folders):
            return False
        # One of other notes connects nothing here, and must not cost our parts of the files.
        return self._home == bundle_home()

    def lacks(self, client: Client, edits: Sequence[PartEdit]) -> tuple[Sentence, ...]:
        """What this kind of agent cannot do, a sentence each."""
        # Hooks of its own kind have their own sentences.
        parts = {edit.part for edit in edits}
        sentences: list[Sentence] = []
        if client.id in HOOK_SETS:
            sentences += HOOK_SETS[client.id].lacks
        elif ConnectionPart.HOOKS in parts:
            sentences.append(_OWN_FLUSH)
        else:
            sentences.append(_NO_HOOKS)
        if ConnectionPart.INSTRUCTIONS not in parts:
            sentences.append(_NO_INSTRUCTIONS)
        return tuple(fill_template(sentence, {"name": client.name}) for sentence in sentences)

    def folder_of_our_text(self, client: Client) -> Path | None:
        """The folder of a client's instructions if only our text is in them; None for others."""
        if client.instructions is None:
            return None
        file = client.instructions(self._at)
        text = self.read(file)
        if text is None or (InstructionBlock(file).removed(text) or "").strip():
            return None
        return file.parent

    def _plugin(self, client: Client, start: ProgramStart, folder: str) -> Iterator[PartEdit]:
        # The files come before the entry that names them.
        plugin = openclaw_folder(self._at) / FOLDER
        for name, text in plugin_files(start, folder).items():
            yield PluginFile(plugin / name, text)
        yield PluginEntry(client, client.file(self._at))

    def _instructions(self, client: Client) -> Path | None:
        """The file with instructions for all projects; None for none."""
        if client.instructions:
            return client.instructions(self._at)
        if client.id != "openclaw":
            return None
        # OpenClaw writes a longer one at its first start, but not over ours.
        settings = read_json(client, self.read(client.file(self._at)) or "")
        file = openclaw_workspace(settings, self._at) / "AGENTS.md"
        if self.read(file) is None:
            return None
        return file

    def _workspace(self, client: Client, listed: Sequence[Path], chosen: Path | None) -> str:
        """The workspace for hooks that write; empty while there is none."""
        if chosen:
            return str(chosen)
        # The memory of the agent itself, in its folder, is the best place for its notes.
        folder = client.file(self._at).parent
        own = [root for root in listed if root.is_relative_to(folder) and folder != self._at.home]
        for root in (*own, *listed):
            return str(root)
        return ""


def server_entry(client: Client, start: ProgramStart) -> dict[str, Any]:
    """The entry for a client's list of servers: the command, and the folder of the settings."""
    entry: dict[str, Any] = {
        **client.extra,
        "command": str(start.program),
        "args": ["mcp", "--as", client.id],
    }
    # Without it, an agent that is started elsewhere would use other notes.
    if start.home:
        entry["env"] = {HOME_VARIABLE: str(start.home)}
    return entry


def part_state(edits: Sequence[PartEdit], texts: dict[Path, str | None]) -> PartState:
    """Whether a part of one or several edits stands in the texts of its files."""
    # Of several files, one that differs is enough to write all of them again.
    states = {_state(edit, texts[edit.file]) for edit in edits}
    if len(states) == 1:
        return states.pop()
    return PartState.OUTDATED


def _state(edit: PartEdit, text: str | None) -> PartState:
    # What is as we would write it counts, also where a person wrote it.
    if edit.applied(text) == text:
        return PartState.CURRENT
    if edit.removed(text) == text:
        return PartState.MISSING
    return PartState.OUTDATED


def _listed(folder: str, listed: Sequence[Path]) -> Path | None:
    """A workspace as a path, if it is on the list."""
    return next((root for root in listed if root == Path(folder)), None)
