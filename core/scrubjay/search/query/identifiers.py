"""Names and codes in a query: what can be said in one way only, so that an answer holds it."""

from __future__ import annotations

import re

from scrubjay.text.date_words import MONTHS, WEEKDAYS
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_word_counts, stop_words

_WORD = re.compile(r"[^\W_](?:\w|[.\-/:'’@+](?=\w))*")
_POSSESSIVE = re.compile(r"['’]s?$")
_BEFORE_SENTENCES = frozenset('.?!:;¿¡"“«(')
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_]).{5,}")
_MEASURE = re.compile(r"[\d.,:]+[-/]?[^\W\d_]+(?:[-/][^\W\d_]+)*")
_DAYS = frozenset(fold(name) for names in (*MONTHS, *WEEKDAYS) for name in names)


def names(text: str) -> tuple[str, ...]:
    """The words of names, and codes, as they are typed, without a possessive s.

    Such a word begins with a capital although no sentence begins there, as far as capitals tell
    anything: not in German, nor in a headline. A code is five or more letters and digits
    together, but no number with a unit.
    """
    tells = _capitals_tell(text)
    return tuple(
        word
        for match in _WORD.finditer(text)
        if (word := bare(match[0]))
        and (
            _is_code(word)
            or (tells and _is_capitalised(word) and not _begins_sentence(text, match.start()))
        )
    )


def bare(word: str) -> str:
    """A word without a possessive s."""
    return _POSSESSIVE.sub("", word)


def _is_code(word: str) -> bool:
    return bool(_CODE.fullmatch(word)) and not _MEASURE.fullmatch(word)


def _is_capitalised(word: str) -> bool:
    """False for what is all in capitals: an abbreviation says what other words may say too."""
    return word[:1].isupper() and not word.isupper() and fold(word) not in _DAYS


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in _BEFORE_SENTENCES


def _capitals_tell(text: str) -> bool:
    """True where words that are no names are written small."""
    words = _WORD.findall(text)
    folded = frozenset(map(fold, words))
    counts = stop_word_counts(folded)
    if counts["de"] > max(counts["en"], counts["es"]):
        return False
    empty = stop_words(folded)
    return "?" in text or any(word.islower() and fold(word) not in empty for word in words)
