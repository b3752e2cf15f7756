"""Word lists that search relies on, from resources/words: stop words, forms, translations."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping

from scrubjay.platform.paths import resources
from scrubjay.text.tokenizer import fold


@functools.cache
def _stop_words() -> Mapping[str, frozenset[str]]:
    file = resources() / "words" / "stop-words.json"
    lists: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return {language: frozenset(map(fold, words)) for language, words in lists.items()}


@functools.cache
def _pairs() -> tuple[tuple[str, str], ...]:
    """English and Spanish words that mean the same, as people write them."""
    file = resources() / "words" / "english-spanish.json"
    return tuple((one, other) for one, other in json.loads(file.read_text(encoding="utf-8")))


@functools.cache
def _english() -> Mapping[str, tuple[str, ...]]:
    return _by_first((spanish, english) for english, spanish in _pairs())


@functools.cache
def _spanish() -> Mapping[str, tuple[str, ...]]:
    return _by_first(_pairs())


def english_of_spanish(word: str) -> tuple[str, ...]:
    """English for a folded Spanish word or expression; nothing for its inflected forms."""
    return _english().get(word, ())


def english_of_spanish_words() -> Iterable[tuple[str, tuple[str, ...]]]:
    """The whole Spanish side, folded, with its English."""
    return _english().items()


def spanish_of_english(word: str) -> tuple[str, ...]:
    """Spanish for a folded English word or its plural."""
    return _spanish().get(word) or _spanish().get(word.removesuffix("s"), ())


@functools.cache
def common_english() -> str:
    """The words of five letters and up that everybody spells right, one a line.

    They are the whole words of BERT's vocabulary (Apache-2.0).
    """
    return (resources() / "words" / "english-common.txt").read_text(encoding="utf-8")


def _by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """First, folded -> all its seconds."""
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(fold(first), []).append(second)
    return {first: tuple(seconds) for first, seconds in found.items()}


@functools.cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    file = resources() / "words" / "english-forms.json"
    groups: list[list[str]] = json.loads(file.read_text(encoding="utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for group in groups:
        for word in group:
            found[word] = (*found.get(word, ()), *(form for form in group if form != word))
    return found


def other_forms(word: str) -> tuple[str, ...]:
    """Irregular and short forms of a folded English word, which no stemmer brings together."""
    return _forms().get(word, ())


def stop_word_counts(distinct: frozenset[str]) -> dict[str, int]:
    """Language -> how many of the folded words say nothing in it."""
    return {language: len(distinct & listed) for language, listed in _stop_words().items()}


def stop_words(words: Iterable[str], tongue: str = "") -> frozenset[str]:
    """Those of the folded words that say nothing, in the language that they seem to be in.

    One language decides, because "die" and "main" are empty words in German and French only.
    Tongue is "es" when it is Spanish for certain, "en" when it is not.
    """
    distinct = frozenset(words)
    counts = stop_word_counts(distinct)
    if tongue:
        counts = {
            name: count for name, count in counts.items() if (name == "es") == (tongue == "es")
        }
    most = max(counts.values())
    found = (distinct & _stop_words()[name] for name, count in counts.items() if count == most)
    return frozenset().union(*found)
