"""HTML of notes as Markdown.

A small writer of our own: what programs of notes write is a dozen of elements, and their check
boxes, attachments and links need rules that no library has.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

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


@dataclass(slots=True)
class _List:
    number: int | None
    """Of the next item; None in a list without numbers."""
    is_tasks: bool = False


@dataclass(slots=True)
class _Table:
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


class _Writer(HTMLParser):
    """Collects lines; every element is open until its end tag or that of one around it."""

    def __init__(self, address: Address) -> None:
        super().__init__(convert_charrefs=True)
        self._address = address
        self._open: list[str] = []
        self._lines: list[str] = []
        self._line: list[str] = []
        self._lists: list[_List] = []
        self._quotes = 0
        self._marker = ""
        """Before the first line of an item."""
        self._follows_task = False
        """A line would belong to the task before it."""
        self._heading = 0
        self._pre = 0
        self._skipped = 0
        self._links: list[tuple[str, int]] = []
        """Address of each open link, and where its text begins in the line."""
        self._tables: list[_Table] = []
        self._cell: list[str] | None = None

    def text(self) -> str:
        """All of it."""
        self._end_line()
        text = "\n".join(line.rstrip() for line in self._lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

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
        if tag in _BLOCKS and self._cell is None:
            self._start_block(tag, attributes)
        elif tag in _BLOCKS:
            self._add(" ")
        match tag:
            case "br":
                self._add(" ") if self._cell is not None or self._heading else self._break()
            case "img" | "en-media":
                self._picture(tag, attributes)
            case "a":
                target = attributes.get("href", "").strip()
                self._links.append((self._address("a", target) if target else "", len(self._line)))
            case "en-todo":
                self._tick(attributes.get("checked") == "true")
            case "input" if attributes.get("type") == "checkbox":
                self._tick("checked" in attributes)
            case "td" | "th" if self._tables:
                self._end_line()
                self._cell = self._line = []
            case _ if (mark := _MARKS.get(tag)) and not self._pre:
                self._add(mark)

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
        if self._pre:
            first, *others = data.replace("\r\n", "\n").split("\n")
            self._line.append(first)
            for line in others:
                self._break()
                self._line.append(line)
            return
        text = _SPACE.sub(" ", data.replace("\xa0", " "))
        if self._is_code:
            self._add(text.replace("`", "'"))
            return
        text = _SPECIAL.sub(r"\\\1", text)
        if self._cell is not None:
            text = text.replace("|", "\\|")
        if self._is_blank:
            text = _LINE_START.sub(r"\\\1", text.lstrip())
            text = re.sub(r"^\\(\d+)", r"\1\\", text)
        if text and not (text == " " and not self._line):
            self._add(text)

    @property
    def _is_code(self) -> bool:
        return bool(self._open) and self._open[-1] in ("code", "tt")

    @property
    def _is_blank(self) -> bool:
        return not any(piece.strip() for piece in self._line)

    def _add(self, text: str) -> None:
        self._line.append(text)

    def _start_block(self, tag: str, attributes: Attributes) -> None:
        self._end_line()
        match tag:
            case "ul" | "ol":
                if not self._lists:
                    self._blank()
                start = attributes.get("start", "1")
                first = int(start) if start.isdecimal() and len(start) < 9 else 1
                is_tasks = "to-do" in attributes.get("class", "") or "--en-todo:true" in (
                    attributes.get("style", "").replace(" ", "")
                )
                self._lists.append(_List(first if tag == "ol" else None, is_tasks))
            case "li":
                self._start_item(attributes)
            case "blockquote":
                self._blank()
                self._quotes += 1
            case "pre":
                self._blank()
                self._lines.append(f"{self._prefix()}```")
                self._pre += 1
            case "table":
                self._tables.append(_Table())
            case "tr" if self._tables:
                self._tables[-1].rows.append([])
            case "hr":
                self._blank()
                self._lines.append(f"{self._prefix()}---")
                self._blank()
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._blank()
                self._heading = int(tag[1])
            case "p" if not self._marker:
                self._blank()

    def _start_item(self, attributes: Attributes) -> None:
        current = self._lists[-1] if self._lists else _List(None)
        self._marker = "- " if current.number is None else f"{current.number}. "
        if current.number is not None:
            current.number += 1
        style = attributes.get("style", "").replace(" ", "")
        if current.is_tasks or "--en-checked:" in style:
            self._marker += _CHECKED["--en-checked:true" in style]

    def _end(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            cell = " ".join("".join(self._cell).split())
            if self._tables and self._tables[-1].rows:
                self._tables[-1].rows[-1].append(cell)
            self._cell, self._line = None, []
            return
        if tag == "a" and self._links:
            self._end_link()
        elif (mark := _MARKS.get(tag)) and not self._pre:
            self._end_mark(mark)
        if tag in _BLOCKS and self._cell is None:
            self._end_block(tag)

    def _end_block(self, tag: str) -> None:
        if tag != "pre":
            self._end_line()
        match tag:
            case "ul" | "ol" if self._lists:
                self._lists.pop()
                if not self._lists:
                    self._blank()
            case "li":
                self._marker = ""
            case "blockquote":
                self._quotes = max(0, self._quotes - 1)
                self._blank()
            case "pre" if self._pre:
                self._break() if self._line else None
                self._pre -= 1
                self._lines.append(f"{self._prefix()}```")
                self._blank()
            case "table" if self._tables:
                self._write_table(self._tables.pop())
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._heading = 0
                self._blank()
            case "p":
                if not self._lists:
                    self._blank()

    def _end_mark(self, mark: str) -> None:
        """Close `**bold **` as `**bold** `, and leave out a mark around nothing."""
        last = len(self._line) - 1
        nearest = range(last, max(-1, last - _MOST_PIECES), -1)
        start = next((at for at in nearest if self._line[at] == mark), None)
        if start is None:  # the line ended inside; the mark before it goes too
            self._unmark(mark)
            return
        inner = "".join(self._line[start + 1 :])
        text = inner.strip()
        before, after = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        self._line[start:] = [f"{before}{mark}{text}{mark}{after}"] if text else [inner]

    def _unmark(self, mark: str) -> None:
        for at in range(len(self._lines) - 1, max(-1, len(self._lines) - 50), -1):
            head, found, tail = self._lines[at].rpartition(mark)
            if found:
                self._lines[at] = head + tail
                return

    def _end_link(self) -> None:
        address, start = self._links.pop()
        if not address:
            return
        text = "".join(self._line[start:])
        words = " ".join(text.split())
        if not words or "](" in words:
            # An address alone, or a picture with a link.
            if not words:
                self._line[start:] = (
                    [f"<{address}>"] if ":" in address and " " not in address else []
                )
            return
        after = " " if text.endswith(" ") else ""
        self._line[start:] = [f"[{words}]({address}){after}"]

    def _picture(self, tag: str, attributes: Attributes) -> None:
        source = attributes.get("hash" if tag == "en-media" else "src", "")
        address = self._address(tag, source)
        if not address:
            return
        words = re.sub(r"[\[\]\n\r|]", " ", attributes.get("alt", "")).strip()[:200]
        is_picture = tag == "img" or attributes.get("type", "image/").startswith("image/")
        self._add(f"![{words}]({address})" if is_picture else f"[{words or 'file'}]({address})")

    def _tick(self, is_checked: bool) -> None:
        if self._is_blank:
            self._marker = (self._marker or "- ").removesuffix("[ ] ").removesuffix("[x] ")
            self._marker += _CHECKED[is_checked]

    def _prefix(self) -> str:
        quotes = "> " * min(self._quotes, _MOST_DEPTH)
        depth = min(len(self._lists), _MOST_DEPTH)
        return quotes + "    " * (depth if self._pre and depth else max(0, depth - 1))

    def _break(self) -> None:
        """A new line in the same paragraph."""
        if self._pre:
            self._lines.append(self._prefix() + "".join(self._line))
            self._line = []
            return
        self._blank() if self._is_blank else self._end_line()

    def _end_line(self) -> None:
        if self._cell is not None:
            return
        text = "".join(self._line).strip(" ")
        self._line = []
        self._links = [(address, 0) for address, _ in self._links]
        if not text:
            return
        head = self._prefix()
        if self._heading:
            text = f"{'#' * self._heading} {' '.join(text.split())}"
        is_task = bool(self._marker) and not self._lists
        if self._follows_task and not is_task:
            self._lines.append("")
        self._follows_task = is_task
        if self._marker:
            head, self._marker = head + self._marker, ""
        elif self._lists and not self._pre:
            head += "    "
        self._lines.append(head + text)

    def _blank(self) -> None:
        self._end_line()
        if self._lines and self._lines[-1].strip("> "):
            self._lines.append(("> " * min(self._quotes, _MOST_DEPTH)).rstrip())

    def _write_table(self, table: _Table) -> None:
        rows = [row for row in table.rows if row]
        if not rows:
            return
        self._blank()
        self._lines += table_lines(rows)
        self._blank()


def table_lines(rows: list[list[str]]) -> list[str]:
    """A table in Markdown; the first row is its head. Cells have no line breaks, bars escaped."""
    width = min(max(map(len, rows)), 200)
    filled = [[*row, *[""] * width][:width] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in filled]
    return [lines[0], f"|{' --- |' * width}", *lines[1:]]
