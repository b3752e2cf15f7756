"""Agents on this computer, and the connection of each."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import stat
import sys
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from scrubjay.agents.connect.known_agents import CLIENTS, Client, ClientContext, find_client
from scrubjay.agents.connect.settings_edit import (
    ConnectionChange,
    diff_lines,
    edit_settings,
    find_entry,
)
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.removed_secrets import without_removed_secrets
from scrubjay.errors import ConnectFailed, DriveSilent, system_reason
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import write_atomically
from scrubjay.platform.paths import (
    HOME_VARIABLE,
    Paths,
    chosen_home,
    make_private_folder,
    portable_home,
)
from scrubjay.platform.program_search import find_program
from scrubjay.platform.state_file import StateFile
from scrubjay.platform.temporary_files import delete_temporary_files
from scrubjay.records.engine_limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import NotesFolder
    from scrubjay.workspaces.registry import Registry

_PRIVATE = 0o600
"""Mode of settings and their copies, which may hold keys."""
_MAX_BYTES = 32 * 1024 * 1024
"""Bytes of a settings file; agents that keep conversations in it have some megabytes."""


class AgentConnection(Struct, frozen=True):
    """One kind of agent on this computer."""

    client: str
    """Id of the agent, as in the rules."""
    name: str
    file: Path
    is_found: bool
    """Whether its settings file, or the folder of that file, exists."""
    is_connected: bool
    """Whether its settings have our entry as we would write it now."""
    is_outdated: bool = False
    """Whether its settings have our entry, with another program or other notes."""
    is_of_this_home: bool = False
    """Whether our entry in its settings leads to the notes of this profile, and no other."""
    problem: str = ""
    """Reason why its settings cannot be read; empty if they can."""
    after: str = ""
    """Next step of the user once it is connected."""
    guide: str = ""
    """File into which the user may paste the text for it; empty if it reads none."""
    memory: tuple[NotesFolder, ...] = ()
    """Folders with its own memory that are not searched yet; looked for once it is connected."""


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
        self._paths = paths
        self._registry = registry
        self._at = context or ClientContext(Path.home(), os.environ, sys.platform)
        self._home = chosen_home(self._at.environ) or portable_home()
        self._folder = paths.state / "agents" / "connections"
        self._records = StateFile(self._folder / "connections.json")
        self._jobs = SerialQueue(pool)
        self._io_timeouts = IoTimeouts(DEFAULT_LIMITS.search_io_seconds)

    @queued
    def list(self) -> tuple[AgentConnection, ...]:
        """All known agents, whether they are on this computer or not."""
        return tuple(map(self._look, CLIENTS.values()))

    @queued
    def plan(self, client_name: str, *, undo: bool = False) -> ConnectionChange:
        """The change that connects, or disconnects, an agent. QueryError for an unknown name.

        Undo restores the former text if the file was not changed since; otherwise it removes our
        entry.
        """
        client = find_client(client_name)
        file = client.file(self._at)
        before = self._io_timeouts.ask(file, lambda: _text(file))
        entry = None if undo else self._entry(client)
        after = edit_settings(client, before, entry)
        if undo and before is not None:
            after = self._former(client, before, after)
        return ConnectionChange(
            client.id,
            client.name,
            file=file,
            before=before,
            after=after,
            is_undo=undo,
            lines=diff_lines(before or "", after or ""),
        )

    @queued
    def apply(self, change: ConnectionChange) -> AgentConnection:
        """Write a planned change, unless the file has changed since."""
        self._io_timeouts.check(change.file)
        if change.is_needed:
            try:
                self._write(change)
            except OSError as error:
                raise ConnectFailed(
                    msg("Scrubjay cannot save the settings for {name}", name=change.name),
                    msg("{file}: {reason}.", file=change.file, reason=system_reason(error)),
                ) from error
        return self._look(find_client(change.client))

    def close(self) -> None:
        """Finish what is queued."""
        self._jobs.close(seconds=1)

    # -- on the thread ------------------------------------------------------------------------

    def _former(self, client: Client, before: str, without_us: str | None) -> str | None:
        """The text from before the connection if nothing was changed since; else without us."""
        # Undoing gives the file back as it was, with comments and order, if nobody touched it.
        record = self._records.read().get(client.id)
        if not isinstance(record, dict) or record.get("sha256") != _digest(before):
            return without_us
        backup = record.get("backup")
        if backup is None:
            # Without a copy there was no file.
            return None
        # A copy from before an update has the entry of ours that was updated.
        try:
            former = _text(Path(str(backup))) or without_us
            if find_entry(client, former) is not None:
                return without_us
        except ConnectFailed:
            return without_us
        # A copy may hold secrets that the user has removed from the settings in the meantime.
        if former is None or without_removed_secrets(before, former) == before:
            return former
        return without_us

    def _look(self, client: Client) -> AgentConnection:
        file = client.file(self._at)
        entry: Any = None
        is_found = True
        problem = ""

        # The home itself always exists, so that it says nothing about the agent.
        def look() -> tuple[bool, str | None]:
            # First of all, since it can say what is wrong with the path.
            text = _text(file)
            is_there = file.exists() or (file.parent.is_dir() and file.parent != self._at.home)
            # What a killed process left behind there holds a copy of the settings.
            delete_temporary_files(file.resolve().parent)
            return is_there, text

        try:
            is_found, text = self._io_timeouts.ask(file, look)
            entry = find_entry(client, text)
            self._clear_backups(client, text or "")
        except (ConnectFailed, DriveSilent) as error:
            problem = str(error)
        # An entry of a former place of the program still starts it, or nothing any longer.
        is_current = False
        memory: tuple[NotesFolder, ...] = ()
        if entry is not None:
            # Of a program that is gone no entry is current, and a silent drive shows no memory.
            with contextlib.suppress(ConnectFailed):
                is_current = entry == self._entry(client)
            with contextlib.suppress(DriveSilent):
                memory = self._memory(client)
        return AgentConnection(
            client.id,
            client.name,
            file=file,
            is_found=is_found,
            is_connected=is_current,
            is_outdated=entry is not None and not is_current,
            is_of_this_home=entry is not None and _home(entry) == self._home,
            problem=problem,
            after=client.after,
            guide=client.guide,
            memory=memory,
        )

    def _memory(self, client: Client) -> tuple[NotesFolder, ...]:
        """The folders with the memory of an agent that are not searched."""
        if self._registry is None or not client.notes_app:
            return ()
        # Late: most people have connected no agent, or one without a memory.
        from scrubjay.onboarding.discovery import discover_notes

        found = discover_notes(self._at.home, self._at.environ, only=client.notes_app)
        return tuple(each for each in found.folders if not self._registry.searches(each.root))

    def _clear_backups(self, client: Client, text: str) -> None:
        """Remove secrets that an agent no longer uses from the copies of its settings."""
        for backup in self._folder.glob(f"{client.id}-[0-9]*"):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                former = backup.read_bytes().decode("utf-8")
                cleared = without_removed_secrets(former, text)
                if text and cleared != former:
                    write_atomically(backup, cleared.encode(), _PRIVATE)

    def _write(self, change: ConnectionChange) -> None:
        # A link, as in collections of dotfiles, stays; its target is replaced.
        target = change.file.resolve()
        backup: Path | None = None
        if change.before is not None:
            make_private_folder(self._folder)
            moment = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S-%f")
            backup = self._folder / f"{change.client}-{moment}-{target.name}"
            # For its owner only, since such files hold keys.
            write_atomically(backup, target.read_bytes(), _PRIVATE)
        # Checked last, so that as little time as possible passes before the write.
        if _text(target) != change.before:
            raise ConnectFailed(
                msg(
                    "The settings for {name} have changed since Scrubjay read them",
                    name=change.name,
                ),
                "Nothing was written.",
                hint="Review the change again, then confirm it.",
            )
        if change.after is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            mode = _PRIVATE
            if target.exists():
                mode = stat.S_IMODE(target.stat().st_mode)
            write_atomically(target, change.after.encode(), mode)
        # The digest tells later whether the file is still as it was written here.
        with self._records.changed() as records:
            former = records.pop(change.client, None)
            if not change.is_undo and change.after is not None:
                record = {
                    "file": str(target),
                    "sha256": _digest(change.after),
                    "backup": str(backup) if backup else None,
                }
                # An update of our entry leads back to the text from before the first one.
                before = _digest(change.before or "")
                if isinstance(former, dict) and former.get("sha256") == before:
                    record["backup"] = former.get("backup")
                records[change.client] = record

    def _entry(self, client: Client) -> dict[str, Any]:
        """Our entry: the command of the agent, and the folder of the settings."""
        entry = {
            **client.extra,
            "command": str(scrubjay_program()),
            "args": ["mcp", "--as", client.id],
        }
        # Without it, an agent that is started elsewhere would use other notes.
        home = chosen_home(self._at.environ)
        if home:
            entry["env"] = {HOME_VARIABLE: str(home)}
        return entry


def scrubjay_program() -> Path:
    """The `scrubjay` that belongs to this process. Raises ConnectFailed."""
    name = "scrubjay.exe" if sys.platform == "win32" else "scrubjay"
    for beside in (Path(sys.executable), Path(sys.argv[0])):
        # Else it would be looked for in the current folder, which may be anybody's.
        if beside.is_absolute() and beside.with_name(name).is_file():
            return beside.with_name(name)
    command = find_program("scrubjay")
    if command:
        return Path(command)
    raise ConnectFailed(
        "The scrubjay command was not found",
        "Agents use the scrubjay command to start Scrubjay.",
        hint="Install Scrubjay together with its command-line tool.",
    )


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


def _text(file: Path) -> str | None:
    """The text of a file; None if it does not exist. Raises ConnectFailed."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
            raise ConnectFailed(
                msg("{file} is not a settings file", file=file), "The file was not changed."
            )
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ConnectFailed(
            msg("{file} contains characters that Scrubjay cannot read", file=file),
            "The file was not changed.",
        ) from error
    except OSError as error:
        reason = msg("{reason}.", reason=system_reason(error))
        raise ConnectFailed(msg("{file} cannot be read", file=file), reason) from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
