"""Joplin's `.jex`: a tar with a Markdown file for each note, notebook, tag and attachment.

Each ends with lines of `key: value`, `type_` being the kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from scrubjay.messages import msg
from scrubjay.note_import.export_files import Entries
from scrubjay.note_import.html_markdown import html_to_markdown
from scrubjay.note_import.imported_note import (
    ExportRefused,
    ImportedNote,
    Obstacle,
    file_link,
    note_link,
    parse_timestamp,
)
from scrubjay.note_import.readers.evernote_html import standard_html

NAME = re.compile(r"(?:^|/)([0-9a-f]{32})\.md$")
_NOTE = "1"
"""The kind of a note."""
_LINK = re.compile(r"(?<=\]\():/([0-9a-f]{32})")
_PICTURE = re.compile(
    r"<img[^<>]{0,500}?src=[\"']:/([0-9a-f]{32})[\"'][^<>]{0,500}>", re.IGNORECASE
)
_MOST_NESTED = 32
"""Notebooks in notebooks: a circle of them has no end."""


class _Item(Struct):
    """A file of the export."""

    # The kind decides what the fields mean.
    title: str
    body: str
    fields: dict[str, str]

    @property
    def kind(self) -> str:
        return self.fields.get("type_", "")


class JoplinReader:
    """A `.jex` file, or a folder of Joplin's RAW export."""

    program = "Joplin"

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        matches = [NAME.search(name) for name in entries.names]
        self._files = {match[1]: match.string for match in matches if match}
        """Id -> file."""
        # Filled by a first look at all files, whose order says nothing.
        self._folders: dict[str, tuple[str, str]] = {}
        """Id -> name and id of the notebook around it."""
        self._tags: dict[str, str] = {}
        self._tagged: dict[str, list[str]] = defaultdict(list)
        """Note -> ids of its tags."""
        self._resources: dict[str, str] = {}
        """Id -> name as the person knows it."""

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes, after all that they refer to is read."""
        self._paths = {
            PurePosixPath(name).stem: name for name in self._entries.names if "resources/" in name
        }
        # Each text is read twice, so that only one is in memory.
        notes = []
        for key, name in self._files.items():
            try:
                item = _item(self._entries.text(name))
            except ExportRefused as error:
                yield Obstacle(name, str(error))
                continue
            if item.kind == _NOTE:
                notes.append((key, name))
            self._learn(key, item)
        for key, name in notes:
            try:
                yield self._note(key, _item(self._entries.text(name)))
            except ExportRefused as error:
                yield Obstacle(name, str(error))

    def _learn(self, key: str, item: _Item) -> None:
        """Remember what notes refer to."""
        fields = item.fields
        # Kinds have numbers in Joplin, of which these are read.
        match item.kind:
            case "2":  # a notebook
                self._folders[key] = (item.title, fields.get("parent_id", ""))
            case "4":  # an attachment
                self._resources[key] = item.title
            case "5":  # a tag
                self._tags[key] = item.title
            case "6":  # a tag of a note
                self._tagged[fields.get("note_id", "")].append(fields.get("tag_id", ""))

    def _note(self, key: str, item: _Item) -> ImportedNote | Obstacle:
        """The note of a file, with the attachments that it links to."""
        fields = item.fields
        if fields.get("encryption_applied") == "1":
            return Obstacle(item.title or key, msg("The note is encrypted."))
        if fields.get("deleted_time", "0") not in ("0", ""):
            return Obstacle(item.title, msg("The note is in the trash."))
        files: dict[str, str] = {}
        body = self._body(item, files)
        # The title of a task is the task itself, so that it stands in the text with its box.
        if fields.get("is_todo") == "1":
            is_done = fields.get("todo_completed", "0") not in ("0", "")
            body = f"- [{'x' if is_done else ' '}] {item.title}\n\n{body}"
        tags = (self._tags.get(tag, "") for tag in self._tagged.get(key, ()))
        return ImportedNote(
            key=key,
            title=item.title,
            body=body,
            folder=self._path(fields.get("parent_id", "")),
            created=parse_timestamp(fields.get("user_created_time") or fields.get("created_time")),
            modified=parse_timestamp(fields.get("user_updated_time") or fields.get("updated_time")),
            tags=tuple(filter(None, tags)),
            attachments=tuple(
                self._entries.attachment(name, resource, self._name(resource, name))
                for resource, name in files.items()
            ),
            fields={"source": fields.get("source_url", ""), "author": fields.get("author", "")},
        )

    def _body(self, item: _Item, files: dict[str, str]) -> str:
        """The text with its links rewritten; adds the attachments that they name to files."""

        def address(resource: str) -> str:
            if resource in self._paths:
                files[resource] = self._paths[resource]
                return file_link(resource)
            return note_link(resource)

        def html_address(_element: str, url: str) -> str:
            if url.startswith(":/"):
                return address(url.removeprefix(":/"))
            return url

        # Notes are in Markdown, with pictures in HTML now and then, or wholly in HTML.
        if item.fields.get("markup_language") == "2":
            return html_to_markdown(item.body, html_address, standard_html)
        body = _PICTURE.sub(lambda match: f"![]({address(match[1])})", item.body)
        return _LINK.sub(lambda match: address(match[1]), body)

    def _name(self, resource: str, file: str) -> str:
        """The name of an attachment, with the ending of its file where it has none."""
        # A name without an ending would open in no program.
        title = self._resources.get(resource, "")
        if not title:
            return PurePosixPath(file).name
        if PurePosixPath(title).suffix:
            return title
        return title + PurePosixPath(file).suffix

    def _path(self, folder: str) -> tuple[str, ...]:
        """The names of a notebook and those around it, outermost first."""
        names: list[str] = []
        while folder in self._folders and len(names) < _MOST_NESTED:
            name, folder = self._folders[folder]
            names.insert(0, name)
        return tuple(names)


def _item(text: str) -> _Item:
    """The item in a file: its first line is the title, the last ones after a blank are fields."""
    # The fields are the last block, and the text before may have blank lines, too.
    text = text.replace("\r\n", "\n").rstrip("\n")
    content, _, tail = text.rpartition("\n\n")
    fields = {
        key.strip(): value.strip()
        for key, colon, value in (line.partition(":") for line in tail.split("\n"))
        if colon
    }
    title, _, body = content.partition("\n")
    return _Item(title.strip(), body.strip("\n"), fields)
