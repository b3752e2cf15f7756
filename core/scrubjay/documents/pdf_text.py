"""Text of PDF files by page."""

from __future__ import annotations

import contextlib
import re

import pypdfium2

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_limits import PAGES_WITHOUT_TEXT
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.office_package import PROTECTED
from scrubjay.messages import fill_template, msg

MAX_PAGES = 5_000
"""Pages of a document."""
_NO_TITLE = re.compile(
    r"untitled|unbenannt|sin t[ií]tulo|\(?(?:anonymous|unspecified)\)?$|microsoft |.*\.\w{2,4}$"
    r"|\W*$|.*[/\\]",
    re.I,
)
"""Titles that programs make up."""
HYPHEN = re.compile("[\x02\ufffe]\r?\n?")
"""PDFium's mark of a hyphen that ends a line inside a word."""
_WRONG_PASSWORD = 4


def open_pdf(data: bytes) -> pypdfium2.PdfDocument:
    """The document. Raises DocumentRefused or PdfiumError."""
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        # Every other error is damage, which the caller tells.
        if getattr(error, "err_code", None) == _WRONG_PASSWORD:
            raise DocumentRefused(PROTECTED) from error
        raise
    count = len(document)
    if count > MAX_PAGES:
        raise DocumentRefused(
            msg(
                "The document has {n} pages, but Scrubjay reads at most {most}.",
                n=count,
                most=MAX_PAGES,
            )
        )
    return document


def read_pdf(data: bytes, text: DocumentText) -> None:
    """Add the text of all pages. Raises DocumentRefused or PdfiumError."""
    document = open_pdf(data)
    count = len(document)
    with contextlib.suppress(ValueError, pypdfium2.PdfiumError):  # not letters
        title = document.get_metadata_value("Title").strip()
        if not _NO_TITLE.match(title):
            text.title = title
        for name in ("Keywords", "Subject"):
            words = document.get_metadata_value(name).strip()
            if not _NO_TITLE.match(words):
                text.add_property(name, words)
    # Each page is a separate part, so that its number is found again.
    empty = 0
    for number in range(count):
        words = page_text(document, number)
        if words.strip():
            text.part("Page", number + 1)
            text.lines(words)
        else:
            empty += 1
    if empty:
        text.remark = fill_template(PAGES_WITHOUT_TEXT, {"n": empty, "all": count})


def page_text(document: pypdfium2.PdfDocument, number: int) -> str:
    """Text of one page; empty for a damaged one."""
    # Pages are closed at once, since each may take megabytes.
    try:
        page = document[number]
        try:
            words = page.get_textpage()
            try:
                return HYPHEN.sub("", words.get_text_range())
            finally:
                words.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return ""
