"""Markdown as prose: marks, pictures and targets of links gone, highlights still on their words."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from scrubjay.records.search_records import Snippet, Span

FRONT_MATTER = re.compile(r"\A\ufeff?---\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE_START = re.compile(
    r"\s*(?:#{1,6}\s+|>\s?(?:\[!\w+\][-+]?\s*)?|[-*+]\s+(?:\[[ xX]\]\s+)?|\|\s*)"
)
_INLINE = re.compile(
    r"\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|(?<![=\w])==(?=[^\s=])|(?<=[^\s=])==(?![=\w])"
    r"|!?\[\[(?:[^\]|\n]*\|)?|\]\]|\|(?=\s*$)"
)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_NO_PROSE = re.compile(
    r"!\[\[[^\]\n]*\]\]|!\[[^\]\n]*\]\([^)\n]*\)|\{\{[^}\n]*\}\}|<!--.*?-->|%%.*?%%|\s\^[\w-]+\s*$"
    r"|<br ?/?>"
)
"""Pictures, notes inside notes, placeholders, comments, names of blocks, line breaks of HTML."""
_RUN = re.compile(r"\S+(?: \S+)*|\s+")
_SIGN = re.compile(r"[*_~`|\[\]={%<^]")
"""A line without any has no such marks, which takes a tenth of the time to tell."""
_RULE = re.compile(r"[-=*_|:\s]{3,}")


def prose(snippet: Snippet, line_break: str = "\n", item_break: str = "\n") -> Snippet:
    """The snippet as a reader sees it. The second break follows a heading, an item, a paragraph."""
    text: list[str] = []
    origins: list[int] = []
    gap = ""
    for start, line, is_item in _lines(snippet):
        inside = [span.start - start for span in snippet.spans]
        for position, run in _unmarked(line, inside):
            if run.isspace():
                gap = gap or " "
                continue
            if text and gap:
                text.append(gap)
                origins.extend([start + position] * len(gap))
            gap = ""
            text.append(run)
            origins.extend(range(start + position, start + position + len(run)))
        gap = item_break if is_item else gap if gap.strip(" ") else line_break
    flat = "".join(text)
    spans = []
    for span in snippet.spans:
        first = bisect.bisect_left(origins, span.start)
        end = bisect.bisect_left(origins, span.end)
        while first < end and flat[first] in " ·\n":
            first += 1
        if first < end:
            spans.append(Span(first, end))
    best = bisect.bisect_left(origins, snippet.best)
    while best < len(flat) and flat[best] in " ·\n":
        best += 1
    return Snippet(flat, tuple(spans), min(best, max(0, len(flat) - 1)))


def _lines(snippet: Snippet) -> Iterator[tuple[int, str, bool]]:
    """Each line with text: its offset, the line, and whether a break follows it."""
    lines, offset = [], 0
    matter = FRONT_MATTER.match(snippet.text)
    first = matter.end() if matter else 0
    for line in snippet.text.splitlines(keepends=True):
        if offset >= first:
            lines.append((offset, line))
        offset += len(line)
    for index, (start, line) in enumerate(lines):
        if not line.strip() or _RULE.fullmatch(line):
            continue
        following = lines[index + 1][1] if index + 1 < len(lines) else ""
        stands_alone = line.lstrip().startswith("#")
        ends = stands_alone or not following.strip() or bool(_LINE_START.match(following))
        is_sentence = line.rstrip()[-1:] in ".!?:;,"
        yield start, line, ends and not is_sentence


def _unmarked(line: str, inside: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The words of a line, and what is wider between them than a space, without Markdown marks.

    The name of a picture is among them, if a match begins inside.
    """
    start = _LINE_START.match(line)
    marks = [(0, start.end() if start else 0)]
    if _SIGN.search(line):
        marks += [mark.span() for mark in _INLINE.finditer(line)]
        for link in _LINK.finditer(line):
            marks += [(link.start(), link.start(1)), (link.end(1), link.end())]
        for part in _NO_PROSE.finditer(line):
            if not any(part.start() <= at < part.end() for at in inside):
                marks.append(part.span())
    is_table = line.lstrip().startswith("|")
    at = 0
    for first, end in [*sorted(marks), (len(line), len(line))]:
        for run in _RUN.finditer(line, at, max(at, first)):
            yield run.start(), run[0].replace("|", "·") if is_table else run[0]
        at = max(at, end)
