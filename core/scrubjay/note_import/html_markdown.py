"""HTML of notes as Markdown.

This is our own small writer, because note programs write a dozen elements, and their check boxes,
attachments and links need rules that libraries do not have. Elements that only one program writes
are first converted to HTML by the reader for that program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import unescape

from msgspec import Struct

from scrubjay.note_import.imported_note import first_line
from scrubjay.note_import.markdown_lines import MarkdownLines, MarkdownList, MarkdownTable
from scrubjay.text.html_scanner import Attributes
from scrubjay.text.html_walk import BLOCKS, HEADINGS, HIDDEN, walk_html

Address = Callable[[str, str], str]
"""The address to write for one in the HTML, which is given with its element: `a`, `img`, or `embed`
for an attachment that is not a picture. Empty for a link to leave out."""
Standard = Callable[[str, Attributes], tuple[str, Attributes]]
"""The element of HTML, with its attributes, that says the same as one of a program."""

_HIDDEN = HIDDEN | {"title"}
_VOID = frozenset({"br", "hr", "img", "embed", "input", "meta", "link", "col", "wbr"})
"""Elements that hold nothing and have no end tag."""
_BLOCKS = BLOCKS | {*HEADINGS, "li", "table", "tr", "pre", "details", "summary"}
_MARKS = {
    "b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "strike": "~~", "del": "~~",
    "mark": "==", "code": "`", "tt": "`",
}  # fmt: skip
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_SPECIAL = re.compile(r"([\\`*\[\]]|(?<!\w)_|_(?!\w)|~(?=~)|<(?=[a-zA-Z/!?])|&(?=#?\w+;))")
"""Characters that would mean something else in Markdown."""
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+>](?=\s|$)|=+$|-{3,}$|\d{1,9}(?=[.)](\s|$)))")
"""Beginnings of lines that would mean something else in Markdown."""
_NUMBER_START = re.compile(r"^\\(\d+)")
_CHECKED = {True: "[x] ", False: "[ ] "}
_INNERMOST = 64
"""Number of open elements among which that of an end tag is looked for; a page of nothing but
start tags would take the square of the time otherwise."""


def html_to_markdown(
    html: str,
    address: Address = lambda _, url: url,
    standard: Standard = lambda tag, attributes: (tag, attributes),
) -> str:
    """Markdown of the text in HTML. Never raises for damaged HTML."""
    writer = _MarkdownWriter(address, standard)
    walk_html(html, writer)
    return writer.markdown()


def html_title(html: str, markdown: str) -> str:
    """The text of the title element, otherwise the first line."""
    match = re.search(r"<title[^<>]{0,200}>([^<]{1,500})</title", html[:200_000], re.IGNORECASE)
    if match is None:
        return first_line(markdown)
    return " ".join(unescape(match[1]).split())


class _Open(Struct, frozen=True):
    """An element that is open."""

    written: str
    """Name in the page, by which its end tag ends it."""
    tag: str
    """Name of the element of HTML that it stands for."""


class _MarkdownWriter:
    """Writes lines; every element is open until its end tag or that of one around it."""

    hidden = _HIDDEN

    def __init__(self, address: Address, standard: Standard) -> None:
        self._address = address
        self._standard = standard
        self._out = MarkdownLines()
        self._open: list[_Open] = []
        self._tables: list[MarkdownTable] = []
        """Tables that are open, the outermost first."""
        self._marked: Counter[str] = Counter()
        """Number of open elements of each mark; the outermost counts."""

    def markdown(self) -> str:
        """All of it, with what no tag has ended."""
        while self._open:
            self._end(self._open.pop().tag)
        return self._out.text()

    def start(self, tag: str, attributes: Attributes) -> None:
        """Begin an element."""
        written = tag
        # An end tag has the name that the page wrote, whatever the element stands for.
        tag, attributes = self._standard(tag, attributes)
        if tag not in _VOID:
            self._open.append(_Open(written, tag))
        # Blocks in a cell of a table stay on its line.
        if tag in _BLOCKS:
            if self._out.is_cell:
                self._out.line.add(" ")
            else:
                self._start_block(tag, attributes)
        self._start_inline(tag, attributes)

    def end(self, tag: str) -> None:
        """End an element and all in it. An end tag without its start tag ends nothing."""
        innermost_first = reversed(self._open[-_INNERMOST:])
        if not any(each.written == tag for each in innermost_first):
            return
        while self._open:
            innermost = self._open.pop()
            self._end(innermost.tag)
            if innermost.written == tag:
                return

    def add_text(self, text: str) -> None:
        """Add text as its characters are, not as marks."""
        if self._out.code_depth:
            self._add_code(text)
            return
        line = self._out.line
        text = _SPACE.sub(" ", text.replace("\xa0", " "))
        if self._open and self._open[-1].tag in ("code", "tt"):
            line.add(text.replace("`", "'"))
            return
        text = _SPECIAL.sub(r"\\\1", text)
        if self._out.is_cell:
            text = text.replace("|", "\\|")
        if line.is_blank:
            # In a number the backslash stands before the full stop.
            text = _LINE_START.sub(r"\\\1", text.lstrip())
            text = _NUMBER_START.sub(r"\1\\", text)
        if text and not (text == " " and line.is_empty):
            line.add(text)

    def _add_code(self, text: str) -> None:
        """Add lines of a program as they are."""
        # Nothing is escaped in code, since Markdown reads nothing in it.
        first, *others = text.replace("\r\n", "\n").replace("\xa0", " ").split("\n")
        self._out.line.add(first)
        for other in others:
            self._out.break_line()
            self._out.line.add(other)

    # -- start tags ---------------------------------------------------------------------------

    def _start_inline(self, tag: str, attributes: Attributes) -> None:
        """Begin what does not begin a line."""
        match tag:
            case "br" if self._out.is_cell or self._out.heading:
                self._out.line.add(" ")
            case "br":
                self._out.break_line()
            case "img" | "embed":
                self._add_attachment(tag, attributes)
            case "a":
                self._start_link(attributes.get("href", "").strip())
            case "input" if attributes.get("type") == "checkbox":
                self._tick(is_checked="checked" in attributes)
            case "td" | "th" if self._tables:
                self._out.start_cell()
            case _ if tag in _MARKS:
                self._start_mark(_MARKS[tag])

    def _start_link(self, target: str) -> None:
        """Begin a link, which ends one that it is in."""
        self._out.line.end_link()
        address = ""
        if target:
            address = self._address("a", target)
        self._out.line.start_link(address)

    def _start_mark(self, mark: str) -> None:
        """Begin bold text and the like, unless it is in such text already."""
        # Marks within the same marks would end the outer ones.
        self._marked[mark] += 1
        if self._marked[mark] == 1 and not self._out.code_depth:
            self._out.line.start_mark(mark)

    def _start_block(self, tag: str, attributes: Attributes) -> None:
        """Begin what begins a line."""
        self._out.end_line()
        # `blank` adds no second empty line, so a block may ask for one at both of its ends.
        match tag:
            case "ul" | "ol":
                self._start_list(tag, attributes)
            case "li":
                self._start_item(attributes)
            case "blockquote":
                self._out.blank()
                self._out.quotes += 1
            case "pre":
                self._out.start_code()
            case "table":
                self._tables.append(MarkdownTable())
            case "tr" if self._tables:
                self._tables[-1].rows.append([])
            case "hr":
                self._out.write_rule()
            case "p" if not self._out.marker:
                self._out.blank()
            case _ if tag in HEADINGS:
                self._out.blank()
                self._out.heading = HEADINGS[tag]

    def _start_list(self, tag: str, attributes: Attributes) -> None:
        """Begin a list, with an empty line before the outermost."""
        if not self._out.lists:
            self._out.blank()
        number: int | None = None
        if tag == "ol":
            start = attributes.get("start", "")
            is_number = start.isdecimal() and len(start) < 9
            number = int(start) if is_number else 1
        is_tasks = "to-do" in attributes.get("class", "")
        self._out.lists.append(MarkdownList(number, is_tasks))

    def _start_item(self, attributes: Attributes) -> None:
        """Begin an item, which is a task where its list or its own attribute says so."""
        current = MarkdownList(None)
        if self._out.lists:
            current = self._out.lists[-1]
        if current.number is None:
            self._out.marker = "- "
        else:
            self._out.marker = f"{current.number}. "
            current.number += 1
        # Programs say in different ways that an item is a task.
        checked = attributes.get("aria-checked", "")
        if current.is_tasks or checked:
            self._out.marker += _CHECKED[checked == "true"]

    def _add_attachment(self, tag: str, attributes: Attributes) -> None:
        """Add a picture, or the link to another file."""
        address = self._address(tag, attributes.get("src", ""))
        if not address:
            return
        # Brackets and lines would end the link.
        words = re.sub(r"[\[\]\n\r|]", " ", attributes.get("alt", "")).strip()[:200]
        if tag == "img":
            self._out.line.add(f"![{words}]({address})")
        else:
            self._out.line.add(f"[{words or 'file'}]({address})")

    def _tick(self, *, is_checked: bool) -> None:
        """Make the line a task, if the box is at its beginning."""
        if self._out.line.is_blank:
            marker = self._out.marker or "- "
            marker = marker.removesuffix("[ ] ").removesuffix("[x] ")
            self._out.marker = marker + _CHECKED[is_checked]

    # -- end tags -----------------------------------------------------------------------------

    def _end(self, tag: str) -> None:
        """End the innermost element."""
        # A cell is kept until its table ends, which is written as a whole.
        if tag in ("td", "th") and self._out.is_cell:
            cell = self._out.end_cell()
            if self._tables and self._tables[-1].rows:
                self._tables[-1].rows[-1].append(cell)
            return
        if tag == "a":
            self._out.line.end_link()
        elif tag in _MARKS:
            self._end_mark(_MARKS[tag])
        if tag in _BLOCKS and not self._out.is_cell:
            self._end_block(tag)

    def _end_mark(self, mark: str) -> None:
        """End bold text and the like, unless it is in such text still."""
        self._marked[mark] -= 1
        if not self._marked[mark]:
            self._out.line.end_mark(mark)

    def _end_block(self, tag: str) -> None:
        """End what begins a line."""
        if tag != "pre":
            self._out.end_line()
        match tag:
            case "ul" | "ol" if self._out.lists:
                self._out.lists.pop()
                if not self._out.lists:
                    self._out.blank()
            case "li":
                self._out.marker = ""
            case "blockquote":
                self._out.quotes = max(0, self._out.quotes - 1)
                self._out.blank()
            case "pre" if self._out.code_depth:
                self._out.end_code()
            case "table" if self._tables:
                self._out.write_table(self._tables.pop())
            case "p" if not self._out.lists:
                self._out.blank()
            case _ if tag in HEADINGS:
                self._out.heading = 0
                self._out.blank()
