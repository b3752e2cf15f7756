"""The text of a document in progress: Markdown in which only real parts are headings."""

from __future__ import annotations

import re
import time

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_parts import part_heading, part_number
from scrubjay.messages import msg
from scrubjay.text.markdown import lines_without_code, unclosed_fence

MAX_CHARACTERS = 16_000_000
"""Characters of a document; the text of three thousand pages of a novel is half of it."""
MAX_TAGS = 2_000_000
"""Tags of the web pages in a document; the longest have some hundred thousand."""

_ATTACHED_S = 30.0
"""Seconds of the processor after which no further attached document is read; a document has 120."""
_ATTACHED_BYTES = 64 * 2**20
"""Bytes of all documents that are attached."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\ud800-\udfff\ufffe\uffff]")
"""Characters that no text needs; hyphens that only show at the end of a line part words."""
_SPACES = re.compile(r"[ \t\r\n\x0b\x0c\u2028\u2029]+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_STRUCTURE = re.compile(r"(?m)^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|(?:---|\+\+\+)[ \t]*$)")
"""Beginnings of lines that Markdown would take for a heading, a fence or front matter."""


class TagBudget:
    """How many tags of web pages may still be read."""

    def __init__(self) -> None:
        self._left = MAX_TAGS

    def spend(self, count: int) -> None:
        """Count the tags of a page before it is read. Raises DocumentRefused for too many."""
        if count > self._left:
            millions = MAX_TAGS // 1_000_000
            raise DocumentRefused(
                msg("The document contains more than {n} million HTML tags.", n=millions)
            )
        self._left -= count


class AttachedBudget:
    """What reading the documents that are attached to letters may cost in all."""

    def __init__(self) -> None:
        self._until = time.process_time() + _ATTACHED_S
        self._bytes_left = _ATTACHED_BYTES
        self.characters_left = MAX_CHARACTERS
        """Characters that their texts may have, besides those of the letters."""
        self.tags = TagBudget()
        """Tags of web pages in them."""

    def close(self) -> None:
        """Read none of them, even of those without a byte."""
        self._bytes_left = -1

    def spend(self, size: int) -> bool:
        """Whether a document of so many bytes may be read; counts it if so."""
        if size > self._bytes_left or time.process_time() > self._until:
            return False
        self._bytes_left -= size
        return True


class DocumentText:
    """Lines of text, limited in number."""

    def __init__(self) -> None:
        self.title = ""
        """Title; empty for the first heading, or where the document has none."""
        self.date = ""
        """Date in ISO 8601; empty if the document does not say."""
        self.remark = ""
        """Sentence about what could not be read."""
        self.may_be_empty = False
        """Whether a file without text is a new one, as an empty note is."""
        self.damaged = 0
        """Number of parts such as sheets that could not be read."""
        self.attached = AttachedBudget()
        """What may still be read of documents that are attached."""
        self.depth = 0
        """Number of letters around it."""
        self.tags = TagBudget()
        """What may still be read of web pages."""
        self._properties: dict[str, list[str]] = {}
        self._said: dict[str, set[str]] = {}
        """Words of each property, alone and in their lists."""
        self._first_heading = ""
        self._parts: list[str] = []
        self._granted = MAX_CHARACTERS
        self._left = MAX_CHARACTERS

    def part(self, kind: str, number: int, name: str = "") -> None:
        """Begin a page, slide, sheet, chapter or message."""
        line = part_heading(kind, number, clean_line(name)[:200])
        if self.depth:
            # Only pages of the document itself are found by their numbers.
            line = f"{'#' * min(self.depth, 5)}{line.replace('# ', '# Attached: ', 1)}"
        self._add(f"{line}\n\n")

    def add_property(self, name: str, words: str | None) -> None:
        """A property of the document, such as its keywords; nothing if it has none.

        Raises DocumentRefused for too many of them.
        """
        line = clean_line(words or "")
        said = self._said.setdefault(name, set())
        if line and line not in said:
            self._count(len(line))
            said.update((line, *line.split(", ")))
            self._properties.setdefault(name, []).append(line)

    def heading(self, level: int, text: str) -> None:
        """A heading of the document."""
        line = clean_line(text)
        if line:
            self._first_heading = self._first_heading or line
            self._add(f"{'#' * max(1, min(level + self.depth, 6))} {line}\n\n")

    def paragraph(self, text: str, lead: str = "") -> None:
        """Text on one line, after a mark such as that of a list."""
        line = clean_line(text)
        if line and lead:
            self._add(f"{lead}{line}\n")
        elif line:
            self._add(f"{without_markdown(line)}\n\n")

    def lines(self, text: str) -> None:
        """Text whose line ends are kept, and whose beginnings of lines are not Markdown."""
        block = _clean_block(text)
        if block:
            self._add(f"{without_markdown(block)}\n\n")

    def markdown(self, text: str) -> None:
        """Text that is Markdown already; in letters its headings are lower, so none is a part."""
        lines = _clean_block(text).split("\n")
        if not any(lines):
            return
        if self.depth:
            for number, line in lines_without_code(lines):
                lines[number - 1] = _HEADING.sub(rf"{'#' * self.depth}\1", line, count=1)
            lines = [_not_a_part(line) for line in lines]
        # Code that nothing ends would continue in what follows.
        fence = unclosed_fence(lines)
        if fence:
            lines.append(fence)
        self._add("\n".join([*lines, "", ""]))

    def fenced(self, text: str, language: str = "") -> None:
        """Text of a program."""
        block = "\n".join(map(_not_a_part, _clean_block(text).split("\n")))
        if block:
            # A fence is longer than any row of backticks in it.
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block)), default=0))
            self._add(f"{fence}{language}\n{block}\n{fence}\n\n")

    def row(self, cells: list[str], *, is_first: bool) -> None:
        """A row of a table."""
        texts = [clean_line(cell).replace("|", "\\|") for cell in cells]
        if not any(texts):
            return
        self._add(f"| {' | '.join(texts)} |\n")
        if is_first:
            self._add(f"{'| --- ' * len(texts)}|\n")

    def blank(self) -> None:
        """A line between blocks."""
        if self._parts and not (self._parts[-1].endswith("\n\n") or self._parts[-1] == "\n"):
            self._add("\n")

    def new_part(self) -> DocumentText:
        """An empty text within the limits of this one."""
        part = DocumentText()
        part._left = self._left
        part.tags = self.tags
        part.attached = self.attached
        part.depth = self.depth
        return part

    def end_part(self, part: DocumentText) -> None:
        """The body of a part, after those before it."""
        self._left = min(self._left, part._left)
        self._take(part)

    def new_attachment(self) -> DocumentText:
        """An empty text for a file that is attached, within the limits of all of these."""
        part = DocumentText()
        part._granted = self.attached.characters_left
        part._left = self.attached.characters_left
        part.tags = self.attached.tags
        part.attached = self.attached
        part.depth = self.depth
        return part

    def end_attachment(self, part: DocumentText, name: str) -> None:
        """The whole of an attached file below its name. Raises DocumentRefused if it is too long.

        A letter keeps its own characters, so what is attached to it does not cost its text.
        """
        head = DocumentText()
        head._left = part._left
        head.paragraph(name, "- Attached: ")
        head.paragraph(part.title, "- Title: ")
        for key, words in part._properties.items():
            head.paragraph(", ".join(words), f"- {key}: ")
        head.blank()
        # What is attached to a letter that is attached itself was counted before.
        used = part._granted - head._left
        if used > self.attached.characters_left:
            raise _too_long()
        self.attached.characters_left -= used
        self._take(head)
        self._take(part)
        self.blank()

    def skip_part(self, part: DocumentText) -> None:
        """Leave a part out, and count what of it could not be read."""
        self.damaged += part.damaged

    @property
    def body(self) -> str:
        """What was added so far."""
        return "".join(self._parts)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added yet."""
        return not self._parts

    def finished(self) -> str:
        """The whole text, with its title. Raises DocumentRefused where there is none."""
        if self.damaged and not self.remark:
            self.remark = msg(
                "{n} {n:part|parts} of the document could not be read.", n=self.damaged
            )
        if self.is_empty and not (self.may_be_empty or self._properties):
            raise DocumentRefused(self.remark or msg("The document contains no text."))
        lines = []
        title = clean_line(self.title or self._first_heading).replace('"', "'")
        self._count(len(title))
        if title:
            lines.append(f'title: "{title}"')
        if self.date:
            lines.append(f"date: {self.date}")
        # The front matter and the remark stand above the text, where there are any.
        parts = []
        if lines:
            parts.append("\n".join(["---", *lines, "---", "", ""]))
        if self.remark:
            parts.append(f"> {self.remark}\n\n")
        if self._properties:
            listed = (f"- {name}: {', '.join(words)}\n" for name, words in self._properties.items())
            parts.append("".join([*listed, "\n"]))
        return "".join([*parts, *self._parts])

    def _take(self, part: DocumentText) -> None:
        """Add what a part has, and what is told of it."""
        self._parts += part._parts
        self.damaged += part.damaged
        self.remark = self.remark or part.remark

    def _add(self, text: str) -> None:
        """Add text. Raises DocumentRefused for too much of it."""
        self._count(len(text))
        self._parts.append(text)

    def _count(self, characters: int) -> None:
        self._left -= characters
        if self._left < 0:
            raise _too_long()


def _too_long() -> DocumentRefused:
    millions = MAX_CHARACTERS // 1_000_000
    return DocumentRefused(msg("The document has more than {n} million characters.", n=millions))


def _clean_block(text: str) -> str:
    """Lines without control characters, and without blank ones around them."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")


def _not_a_part(line: str) -> str:
    """A line that is not found as the beginning of a page or a message."""
    if part_number(line) is None:
        return line
    return f" {line}"


def clean_line(text: str) -> str:
    """The text without control characters, and with single spaces; no-break ones stay."""
    return _SPACES.sub(" ", _CONTROLS.sub("", text)).strip()


def without_markdown(text: str) -> str:
    """Text in which no line is a heading or a fence."""
    return _STRUCTURE.sub(r"\1\\", text)
