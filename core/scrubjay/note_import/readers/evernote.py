"""Evernote's `.enex`: XML with the note as XHTML inside, and attachments in Base64.

Read in pieces, attachments into files of their own: exports have gigabytes. No entity is expanded
and nothing is fetched.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast
from xml.parsers import expat

from msgspec import Struct, field

from scrubjay.messages import msg
from scrubjay.note_import.entries import Entries
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.html_markdown import to_markdown
from scrubjay.note_import.imported_note import (
    Attachment,
    ExportRefused,
    ImportedNote,
    Obstacle,
    digest,
    file_link,
    first_line,
    moment,
    note_link,
)
from scrubjay.note_import.limits import MOST_ATTACHMENT, MOST_TEXT

_PART = 1 << 16
_MOST_TOKEN = 1 << 20
"""Bytes of a tag, comment or declaration."""
_MOST_DEPTH = 64
_ENDINGS = {
    "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp",
    "application/pdf": ".pdf", "audio/wav": ".wav", "audio/amr": ".amr", "audio/mpeg": ".mp3",
    "image/svg+xml": ".svg", "text/plain": ".txt",
}  # fmt: skip
_KEPT = frozenset(
    {"guid", "title", "content", "created", "updated", "tag", "source-url", "author", "mime",
     "file-name", "reminder-done-time", "taskStatus"}
)  # fmt: skip
_NOTE_LINKS = ("evernote://", "https://www.evernote.com/shard/", "https://share.evernote.com/")


class _Resource(Struct):
    file: BinaryIO | None
    """File with its bytes, and those of others; None where attachments are only counted."""
    start: int = 0
    """Place of its first byte in the file."""
    left: bytes = b""
    """Letters of Base64 that do not fill four yet."""
    size: int = 0
    md5: Any = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))
    """Of the content, by which the text of the note names it."""
    texts: dict[str, str] = field(default_factory=dict)
    is_damaged: bool = False


class _Note(Struct):
    file: BinaryIO | None = None
    """File with the bytes of its attachments; None where there are none, or they are only counted.
    """
    texts: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    resources: list[_Resource] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    """Lines of tasks, which Evernote keeps beside the text."""
    is_too_large: bool = False


class EvernoteReader:
    """One `.enex` file, or a folder with one for each notebook."""

    program = "Evernote"

    def __init__(self, entries: Entries, names: tuple[str, ...], source: ExportSource) -> None:
        self._entries = entries
        self._names = names
        self._source = source

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes of all notebooks."""
        for name in self._names:
            notebook = name.rpartition("/")[2].rpartition(".")[0]
            folder = (notebook,) if len(self._names) > 1 else ()
            yield from self._notebook(name, folder)

    def _notebook(self, name: str, folder: tuple[str, ...]) -> Iterator[ImportedNote | Obstacle]:
        parser = _Parser(self._source)
        try:
            with self._entries.open(name) as stream:
                while part := stream.read(_PART):
                    for note in parser.feed(part):
                        yield from _imported(note, folder)
                parser.end()
        except (expat.ExpatError, _Hostile):
            reason = msg("The file is damaged or ends too early; the notes before that are read.")
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
        self._text: list[str] | None = None
        self._length = 0
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
        if self._file is None and self._source.has_attachments:
            self._file = self._source.new_file()
            self._files.append(self._file)
        return self._file

    def _refuse(self, *_declared: object) -> None:
        raise _Hostile

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._path.append(name)
        if len(self._path) > _MOST_DEPTH:
            raise _Hostile
        if name == "note" and self._note is None:
            self._note = _Note()
        elif name == "resource" and self._note is not None:
            note = self._note
            if not note.resources:
                note.file = self._note_file()
            start = note.file.seek(0, os.SEEK_END) if note.file else 0
            self._resource = _Resource(note.file, start)
            note.resources.append(self._resource)
        elif name == "task" and self._note is not None:
            self._task = {}
        self._text = [] if name in _KEPT else None
        self._length = 0

    def _characters(self, text: str) -> None:
        if self._path[-1] == "data" and self._resource is not None:
            self._decode(self._resource, text)
        elif self._text is not None and self._note is not None:
            self._length += len(text)
            if self._length <= MOST_TEXT:
                self._text.append(text)
            else:
                self._note.is_too_large = True

    def _decode(self, resource: _Resource, text: str) -> None:
        if resource.is_damaged or resource.size > MOST_ATTACHMENT:
            return
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
        self._path.pop()
        text, self._text = "".join(self._text or ()), None
        note = self._note
        if note is None:
            return
        if name == "note":
            self._done.append(note)
            self._note = None
        elif name == "resource":
            self._resource = None
        elif name == "task":
            note.tasks.append(_task_line(self._task or {}))
            self._task = None
        elif self._task is not None:
            self._task.setdefault(name, text)
        elif name == "tag":
            note.tags.append(text.strip())
        elif name in _KEPT:
            texts = self._resource.texts if self._resource is not None else note.texts
            texts.setdefault(name, text)


def _imported(note: _Note, folder: tuple[str, ...]) -> Iterator[ImportedNote | Obstacle]:
    texts = note.texts
    title, html = texts.get("title", "").strip(), texts.get("content", "")
    if note.is_too_large:
        yield Obstacle(title, msg("The text of the note is too large."))
        return
    attachments: dict[str, Attachment] = {}
    for number, resource in enumerate(note.resources, start=1):
        if resource.is_damaged or resource.size > MOST_ATTACHMENT:
            reason = msg("The attachment is damaged.")
            if not resource.is_damaged:
                reason = msg("The attachment is too large.")
            yield Obstacle(f"{title}: {_name(resource, number)}", reason)
            continue
        key = resource.md5.hexdigest()
        attachments[key] = Attachment(key, _name(resource, number), _reopen(resource))
    used: set[str] = set()

    def address(element: str, url: str) -> str:
        if element == "en-media":
            used.add(url)
            return file_link(url) if url in attachments else ""
        # An export has no ids; the text of a link is the title of its note.
        return note_link("") if url.startswith(_NOTE_LINKS) else url

    body = to_markdown(html, address)
    tasks = "\n".join(note.tasks)
    unnamed = [each for key, each in attachments.items() if key not in used]
    links = (f"[{each.name}]({file_link(each.key)})" for each in unnamed)
    fields = {"author": texts.get("author", ""), "source": texts.get("source-url", "")}
    yield ImportedNote(
        key=texts.get("guid", "").strip() or digest(title, texts.get("created", "") or html),
        title=title or first_line(body),
        body="\n\n".join(filter(None, (body, tasks, *links))),
        folder=folder,
        created=moment(texts.get("created")),
        modified=moment(texts.get("updated")),
        tags=tuple(filter(None, note.tags)),
        attachments=tuple(attachments.values()),
        fields=fields,
    )


def _task_line(texts: dict[str, str]) -> str:
    sign = "x" if texts.get("taskStatus") == "completed" else " "
    return f"- [{sign}] {' '.join(texts.get('title', '').split())}"


def _name(resource: _Resource, number: int) -> str:
    if name := resource.texts.get("file-name", "").strip():
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
        left = self._end - self._at
        self._file.seek(self._at)
        data = self._file.read(min(size, left) if size >= 0 else left)
        self._at += len(data)
        return data
