"""Picks the lines of a chunk that answer a query, and marks the matched words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.tokenizer import Analyzer, Token

MAX_CHARACTERS = 700

_BEFORE = 80
"""Characters shown before the first match of a long line."""

_GRAPHEME = regex.compile(r"\X")


def snippet(text: str, line: int, weights: Mapping[str, float], analyzer: Analyzer) -> Snippet:
    """At most MAX_CHARACTERS around a line, whole lines where they fit, matches marked."""
    lines = text.split("\n")
    line = min(line, len(lines) - 1)
    if len(lines[line]) > MAX_CHARACTERS:
        matches = analyzer.tokens(lines[line], among=weights)
        shown = _part_of_line(lines[line], matches, weights)
    else:
        shown = _window(lines, line)
    spans = [Span(token.start, token.end) for token in analyzer.tokens(shown, among=weights)]
    return Snippet(shown, tuple(merged(spans)))


def _part_of_line(line: str, matches: Sequence[Token], weights: Mapping[str, float]) -> str:
    """The stretch of a long line whose matched words tell most, with a little before them."""
    best, most = 0, 0.0
    for match in matches:
        near = {one.stem for one in matches if match.start <= one.start and one.end <= _end(match)}
        told = sum(weights[stem] for stem in near)
        if told > most:
            best, most = match.start, told
    start = max(0, min(best - _BEFORE, len(line) - MAX_CHARACTERS))
    return cut(line[_border(line, start, best) :], MAX_CHARACTERS)


def _end(match: Token) -> int:
    return match.start + MAX_CHARACTERS - 2 * _BEFORE


def _border(line: str, start: int, word: int) -> int:
    """Where to begin: behind a space before the word if there is one, else between graphemes."""
    if start == 0:
        return 0
    space = line.find(" ", start, word)
    if space >= 0:
        return space + 1
    # Graphemes can only be told apart from a certain border, such as a line's beginning.
    return next((one.end() for one in _GRAPHEME.finditer(line) if one.end() >= start), start)


def merged(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, with what overlaps made one."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def cut(text: str, limit: int) -> str:
    """At most limit characters, ending between graphemes."""
    if len(text) <= limit:
        return text
    end = 0
    for grapheme in _GRAPHEME.finditer(text):
        if grapheme.end() > limit:
            break
        end = grapheme.end()
    return text[:end]


def _window(lines: Sequence[str], line: int) -> str:
    first = last = line
    size = len(lines[first])
    while size < MAX_CHARACTERS:
        after = last + 1 < len(lines) and size + 1 + len(lines[last + 1]) <= MAX_CHARACTERS
        if after:
            last += 1
            size += 1 + len(lines[last])
        before = first > 0 and size + 1 + len(lines[first - 1]) <= MAX_CHARACTERS
        if before:
            first -= 1
            size += 1 + len(lines[first])
        if not after and not before:
            break
    return cut("\n".join(lines[first : last + 1]).strip("\n"), MAX_CHARACTERS)
