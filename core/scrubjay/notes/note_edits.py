"""Changes a note when a person asks for it: atomically, with a copy, and with a way back."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import NoteRefused, system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteUnreadable, read_note
from scrubjay.platform.atomic_write import replace_bytes


@dataclass(frozen=True, slots=True)
class NoteEdit:
    """What was done to one note, and what undoes it."""

    file: Path
    backup: Path
    """Holds the note as it was, byte by byte."""
    sha256: bytes
    """Digest of the note as it was left."""


def change_note(file: Path, before: bytes, after: bytes, backups: Path) -> NoteEdit:
    """Replace a note that still reads as before; the former state is kept in the backups folder.

    Raises NoteRefused when somebody else has changed it meanwhile, or when it cannot be written.
    """
    former = hashlib.sha256(before).digest()
    _check_unchanged(file, former)
    backup = _backup_file(file, backups)
    try:
        backup.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(backup, before, 0o600)
        _replace(file, after, lambda: _check_unchanged(file, former))
    except OSError as error:
        raise _unwritable(file, error) from error
    return NoteEdit(file, backup, hashlib.sha256(after).digest())


def undo_change(edit: NoteEdit) -> None:
    """Put a note back as it was before the change, and delete the copy.

    Raises NoteRefused when it was changed after that; the copy stays then.
    """
    hint = msg("The copy from before is {file}.", file=edit.backup)
    _check_unchanged(edit.file, edit.sha256, hint)
    try:
        former = edit.backup.read_bytes()
        _replace(edit.file, former, lambda: _check_unchanged(edit.file, edit.sha256, hint))
    except OSError as error:
        raise _unwritable(edit.file, error) from error
    with contextlib.suppress(OSError):  # an old copy is no harm
        edit.backup.unlink()


def _check_unchanged(
    file: Path, sha256: bytes, hint: str = msg("Look at it, then try again.")
) -> None:
    try:
        is_same = read_note(file).sha256 == sha256
    except (FileNotFoundError, NoteUnreadable) as error:
        reason = msg("It is gone.") if isinstance(error, FileNotFoundError) else str(error)
        raise NoteRefused(
            msg("{name} cannot be changed", name=file.name), reason, hint=hint
        ) from error
    if not is_same:
        raise NoteRefused(
            msg("{file} was changed meanwhile", file=file.name),
            "Nothing was written to it.",
            hint=hint,
        )


def _replace(file: Path, data: bytes, check: Callable[[], None]) -> None:
    replace_bytes(file, data, stat.S_IMODE(file.stat().st_mode), check)


def _backup_file(file: Path, backups: Path) -> Path:
    moment = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return backups / f"{moment}-{secrets.token_hex(3)}-{file.name[-40:]}"


def _unwritable(file: Path, error: OSError) -> NoteRefused:
    return NoteRefused(
        msg("{file} cannot be written", file=file.name),
        msg("{reason}.", reason=system_reason(error)),
        hint="It is as it was. Check that the folder may be written to and the disk is not full.",
    )
