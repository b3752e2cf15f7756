"""Text of web pages and of EPUB books."""

from __future__ import annotations

import codecs
import contextlib
import re

from scrubjay.documents.document_kinds import DocumentRefused
from scrubjay.documents.document_text import DocumentText, one_line
from scrubjay.documents.packages import Package, leaving_out_damage, resolved
from scrubjay.messages import msg
from scrubjay.text.html_scanner import Attributes, HtmlScanner
from scrubjay.text.text_kinds import text_codec

_HIDDEN = frozenset({"script", "style", "template", "svg", "math", "object", "select", "noscript"})
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "figure", "dl"}
    | {"dt", "dd", "ul", "ol", "blockquote", "address", "figcaption", "form", "hr", "body", "br"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w-]+)""", re.I
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(data: bytes, charset: str = "") -> str:
    """Text of a page by its mark, its own word, UTF-8, or what old programs wrote."""
    match = _CHARSET.search(data[:4096])
    named = charset or (match[1].decode("ascii", "replace") if match else "")
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    for name in (marked, text_codec(named), "utf-8"):
        with contextlib.suppress(UnicodeError):
            if name:
                return data.decode(name).removeprefix("\ufeff")
    return data.decode("cp1252", "replace")


class _Page(HtmlScanner):
    """Adds the text of a page as it is read."""

    def __init__(self, text: DocumentText, *, below: int) -> None:
        """Headings have so many levels more."""
        self.titles: list[str] = []
        """Of the page itself."""
        self._text = text
        self._below = below
        self._words: list[str] = []
        self._hidden: list[str] = []
        self._lead = ""
        self._level = 0
        self._cells: list[str] | None = None
        """Of the row that is read; None outside of tables."""
        self._is_first_row = True
        self._in_title = self._in_code = False

    def handle_start(self, tag: str, attributes: Attributes) -> None:
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.append(tag)
        elif tag in _HIDDEN:
            self._hidden.append(tag)
        elif tag == "title":
            self._in_title = True
        elif tag == "img":
            self._words.append(f" {attributes.get('alt', '')} ")
        elif tag == "table":
            self._flush()
            self._text.blank()
            self._is_first_row = True
        elif tag == "tr":
            self._row()
            self._cells = []
        elif self._cells is not None and tag in ("td", "th"):
            self._cell()
        elif self._cells is not None:
            self._words.append(" " if tag in _BLOCKS else "")
        elif tag == "pre":
            self._flush()
            self._in_code = True
        elif tag in _HEADINGS:
            self._flush()
            self._level = _HEADINGS[tag] + self._below
        elif tag == "li":
            self._flush()
            self._lead = "- "
        elif tag in _BLOCKS and not self._in_code:
            self._flush()

    def handle_end(self, tag: str) -> None:
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.pop()
        elif tag == "title":
            self._in_title = False
        elif tag in ("tr", "table"):
            self._row()
            if tag == "table":
                self._text.blank()
        elif self._cells is None and (tag in _HEADINGS or tag in _BLOCKS or tag in ("li", "pre")):
            self._flush()

    def handle_text(self, text: str) -> None:
        if self._in_title:
            self.titles.append(text)
        elif not self._hidden:
            self._words.append(text)

    def end(self) -> None:
        """Add what no tag has ended."""
        self._row()
        self._flush()

    def _flush(self) -> None:
        words = "".join(self._words)
        self._words.clear()
        if self._in_code:
            self._text.fenced(words)
        elif self._level:
            self._text.heading(self._level, words)
        else:
            self._text.paragraph(words, self._lead)
        if self._lead and not words.strip():
            return  # the text of an item may stand in a paragraph of its own
        self._in_code, self._level, self._lead = False, 0, ""

    def _cell(self) -> None:
        if self._cells is not None and (self._cells or "".join(self._words).strip()):
            self._cells.append(one_line("".join(self._words)))
            self._words.clear()
        elif self._cells is not None:
            self._cells.append("")

    def _row(self) -> None:
        if self._cells is None:
            return
        cells = [*self._cells[1:], one_line("".join(self._words))]
        self._words.clear()
        self._text.row(cells, is_first=self._is_first_row)
        self._is_first_row, self._cells = False, None


def add_page(page: str, text: DocumentText, *, below: int = 0) -> str:
    """Add the text of a page; the result is its title."""
    text.count_tags(page.count("<"))
    scanner = _Page(text, below=below)
    scanner.scan(page)
    scanner.end()
    return one_line("".join(scanner.titles))


def read_html(data: bytes, text: DocumentText) -> None:
    """Add the text of a web page."""
    text.title = add_page(decoded(data), text) or text.title


def read_epub(data: bytes, text: DocumentText) -> None:
    """Add the text of each chapter of a book."""
    package = Package(data)
    if "META-INF/rights.xml" in package:
        raise DocumentRefused(msg("It is protected against copying."))
    roots = package.xml("META-INF/container.xml").iter("rootfile")
    main = next((root.get("full-path", "") for root in roots), "")
    book = package.xml(main)
    text.title = next((title.text or "" for title in book.iter("title")), "")
    files = {item.get("id", ""): resolved(main, item.get("href", "")) for item in book.iter("item")}
    number = 0
    for item in book.iter("itemref"):
        name = files.get(item.get("idref", ""), "")
        if not package.is_unread(name):
            continue
        chapter = text.new_part()
        title = ""
        with leaving_out_damage(chapter):
            title = add_page(decoded(package.read(name)), chapter, below=1)
        if not chapter.is_empty:
            number += 1
            text.part("Chapter", number, title if title != text.title else "")
        text.end_part(chapter)
