"""The words and the sentence of a note that are highlighted for a chosen row."""

from __future__ import annotations

import re

from scrubjay.records.search_records import Snippet
from scrubjay.text.plain_snippet import SENTENCE_END, plain_snippet
from scrubjay_desktop.results.explanation import hit_words
from scrubjay_desktop.results.result_rows import Row

_FIRST_CJK = "\u2e80"
"""First letter of the scripts without spaces: they come after all others except a few."""


def highlighted_words(row: Row) -> list[str]:
    """The words of a note that are highlighted for a row."""
    if not row.hit:
        return []
    return list(hit_words(row.hit))


def whole_word(word: str) -> str:
    """The pattern of a word that is not a part of another one."""
    # Text without spaces has no borders of words.
    if word > _FIRST_CJK:
        return re.escape(word)
    return rf"(?<!\w){re.escape(word)}(?!\w)"


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


def row_passage(row: Row) -> str:
    """The sentence that answers, over as many lines of a page as it takes."""
    if not row.hit:
        return ""
    shown = plain_snippet(row.hit.snippet)
    rest = shown.text[shown.best :]
    # The passage begins with the best sentence, which may end on a later line.
    end = SENTENCE_END.search(rest)
    if end:
        rest = rest[: end.end()]
    return rest
