"""Simplenote and Day One: zips with all notes in one JSON file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scrubjay.messages import msg
from scrubjay.note_import.export_files import Entries
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
    text_list,
    text_value,
)
from scrubjay.note_import.readers.file_reader import FileReader
from scrubjay.text.json_values import json_objects

_MOST = 256 * 1024 * 1024
"""Bytes of a JSON file with all notes."""
_SIMPLENOTE_LINK = re.compile(r"\]\(simplenote://note/([^()\s]+)\)")
_MOMENT = re.compile(
    r"!\[([^\[\]\n]*)\]\(dayone-moment:/{1,2}([^()\s]{0,100}?)([0-9A-Za-z]{1,100})\)"
)
_PICTURE = re.compile(r"!\[[^\]\n]{0,1000}\]\([^)\n]{0,1000}\)")
_ENTRY_LINK = re.compile(r"\]\((dayone2?://[^()\s]+)\)")
_ESCAPED = re.compile(r"\\([.!()\-+{}#])")
_MEDIA = ("photos", "videos", "audios", "pdfAttachments")
_FOLDERS = {"pdfAttachments": "pdfs"}
"""Kind of medium -> its folder, where that has another name."""


class SimplenoteReader:
    """Simplenote's zip."""

    program = "Simplenote"

    def __init__(self, entries: Entries, name: str) -> None:
        self._entries = entries
        self._name = name

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes except those in the trash."""
        export = self._entries.json(self._name, _MOST)
        for note in json_objects(export.get("activeNotes")):
            text = text_value(note, "content").replace("\r\n", "\n")
            body = _SIMPLENOTE_LINK.sub(lambda match: f"]({note_link(match[1])})", text)
            fields = {}
            if note.get("pinned") is True:
                fields["pinned"] = "true"
            yield ImportedNote(
                key=text_value(note, "id") or digest_key(text, text_value(note, "creationDate")),
                title=first_line(text),
                body=body,
                created=parse_timestamp(note.get("creationDate")),
                modified=parse_timestamp(note.get("lastModified")),
                tags=text_list(note, "tags"),
                fields=fields,
            )
        # Deleted notes stay deleted, and the person is told.
        for note in json_objects(export.get("trashedNotes")):
            yield Obstacle(
                first_line(text_value(note, "content")), msg("The note is in the trash.")
            )


class DayOneReader(FileReader):
    """Day One's zip, with a JSON file for each journal."""

    program = "Day One"

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The entries of all journals."""
        for name in self._names:
            try:
                journal = self._entries.json(name, _MOST)
            except ExportRefused as error:
                yield Obstacle(name, str(error))
                continue
            # One journal alone needs no folder for its notes.
            folder: tuple[str, ...] = ()
            if len(self._names) > 1:
                folder = (posixpath.basename(name)[: -len(".json")],)
            for entry in json_objects(journal.get("entries")):
                yield from self._entry(posixpath.dirname(name), folder, entry)

    def _entry(
        self, root: str, folder: tuple[str, ...], entry: dict[str, Any]
    ) -> Iterator[ImportedNote | Obstacle]:
        """The note of an entry, and before it the attachments that are missing."""
        text = _ESCAPED.sub(r"\1", text_value(entry, "text").replace("\r\n", "\n"))
        created = parse_timestamp(entry.get("creationDate"))
        day = ""
        if created:
            day = f"{created:%Y-%m-%d}"
        attachments: dict[str, Attachment] = {}
        # Media come in one list for each kind, and in a folder for each.
        for kind in _MEDIA:
            for medium in json_objects(entry.get(kind)):
                key = text_value(medium, "identifier")
                file = self._medium(root, kind, medium)
                if file is None:
                    reason = msg("The attachment is not in the export.")
                    yield Obstacle(f"{day} {first_line(text)}: {kind}".strip(), reason)
                elif key:
                    title = text_value(medium, "filename")
                    attachments[key] = self._entries.attachment(file, key, title)
        # Entries have no titles: the day and the first words are one.
        title = " ".join(filter(None, (day, first_line(_PICTURE.sub("", text)))))
        yield ImportedNote(
            key=text_value(entry, "uuid") or digest_key(text, day),
            title=title,
            body=_entry_body(text, attachments),
            folder=folder,
            created=created,
            modified=parse_timestamp(entry.get("modifiedDate")),
            tags=text_list(entry, "tags"),
            attachments=tuple(attachments.values()),
            fields=_entry_fields(entry),
        )

    def _medium(self, root: str, kind: str, medium: dict[str, Any]) -> str | None:
        """The file of an attachment; None if it is not in the export."""
        folder = _FOLDERS.get(kind, kind)
        md5 = text_value(medium, "md5")
        suffix = text_value(medium, "type") or text_value(medium, "format")
        # Not every kind of medium says which ending it has.
        endings = [*filter(None, [suffix]), "pdf", "jpeg", "mp4", "m4a", "mov", "png"]
        files = (posixpath.join(root, folder, f"{md5}.{ending}") for ending in endings)
        return next(filter(None, map(self._entries.similar, files)), None)


def _entry_body(text: str, attachments: Collection[str]) -> str:
    """The text of an entry with its links rewritten, and the attachments that it has besides."""
    used: set[str] = set()

    # Pictures are moments in the text; those that it does not name stand below it.
    def medium_link(match: re.Match[str]) -> str:
        key = match[3]
        used.add(key)
        if key not in attachments:
            return ""
        sign = "" if match[2] else "!"  # `dayone-moment:/video/ID`
        return f"{sign}[{match[1]}]({file_link(key)})"

    def entry_link(match: re.Match[str]) -> str:
        ids = parse_qs(urlsplit(match[1]).query).get("entryId")
        if not ids:
            return match[0]
        return f"]({note_link(ids[0])})"

    body = _ENTRY_LINK.sub(entry_link, _MOMENT.sub(medium_link, text))
    others = (f"![]({file_link(key)})" for key in attachments if key not in used)
    return "\n\n".join(filter(None, (body, *others)))


def _entry_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Lines of the front matter: the place, and whether the entry has a star."""
    fields = {}
    place = entry.get("location")
    if isinstance(place, dict):
        names = ("placeName", "localityName", "country")
        where = [text_value(place, name) for name in names]
        fields["place"] = ", ".join(filter(None, where))
    if entry.get("starred") is True:
        fields["starred"] = "true"
    return fields
