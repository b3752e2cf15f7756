"""Answers to searches as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scrubjay.cli.reply import Line
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, Snippet, Span
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.printable import printable, visible
from scrubjay.text.prose import prose

_LONG_MS = 1_000
"""An answer after so long says what it waited for."""
_FOUND = "bold yellow"
"""Style of the words that were found."""


def answer_lines(
    result: SearchAnswer, names: Mapping[WorkspaceId, str], *, explain: bool
) -> Iterator[Line]:
    """Hits, and one line on how far they can be trusted.

    Names are those of the folders by id; a hit's folder is named when several were searched.
    """
    if not result.hits:
        days = " to ".join(dict.fromkeys(map(str, result.days or ())))
        if result.uncertain:
            yield ["Nothing certain found. The nearest notes"]
        elif days:
            yield [f"No note is from {days}. No note has a heading with such a date."]
        else:
            yield ["Nothing relevant found."]
    for number, hit in enumerate(result.hits or result.uncertain, start=1):
        folder = f"{names[hit.workspace]}: " if len(names) > 1 and hit.workspace in names else ""
        place = f"{printable(folder + hit.path)}:{hit.best_line}"
        headings = hit.heading.removeprefix(hit.title).removeprefix(" > ")
        title = printable(f"{hit.title} > {headings}" if headings else hit.title)
        day = f"{hit.date:%Y-%m-%d}" if hit.date else f"changed {hit.modified:%Y-%m-%d}"
        if hit.is_perhaps and not result.hits[number - 2].is_perhaps:
            yield [("Perhaps also", "dim")]
        yield [f"{number}. ", (place, "bold"), f"  {title}  ", (day, "dim")]
        yield from _snippet_lines(prose(hit.snippet))
        if hit.passages:
            more = counted(len(hit.passages), "more passage")
            yield [(f"+ {more} of this note", "dim")]
        if explain:
            yield [(_why(hit), "dim")]
        yield []
    yield [(answer_line(result), "dim")]


def _snippet_lines(snippet: Snippet) -> Iterator[Line]:
    """The lines of a snippet, with what was found in colour."""
    line: list[str | tuple[str, str]] = []
    at = 0
    # The end of the text closes the last piece, which has no colour.
    for span in (*snippet.spans, Span(len(snippet.text), len(snippet.text))):
        pieces = (snippet.text[at : span.start], ""), (snippet.text[span.start : span.end], _FOUND)
        at = span.end
        for piece, style in pieces:
            first, *others = visible(piece).expandtabs(4).split("\n")
            line.append((first, style))
            for other in others:
                yield line
                line = [(other, style)]
    yield line


def answer_line(result: SearchAnswer) -> str:
    """The line below an answer: how much was searched, and by which means."""
    fresh = result.freshness
    if result.provider == "qmd":
        note = f" {fresh.reason}" if fresh.reason else ""
        return f"QMD was asked ({result.model}), {result.elapsed_ms:.0f} ms.{note}"
    parts = [f"Searched {counted(fresh.documents, 'note')}"]
    if fresh.unreadable:
        parts.append(f"{fresh.unreadable} could not be read")
    if fresh.pending:
        parts.append(f"{fresh.pending} changed since and not read yet")
    if result.days:
        parts.append("by their days")
    elif result.request.mode is Mode.LEXICAL:
        parts.append("by words")
    elif result.mode is Mode.VECTOR and fresh.embedded == 1:
        parts.append("by meaning")
    elif result.fallback_reason:
        parts.append(f"by words only ({result.fallback_reason.rstrip('.')})")
    elif fresh.embedded < 1:
        share = f"{fresh.embedded:.0%}"
        parts.append(f"{share} of them by meaning (run `scrubjay index` for the rest)")
    else:
        parts.append("by words and meaning")
    if result.takeover:
        why = result.takeover.reason.rstrip(".")
        parts.append(f"with {result.provider} instead of {result.takeover.provider} ({why})")
    if result.waited_for and result.elapsed_ms >= _LONG_MS:
        parts[-1] += f" ({result.waited_for.rstrip('.')})"
    reading = (f"{name} is still being read." for name in result.unread)
    line = f"{', '.join(parts)}, {result.elapsed_ms:.0f} ms."
    return " ".join(filter(None, (line, *reading, str(fresh.reason))))


def _why(hit: Hit) -> str:
    why = hit.explanation
    words = ", ".join(f"{term} in {'/'.join(places)}" for term, places in why.matched.items())
    parts = " + ".join(f"{name} {value:.3f}" for name, value in why.parts.items())
    ranks = f"words rank {why.lexical_rank or '-'}, meaning rank {why.vector_rank or '-'}"
    missing = f"; not found: {', '.join(why.missing)}" if why.missing else ""
    score = f"score {hit.score:.2f}, {parts} = {sum(why.parts.values()):.3f}"
    return f"Why: {words or 'no words'}{missing}; {ranks}; {score}"


def counted(number: int, noun: str) -> str:
    """Such as "1 note" and "1,200 notes"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
