"""Word lists that search relies on, from resources/words: stop words, forms, translations."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping

from scrubjay.analysis import fold
from scrubjay.paths import resources


@functools.cache
def _stop_words() -> Mapping[str, frozenset[str]]:
    file = resources() / "words" / "stop-words.json"
    lists: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return {language: frozenset(map(fold, words)) for language, words in lists.items()}


@functools.cache
def _pairs() -> Mapping[str, tuple[str, ...]]:
    file = resources() / "words" / "english-spanish.json"
    return both_ways(json.loads(file.read_text(encoding="utf-8")))


def both_ways(pairs: Iterable[Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Word -> its counterparts, folded on the left, as people write it on the right."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        for word, counterpart in ((one, other), (other, one)):
            found[fold(word)] = (*found.get(fold(word), ()), counterpart)
    return found


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


def stop_words(words: Iterable[str]) -> frozenset[str]:
    """Those of the folded words that say nothing, in the language that they seem to be in.

    One language decides, because "die" and "main" are empty words in German and French only.
    """
    distinct = frozenset(words)
    found = [distinct & listed for listed in _stop_words().values()]
    most = max(map(len, found))
    return frozenset().union(*(one for one in found if len(one) == most))


def counterparts(word: str, own: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The folded word in the other language, from the person's own pairs and from ours."""
    return tuple(dict.fromkeys((*own.get(word, ()), *_pairs().get(word, ()))))
