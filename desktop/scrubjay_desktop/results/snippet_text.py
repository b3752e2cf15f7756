"""Snippets as two painted lines: Markdown marks gone, highlights still on their words."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from scrubjay.records.search_records import Snippet, Span

FRONT_MATTER = re.compile(r"\A\ufeff?---\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE_START = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\|\s*)")
_INLINE = re.compile(r"\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|\[\[|\]\]|\|(?=\s*$)")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_RUN = re.compile(r"\S+(?: \S+)*|\s+")
_SIGN = re.compile(r"[*_~`|\[\]]")
"""A line without any has no such marks, which takes a tenth of the time to tell."""
_RULE = re.compile(r"[-=*_|:\s]{3,}")
_BREAK = " · "
"""Separates lines of their own, such as list items."""
SHOWN = 320
"""More characters than two lines ever hold."""


def one_line(snippet: Snippet, *, title: str = "", lead: int = 48) -> Snippet:
    """The snippet without line breaks and marks, cut so that its match is near the start.

    At most lead characters stand before the match, or the best line, when the snippet has to be
    cut. A title that stands above the snippet anyway is not repeated, unless something in it
    matched.
    """
    flat = _flattened(snippet)
    first = flat.spans[0].start if flat.spans else len(flat.text)
    opening = title + _BREAK
    if title and f"{flat.text}{_BREAK}".startswith(opening) and first >= len(title):
        length = len(opening)
        spans = tuple(Span(span.start - length, span.end - length) for span in flat.spans)
        flat = Snippet(flat.text[length:], spans, max(0, flat.best - length))
    first = flat.match.start if flat.match else flat.best
    if first <= 2 * lead:
        return _shortened(flat, 0)
    space = flat.text.rfind(" ", 0, first - lead)
    return _shortened(flat, space + 1 if space > 0 else first - lead)


def _flattened(snippet: Snippet) -> Snippet:
    text: list[str] = []
    origins: list[int] = []
    gap = ""
    for start, line, is_item in _lines(snippet.text):
        for position, run in _unmarked(line):
            if run.isspace():
                gap = gap or " "
                continue
            if text and gap:
                text.append(gap)
                origins.extend([start + position] * len(gap))
            gap = ""
            text.append(run)
            origins.extend(range(start + position, start + position + len(run)))
        gap = _BREAK if is_item else gap or " "
    flat = "".join(text)
    spans = []
    for span in snippet.spans:
        start = bisect.bisect_left(origins, span.start)
        end = bisect.bisect_left(origins, span.end)
        while start < end and flat[start] in " ·":
            start += 1
        if start < end:
            spans.append(Span(start, end))
    best = bisect.bisect_left(origins, snippet.best)
    return Snippet(flat, tuple(spans), min(best, max(0, len(flat) - 1)))


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Each line with text: its offset, the line, and whether a break follows it."""
    lines, offset = [], 0
    for line in text.splitlines(keepends=True):
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


def _unmarked(line: str) -> Iterator[tuple[int, str]]:
    """The words of a line, and what is wider between them than a space, without Markdown marks."""
    start = _LINE_START.match(line)
    marks = [(0, start.end() if start else 0)]
    if _SIGN.search(line):
        marks += [mark.span() for mark in _INLINE.finditer(line)]
        for link in _LINK.finditer(line):
            marks += [(link.start(), link.start(1)), (link.end(1), link.end())]
    is_table = line.lstrip().startswith("|")
    at = 0
    for first, end in [*sorted(marks), (len(line), len(line))]:
        for run in _RUN.finditer(line, at, max(at, first)):
            yield run.start(), run[0].replace("|", "·") if is_table else run[0]
        at = max(at, end)


def _shortened(snippet: Snippet, start: int) -> Snippet:
    end = min(len(snippet.text), start + SHOWN)
    prefix = "…" if start else ""
    suffix = "…" if end < len(snippet.text) else ""
    shift = len(prefix) - start
    spans = tuple(
        Span(span.start + shift, min(span.end, end) + shift)
        for span in snippet.spans
        if start <= span.start < end
    )
    return Snippet(prefix + snippet.text[start:end].rstrip() + suffix, spans)


def utf16_spans(snippet: Snippet) -> list[tuple[int, int]]:
    """Start and length of each span as Qt counts, which sees an emoji as two."""

    def length(text: str) -> int:
        return len(text) + sum(character > "\uffff" for character in text)

    text = snippet.text
    return [
        (length(text[: span.start]), length(text[span.start : span.end])) for span in snippet.spans
    ]


def utf16_cut(text: str, units: int) -> str:
    """The beginning of text that fits in this many units as Qt counts."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")
