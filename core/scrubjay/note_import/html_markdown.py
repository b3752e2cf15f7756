"""HTML of notes as Markdown.

A small writer of our own: what programs of notes write is a dozen of elements, and their check
boxes, attachments and links need rules that no library has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import unescape

from msgspec import Struct, field

from scrubjay.note_import.imported_note import first_line
from scrubjay.text.html_scanner import Attributes, HtmlScanner

Address = Callable[[str, str], str]
"""The address to write for one in the HTML, which is given with its element, `a` or `img`; empty
for a link to leave out."""

_MOST_DEPTH = 24
"""Of lists and quotations; what is deeper stays at this depth."""
_MOST_COLUMNS = 200
_SKIPPED = frozenset({"script", "style", "head", "template", "object", "noscript", "svg", "title"})
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "en-media", "en-todo", "col", "wbr"})
_CODE_BLOCK = "-en-codeblock:true"
"""Style of a block of code in a note of Evernote."""
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
_CHECKED = {True: "[x] ", False: "[ ] "}


def to_markdown(html: str, address: Address = lambda _, url: url) -> str:
    """Markdown of the text in HTML. Never raises for damaged HTML."""
    writer = _Writer(address)
    writer.scan(html)
    return writer.text()


def title_of(html: str, markdown: str) -> str:
    """The text of the title element, else the first line."""
    match = re.search(r"<title[^<>]{0,200}>([^<]{1,500})</title", html[:200_000], re.IGNORECASE)
    return " ".join(unescape(match[1]).split()) if match else first_line(markdown)


class _List(Struct):
    number: int | None
    """Of the next item; None in a list without numbers."""
    is_tasks: bool = False


class _Table(Struct):
    rows: list[list[str]] = field(default_factory=list)


class _Line:
    """The pieces of a line that grows, with the marks and the link that are open in it."""

    def __init__(self, address: str | None = None) -> None:
        """With the address of a link that was opened in a line before."""
        self._pieces: list[str] = []
        self._solid = 0
        """Pieces that are not blank."""
        self._marks: dict[str, int] = {}
        """Open mark -> its place among the pieces."""
        self.address = address
        """Of the open link, empty for one that is left out; None without one."""
        self._link_start = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was added."""
        return not self._pieces

    @property
    def is_blank(self) -> bool:
        """Whether it has no text yet."""
        return not self._solid

    def add(self, text: str) -> None:
        """Add text at the end."""
        self._pieces.append(text)
        self._solid += bool(text.strip())

    def start_mark(self, mark: str) -> None:
        """Open a mark such as `**`."""
        self._marks[mark] = len(self._pieces)
        self.add(mark)

    def end_mark(self, mark: str) -> None:
        """Close `**bold **` as `**bold** `, and leave out a mark around nothing."""
        start = self._marks.pop(mark, None)
        if start is None:  # the line in which it was opened has ended
            return
        inner = "".join(self._pieces[start + 1 :])
        text = inner.strip()
        before = inner[: len(inner) - len(inner.lstrip())]
        after = inner[len(inner.rstrip()) :]
        self._replace(start, f"{before}{mark}{text}{mark}{after}" if text else inner)

    def start_link(self, address: str) -> None:
        """Open a link."""
        self.address = address
        self._link_start = len(self._pieces)

    def end_link(self) -> None:
        """Write the link that is open."""
        address, self.address = self.address, None
        if not address:
            return
        text = "".join(self._pieces[self._link_start :])
        words = " ".join(text.split())
        if words and "](" not in words:
            after = " " if text.endswith(" ") else ""
            self._replace(self._link_start, f"[{words}]({address}){after}")
        elif not words:  # an address alone; else a picture with a link
            is_written = ":" in address and " " not in address
            self._replace(self._link_start, f"<{address}>" if is_written else "")

    def text(self) -> str:
        """All of it, without the marks that are open: nothing would end them."""
        for place in self._marks.values():
            self._pieces[place] = ""
        return "".join(self._pieces)

    def _replace(self, start: int, text: str) -> None:
        """Put one text in place of the last pieces, and of the marks that are open in them."""
        self._solid -= sum(bool(piece.strip()) for piece in self._pieces[start:])
        del self._pieces[start:]
        self._marks = {mark: at for mark, at in self._marks.items() if at < start}
        self.add(text)


class _Lines:
    """The lines that were written, and the one that grows, inside its lists and quotations."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = _Line()
        self.lists: list[_List] = []
        self.quotes = 0
        self.marker = ""
        """Before the first line of an item."""
        self._follows_task = False
        """A line would belong to the task before it."""
        self.heading = 0
        self.code_depth = 0
        self.is_cell = False
        """The line is the text of an open cell of a table."""

    def text(self) -> str:
        """All of it."""
        self.end_line()
        text = "\n".join(line.rstrip() for line in self.lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

    def prefix(self) -> str:
        """What a line begins with, inside lists and quotations."""
        quotes = "> " * min(self.quotes, _MOST_DEPTH)
        depth = min(len(self.lists), _MOST_DEPTH)
        return quotes + "    " * (depth if self.code_depth and depth else max(0, depth - 1))

    def break_line(self) -> None:
        """A new line in the same paragraph."""
        if self.code_depth:
            self.lines.append(self.prefix() + self._taken())
        elif self.line.is_blank:
            self.blank()
        else:
            self.end_line()

    def end_line(self) -> None:
        """Write the present line, unless a cell is open."""
        if self.is_cell:
            return
        # Lines of a program keep their indents.
        if self.code_depth:
            if not self.line.is_empty:
                self.break_line()
            return
        text = self._taken().strip(" ")
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

    def start_cell(self) -> None:
        """Begin a cell; the text of one that is open is lost."""
        self.end_line()
        self._taken()
        self.is_cell = True

    def end_cell(self) -> str:
        """The text of the open cell."""
        self.is_cell = False
        return " ".join(self._taken().split())

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

    def _taken(self) -> str:
        """The text of the line, in whose place a new one begins."""
        text = self.line.text()
        self.line = _Line(self.line.address)
        return text


class _Writer(HtmlScanner):
    """Writes lines; every element is open until its end tag or that of one around it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._out = _Lines()
        self._open: list[str] = []
        self._skipped = 0
        self._tables: list[_Table] = []
        self._marked: Counter[str] = Counter()
        """How many elements of each mark are open; the outermost counts."""
        self._code_blocks: list[int] = []
        """Numbers of elements around each block of code that Evernote writes without `pre`."""

    def text(self) -> str:
        """All of it."""
        while self._open:
            self._end(self._open.pop())
        return self._out.text()

    def handle_start(self, tag: str, attributes: Attributes) -> None:
        if self._skipped:
            if tag in _SKIPPED:
                self._skipped += 1
            return
        if tag in _SKIPPED:
            self._skipped = 1
            return
        if tag not in _VOID:
            self._open.append(tag)
        if tag in _BLOCKS and not self._out.is_cell:
            self._start_block(tag, attributes)
        elif tag in _BLOCKS:
            self._out.line.add(" ")
        match tag:
            case "br" if self._out.is_cell or self._out.heading:
                self._out.line.add(" ")
            case "br":
                self._out.break_line()
            case "img" | "en-media":
                self._picture(tag, attributes)
            case "a":
                # A link inside of another one ends that.
                self._out.line.end_link()
                target = attributes.get("href", "").strip()
                self._out.line.start_link(self._address("a", target) if target else "")
            case "en-todo":
                self._tick(attributes.get("checked") == "true")
            case "input" if attributes.get("type") == "checkbox":
                self._tick("checked" in attributes)
            case "td" | "th" if self._tables:
                self._out.start_cell()
            case _ if mark := _MARKS.get(tag):
                self._marked[mark] += 1
                if self._marked[mark] == 1 and not self._out.code_depth:
                    self._out.line.start_mark(mark)

    def handle_end(self, tag: str) -> None:
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

    def handle_text(self, text: str) -> None:
        if self._skipped:
            return
        if self._out.code_depth:
            text = text.replace("\r\n", "\n").replace("\xa0", " ")
            first, *others = text.split("\n")
            self._out.line.add(first)
            for other in others:
                self._out.break_line()
                self._out.line.add(other)
            return
        line = self._out.line
        text = _SPACE.sub(" ", text.replace("\xa0", " "))
        if self._is_code:
            line.add(text.replace("`", "'"))
            return
        text = _SPECIAL.sub(r"\\\1", text)
        if self._out.is_cell:
            text = text.replace("|", "\\|")
        if line.is_blank:
            text = _LINE_START.sub(r"\\\1", text.lstrip())
            text = re.sub(r"^\\(\d+)", r"\1\\", text)
        if text and not (text == " " and line.is_empty):
            line.add(text)

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
                self._start_code()
            case "div" if _CODE_BLOCK in attributes.get("style", "").replace(" ", ""):
                self._code_blocks.append(len(self._open) - 1)
                self._start_code()
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
        if tag in ("td", "th") and self._out.is_cell:
            cell = self._out.end_cell()
            if self._tables and self._tables[-1].rows:
                self._tables[-1].rows[-1].append(cell)
            return
        if tag == "a":
            self._out.line.end_link()
        elif mark := _MARKS.get(tag):
            self._marked[mark] -= 1
            if not self._marked[mark]:
                self._out.line.end_mark(mark)
        if tag in _BLOCKS and not self._out.is_cell:
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
                self._end_code()
            case "div" if self._code_blocks and self._code_blocks[-1] == len(self._open):
                self._code_blocks.pop()
                self._end_code()
            case "table" if self._tables:
                self._out.write_table(self._tables.pop())
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._out.heading = 0
                self._out.blank()
            case "p":
                if not self._out.lists:
                    self._out.blank()

    def _start_code(self) -> None:
        self._out.blank()
        self._out.lines.append(f"{self._out.prefix()}```")
        self._out.code_depth += 1

    def _end_code(self) -> None:
        self._out.end_line()
        self._out.code_depth -= 1
        self._out.lines.append(f"{self._out.prefix()}```")
        self._out.blank()

    def _picture(self, tag: str, attributes: Attributes) -> None:
        source = attributes.get("hash" if tag == "en-media" else "src", "")
        address = self._address(tag, source)
        if not address:
            return
        words = re.sub(r"[\[\]\n\r|]", " ", attributes.get("alt", "")).strip()[:200]
        is_picture = tag == "img" or attributes.get("type", "image/").startswith("image/")
        if is_picture:
            self._out.line.add(f"![{words}]({address})")
        else:
            self._out.line.add(f"[{words or 'file'}]({address})")

    def _tick(self, is_checked: bool) -> None:
        if self._out.line.is_blank:
            self._out.marker = (self._out.marker or "- ").removesuffix("[ ] ").removesuffix("[x] ")
            self._out.marker += _CHECKED[is_checked]


def table_lines(rows: list[list[str]]) -> list[str]:
    """A table in Markdown; the first row is its head. Cells have no line breaks, bars escaped."""
    width = min(max(map(len, rows)), _MOST_COLUMNS)
    # Later rows may be shorter; filled up, many rows of one cell would multiply.
    first = [*rows[0], *[""] * (width - len(rows[0]))]
    lines = [f"| {' | '.join(row[:width])} |" for row in (first, *rows[1:])]
    return [lines[0], f"|{' --- |' * width}", *lines[1:]]
