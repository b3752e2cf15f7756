"""Graphemes: the characters that people see as one letter.

The library that knows them takes as long to import as reading the settings, and only long lines and
conversations need it.
"""

from __future__ import annotations

import functools
import re
from typing import Any

_LONGEST_SKIP = 20
"""Characters that may be left out before a word; in some languages there are no spaces."""
_SPACE = re.compile(r"\s+")


@functools.cache
def grapheme_pattern() -> Any:
    """The pattern of one, with its accents and joined signs."""
    import regex

    return regex.compile(r"\X")


def emoji_count(text: str) -> int:
    """The number of emoji among them."""
    import regex

    emoji = regex.compile(r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F")
    return sum(bool(emoji.search(letter)) for letter in grapheme_pattern().findall(text))


def next_start(text: str, start: int, best: int) -> int:
    """The beginning of the next word if it is near, otherwise of a grapheme; not after best."""
    space = _SPACE.search(text, start, min(start + _LONGEST_SKIP, best))
    if space:
        return space.end()
    if _is_border(text, start):
        return start
    # Graphemes can only be found from a known border, such as the beginning of a text.
    ends = (letter.end() for letter in grapheme_pattern().finditer(text))
    border = next((end for end in ends if end >= start), start)
    return min(border, max(start, best))


def truncate_text(text: str, limit: int) -> str:
    """At most limit characters, ending between graphemes unless the first one is longer."""
    if len(text) <= limit:
        return text
    if _is_border(text, limit):
        return text[:limit]
    end = 0
    for letter in grapheme_pattern().finditer(text):
        if letter.end() > limit:
            break
        end = letter.end()
    return text[: end or limit]


def _is_border(text: str, at: int) -> bool:
    """Whether the signs around a place tell that a grapheme ends there, as in most texts.

    Between two ASCII signs one does, except in the end of a line on Windows. To know this saves
    loading the library, which takes longer than a search.
    """
    around = text[max(0, at - 1) : at + 1]
    return at > 0 and len(around) == 2 and around.isascii() and around != "\r\n"
