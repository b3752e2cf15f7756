"""Snippets as two painted lines that begin near what was found."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.records.search_records import Snippet, Span
from scrubjay.text.plain_snippet import plain_snippet

_BREAK = " · "
"""Sign between separate lines, such as list items."""
SHOWN = 320
"""Characters of a snippet at most, more than two lines ever hold."""


def one_line_snippet(snippet: Snippet, *, titles: Sequence[str] = (), lead: int = 48) -> Snippet:
    """The snippet as prose without line breaks, cut so that its match is near the start.

    At most lead characters stand before the match, or before a best line without one, when the
    snippet has to be cut. Titles that stand above the snippet anyway are not repeated, unless
    something in them matched.
    """
    match = snippet.match
    flat = plain_snippet(snippet, " ", _BREAK)
    at = flat.best
    if match is not None:
        at = next((span.start for span in flat.spans if span.start >= at), at)
    # A title at the beginning is cut off, and with it all places move.
    for title in titles:
        opening = f"{title}{_BREAK}"
        is_matched = bool(flat.spans) and flat.spans[0].start < len(title)
        if title and not is_matched and f"{flat.text}{_BREAK}".startswith(opening):
            length = len(opening)
            spans = tuple(Span(span.start - length, span.end - length) for span in flat.spans)
            flat = Snippet(flat.text[length:], spans)
            at = max(0, at - length)
    if at <= 2 * lead:
        return _shortened(flat, 0)
    # It is cut between two words.
    start = at - lead
    space = flat.text.rfind(" ", 0, start)
    if space > 0:
        start = space + 1
    return _shortened(flat, start)


def _shortened(snippet: Snippet, start: int) -> Snippet:
    end = min(len(snippet.text), start + SHOWN)
    prefix = "…" if start else ""
    suffix = "…" if end < len(snippet.text) else ""
    # The marks move with the text, and those of a cut part go.
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
