"""Evernote's `.enex`: XML with the note as XHTML inside, and attachments in Base64.

Read in pieces, attachments into their own files: exports have gigabytes. No entity is expanded
and nothing is fetched.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import os
from collections.abc import Callable, Container, Iterator
from typing import Any, BinaryIO, cast
from xml.parsers import expat

from msgspec import Struct, field

from scrubjay.messages import msg
from scrubjay.note_import.export_files import Entries
from scrubjay.note_import.export_limits import MOST_ATTACHMENT, MOST_TEXT
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.html_markdown import html_to_markdown
from scrubjay.note_import.imported_note import (
    Attachment,
    ExportRefused,
    ImportedNote,
    Obstacle,
    digest_key,
    file_link,
    first_line,
    note_link,
    parse_timestamp,
)
from scrubjay.note_import.readers.evernote_html import MEDIA, standard_html
from scrubjay.note_import.readers.file_reader import FileReader

_PART = 1 << 16
"""Bytes of an export that are read at once."""
_MOST_TOKEN = 1 << 20
"""Bytes of a tag, comment or declaration."""
_MOST_DEPTH = 64
"""Elements within elements; Evernote's are five deep."""
_ENDINGS = {
    "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp",
    "application/pdf": ".pdf", "audio/wav": ".wav", "audio/amr": ".amr", "audio/mpeg": ".mp3",
    "image/svg+xml": ".svg", "text/plain": ".txt",
}  # fmt: skip
_KEPT = frozenset(
    {"guid", "title", "content", "created", "updated", "tag", "source-url", "author", "mime",
     "file-name", "reminder-done-time", "taskStatus", "dueDate"}
)  # fmt: skip
_NOTE_LINKS = ("evernote://", "https://www.evernote.com/shard/", "https://share.evernote.com/")


class _Resource(Struct):
    """An attachment as it is being read."""

    file: BinaryIO | None
    """File with its bytes, and those of others; None where attachments are only counted."""
    start: int = 0
    """Position of its first byte in the file."""
    left: bytes = b""
    """Letters of Base64 that do not fill four yet."""
    size: int = 0
    md5: Any = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))
    """Hash of the content, by which the text of the note names it."""
    texts: dict[str, str] = field(default_factory=dict)
    is_damaged: bool = False


class _Note(Struct):
    """A note as it is being read."""

    file: BinaryIO | None = None
    """File with the bytes of its attachments; None if there are none, or they are only counted.
    """
    texts: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    resources: list[_Resource] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    """Lines of tasks, which Evernote keeps beside the text."""
    is_too_large: bool = False


class EvernoteReader(FileReader):
    """One `.enex` file, or a folder with one for each notebook."""

    program = "Evernote"

    def __init__(self, entries: Entries, names: tuple[str, ...], source: ExportSource) -> None:
        super().__init__(entries, names)
        self._source = source

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes of all notebooks."""
        for name in self._names:
            folder: tuple[str, ...] = ()
            if len(self._names) > 1:
                folder = (name.rpartition("/")[2].rpartition(".")[0],)
            yield from self._notebook(name, folder)

    def _notebook(self, name: str, folder: tuple[str, ...]) -> Iterator[ImportedNote | Obstacle]:
        """The notes of one file. Those before a damage are there, and then an obstacle."""
        # One parser for each file, as a damage ends it.
        parser = _Parser(self._source)
        # The parser's temporary files go at the end, whatever happens.
        try:
            with self._entries.open(name) as stream:
                for part in iter(lambda: stream.read(_PART), b""):
                    for note in parser.feed(part):
                        yield from _imported(note, folder)
                parser.end()
        except (expat.ExpatError, _Hostile):
            reason = msg(
                "The file is damaged or incomplete. Only the notes before the damaged "
                "part are imported."
            )
            yield Obstacle(name, reason)
        except ExportRefused as error:
            yield Obstacle(name, str(error))
        finally:
            parser.close()


class _Hostile(Exception):
    """XML that declares entities or nests without end."""


class _Parser:
    """Collects notes from the events of expat."""

    def __init__(self, source: ExportSource) -> None:
        self._source = source
        self._done: list[_Note] = []
        self._note: _Note | None = None
        self._resource: _Resource | None = None
        self._task: dict[str, str] | None = None
        """Texts of the task that is open."""
        self._path: list[str] = []
        """Names of the elements that are open, outermost first."""
        self._text: list[str] | None = None
        """Parts of the text of the element; None where nobody needs it."""
        self._length = 0
        """Letters of that text."""
        self._file: BinaryIO | None = None
        """File for the attachments of notes whose first one begins in this part of the export."""
        self._files: list[BinaryIO] = []
        self._fed = 0
        # Evernote writes nothing else, and a declared encoding may be any codec of Python's.
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.buffer_size = _PART
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        self._parser = parser

    def feed(self, data: bytes) -> list[_Note]:
        """The notes that end in this part of the export; those of the last part are closed."""
        self._close_files(self._note)
        self._parser.Parse(data, False)
        self._fed += len(data)
        # Expat goes over the beginning of a comment or tag again with each part of it.
        if self._fed - self._parser.CurrentByteIndex > _MOST_TOKEN:
            raise _Hostile
        done = self._done
        self._done = []
        return done

    def end(self) -> None:
        """Raises expat's error when the file is not at its end."""
        self._parser.Parse(b"", True)

    def close(self) -> None:
        """Delete the temporary files."""
        self._close_files(None)

    def _close_files(self, unfinished: _Note | None) -> None:
        """Delete all temporary files but that of a note whose end is still to come."""
        for file in self._files:
            if unfinished is None or file is not unfinished.file:
                file.close()
        self._files = [file for file in self._files if not file.closed]
        self._file = None

    def _note_file(self) -> BinaryIO | None:
        """The file for a note whose first attachment begins."""
        # Small notes of one part share a file: thousands of files would use up the descriptors.
        if self._file is None and self._source.has_attachments:
            self._file = self._source.new_file()
            self._files.append(self._file)
        return self._file

    def _refuse(self, *_declared: object) -> None:
        """Refuse a declaration, which may unfold to far more than it says."""
        raise _Hostile

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        """Begin an element."""
        # Levels are counted, as expat itself would go on without end.
        self._path.append(name)
        if len(self._path) > _MOST_DEPTH:
            raise _Hostile
        # Only elements of a note count, of which there is one at a time.
        if name == "note" and self._note is None:
            self._note = _Note()
        elif name == "resource" and self._note is not None:
            self._resource = self._new_resource(self._note)
        elif name == "task" and self._note is not None:
            self._task = {}
        self._text = None
        if name in _KEPT:
            self._text = []
        self._length = 0

    def _new_resource(self, note: _Note) -> _Resource:
        """An attachment of a note, whose bytes follow those of the others in one file."""
        # All attachments of a note are in one file, one after the other.
        if not note.resources:
            note.file = self._note_file()
        start = 0
        if note.file:
            start = note.file.seek(0, os.SEEK_END)
        resource = _Resource(note.file, start)
        note.resources.append(resource)
        return resource

    def _characters(self, text: str) -> None:
        """Take a part of the text of an element."""
        if self._path[-1] == "data" and self._resource is not None:
            self._decode(self._resource, text)
        elif self._text is not None and self._note is not None:
            # The letters beyond the limit are not even kept.
            self._length += len(text)
            if self._length <= MOST_TEXT:
                self._text.append(text)
            else:
                self._note.is_too_large = True

    def _decode(self, resource: _Resource, text: str) -> None:
        """Write a part of the bytes of an attachment."""
        if resource.is_damaged or resource.size > MOST_ATTACHMENT:
            return
        # Four letters are three bytes; what is left over waits for the next part.
        letters = resource.left + b"".join(text.encode("ascii", "ignore").split())
        whole = len(letters) // 4 * 4
        resource.left = letters[whole:]
        try:
            data = base64.b64decode(letters[:whole], validate=True)
        except binascii.Error:
            resource.is_damaged = True
            return
        resource.size += len(data)
        resource.md5.update(data)
        if resource.file:
            resource.file.write(data)

    def _end(self, name: str) -> None:
        """End an element, and put its text where it belongs."""
        self._path.pop()
        text = "".join(self._text or ())
        self._text = None
        note = self._note
        if note is None:
            return
        # Elements with others in them end a record, all others are texts of it.
        if name == "note":
            self._done.append(note)
            self._note = None
        elif name == "resource":
            self._resource = None
        elif name == "task":
            note.tasks.append(_task_line(self._task or {}))
            self._task = None
        else:
            self._keep(note, name, text)

    def _keep(self, note: _Note, name: str, text: str) -> None:
        """Keep the text of a small element with its task, attachment or note."""
        # The innermost thing that is open owns the element; only its first value counts.
        if self._task is not None:
            self._task.setdefault(name, text)
        elif name == "tag":
            note.tags.append(text.strip())
        elif name in _KEPT and self._resource is not None:
            self._resource.texts.setdefault(name, text)
        elif name in _KEPT:
            note.texts.setdefault(name, text)


def _imported(note: _Note, folder: tuple[str, ...]) -> Iterator[ImportedNote | Obstacle]:
    """The note in Markdown, and before it the obstacles of its attachments."""
    texts = note.texts
    title = texts.get("title", "").strip()
    html = texts.get("content", "")
    if note.is_too_large:
        yield Obstacle(title, msg("The text of the note is too long."))
        return
    readable, encrypted = _without_encrypted(html)
    if encrypted:
        reason = msg(
            "{n} encrypted {n:passage|passages} of the note cannot be imported. Decrypt "
            "{n:it|them} in Evernote, then export the note again.",
            n=encrypted,
        )
        yield Obstacle(title, reason)
    # The text names attachments by the hash of their bytes.
    attachments: dict[str, Attachment] = {}
    for number, resource in enumerate(note.resources, start=1):
        name = _name(resource, number)
        if resource.is_damaged:
            yield Obstacle(f"{title}: {name}", msg("The attachment is damaged."))
        elif resource.size > MOST_ATTACHMENT:
            yield Obstacle(f"{title}: {name}", msg("The attachment is too large."))
        else:
            key = resource.md5.hexdigest()
            attachments[key] = Attachment(key, name, _reopen(resource))
    # Attachments that no place in the text names are linked to below it, and so are the tasks.
    used: set[str] = set()
    body = html_to_markdown(readable, _addresses(attachments, used), standard_html)
    # An attachment that was refused has been told already.
    missing = len(used.difference(attachments)) - (len(note.resources) - len(attachments))
    if missing > 0:
        yield _lacks(title, missing)
    tasks = "\n".join(note.tasks)
    unnamed = [each for key, each in attachments.items() if key not in used]
    links = (f"[{each.name}]({file_link(each.key)})" for each in unnamed)
    yield ImportedNote(
        key=texts.get("guid", "").strip() or digest_key(title, texts.get("created", "") or html),
        title=title or first_line(body),
        body="\n\n".join(filter(None, (body, tasks, *links))),
        folder=folder,
        created=parse_timestamp(texts.get("created")),
        modified=parse_timestamp(texts.get("updated")),
        tags=tuple(filter(None, note.tags)),
        attachments=tuple(attachments.values()),
        fields={"author": texts.get("author", ""), "source": texts.get("source-url", "")},
    )


def _lacks(title: str, count: int) -> Obstacle:
    """What the plan says of attachments that the text names and the export lacks."""
    reason = msg(
        "{n} {n:attachment|attachments} of the note {n:is|are} not in the export.", n=count
    )
    return Obstacle(title, reason)


def _addresses(attachments: Container[str], used: set[str]) -> Callable[[str, str], str]:
    """A function that gives the address for one in the text, and notes which are used."""

    def address(_element: str, url: str) -> str:
        if url.startswith(MEDIA):
            key = url.removeprefix(MEDIA)
            used.add(key)
            return file_link(key) if key in attachments else ""
        # An export has no ids; the text of a link is the title of its note.
        if url.startswith(_NOTE_LINKS):
            return note_link("")
        return url

    return address


def _without_encrypted(html: str) -> tuple[str, int]:
    """The text with a mark in place of encrypted passages, and their number."""
    first, *others = html.split("<en-crypt")
    parts = [first]
    for other in others:
        # One that never ends only loses its own beginning.
        _, end, rest = other.partition("</en-crypt>")
        if not end:
            rest = other.partition(">")[2]
        parts.append(f"[encrypted in Evernote]{rest}")
    return "".join(parts), len(others)


def _task_line(texts: dict[str, str]) -> str:
    sign = "x" if texts.get("taskStatus") == "completed" else " "
    due = parse_timestamp(texts.get("dueDate"))
    words = [*texts.get("title", "").split()]
    if due:
        words.append(f"(due {due.date().isoformat()})")
    return f"- [{sign}] {' '.join(words)}"


def _name(resource: _Resource, number: int) -> str:
    """The name of an attachment, made of its kind where it has none."""
    name = resource.texts.get("file-name", "").strip()
    if name:
        return name
    return f"file {number}{_ENDINGS.get(resource.texts.get('mime', ''), '')}"


def _reopen(resource: _Resource) -> Callable[[], BinaryIO]:
    def opened() -> BinaryIO:
        assert resource.file is not None
        return cast("BinaryIO", _Section(resource.file, resource.start, resource.size))

    return opened


class _Section(io.RawIOBase):
    """The bytes of an attachment in a file that holds several."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._at = start
        self._end = start + size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self._end - self._at
        if size >= 0:
            wanted = min(size, wanted)
        # Each time again, since other sections of the file are read meanwhile.
        self._file.seek(self._at)
        data = self._file.read(wanted)
        self._at += len(data)
        return data
