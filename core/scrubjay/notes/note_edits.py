"""Changes to notes that the user requested: atomic, with a copy, and with an undo."""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import hashlib
import re
import secrets
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import DriveSilent, NoteRefused, NotWritable, ScrubjayError, system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import NEW_MODE, held_note, is_link, read_bytes, remove_folders
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_file
from scrubjay.platform.atomic_write import when_released, write_atomically
from scrubjay.platform.paths import make_private_folder
from scrubjay.platform.state_file import StateFile
from scrubjay.text.encodings import detect_codec

T = TypeVar("T")

EDITED = (".md", ".markdown", ".txt")
"""Endings of the names of notes that are changed where the user asks for it."""

LINE_END = re.compile(r"\r\n|\r|\n")
"""Line ends of all systems, as editors count lines."""
_TASK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)+\[([ xX])\](?=\s|$)")
"""Beginning of a task in a list, up to its box."""


class NoteEdit(Struct, frozen=True, tag=True):
    """A change to one note, and how to undo it."""

    file: Path
    backup: Path
    """Copy of the note before the change; an empty one of a note that the change made."""
    sha256: bytes
    """Digest of the note after the change."""
    what: str = ""
    """Description of the change, for people."""
    is_new: bool = False
    """Whether the change made the file."""
    label: str = ""
    """Label of the note inside its workspace; empty for a change of an earlier version."""
    new_folders: int = 0
    """Number of folders that were made for the file."""


def write_on_drive(io_timeouts: IoTimeouts, path: Path, write: Callable[[], T]) -> T:
    """The result of writing to a note, or into a folder around it.

    Raises NotWritable if the drive does not answer, and as the writing itself.
    """
    # A drive that does not answer may write later, so a person has to look.
    try:
        return io_timeouts.ask(path, write)
    except DriveSilent as error:
        raise NotWritable(
            error.title,
            error.message,
            hint="Connect the drive, and check whether the text was saved before you try again.",
        ) from error


def change_note(
    file: Path, label: str, before: bytes | None, after: bytes, backups: Path, what: str = ""
) -> NoteEdit:
    """Replace a note that still reads as before; its former state is kept in the backups folder.

    Before is None for a note that does not exist, which is made with its folders. Raises
    NoteRefused when another program has changed or made it, or when it cannot be written.
    """
    moment = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    backup = backups / f"{moment}-{secrets.token_hex(3)}-{file.name[-40:]}"
    edit = NoteEdit(file, backup, sha256=hashlib.sha256(after).digest(), what=what, label=label)
    if before is not None:
        _check_unchanged(file, label, hashlib.sha256(before).digest())
    try:
        make_private_folder(backup.parent)
        # The copy is complete before the note is touched.
        write_atomically(backup, before or b"", mode=0o600)
        if before is None:
            return replace(edit, is_new=True, new_folders=_created(file, label, after))
        former = hashlib.sha256(before).digest()
        check = partial(_check_unchanged, file, label, sha256=former)
        _replace(file, label, data=after, check=check, former=former)
    except (OSError, NoteRefused) as error:
        # Nobody would ever delete the copy for a change that was not made.
        with contextlib.suppress(OSError):
            backup.unlink()
        if isinstance(error, NoteRefused):
            raise
        raise _refused(file, error) from error
    return edit


def undo_change(edit: NoteEdit) -> None:
    """Put a note back, or remove one that was made, and delete the copy.

    Raises NoteRefused when it was changed since.
    """
    # Of a note that the change made, there is no earlier version.
    hint = msg("Check the note, then try again.")
    if not edit.is_new:
        hint = msg("The earlier version of the note is saved in {file}.", file=edit.backup)
    check = partial(_check_unchanged, edit.file, edit.label, sha256=edit.sha256, hint=hint)
    check()
    try:
        data = when_released(edit.backup.read_bytes, edit.backup)
        _replace(edit.file, edit.label, data=data, check=check, former=edit.sha256)
        # A note that the change made goes again, unless there is something in it.
        if edit.is_new and not read_bytes(edit.file, edit.label):
            with held_note(edit.file, edit.label) as note:
                note.unlink()
            remove_folders(edit.file, edit.label, edit.new_folders)
    except OSError as error:
        raise _refused(edit.file, error) from error
    with contextlib.suppress(OSError):  # an old copy does no harm
        edit.backup.unlink()


def _created(file: Path, label: str, data: bytes) -> int:
    """The number of folders that were made for a new note with some bytes. May raise OSError."""
    new_folders = sum(not step.exists() for step in file.parents[: label.count("/")])
    try:
        with held_note(file, label, make_folders=True) as note:
            note.create([data], NEW_MODE)
    except FileExistsError as error:
        raise NoteRefused(
            msg("Another program has just created {name}", name=file.name),
            "Nothing was written to the note.",
            hint="Try again.",
        ) from error
    return new_folders


def _replace(
    file: Path, label: str, data: bytes, check: Callable[[], object], former: bytes
) -> None:
    """Replace a note under its mode, with a check at the last moment."""
    with held_note(file, label) as note:
        mode = stat.S_IMODE(note.status().st_mode)
        note.replace(data, mode, check=check, former=former)


def _check_unchanged(
    file: Path, label: str, sha256: bytes, hint: str = msg("Check the note, then try again.")
) -> None:
    """Raise NoteRefused with a hint for a note that no longer reads as its digest says."""
    # A note that is gone or unreadable is another one than before, too.
    try:
        is_same = read_file(file, label).sha256 == sha256
    except (FileNotFoundError, NoteUnreadable) as error:
        reason = str(error)
        if isinstance(error, FileNotFoundError):
            reason = msg("The file no longer exists.")
        raise NoteRefused(
            msg("{name} cannot be changed", name=file.name), reason, hint=hint
        ) from error
    # Another program has saved it, and what it wrote must stay.
    if not is_same:
        raise NoteRefused(
            msg("{file} has changed since Scrubjay read it", file=file.name),
            "Nothing was written to the note.",
            hint=hint,
        )


def _refused(file: Path, error: OSError) -> NoteRefused:
    """The error for a note that the system did not let us write."""
    hint = msg("The note is unchanged. Check that the folder is writable and the disk is not full.")
    if error.errno == errno.EBUSY:
        hint = msg("The note is unchanged. Close it in the other program, then try again.")
    return NoteRefused(
        msg("Scrubjay cannot write to {file}", file=file.name),
        msg("{reason}.", reason=system_reason(error)),
        hint=hint,
    )


class NothingToUndo(ScrubjayError):
    """There is no change to undo."""


class UndoableEdits:
    """Replaces notes atomically, and keeps the previous content of the last one."""

    def __init__(self, folder: Path) -> None:
        """The folder holds the state of these edits and nothing else."""
        self._last = StateFile(folder / "last-edit.json")
        self._backups = folder / "before"

    def replace(
        self, file: Path, label: str, before: bytes | None, after: bytes, what: str
    ) -> NoteEdit:
        """Put other content into a note that holds before (None: it does not exist).

        Raises NoteRefused when it holds something else by now, NotWritable when it must not or
        cannot be written.
        """
        read_for_edit(file, label)  # refuses files that are not written to
        try:
            with self._last.changed() as state:
                edit = change_note(
                    file, label, before=before, after=after, backups=self._backups, what=what
                )
                # Only the last change can be undone, so the copy before it can go.
                former = _last_edit(state)
                if former:
                    with contextlib.suppress(OSError):  # an old copy does no harm
                        former.backup.unlink()
                # The way back is stored together with the change.
                state.clear()
                state.update(
                    file=str(edit.file),
                    label=label,
                    backup=str(edit.backup),
                    sha256=edit.sha256.hex(),
                    what=what,
                    wasThere=before is not None,
                    newFolders=edit.new_folders,
                )
        except OSError as error:
            raise _not_writable(file, error) from error
        return edit

    def last(self) -> NoteEdit | None:
        """The change that undo would take back; None if there is none."""
        return _last_edit(self._last.read())

    def undo(self, edit: NoteEdit | None = None) -> NoteEdit:
        """Put the note of the last change back, or of one that is refused unless it is the last.

        Raises NothingToUndo, NotWritable, NoteRefused when saved since.
        """
        last = self.last()
        if last is None or (edit is not None and edit.backup != last.backup):
            raise NothingToUndo(
                "There is nothing to undo", "There are no earlier changes left to undo."
            )
        read_for_edit(last.file, last.label)
        try:
            with self._last.changed() as state:
                undo_change(last)
                state.clear()
        except OSError as error:
            raise _not_writable(last.file, error) from error
        return last


def read_for_edit(file: Path, label: str) -> bytes | None:
    """Content of a note; None if it is not there. Raises NotWritable where writing is refused.

    Links are not followed, and read-only files stay so, also for administrators.
    """
    # The file and its folder, since either may be a link or read-only.
    try:
        for path in (file, file.parent):
            if is_link(path):
                raise NotWritable(
                    msg("{file} is only a link to another file", file=path.name),
                    "Scrubjay does not follow links to files or folders.",
                )
            # Administrators could write there all the same, so the mode decides.
            if path.exists() and not path.stat().st_mode & 0o222:
                raise NotWritable(
                    "Scrubjay is not allowed to write to this folder",
                    msg("Scrubjay cannot write to {file}.", file=path),
                    hint="Allow writing to the folder, then try again.",
                )
        return read_bytes(file, label)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _not_writable(file, error) from error


def toggle_task_in_text(text: str, line: int) -> str | None:
    """The text with the task of a 1-based line ticked or opened again; None without a task."""
    # To the beginning of the line, counted from the first letter after a byte order mark.
    start = len(text) - len(text.removeprefix("\ufeff"))
    for _ in range(line - 1):
        end = LINE_END.search(text, start)
        if end is None:
            return None
        start = end.end()
    # The box is one letter, and everything around it stays as it is.
    task = _TASK.match(text, start)
    if task is None or line < 1:
        return None
    box = "x" if task[1] == " " else " "
    return text[: task.start(1)] + box + text[task.end(1) :]


def toggle_task(edits: UndoableEdits, file: Path, label: str, line: int, shown: str) -> NoteEdit:
    """Tick the task of a line, or open it again, in a note that still reads as it was shown.

    The change's description is the line as it is now.

    Raises NoteRefused when it does not, or when there is no task; NotWritable.
    """
    before = read_for_edit(file, label)
    # The line that a person clicked counts only in the text that was shown.
    try:
        if before is None or decode_note(before) != shown:
            raise NoteRefused(
                msg("{file} has changed since Scrubjay read it", file=label),
                "Nothing was written to the note.",
                hint="Try again.",
            )
    except NoteUnreadable as error:
        raise NoteRefused(msg("{name} cannot be changed", name=label), str(error)) from error
    codec = detect_codec(before)
    after = toggle_task_in_text(before.decode(codec), line)
    if after is None:
        raise NoteRefused(
            msg("There is no task on line {line} of {file}", line=line, file=label),
            "Nothing was written to the note.",
        )
    what = LINE_END.split(after)[line - 1].strip()
    return edits.replace(file, label, before=before, after=after.encode(codec), what=what)


def _last_edit(state: dict[str, object]) -> NoteEdit | None:
    """The change that a state file describes; None for one without a change, or that is damaged."""
    try:
        return NoteEdit(
            file=Path(str(state["file"])),
            backup=Path(str(state["backup"])),
            sha256=bytes.fromhex(str(state["sha256"])),
            what=str(state["what"]),
            is_new=not state["wasThere"],
            label=str(state.get("label", "")),
            new_folders=int(str(state.get("newFolders", 0))),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _not_writable(file: Path, error: OSError) -> NotWritable:
    reason = system_reason(error)
    return NotWritable(
        msg("Scrubjay cannot write to {file}", file=file), msg("{reason}.", reason=reason)
    )
