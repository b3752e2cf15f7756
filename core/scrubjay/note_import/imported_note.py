"""Notes and attachments from readers of exports, and the addresses of links between them."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Protocol
from urllib.parse import quote

from msgspec import Struct, field

from scrubjay.errors import ScrubjayError
from scrubjay.messages import msg
from scrubjay.text.age import utc_time

NOTE_LINK = "scrubjay-note:"
"""Scheme of a link to another note of the export, whose quoted key follows."""
FILE_LINK = "scrubjay-file:"
"""Scheme of a link to an attachment of the note itself, whose quoted key follows."""
PROGRAMS = (
    *("Bear", "ChatGPT", "Claude", "Day One", "Evernote", "Google Keep", "Joplin", "Notion"),
    "Simplenote",
    msg("Web pages"),
)
"""Programs that an export may be of, and what it is called otherwise."""
FIELDS = frozenset({"archived", "author", "pinned", "place", "source", "starred"})
"""Lines of the front matter that readers add."""
_SIGNS = re.compile(r"^\s*(?:#{1,6}\s|>|[-*+]\s(?:\[[ xX]\]\s)?)*")


class ExportRefused(ScrubjayError):
    """An export, or a part of it, that cannot be read."""


class Attachment(Struct, frozen=True):
    """A file that belongs to a note."""

    key: str
    """Key by which the links of its note name it."""
    name: str
    """Name as the other program has it, which may not fit a file system."""
    open: Callable[[], BinaryIO]
    """Opener of its bytes, again and again. May raise ExportRefused or OSError."""


class ImportedNote(Struct, frozen=True):
    """One note of an export."""

    key: str
    """Key that is the same each time that the note is exported."""
    title: str
    body: str
    """Markdown with `scrubjay-note:` and `scrubjay-file:` links."""
    folder: tuple[str, ...] = ()
    """Names of its notebooks, outermost first."""
    created: dt.datetime | None = None
    modified: dt.datetime | None = None
    tags: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    """Lines of the front matter besides, with names of `FIELDS`."""


class Obstacle(Struct, frozen=True):
    """A part of an export that is not imported."""

    what: str
    reason: str
    """Sentence that says why."""


class ExportReader(Protocol):
    """An open export."""

    program: str
    """Name of the program that wrote it."""

    def notes(self) -> Iterator[ImportedNote | Obstacle]:
        """The notes in the same order each time, one in memory. May raise ExportRefused.

        The attachments of a note can be opened until the next note is asked for.
        """


def note_link(key: str) -> str:
    """The address of a link to the note with a key or title."""
    return NOTE_LINK + quote(key, safe="", errors="replace")


def file_link(key: str) -> str:
    """The address of a link to the attachment with a key."""
    return FILE_LINK + quote(key, safe="", errors="replace")


def digest_key(*parts: str) -> str:
    """A key for a note whose program gives none."""
    text = "\0".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(text).hexdigest()[:24]


def parse_timestamp(value: object) -> dt.datetime | None:
    """A time in ISO 8601, compact too, or in seconds since 1970; None for anything else.

    One in ISO 8601 keeps its zone, or has none, as the note is dated by what its program wrote.
    """
    # Whatever is not a time of this world raises one of these.
    try:
        if isinstance(value, str):
            return dt.datetime.fromisoformat(value.strip())
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return utc_time(value)
    except (ValueError, OverflowError):
        pass
    return None


def parse_whole_number(digits: str) -> float:
    """A number in JSON: Python refuses to read those of 4,300 digits."""
    if len(digits) < 20:
        return int(digits)
    return float(digits)


def first_line(text: str) -> str:
    """The title of a note that has none of its own: its first line, without signs of Markdown."""
    lines = (_SIGNS.sub("", line).strip(" \t*_") for line in text.splitlines())
    return next(filter(None, lines), "")[:100]


def text_value(record: dict[str, Any], key: str) -> str:
    """A text in JSON; empty if it is anything else."""
    value = record.get(key)
    if not isinstance(value, str):
        return ""
    return value


def text_list(record: dict[str, Any], key: str) -> tuple[str, ...]:
    """The texts of a list in JSON."""
    value = record.get(key)
    if not isinstance(value, list):
        return ()
    return tuple(each for each in value if isinstance(each, str))
