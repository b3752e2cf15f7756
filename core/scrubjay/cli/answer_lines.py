"""Answers to searches as lines for the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from scrubjay.answers.answer_json import reading_note
from scrubjay.cli.reply import Line
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, Snippet, Span
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.file_snippet import file_snippet
from scrubjay.text.plain_snippet import plain_snippet
from scrubjay.text.printable import printable_label, visible_text

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
        yield [_nothing_found(result)]
    for number, hit in enumerate(result.hits or result.uncertain, start=1):
        # One line leads into the hits that are less certain than those above them.
        if hit.is_perhaps and not result.hits[number - 2].is_perhaps:
            yield [("Other possible results", "dim")]
        yield from _hit_lines(number, hit, names)
        if explain:
            yield [(_why(hit), "dim")]
        yield []
    reading = reading_note(result.reading)
    if result.reading.similar_folder:
        reading = f"{reading} Did you mean {printable_label(result.reading.similar_folder)}?"
    if result.reading.plain:
        plain = shlex.quote(result.reading.plain)
        reading = f"{reading} To include them, run: scrubjay search {plain}"
    if reading:
        yield [(reading, "dim")]
    yield [(answer_summary(result), "dim")]


def _nothing_found(result: SearchAnswer) -> str:
    """The lines that are printed if there are no hits."""
    if result.uncertain:
        return "Possible results (nothing certain found)"
    days = " to ".join(dict.fromkeys(map(str, result.days or ())))
    if days:
        return f"No notes from {days} were found, and no headings with that date."
    return "Nothing relevant found."


def _hit_lines(number: int, hit: Hit, names: Mapping[WorkspaceId, str]) -> Iterator[Line]:
    """The place, title and day of a hit, the sender of a mail, and its snippet."""
    where = hit.path
    if len(names) > 1 and hit.workspace in names:
        where = f"{names[hit.workspace]}: {where}"
    where = f"{printable_label(where)}:{hit.best_line}"
    # The first heading is often the title itself, which is not said twice.
    title = hit.title
    headings = hit.heading.removeprefix(title).removeprefix(" > ")
    if headings:
        title = f"{title} > {headings}"
    if hit.date:
        day = f"{hit.date:%Y-%m-%d}"
    else:
        day = f"changed {hit.modified:%Y-%m-%d}"
    yield [f"{number}. ", (where, "bold"), f"  {printable_label(title)}  ", (day, "dim")]
    excerpt = file_snippet(hit.path, hit.snippet)
    if excerpt.sender:
        yield [printable_label(excerpt.sender)]
    yield from _snippet_lines(plain_snippet(excerpt.snippet))
    if hit.passages:
        more = pluralize(len(hit.passages), "more passage")
        yield [(f"+ {more} in this note", "dim")]
    if hit.conflict_copies:
        count = len(hit.conflict_copies)
        copies = "1 conflict copy" if count == 1 else f"{count} conflict copies"
        paths = ", ".join(map(printable_label, hit.conflict_copies))
        yield [(f"+ {copies}: {paths}", "dim")]


def _snippet_lines(snippet: Snippet) -> Iterator[Line]:
    """The lines of a snippet, with the words that were found in colour."""
    line: list[str | tuple[str, str]] = []
    at = 0
    # The end of the text closes the last piece, which has no colour.
    for span in (*snippet.spans, Span(len(snippet.text), len(snippet.text))):
        pieces = (snippet.text[at : span.start], ""), (snippet.text[span.start : span.end], _FOUND)
        at = span.end
        # A piece continues the line that was begun; its line breaks end it.
        for piece, style in pieces:
            first, *others = visible_text(piece).expandtabs(4).split("\n")
            line.append((first, style))
            for other in others:
                yield line
                line = [(other, style)]
    yield line


def answer_summary(result: SearchAnswer) -> str:
    """The line below an answer: how much was searched, and by which means."""
    fresh = result.freshness
    if result.provider == "qmd":
        asked = f"QMD answered ({result.model}), {result.elapsed_ms:.0f} ms."
        return f"{asked} {fresh.reason}".rstrip()
    # What was searched, and what is missing from it.
    parts = [f"Searched {pluralize(fresh.documents, 'note')}"]
    if fresh.unreadable:
        parts.append(f"{fresh.unreadable} could not be read")
    if fresh.pending:
        parts.append(f"{fresh.pending} changed since and not read yet")
    parts.append(_means(result))
    if result.read_again_by:
        parts.append(f"the first results read again by {result.read_again_by}")
    # Who answered in place of the model that was asked, and what took long.
    if result.takeover:
        why = result.takeover.reason.rstrip(".")
        parts.append(f"with {result.provider} instead of {result.takeover.provider} ({why})")
    if result.waited_for and result.elapsed_ms >= _LONG_MS:
        parts[-1] += f" ({result.waited_for.rstrip('.')})"
    reading = (f"{name} is still being read." for name in result.unread)
    line = f"{', '.join(parts)}, {result.elapsed_ms:.0f} ms."
    return " ".join(filter(None, (line, result.not_read_again, *reading, str(fresh.reason))))


def _means(result: SearchAnswer) -> str:
    """The means by which notes were searched: words, meaning, or their days."""
    fresh = result.freshness
    if result.days:
        return "by date"
    if result.request.mode is Mode.LEXICAL:
        return "by words"
    # What did run may be less than what was asked for.
    if result.mode is Mode.VECTOR and fresh.embedded == 1:
        return "by meaning"
    if result.fallback_reason:
        reason = result.fallback_reason.rstrip(".")
        if result.mode is Mode.LEXICAL:
            return f"by words only ({reason})"
        return f"by words and meaning ({reason})"
    if fresh.embedded < 1:
        return f"{fresh.percent}% of them by meaning (run `scrubjay index` for the rest)"
    return "by words and meaning"


def _why(hit: Hit) -> str:
    """The reasons for which a hit stands where it does."""
    why = hit.explanation
    words = ", ".join(f"{term} in {'/'.join(fields)}" for term, fields in why.matched.items())
    parts = " + ".join(f"{name} {value:.3f}" for name, value in why.parts.items())
    ranks = f"words rank {why.lexical_rank or '-'}, meaning rank {why.vector_rank or '-'}"
    missing = ""
    if why.missing:
        missing = f"; not found: {', '.join(why.missing)}"
    score = f"score {hit.score:.2f}, {parts} = {sum(why.parts.values()):.3f}"
    verdict = ""
    if why.verdict:
        verdict = f". Read again: {why.verdict}"
    return f"Why: {words or 'no words'}{missing}; {ranks}; {score}{verdict}"


def pluralize(number: int, noun: str) -> str:
    """A number with its noun, such as "1 note" and "1,200 notes"."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s"
