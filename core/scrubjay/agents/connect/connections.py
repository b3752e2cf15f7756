"""Agents on this computer, and the connection of each."""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from scrubjay.agents.connect.connection_files import ConnectionFiles
from scrubjay.agents.connect.connection_records import (
    AgentConnection,
    ConnectionChange,
    ConnectionPart,
    FileChange,
    PartEdit,
    PartState,
)
from scrubjay.agents.connect.hook_commands import ProgramStart
from scrubjay.agents.connect.hook_sets import HOOK_SETS
from scrubjay.agents.connect.known_agents import CLIENTS, Client, ClientContext, find_client
from scrubjay.agents.connect.part_edits import PartEdits, part_state
from scrubjay.agents.connect.settings_edit import diff_lines, find_entry
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.errors import ConnectFailed, DriveSilent, system_reason
from scrubjay.messages import msg
from scrubjay.platform.installation import temporary_place
from scrubjay.platform.paths import HOME_VARIABLE, Paths, chosen_home, portable_home
from scrubjay.platform.program_search import find_program
from scrubjay.platform.temporary_files import delete_temporary_files
from scrubjay.records.engine_limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import NotesFolder
    from scrubjay.workspaces.registry import Registry

ALL_PARTS = frozenset(ConnectionPart)
"""All parts of a connection; an agent gets those that it can have."""


class Connections:
    """Connects and disconnects agents. For any thread.

    The futures may raise ConnectFailed or DriveSilent.
    """

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        context: ClientContext | None = None,
        registry: Registry | None = None,
    ) -> None:
        """No file is read yet. Without a registry, no memory of agents is looked for."""
        self._registry = registry
        self._at = context or ClientContext(Path.home(), os.environ, sys.platform)
        self._is_windows = self._at.platform == "win32"
        self._no_program = ProgramStart(Path(), is_windows=self._is_windows)
        self._home = chosen_home(self._at.environ) or portable_home()
        self._files = ConnectionFiles(paths.state / "agents" / "connections")
        self._jobs = SerialQueue(pool)
        self._io_timeouts = IoTimeouts(DEFAULT_LIMITS.search_io_seconds)
        self._edits = PartEdits(self._at, self._io_timeouts, home=self._home)

    @queued
    def list(self) -> tuple[AgentConnection, ...]:
        """All known agents, whether they are on this computer or not."""
        return tuple(map(self._look, CLIENTS.values()))

    @queued
    def plan(
        self,
        client_name: str,
        parts: Collection[ConnectionPart] = ALL_PARTS,
        *,
        workspace: Path | None = None,
    ) -> ConnectionChange:
        """The change that connects parts of an agent. QueryError for an unknown name.

        Hooks that write use the workspace at a path, or choose one.
        """
        # Several parts may stand in one file, which is then changed once.
        client = find_client(client_name)
        edits = self._edits.of(client, self._start(), self._workspaces(), chosen=workspace)
        chosen = [edit for edit in edits if edit.part in parts]
        changes = []
        for file, before in self._texts(chosen).items():
            after = before
            for edit in chosen:
                if edit.file == file:
                    after = edit.applied(after)
            changes.append(_file_change(file, before, after))
        return self._change(client, edits, changes=changes, parts=parts, is_undo=False)

    @queued
    def plan_undo(self, client_name: str) -> ConnectionChange:
        """The change that disconnects an agent. QueryError for an unknown name.

        Each file gets its former text if it was not changed since; otherwise our parts are removed.
        """
        # Removing needs no program, which may be gone by now.
        client = find_client(client_name)
        edits = self._edits.of(client, self._no_program, self._workspaces(), chosen=None)
        changes = []
        # The other way round, since settings must not name files that are gone.
        for file, before in reversed(self._texts(edits).items()):
            after = before
            of_file = [edit for edit in edits if edit.file == file]
            for edit in of_file:
                after = edit.removed(after)
            change = FileChange(file, before, after)
            if before is not None:
                after = self._files.former(client.id, change, of_file)
            changes.append(_file_change(file, before, after))
        return self._change(client, edits, changes=changes, parts=ALL_PARTS, is_undo=True)

    @queued
    def apply(self, change: ConnectionChange) -> AgentConnection:
        """Write all of a planned change, unless a file has changed since."""
        for planned in change.files:
            self._io_timeouts.check(planned.file)
        # What was connected is noted even where nothing has to be written.
        try:
            self._files.write(change)
        except OSError as error:
            raise ConnectFailed(
                msg("Scrubjay cannot save the settings for {name}", name=change.name),
                msg(
                    "{file}: {reason}.",
                    file=error.filename or change.files[0].file,
                    reason=system_reason(error),
                ),
            ) from error
        return self._look(find_client(change.client))

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _start(self) -> ProgramStart:
        """How agents start this Scrubjay. Raises ConnectFailed."""
        home = chosen_home(self._at.environ)
        return ProgramStart(scrubjay_program(), home, is_windows=self._is_windows)

    def _workspaces(self) -> Sequence[Path]:
        """The folders that hooks may write to."""
        if self._registry is None:
            return ()
        return [each.root for each in self._registry.readable()]

    def _texts(self, edits: Sequence[PartEdit]) -> dict[Path, str | None]:
        """The texts of the files of edits, each read once."""
        return {file: self._edits.read(file) for file in dict.fromkeys(e.file for e in edits)}

    def _change(
        self,
        client: Client,
        edits: Sequence[PartEdit],
        *,
        changes: Sequence[FileChange],
        parts: Collection[ConnectionPart],
        is_undo: bool,
    ) -> ConnectionChange:
        available = _parts(edits)
        return ConnectionChange(
            client.id,
            client.name,
            parts=tuple(part for part in available if part in parts),
            files=tuple(change for change in changes if change.is_needed),
            available=available,
            lacks=self._edits.lacks(client, edits),
            has_bundle=self._edits.has_bundle(client),
            is_undo=is_undo,
        )

    def _look(self, client: Client) -> AgentConnection:
        unknown = AgentConnection(
            client.id,
            client.name,
            file=client.file(self._at),
            is_found=True,
            is_connected=False,
            after=client.after,
            guide=client.guide,
        )
        try:
            return self._examined(client, unknown)
        except (ConnectFailed, DriveSilent) as error:
            return structs.replace(unknown, problem=str(error))

    def _examined(self, client: Client, unknown: AgentConnection) -> AgentConnection:
        """The connection of a client with what its files say. Raises ConnectFailed."""
        # Of a program that is gone no entry is current.
        start = self._no_program
        with contextlib.suppress(ConnectFailed):
            start = self._start()
        self._edits.read(unknown.file)  # first, since it can say what is wrong with the path
        is_found = self._io_timeouts.ask(unknown.file, lambda: self._is_found(client))
        edits = self._edits.of(client, start, self._workspaces(), chosen=None)
        texts = self._texts(edits)
        for file, text in texts.items():
            self._files.clear_secrets(client.id, file, text or "")
        # What each part says, and what was there when it was connected.
        available = _parts(edits)
        states = {
            part: part_state([edit for edit in edits if edit.part == part], texts)
            for part in available
        }
        # A part that was connected and is no longer current was undone by someone.
        connected = self._files.connected(client.id)
        current = tuple(part for part in available if states[part] is PartState.CURRENT)
        missing = tuple(part for part in available if part not in current)
        lost = tuple(part for part in missing if part in (connected or ()))
        # Our extension has every part, so a part in the files is there twice.
        has_bundle = self._edits.has_bundle(client)
        doubled: tuple[ConnectionPart, ...] = ()
        if has_bundle:
            doubled = missing
            lost = ()
        is_there = any(state is not PartState.MISSING for state in states.values())
        is_outdated = bool(lost) or PartState.OUTDATED in states.values()
        is_recorded = is_there and connected is not None
        entry = find_entry(client, texts[unknown.file])
        memory: tuple[NotesFolder, ...] = ()
        if is_there:
            with contextlib.suppress(DriveSilent):
                memory = self._memory(client)
        return structs.replace(
            unknown,
            is_found=is_found,
            is_connected=bool(current) and not is_outdated,
            is_outdated=is_outdated,
            is_of_this_home=self._leads_here(entry, is_recorded=is_recorded),
            memory=memory,
            available=available,
            current=current,
            has_bundle=has_bundle,
            doubled=doubled,
            lost=lost,
        )

    def _leads_here(self, entry: Any, *, is_recorded: bool) -> bool:
        """Whether an entry, or the connection that is recorded, leads to this profile."""
        # The path of the program does not count: with a former one, it starts Scrubjay or nothing.
        if entry is None:
            return is_recorded
        return _home(entry) == self._home

    def _is_found(self, client: Client) -> bool:
        """Whether a settings file of a client is there, or the folder of one."""
        # Claude Code keeps its hooks in another folder than its servers.
        files = [client.file(self._at)]
        if client.id in HOOK_SETS:
            files.append(HOOK_SETS[client.id].file(self._at))
        for file in files:
            # What a killed process left behind there holds a copy of the settings.
            delete_temporary_files(file.resolve().parent)
        # The home itself always exists, so that it says nothing about the agent.
        return any(
            file.exists() or (file.parent.is_dir() and file.parent != self._at.home)
            for file in files
        )

    def _memory(self, client: Client) -> tuple[NotesFolder, ...]:
        """The folders with the memory of an agent that are not searched."""
        if self._registry is None or not client.notes_app:
            return ()
        # Late: most people have connected no agent, or one without a memory.
        from scrubjay.onboarding.discovery import discover_notes

        found = discover_notes(self._at.home, self._at.environ, only=client.notes_app)
        ours = self._edits.folder_of_our_text(client)
        return tuple(
            each
            for each in found.folders
            if each.root != ours and not self._registry.searches(each.root)
        )


def scrubjay_program() -> Path:
    """The `scrubjay` that belongs to this process. Raises ConnectFailed."""
    name = "scrubjay.exe" if sys.platform == "win32" else "scrubjay"
    # A Python of Windows that is no environment has its commands in a folder of their own.
    commands = Path(sysconfig.get_path("scripts"))
    for folder in (Path(sys.executable).parent, Path(sys.argv[0]).parent, commands):
        # Else it would be looked for in the current folder, which may be anybody's.
        if folder.is_absolute() and (folder / name).is_file():
            return _lasting(folder / name)
    command = find_program("scrubjay")
    if command:
        return Path(command)
    raise ConnectFailed(
        "The scrubjay command was not found",
        "Agents use the scrubjay command to start Scrubjay.",
        hint="Install Scrubjay together with its command-line tool.",
    )


def _lasting(program: Path) -> Path:
    """The program, which agents will start later. Raises ConnectFailed if it will not be there."""
    # Agents keep the path for as long as they are connected.
    reason = temporary_place(program)
    if reason is not None:
        raise ConnectFailed("Agents could not start Scrubjay later", reason)
    return program


def _parts(edits: Sequence[PartEdit]) -> tuple[ConnectionPart, ...]:
    """The parts that edits belong to, in the order of the parts."""
    parts = {edit.part for edit in edits}
    return tuple(part for part in ConnectionPart if part in parts)


def _file_change(file: Path, before: str | None, after: str | None) -> FileChange:
    return FileChange(file, before, after, lines=diff_lines(before or "", after or ""))


def _home(entry: object) -> Path | None:
    """The folder of settings that an entry of ours uses; None for that of the user."""
    # People edit these files, so that anything may stand there.
    match entry:
        case {"env": {"SCRUBJAY_HOME": str(home)}}:
            return chosen_home({HOME_VARIABLE: home})
        # A portable copy has its settings beside its program.
        case {"command": str(command)} if Path(command).is_absolute():
            return portable_home(Path(command))
    return None
