"""Questions to try first, made from the headings of the user's own notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

from scrubjay.text.markdown import split_lines
from scrubjay.text.text_outline import note_outline
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import stop_words

_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?: [^\W\d_]+(?:['’-][^\W\d_]+)*){1,4}")
"""Two to five words without numbers, dates, links and marks: something that people would type."""
_QUESTION = re.compile(r"¿?[^\W\d_][^?¿#*`_|<>{}\[\]]*\?")
"""A whole question without marks."""
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 8
"""Characters of the shortest heading that is suggested; by hand."""
_LONGEST = 40
"""Characters of the longest heading that is suggested, which a line has to hold; by hand."""
_FEW_WORDS = 2
"""Words of a heading that is suggested only after longer ones, which say more; by hand."""
_MOST_CHECKED = 20
"""Headings that are checked; each costs a search by words."""


def suggested_questions(
    passages: Iterable[tuple[str, str]], count: int, finds: Callable[[str, str], bool]
) -> tuple[str, ...]:
    """The first headings that may be asked for, one of each note: whole questions, then others.

    Passages are notes with texts; finds tells whether a question finds a note first. A heading of
    several notes, such as "Open points", leads to none of them, and one of stop words means
    nothing: both are excluded.
    """
    # Note -> its headings, by their folded text.
    by_note: dict[str, dict[str, str]] = {}
    for note, text in passages:
        own = by_note.setdefault(note, {})
        for heading in note_outline(split_lines(text), note).headings:
            if _may_be_asked(heading.text):
                own[fold(heading.text)] = heading.text
    notes_with = Counter(key for own in by_note.values() for key in own)
    questions: list[tuple[str, str]] = []
    for note, own in by_note.items():
        # The last is deep in the note, whose title does not give it away.
        names = [name for key, name in own.items() if notes_with[key] == 1]
        questions += [(name, note) for name in sorted(names, key=_worth)[-1:]]
    # Sorting keeps the order of the notes among equally good ones.
    questions.sort(key=lambda pair: _worth(pair[0]), reverse=True)
    found = (name for name, note in questions[:_MOST_CHECKED] if finds(name, note))
    return tuple(islice(found, count))


def _may_be_asked(text: str) -> bool:
    is_whole = _WORDS.fullmatch(text) or _QUESTION.fullmatch(text)
    words = frozenset(map(fold, _WORD.findall(text)))
    return bool(is_whole) and _SHORTEST <= len(text) <= _LONGEST and words != stop_words(words)


def _worth(text: str) -> int:
    """2 for a whole question, 1 for a heading of several words, otherwise 0."""
    if text.endswith("?"):
        return 2
    return int(len(text.split()) > _FEW_WORDS)
