"""Google Keep in a Takeout: a JSON file for each note next to its pictures."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterator
from typing import Any

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
    parse_timestamp,
    text_value,
)
from scrubjay.note_import.readers.file_reader import FileReader
from scrubjay.text.json_values import json_objects

_KEYS = {"isTrashed", "isArchived", "userEditedTimestampUsec", "textContent", "listContent"}
"""Fields of notes: two of them in a JSON object make it one."""


def keep_note_files(entries: Entries, *, is_keep: bool) -> tuple[str, ...]:
    """The JSON files of notes; all of them when the folder itself is that of Keep."""
    jsons = [name for name in entries.names if name.endswith(".json")]
    if is_keep:
        return tuple(jsons)
    folders = {name: posixpath.dirname(name).casefold().split("/") for name in jsons}
    return tuple(name for name in jsons if "keep" in folders[name])


def is_keep_note(record: dict[str, Any]) -> bool:
    """Whether a JSON object is a note of Keep."""
    return len(_KEYS & record.keys()) >= 2


class KeepReader(FileReader):
    """A Takeout with Keep in it, as a zip or unpacked."""

    program = "Google Keep"

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes except those in the trash."""
        for name in self._names:
            try:
                record = self._entries.json(name)
            except ExportRefused as error:
                yield Obstacle(name, str(error))
                continue
            if is_keep_note(record):
                yield from self._note(name, record)

    def _note(self, name: str, record: dict[str, Any]) -> Iterator[ImportedNote | Obstacle]:
        """The note of a file, and before it the attachments that are missing."""
        title = text_value(record, "title").strip()
        if record.get("isTrashed") is True:
            yield Obstacle(title or name, msg("The note is in the trash."))
            return
        parts = _texts(record)
        # Pictures stand below the text, as Keep shows them.
        attachments: list[Attachment] = []
        for attached in json_objects(record.get("attachments")):
            path = text_value(attached, "filePath")
            file = self._entries.similar(posixpath.join(posixpath.dirname(name), path))
            if file is None:
                yield Obstacle(
                    f"{title or name}: {path}", msg("The attachment is not in the export.")
                )
                continue
            attachments.append(self._entries.attachment(file))
            link = f"[{path}]({file_link(file)})"
            if text_value(attached, "mimetype").startswith("image/"):
                link = f"![]({file_link(file)})"
            parts.append(link)
        body = "\n\n".join(filter(None, parts))
        # Keep gives no ids, so the name of the file and its time are the key.
        created = _moment(record.get("createdTimestampUsec"))
        changed = _moment(record.get("userEditedTimestampUsec"))
        fields = {}
        if record.get("isArchived") is True:
            fields["archived"] = "true"
        if record.get("isPinned") is True:
            fields["pinned"] = "true"
        yield ImportedNote(
            key=digest_key(posixpath.basename(name), str(created or "")),
            title=title or first_line(body),
            body=body,
            created=created or changed,
            modified=changed,
            tags=tuple(text_value(label, "name") for label in json_objects(record.get("labels"))),
            attachments=tuple(attachments),
            fields=fields,
        )


def _texts(record: dict[str, Any]) -> list[str]:
    """Parts of the body: the text, the list, and the links that Keep found in them."""
    lines = [text_value(record, "textContent")]
    for item in json_objects(record.get("listContent")):
        sign = "x" if item.get("isChecked") is True else " "
        lines.append(f"- [{sign}] {' '.join(text_value(item, 'text').split())}")
    # A note is a text or a list, and Keep adds the links that it found in it.
    parts = ["\n".join(filter(None, lines))]
    for link in json_objects(record.get("annotations")):
        url = text_value(link, "url")
        words = text_value(link, "title").replace("[", "(").replace("]", ")")
        if url:
            parts.append(f"[{words or url}](<{url}>)")
    return parts


def _moment(microseconds: object) -> dt.datetime | None:
    """A time in microseconds since 1970, as a number or as text; None for anything else."""
    if isinstance(microseconds, str) and microseconds.isdecimal() and len(microseconds) < 20:
        microseconds = int(microseconds)
    if not isinstance(microseconds, int):
        return None
    return parse_timestamp(microseconds / 1_000_000)
