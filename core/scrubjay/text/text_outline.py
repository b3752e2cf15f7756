"""The structure of plain texts other than Markdown: Org, reStructuredText, AsciiDoc, LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.text.file_kinds import is_markdown, text_ending
from scrubjay.text.markdown import Break, Heading, Outline, parse_outline, top_heading

_LIST_ITEM = lazy_pattern(r"\s*(?:[-*+•]|\d{1,9}[.)])\s")
# Headings, and the title and date of the whole text.

_ORG = lazy_pattern(
    r"(\*{1,6})\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?:\[#\w\]\s+)?(.+?)(?:\s+:[\w@#%:]+:)?\s*$"
)
_ORG_PROPERTY = lazy_pattern(r"#\+(title|date):\s*(.+?)\s*$", re.IGNORECASE)
_ADOC = lazy_pattern(r"(={1,6})\s+(\S.*?)\s*$")
_ADOC_PROPERTY = lazy_pattern(r":(title|date):\s*(.+?)\s*$", re.IGNORECASE)
_RST_LINE = lazy_pattern(r"([=\-`:'\"~^_*+#<>.])\1{2,}\s*$")
_TEX = lazy_pattern(r"\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\{(.+?)\}")
_TEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_NO_PROPERTY = lazy_pattern(r"(?!)()()")
_TOP = 50
"""Lines of a note that may say its title and its date."""
_TEX_PROPERTY = lazy_pattern(r"\s*\\(title|date)\{(.+?)\}")

_Headings = Iterator[tuple[int, int, str]]
"""Line (0-based), level and text of each heading."""


def note_outline(lines: Sequence[str], name: str) -> Outline:
    """The structure of a note, by the end of its name; of names without one as Markdown."""
    if is_markdown(name):
        return parse_outline(lines)
    headings, properties = _KINDS.get(text_ending(name), (_none, _NO_PROPERTY))
    found = list(headings(lines))
    # How good a place each line is for a new chunk.
    starts = {at for at, _, _ in found}
    breaks: list[Break] = []
    is_after_blank = True
    for number, line in enumerate(lines):
        is_blank = not line.strip()
        if is_blank:
            kind = Break.LINE
        elif number in starts or not number:
            kind = Break.HEADING
        elif is_after_blank:
            kind = Break.BLANK
        elif _LIST_ITEM.match(line):
            kind = Break.LIST_ITEM
        else:
            kind = Break.LINE
        breaks.append(kind)
        is_after_blank = is_blank
    pairs: dict[str, str] = {}
    for line in lines[:_TOP]:
        match = properties.match(line)
        if match:
            pairs.setdefault(match[1].lower(), match[2])
    listed = tuple(Heading(at + 1, level, text) for at, level, text in found)
    return Outline(breaks, listed, pairs, top_heading(listed, lines))


def _none(lines: Sequence[str]) -> _Headings:
    return iter(())


def _org(lines: Sequence[str]) -> _Headings:
    is_block = False
    for number, line in enumerate(lines):
        mark = line.strip().lower()
        is_block = mark.startswith("#+begin_") or (is_block and not mark.startswith("#+end_"))
        if is_block or not line.startswith("*"):
            continue
        match = _ORG.match(line)
        if match:
            yield number, len(match[1]), match[2]


def _adoc(lines: Sequence[str]) -> _Headings:
    fence = ""
    for number, line in enumerate(lines):
        mark = line.rstrip()
        if mark in ("----", "....", "====", "****"):
            # A block ends with the mark that it began with.
            if not fence:
                fence = mark
            elif fence == mark:
                fence = ""
            continue
        match = None if fence else _ADOC.match(line)
        if match:
            yield number, len(match[1]), match[2]


def _rst(lines: Sequence[str]) -> _Headings:
    levels: dict[tuple[str, bool], int] = {}
    for number, line in enumerate(lines[:-1]):
        # A title has a line of signs below it, at least as long as itself.
        title = line.strip()
        below = _RST_LINE.match(lines[number + 1])
        if not below or not title or _RST_LINE.match(line):
            continue
        if len(lines[number + 1].rstrip()) < len(title):
            continue
        above = number > 0 and lines[number - 1].rstrip() == lines[number + 1].rstrip()
        # The last line of a paragraph or a table is not a title.
        if not above and (line[0].isspace() or (number and lines[number - 1].strip())):
            continue
        yield number, levels.setdefault((below[1], above), len(levels) + 1), title


def _tex(lines: Sequence[str]) -> _Headings:
    for number, line in enumerate(lines):
        match = _TEX.match(line)
        if match:
            yield number, _TEX_LEVELS.index(match[1]) + 1, match[2]


_KINDS: Mapping[str, tuple[Callable[[Sequence[str]], _Headings], re.Pattern[str]]] = {
    ".org": (_org, _ORG_PROPERTY),
    ".adoc": (_adoc, _ADOC_PROPERTY),
    ".rst": (_rst, _NO_PROPERTY),
    ".tex": (_tex, _TEX_PROPERTY),
}
