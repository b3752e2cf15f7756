"""The structure of Markdown that search needs: headings, fences, tables, lists, front matter.

A line scanner, not a parser: it must read megabytes a second and give exact line numbers.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from msgspec import Struct

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.text.word_lists import MONTH_NUMBERS

_HEADING = lazy_pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})(.*)$")
_LIST_ITEM = lazy_pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_UNDERLINE = lazy_pattern(r" {0,3}=+[ \t]*$")
"""Line below the words of a level-one heading that is written without a number sign."""
_RULED = lazy_pattern(r" {0,3}(?:=+|-{2,})[ \t]*$")
"""Line below the words of a heading of either of the two levels that are written so."""
_NO_WORDS = lazy_pattern(
    r" {0,3}(?:#{1,6}(?:[ \t]|$)|[>|]|`{3}|~{3}|(?:[-*+]|\d{1,9}[.)])[ \t])|\t| {4}"
)
"""Beginning of a line that is something else than the words of such a heading."""
_DECORATION = lazy_pattern(r"<!--.*?-->|\[?!\[[^\]]*\](?:\([^()]*\)\]?)*|</?[A-Za-z][^<>]*>")
"""Comments, pictures (badges, say) and HTML tags, which may stand above the title of a text."""
_LONGEST_DECORATION = 2_000
"""Characters of a longer line above the title, which counts as text."""
_FRONT_MATTER_KEY = lazy_pattern(r"([A-Za-z][\w -]*?)[ \t]*:[ \t]*(.*)$")
_VALUE_LINE = lazy_pattern(r"[ \t]+\S|-(?:[ \t]|$)|\]|[ \t]*$")
"""Line that belongs to the value of the key above it: indented, an item, a bracket, or blank."""
FRONT_MATTER_ENDS = ("---", "...")
"""Lines that end a block of front matter."""
_YAML_MARKS = " -[]\"'"
"""Signs around the value of a key, and before an item of a list."""
_DATE_KEYS = (
    "date", "created", "fecha", "creado", "date created", "created at", "created_at",
    "creation date", "creation-date",
)  # fmt: skip
"""Keys of front matter that give the day of a note, the best first."""
# Dates, in words or in digits.

_MONTH_NAME = rf"(?P<month>{'|'.join(MONTH_NUMBERS)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r",? (?:de |del |of )?(?P<year>\d{4})(?!\d)"
_YEAR_HINT = lazy_pattern(r"\d{4}")
_DATES = (
    r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)",
    rf"\b{_DAY} (?:of |de )?{_MONTH_NAME}{_YEAR}",
    rf"\b{_MONTH_NAME} {_DAY}{_YEAR}",
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<gap>[-._/ ]?)(?P<month>\d\d)(?P=gap)(?P<day>\d\d)"
    r"(?!\d)",
    r"(?<!\d)(?P<day>\d{1,2})(?P<gap>[-._/])(?P<month>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d)"
    r"(?!\d)",
)
"""Patterns, compiled by the first text with a year."""


class Break(IntEnum):
    """How good a place the start of a line is for a new chunk; higher is better."""

    NEVER = 0
    """Line inside a fence or table: only when the block is longer than a chunk."""
    LINE = 1
    LIST_ITEM = 2
    BLANK = 3
    """Line after a blank one."""
    HEADING = 4


class Heading(Struct, frozen=True):
    """One heading line."""

    line: int
    """Number of the line, 1-based."""
    level: int
    text: str


class Outline(Struct, frozen=True):
    """Structure of one document."""

    breaks: Sequence[Break]
    """Kind of each line."""
    headings: tuple[Heading, ...]
    front_matter: dict[str, str]
    """Simple `key: value` pairs, keys in lower case."""
    top_heading: str = ""
    """Text of the level-one heading that stands before any text; empty if there is none."""
    body_start: int = 0
    """Number of lines that the front matter takes."""

    @property
    def title(self) -> str:
        """Title that the text gives itself: that of the front matter, otherwise its top heading.

        Empty where it has neither; a heading further down names a part, not the whole.
        """
        return self.front_matter.get("title") or self.top_heading

    @property
    def date(self) -> dt.date | None:
        """Date of the front matter, otherwise one that the heading at the top gives; often none."""
        texts = [*filter(None, map(self.front_matter.get, _DATE_KEYS))]
        if self.headings and self.headings[0].level == 1:
            texts.append(self.headings[0].text)
        return next(filter(None, map(find_date, texts)), None)


def split_lines(text: str) -> list[str]:
    """Lines as editors count them: LF, CRLF and lone CR end a line, nothing else does."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def find_date(text: str) -> dt.date | None:
    """The first possible date: 2026-11-03, otherwise in words, otherwise 20261103 or 3-11-2026."""
    # Most titles and headings have none, and this is quicker than five patterns.
    if not _YEAR_HINT.search(text):
        return None
    matches = (match for pattern in _DATES for match in re.finditer(pattern, text, re.IGNORECASE))
    for match in matches:
        month = MONTH_NUMBERS.get(match["month"].lower()) or int(match["month"])
        try:
            return dt.date(int(match["year"]), month, int(match["day"]))
        except ValueError:
            continue
    return None


def parse_outline(lines: Sequence[str]) -> Outline:
    """Scan the lines of one document."""
    pairs, body_start = parse_front_matter(lines)
    breaks = [Break.NEVER] * body_start
    headings: list[Heading] = []
    fence = ""
    is_after_blank = True
    is_table = False
    for number in range(body_start, len(lines)):
        line = lines[number]
        stripped = line.lstrip()
        # Code up to the end of its fence, blank lines, tables.
        if fence:
            breaks.append(Break.NEVER)
            if stripped.startswith(fence) and not stripped.strip(fence[0] + " \t"):
                fence = ""
            continue
        if not stripped:
            breaks.append(Break.LINE)
            is_after_blank = True
            is_table = False
            continue
        starts = Break.BLANK if is_after_blank else Break.LINE
        is_after_blank = False
        mark = stripped[0]
        if mark == "|":
            # A chunk may begin with the first row of a table, not inside it.
            breaks.append(Break.NEVER if is_table else starts)
            is_table = True
            continue
        is_table = False
        # Headings, the beginning of a fence, items of lists, and prose.
        heading = _HEADING.match(line) if mark == "#" else None
        if heading:
            breaks.append(Break.HEADING)
            headings.append(Heading(number + 1, len(heading[1]), (heading[2] or "").strip()))
            is_after_blank = True
            continue
        if mark in "`~":
            fence = _begun_fence(line)
        elif mark in "-*+0123456789" and _LIST_ITEM.match(line):
            starts = max(starts, Break.LIST_ITEM)
        breaks.append(starts)
    if breaks:
        breaks[0] = Break.HEADING
    top = top_heading(headings, lines, body_start)
    return Outline(breaks, tuple(headings), pairs, top_heading=top, body_start=body_start)


def all_headings(lines: Sequence[str]) -> tuple[Heading, ...]:
    """The headings of one document, also those that are underlined instead of marked.

    Chunks do not begin at these, since a line of hyphens below prose is mostly meant as a rule.
    So only one line of words between blank lines, or after a heading, is taken for a heading.
    """
    outline = parse_outline(lines)
    headings = {heading.line: heading for heading in outline.headings}
    prose = [(number, line) for number, line in lines_without_code(lines)]
    for (number, line), (following, rule) in itertools.pairwise(prose):
        above = lines[number - 2] if number - 1 > outline.body_start else ""
        is_alone = not above.strip() or number - 1 in headings or _RULED.match(above)
        is_text = line.strip() and not _NO_WORDS.match(line) and not _RULED.match(line)
        if following == number + 1 and _RULED.match(rule) and is_alone and is_text:
            level = 1 if "=" in rule else 2
            headings[number] = Heading(number, level, line.strip())
    return tuple(headings[number] for number in sorted(headings) if number > outline.body_start)


def top_heading(headings: Sequence[Heading], lines: Sequence[str], body_start: int = 0) -> str:
    """Text of the level-one heading that stands before any text; empty if there is none.

    Body_start is the number of lines that the front matter takes.
    """
    others = {heading.line: heading for heading in headings if heading.level == 1}
    for number, line in enumerate(lines[body_start:], start=body_start + 1):
        heading = others.get(number)
        if heading and heading.text:
            return heading.text
        # Rules, and lines above a title that is also underlined, have no letters.
        is_short = len(line) <= _LONGEST_DECORATION
        rest = _DECORATION.sub("", line) if is_short else line
        if any(map(str.isalnum, rest)):
            is_underlined = number < len(lines) and _UNDERLINE.match(lines[number])
            return line.strip() if is_underlined else ""
    return ""


def _begun_fence(line: str) -> str:
    """The fence that begins on a line; empty for none."""
    opening = _FENCE.match(line)
    # Backticks later in the line make it inline code, as CommonMark says.
    if opening is None or (opening[1][0] == "`" and "`" in opening[2]):
        return ""
    return opening[1]


def unclosed_fence(lines: Sequence[str]) -> str:
    """The fence of code that continues to the last line; empty for none."""
    fence = ""
    for line in lines:
        stripped = line.lstrip()
        if not fence:
            fence = _begun_fence(line)
        elif stripped.startswith(fence) and not stripped.strip(fence[0] + " \t"):
            fence = ""
    return fence


def lines_without_code(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Lines outside of fences, with their 1-based numbers."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not line.strip(" \t`~"):
                fence = ""
        elif match:
            fence = match[1]
        else:
            yield number, line


def property_at(lines: Sequence[str], at: int) -> str:
    """A line of front matter as prose: `Tags: garden, pond`, also for an item of a list."""
    # The key stands on the line itself, or above the items of a list.
    matches = map(_FRONT_MATTER_KEY.match, reversed(lines[: at + 1]))
    keys = (match[1] for match in matches if match)
    value = lines[at]
    if _FRONT_MATTER_KEY.match(value):
        value = value.partition(":")[2]
    return f"{next(keys, '').capitalize()}: {value.strip(_YAML_MARKS)}"


def property_lines(front_matter: Iterable[str], key: re.Pattern[str]) -> Iterator[list[str]]:
    """The line of each key that matches, with the lines of its value below it."""
    lines: list[str] = []
    for line in front_matter:
        is_key = bool(key.match(line))
        if lines and (is_key or not _VALUE_LINE.match(line)):
            yield lines
            lines = []
        if lines or is_key:
            lines.append(line)
    if lines:
        yield lines


def parse_front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Pairs, and the number of lines that the block takes; nothing when it never ends."""
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    pairs: dict[str, str] = {}
    # A block that is still open after 200 lines is a rule and the text below it.
    for number, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in FRONT_MATTER_ENDS:
            return pairs, number + 1
        match = _FRONT_MATTER_KEY.match(line)
        if match:
            pairs[match[1].lower()] = match[2].strip().strip("\"'")
    return {}, 0
