"""Questions to try first, made from the headings of the user's own notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scrubjay.text.markdown import split_lines
from scrubjay.text.text_outline import outline_of
from scrubjay.text.tokenizer import fold

_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?: [^\W\d_]+(?:['’-][^\W\d_]+)*){1,4}")
"""Two to five words without numbers, dates, links and marks: something that people would type."""
_SHORTEST = 8
"""Characters of the shortest heading that is suggested; by hand."""
_LONGEST = 40
"""Characters of the longest heading that is suggested, which a line has to hold; by hand."""


def suggested_questions(passages: Iterable[tuple[str, str]], count: int) -> tuple[str, ...]:
    """The first headings that may be asked for, one of each note.

    Passages are paths with texts. A heading of several notes, such as "Open points", leads to
    none of them and is excluded.
    """
    # Path of a note -> its headings, by their folded text.
    by_note: dict[str, dict[str, str]] = {}
    for path, text in passages:
        own = by_note.setdefault(path, {})
        for heading in outline_of(split_lines(text), path).headings:
            name = heading.text
            if _SHORTEST <= len(name) <= _LONGEST and _WORDS.fullmatch(name):
                own[fold(name)] = name
    notes_with = Counter(key for own in by_note.values() for key in own)
    questions: list[str] = []
    for own in by_note.values():
        # The last is deep in the note, whose title does not give it away.
        names = [name for key, name in own.items() if notes_with[key] == 1]
        questions += names[-1:]
    return tuple(questions[:count])
