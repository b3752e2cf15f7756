"""The parent's end of the child process that reads an export.

The parent opens the files of an export and passes on the bytes that the child requests. Only the
child interprets them, in a sandbox. For the parent, a zip, a picture's name or a note is only
bytes, and it does not trust the child's answers.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any, BinaryIO, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_process import BROKE_DOWN
from scrubjay.errors import system_reason
from scrubjay.messages import Sentence, deserialize_sentence, msg, serialize_sentence
from scrubjay.note_import.export_limits import (
    BYTES_A_SECOND,
    FREE_BYTES,
    MOST_ATTACHMENT,
    MOST_ENTRIES,
    MOST_LETTERS,
    MOST_MADE,
    MOST_MEMORY,
    MOST_NAMES,
    MOST_RATIO,
    NEEDS_MORE_MEMORY,
    STEP_S,
)
from scrubjay.note_import.imported_note import (
    FIELDS,
    PROGRAMS,
    Attachment,
    ExportRefused,
    ImportedNote,
    Obstacle,
)
from scrubjay.notes.note_files import open_note, walk_folders
from scrubjay.platform import pipe_protocol
from scrubjay.platform.child_process import end_worker, kill_after_timeout, start_sandboxed_worker

_WORKER = ("-m", "scrubjay.note_import.export_worker")
_MOST_HEADER = 2**24
"""Bytes of a header: the names of all attachments of a note."""
_MOST_PAYLOAD = 2**26
"""Bytes of a message: 16 million letters of a note."""
_MOST_READ = 2**20
"""Bytes of a file that the child gets at once."""
_IN_MEMORY = 2**20
"""Bytes of a temporary file that need no disk."""
_MOST_SENTENCE = 8 * MOST_LETTERS
"""Letters of a sentence as it is stored, with titles and names in it."""

_Count: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31)]
_Place: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""Number of a byte in a file."""


class _Opened(Struct, frozen=True):
    """The child's answer when it has opened an export."""

    program: str
    skipped: _Count


class _Note(Struct, frozen=True):
    """A note as the child describes it."""

    key: str
    title: str
    folder: tuple[str, ...]
    created: str | None
    modified: str | None
    tags: tuple[str, ...]
    attachments: tuple[tuple[str, str], ...]
    fields: dict[str, str]


class _Call(Struct, frozen=True):
    """A wish of the child while it looks for an answer."""

    call: Literal["read", "make", "add"]
    file: _Count = 0
    """Number of the file in the list of the export, or of one that was made."""
    at: _Place = 0
    size: _Count = 0


class OpenExport:
    """An export that is being read. For one thread."""

    def __init__(self, path: Path, process: _Process, most_bytes: int) -> None:
        """Most bytes are what all notes and attachments may come to."""
        self._path = path
        self._process = process
        self._left = most_bytes
        self.program = ""
        """Name of the program that wrote it."""
        self.skipped = 0
        """Its parts that no reader may open."""
        self.broken_off: Obstacle | None = None
        """Obstacle at which reading ended before the last note; None if it went to the end."""
        self._opened: list[IO[bytes]] = []
        """Attachments of the last note."""
        self._contents: set[bytes] = set()
        """Digests of all attachments: one picture may be in each note of an export."""

    def open(self, request: dict[str, Any]) -> None:
        """Find out what it is. Raises ExportRefused or Cancelled."""
        header, _ = self._process.ask({"ask": "open", **request})
        # What the child says is a stranger's word.
        try:
            opened = msgspec.convert(header, _Opened)
            # Folders are named after the program, so that it is one that we know.
            self.program = PROGRAMS[PROGRAMS.index(opened.program)]
        except ValueError as error:
            raise self._process.broken() from error
        self.skipped = opened.skipped

    @property
    def process_id(self) -> int:
        """Number of the process that reads it."""
        return self._process.process_id

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes in the same order each time. Raises Cancelled.

        Attachments of a note can be opened until the next one is asked for. Where reading fails in
        the middle, the notes before are there, and the last obstacle says so.
        """
        for _ in range(MOST_ENTRIES):
            self.close()
            try:
                header, body = self._process.ask({"ask": "note"})
                note = self._note_of(header, body)
            # The notes before are kept, and the person is told of the end.
            except ExportRefused as error:
                self.broken_off = Obstacle(self._path.name, str(error))
                yield self.broken_off
                return
            if note is None:
                return
            yield note
        too_many = msg("{name} contains too many files", name=self._path.name)
        self.broken_off = Obstacle(self._path.name, too_many)
        yield self.broken_off

    def close(self) -> None:
        """Close the attachments of the last note."""
        for file in self._opened:
            file.close()
        self._opened.clear()

    def _note_of(self, header: dict[str, Any], body: bytes) -> ImportedNote | Obstacle | None:
        """The note or obstacle that the child describes; None after the last one."""
        # An answer that no reader gives ends the child.
        try:
            # An answer holds an obstacle, a note, or neither at the end.
            if "obstacle" in header:
                what, reason = msgspec.convert(header["obstacle"], tuple[str, str])
                return Obstacle(_sentence(what), _sentence(reason))
            if "note" not in header:
                return None
            note = msgspec.convert(header["note"], _Note)
            if not FIELDS.issuperset(note.fields):
                raise ValueError("lines of the front matter that no reader writes")
            imported = self._imported(note, body.decode("utf-8"))
        except ValueError as error:
            raise self._process.broken() from error
        self._spend(len(body) + len(note.key) + len(note.title))
        return imported

    def _imported(self, note: _Note, body: str) -> ImportedNote:
        """The note with all its names cut to what they may have."""
        # They are opened by their number, as long as the note is the last one.
        attachments = (
            Attachment(_short(key), _short(name), self._opener(number))
            for number, (key, name) in enumerate(note.attachments[:MOST_NAMES])
        )
        return ImportedNote(
            key=_short(note.key),
            title=_short(note.title),
            body=body,
            folder=tuple(map(_short, note.folder[:MOST_NAMES])),
            created=_moment(note.created),
            modified=_moment(note.modified),
            tags=tuple(map(_short, note.tags[:MOST_NAMES])),
            attachments=tuple(attachments),
            fields={name: _short(value) for name, value in note.fields.items()},
        )

    def _opener(self, number: int) -> Callable[[], BinaryIO]:
        """The opener of an attachment of the last note."""

        def opened() -> BinaryIO:
            file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
            self._opened.append(cast("IO[bytes]", file))
            content = hashlib.sha256()
            size = 0
            _, part = self._process.ask({"ask": "attachment", "number": number})
            while part:
                size += len(part)
                if size > MOST_ATTACHMENT:
                    raise ExportRefused(msg("The attachment is too large."))
                self._spend(len(part))
                content.update(part)
                file.write(part)
                _, part = self._process.ask({"ask": "part"})
            # Bytes that came before cost nothing, however many notes have the same picture.
            if content.digest() in self._contents:
                self._left += size
            self._contents.add(content.digest())
            file.seek(0)
            return cast("BinaryIO", file)

        return opened

    def _spend(self, size: int) -> None:
        """Raise ExportRefused, and end the process, where all that came is more than it may be."""
        self._left -= size
        if self._left < 0:
            self._process.broken()
            raise ExportRefused(_FAR_MORE, _ATTACK)


@contextlib.contextmanager
def open_export(
    path: Path,
    cancel: CancelToken,
    *,
    has_attachments: bool,
    step_s: float = STEP_S,
    most_memory: int = MOST_MEMORY,
) -> Iterator[OpenExport]:
    """An export, open meanwhile. Raises ExportRefused or Cancelled.

    Without attachments they are counted and cannot be opened.
    """
    try:
        sizes = _sizes(path)
    except OSError as error:
        raise _unreadable(path.name, error) from error
    total = sum(sizes.values())
    with contextlib.ExitStack() as stack:
        most_bytes = FREE_BYTES + MOST_RATIO * total
        files = stack.enter_context(contextlib.closing(_Files(path, [*sizes], most_bytes)))
        # A large export may take longer, since its notes may refer to each other.
        limit_s = step_s + total / BYTES_A_SECOND
        process = _Process(path.name, files, step_s=limit_s, most_memory=most_memory, cancel=cancel)
        stack.callback(process.close)
        export = stack.enter_context(contextlib.closing(OpenExport(path, process, most_bytes)))
        request = {
            "name": path.name,
            "isFolder": path.is_dir(),
            "sizes": [*sizes.items()],
            "hasAttachments": has_attachments,
        }
        export.open(request)
        yield export


class _Files:
    """The files of an export, and those that the child fills. They are read as bytes alone."""

    def __init__(self, path: Path, labels: list[str], most_bytes: int) -> None:
        self._path = path
        self._labels = labels
        self._is_folder = path.is_dir()
        self._left = most_bytes
        """Bytes that may still be written."""
        self._last: tuple[int, BinaryIO] | None = None
        """Number and stream of the file of the export that was read last."""
        self._made: dict[int, IO[bytes]] = {}
        self._next = len(labels)

    def answer(self, call: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """The header and bytes that the child gets for a call.

        Raises OSError, or LookupError or ValueError for a call that makes no sense.
        """
        wish = msgspec.convert(call, _Call)
        match wish.call:
            case "read":
                return {}, self._read(wish.file, wish.at, min(wish.size, _MOST_READ))
            case "make":
                return {"number": self._make()}, b""
            # What is unpacked counts until the child closes it.
            case "add":
                self._left -= len(data)
                if self._left < 0:
                    return {
                        "failed": [serialize_sentence(_FAR_MORE), serialize_sentence(_ATTACK)]
                    }, b""
                made = self._made[wish.file]
                made.seek(0, os.SEEK_END)
                made.write(data)
        return {}, b""

    def forget(self, numbers: list[int]) -> None:
        """Close files that the child needs no longer."""
        for number in numbers:
            file = self._made.pop(number, None)
            if file is not None:
                self._left += file.seek(0, os.SEEK_END)
                file.close()

    def close(self) -> None:
        """Close all files."""
        if self._last:
            self._last[1].close()
        self.forget([*self._made])

    def _make(self) -> int:
        """The number of a new file. Raises ValueError where the child has too many."""
        if len(self._made) >= MOST_MADE:
            raise ValueError("files without end")
        number = self._next
        self._next += 1
        file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._made[number] = cast("IO[bytes]", file)
        return number

    def _read(self, number: int, at: int, size: int) -> bytes:
        """Bytes of a file from a place on. Raises OSError or LookupError."""
        file: BinaryIO | IO[bytes]
        if number >= len(self._labels):
            file = self._made[number]
        else:
            file = self._of_export(number)
        file.seek(at)
        return file.read(size)

    def _of_export(self, number: int) -> BinaryIO:
        """A file of the export, of which one is open at a time."""
        if self._last and self._last[0] == number:
            return self._last[1]
        if self._last:
            self._last[1].close()
            self._last = None
        file = self._opened(self._labels[number])
        self._last = (number, file)
        return file

    def _opened(self, label: str) -> BinaryIO:
        if self._is_folder:
            return os.fdopen(open_note(self._path / label, label), "rb")
        return self._path.open("rb")


_FAR_MORE = msg("The export is too large when unpacked")
_ATTACK = msg("This may be an attack, so Scrubjay stopped reading the export.")


class _Process:
    """The child process for one export. For one thread."""

    def __init__(
        self, name: str, files: _Files, *, step_s: float, most_memory: int, cancel: CancelToken
    ) -> None:
        """Raises ExportRefused where it cannot be started."""
        self._name = name
        self._files = files
        self._step_s = step_s
        self._most_memory = most_memory
        self._cancel = cancel
        try:
            self._process = start_sandboxed_worker(_WORKER, "--export-worker")
        except OSError as error:
            raise ExportRefused(_NOT_STARTED, system_reason(error)) from error

    @property
    def process_id(self) -> int:
        """Its number in the system."""
        return self._process.pid

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The answer to a request. Raises ExportRefused or Cancelled."""
        message: tuple[dict[str, Any], bytes] | None = None
        # Whatever the child says that makes no sense ends it.
        with (
            kill_after_timeout(
                self._process, self._step_s, self._cancel, most_memory=self._most_memory
            ) as overrun,
            contextlib.suppress(*_NONSENSE),
        ):
            message = self._conversed({**request, "seconds": self._step_s})
        self._cancel.check()
        # Without an answer the child was too slow, broke down, or made no sense.
        if message is None:
            reason = BROKE_DOWN
            if overrun.is_too_large:
                reason = NEEDS_MORE_MEMORY
            elif overrun.is_late:
                reason = msg("Reading the export took more than {n} seconds.", n=int(self._step_s))
            self._process.kill()
            raise ExportRefused(reason)
        if "refused" not in message[0]:
            return message
        try:
            words = msgspec.convert(message[0]["refused"], tuple[str, str, str])
        except ValueError as error:
            raise self.broken() from error
        title, text, hint = map(_sentence, words)
        raise ExportRefused(title, text, hint=hint)

    def broken(self) -> ExportRefused:
        """End the process, whose answer makes no sense; the error to raise."""
        self._process.kill()
        return ExportRefused(BROKE_DOWN)

    def close(self) -> None:
        """End the process."""
        end_worker(self._process)

    def _conversed(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes] | None:
        """The answer, after all that the child asked for meanwhile; None if it has gone."""
        requests = cast("BinaryIO", self._process.stdin)
        answers = cast("BinaryIO", self._process.stdout)
        pipe_protocol.send_message(requests, request)
        while True:
            message = pipe_protocol.receive_message(
                answers, most_header=_MOST_HEADER, most_payload=_MOST_PAYLOAD
            )
            if message is None:
                return None
            header, data = message
            self._files.forget(msgspec.convert(header.get("closed", []), list[int]))
            if "call" not in header:
                return message
            # The child hears why a file cannot be read, and refuses the part that is in it.
            try:
                reply, content = self._files.answer(header, data)
            except OSError as error:
                name = msg("{name} cannot be read", name=self._name)
                reply = {
                    "failed": [serialize_sentence(name), serialize_sentence(system_reason(error))]
                }
                content = b""
            pipe_protocol.send_message(requests, reply, content)


_NONSENSE = (OSError, ValueError, TypeError, LookupError)
"""Errors that an answer without sense leads to."""
_NOT_STARTED = msg("The program that reads exports could not be started")


def _sizes(path: Path) -> dict[str, int]:
    """Bytes of the file, or of each file in the folder. Raises OSError or ExportRefused."""
    if path.is_file():
        return {path.name: path.stat().st_size}
    if not path.is_dir():
        raise ExportRefused(msg("{name} does not exist", name=path.name))
    sizes: dict[str, int] = {}
    # Hidden files and folders are of the system, and links may lead anywhere.
    for folder, names in walk_folders(path, lambda name: not name.startswith(".")):
        for name in names:
            status = (path / folder / name).lstat()
            if not name.startswith(".") and stat.S_ISREG(status.st_mode):
                sizes[f"{folder}{name}"] = status.st_size
        if len(sizes) > MOST_ENTRIES:
            raise ExportRefused(msg("{name} contains too many files", name=path.name))
    return dict(sorted(sizes.items()))


def _unreadable(name: str, error: OSError) -> ExportRefused:
    return ExportRefused(msg("{name} cannot be read", name=name), system_reason(error))


def _short(text: str) -> str:
    return text[:MOST_LETTERS]


def _moment(text: str | None) -> dt.datetime | None:
    if not text:
        return None
    return dt.datetime.fromisoformat(text)


def _sentence(text: str) -> Sentence:
    return deserialize_sentence(text[:_MOST_SENTENCE])
