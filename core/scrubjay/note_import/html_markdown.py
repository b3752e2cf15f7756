"""HTML of notes as Markdown.

A small writer of our own: what programs of notes write is a dozen of elements, and their check
boxes, attachments and links need rules that no library has.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

from msgspec import Struct, field

from scrubjay.note_import.imported_note import first_line

Attributes = dict[str, str]
Address = Callable[[str, str], str]
"""The address to write for one in the HTML, which is given with its element, `a` or `img`; empty
for a link to leave out."""

_MOST_DEPTH = 24
"""Of lists and quotations; what is deeper stays at this depth."""
_MOST_PIECES = 200
"""Between the start of bold text, or of a like mark, and its end."""
_MOST_LETTERS = 4_000_000
"""Beyond it, and for elements that never end, tags are only cut out: the parser of the standard
library takes the square of the time for some."""
_SKIPPED = frozenset({"script", "style", "head", "template", "object", "noscript", "svg", "title"})
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "en-media", "en-todo", "col", "wbr"})
_BLOCKS = frozenset(
    {
        "p", "div", "section", "article", "header", "footer", "main", "figure", "figcaption", "ul",
        "ol", "li", "table", "tr", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
        "details", "summary", "en-note", "body", "aside", "nav", "dl", "dt", "dd", "form",
    }
)  # fmt: skip
_MARKS = {
    "b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "strike": "~~", "del": "~~",
    "mark": "==", "code": "`", "tt": "`",
}  # fmt: skip
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_SPECIAL = re.compile(r"([\\`*\[\]]|(?<!\w)_|_(?!\w)|~(?=~)|<(?=[a-zA-Z/!?])|&(?=#?\w+;))")
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+>](?=\s|$)|=+$|-{3,}$|\d{1,9}(?=[.)](\s|$)))")
_UNFINISHED = re.compile(r"<!--|<!\[|<[?!]")
_CHECKED = {True: "[x] ", False: "[ ] "}


class _List(Struct):
    number: int | None
    """Of the next item; None in a list without numbers."""
    is_tasks: bool = False


class _Table(Struct):
    rows: list[list[str]] = field(default_factory=list)


def to_markdown(html: str, address: Address = lambda _, url: url) -> str:
    """Markdown of the text in HTML. Never raises for damaged HTML."""
    if len(html) > _MOST_LETTERS or _is_hostile(html):
        return _SPACE.sub(" ", re.sub(r"<[^<>]{0,2000}>", "\n", html)).strip()
    writer = _Writer(address)
    writer.feed(html)
    writer.close()
    return writer.text()


def _is_hostile(html: str) -> bool:
    """Whether the parser may take the square of the time: for many marks that nothing ends."""
    opened, closed = html.count("<"), html.count(">")
    return opened > 2 * closed + 1000 or len(_UNFINISHED.findall(html)) > html.count(">") + 1000


def title_of(html: str, markdown: str) -> str:
    """The text of the title element, else the first line."""
    match = re.search(r"<title[^<>]{0,200}>([^<]{1,500})</title", html[:200_000], re.IGNORECASE)
    return " ".join(unescape(match[1]).split()) if match else first_line(markdown)


class _Lines:
    """The lines that were written, and the one that grows, inside its lists and quotations."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.lists: list[_List] = []
        self.quotes = 0
        self.marker = ""
        """Before the first line of an item."""
        self._follows_task = False
        """A line would belong to the task before it."""
        self.heading = 0
        self.code_depth = 0
        self.links: list[tuple[str, int]] = []
        """Address of each open link, and where its text begins in the line."""
        self.cell: list[str] | None = None
        """The text of the open cell, which is the present line; None outside of tables."""

    def text(self) -> str:
        """All of it."""
        self.end_line()
        text = "\n".join(line.rstrip() for line in self.lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

    @property
    def is_blank(self) -> bool:
        """Whether the present line has no text yet."""
        return not any(piece.strip() for piece in self.line)

    def add(self, text: str) -> None:
        """Text of the present line."""
        self.line.append(text)

    def end_mark(self, mark: str) -> None:
        """Close `**bold **` as `**bold** `, and leave out a mark around nothing."""
        last = len(self.line) - 1
        nearest = range(last, max(-1, last - _MOST_PIECES), -1)
        start = next((at for at in nearest if self.line[at] == mark), None)
        if start is None:  # the line ended inside; the mark before it goes too
            self._unmark(mark)
            return
        inner = "".join(self.line[start + 1 :])
        text = inner.strip()
        before, after = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        self.line[start:] = [f"{before}{mark}{text}{mark}{after}"] if text else [inner]

    def _unmark(self, mark: str) -> None:
        for at in range(len(self.lines) - 1, max(-1, len(self.lines) - 50), -1):
            head, found, tail = self.lines[at].rpartition(mark)
            if found:
                self.lines[at] = head + tail
                return

    def end_link(self) -> None:
        """Write the link that was opened last."""
        address, start = self.links.pop()
        if not address:
            return
        text = "".join(self.line[start:])
        words = " ".join(text.split())
        if not words or "](" in words:
            # An address alone, or a picture with a link.
            if not words:
                self.line[start:] = (
                    [f"<{address}>"] if ":" in address and " " not in address else []
                )
            return
        after = " " if text.endswith(" ") else ""
        self.line[start:] = [f"[{words}]({address}){after}"]

    def prefix(self) -> str:
        """What a line begins with, inside lists and quotations."""
        quotes = "> " * min(self.quotes, _MOST_DEPTH)
        depth = min(len(self.lists), _MOST_DEPTH)
        return quotes + "    " * (depth if self.code_depth and depth else max(0, depth - 1))

    def break_line(self) -> None:
        """A new line in the same paragraph."""
        if self.code_depth:
            self.lines.append(self.prefix() + "".join(self.line))
            self.line = []
            return
        self.blank() if self.is_blank else self.end_line()

    def end_line(self) -> None:
        """Write the present line, unless a cell is open."""
        if self.cell is not None:
            return
        text = "".join(self.line).strip(" ")
        self.line = []
        self.links = [(address, 0) for address, _ in self.links]
        if not text:
            return
        head = self.prefix()
        if self.heading:
            text = f"{'#' * self.heading} {' '.join(text.split())}"
        is_task = bool(self.marker) and not self.lists
        if self._follows_task and not is_task:
            self.lines.append("")
        self._follows_task = is_task
        if self.marker:
            head, self.marker = head + self.marker, ""
        elif self.lists and not self.code_depth:
            head += "    "
        self.lines.append(head + text)

    def blank(self) -> None:
        """An empty line, unless there is one."""
        self.end_line()
        if self.lines and self.lines[-1].strip("> "):
            self.lines.append(("> " * min(self.quotes, _MOST_DEPTH)).rstrip())

    def write_table(self, table: _Table) -> None:
        """Write a table, with empty lines around it."""
        rows = [row for row in table.rows if row]
        if not rows:
            return
        self.blank()
        self.lines += table_lines(rows)
        self.blank()


class _Writer(HTMLParser):
    """Writes lines; every element is open until its end tag or that of one around it."""

    def __init__(self, address: Address) -> None:
        super().__init__(convert_charrefs=True)
        self._address = address
        self._out = _Lines()
        self._open: list[str] = []
        self._skipped = 0
        self._tables: list[_Table] = []

    def text(self) -> str:
        """All of it."""
        return self._out.text()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self._skipped:
            if tag in _SKIPPED:
                self._skipped += 1
            return
        if tag in _SKIPPED:
            self._skipped = 1
            return
        if tag not in _VOID:
            self._open.append(tag)
        if tag in _BLOCKS and self._out.cell is None:
            self._start_block(tag, attributes)
        elif tag in _BLOCKS:
            self._out.add(" ")
        match tag:
            case "br":
                self._out.add(
                    " "
                ) if self._out.cell is not None or self._out.heading else self._out.break_line()
            case "img" | "en-media":
                self._picture(tag, attributes)
            case "a":
                target = attributes.get("href", "").strip()
                self._out.links.append(
                    (self._address("a", target) if target else "", len(self._out.line))
                )
            case "en-todo":
                self._tick(attributes.get("checked") == "true")
            case "input" if attributes.get("type") == "checkbox":
                self._tick("checked" in attributes)
            case "td" | "th" if self._tables:
                self._out.end_line()
                self._out.cell = self._out.line = []
            case _ if (mark := _MARKS.get(tag)) and not self._out.code_depth:
                self._out.add(mark)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._skipped -= tag in _SKIPPED
            return
        # An end tag without its start tag ends nothing; looked for among the innermost only.
        if tag not in self._open[-64:]:
            return
        while self._open:
            innermost = self._open.pop()
            self._end(innermost)
            if innermost == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if self._out.code_depth:
            first, *others = data.replace("\r\n", "\n").split("\n")
            self._out.line.append(first)
            for line in others:
                self._out.break_line()
                self._out.line.append(line)
            return
        text = _SPACE.sub(" ", data.replace("\xa0", " "))
        if self._is_code:
            self._out.add(text.replace("`", "'"))
            return
        text = _SPECIAL.sub(r"\\\1", text)
        if self._out.cell is not None:
            text = text.replace("|", "\\|")
        if self._out.is_blank:
            text = _LINE_START.sub(r"\\\1", text.lstrip())
            text = re.sub(r"^\\(\d+)", r"\1\\", text)
        if text and not (text == " " and not self._out.line):
            self._out.add(text)

    @property
    def _is_code(self) -> bool:
        return bool(self._open) and self._open[-1] in ("code", "tt")

    def _start_block(self, tag: str, attributes: Attributes) -> None:
        self._out.end_line()
        match tag:
            case "ul" | "ol":
                if not self._out.lists:
                    self._out.blank()
                start = attributes.get("start", "1")
                first = int(start) if start.isdecimal() and len(start) < 9 else 1
                is_tasks = "to-do" in attributes.get("class", "") or "--en-todo:true" in (
                    attributes.get("style", "").replace(" ", "")
                )
                self._out.lists.append(_List(first if tag == "ol" else None, is_tasks))
            case "li":
                self._start_item(attributes)
            case "blockquote":
                self._out.blank()
                self._out.quotes += 1
            case "pre":
                self._out.blank()
                self._out.lines.append(f"{self._out.prefix()}```")
                self._out.code_depth += 1
            case "table":
                self._tables.append(_Table())
            case "tr" if self._tables:
                self._tables[-1].rows.append([])
            case "hr":
                self._out.blank()
                self._out.lines.append(f"{self._out.prefix()}---")
                self._out.blank()
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._out.blank()
                self._out.heading = int(tag[1])
            case "p" if not self._out.marker:
                self._out.blank()

    def _start_item(self, attributes: Attributes) -> None:
        current = self._out.lists[-1] if self._out.lists else _List(None)
        self._out.marker = "- " if current.number is None else f"{current.number}. "
        if current.number is not None:
            current.number += 1
        style = attributes.get("style", "").replace(" ", "")
        if current.is_tasks or "--en-checked:" in style:
            self._out.marker += _CHECKED["--en-checked:true" in style]

    def _end(self, tag: str) -> None:
        if tag in ("td", "th") and self._out.cell is not None:
            cell = " ".join("".join(self._out.cell).split())
            if self._tables and self._tables[-1].rows:
                self._tables[-1].rows[-1].append(cell)
            self._out.cell, self._out.line = None, []
            return
        if tag == "a" and self._out.links:
            self._out.end_link()
        elif (mark := _MARKS.get(tag)) and not self._out.code_depth:
            self._out.end_mark(mark)
        if tag in _BLOCKS and self._out.cell is None:
            self._end_block(tag)

    def _end_block(self, tag: str) -> None:
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
                self._out.break_line() if self._out.line else None
                self._out.code_depth -= 1
                self._out.lines.append(f"{self._out.prefix()}```")
                self._out.blank()
            case "table" if self._tables:
                self._out.write_table(self._tables.pop())
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._out.heading = 0
                self._out.blank()
            case "p":
                if not self._out.lists:
                    self._out.blank()

    def _picture(self, tag: str, attributes: Attributes) -> None:
        source = attributes.get("hash" if tag == "en-media" else "src", "")
        address = self._address(tag, source)
        if not address:
            return
        words = re.sub(r"[\[\]\n\r|]", " ", attributes.get("alt", "")).strip()[:200]
        is_picture = tag == "img" or attributes.get("type", "image/").startswith("image/")
        self._out.add(f"![{words}]({address})" if is_picture else f"[{words or 'file'}]({address})")

    def _tick(self, is_checked: bool) -> None:
        if self._out.is_blank:
            self._out.marker = (self._out.marker or "- ").removesuffix("[ ] ").removesuffix("[x] ")
            self._out.marker += _CHECKED[is_checked]


def table_lines(rows: list[list[str]]) -> list[str]:
    """A table in Markdown; the first row is its head. Cells have no line breaks, bars escaped."""
    width = min(max(map(len, rows)), 200)
    filled = [[*row, *[""] * width][:width] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in filled]
    return [lines[0], f"|{' --- |' * width}", *lines[1:]]
