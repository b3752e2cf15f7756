"""The writer of imported notes, which never overwrites a file or leaves the target folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from msgspec import Struct, field

from scrubjay.errors import system_reason
from scrubjay.note_import.imported_note import (
    FILE_LINK,
    NOTE_LINK,
    Attachment,
    ExportRefused,
    ImportedNote,
    Obstacle,
)
from scrubjay.note_import.plan import KEY_FIELD, NotePlan, created_line, full_key
from scrubjay.note_import.safe_names import TakenLabels, safe_file_name
from scrubjay.notes.note_files import held_note, open_note
from scrubjay.notes.note_links import WIKI_LINK

ATTACHMENTS = "attachments"
"""Folder beside the notes of a notebook."""
_MODE = 0o644
_PART = 1 << 20
"""Bytes that are read at once."""
_PLAIN = re.compile(r"[\w][\w .,()/+-]*$")
_NUMBER_OR_WORD = re.compile(r"([\d.,:+-]+|true|false|yes|no|on|off|null|y|n)$", re.IGNORECASE)
_LINK = re.compile(
    rf"(?:(?P<sign>!?)\[(?P<text>(?:[^\[\]\n\\]|\\.){{0,1000}})\]\((?P<url>(?:{NOTE_LINK}|{FILE_LINK})"
    rf"[^()\s<>]*)\)|<(?P<alone>(?:{NOTE_LINK}|{FILE_LINK})[^()\s<>]*)>)"
)


class WrittenFiles(Struct):
    """The files and folders that an import made, in this order."""

    files: dict[str, str] = field(default_factory=dict)
    """Label of each file -> SHA-256 of its bytes."""
    folders: list[str] = field(default_factory=list)


class NoteWriter:
    """Writes the notes of a plan."""

    def __init__(self, plan: NotePlan) -> None:
        self._plan = plan
        self._labels = {**plan.known, **plan.labels}
        self._taken = TakenLabels(self._labels.values())
        self._folders: set[str] = set()
        """Folders that were made."""
        self.written = WrittenFiles()

    def write(self, note: ImportedNote) -> Iterator[Obstacle]:
        """Write a note and its attachments; the obstacles are what could not be written."""
        label = self._plan.labels[note.key]
        # The attachments first, since links in the text name their files.
        files: dict[str, str] = {}
        for attachment in note.attachments:
            try:
                files[attachment.key] = self._attach(attachment, posixpath.dirname(label))
            except (OSError, ExportRefused) as error:
                yield Obstacle(f"{note.title}: {attachment.name}", _reason(error))
        text = self._text(note, label, files=files)
        data = text.encode("utf-8", "replace")
        try:
            self._put(label, lambda: [data])
        except OSError as error:
            yield Obstacle(note.title, _reason(error))

    def _text(self, note: ImportedNote, label: str, files: dict[str, str]) -> str:
        """The whole text of a file, with links to the files of other notes and attachments."""

        def link(match: re.Match[str]) -> str:
            return self._link(match, label, files=files)

        body = _LINK.sub(link, note.body.strip("\n"))
        body = WIKI_LINK.sub(self._wiki_link, body)
        return f"{make_front_matter(note, self._plan.program)}\n{body}\n"

    def _link(self, match: re.Match[str], label: str, files: dict[str, str]) -> str:
        """A link from a note to the file of another note or an attachment; otherwise its words."""
        url = match["url"] or match["alone"]
        words = match["text"] or ""
        scheme, _, quoted = url.partition(":")
        key = unquote(quoted, errors="replace")
        sign = ""
        if f"{scheme}:" == FILE_LINK:
            target = files.get(key, "")
            sign = match["sign"] or ""
            # A picture needs no words; any other file is named.
            if not words and not sign:
                words = posixpath.basename(target)
        else:
            title = re.sub(r"\\(.)", r"\1", words).casefold()
            target = self._labels.get(key or self._plan.titles.get(title, ""), "")
        if not target:
            return words
        address = posixpath.relpath(target, posixpath.dirname(label) or ".")
        stem, _ = posixpath.splitext(posixpath.basename(target))
        return f"{sign}[{words or stem}](<{address}>)"

    def _wiki_link(self, match: re.Match[str]) -> str:
        """A link by title to a note whose file could not be named by it."""
        title, mark, anchor = match[2].partition("#")
        label = self._labels.get(self._plan.titles.get(title.strip().casefold(), ""), "")
        name = posixpath.basename(label)[:-3]
        if not label or name.casefold() == title.strip().casefold():
            return match[0]
        heading = ""
        if anchor:
            heading = mark + anchor
        return f"{match[1]}[[{name}{heading}|{match[3] or match[2]}]]"

    def _attach(self, attachment: Attachment, folder: str) -> str:
        """The label of an attachment; a file with its bytes and name is not written again."""
        stem, suffix = posixpath.splitext(safe_file_name(attachment.name))
        below = posixpath.join(folder, ATTACHMENTS)
        with attachment.open() as stream:
            sha256 = _digest(stream)
            size = stream.tell()
            # A file of this name may be another one, or this one from an import before.
            while True:
                label = self._taken.free(below, stem, suffix)
                file = self._plan.target / label
                if not os.path.lexists(file):
                    break
                if _has_bytes(file, label, size=size, sha256=sha256):
                    return label
            stream.seek(0)
            self._put(label, lambda: _parts(stream))
        return label

    def _put(self, label: str, parts: Callable[[], Iterator[bytes] | list[bytes]]) -> None:
        """Write a file that is not there yet. May raise OSError and ExportRefused."""
        made = [
            each
            for each in _folders_of(label)
            if each not in self._folders and not os.path.lexists(self._plan.target / each)
        ]
        sha256 = hashlib.sha256()

        def hashed() -> Iterator[bytes]:
            for part in parts():
                sha256.update(part)
                yield part

        with held_note(self._plan.target / label, label, make_folders=True) as note:
            self.written.folders += made
            self._folders.update(made)
            note.create(hashed(), _MODE)
        self.written.files[label] = sha256.hexdigest()
        self._taken.add(label)


def make_front_matter(note: ImportedNote, program: str) -> str:
    """The block above the text of a note."""
    lines = ["---", f"title: {_scalar(note.title or 'Untitled')}"]
    if note.created is not None:
        lines.append(f"created: {created_line(note.created)}")
    if note.modified is not None:
        lines.append(f"updated: {note.modified.isoformat(' ', 'seconds')}")
    # Two tags of another program may become the same one here, or none.
    tags = dict.fromkeys(filter(None, (_tag(tag) for tag in note.tags)))
    if tags:
        lines.append(f"tags: [{', '.join(tags)}]")
    lines += [f"{name}: {_scalar(value)}" for name, value in note.fields.items() if value.strip()]
    lines += [f"{KEY_FIELD}: {full_key(program, note.key)}", "---", ""]
    return "\n".join(lines)


def delete_written_files(target: Path, written: WrittenFiles) -> tuple[str, ...]:
    """Delete what an import wrote; the files that were changed since stay, and are the result."""
    kept = []
    for label, sha256 in reversed(written.files.items()):
        try:
            if _sha256(target / label, label) != sha256:
                kept.append(label)
                continue
            with held_note(target / label, label) as note:
                note.unlink()
        except FileNotFoundError:
            continue
        except OSError:
            kept.append(label)
    # From the deepest folder up, and only those that are empty by now.
    for folder in sorted(written.folders, key=len, reverse=True):
        with contextlib.suppress(OSError), held_note(target / folder, folder) as note:
            note.rmdir()
    return tuple(kept)


def _tag(tag: str) -> str:
    """A tag as notes have it: without spaces, which would end it."""
    clean = re.sub(r"[^\w/-]+", "-", tag.strip().lstrip("#")).strip("-/")
    if _NUMBER_OR_WORD.match(clean):
        return json.dumps(clean)
    return clean


def _scalar(text: str) -> str:
    """A value in YAML that reads the same with and without a parser, where that can be."""
    if text == "true":
        return text
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    if _PLAIN.match(line) and not _NUMBER_OR_WORD.match(line):
        return line
    return json.dumps(line, ensure_ascii=False)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return system_reason(error)
    return str(error)


def _folders_of(label: str) -> list[str]:
    """The folders of a file, outermost first."""
    parts = label.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _parts(stream: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(_PART), b"")


def _digest(stream: BinaryIO) -> str:
    sha256 = hashlib.sha256()
    for part in _parts(stream):
        sha256.update(part)
    return sha256.hexdigest()


def _has_bytes(file: Path, label: str, size: int, sha256: str) -> bool:
    try:
        return file.lstat().st_size == size and _sha256(file, label) == sha256
    except OSError:
        return False


def _sha256(file: Path, label: str) -> str:
    with open(open_note(file, label), "rb") as stream:  # noqa: PTH123
        return _digest(stream)
