"""The walk through a page of HTML, for writers that convert it to text.

It takes linear time, like the scanner.
"""

from __future__ import annotations

from typing import Protocol

from scrubjay.text.html_scanner import Attributes, HtmlScanner

HIDDEN = frozenset({"script", "style", "template", "svg", "object", "noscript"})
"""Elements whose text no reader of a page sees."""
HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""Elements of headings, and their levels."""
BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "figcaption",
        "figure", "footer", "form", "header", "hr", "main", "nav", "ol", "p", "section", "ul",
    }
)  # fmt: skip
"""Elements that begin a line and end one, but for headings, tables, items and code."""


class HtmlWriter(Protocol):
    """Builds a text from the tags and texts of a page."""

    @property
    def hidden(self) -> frozenset[str]:
        """Elements that are left out with all that is in them."""

    def start(self, tag: str, attributes: Attributes) -> None:
        """Take a start tag, in lower case."""

    def end(self, tag: str) -> None:
        """Take an end tag, which may have no start tag."""

    def add_text(self, text: str) -> None:
        """Take the text between two tags."""


def walk_html(page: str, writer: HtmlWriter) -> None:
    """Hand a page to a writer without what is hidden. Never raises, whatever the page is."""
    _Walk(writer).scan(page)


class _Walk(HtmlScanner):
    """Hands what is not hidden on to a writer."""

    def __init__(self, writer: HtmlWriter) -> None:
        self._writer = writer
        self._hidden = writer.hidden
        self._hiding = ""
        """Element that hides what follows; empty for none."""
        self._depth = 0
        """Number of elements of its name that are open, it included."""

    def handle_start(self, tag: str, attributes: Attributes) -> None:
        if self._hiding:
            if tag == self._hiding:
                self._depth += 1
        elif tag in self._hidden:
            self._hiding = tag
            self._depth = 1
        else:
            self._writer.start(tag, attributes)

    def handle_end(self, tag: str) -> None:
        if not self._hiding:
            self._writer.end(tag)
        elif tag == self._hiding:
            self._depth -= 1
            if not self._depth:
                self._hiding = ""

    def handle_text(self, text: str) -> None:
        if not self._hiding:
            self._writer.add_text(text)
