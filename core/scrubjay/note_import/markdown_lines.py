"""Lines of Markdown that grow piece by piece, inside lists, quotations, code and tables."""

from __future__ import annotations

import re

from msgspec import Struct, field

_MOST_DEPTH = 24
"""Depth of lists and quotations, at most; what is deeper stays at this depth."""
_MOST_COLUMNS = 200
"""Columns of a table, at most; a row of a hostile page would multiply in all others."""


class MarkdownList(Struct):
    """A list that is open."""

    number: int | None
    """Number of the next item; None in a list without numbers."""
    is_tasks: bool = False


class MarkdownTable(Struct):
    """A table that is open, with the rows that were read."""

    rows: list[list[str]] = field(default_factory=list)


class MarkdownLine:
    """The pieces of an unfinished line, with its open marks and link."""

    def __init__(self, address: str | None = None) -> None:
        """Begin with the address of a link that was opened in a line before."""
        self._pieces: list[str] = []
        self._solid = 0
        """Number of pieces that are not blank."""
        self._marks: dict[str, int] = {}
        """Open mark -> its index among the pieces."""
        self.address = address
        """Address of the open link, empty for one that is left out; None without one."""
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
        if text.strip():
            self._solid += 1

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
        if text:
            before = inner[: len(inner) - len(inner.lstrip())]
            after = inner[len(inner.rstrip()) :]
            inner = f"{before}{mark}{text}{mark}{after}"
        self._replace(start, inner)

    def start_link(self, address: str) -> None:
        """Open a link."""
        self.address = address
        self._link_start = len(self._pieces)

    def end_link(self) -> None:
        """Write the link that is open."""
        address = self.address
        self.address = None
        if not address:
            return
        text = "".join(self._pieces[self._link_start :])
        words = " ".join(text.split())
        if not words:
            # Only an address is left, which has to look like one to be a link.
            is_written = ":" in address and " " not in address
            self._replace(self._link_start, f"<{address}>" if is_written else "")
        elif "](" not in words:  # else it is a picture that has a link of its own
            after = " " if text.endswith(" ") else ""
            self._replace(self._link_start, f"[{words}]({address}){after}")

    def text(self) -> str:
        """All of it, without the marks that are open: nothing would end them."""
        for index in self._marks.values():
            self._pieces[index] = ""
        return "".join(self._pieces)

    def _replace(self, start: int, text: str) -> None:
        """Put one text in place of the last pieces, and of the marks that are open in them."""
        self._solid -= sum(bool(piece.strip()) for piece in self._pieces[start:])
        del self._pieces[start:]
        self._marks = {mark: index for mark, index in self._marks.items() if index < start}
        self.add(text)


class MarkdownLines:
    """The finished lines, and the unfinished one inside its lists and quotations."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = MarkdownLine()
        self.lists: list[MarkdownList] = []
        self.quotes = 0
        """Number of quotations that are open."""
        self.marker = ""
        """Text before the first line of an item."""
        self._follows_task = False
        """Whether a line would belong to the task before it."""
        self.heading = 0
        """Level of the open heading; 0 for none."""
        self.code_depth = 0
        """Number of blocks of code that are open."""
        self.is_cell = False
        """Whether the line is the text of an open cell of a table."""

    def text(self) -> str:
        """All of it."""
        self.end_line()
        text = "\n".join(line.rstrip() for line in self.lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

    def break_line(self) -> None:
        """Begin a new line in the same paragraph."""
        if self.code_depth:
            self.lines.append(self._prefix() + self._taken())
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
        if self.heading:
            text = f"{'#' * self.heading} {' '.join(text.split())}"
        # A paragraph after a task that is not in a list would become a part of the task.
        is_task = bool(self.marker) and not self.lists
        if self._follows_task and not is_task:
            self.lines.append("")
        self._follows_task = is_task
        # The first line of an item has its marker, the others are as far in as its text.
        head = self._prefix()
        if self.marker:
            head += self.marker
            self.marker = ""
        elif self.lists:
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
        """Add an empty line, unless there is one."""
        self.end_line()
        if self.lines and self.lines[-1].strip("> "):
            self.lines.append(("> " * min(self.quotes, _MOST_DEPTH)).rstrip())

    def write_rule(self) -> None:
        """Write a line across the page."""
        self.blank()
        self.lines.append(f"{self._prefix()}---")
        self.blank()

    def start_code(self) -> None:
        """Begin a block of code."""
        self.blank()
        self.lines.append(f"{self._prefix()}```")
        self.code_depth += 1

    def end_code(self) -> None:
        """End a block of code."""
        self.end_line()
        self.code_depth -= 1
        self.lines.append(f"{self._prefix()}```")
        self.blank()

    def write_table(self, table: MarkdownTable) -> None:
        """Write a table, with empty lines around it."""
        rows = [row for row in table.rows if row]
        if rows:
            self.blank()
            self.lines += table_lines(rows)
            self.blank()

    def _prefix(self) -> str:
        """The beginning of a line, inside lists and quotations."""
        quotes = "> " * min(self.quotes, _MOST_DEPTH)
        depth = min(len(self.lists), _MOST_DEPTH)
        # Code stands in its item; the outermost items begin at the edge.
        if not self.code_depth:
            depth = max(0, depth - 1)
        return quotes + "    " * depth

    def _taken(self) -> str:
        """The text of the line, after which a new one begins."""
        text = self.line.text()
        self.line = MarkdownLine(self.line.address)
        return text


def table_lines(rows: list[list[str]]) -> list[str]:
    """A table in Markdown; the first row is its head. Cells have no line breaks, bars escaped."""
    width = min(max(map(len, rows)), _MOST_COLUMNS)
    # Later rows may be shorter; filled up, many rows of one cell would multiply.
    first = [*rows[0], *[""] * (width - len(rows[0]))]
    lines = [f"| {' | '.join(row[:width])} |" for row in (first, *rows[1:])]
    return [lines[0], f"|{' --- |' * width}", *lines[1:]]
