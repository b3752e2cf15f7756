"""Changes that agents make to notes: written at once, or proposed and decided by the user."""

from __future__ import annotations

import datetime as dt
import os
import secrets
import time
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.agents.edits.edit_queue import EditQueue, EditState, forget_way_back
from scrubjay.agents.edits.edit_records import (
    EditConflict,
    EditRequest,
    ProposedEdit,
    ReviewedEdit,
    WayBack,
    WrittenEdit,
)
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.errors import NoteRefused, NotWritable, QueryError, ScrubjayError
from scrubjay.event_bus import EventBus
from scrubjay.events import EditsChanged
from scrubjay.messages import msg
from scrubjay.notes.daily_note import (
    AppendedEntry,
    append_to_daily_note,
    clean_entry,
    daily_entry,
    daily_note_path,
    undo_append,
)
from scrubjay.notes.note_edits import (
    NoteEdit,
    change_note,
    read_for_edit,
    undo_change,
    write_on_drive,
)
from scrubjay.notes.note_pages import note_label, note_to_write
from scrubjay.notes.note_reader import NoteUnreadable, check_note_text, note_digest
from scrubjay.notes.scan import MAX_BYTES, path_exists
from scrubjay.notes.text_edits import EditKind
from scrubjay.platform.file_names import DEVICES, is_device_name, is_portable_name
from scrubjay.records.journal_records import LineDiff, LineKind
from scrubjay.records.note_records import Workspace
from scrubjay.text.encodings import detect_codec
from scrubjay.text.line_diff import compare_lines
from scrubjay.text.printable import visible_text
from scrubjay.workspaces.registry import Registry

MAX_WAITING = 100
"""Proposals of one agent that may wait."""
_SETTLED_NS = 2_000_000_000
"""Age of an edit from which on the time of a note tells it from others; FAT counts by 2 s."""
_NO_NAMES = frozenset({"", ".", ".."})
"""Steps of a path that are not names of anything in the folder."""


class _Target(Struct, frozen=True):
    """A note as it was read for a change."""

    file: Path
    before: bytes | None
    """Bytes of the note; None if it does not exist."""
    text: str | None
    """Its text with a byte order mark, if it has one."""
    codec: str


class _Review(Struct, frozen=True):
    """The review of a proposal, and what it was made from."""

    basis: object
    """The proposal, its folder, and the version of its note; None where it has to be read again."""
    edit: ReviewedEdit


class AgentEdits:
    """Writes, keeps for review and undoes changes of agents. For any thread.

    The futures may raise NoteRefused, NotWritable, QueryError, DriveSilent or OSError.
    """

    def __init__(
        self,
        folder: Path,
        jobs: SerialQueue,
        *,
        registry: Registry,
        io_timeouts: IoTimeouts,
        events: EventBus,
    ) -> None:
        """The folder holds the state of these edits, and nothing else."""
        self._queue = EditQueue(folder)
        self._reviews: dict[str, _Review] = {}
        # Notes are changed one after the other, whoever changes them.
        self._jobs = jobs
        self._registry = registry
        self._io_timeouts = io_timeouts
        self._events = events

    @queued
    def write(self, request: EditRequest) -> WrittenEdit:
        """Change a note at once. Raises EditConflict where it is not as the agent read it."""
        proposed = self._proposed(request)
        with self._queue.changed() as state:
            written = self._written(proposed, request.expected)
            state.written[written.id] = written
        self._events.publish(EditsChanged())
        return written

    @queued
    def propose(self, request: EditRequest) -> ProposedEdit:
        """Keep a change for review. Raises as `write` where it would not fit the note now."""
        proposed = self._proposed(request)
        if not proposed.is_daily:
            target = self._target(proposed)
            _check_expected(proposed, target, request.expected)
            self._after(proposed, target)
        with self._queue.changed() as state:
            own = [each for each in state.waiting.values() if each.agent == request.agent]
            # The same change again is the one that waits already.
            for each in own:
                if (each.workspace, each.path, each.edit) == (
                    proposed.workspace,
                    proposed.path,
                    proposed.edit,
                ):
                    return each
            if len(own) >= MAX_WAITING:
                raise QueryError(
                    msg("{n} proposed changes are already waiting for the user", n=len(own)),
                    hint="Ask the user to review them in Scrubjay, on the Agents page.",
                )
            state.waiting[proposed.id] = proposed
        self._events.publish(EditsChanged())
        return proposed

    @queued
    def waiting(self) -> tuple[ReviewedEdit, ...]:
        """All proposals with what they would change in the notes as they are now, oldest first.

        A note is read again only if it or its folder has changed, since every call of an agent asks
        for the proposals.
        """
        reviews: dict[str, _Review] = {}
        for proposed in self._queue.state().waiting.values():
            # Only changed notes are read, and reviews of decided proposals are dropped.
            review = self._reviews.get(proposed.id)
            basis = self._basis(proposed)
            if review is None or basis is None or review.basis != basis:
                review = _Review(basis, self._reviewed(proposed))
            # Why a note could not be read may have passed before the note changes.
            if review.edit.reason:
                review = replace(review, basis=None)
            reviews[proposed.id] = review
        self._reviews = reviews
        return tuple(review.edit for review in reviews.values())

    @queued
    def accept(self, proposal_id: str, text: str = "") -> WrittenEdit:
        """Write a proposal, with another text if one is given."""
        # It leaves the queue only once it is in the note.
        with self._queue.changed() as state:
            proposed = _taken(state, proposal_id)
            if text:
                proposed = replace(proposed, edit=replace(proposed.edit, text=text))
            try:
                written = self._written(proposed)
            except NoteRefused as error:
                raise _without_hint(error) from error
            state.written[written.id] = written
        self._events.publish(EditsChanged())
        return written

    @queued
    def refuse(self, proposal_id: str) -> ProposedEdit:
        """Drop a proposal."""
        with self._queue.changed() as state:
            proposed = _taken(state, proposal_id)
        self._events.publish(EditsChanged())
        return proposed

    @queued
    def written(self) -> tuple[WrittenEdit, ...]:
        """The changes of the last two weeks that can be undone, latest first."""
        return tuple(reversed(self._queue.state().written.values()))

    @queued
    def undo(self, edit_id: str) -> WrittenEdit:
        """Undo a change of the last two weeks.

        The future raises NoteRefused if the note was changed since.
        """
        written = self._queue.state().written.get(edit_id)
        if written is None:
            raise QueryError(
                "This change is no longer in the list",
                "It was already undone, or it is more than two weeks old.",
            )
        # Undone as it was written: an entry is taken out, a whole note is put back.
        self._io_timeouts.ask(written.way_back.file.parent, lambda: _undo(written))
        with self._queue.changed() as state:
            state.written.pop(edit_id, None)
        self._events.publish(EditsChanged())
        return written

    def drop(self, workspace: Workspace) -> None:
        """Drop the proposals and changes of a removed workspace. May raise OSError."""
        # Nothing of them could be written or undone any longer.
        with self._queue.changed() as state:
            for key in [k for k, each in state.waiting.items() if each.workspace == workspace.id]:
                del state.waiting[key]
            for key in [k for k, each in state.written.items() if each.workspace == workspace.id]:
                forget_way_back(state.written.pop(key).way_back)

    # -- on the thread ------------------------------------------------------------------------

    def _proposed(self, request: EditRequest) -> ProposedEdit:
        """The change with its note. Raises NoteRefused for a path that is not written to."""
        workspace = self._registry.writable(request.note).record
        # Around midnight, the day of a daily note is that of the request.
        now = dt.datetime.now().astimezone()
        # Only an addition can do without a note.
        is_daily = not request.note.path
        if is_daily and (request.edit.kind is not EditKind.APPEND or request.edit.heading):
            raise QueryError("Specify the note to change", hint="Pass the path argument.")
        path = note_label(workspace.root, (), request.note.path)
        if is_daily:
            clean_entry(request.edit.text)
            path = self._io_timeouts.ask(
                workspace.root,
                lambda: daily_note_path(workspace.root, now.date(), workspace.layout),
            )
            # The settings of another program may name a folder that is excluded.
            note_to_write(workspace, path)
        return ProposedEdit(
            id=secrets.token_hex(4),
            agent=request.agent,
            workspace=workspace.id,
            path=path,
            edit=request.edit,
            at=now,
            is_daily=is_daily,
        )

    def _target(self, proposed: ProposedEdit) -> _Target:
        """The note of a change as it is now. Raises DriveSilent where its drive hangs."""
        workspace = self._registry.writable(proposed.note).record
        return self._io_timeouts.ask(workspace.root, lambda: _read_target(workspace, proposed))

    def _basis(self, proposed: ProposedEdit) -> object:
        """What the review of a proposal depends on; None where it cannot be told."""
        # Looking at a file takes a thousandth of the time of reading and comparing it.
        try:
            workspace = self._registry.writable(proposed.note).record
            version = self._io_timeouts.ask(
                workspace.root, lambda: _settled_version(note_to_write(workspace, proposed.path))
            )
        except (ScrubjayError, OSError):
            return None
        if version is None:
            return None
        return proposed, workspace, version

    def _after(self, proposed: ProposedEdit, target: _Target) -> bytes:
        """The bytes of a note after a change.

        Raises NoteRefused where it does not fit, or NotWritable for characters that the note's
        encoding does not have.
        """
        # A note keeps the encoding that it has.
        text = proposed.edit.applied(target.text, proposed.path)
        try:
            return text.encode(target.codec)
        except UnicodeEncodeError as error:
            raise NotWritable(
                msg(
                    "{file} cannot store the character {letter}",
                    file=proposed.path,
                    letter=text[error.start],
                ),
                msg(
                    "An older program saved the file in the text format {codec}. "
                    "Nothing was written.",
                    codec=target.codec,
                ),
                hint="Save the file in a newer text editor, then try again.",
            ) from error

    def _reviewed(self, proposed: ProposedEdit) -> ReviewedEdit:
        """A proposal with its difference to the note, or why it does not fit."""
        # The change is tried on the note as it is now, as accepting it would do.
        reason = ""
        try:
            target = self._target(proposed)
            before = target.text or ""
            if proposed.is_daily:
                after = before + daily_entry(proposed.edit.text, proposed.at.date(), before)
            else:
                after = self._after(proposed, target).decode(target.codec)
        except NoteRefused as error:
            reason = str(_without_hint(error))
        except (ScrubjayError, OSError) as error:
            reason = str(error)
        # A person may want to write a text that no longer fits by hand.
        if reason:
            before = proposed.edit.passage
            after = proposed.edit.text
        difference = _difference(before.removeprefix("\ufeff"), after.removeprefix("\ufeff"))
        # Signs that hide or turn text would show something else than what is written.
        lines = tuple(replace(line, text=visible_text(line.text)) for line in difference.lines)
        return ReviewedEdit(proposed, lines, reason=reason, is_cut=difference.is_cut)

    def _written(self, proposed: ProposedEdit, expected: str | None = None) -> WrittenEdit:
        """A change once it is in the note, with the way back.

        Expected is the digest of the note that the agent has read; None if a person decided.
        """
        workspace = self._registry.writable(proposed.note).record
        return write_on_drive(
            self._io_timeouts,
            workspace.root,
            lambda: self._write_now(workspace, proposed, expected),
        )

    def _write_now(
        self, workspace: Workspace, proposed: ProposedEdit, expected: str | None
    ) -> WrittenEdit:
        way_back: WayBack
        # Today's note is appended to and never replaced, since people write in it all day.
        if proposed.is_daily:
            entry = append_to_daily_note(workspace, proposed.edit.text, now=proposed.at)
            way_back = entry
            path = entry.path
            first_line = entry.first_line
            last_line = entry.last_line
            after = read_for_edit(entry.file, path) or b""
        else:
            # Any other change replaces the note, if it still reads as it was read for it.
            target = _read_target(workspace, proposed)
            if expected is not None:
                _check_expected(proposed, target, expected)
            after = self._after(proposed, target)
            path = proposed.path
            way_back = change_note(
                target.file,
                path,
                before=target.before,
                after=after,
                backups=self._queue.backups,
                what=str(proposed.edit.kind),
            )
            first_line, last_line = _changed_lines(target.text or "", after.decode(target.codec))
        return WrittenEdit(
            id=proposed.id,
            agent=proposed.agent,
            workspace=proposed.workspace,
            path=path,
            at=dt.datetime.now().astimezone(),
            way_back=way_back,
            first_line=first_line,
            last_line=last_line,
            digest=note_digest(after),
        )


def _check_expected(proposed: ProposedEdit, target: _Target, expected: str) -> None:
    """Raise EditConflict for a note that is not as the agent read it."""
    if proposed.edit.kind in (EditKind.REPLACE, EditKind.SET) and not expected:
        raise QueryError(
            "Read the note before you change it",
            hint="Call memory_get, then pass the hash from its answer as ifHash.",
        )
    # What another program saved meanwhile goes to the agent, which then knows it.
    digest = note_digest(target.before or b"")
    if expected and digest != expected:
        raise EditConflict(
            msg("{name} has changed since you read it", name=proposed.path),
            text=(target.text or "").removeprefix("\ufeff"),
            digest=digest,
        )


def _settled_version(file: Path) -> object:
    """A value that changes with each edit of a note; None if it is missing or was just edited."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    # Two edits within one tick of a drive's clock give a note the same time.
    if time.time_ns() - status.st_mtime_ns <= _SETTLED_NS:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _without_hint(error: NoteRefused) -> NoteRefused:
    """The error as a person is told of it, since its hint is for the agent."""
    return NoteRefused(error.title, error.message)


def _undo(written: WrittenEdit) -> None:
    """Undo a change. Raises NoteRefused if the note was changed since."""
    match written.way_back:
        case NoteEdit():
            undo_change(written.way_back)
        case AppendedEntry() as entry if not undo_append(entry):
            raise NoteRefused(
                msg("{file} has changed since Scrubjay wrote to it", file=written.path),
                "The added text has since been changed or removed.",
                hint="Delete the text yourself if you do not want it.",
            )


def _read_target(workspace: Workspace, proposed: ProposedEdit) -> _Target:
    """The note of a change as it is now. Raises NoteRefused or NotWritable."""
    # Elsewhere names come last, so that they tell nothing about excluded folders. Windows refuses
    # them itself, as devices or parts of other files, and would be given as the reason.
    if os.name == "nt":
        _check_new_names(workspace.root, proposed.path)
    file = note_to_write(workspace, proposed.path)
    if file.exists() and file.stat().st_size > MAX_BYTES:
        raise NoteRefused(
            msg("{name} cannot be changed", name=proposed.path), "The file is too large."
        )
    before = read_for_edit(file, proposed.path)
    if before is None:
        _check_new_names(workspace.root, proposed.path)
        return _Target(file, None, text=None, codec="utf-8")
    codec = detect_codec(before)
    try:
        text = check_note_text(before.decode(codec))
        return _Target(file, before, text=text, codec=codec)
    except (UnicodeDecodeError, NoteUnreadable) as error:
        raise NoteRefused(
            msg("{name} cannot be changed", name=proposed.path),
            "The file is not a plain-text note.",
        ) from error


def _check_new_names(root: Path, path: str) -> None:
    """Raise NoteRefused for a new file or folder that not every system can have."""
    names = path.split("/")
    # What leads elsewhere is refused as such.
    if "\\" in path or Path(path).is_absolute() or not _NO_NAMES.isdisjoint(names):
        return
    for depth, name in enumerate(names):
        if is_portable_name(name) or _is_there(root.joinpath(*names[:depth]), name):
            continue
        hint = msg(
            "Choose a name without line breaks and {signs}, and without a space or dot at an end.",
            signs='< > : " \\ | ? *',
        )
        if is_device_name(name):
            hint = msg(
                "Choose a name that is not one of those that Windows uses for devices, with or "
                "without an extension: {names}.",
                names=DEVICES,
            )
        raise NoteRefused(
            msg("{name} cannot be changed", name=path),
            msg("Some systems cannot store a file or folder named {name}.", name=repr(name)),
            hint=hint,
        )


def _is_there(folder: Path, name: str) -> bool:
    """Whether a folder has a file or folder of a name."""
    if os.name != "nt":
        return path_exists(folder / name)
    # Windows says of devices that they are in every folder, and finds `a:b` as a part of `a`.
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return False
    return os.path.normcase(name) in map(os.path.normcase, names)


def _taken(state: EditState, proposal_id: str) -> ProposedEdit:
    """A proposal that leaves the queue. Raises QueryError."""
    proposed = state.waiting.pop(proposal_id, None)
    if proposed is None:
        raise QueryError(
            "This change is no longer in the list", "It was already accepted or discarded."
        )
    return proposed


def _difference(before: str, after: str) -> LineDiff:
    """The lines that differ, whatever ends them."""
    return compare_lines(before.replace("\r\n", "\n"), after.replace("\r\n", "\n"))


def _changed_lines(before: str, after: str) -> tuple[int, int]:
    """The first and last line that a change added; where it only removed some, those around it."""
    # A change that only removes lines is shown by what stands around it.
    lines = _difference(before, after).lines
    added = [line.number for line in lines if line.kind is LineKind.ADDED]
    if added:
        return min(added), max(added)
    near = next((line.number for line in lines if line.kind is LineKind.SAME), 1)
    return near, near
