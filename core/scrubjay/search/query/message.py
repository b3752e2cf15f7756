"""Several queries made from one whole message."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from scrubjay.records.search_modes import Mode
from scrubjay.search.query.dates import named_periods
from scrubjay.search.query.query_parser import MAX_CHARACTERS, Term, parse_prose
from scrubjay.text import spanish
from scrubjay.text.tokenizer import SYMBOL, UNSPACED_RUN, fold
from scrubjay.text.word_lists import spanish_of_english, stop_words

MAX_QUERIES: Final = 10

_FEWEST_WORDS = 3
"""Words of a message that is searched for; a shorter one only when it is a question."""

_MAX_KEYWORDS = 12
_MAX_QUESTIONS = 2
_MAX_NAMES = 3
_MAX_DATES = 3
_HASH = re.compile(rf"(?<!\S)(?:tags?:#?|#)(?=\w|{SYMBOL})", re.IGNORECASE)
_SEVERAL_SPACES = re.compile(r"\s+")
_COMMAND = re.compile(r"[/!][a-z][\w:-]*(?:\s|$)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n。？！…]*[.!?\n。？！…]+|[^.!?\n。？！…]+$")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_PARTICLES = frozenset({"de", "del", "la", "las", "los", "van", "von", "der", "di", "da", "of"})
"""Small words inside a name."""

_SMALL_TALK = frozenset(
    {"hi", "hello", "hey", "yo", "greetings", "good", "morning", "afternoon", "evening", "night"}
    | {"thanks", "thank", "you", "very", "much", "so", "many", "a", "lot", "ok", "okay", "yes"}
    | {"no", "please", "bye", "goodbye", "see", "later", "there", "all", "everyone", "friend"}
    | {"how", "are", "is", "it", "going", "doing", "today", "whats", "what's", "what’s", "up"}
    | {"cool", "great", "nice", "sure", "fine", "my", "again", "welcome", "back", "cheers"}
    | {"hola", "buenas", "buenos", "buen", "dias", "dia", "tardes", "noches", "gracias", "muchas"}
    | {"vale", "si", "por", "favor", "adios", "hasta", "luego", "manana", "pronto", "que", "tal"}
    | {"como", "estas", "esta", "va", "todo", "bien", "amigo", "amiga", "hoy", "de", "nada", "muy"}
    | {"genial", "perfecto", "claro", "saludos", "y", "tu", "te", "va"}
)
"""Folded words that only greet, thank or agree, in English and Spanish."""


class MessageQuery(Struct, frozen=True):
    """One of the queries of a message."""

    text: str
    mode: Mode
    weight: float
    """Weight of its answer beside that of the message itself, 0 to 1."""


def message_queries(message: str, today: dt.date) -> tuple[MessageQuery, ...]:
    """The queries of a message, itself first; none for small talk and commands."""
    text = _SEVERAL_SPACES.sub(" ", message[:MAX_CHARACTERS]).strip()
    if not is_worth_a_look(text):
        return ()
    queries: dict[str, MessageQuery] = {}
    for query in _queries(text, message[:MAX_CHARACTERS], today):
        queries.setdefault(fold(query.text), query)
    return tuple(queries.values())[:MAX_QUERIES]


def is_worth_a_look(text: str) -> bool:
    """False for a slash command, a greeting, and less than three words without a question mark."""
    if _COMMAND.match(text):
        return False
    words = [fold(word) for word in _WORD.findall(text)]
    if not words or all(word in _SMALL_TALK for word in words):
        return False
    # Two characters make a word in scripts without spaces.
    size = sum(max(1, sum(map(len, UNSPACED_RUN.findall(word))) // 2) for word in words)
    return size >= _FEWEST_WORDS or any(mark in text for mark in "?？¿")


def _queries(text: str, message: str, today: dt.date) -> Iterator[MessageQuery]:
    # In a message these are channels and code, not filters.
    text = _HASH.sub("", text)
    message = _HASH.sub("", message)
    yield MessageQuery(text, Mode.HYBRID, 1.0)
    # Its last questions, and the days that it names.
    sentences = [text.strip() for text in _SENTENCE.findall(message) if text.strip()]
    questions = [sentence for sentence in sentences if sentence.endswith(("?", "？"))]
    for question in questions[-_MAX_QUESTIONS:]:
        yield MessageQuery(_SEVERAL_SPACES.sub(" ", question), Mode.HYBRID, 1.0)
    days = [day for period in named_periods(text, today) for day in period.days]
    for day in days[:_MAX_DATES]:
        yield MessageQuery(day, Mode.LEXICAL, 0.9)
    # Its words, their translations, and the names in it.
    terms = parse_prose(text).keywords[:_MAX_KEYWORDS]
    keywords = [term.text for term in terms]
    if keywords:
        yield MessageQuery(" ".join(keywords), Mode.LEXICAL, 0.9)
    translated = _translated(text, terms)
    if translated:
        yield MessageQuery(" ".join(translated), Mode.LEXICAL, 0.8)
    for name in list(dict.fromkeys(proper_nouns(sentences)))[:_MAX_NAMES]:
        yield MessageQuery(name, Mode.LEXICAL, 0.7)


def _translated(text: str, keywords: Sequence[Term]) -> list[str]:
    """Keywords in the other language, as far as the dictionary has them."""
    folded = [term.folded_text for term in keywords]
    if spanish.detect_language(text, map(fold, _WORD.findall(text))) == "es":
        glossed = spanish.gloss_words([term.text for term in keywords])
        is_known = fold(glossed) != " ".join(folded)
        return glossed.split() if is_known else []
    counterparts = map(spanish_of_english, folded)
    return [others[0] for others in counterparts if others]


def proper_nouns(sentences: Iterable[str]) -> Iterator[str]:
    """Names of people, places and things, told by their capitals."""
    for sentence in sentences:
        words = _WORD.findall(sentence)
        empty = stop_words(map(fold, words))
        name: list[str] = []
        # The empty word ends a name at the end of the sentence.
        for number, word in enumerate([*words, ""]):
            is_capital = len(word) > 1 and any(letter.isupper() for letter in word)
            if (name and word in _PARTICLES) or (is_capital and fold(word) not in empty):
                name.append(word)
            elif name:
                begins_sentence = number == len(name)
                while name and name[-1] in _PARTICLES:
                    name.pop()
                # A sentence begins with a capital whatever its first word is.
                if not begins_sentence or len(name) != 1 or name[0].isupper():
                    yield " ".join(name)
                name = []
