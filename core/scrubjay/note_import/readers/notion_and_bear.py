"""Exports with a file for each note: Notion, Bear, and HTML pages of Apple Notes or OneNote."""

from __future__ import annotations

import base64
import binascii
import csv
import io
import posixpath
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, unquote, unquote_to_bytes, urlsplit

from msgspec import Struct, field

from scrubjay.messages import msg
from scrubjay.note_import.export_files import Entries
from scrubjay.note_import.export_limits import MOST_TEXT
from scrubjay.note_import.html_markdown import html_title, html_to_markdown
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
    text_value,
)
from scrubjay.note_import.markdown_lines import table_lines
from scrubjay.note_import.readers.evernote_html import standard_html

NOTION_NAME = re.compile(r" ?([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_all)?$")
_LINK = re.compile(
    r"(!?\[[^\[\]\n]{0,1000}\]\()(?:<([^<>\n]{1,2000})>|([^()\s]{1,2000}(?:\([^()\s]*\)[^()\s]*)?))(\s+\"[^\"\n]*\")?\)"
)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")
_DATA = re.compile(r"data:(image|application|audio)/([\w.+-]+)((?:;[\w=-]+)*),(.*)", re.DOTALL)
_CREATED = re.compile(
    r"<meta\s[^<>]{0,200}?name=[\"'](created|modified|date)[\"'][^<>]{0,100}?content=[\"']([^\"'<>]{1,60})",
    re.IGNORECASE,
)
_PROPERTY = re.compile(r"([A-Z][\w ()/-]{0,60}): (.+)$")
_NOTION_DATES = ("%B %d, %Y %I:%M %p", "%B %d, %Y", "%d %B %Y %H:%M", "%Y-%m-%d", "%Y/%m/%d %H:%M")
_MOST_NAMED = 5
"""Files that are named where several have no page."""
_BEAR = "net.shinyfrog.bear"
_BEAR_LINK = re.compile(r"\]\((bear://[^()\s]+)\)")


class _Links(Struct):
    """Addresses in one file of an export: attachments of the note, and other notes."""

    entries: Entries
    name: str
    """Name of the file."""
    key_of: Callable[[str], str]
    """Function for the key of the note in a file; empty if there is none."""
    attachments: dict[str, Attachment] = field(default_factory=dict)

    def address(self, _element: str, url: str) -> str:
        """The address to write for one in the file."""
        if url.startswith("data:"):
            return self._embedded(url)
        if not url or _SCHEME.match(url):
            return url
        # Links are relative to the file, in which OneNote writes them as Windows does.
        path = unquote(urlsplit(url.replace("\\", "/")).path, errors="replace")
        folder = posixpath.dirname(self.name)
        file = self.entries.similar(posixpath.normpath(posixpath.join(folder, path)).lstrip("/"))
        if file is None:
            return url
        key = self.key_of(file)
        if key:
            return note_link(key)
        self.attachments[file] = self.entries.attachment(file)
        return file_link(file)

    def in_markdown(self, text: str) -> str:
        """Markdown with all of its addresses rewritten."""

        def link(match: re.Match[str]) -> str:
            address = self.address("a", match[2] or match[3])
            if " " in address:
                address = f"<{address}>"
            return f"{match[1]}{address}{match[4] or ''})"

        return _LINK.sub(link, text)

    def in_property(self, text: str) -> str:
        """The value of a property, with links to the files that it names, between commas."""
        parts: list[str] = []
        for part in text.split(", "):
            address = self.address("a", part)
            if address != part:
                name = posixpath.basename(unquote(part)).replace("[", "(").replace("]", ")")
                part = f"[{name}]({address})"
            parts.append(part)
        return ", ".join(parts)

    def _embedded(self, url: str) -> str:
        """The address of a file whose bytes are in the page; empty if they are damaged."""
        match = _DATA.match(url)
        if match is None:
            return ""
        data = unquote_to_bytes(match[4])
        if ";base64" in match[3]:
            try:
                data = base64.b64decode(b"".join(data.split()), validate=True)
            except (binascii.Error, ValueError):
                return ""
        suffix = {"jpeg": "jpg", "svg+xml": "svg"}.get(match[2], match[2])
        if not suffix.isalnum() or not suffix.isascii():
            suffix = "bin"
        # Such a file has no name, so that it gets a number.
        noun = "picture" if match[1] == "image" else "file"
        name = f"{noun} {len(self.attachments) + 1}.{suffix}"
        key = digest_key(match[4])
        self.attachments[key] = Attachment(key, name, lambda: io.BytesIO(data))
        return file_link(key)


class PageReader:
    """The pages of a folder or archive, one note each."""

    def __init__(self, entries: Entries, names: tuple[str, ...], program: str) -> None:
        self.program = program
        self._entries = entries
        self._names = names
        self._keys = {name: self._key(name) for name in names}
        self._linked: set[str] = set()
        """Names of the files that notes have as attachments."""
        self._common = posixpath.commonpath([posixpath.dirname(name) for name in names])

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes, and the files that could not be read."""
        for name in self._names:
            links = _Links(self._entries, name, lambda file: self._keys.get(file, ""))
            try:
                note = self._note(name, links)
                self._linked.update(links.attachments)
                yield note
            except ExportRefused as error:
                yield Obstacle(name, str(error))

    def _key(self, name: str) -> str:
        """The key of the note in a file."""
        return digest_key(name)

    def _folder(self, name: str) -> tuple[str, ...]:
        """The folders of a file below the one that all files are in."""
        below = posixpath.dirname(name).removeprefix(self._common)
        return tuple(filter(None, below.split("/")))

    def _note(self, name: str, links: _Links) -> ImportedNote:
        """The note in a file. Raises ExportRefused."""
        html = self._entries.text(name)
        body = html_to_markdown(html, links.address, standard_html)
        # The title of a page, else the name of its file, else its first words.
        stem = posixpath.basename(name).rpartition(".")[0]
        title = html_title(html, "") or stem or first_line(body)
        times = {
            match[1].lower(): parse_timestamp(match[2])
            for match in _CREATED.finditer(html[:100_000])
        }
        return ImportedNote(
            key=self._keys[name],
            title=title,
            body=body,
            folder=self._folder(name),
            created=times.get("created") or times.get("date"),
            modified=times.get("modified"),
            attachments=tuple(links.attachments.values()),
        )


class NotionReader(PageReader):
    """Notion's zip of Markdown and CSV, or of HTML."""

    def __init__(self, entries: Entries, names: tuple[str, ...]) -> None:
        # A database comes with the rows of one view, too.
        whole = {name for name in names if name.endswith("_all.csv")}
        kept = [name for name in names if f"{name.removesuffix('.csv')}_all.csv" not in whole]
        super().__init__(entries, tuple(kept), "Notion")
        for name in names:
            self._keys.setdefault(name, self._key(name))

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The pages, and the files that none of them has."""
        yield from super().notes()
        known = {*self._keys, *self._linked}
        lost = [name for name in self._entries.names if name not in known and _is_file(name)]
        if lost:
            names = ", ".join(posixpath.basename(name) for name in lost[:_MOST_NAMED])
            reason = msg(
                "{n} {n:file|files} not linked from any page {n:is|are} not imported.", n=len(lost)
            )
            yield Obstacle(names, reason)

    def _key(self, name: str) -> str:
        match = NOTION_NAME.search(posixpath.basename(name).rpartition(".")[0])
        if match is None:
            return digest_key(name)
        return match[1].replace("-", "")

    def _folder(self, name: str) -> tuple[str, ...]:
        return tuple(NOTION_NAME.sub("", part) or part for part in super()._folder(name))

    def _note(self, name: str, links: _Links) -> ImportedNote:
        # The name of a file is its title with an id.
        stem, _, ending = posixpath.basename(name).rpartition(".")
        title = NOTION_NAME.sub("", stem).strip()
        text = self._entries.text(name).replace("\r\n", "\n")
        fields: dict[str, str] = {}
        # A database is a table, and a page is in one of two languages.
        match ending.lower():
            case "csv":
                body = _table(text)
            case "html" | "htm":
                title = html_title(text, title) or title
                body = html_to_markdown(text, links.address, standard_html)
                body = body.removeprefix(f"# {title}").lstrip("\n")
            case _:
                heading, _, rest = text.partition("\n")
                if heading.startswith("# "):
                    title = heading[2:].strip() or title
                    text = rest.lstrip("\n")
                fields, text = _properties(text)
                body = links.in_markdown(text)
        # Some properties are tags or times; the others stay as lines above the text.
        tags = next((fields.pop(key) for key in ("Tags", "tags", "Etiquetas") if key in fields), "")
        created = [_date(fields.pop(key, "")) for key in ("Created", "Created time")]
        edited = [_date(fields.pop(key, "")) for key in ("Last edited time", "Last Edited Time")]
        lines = [f"{key}: {links.in_property(value)}" for key, value in fields.items()]
        return ImportedNote(
            key=self._keys[name],
            title=title,
            body="\n\n".join(filter(None, ("  \n".join(lines), body.strip("\n")))),
            folder=self._folder(name),
            created=next(filter(None, created), None),
            modified=next(filter(None, edited), None),
            tags=tuple(filter(None, (tag.strip() for tag in tags.split(",")))),
            attachments=tuple(links.attachments.values()),
        )


def _is_file(name: str) -> bool:
    """Whether a name is that of a file of a person, and not what systems leave in archives."""
    return not name.startswith("__MACOSX/") and not posixpath.basename(name).startswith(".")


class BearReader(PageReader):
    """Bear's `.bear2bk`, or textbundles."""

    def _note(self, name: str, links: _Links) -> ImportedNote:
        folder = posixpath.dirname(name)
        info: dict[str, Any] = {}
        if f"{folder}/info.json".lstrip("/") in self._entries:
            info = self._entries.json(f"{folder}/info.json".lstrip("/"))
        # Bear 2 has its fields in their own object.
        own = info.get(_BEAR)
        bear = info
        if isinstance(own, dict):
            bear = own
        if bear.get("trashed") in (1, True):
            raise ExportRefused(msg("The note is in the trash."))
        text = self._entries.text(name).replace("\r\n", "\n")
        title = first_line(text) or posixpath.basename(folder).removesuffix(".textbundle")
        body = _BEAR_LINK.sub(_bear_link, links.in_markdown(text))
        fields = {}
        if bear.get("pinned") in (1, True):
            fields["pinned"] = "true"
        return ImportedNote(
            key=text_value(bear, "uniqueIdentifier") or digest_key(folder),
            title=title,
            body=body,
            created=parse_timestamp(bear.get("creationDate")),
            modified=parse_timestamp(bear.get("modificationDate")),
            attachments=tuple(links.attachments.values()),
            fields=fields,
        )


def _bear_link(match: re.Match[str]) -> str:
    """The end of a link to another note, by the id in Bear's address."""
    ids = parse_qs(urlsplit(match[1]).query).get("id", [])
    return f"]({note_link(''.join(ids))})"


def _properties(text: str) -> tuple[dict[str, str], str]:
    """Properties of a page in a database, which stand above its text, and the text."""
    # Any other line among them means that it is text.
    block, _, rest = text.partition("\n\n")
    matches = [_PROPERTY.match(line) for line in block.splitlines()]
    if not matches or not all(matches):
        return {}, text
    return {match[1]: match[2].strip() for match in matches if match}, rest


def _date(text: str) -> datetime | None:
    """A time as Notion writes it in its languages, or in ISO 8601; None for anything else."""
    # Notion writes the months of the language that was set when the export was made.
    for layout in _NOTION_DATES:
        try:
            return datetime.strptime(text.strip(), layout)
        except ValueError:
            continue
    return parse_timestamp(text)


def _table(text: str) -> str:
    """A table of CSV in Markdown; empty without rows. Raises ExportRefused."""
    # The library's limit is that of a cell, ours is that of the note.
    csv.field_size_limit(MOST_TEXT)
    try:
        rows = [
            [" ".join(cell.replace("|", "\\|").split()) for cell in row]
            for row in csv.reader(io.StringIO(text))
            if row
        ]
    except csv.Error as error:
        raise ExportRefused(msg("The table is damaged")) from error
    if not rows:
        return ""
    return "\n".join(table_lines(rows))
