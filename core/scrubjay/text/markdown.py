"""The structure of Markdown that search needs: headings, fences, tables, lists, front matter.

A line scanner and no parser: it must read megabytes a second and give exact line numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from msgspec import Struct

from scrubjay.text.word_lists import MONTH_NUMBERS

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_FRONT_MATTER_KEY = re.compile(r"([A-Za-z][\w -]*?)[ \t]*:[ \t]*(.*)$")
_YAML_MARKS = " -[]\"'"
"""Around the value of a key, and before an item of a list."""
_DATE_KEYS = (
    "date", "created", "fecha", "creado", "date created", "created at", "created_at",
    "creation date", "creation-date",
)  # fmt: skip
"""Keys of front matter that give the day of a note, the best first."""
_MONTH_NAME = rf"(?P<month>{'|'.join(MONTH_NUMBERS)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r",? (?:de |del |of )?(?P<year>\d{4})(?!\d)"
_YEAR_HINT = re.compile(r"\d{4}")
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
    """Inside a fence or table: only when the block is longer than a chunk."""
    LINE = 1
    LIST_ITEM = 2
    BLANK = 3
    """First line after a blank one."""
    HEADING = 4


class Heading(Struct, frozen=True):
    """One heading line."""

    line: int
    """1-based."""
    level: int
    text: str


class Outline(Struct, frozen=True):
    """Structure of one document."""

    breaks: Sequence[Break]
    """One for each line."""
    headings: tuple[Heading, ...]
    front_matter: dict[str, str]
    """Simple `key: value` pairs, keys in lower case."""

    @property
    def title(self) -> str:
        """Front matter title, else the first heading, else empty."""
        if title := self.front_matter.get("title"):
            return title
        return next((heading.text for heading in self.headings if heading.text), "")

    @property
    def date(self) -> dt.date | None:
        """Date of the front matter, else one that the heading at the top gives; often none."""
        top = self.headings[0].text if self.headings and self.headings[0].level == 1 else ""
        texts = (*filter(None, map(self.front_matter.get, _DATE_KEYS)), top)
        return next((date for text in texts if (date := find_date(text))), None)


def split_lines(text: str) -> list[str]:
    """Lines as editors count them: LF, CRLF and lone CR end a line, nothing else does."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def find_date(text: str) -> dt.date | None:
    """The first possible date: 2026-11-03, else in words, else 20261103 or 3-11-2026."""
    if not _YEAR_HINT.search(text):  # most titles and headings, quicker than five patterns
        return None
    for match in (
        match for pattern in _DATES for match in re.finditer(pattern, text, re.IGNORECASE)
    ):
        month = MONTH_NUMBERS.get(match["month"].lower()) or int(match["month"])
        try:
            return dt.date(int(match["year"]), month, int(match["day"]))
        except ValueError:
            continue
    return None


def outline(lines: Sequence[str]) -> Outline:
    """Scan the lines of one document."""
    pairs, body_start = front_matter(lines)
    breaks = [Break.NEVER] * body_start
    headings: list[Heading] = []
    fence = ""
    is_after_blank = True
    is_table = False
    for number in range(body_start, len(lines)):
        line = lines[number]
        stripped = line.lstrip()
        if fence:
            breaks.append(Break.NEVER)
            if stripped.startswith(fence) and not stripped.strip(fence[0] + " \t"):
                fence = ""
            continue
        if not stripped:
            breaks.append(Break.LINE)
            is_after_blank, is_table = True, False
            continue
        starts = Break.BLANK if is_after_blank else Break.LINE
        is_after_blank = False
        mark = stripped[0]
        if mark == "|":
            breaks.append(Break.NEVER if is_table else starts)
            is_table = True
            continue
        is_table = False
        if mark == "#" and (match := _HEADING.match(line)):
            breaks.append(Break.HEADING)
            headings.append(Heading(number + 1, len(match[1]), (match[2] or "").strip()))
            is_after_blank = True
            continue
        # Backticks later in the line make it inline code, as CommonMark says.
        if mark in "`~" and (match := _FENCE.match(line)) and (mark == "~" or "`" not in match[2]):
            fence = match[1]
        elif mark in "-*+0123456789" and _LIST_ITEM.match(line):
            starts = max(starts, Break.LIST_ITEM)
        breaks.append(starts)
    if breaks:
        breaks[0] = Break.HEADING
    return Outline(breaks, tuple(headings), pairs)


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
    keys = (
        match[1] for line in reversed(lines[: at + 1]) if (match := _FRONT_MATTER_KEY.match(line))
    )
    value = lines[at].partition(":")[2] if _FRONT_MATTER_KEY.match(lines[at]) else lines[at]
    return f"{next(keys, '').capitalize()}: {value.strip(_YAML_MARKS)}"


def front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Pairs, and the number of lines that the block takes; nothing when it never ends."""
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    pairs: dict[str, str] = {}
    for number, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in ("---", "..."):
            return pairs, number + 1
        if match := _FRONT_MATTER_KEY.match(line):
            pairs[match[1].lower()] = match[2].strip().strip("\"'")
    return {}, 0
