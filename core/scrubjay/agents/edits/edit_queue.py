"""Proposals that wait for a decision, and the changes of the last two weeks, on disk."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from scrubjay.agents.edits.edit_records import ProposedEdit, WayBack, WrittenEdit
from scrubjay.config.loading import file_version
from scrubjay.notes.note_edits import NoteEdit
from scrubjay.platform.state_file import StateFile

KEPT = dt.timedelta(days=14)
"""Time for which a change can be undone."""

R = TypeVar("R", ProposedEdit, WrittenEdit)


class EditState(Struct):
    """The state between two decisions. Change it inside `EditQueue.changed` only."""

    waiting: dict[str, ProposedEdit] = field(default_factory=dict)
    """Proposals by their ids, the oldest first."""
    written: dict[str, WrittenEdit] = field(default_factory=dict)
    """Changes by their ids, the oldest first."""


class EditQueue:
    """The queue on disk, shared by all processes. Methods may raise OSError."""

    def __init__(self, folder: Path) -> None:
        """The folder holds the state and copies of notes, and nothing else."""
        self._file = StateFile(folder / "edits.json", is_large=True)
        self._version: object = None
        self._state = EditState()
        self.backups = folder / "before"

    def state(self) -> EditState:
        """The current state, to be read only; parsed again if its file has changed."""
        # Taken before the file is read, so that a change in between is noticed the next time.
        version = file_version(self._file.path)
        if version is None or version != self._version:
            self._state = _state(self._file.read())
            self._version = version
        return self._state

    @contextlib.contextmanager
    def changed(self) -> Iterator[EditState]:
        """The state, to change it while no other process does."""
        with self._file.changed() as data:
            state = _state(data)
            yield state
            self._drop_old(state)
            data["version"] = 1
            data["waiting"] = _plain(state.waiting)
            data["written"] = _plain(state.written)

    def _drop_old(self, state: EditState) -> None:
        """Forget changes after two weeks, with the copies of their notes."""
        # Whoever changes something also clears up, so that no timer is needed.
        oldest = dt.datetime.now().astimezone() - KEPT
        for key in [key for key, each in state.written.items() if each.at < oldest]:
            forget_way_back(state.written.pop(key).way_back)


def forget_way_back(way_back: WayBack) -> None:
    """Delete the copy of the note, if there is one."""
    if isinstance(way_back, NoteEdit):
        with contextlib.suppress(OSError):  # an old copy does no harm
            way_back.backup.unlink()


def _state(data: Mapping[str, Any]) -> EditState:
    """The state in a file; records that cannot be read are left out."""
    return EditState(
        _records(data.get("waiting"), ProposedEdit), _records(data.get("written"), WrittenEdit)
    )


def _records(listed: object, kind: type[R]) -> dict[str, R]:
    """The records of a list by their ids."""
    # A record that cannot be read costs only itself.
    found: dict[str, R] = {}
    if isinstance(listed, list):
        for fields in listed:
            with contextlib.suppress(msgspec.ValidationError):  # one of another version
                record = msgspec.convert(fields, kind, dec_hook=_as_path)
                found[record.id] = record
    return found


def _as_path(kind: type, value: object) -> Path:
    """A path, the only field that JSON does not know."""
    if kind is not Path:
        raise NotImplementedError
    return Path(str(value))


def _plain(records: Mapping[str, ProposedEdit] | Mapping[str, WrittenEdit]) -> list[Any]:
    """Records as JSON holds them."""
    return [msgspec.to_builtins(record, enc_hook=str) for record in records.values()]
