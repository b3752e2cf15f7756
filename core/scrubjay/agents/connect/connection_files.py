"""Files of agents: read within limits, written all or none, with copies and a way back."""

from __future__ import annotations

import contextlib
import datetime as dt
import glob
import hashlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scrubjay.agents.connect.connection_records import (
    ConnectionChange,
    ConnectionPart,
    FileChange,
    PartEdit,
)
from scrubjay.config.removed_secrets import without_removed_secrets
from scrubjay.errors import ConnectFailed, system_reason
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import when_released, write_atomically
from scrubjay.platform.paths import make_private_folder
from scrubjay.platform.state_file import StateFile

_WRITABLE = 0o222
"""Bits of the mode of a file that somebody may write to."""
_PRIVATE = 0o600
"""Mode of settings and their copies, which may hold keys."""
_MAX_BYTES = 32 * 1024 * 1024
"""Bytes of a settings file; agents that keep conversations in it have some megabytes."""


class ConnectionFiles:
    """Writes planned changes, and keeps the former texts and what was connected."""

    def __init__(self, folder: Path) -> None:
        """No file is read yet."""
        self._folder = folder
        self._records = StateFile(folder / "connections.json")

    def connected(self, client: str) -> tuple[ConnectionPart, ...] | None:
        """The parts that were connected from here; None if nothing was."""
        record = self._records.read().get(client)
        if not isinstance(record, dict):
            return None
        return tuple(part for part in ConnectionPart if part.value in _part_names(record))

    def former(self, client: str, change: FileChange, edits: Sequence[PartEdit]) -> str | None:
        """The text from before the connection if nothing was changed since; else without us."""
        # Undoing gives the file back as it was, with comments and order, if nobody touched it.
        record = _file_records(self._records.read().get(client)).get(str(change.file))
        if record is None or record.get("sha256") != _digest(change.before or ""):
            return change.after
        backup = record.get("backup")
        if backup is None:
            # Without a copy there was no file.
            return None
        # A copy from before an update has the entry of ours that was updated.
        try:
            former = read_text(Path(str(backup)))
            if former is None or any(edit.removed(former) != former for edit in edits):
                return change.after
        except ConnectFailed:
            return change.after
        # A copy may hold secrets that the user has removed from the settings in the meantime.
        before = change.before or ""
        if without_removed_secrets(before, former) == before:
            return former
        return change.after

    def write(self, change: ConnectionChange) -> None:
        """Write all files of a change, or none. Raises ConnectFailed or OSError."""
        # Looked at first, so that a change of one file leaves all of them alone.
        for planned in change.files:
            self._check(change, planned)
        # Copies of all files come before the first write, and folders that are new are noted.
        backups = {str(each.file): self._back_up(change, each) for each in change.files}
        made = [folder for each in change.files for folder in _missing_folders(each.file)]
        written: list[FileChange] = []
        try:
            for planned in change.files:
                # Checked again, so that as little time as possible passes before the write.
                self._check(change, planned)
                _write(planned.file, planned.after)
                written.append(planned)
        except BaseException:
            # Half a connection would be neither the old nor the new one.
            for planned in reversed(written):
                with contextlib.suppress(OSError, ConnectFailed):
                    if read_text(planned.file) == planned.after:
                        _write(planned.file, planned.before)
            _remove_folders(made)
            raise
        self._record(change, backups, made)

    def clear_secrets(self, client: str, file: Path, text: str) -> None:
        """Remove secrets that an agent no longer uses from the copies of its settings."""
        # Copies of a linked file have the name of its target.
        name = glob.escape(file.resolve().name)
        for backup in self._folder.glob(f"{client}-[0-9]*-{name}"):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                former = backup.read_bytes().decode("utf-8")
                cleared = without_removed_secrets(former, text)
                if text and cleared != former:
                    write_atomically(backup, cleared.encode(), _PRIVATE)

    def _check(self, change: ConnectionChange, planned: FileChange) -> None:
        """Raise ConnectFailed where a file is no longer as it was shown."""
        if read_text(planned.file) != planned.before:
            raise ConnectFailed(
                msg(
                    "The settings for {name} have changed since Scrubjay read them",
                    name=change.name,
                ),
                "Nothing was written.",
                hint="Review the change again, then confirm it.",
            )
        # The system lets a read-only file be replaced, but somebody made it one.
        if planned.before is not None and not planned.file.stat().st_mode & _WRITABLE:
            raise ConnectFailed(
                msg("{file} is write-protected", file=planned.file),
                "Nothing was written.",
                hint="Allow writing to the file, then try again.",
            )

    def _back_up(self, change: ConnectionChange, planned: FileChange) -> str | None:
        """The path of a copy of a file; None if there is no file."""
        if planned.before is None:
            return None
        make_private_folder(self._folder)
        moment = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S-%f")
        target = planned.file.resolve()
        backup = self._folder / f"{change.client}-{moment}-{target.name}"
        # For its owner only, since such files hold keys.
        write_atomically(backup, target.read_bytes(), _PRIVATE)
        return str(backup)

    def _record(
        self, change: ConnectionChange, backups: dict[str, str | None], made: list[Path]
    ) -> None:
        """Note what was written; the digest tells later whether a file is still that."""
        with self._records.changed() as records:
            former = records.pop(change.client, None)
            if change.is_undo:
                _remove_folders([Path(str(each)) for each in _folders(former)])
                return
            # What was connected before stays in the record, beside what is new.
            files = _file_records(former)
            for planned in change.files:
                key = str(planned.file)
                record = {"sha256": _digest(planned.after or ""), "backup": backups[key]}
                # An update of our entry leads back to the text from before the first one.
                earlier = files.get(key)
                if earlier and earlier.get("sha256") == _digest(planned.before or ""):
                    record["backup"] = earlier.get("backup")
                files[key] = record
            # A part that was connected earlier is still one to watch.
            parts = set(change.parts)
            if isinstance(former, dict):
                parts.update(map(ConnectionPart, _part_names(former)))
            records[change.client] = {
                "parts": [part.value for part in ConnectionPart if part in parts],
                "files": files,
                "folders": sorted({*_folders(former), *map(str, made)}),
            }


def read_text(file: Path) -> str | None:
    """The text of a file; None if it does not exist. Raises ConnectFailed."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
            raise ConnectFailed(
                msg("{file} is not a settings file", file=file), "The file was not changed."
            )
        return when_released(file.read_bytes, file).decode("utf-8")
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


def _write(file: Path, text: str | None) -> None:
    """Replace a file, or delete it for None. A link stays, and its target is replaced."""
    # Links into a collection of settings are kept by writing to what they lead to.
    target = file.resolve()
    if text is None:
        when_released(target.unlink, target)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # A new file may hold keys later, so it belongs to its owner alone.
    mode = _PRIVATE
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
    write_atomically(target, text.encode(), mode)


def _missing_folders(file: Path) -> Iterator[Path]:
    """The folders above a file that do not exist yet."""
    for folder in file.parents:
        if folder.exists():
            return
        yield folder


def _remove_folders(folders: Sequence[Path]) -> None:
    """Remove folders that were made for files of ours, unless there is something in them."""
    # The innermost first, since a folder with another one in it stays.
    for folder in sorted(folders, reverse=True):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _file_records(record: object) -> dict[str, dict[str, Any]]:
    """Records of the files of an agent, by their paths."""
    if not isinstance(record, dict):
        return {}
    # Former versions wrote one file.
    files = record.get("files", {record.get("file"): record})
    if not isinstance(files, dict):
        return {}
    return {key: value for key, value in files.items() if isinstance(value, dict)}


def _part_names(record: dict[str, Any]) -> list[str]:
    """Names of the parts that were connected. Records of former versions have none: it was one."""
    names = record.get("parts", [ConnectionPart.SERVER.value])
    if not isinstance(names, list):
        return []
    return [part.value for part in ConnectionPart if part.value in names]


def _folders(record: object) -> list[str]:
    """Folders that were made for files of an agent."""
    match record:
        case {"folders": list(folders)}:
            return [folder for folder in folders if isinstance(folder, str)]
    return []


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
