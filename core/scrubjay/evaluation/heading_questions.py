"""Test questions made of notes: a heading is the question, its section the answer."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scrubjay.notes.markdown import outline, split_lines

_MIN_ANSWER = 60
"""Characters; a shorter section is too much like others."""
_MAX_ANSWER = 1_200
_WORD = re.compile(r"[^\W\d_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_CJK = 4
_MARKS = re.compile(r"[*_`~]+|\[\[|\]\]|!?\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class HeadingQuestion:
    """One question with its answer."""

    question: str
    answer: str
    """The section below the heading, without the heading."""


def heading_questions(texts: Iterable[str], limit: int) -> list[HeadingQuestion]:
    """At most `limit` questions, spread over all texts, the same ones at each call.

    Headings that occur twice, dates and single words are left out, because they do not tell which
    section is meant.
    """
    seen: dict[str, HeadingQuestion | None] = {}
    for text in texts:
        for question in _sections(text):
            key = question.question.casefold()
            seen[key] = None if key in seen else question
    unique = [each for each in seen.values() if each and len(each.answer) >= _MIN_ANSWER]
    unique.sort(key=lambda each: hashlib.sha256(each.question.encode()).digest())
    return unique[:limit]


def _sections(text: str) -> Iterator[HeadingQuestion]:
    lines = split_lines(text)
    headings = outline(lines).headings
    ends = [heading.line - 1 for heading in headings[1:]] + [len(lines)]
    for heading, end in zip(headings, ends, strict=False):
        question = _MARKS.sub(lambda match: match[1] or "", heading.text).strip()
        answer = "\n".join(lines[heading.line : end]).strip()
        if _asks(question):
            # A short answer still takes the heading, so that its namesake is not asked for.
            yield HeadingQuestion(question, answer[:_MAX_ANSWER])


def _asks(heading: str) -> bool:
    return len(_WORD.findall(heading)) > 1 or len(_CJK.findall(heading)) >= _MIN_CJK
