"""Pictures in documents: pages without text, and picture files. In the child process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pypdfium2

from scrubjay.documents.mail_parts import MailPart, walk_parts
from scrubjay.documents.mail_text import mail_of_apple, mailbox_letters, open_letter
from scrubjay.documents.office_package import Package
from scrubjay.documents.outlook_message import mail_of_outlook
from scrubjay.documents.pdf_text import open_pdf, page_text
from scrubjay.documents.picture_limits import FEWEST_BYTES
from scrubjay.documents.text_layer import is_rubbish
from scrubjay.text.file_kinds import MAIL, document_kind, is_picture

MOST_PICTURES = 2_000
"""Pictures of one document that are read; a thick scanned book has a thousand pages."""
_MOST_BYTES = 96 * 2**20
"""Bytes of all pictures of one document."""


def find_pictures(data: bytes, ending: str) -> tuple[list[dict[str, Any]], bytes]:
    """Descriptions of the pictures in a document, and the bytes of those that are files in a row.

    Raises DocumentRefused, or any error for a damaged document.
    """
    if ending == ".pdf":
        return [{"page": page} for page in _pages(data)], b""
    # Descriptions and bytes of the others are kept in one order.
    described: list[dict[str, Any]] = []
    contents: list[bytes] = []
    left = _MOST_BYTES
    files = _package_files(data)
    if document_kind(ending) == MAIL:
        files = _mail_files(data, ending)
    for name, content in files:
        # Icons, and a logo that stands on each page, are not worth a second look.
        if len(content) < FEWEST_BYTES or content in contents:
            continue
        # A document may consist of nothing but large photographs.
        left -= len(content)
        if left < 0 or len(described) == MOST_PICTURES:
            break
        described.append({"name": name, "size": len(content)})
        contents.append(content)
    return described, b"".join(contents)


def _pages(data: bytes) -> list[int]:
    """Numbers of the pages that have no text, or whose text makes no sense."""
    document = open_pdf(data)
    numbers = (number for number in range(len(document)) if _is_picture(document, number))
    return [number + 1 for number in numbers][:MOST_PICTURES]


def _is_picture(document: pypdfium2.PdfDocument, number: int) -> bool:
    """Whether a page has to be read as a picture."""
    words = page_text(document, number)
    return not words.strip() or is_rubbish(words)


def _package_files(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the pictures in an office file or a book."""
    package = Package(data)
    for name in package.names(""):
        if is_picture(name) and "thumbnail" not in name.lower():
            # Another part may still be read.
            with contextlib.suppress(Exception):
                yield name.rpartition("/")[2], package.read(name)


def _mail_files(data: bytes, ending: str) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the pictures in a file of mail."""
    for part in chain.from_iterable(map(walk_parts, _letters(data, ending))):
        # A photograph from a telephone often comes without a name.
        name = part.file_name
        names = (name, part.kind.replace("/", "."))
        if any(map(is_picture, names)):
            yield name or part.kind, part.content


def _letters(data: bytes, ending: str) -> Iterator[MailPart]:
    """The letters in a file of mail. Raises DocumentRefused."""
    if ending == ".mbox":
        yield from mailbox_letters(data)
    elif ending == ".emlx":
        yield open_letter(mail_of_apple(data))
    elif ending in (".msg", ".oft"):
        yield open_letter(mail_of_outlook(data))
    else:
        yield open_letter(data)
