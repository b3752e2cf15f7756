"""Notes read from disk: complete, with the same bytes that were hashed, and in time."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.notes.note_files import open_note
from scrubjay.notes.scan import FoundFile, changed_ns, modified_ns
from scrubjay.text.encodings import HEAD_BYTES, detect_codec
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.grouping import group_by_size

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import TextSource

T = TypeVar("T")

_ATTEMPTS = 3
"""Times that a file is read which changes meanwhile."""
_NO_TEXT = msg(
    "The file is not text, or was saved by an old program. To make the text searchable, open "
    "the file in a text editor and copy the text into a new note."
)
"""Sentence about a file that is not text."""
_MARK = "\ufeff"
"""Byte order mark, which is not part of the text."""
_MOST_DOCUMENT = 512 * 2**20
"""Bytes of a document that is read; the process that reads it has twice as many."""
_GROUP_FILES = 16
"""Small files that are read together: a thread's start takes longer than reading one."""
_GROUP_BYTES = 2**18
"""Bytes of the files that are read together."""


class NoteBytes(Struct, frozen=True):
    """One consistent state of a file."""

    data: bytes
    mtime_ns: int
    size: int
    ctime_ns: int = 0
    """Last change of the file's entry on the disk."""
    has_pictures: bool = False
    """Whether what is written on the pictures of a document is part of its text."""

    @property
    def sha256(self) -> bytes:
        """Digest of the bytes."""
        return hashlib.sha256(self.data).digest()


class NoteUnreadable(Exception):
    """The file exists but is not a note. The message says why in one sentence."""


class NoText(NoteUnreadable):
    """The file was read but currently does not contain text."""


Outcome: TypeAlias = NoteBytes | NoteUnreadable | FileNotFoundError
"""Bytes of a file, or the error of reading it."""


def read_note(file: Path, label: str, converter: TextSource) -> NoteBytes:
    """The bytes of a note, or the text of a document. Follows and raises as `read_file`."""
    return _as_text(read_file(file, label), label, converter=converter)


def read_file(file: Path, label: str) -> NoteBytes:
    """The bytes of a file, which may be written to at this very moment; of a document its own.

    Follows no link that its label names. Raises NoteUnreadable, or FileNotFoundError when it
    vanished.
    """
    try:
        for _ in range(_ATTEMPTS):
            with _opened(file, label) as stream:
                before = os.fstat(stream.fileno())
                if before.st_size > _MOST_DOCUMENT and document_kind(label):
                    raise NoText(msg("The file is larger than {n} MB.", n=_MOST_DOCUMENT // 2**20))
                data = stream.read()
                after = os.fstat(stream.fileno())
            # The same size and time before and after: nobody wrote to it in between.
            if len(data) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
                break
        return NoteBytes(data, modified_ns(after), len(data), changed_ns(after))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unreadable(error) from error


def _as_text(
    note: NoteBytes, label: str, converter: TextSource, cancel: CancelToken | None = None
) -> NoteBytes:
    """The note itself, or the text of a document in its place."""
    if not document_kind(label):
        return note
    try:
        converted = converter.convert(note.data, label, cancel)
    except DocumentRefused as error:
        raise NoText(error.args[0]) from error
    except (ConversionFailed, OSError) as error:
        raise NoteUnreadable(error.args[0]) from error
    return replace(note, data=converted.text.encode(), has_pictures=converted.has_pictures)


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Inside, a page or picture that cannot be drawn raises NoteUnreadable."""
    try:
        yield
    except (DocumentRefused, ConversionFailed, OSError) as error:
        raise NoteUnreadable(error.args[0]) from error


@contextlib.contextmanager
def open_note_text(path: Path, label: str, converter: TextSource | None) -> Iterator[TextIO]:
    """The text of a note to read line by line. Raises as `read_note`, also while it is read.

    Documents are read by the converter only.
    """
    if converter and document_kind(label):
        yield io.StringIO(read_note(path, label, converter).data.decode())
        return
    try:
        # The beginning tells the encoding, and the mark at the start is not part of the text.
        with _opened(path, label) as file:
            # One byte more tells whether a letter may be cut at the end.
            codec = detect_codec(file.read(HEAD_BYTES + 1))
            file.seek(0)
            with io.TextIOWrapper(file, codec) as stream:
                if stream.read(1) != _MARK:
                    stream.seek(0)
                yield stream
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unreadable(error) from error
    except UnicodeDecodeError as error:
        raise NoteUnreadable(_NO_TEXT) from error


def _opened(file: Path, label: str) -> BinaryIO:
    return open(open_note(file, label), "rb")  # noqa: PTH123  (a descriptor, not a path)


def _unreadable(error: OSError) -> NoteUnreadable:
    return NoteUnreadable(msg("The file cannot be read ({reason}).", reason=system_reason(error)))


def note_digest(data: bytes) -> str:
    """The digest by which an agent says which text of a note it has read: 16 digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def decode_note(data: bytes) -> str:
    """Text of a note. Raises NoteUnreadable when the bytes are not text."""
    text: str | None = None
    with contextlib.suppress(UnicodeDecodeError):
        text = data.decode("utf-8")  # most are, and are not looked at twice
    # A zero in it may be half of a letter in an encoding of two bytes.
    if text is None or "\0" in text:
        try:
            text = data.decode(detect_codec(data))
        except UnicodeDecodeError as error:
            if text is None:
                raise NoteUnreadable(_NO_TEXT) from error
    return check_note_text(text.removeprefix(_MARK))


def check_note_text(text: str) -> str:
    """The text itself. Raises NoteUnreadable where it belongs to a program."""
    if "\0" in text:
        raise NoteUnreadable(
            msg("The file does not look like text. It may be an image or a program.")
        )
    return text


def read_or_timeout(
    work: Callable[[], T], io_timeout: IoTimeout, cancel: CancelToken | None = None
) -> T:
    """The result of work. Raises its errors, or NoteUnreadable when the drive does not answer."""
    try:
        return io_timeout.call(work, cancel)
    except IoTimedOut as error:
        raise NoteUnreadable(
            msg(
                "The drive did not respond when Scrubjay tried to read the file. "
                "Scrubjay will try again at the next check."
            )
        ) from error


def read_document(
    file: FoundFile, converter: TextSource, *, io_timeout: IoTimeout, cancel: CancelToken
) -> Outcome:
    """A document with its text in place of its bytes, or the error of reading it.

    Raises Cancelled.
    """
    try:
        note = read_or_timeout(partial(read_file, file.path, file.label), io_timeout, cancel)
        # Outside of the time that a drive has to answer: this may take longer.
        return _as_text(note, file.label, converter=converter, cancel=cancel)
    except (NoteUnreadable, FileNotFoundError) as error:
        return error


class NotePrefetcher(Struct):
    """Reads a few notes ahead of the caller. For documents, it reads only the bytes."""

    files: Sequence[FoundFile]
    io_timeout: IoTimeout
    cancel: CancelToken
    is_silent: bool = False
    """Whether the drive no longer answers at all, so that the other files were not read."""

    def __iter__(self) -> Iterator[tuple[FoundFile, Outcome]]:
        """Each file with its bytes, or with the error of reading it. Raises Cancelled."""
        groups = group_by_size(
            self.files, attrgetter("size"), max_size=_GROUP_BYTES, max_items=_GROUP_FILES
        )
        for group in groups:
            # A group is read in one call, as long as the drive answers.
            try:
                outcomes = self.io_timeout.call(partial(_outcomes, group), self.cancel)
            except IoTimedOut:
                # One of them hangs, and the others may still be read.
                for file in group:
                    self.is_silent = self.io_timeout.is_exhausted
                    if self.is_silent:
                        return
                    try:
                        [outcome] = read_or_timeout(
                            partial(_outcomes, [file]), self.io_timeout, self.cancel
                        )
                    except NoteUnreadable as error:
                        outcome = error
                    yield file, outcome
            else:
                yield from zip(group, outcomes, strict=True)


def _outcomes(files: Sequence[FoundFile]) -> list[Outcome]:
    """Each file's bytes, or the error of reading it."""
    outcomes: list[Outcome] = []
    for file in files:
        try:
            outcomes.append(read_file(file.path, file.label))
        except (NoteUnreadable, FileNotFoundError) as error:
            outcomes.append(error)
    return outcomes
