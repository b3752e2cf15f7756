"""Text of web pages."""

from __future__ import annotations

import codecs
import contextlib
import re

from scrubjay.documents.document_text import DocumentText, clean_line
from scrubjay.text.encodings import text_codec
from scrubjay.text.html_scanner import Attributes
from scrubjay.text.html_walk import BLOCKS, HEADINGS, HIDDEN, walk_html

_HIDDEN = HIDDEN | {"math", "select"}
_BLOCKS = BLOCKS | {"br"}
_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w-]+)""", re.I
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode_page(data: bytes, charset: str = "") -> str:
    """Text of a page by its mark, its own word, UTF-8, or what old programs wrote."""
    # A mark cannot be a mistake; what a page says of itself often is.
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    named = charset
    match = _CHARSET.search(data[:4096])
    if match and not named:
        named = match[1].decode("ascii", "replace")
    for name in (marked, text_codec(named), "utf-8"):
        with contextlib.suppress(UnicodeError):
            if name:
                return data.decode(name).removeprefix("\ufeff")
    return data.decode("cp1252", "replace")


class _PageWriter:
    """Adds the text of a page as it is read."""

    hidden = _HIDDEN

    def __init__(self, text: DocumentText, *, below: int) -> None:
        """Headings have so many levels more."""
        self.titles: list[str] = []
        """Texts of the title elements."""
        self._text = text
        self._below = below
        self._words: list[str] = []
        """Pieces of the paragraph that is read."""
        self._lead = ""
        """Mark of the list item that the paragraph begins."""
        self._level = 0
        """Level of the heading that is read; 0 for none."""
        self._cells: list[str] | None = None
        """Cells of the row that is read; None outside of tables."""
        self._is_first_row = True
        self._in_title = False
        self._in_code = False

    def start(self, tag: str, attributes: Attributes) -> None:
        """Begin an element."""
        match tag:
            case "title":
                self._in_title = True
            case "meta" if attributes.get("name", "").lower() == "keywords":
                self._text.add_property("Keywords", attributes.get("content", ""))
            case "img":
                self._words.append(f" {attributes.get('alt', '')} ")
            case "table":
                self._flush()
                self._text.blank()
                self._is_first_row = True
            case "tr":
                self._end_row()
                self._cells = []
            case _ if self._cells is None:
                self._start_paragraph(tag)
            case "td" | "th":
                self._end_cell()
            case _ if tag in _BLOCKS:
                # Blocks in a cell of a table stay on its line.
                self._words.append(" ")

    def end(self, tag: str) -> None:
        """End an element; where nothing began it, a paragraph ends all the same."""
        match tag:
            case "title":
                self._in_title = False
            case "tr":
                self._end_row()
            case "table":
                self._end_row()
                self._text.blank()
            case _ if self._cells is not None:
                return
            case "li" | "pre":
                self._flush()
            case _ if tag in HEADINGS or tag in _BLOCKS:
                self._flush()

    def add_text(self, text: str) -> None:
        """Add a piece of the paragraph, or of the title."""
        if self._in_title:
            self.titles.append(text)
        else:
            self._words.append(text)

    def finish(self) -> None:
        """Add what no tag has ended."""
        self._end_row()
        self._flush()

    def _start_paragraph(self, tag: str) -> None:
        """Begin a paragraph, heading, list item or block of code."""
        match tag:
            case "pre":
                self._flush()
                self._in_code = True
            case "li":
                self._flush()
                self._lead = "- "
            case _ if tag in HEADINGS:
                self._flush()
                self._level = HEADINGS[tag] + self._below
            case _ if tag in _BLOCKS and not self._in_code:
                self._flush()

    def _flush(self) -> None:
        """Add the paragraph that was read."""
        words = "".join(self._words)
        self._words.clear()
        if self._in_code:
            self._text.fenced(words)
        elif self._level:
            self._text.heading(self._level, words)
        else:
            self._text.paragraph(words, self._lead)
        # The text of an item may stand in a paragraph of its own.
        if self._lead and not words.strip():
            return
        self._in_code = False
        self._level = 0
        self._lead = ""

    def _end_cell(self) -> None:
        """Keep the cell that was read; what stands before the first one is its beginning."""
        if self._cells is None:
            return
        words = "".join(self._words)
        if self._cells or words.strip():
            self._cells.append(clean_line(words))
            self._words.clear()
        else:
            self._cells.append("")

    def _end_row(self) -> None:
        """Add the row that was read, if one is open."""
        if self._cells is None:
            return
        # The first entry is what stood before the first cell.
        cells = [*self._cells[1:], clean_line("".join(self._words))]
        self._words.clear()
        self._text.row(cells, is_first=self._is_first_row)
        self._is_first_row = False
        self._cells = None


def add_page(page: str, text: DocumentText, *, below: int = 0) -> str:
    """Add the text of a page; the result is its title."""
    text.tags.spend(page.count("<"))
    writer = _PageWriter(text, below=below)
    walk_html(page, writer)
    writer.finish()
    return clean_line("".join(writer.titles))


def read_html(data: bytes, text: DocumentText) -> None:
    """Add the text of a web page."""
    text.title = add_page(decode_page(data), text) or text.title
