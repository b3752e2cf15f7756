"""Kinds of documents by the end of their names, and the numbered parts of their text."""

from __future__ import annotations

import re

PDF = "pdf"
DOCUMENT = "document"
MAIL = "mail"
_KINDS = {
    ".pdf": PDF,
    ".docx": DOCUMENT,
    ".odt": DOCUMENT,
    ".pptx": DOCUMENT,
    ".xlsx": DOCUMENT,
    ".html": DOCUMENT,
    ".htm": DOCUMENT,
    ".epub": DOCUMENT,
    ".rtf": DOCUMENT,
    ".ipynb": DOCUMENT,
    ".eml": MAIL,
    ".mbox": MAIL,
}
_PART = re.compile(r"# (Page|Slide|Sheet|Chapter|Message) (\d+)(?:$|: | > )")
"""Headings of the first level that only the conversion writes, also with those below them."""


NOTE = "note"
CONVERSATION = "conversation"
KINDS = (NOTE, PDF, DOCUMENT, MAIL, CONVERSATION)
"""Kinds that `kind:` in a question may name."""


class DocumentRefused(Exception):
    """The file gives no text; the message says why in one sentence."""


class ConversionFailed(Exception):
    """The child gave up, which may not happen again; the message says how in one sentence."""


def document_kind(name: str) -> str:
    """Kind of a document by the end of its name; empty for other files."""
    dot = name.rfind(".")
    if dot < 0:
        return ""
    return _KINDS.get(name[dot:].lower(), "")


def endings_of(kind: str) -> tuple[str, ...]:
    """The ends of the names of documents of a kind, or of all where it is empty."""
    return tuple(ending for ending, own in _KINDS.items() if kind in ("", own))


def part_heading(kind: str, number: int, name: str = "") -> str:
    """The line above a page, slide, sheet, chapter or message."""
    if not name:
        return f"# {kind} {number}"
    return f"# {kind} {number}: {name}"


def split_part(path: str) -> tuple[str, int | None]:
    """A path such as `report.pdf#p3` without its end, and the number in it."""
    name, mark, number = path.rpartition("#p")
    if mark and number.isascii() and number.isdigit() and document_kind(name):
        return name, int(number)
    return path, None


def part_number(line: str) -> int | None:
    """The number in such a line; None for any other line."""
    match = _PART.match(line)
    if match is None:
        return None
    return int(match[2])
