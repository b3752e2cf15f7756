"""The reasons for the place of a hit, in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from textwrap import shorten

from msgspec import Struct

from scrubjay.records.search_records import Hit, Snippet, Verdict
from scrubjay_desktop.results.snippet_text import one_line_snippet
from scrubjay_desktop.text.formatting import format_percent, join_words, translate

_SHOWN_WORDS = 5
"""Words that a sentence names at most."""
_SHOWN_CHARACTERS = 80
"""Characters of a passage that a sentence names at most."""
_COMMA_BEFORE_END = re.compile(r"[,;:.–—-]+…$")
"""Signs before the ellipsis of a passage that was cut."""


class Found(StrEnum):
    """Which search found a hit. The value is the name of the icon."""

    WORDS = "words"
    MEANING = "meaning"
    BOTH = "both"


class Reason(Struct, frozen=True):
    """One line of the answer to "why this result?"."""

    label: str
    text: str


def found_by(hit: Hit) -> Found:
    """The mark of a hit. A word of the question in it is told, whichever search found it."""
    if hit.vector_score is None:
        return Found.WORDS
    has_words = hit.text_score is not None or hit.snippet.spans or hit.explanation.matched
    if has_words:
        return Found.BOTH
    return Found.MEANING


def found_sentence(found: Found) -> str:
    """The mark in words, for tooltips and screen readers."""
    match found:
        case Found.WORDS:
            return translate("Why", "Found by words")
        case Found.MEANING:
            return translate("Why", "Found by meaning")
        case Found.BOTH:
            return translate("Why", "Found by words and by meaning")


def why_sentences(hit: Hit) -> str:
    """Why a hit is in the list: the words it holds, and what in it is close to the others."""
    explanation = hit.explanation
    sentences: list[str] = []
    if explanation.parts.get("date", 0) > 0:
        sentences.append(translate("Why", "This result is from a day that you searched for."))
    # Words in the text are named first; without any, those of the title or the folder are the
    # reason.
    words = hit_words(hit)
    sentence = translate("Why", "This result contains {words}.")
    if not words and explanation.matched:
        words = explanation.named or dict.fromkeys(explanation.matched, "")
        sentence = translate("Why", "The title or the folder of this result contains {words}.")
    # Words that are only close to a typed one are named with it.
    close = translate("Why", "In this result, {passage} is similar to {words}.")
    typed = [word for word, meant in words.items() if not meant][:_SHOWN_WORDS]
    if typed:
        sentences.append(sentence.format(words=_quoted(typed)))
    for meant, word in {meant: word for word, meant in words.items() if meant}.items():
        sentences.append(close.format(passage=_quoted([word]), words=_quoted([meant])))
    # What is missing as a word was found by its meaning, in the best line.
    missing = [word for word in explanation.missing if word not in explanation.times]
    if missing and hit.vector_score is not None:
        line = hit.snippet.text[hit.snippet.best :].partition("\n")[0]
        passage = shorten(one_line_snippet(Snippet(line)).text, _SHOWN_CHARACTERS, placeholder="…")
        passage = _COMMA_BEFORE_END.sub("…", passage)
        words_meant = _quoted(missing[:_SHOWN_WORDS])
        sentences.append(close.format(passage=_quoted([passage]), words=words_meant))
    return " ".join(sentences)


def hit_words(hit: Hit) -> Mapping[str, str]:
    """The different words of a hit that match -> the typed one where they are only close to it."""
    if hit.explanation.words:
        return hit.explanation.words
    snippet = hit.snippet
    words = (snippet.text[span.start : span.end].strip() for span in snippet.spans)
    return dict.fromkeys({word.casefold(): word for word in words if word}.values(), "")


def _verdict_text(verdict: Verdict) -> str:
    match verdict:
        case Verdict.FITS:
            return translate("Why", "It fits the question better than it seemed to at first")
        case Verdict.AS_BEFORE:
            return translate("Why", "It fits the question as well as it seemed to at first")
        case Verdict.DOES_NOT_FIT:
            return translate("Why", "It does not fit the question better than the other results do")


def _quoted(words: list[str]) -> str:
    return join_words([translate("Why", "“{word}”").format(word=word) for word in words])


def hit_reasons(hit: Hit) -> tuple[Reason, ...]:
    """The details: everything that made the place of a hit, most important first."""
    explanation = hit.explanation
    # Terms are named as they are written in the note, with the places where they are.
    lines = []
    if explanation.matched:
        mended = {typed: word for word, typed in {**explanation.named, **hit_words(hit)}.items()}
        matched = [
            f"{_quoted([mended.get(term, term)])} {_fields(fields)}"
            for term, fields in explanation.matched.items()
        ]
        lines.append(Reason(translate("Why", "Words found"), "; ".join(matched)))
    if explanation.missing:
        terms = _quoted([*explanation.missing])
        lines.append(Reason(translate("Why", "Words not found"), terms))
    shares = _shares(hit)
    if shares:
        lines.append(Reason(translate("Why", "Ranking based on"), shares))
    if explanation.verdict:
        lines.append(Reason(translate("Why", "Read again"), _verdict_text(explanation.verdict)))
    if explanation.decay < 1:
        text = translate(
            "Why",
            "Because the note is older, this result counts only {share} as "
            "much as one from a new note",
        )
        text = text.format(share=format_percent(explanation.decay))
        lines.append(Reason(translate("Why", "Age"), text))
    if explanation.diversity_penalty > 0:
        text = translate(
            "Why",
            "This result is lower in the list because a better result says nearly the same thing",
        )
        lines.append(Reason(translate("Why", "Similar result"), text))
    return tuple(lines)


def _fields(fields: tuple[str, ...]) -> str:
    names = {
        "text": translate("Why", "in the text"),
        "heading": translate("Why", "in a heading"),
        "path": translate("Why", "in the file name"),
        "title": translate("Why", "in the title"),
        "date": translate("Why", "in the date"),
    }
    return join_words([names.get(name, name) for name in fields])


def _shares(hit: Hit) -> str:
    """The shares of words, meaning and others in a score; empty when nothing is known of them."""
    words = translate("Why", "words")
    meaning = translate("Why", "meaning")
    kinds = {
        "words": words,
        "text": words,
        "meaning": meaning,
        "vector": meaning,
        "lines": translate("Why", "the surrounding lines"),
        "date": translate("Why", "the date"),
        "path": translate("Why", "the file name"),
    }
    shares: dict[str, float] = {}
    for part, value in hit.explanation.parts.items():
        # A negative part lies in the score, and has no share in the reasons for the hit.
        kind = kinds.get(part.partition("_")[0])
        if value > 0 and kind:
            shares[kind] = shares.get(kind, 0.0) + value
    # Rounded shares add up to one, at the cost of the largest.
    total = sum(shares.values())
    largest_first = sorted(shares.items(), key=lambda share: -share[1])
    rounded = {kind: round(value / total, 2) for kind, value in largest_first}
    for largest in [*rounded][:1]:
        rounded[largest] += 1 - sum(rounded.values())
    return ", ".join(f"{format_percent(share)} {kind}" for kind, share in rounded.items())
