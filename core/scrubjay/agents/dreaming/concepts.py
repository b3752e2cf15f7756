"""The few words that say what a snippet is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_words

MAX_TAGS = 8

_MIN_LETTERS = 4
_MAX_LETTERS = 40
_WORD = re.compile(r"[^\W_](?:[\w.'-]{0,60}[^\W_])?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_NUMBERS = re.compile(r"[\d.:,/-]+$")


def concept_tags(snippet: str) -> tuple[str, ...]:
    """At most eight, lower case: names with signs in them first, then words, as they come."""
    words = list(_words(snippet))
    empty = stop_words(fold(word) for word in words)
    kept = [word for word in words if fold(word) not in empty]
    compound = [word for word in kept if re.search(r"[\W_\d]", word)]
    return tuple(dict.fromkeys([*compound, *kept]))[:MAX_TAGS]


def _words(snippet: str) -> Iterator[str]:
    for match in _WORD.finditer(snippet.lower()):
        word = match[0].strip(".'-")
        is_long_enough = len(word) >= _MIN_LETTERS or bool(_CJK.fullmatch(word))
        if is_long_enough and len(word) <= _MAX_LETTERS and not _NUMBERS.match(word):
            yield word
