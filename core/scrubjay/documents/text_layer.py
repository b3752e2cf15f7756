"""Whether the text layer of a page is what is printed on it."""

from __future__ import annotations

import unicodedata

_FEWEST = 20
"""Characters of a page that tell; a page with a number and a heading has fewer."""
_MOST_STRANGE = 0.15
"""Share of characters that no text has: control signs, private and unassigned ones."""
_FEWEST_VOWELS = 0.2
"""Share of vowels among Latin letters; languages have 0.35 to 0.5, other tables of letters less."""
_MOST_ODD_WORDS = 0.6
"""Share of words that are not words of any language: by hand, from fonts with wrong tables."""
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ")
_MOST_CONSONANTS = 6
"""Letters without a vowel between them, as in no word of a European language."""


def is_rubbish(text: str) -> bool:
    """Whether a text cannot be that of its page, as where a font has a wrong table of letters.

    Such a layer has control signs, characters of a private range, replacement characters, or words
    that nobody can pronounce. A short text, numbers and other scripts are believed.
    """
    letters = [each for each in text if not each.isspace()]
    if len(letters) < _FEWEST:
        return False
    # A font without a table of letters gives numbers of its own, or none.
    strange = sum(unicodedata.category(each)[0] == "C" or each == "\ufffd" for each in letters)
    if strange > _MOST_STRANGE * len(letters):
        return True
    # A font with a wrong table gives other letters; only Latin ones tell.
    words = [word.strip(".,;:!?()[]\"'").lower() for word in text.split()]
    latin = [word for word in words if len(word) > 3 and word.isascii()]
    if 4 * len(latin) < len([*filter(None, words)]) or len(latin) < 4:
        return False
    written = [each for word in words if word.isascii() for each in word if each.isalpha()]
    vowels = sum(each in _VOWELS for each in written)
    if len(written) >= 2 * _FEWEST and vowels < _FEWEST_VOWELS * len(written):
        return True
    return sum(map(_is_odd, latin)) > _MOST_ODD_WORDS * len(latin)


def _is_odd(word: str) -> bool:
    """Whether a word of ASCII characters cannot be one of a language, nor a number."""
    if any(each.isdigit() for each in word):
        return False
    if not word.isalpha():
        # Hyphens, apostrophes and addresses are usual inside words.
        return sum(not each.isalpha() and each not in "-'’./@_:&" for each in word) > 1
    # Some letter in a row has to be a vowel.
    run = 0
    for each in word:
        run = 0 if each in _VOWELS else run + 1
        if run >= _MOST_CONSONANTS:
            return True
    return not _VOWELS.intersection(word)
