"""Other spellings of a word in an index: Spanish forms and corrected typos."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, pairwise
from string import ascii_lowercase

from msgspec.structs import replace

from scrubjay.records.audience import AGENT, Audience
from scrubjay.search.query.query_parser import ParsedQuery, Term, parse_query
from scrubjay.store.protocol import IndexReader
from scrubjay.text import spanish
from scrubjay.text.tokenizer import Analyzer
from scrubjay.text.word_lists import (
    common_english,
    english_of_spanish,
    spanish_of_english,
    stop_word_counts,
    stop_words,
)

_SHORTEST_TYPO = 5
"""Letters of a word that may be a typo; shorter ones have too many neighbours that are words in
their own right."""
_SHORTEST_TWO_EDITS = 8
"""Letters of a word in which two may be wrong."""
_SHORTEST_SURE = 6
"""Letters of a word whose repaired spelling is a sure answer: there are few words near one that
long, so the one that is found is the one that was meant."""
_LONGEST_TYPO = 24
"""Letters of the longest word that may be a typo; longer ones are addresses and codes, and each
letter is some fifty edits to look up."""
_MAX_REPAIRS = 3
"""Words of a query that are repaired, since each costs hundreds of look-ups."""
_MAX_ALTERNATIVES = 3
"""Number of words that replace one typo: several may be one edit away."""
_SURE_LETTERS = 3
"""Length of the beginning that candidates share with the typo; of edits inside it wrong letters are
looked up only where nothing else was found."""
_SHORTEST_INNER = 4
"""Letters of a word that is looked for inside others."""
_MOST_CHUNKS = 20_000
"""Chunks of an index in which looking at the ends of words takes at most a tenth of a second."""
_ANY_WORD = "butter"
"""Beginning of a made-up compound, to see what a stemmer leaves of its end."""
_CODE = re.compile(r"(?=.*\d)[^\W_]{5,20}")
"""A number or code that may be written in groups."""
_INNER_MARKS = re.compile(r"[\W_]")
_MAX_GROUPS = 5
"""Words of a code."""
_MAX_FORMS = 8
_ENDINGS = (
    "ing", "ings", "ed", "ies", "ation", "ations", "ement", "ements", "ness", "ance", "ence",
)  # fmt: skip
"""Endings that stems lack, so that their beginnings are in no stem."""
_WORD_ENDINGS = ("", "e", "s", "ed", "ing", "al", "y", "ion")
"""What may follow a stem in a word; one of them gives back each stem of a common English word."""
_SHORTEST_FORM = 4
"""Letters of a Spanish stem whose forms are looked for; shorter ones are beginnings of many
unrelated words."""


# The steps for one term, in their order: each ends those after it.
def correct_spelling(  # noqa: C901
    query: ParsedQuery, reader: IndexReader, analyzer: Analyzer, audience: Audience = AGENT
) -> ParsedQuery:
    """The query with the index's spellings of words that it does not hold as typed.

    A quoted phrase that no note holds becomes its words, unless quotes hold as written.
    """
    repairs = 0
    terms: list[Term] = []
    is_alone = len(query.keywords) <= 1
    for term in _unquoted(query.terms, reader, audience):
        # A word inside a longer one of the index: at its end, then at its beginning.
        if audience.joins_compounds:
            compounds = _compounds(term, reader, analyzer)
            if compounds:
                terms.append(_compounded(term, compounds, reader=reader, analyzer=analyzer))
                continue
            halves = _halves(term, reader, analyzer)
            if halves:
                terms.append(_with(term, halves))
                continue
            if not term.is_prefix:
                longer = _longer(term, reader, analyzer)
                term = replace(term, parts=(*term.parts, *longer))
        # A beginning continues, a Spanish word has forms, and what is left may be a typo.
        continued: Sequence[str] = ()
        if term.is_prefix:
            continued = _continued(term, reader, analyzer)
        if term.is_prefix and (continued or not may_be_typo(term, reader)):
            term = replace(term, continued=tuple(continued))
        elif query.gloss and not term.is_stop_word and not term.is_phrase:
            term = _with(term, _forms(term.folded, reader, analyzer))
        elif may_be_typo(term, reader) and not is_word(term, reader, analyzer):
            if repairs < _MAX_REPAIRS:
                term = _repaired(term, reader, analyzer, is_alone=is_alone)
            repairs += 1
        terms.append(term)
    regrouped = _regrouped(terms, reader)
    if audience.joins_compounds:
        regrouped = _joined(regrouped, reader, analyzer)
    return replace(query, terms=regrouped)


def _unquoted(terms: Iterable[Term], reader: IndexReader, audience: Audience) -> Iterator[Term]:
    """The terms; of a quoted phrase that no note holds its words, unless quotes hold as written."""
    for term in terms:
        is_loose = term.is_phrase and not audience.quotes_as_written
        if is_loose and not reader.holds(term.expression()):
            yield from parse_query(term.text).terms
        else:
            yield term


def _compounded(
    term: Term, compounds: Sequence[str], reader: IndexReader, analyzer: Analyzer
) -> Term:
    """A term with the words that end with it; they are sure where a word is left before it."""
    beginnings = (each.removesuffix(term.folded) for each in compounds)
    is_sure = any(is_word(Term(each, (each,)), reader, analyzer) for each in beginnings)
    return replace(_with(term, compounds), is_repaired=True, is_respelt=is_sure)


def _repaired(term: Term, reader: IndexReader, analyzer: Analyzer, *, is_alone: bool) -> Term:
    """A term with the words that a typo may have been meant for."""
    whole = _repairs(term.folded, reader, analyzer, is_begun=False)
    others = whole or _repairs(term.folded, reader, analyzer, is_begun=term.is_prefix)
    is_sure = bool(whole) and is_sure_repair(term, is_alone=is_alone)
    return replace(_with(term, others), is_repaired=bool(others), is_respelt=is_sure)


def is_sure_repair(term: Term, *, is_alone: bool) -> bool:
    """Whether a word near to a whole term is surely meant: the term is long or beside others."""
    return len(term.folded) >= _SHORTEST_SURE or not is_alone


def _joined(terms: Sequence[Term], reader: IndexReader, analyzer: Analyzer) -> tuple[Term, ...]:
    """The terms; two that are one word of the index, as *pond weed*, are also that word."""
    joined = [*terms]
    for at, pair in enumerate(pairwise(terms)):
        compound = "".join(term.folded_text for term in pair)
        if all(map(_is_plain, pair)) and reader.stem_counts(analyzer.stems(compound)):
            for position in (at, at + 1):
                term = _with(joined[position], [compound])
                joined[position] = replace(term, is_respelt=term.is_repaired)
    return tuple(joined)


def _is_plain(term: Term) -> bool:
    is_word = term.text.isalpha() and len(term.text) >= _SURE_LETTERS
    return is_word and not (term.is_stop_word or term.is_phrase or term.is_identifier)


def _longer(term: Term, reader: IndexReader, analyzer: Analyzer) -> Sequence[str]:
    """Words of the index that begin with a whole word, as *pondweed* with `pond`."""
    word = term.folded
    if not _is_plain(term) or len(word) < _SHORTEST_INNER:
        return ()
    stems = (stem for stem in reader.stems_from(word) if len(stem) >= len(word) + 2)
    return words_of(islice(stems, _MAX_FORMS), analyzer)


def _regrouped(terms: Sequence[Term], reader: IndexReader) -> tuple[Term, ...]:
    """The terms with other groupings of numbers and codes that the index holds.

    `07700 900 412` may be written `07700900412`, `TP1363` may be `TP 1363`.
    """
    words = [_INNER_MARKS.sub("", term.folded_text) for term in terms]
    others: list[list[str]] = [[] for _ in terms]
    # Each run of words that may be one code.
    for first, end in combinations(range(len(words) + 1), 2):
        code = "".join(words[first:end])
        last = terms[end - 1]
        if any(term.is_phrase for term in terms[first:end]):
            continue
        if end - first > _MAX_GROUPS or not all(words[first:end]) or not _CODE.fullmatch(code):
            continue
        if code != last.folded_text:
            # It was typed in groups: the index may hold it as one word.
            held: Iterable[str] = reader.stem_counts([code])
            if last.is_prefix:
                held = reader.stems_from(code)
            for each in others[first:end]:
                each += list(held)[:_MAX_ALTERNATIVES]
        else:
            groups = islice(_groupings(code, reader, is_begun=last.is_prefix), _MAX_ALTERNATIVES)
            others[first] += groups
    return tuple(map(_with, terms, others))


def _groupings(code: str, reader: IndexReader, *, is_begun: bool) -> Iterator[str]:
    """The phrases of the index that read as a code without their spaces, the longest word first."""
    cuts = combinations(range(len(code) + 1), 2)
    pieces = {code[start:end] for start, end in cuts if end - start > 1 or not start}
    held = reader.stem_counts([*pieces - {code}])

    def groups(rest: str) -> Iterator[str]:
        if is_begun:
            yield from reader.stems_from(rest)[:_MAX_ALTERNATIVES]
        elif rest in held:
            yield rest
        for end in range(len(rest) - 1, 0, -1):
            if rest[:end] in held:
                yield from (f"{rest[:end]} {following}" for following in groups(rest[end:]))

    return (phrase for phrase in groups(code) if " " in phrase and reader.holds(f'"{phrase}"'))


def one_letter_edits(word: str) -> Iterator[tuple[int, str]]:
    """(position, word) for every word one superfluous, swapped, wrong or missing letter away."""
    for at in range(len(word) + 1):
        before = word[:at]
        after = word[at:]
        if after:
            yield at, before + after[1:]
            yield from ((at, before + letter + after[1:]) for letter in ascii_lowercase)
        if len(after) > 1:
            yield at, before + after[1] + after[0] + after[2:]
        yield from ((at, before + letter + after) for letter in ascii_lowercase)


def _halves(term: Term, reader: IndexReader, analyzer: Analyzer) -> Sequence[str]:
    """The two words as which the index holds a word that it does not hold, as *bath tub*."""
    word = term.folded
    if not _is_plain(term) or any(map(reader.document_frequency, analyzer.stems(word))):
        return ()
    # With a stop word as one half it is two words by chance, which take long to look up.
    cuts = range(_SURE_LETTERS, len(word) - _SURE_LETTERS + 1)
    pairs = ((word[:cut], word[cut:]) for cut in cuts)
    phrases = (" ".join(pair) for pair in pairs if not stop_words(pair))
    return [phrase for phrase in phrases if reader.holds(f'"{phrase}"')]


def _compounds(term: Term, reader: IndexReader, analyzer: Analyzer) -> Sequence[str]:
    """Words of the index that end with a word which it does not hold, as *pondweed* with `weed`."""
    word = term.folded
    cache = reader.spelling_cache()
    is_small = reader.chunk_count() <= _MOST_CHUNKS
    is_long = _is_plain(term) and len(word) >= _SHORTEST_INNER
    if not is_long or not is_small or reader.stems_from(word):
        return ()
    if all(map(reader.document_frequency, analyzer.stems(word))):
        return ()
    key = f"*{word}"
    if key not in cache:
        # A stemmer cuts more off a longer word: `weed` stays, *pondweed* becomes `pondwe`.
        ending = "".join(analyzer.stems(f"{_ANY_WORD}{word}")).removeprefix(_ANY_WORD)
        is_whole = len(ending) >= len(word.removesuffix("s")) - 2
        stems: Sequence[str] = ()
        if is_whole:
            stems = reader.stems_ending(ending, len(ending) + _SURE_LETTERS)
        cache[key] = [f"{each.removesuffix(ending)}{word}" for each in stems][:_MAX_FORMS]
    return cache[key]


def may_be_typo(term: Term, reader: IndexReader) -> bool:
    """Whether a term is so long and plain that it may be a typo, and no beginning of a word."""
    word = term.alternatives[0]
    is_plain = term.folded.isascii() and word.isalpha() and not term.is_identifier
    is_word = is_plain and not (term.is_phrase or term.is_stop_word)
    if not is_word or not _SHORTEST_TYPO <= len(word) <= _LONGEST_TYPO:
        return False
    return not (term.is_prefix and reader.stems_from(term.folded))


def is_word(term: Term, reader: IndexReader, analyzer: Analyzer) -> bool:
    """True for a word that the index holds, and for English words that it does not."""
    stem_lists = [analyzer.stems(alternative) for alternative in term.alternatives]
    if is_cut_away(term.folded, stem_lists[0]):
        return False
    if any(stems and all(map(reader.document_frequency, stems)) for stems in stem_lists):
        return True
    return len(term.alternatives) > 1 or not common_stems().isdisjoint(stem_lists[0])


def is_cut_away(word: str, stems: Sequence[str]) -> bool:
    """Whether the stem of a folded word says nothing, as *at* of `ating`, a typo."""
    is_short = len(word) >= _SHORTEST_TYPO and len("".join(stems)) < _SURE_LETTERS
    return is_short and bool(stop_words(stems)) and word not in common_english().split()


@functools.cache
def common_stems() -> frozenset[str]:
    """The stems of common English words."""
    analyzer = Analyzer()
    try:
        return frozenset(analyzer.stems(common_english()))
    finally:
        analyzer.close()


def _repairs(
    word: str, reader: IndexReader, analyzer: Analyzer, *, is_begun: bool
) -> Sequence[str]:
    """The most frequent words of the index that are one edit away, or two in a long word.

    For a word that is still being typed also those whose beginning is.
    """
    cache = reader.spelling_cache()
    key = f"{word}*" if is_begun else word
    if key not in cache:
        counts = counts_of_repairs(word, reader, analyzer, is_begun=is_begun)
        by_count = sorted(counts, key=lambda stem: (-counts[stem], stem))
        cache[key] = words_of(by_count[:_MAX_ALTERNATIVES], analyzer)
    return cache[key]


def counts_of_repairs(
    word: str, reader: IndexReader, analyzer: Analyzer, *, is_begun: bool
) -> Mapping[str, int]:
    """Stems that a typo may stand for -> their counts in the index, the likeliest kind alone."""
    typos = list(one_letter_edits(word))
    stems = analyzer.stems(" ".join(edit for _, edit in typos))
    possible = frozenset(stem for stem in stems if len(stem) >= _SURE_LETTERS)
    # A look-up takes thirty microseconds, reading all stems with one beginning almost none.
    alike = reader.stems_from(word[:_SURE_LETTERS])
    near = possible.intersection(alike)
    early = {edit for at, edit in typos if at < _SURE_LETTERS}
    wrong = {edit for edit in early if len(edit) == len(word)}
    early_stems = possible.intersection(analyzer.stems(" ".join(early - wrong)))
    counts = reader.stem_counts([*near, *early_stems])
    # One wrong letter in the beginning.
    if not counts:
        wrong_stems = possible.intersection(analyzer.stems(" ".join(wrong)))
        counts = reader.stem_counts([*wrong_stems])
    # Two edits after the beginning, in a long word.
    most = 2 if len(word) >= _SHORTEST_TWO_EDITS else 1
    if not counts and most == 2:
        [stem] = analyzer.stems(word)[:1] or [word]
        counts = reader.stem_counts([other for other in alike if _distance(stem, other) <= 2])
    # The beginning of a longer word, with a typo in it.
    if not counts and is_begun:
        long = (other for other in alike if len(other) > len(word))
        ends = (len(word) - 1, len(word), len(word) + 1)
        begun = [s for s in long if min(_distance(word, s[:end]) for end in ends) <= most]
        counts = reader.stem_counts(begun) or reader.stem_counts(
            [*chain.from_iterable(map(reader.stems_from, sorted(early)))]
        )
    return counts


def _distance(word: str, other: str) -> int:
    """Number of edits between two words (Levenshtein)."""
    # Distances of the beginnings of the other word to that of this one, a letter longer each time.
    above = list(range(len(other) + 1))
    for number, letter in enumerate(word, start=1):
        row = [number]
        for at, match in enumerate(other, start=1):
            change = above[at - 1] + (letter != match)
            row.append(min(above[at] + 1, row[at - 1] + 1, change))
        above = row
    return above[-1]


def _continued(term: Term, reader: IndexReader, analyzer: Analyzer) -> Sequence[str]:
    """Words of the index that continue from a word which FTS5 would stem, as `photosy`, or cut off:
    `missi` to `miss`.
    """
    word = term.folded
    # It may end in the first letters of an ending.
    whole = (
        word[: len(word) - length] + ending
        for ending in _ENDINGS
        for length in range(1, len(ending))
        if word.endswith(ending[:length])
    )
    stems = {stem for stem in analyzer.stems(" ".join(whole)) if not stem.startswith(word)}
    stems = {stem for stem in stems if not is_cut_away(word, (stem,))}
    if analyzer.stems(word) != [word]:
        stems |= set(reader.stems_from(word))
    counts = reader.stem_counts([*stems])
    by_count = sorted(counts, key=lambda stem: (-counts[stem], stem))
    return words_of(by_count[:_MAX_FORMS], analyzer)


def _forms(word: str, reader: IndexReader, analyzer: Analyzer) -> Sequence[str]:
    """Words of the index with the same Spanish stem except English ones, as *exit* of *éxito*.

    Of a short word only those of a noun, which may be English words, too, as *fines*.
    """
    stem = spanish.stem_spanish(word)
    nouns: Sequence[str] = spanish.noun_forms(word)
    if len(stem) >= _SHORTEST_FORM:
        nouns = [form for form in nouns if not _is_english(form)]
    # The index takes *mes* for *me*, which most English texts have.
    stems_of = {form: analyzer.stems(form) for form in nouns}
    held = reader.stem_counts([*chain.from_iterable(stems_of.values())]).keys()
    forms = [
        form
        for form, stems in stems_of.items()
        if not held.isdisjoint(stems) and not stop_word_counts(frozenset(stems))["en"]
    ]
    if len(stem) >= _SHORTEST_FORM:
        # The index takes words for English ones and has cut a final s off.
        stems = (
            (word, (spanish.stem_spanish(word), spanish.stem_spanish(f"{word}s")))
            for word in reader.stems_from(stem)
        )
        others = [word for word, both in stems if stem in both and not _is_english(word)]
        forms += words_of(others[:_MAX_FORMS], analyzer)
    return forms[:_MAX_FORMS]


def words_of(stems: Iterable[str], analyzer: Analyzer) -> list[str]:
    """A word for each stem that the index reduces to the same stem.

    A stem by itself may become another one: `rehears`, of *rehearsal*, becomes `rehear`.
    """
    words: list[str] = []
    for stem in stems:
        candidates = (f"{stem}{ending}" for ending in _WORD_ENDINGS)
        words += islice((each for each in candidates if analyzer.stems(each) == [stem]), 1)
    return words


def _is_english(stem: str) -> bool:
    is_known = stem in common_stems() or bool(spanish_of_english(stem))
    return is_known and not english_of_spanish(stem)


def _with(term: Term, others: Iterable[str]) -> Term:
    return replace(term, alternatives=tuple(dict.fromkeys((*term.alternatives, *others))))
