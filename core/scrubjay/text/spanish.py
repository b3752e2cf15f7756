"""Spanish questions on English notes: what a word may be called there.

A dictionary of everyday words, looked up by a light stem, and the endings that both languages
share. A model that knows English only gets a gloss, the question word by word in English.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from scrubjay.platform.paths import resources
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import (
    english_of_spanish,
    english_of_spanish_words,
    spanish_of_english,
    stop_word_counts,
)

_ENDINGS = (
    "ieramos", "aremos", "eremos", "iremos", "abamos", "ieron", "iendo", "yendo", "aban", "abas",
    "ados", "adas", "idos", "idas", "amos", "emos", "imos", "aste", "iste", "aron", "aran", "eran",
    "iran", "ando", "ado", "ada", "ido", "ida", "aba", "ian", "ias", "ara", "era", "ira", "are",
    "ere", "ire", "es", "as", "os", "an", "en", "ar", "er", "ir", "ia", "io", "a", "e", "o", "i",
    "s",
)  # fmt: skip
"""Of plurals, genders and the regular verb forms, longest first."""

_REFLEXIVE = re.compile(r"([aei]r)se$")

_WORD = re.compile(r"\w[\w'’]*")
_TOKEN = re.compile(r"\w+(?:[.\-/:'’@+]\w+)*|[^\w\s]")
_SPANISH = re.compile(r"\b(?:de|la|que|el|en|los|las|para|con|una|por|del|se|no|es)\b", re.I)
_ENGLISH = re.compile(r"\b(?:the|of|and|to|is|in|for|with|on|that|was|not|it|at|are)\b", re.I)

_SHORTEST_STEM = 3
_LONGEST_PHRASE = 4

_COGNATES = (
    ("ciones", "tions"), ("cion", "tion"), ("siones", "sions"), ("idad", "ity"), ("dad", "ty"),
    ("mente", "ly"), ("encia", "ence"), ("ancia", "ance"), ("icos", "ic"), ("icas", "ic"),
    ("ico", "ic"), ("ica", "ic"), ("ario", "ary"), ("aria", "ary"), ("orio", "ory"),
    ("oria", "ory"), ("logia", "logy"), ("grafia", "graphy"), ("ismo", "ism"), ("ista", "ist"),
    ("ivo", "ive"), ("iva", "ive"), ("oso", "ous"), ("osa", "ous"), ("ante", "ant"),
    ("ente", "ent"), ("mento", "ment"), ("ura", "ure"), ("aje", "age"), ("ia", "y"), ("o", ""),
    ("a", ""), ("a", "e"),
)  # fmt: skip
"""Spanish endings and the English ones of the same origin."""

_ACCENTED = frozenset("áéíóúñ¿¡")


def language(text: str, words: Iterable[str]) -> str:
    """Return "es" or "en", as the folded words of a query look; empty when it may be both.

    English is what anything that is not Spanish counts as.
    """
    distinct = frozenset(words)
    counts = stop_word_counts(distinct)
    spanish = sum(1 for word in distinct if english_of_spanish(word))
    spanish += not _ACCENTED.isdisjoint(text.casefold())
    english = counts["en"] + sum(1 for word in distinct if spanish_of_english(word))
    if counts["es"] == max(counts.values()):
        spanish += counts["es"]
    elif counts["es"] < max(counts["pt"], counts["fr"], counts["de"]):
        return "en"
    if spanish == english:
        return ""
    return "es" if spanish > english else "en"


def counterparts(word: str, tongue: str) -> tuple[str, ...]:
    """A folded word of a query in the other language; tongue is what language() said."""
    if tongue == "es":
        return in_english(word)
    if tongue == "en":
        return spanish_of_english(word)
    return (*spanish_of_english(word), *english_of_spanish(word))


def stem(word: str) -> str:
    """What the forms of a folded word have in common; light, so some words meet by accident."""
    word = _REFLEXIVE.sub(r"\1", word)
    if word.endswith("ces"):
        word = word[:-3] + "z"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    # Spelling that keeps the sound (pague, toque), and vowels that change with the stress.
    for one, other in (("gu", "g"), ("qu", "c"), ("z", "c")):
        if word.endswith(one):
            word = word[: -len(one)] + other
    return word.replace("ie", "e").replace("ue", "o")


def in_english(word: str) -> tuple[str, ...]:
    """What a folded Spanish word may be in English: from the dictionary, else by its ending."""
    return _english(word) or _cognates(word)


def phrases_in_english(words: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Where a fixed expression begins -> how many words it has, and its English."""
    found: dict[int, tuple[int, str]] = {}
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST_PHRASE, len(words) - at), 1, -1):
            if english := english_of_spanish(" ".join(words[at : at + size])):
                found[at] = (size, english[0])
                at += size - 1
                break
        at += 1
    return found


def gloss(words: Sequence[str]) -> str:
    """A Spanish question word by word in English; what is not known stays as it is."""
    folded = [fold(word) for word in words]
    phrases = phrases_in_english(folded)
    small = _small_words()
    told: list[str] = []
    skipped = 0
    for at, (word, plain) in enumerate(zip(words, folded, strict=True)):
        if skipped:
            skipped -= 1
        elif at in phrases:
            size, english = phrases[at]
            skipped = size - 1
            told.append(english)
        elif plain in small:
            told.append(small[plain])
        else:
            known = _english(plain) or (word,)
            told.append(known[0])
    return " ".join(word for word in told if word)


def question_in_english(text: str) -> str:
    """A Spanish question word by word in English; any other as it is."""
    words = map(fold, _WORD.findall(text))
    return gloss(_TOKEN.findall(text)) if language(text, words) == "es" else text


def glossed(text: str) -> str:
    """A text with its Spanish lines word by word in English; all other lines as they are."""
    is_spanish = looks_spanish(text)
    return "\n".join(
        gloss(_TOKEN.findall(line)) if is_spanish or _is_spanish(line) else line
        for line in text.split("\n")
    )


def looks_spanish(text: str) -> bool:
    """True when the small words of a text are Spanish rather than English."""
    return len(_SPANISH.findall(text)) > len(_ENGLISH.findall(text))


def _is_spanish(line: str) -> bool:
    """True when more than one word says so: "lag" and "panel" are in dictionaries too."""
    words = {fold(word) for word in _WORD.findall(line) if len(word) > 1}
    known = sum(1 for word in words if english_of_spanish(word) or word in _small_words())
    return known > 1 and language(line, words) == "es"


def _cognates(word: str) -> tuple[str, ...]:
    return tuple(
        word[: -len(spanish)] + english
        for spanish, english in _COGNATES
        if word.endswith(spanish) and len(word) - len(spanish) >= _SHORTEST_STEM
    )


def _english(word: str) -> tuple[str, ...]:
    """From the dictionary: of the word, its singular, its masculine, else of another form."""
    for ending, other in (("", ""), ("s", ""), ("es", ""), ("a", "o"), ("as", "o")):
        known = english_of_spanish(word[: len(word) - len(ending)] + other)
        if known and word.endswith(ending):
            return known
    entries = _by_stem().get(stem(word), ())
    if not entries:
        return ()
    return english_of_spanish(min(entries, key=lambda entry: _distance(word, entry)))


def _distance(word: str, entry: str) -> tuple[int, int]:
    """How little two words with the same stem begin alike, and by how much they differ in length.

    "Nevó" is nearer to "nevar" than to "nevera".
    """
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(word, entry, strict=False))
    return -len(list(alike)), abs(len(word) - len(entry))


@functools.cache
def _by_stem() -> Mapping[str, tuple[str, ...]]:
    """Stem -> the dictionary's words with it."""
    found: dict[str, tuple[str, ...]] = {}
    for word, _ in english_of_spanish_words():
        found[stem(word)] = (*found.get(stem(word), ()), word)
    return found


@functools.cache
def _small_words() -> Mapping[str, str]:
    file = resources() / "words" / "spanish-small-words.json"
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return words
