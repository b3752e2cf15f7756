"""The words and the sentence of a note that are highlighted for a chosen row."""

from __future__ import annotations

from scrubjay.records.search_records import Snippet
from scrubjay.text.plain_snippet import SENTENCE_END, plain_snippet
from scrubjay_desktop.results.explanation import hit_words
from scrubjay_desktop.results.result_rows import Row


def highlighted_words(row: Row) -> list[str]:
    """The words of a note that are highlighted for a row."""
    if not row.hit:
        return []
    return list(hit_words(row.hit))


def row_sentence(row: Row) -> str:
    """The sentence that the row begins with; empty where no word of it was asked for."""
    snippet = row.hit.snippet if row.hit else None
    if snippet is None or snippet.match is None:
        return ""
    # The line is cut after its first sentence, and freed of the signs of Markdown.
    line = snippet.text[snippet.best :].partition("\n")[0]
    end = SENTENCE_END.search(line)
    if end:
        line = line[: end.end()]
    return plain_snippet(Snippet(line)).text
