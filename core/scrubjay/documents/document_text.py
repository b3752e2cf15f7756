"""The text of a document in progress: Markdown in which only real parts are headings."""

from __future__ import annotations

import re
import time

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_parts import part_heading
from scrubjay.messages import msg

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
_STRUCTURE = re.compile(r"(?m)^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|(?:---|\+\+\+)[ \t]*$)")
"""Beginnings of lines that Markdown would take for a heading, a fence or front matter."""


class AttachedBudget:
    """What reading the documents that are attached to letters may cost in all."""

    def __init__(self) -> None:
        self._until = time.process_time() + _ATTACHED_S
        self._bytes_left = _ATTACHED_BYTES

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
        self._properties: dict[str, str] = {}
        self._first_heading = ""
        self._parts: list[str] = []
        self._left = MAX_CHARACTERS
        self._tags_left = MAX_TAGS

    def part(self, kind: str, number: int, name: str = "") -> None:
        """Begin a page, slide, sheet, chapter or message."""
        line = part_heading(kind, number, clean_line(name)[:200])
        if self.depth:
            # Only pages of the document itself are found by their numbers.
            line = f"{'#' * min(self.depth, 5)}{line.replace('# ', '# Attached: ', 1)}"
        self._add(f"{line}\n\n")

    def add_property(self, name: str, words: str | None) -> None:
        """A property of the document, such as its keywords; nothing if it has none."""
        line = clean_line(words or "")
        former = self._properties.get(name, "")
        if line and line not in former.split(", "):
            self._properties[name] = ", ".join(filter(None, (former, line)))

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
        block = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
        if block:
            self._add(f"{without_markdown(block)}\n\n")

    def markdown(self, text: str) -> None:
        """Text that is Markdown already."""
        block = _CONTROLS.sub("", text.replace("\r\n", "\n")).strip("\n")
        if block:
            self._add(f"{block}\n\n")

    def fenced(self, text: str, language: str = "") -> None:
        """Text of a program."""
        block = _CONTROLS.sub("", text).strip("\n")
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
        part._tags_left = self._tags_left
        part.attached = self.attached
        part.depth = self.depth
        return part

    def end_part(self, part: DocumentText) -> None:
        """The body of a part, after those before it."""
        self._parts += part._parts
        self._left = min(self._left, part._left)
        self._tags_left = part._tags_left
        self.damaged += part.damaged
        self.remark = self.remark or part.remark

    def end_document(self, part: DocumentText) -> None:
        """The whole of a document that is attached, with its title and properties."""
        self.paragraph(part.title, "- Title: ")
        for name, words in part._properties.items():
            self.paragraph(words, f"- {name}: ")
        self.blank()
        self.end_part(part)
        self.blank()

    def skip_part(self, part: DocumentText) -> None:
        """Leave a part out; what reading it cost counts, and what of it could not be read."""
        self.damaged += part.damaged
        self._tags_left = part._tags_left

    def count_tags(self, count: int) -> None:
        """Count the tags of a page before it is read. Raises DocumentRefused for too many."""
        self._tags_left -= count
        if self._tags_left < 0:
            millions = MAX_TAGS // 1_000_000
            raise DocumentRefused(
                msg("The document contains more than {n} million HTML tags.", n=millions)
            )

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
            listed = (f"- {name}: {words}\n" for name, words in self._properties.items())
            parts.append("".join([*listed, "\n"]))
        return "".join([*parts, *self._parts])

    def _add(self, text: str) -> None:
        """Add text. Raises DocumentRefused for too much of it."""
        self._left -= len(text)
        if self._left < 0:
            raise DocumentRefused(
                msg(
                    "The document has more than {n} million characters.",
                    n=MAX_CHARACTERS // 1_000_000,
                )
            )
        self._parts.append(text)


def clean_line(text: str) -> str:
    """The text without control characters, and with single spaces; no-break ones stay."""
    return _SPACES.sub(" ", _CONTROLS.sub("", text)).strip()


def without_markdown(text: str) -> str:
    """Text in which no line is a heading or a fence."""
    return _STRUCTURE.sub(r"\1\\", text)
