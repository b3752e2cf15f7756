"""Stop words, forms, translations and names of days. All but the last are in resources/words."""

from __future__ import annotations

import datetime as dt
import functools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from scrubjay.platform.paths import resources
from scrubjay.text.tokenizer import fold

MONTHS = (
    ("january", "enero"), ("february", "febrero"), ("march", "marzo"), ("april", "abril"),
    ("may", "mayo"), ("june", "junio"), ("july", "julio"), ("august", "agosto"),
    ("september", "septiembre"), ("october", "octubre"), ("november", "noviembre"),
    ("december", "diciembre"),
)  # fmt: skip
"""Names in English and Spanish, January first."""

_WORD = re.compile(r"[^\W\d_]+")
_APOSTROPHE = re.compile("['’]")
_CONTRACTED = frozenset(("d", "m"))
"""Ends of contractions that are no stop words alone, as in *vitamin d*."""
_LAST_LATIN = "\u024f"
_FEWEST_STOP_WORDS = 10
"""Number of different words of a text of which one is a stop word; in a language without a list
here there are fewer."""

MONTH_NUMBERS = {
    name: number
    for number, names in enumerate(MONTHS, 1)
    for name in (*names, *(name[:3] for name in names))
} | {"sept": 9}
"""Folded name, whole or its first letters -> 1 to 12."""

WEEKDAYS = (
    ("monday", "lunes"), ("tuesday", "martes"), ("wednesday", "miércoles"),
    ("thursday", "jueves"), ("friday", "viernes"), ("saturday", "sábado"),
    ("sunday", "domingo"),
)  # fmt: skip
"""Names in English and Spanish, Monday first."""


DAY_NAMES = frozenset(fold(name) for names in (*MONTHS, *WEEKDAYS) for name in names)
"""Folded names of months and days of the week in both languages."""

_OTHER_DAYS = """
Januar Februar März Mai Juni Juli Oktober Dezember
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonnabend Sonntag
janvier février mars avril juin juillet août septembre octobre novembre décembre
lundi mardi mercredi jeudi vendredi samedi dimanche
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
lunedì martedì mercoledì giovedì venerdì sabato domenica
janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
segunda terça quarta quinta sexta feira
januari februari maart juni juli augustus oktober
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""
OTHER_DAY_NAMES = frozenset(map(fold, _OTHER_DAYS.split()))
"""Folded names of months and days of the week in German, French, Italian, Portuguese and Dutch."""


def date_words(date: dt.date) -> str:
    """Day, month and weekday in English and Spanish, which a dated note is found by."""
    english, spanish = MONTHS[date.month - 1]
    weekdays = " ".join(WEEKDAYS[date.weekday()])
    return f"{date.day} {english} {date.year} {date.day} {spanish} {date.year} {weekdays}"


def stop_words(words: Iterable[str], language: str = "") -> frozenset[str]:
    """The stop words among folded words, in the language that they seem to be in.

    One language decides, because "die" and "main" are stop words in German and French only.
    Language is "es" when it is Spanish for certain, "en" when it is not. A contraction of stop
    words, such as *can't*, is one.
    """
    distinct = frozenset(words)
    counts = stop_word_counts(distinct)
    if language:
        counts = {
            name: count for name, count in counts.items() if (name == "es") == (language == "es")
        }
    # All languages that share the greatest number, if several do.
    most = max(counts.values())
    lists = (_stop_words()[name] for name, count in counts.items() if count == most)
    return _listed(distinct, frozenset().union(*lists))


def stop_word_counts(distinct: frozenset[str]) -> dict[str, int]:
    """Language -> number of the folded words that are stop words in it."""
    return {language: len(_listed(distinct, listed)) for language, listed in _stop_words().items()}


def untranslated_words(words: Sequence[str], empty: Collection[str]) -> frozenset[str]:
    """The function words among the folded words of a query, whose translations say nothing.

    Empty are its stop words. One that is the whole query means something, as *well* or *will*, and
    *back* is a part of the body unless it belongs to a verb, as in *bring back*.
    """
    lists = _read_function_words()
    function_words = {*lists["en"], *lists["es"]}
    if len(words) > 1:
        function_words.update(empty)
    if not lists["verbs with back"].isdisjoint(words):
        function_words.add("back")
    return frozenset(function_words.intersection(words))


def language_shares(texts: Iterable[str]) -> dict[str, float]:
    """Language -> share of the texts, among those that show theirs; "mul" without a list here."""
    tally = Counter(filter(None, map(_language, texts)))
    return {language: count / tally.total() for language, count in tally.items()}


def other_forms(word: str) -> tuple[str, ...]:
    """Irregular and short forms of a folded English word, which have no stem in common."""
    return _forms().get(word, ())


def english_of_spanish(word: str) -> tuple[str, ...]:
    """Entry of the dictionary for a folded Spanish word or expression; none for its inflected
    forms, which `spanish.english_translations` resolves.
    """
    return english_by_spanish().get(word, ())


def spanish_of_english(word: str) -> tuple[str, ...]:
    """Spanish for a folded English word or its plural."""
    spanish = _spanish_by_english()
    return spanish.get(word) or spanish.get(word.removesuffix("s"), ())


@functools.cache
def english_by_spanish() -> Mapping[str, tuple[str, ...]]:
    """The whole dictionary: folded Spanish words and expressions -> their English."""
    return _by_first((spanish, english) for english, spanish in _read("english-spanish.json"))


@functools.cache
def spanish_small_words() -> Mapping[str, str]:
    """Folded Spanish articles, pronouns and the like -> their English, which may be empty."""
    words: dict[str, str] = _read("spanish-small-words.json")
    return words


@functools.cache
def common_english() -> str:
    """Common English words of five letters and up, from BERT's vocabulary (Apache-2.0)."""
    return (resources() / "words" / "english-common.txt").read_text(encoding="utf-8")


@functools.cache
def _stop_words() -> Mapping[str, frozenset[str]]:
    lists: dict[str, list[str]] = _read("stop-words.json")
    return {language: frozenset(map(fold, words)) for language, words in lists.items()}


@functools.cache
def _read_function_words() -> Mapping[str, frozenset[str]]:
    lists: dict[str, list[str]] = _read("function-words.json")
    return {name: frozenset(words) for name, words in lists.items()}


def _listed(words: frozenset[str], listed: frozenset[str]) -> frozenset[str]:
    """The words that a list has, and contractions of such words."""
    contracted = {word for word in words if not word.isalnum() and _is_contraction(word, listed)}
    return (words & listed) | contracted


def _is_contraction(word: str, listed: frozenset[str]) -> bool:
    parts = {*_APOSTROPHE.split(word)} - _CONTRACTED
    return bool(parts) and parts <= listed


@functools.cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    groups: list[list[str]] = _read("english-forms.json")
    # A word may be in several groups.
    forms: dict[str, tuple[str, ...]] = {}
    for group in groups:
        for word in group:
            forms[word] = (*forms.get(word, ()), *(form for form in group if form != word))
    return forms


@functools.cache
def _spanish_by_english() -> Mapping[str, tuple[str, ...]]:
    return _by_first((english, spanish) for english, spanish in _read("english-spanish.json"))


def _language(text: str) -> str:
    """Language of most stop words; "mul" for another script, and empty when nothing shows it."""
    # There are lists of languages in Latin script only.
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter > _LAST_LATIN for letter in letters) * 2 > len(letters):
        return "mul"
    words = frozenset(map(fold, _WORD.findall(text)))
    counts = stop_word_counts(words)
    language = max(counts, key=lambda name: counts[name])
    if counts[language] * _FEWEST_STOP_WORDS <= len(words):
        return ""
    return language


def _by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Folded first words -> all their second ones."""
    seconds: dict[str, list[str]] = {}
    for first, second in pairs:
        seconds.setdefault(fold(first), []).append(second)
    return {first: tuple(words) for first, words in seconds.items()}


def _read(name: str) -> Any:
    return json.loads((resources() / "words" / name).read_text(encoding="utf-8"))
