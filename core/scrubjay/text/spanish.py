"""English translations of the words in Spanish questions, for English notes.

A dictionary of everyday words, looked up by a light stem, and the endings that both languages
share. A model that knows English only gets a gloss, the question word by word in English.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import (
    english_by_spanish,
    english_of_spanish,
    spanish_of_english,
    spanish_small_words,
    stop_word_counts,
)

# Endings of inflected words.

_ENDINGS = (
    "ieramos", "aremos", "eremos", "iremos", "abamos", "ieron", "iendo", "yendo", "aban", "abas",
    "ados", "adas", "idos", "idas", "amos", "emos", "imos", "aste", "iste", "aron", "aran", "eran",
    "iran", "ando", "ado", "ada", "ido", "ida", "aba", "ian", "ias", "ara", "era", "ira", "are",
    "ere", "ire", "es", "as", "os", "an", "en", "ar", "er", "ir", "ia", "io", "a", "e", "o", "i",
    "s",
)  # fmt: skip
"""Endings of plurals, genders and the regular verb forms, longest first."""
_OF_NOUNS = frozenset(("ias", "es", "as", "os", "ia", "io", "a", "e", "o", "i", "s", ""))
"""Endings that a noun may have, too."""
_INFINITIVE = lazy_pattern(r"[aei]r(se)?$")

_REFLEXIVE = lazy_pattern(r"([aei]r)se$")

# Words, and signs of the language of a text.

_WORD = lazy_pattern(r"\w[\w'’]*")
_TOKEN = lazy_pattern(r"\w+(?:[.\-/:'’@+]\w+)*|[^\w\s]")
_SPANISH = lazy_pattern(r"\b(?:de|la|que|el|en|los|las|para|con|una|por|del|se|no|es)\b", re.I)
_ENGLISH = lazy_pattern(r"\b(?:the|of|and|to|is|in|for|with|on|that|was|not|it|at|are)\b", re.I)

_FINAL_CONSONANTS = frozenset("dlnrs")
_VOWELS = frozenset("aeiou")
_SHORTEST_STEM = 3
_SHORTEST_WITH_ADJECTIVE = 7
"""Letters of the stem of an adjective in -ico; *clásica* is not a form of *clase*."""
_SHORTEST_MASCULINE = 5
"""Letters of a noun with a consonant at its end that may be a person's, as *doctor*; by hand."""
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


def detect_language(text: str, words: Iterable[str]) -> str:
    """Language of the folded words: "es", "en" (any but Spanish), or empty for either."""
    distinct = frozenset(words)
    counts = stop_word_counts(distinct)
    # Each word of a dictionary is a sign of its language, and so is a letter that only one has.
    spanish = sum(1 for word in distinct if english_of_spanish(word))
    if not _ACCENTED.isdisjoint(text.casefold()):
        spanish += 1
    english = counts["en"] + sum(1 for word in distinct if spanish_of_english(word))
    # Stop words of Portuguese, French and German are not signs of Spanish.
    if counts["es"] == max(counts.values()):
        spanish += counts["es"]
    elif len(distinct) > 1 and counts["es"] < max(counts["pt"], counts["fr"], counts["de"]):
        return "en"
    if spanish == english:
        return ""
    return "es" if spanish > english else "en"


def translate_word(word: str, query_language: str) -> tuple[str, ...]:
    """A folded word of a query in the other language; query_language is the result of language."""
    if query_language == "es":
        return english_translations(word)
    spanish = _in_spanish(word)
    if query_language == "en":
        return spanish
    # A form that is an English word too, as *sales*, is not taken for the plural of *sal*.
    if spanish:
        return (*spanish, *english_of_spanish(word))
    return _english_of_noun(word)


def expressions(english: str) -> tuple[str, ...]:
    """Fixed Spanish expressions for an English word, as *fin de semana* and its plural."""
    return tuple(each for each in spanish_of_english(fold(english)) if " " in each)


def _in_spanish(word: str) -> tuple[str, ...]:
    """Spanish for an English word, also feminine: *perra*, but not *plata*, which is not a
    *plato*.
    """
    spanish = spanish_of_english(word)
    feminine = (f"{each[:-1]}a" for each in spanish if each.endswith("o"))
    is_own = (
        each
        for each in feminine
        if not (english_of_spanish(fold(each)) or spanish_of_english(each))
    )
    return (*spanish, *is_own)


def stem_spanish(word: str) -> str:
    """Light stem of a folded word; some unrelated words share one by accident.

    That of a long noun is that of its adjective, too: *alergia*, *alérgica*.
    """
    base = next(_stems(word))
    if base.endswith("ic") and len(base) >= _SHORTEST_WITH_ADJECTIVE:
        return base[:-2]
    return base


def noun_forms(word: str) -> tuple[str, ...]:
    """The singular and the plural of a folded noun in both genders, without the word itself."""
    singulars = [word]
    if word.endswith("ces"):
        singulars.append(f"{word[:-3]}z")
    elif word.endswith("es") and word[-3:-2] in _FINAL_CONSONANTS:
        singulars.append(word[:-2])
    elif word.endswith("s") and len(word) > _SHORTEST_STEM:
        singulars.append(word[:-1])
    others = itertools.chain.from_iterable(map(_other_genders, singulars))
    forms = ((base, _plural(base)) for base in (*singulars, *others))
    distinct = dict.fromkeys(itertools.chain.from_iterable(forms))
    return tuple(form for form in distinct if form and form != word)


def _plural(singular: str) -> str:
    """The plural of a folded noun; empty where it looks like the singular."""
    if singular.endswith("z"):
        return f"{singular[:-1]}ces"
    if singular[-1:] in _FINAL_CONSONANTS:
        return f"{singular}es"
    return f"{singular}s" if singular[-1:] in _VOWELS else ""


def _other_genders(singular: str) -> Iterator[str]:
    """A folded noun in the other gender; *casa* is another word than *caso*, *mesa* than *mes*."""
    base = singular[:-1]
    vowel = {"a": "o", "o": "a"}.get(singular[-1:])
    if vowel and len(base) >= _SHORTEST_STEM:
        is_other_word = english_of_spanish(singular) and english_of_spanish(f"{base}{vowel}")
        if not is_other_word:
            yield f"{base}{vowel}"
        if vowel == "o" and base[-1:] in _FINAL_CONSONANTS and len(base) >= _SHORTEST_MASCULINE:
            yield base
    elif singular[-1:] in _FINAL_CONSONANTS and len(singular) >= _SHORTEST_MASCULINE:
        yield f"{singular}a"


def _stems(word: str, *, of_noun: bool = False) -> Iterator[str]:
    """The stems of a word without its endings, the longest ending first."""
    word = _REFLEXIVE.sub(r"\1", word)
    if word.endswith("ces"):
        word = word[:-3] + "z"
    for ending in (*_ENDINGS, ""):
        base = word.removesuffix(ending)
        is_stem = word.endswith(ending) and len(base) >= _SHORTEST_STEM
        if not ending or (is_stem and (ending in _OF_NOUNS or not of_noun)):
            # Spelling that keeps the sound (pague, toque), and vowels that change with the stress.
            for written, sound in (("gu", "g"), ("qu", "c"), ("z", "c")):
                if base.endswith(written):
                    base = base[: -len(written)] + sound
            yield base.replace("ie", "e").replace("ue", "o")


def english_translations(word: str) -> tuple[str, ...]:
    """English for a folded Spanish word in any form: that of the dictionary, otherwise a guess by
    its ending. The entry of the word alone is `english_of_spanish`.
    """
    return _english(word) or tuple(
        word[: -len(spanish)] + english
        for spanish, english in _COGNATES
        if word.endswith(spanish) and len(word) - len(spanish) >= _SHORTEST_STEM
    )


def english_phrases(words: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Number of a fixed expression's first word -> (number of its words, its English)."""
    phrases: dict[int, tuple[int, str]] = {}
    at = 0
    while at < len(words):
        # The longest expression that begins here.
        for size in range(min(_LONGEST_PHRASE, len(words) - at), 1, -1):
            english = english_of_spanish(" ".join(words[at : at + size]))
            if english:
                phrases[at] = (size, english[0])
                at += size - 1
                break
        at += 1
    return phrases


def gloss_words(words: Sequence[str]) -> str:
    """A Spanish question word by word in English; words that the dictionary lacks stay."""
    # Fixed expressions first, then small words, then the dictionary.
    folded = [fold(word) for word in words]
    phrases = english_phrases(folded)
    small = spanish_small_words()
    glosses: list[str] = []
    skipped = 0
    for at, (word, plain) in enumerate(zip(words, folded, strict=True)):
        if skipped:
            skipped -= 1
        elif at in phrases:
            size, english = phrases[at]
            skipped = size - 1
            glosses.append(english)
        elif plain in small:
            glosses.append(small[plain])
        else:
            glosses.append((_english(plain) or (word,))[0])
    return " ".join(gloss for gloss in glosses if gloss)


def gloss_question(text: str) -> str:
    """A Spanish question word by word in English; any other as it is."""
    words = map(fold, _WORD.findall(text))
    if detect_language(text, words) != "es":
        return text
    return gloss_words(_TOKEN.findall(text))


def gloss_spanish_lines(text: str) -> str:
    """A text with its Spanish lines word by word in English; all other lines as they are."""
    is_spanish = looks_spanish(text)
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if is_spanish or _is_spanish(line):
            lines[at] = gloss_words(_TOKEN.findall(line))
    return "\n".join(lines)


def looks_spanish(text: str) -> bool:
    """True when the small words of a text are Spanish rather than English."""
    return len(_SPANISH.findall(text)) > len(_ENGLISH.findall(text))


def _is_spanish(line: str) -> bool:
    """True for more than one Spanish word: "lag" and "panel" are in the dictionary too."""
    words = {fold(word) for word in _WORD.findall(line) if len(word) > 1}
    small = spanish_small_words()
    count = sum(1 for word in words if english_of_spanish(word) or word in small)
    return count > 1 and detect_language(line, words) == "es"


def _english(word: str) -> tuple[str, ...]:
    """Dictionary entry of the word, its singular, its masculine, otherwise of another form.

    A form of a verb is not one of a short noun: *camarón* ends as *amaron*, and *cama* is not in
    it.
    """
    english = _english_of_noun(word)
    if english:
        return english
    # Then another form of the same stem; the entry that looks most like the word.
    of_noun = set(_stems(word, of_noun=True))
    for base in _stems(word):
        entries = _by_stem().get(base, ())
        if base not in of_noun and len(base) <= _SHORTEST_STEM:
            entries = tuple(filter(_INFINITIVE.search, entries))
        if entries:
            return english_of_spanish(min(entries, key=lambda entry: _distance(word, entry)))
    return ()


def _english_of_noun(word: str) -> tuple[str, ...]:
    """Dictionary entry of the word, its singular or its masculine."""
    for ending, other in (("", ""), ("s", ""), ("es", ""), ("a", "o"), ("as", "o")):
        english = english_of_spanish(word[: len(word) - len(ending)] + other)
        if english and word.endswith(ending):
            return english
    return ()


def _distance(word: str, entry: str) -> tuple[int, int]:
    """(minus the length of the common beginning, difference in length) of two words of one stem.

    "Nevó" is nearer to "nevar" than to "nevera".
    """
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(word, entry, strict=False))
    return -len(list(alike)), abs(len(word) - len(entry))


@functools.cache
def _by_stem() -> Mapping[str, tuple[str, ...]]:
    """Stem -> the dictionary's words with it."""
    words: dict[str, tuple[str, ...]] = {}
    for word in english_by_spanish():
        base = next(_stems(word, of_noun=not _INFINITIVE.search(word)))
        words[base] = (*words.get(base, ()), word)
    return words
