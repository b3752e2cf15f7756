"""Texts that are cut between letters with all their accents and signs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.graphemes import grapheme_pattern, next_start, truncate_text

# What joins, or seems to: line ends, accents, flags, a family, syllables of Korean and Hindi.
_SIGNS = st.sampled_from(
    [*"ab \r\n\u0301\u200d\ufe0f", "🇪", "🇸", "👩", "👧", "ᄒ", "ᅡ", "क", "्", "ष"]
)
_TEXTS = st.lists(_SIGNS, max_size=30).map("".join)


def ends(text: str) -> set[int]:
    return {letter.end() for letter in grapheme_pattern().finditer(text)}


@given(_TEXTS, st.integers(1, 30))
def test_a_cut_text_ends_between_graphemes(text: str, limit: int) -> None:
    cut = truncate_text(text, limit)
    possible = [end for end in ends(text) if end <= limit]
    if len(text) <= limit:
        assert cut == text
    elif possible:
        assert cut == text[: max(possible)]
    else:
        assert cut == text[:limit]


@given(_TEXTS, st.integers(1, 30))
def test_a_start_without_a_space_is_between_graphemes(text: str, start: int) -> None:
    text = text.replace(" ", "").replace("\r", "").replace("\n", "")
    best = len(text)
    if start < best:
        assert next_start(text, start, best) in ends(text)
