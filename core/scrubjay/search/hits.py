"""Hits of ranked passages: their snippet with marked words, and the explanation of their rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import regex

from scrubjay.records.search_records import Explanation, Hit, Snippet, Span
from scrubjay.search.ranking.ranked import RankedPassage
from scrubjay.store.rows import local_time
from scrubjay.text.tokenizer import Analyzer, Token

Marks: TypeAlias = Callable[[str, Analyzer], Sequence[tuple[Token, float]]]
"""The words to mark in a text, with their information."""

MAX_CHARACTERS = 700
"""Characters of a snippet."""

_BEFORE = 80
"""Characters shown before the first match of a long line."""

_GRAPHEME = regex.compile(r"\X")


def hit(ranked: RankedPassage, analyzer: Analyzer) -> Hit:
    """The hit that a window, a terminal or an agent shows."""
    chunk, passage = ranked.candidate.chunk, ranked.passage
    lines, best = passage.lines[ranked.first : ranked.last + 1], ranked.best - ranked.first
    if passage.is_session:
        # A transcript is blank where tools worked: there is nothing to read.
        best = sum(map(bool, lines[:best]))
        lines = [line for line in lines if line]
    fields = [
        (term.text, tuple(name for name, numbers in ranked.fields.items() if numbers.get(number)))
        for number, term in enumerate(ranked.terms.terms)
    ]
    shown = Hit(
        workspace=passage.workspace,
        path=chunk.path,
        file=Path(chunk.file),
        source=chunk.source,
        title=chunk.title,
        heading=chunk.heading,
        first_line=passage.first_line + ranked.first,
        last_line=passage.first_line + ranked.last,
        best_line=passage.first_line + ranked.best,
        score=ranked.final_score,
        text_score=ranked.candidate.text_score,
        vector_score=ranked.candidate.cosine,
        snippet=snippet("\n".join(lines), best, ranked.terms.marked, analyzer),
        modified=local_time(chunk.mtime_ns),
        date=chunk.date,
        is_perhaps=ranked.is_perhaps,
        explanation=Explanation(
            matched={term: names for term, names in fields if names},
            missing=tuple(term for term, names in fields if not names),
            lexical_rank=ranked.candidate.lexical_rank,
            vector_rank=ranked.candidate.vector_rank,
            parts=ranked.parts,
            is_log_odds=ranked.is_log_odds,
            decay=ranked.decay,
            diversity_penalty=ranked.diversity_penalty,
        ),
    )
    passages: list[Hit] = []
    for other in (hit(other, analyzer) for other in ranked.others):
        is_match = other.snippet.spans or not ranked.closeness
        if is_match and not any(map(other.overlaps, (shown, *passages))):
            passages.append(other)
    return replace(shown, passages=tuple(passages))


def snippet(text: str, line: int, marks: Marks, analyzer: Analyzer) -> Snippet:
    """At most MAX_CHARACTERS around a line (0-based), in whole lines if they fit, words marked."""
    lines = text.split("\n")
    line = min(line, len(lines) - 1)
    if len(lines[line]) > MAX_CHARACTERS:
        long = lines[line]
        part, best = _part_of_line(long, marks(long, analyzer))
    else:
        part, best = _lines_around(lines, line)
    spans = [Span(token.start, token.end) for token, _ in marks(part, analyzer)]
    return Snippet(part, tuple(merged(spans)), best)


def _part_of_line(line: str, matches: Sequence[tuple[Token, float]]) -> tuple[str, int]:
    """The stretch of a long line with the most information, and where in it this begins.

    It begins at a space or a grapheme.
    """
    best, most = 0, 0.0
    for match, _ in matches:
        end = match.start + MAX_CHARACTERS - 2 * _BEFORE
        near = {
            token.stem: information
            for token, information in matches
            if match.start <= token.start and token.end <= end
        }
        information = sum(near.values())
        if information > most:
            best, most = match.start, information
    start = max(0, min(best - _BEFORE, len(line) - MAX_CHARACTERS))
    space = line.find(" ", start, best)
    if start and space >= 0:
        start = space + 1
    elif start:
        # Graphemes can only be told apart from a certain border, such as a line's beginning.
        ends = (grapheme.end() for grapheme in _GRAPHEME.finditer(line))
        start = next((end for end in ends if end >= start), start)
    return cut(line[start:], MAX_CHARACTERS), max(0, best - start)


def _lines_around(lines: Sequence[str], line: int) -> tuple[str, int]:
    """A line with those around it, and where in them it begins."""
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
    text, above = (
        "\n".join(lines[first : last + 1]),
        sum(len(each) + 1 for each in lines[first:line]),
    )
    blank = len(text) - len(text.lstrip("\n"))
    return cut(text.strip("\n"), MAX_CHARACTERS), max(0, above - blank)


def merged(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, overlapping ones merged."""
    result: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
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
