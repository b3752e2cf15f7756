"""Graphemes: the characters that people see as one letter.

The library that knows them takes as long to import as reading the settings, and only long lines and
conversations need it.
"""

from __future__ import annotations

import functools
from typing import Any


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
