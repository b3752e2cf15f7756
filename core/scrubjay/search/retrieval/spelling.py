"""Other spellings under which an index may know a word: forms of Spanish words, repaired typos."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from string import ascii_lowercase

from scrubjay.search.query.query_parser import ParsedQuery, Term, parse
from scrubjay.store.reader import Reader
from scrubjay.text import spanish
from scrubjay.text.tokenizer import Analyzer, fold
from scrubjay.text.word_lists import common_english

_SHORTEST_TYPO = 6
"""Shorter words have too many neighbours that are words in their own right."""
_LONGEST_TYPO = 24
"""Longer ones are addresses and codes; each letter is some fifty mistakes to look up."""
_MAX_REPAIRS = 3
"""Words of a query that are repaired, since each costs hundreds of look-ups."""
_MAX_FOUND = 3
"""Words that take the place of one: the mistake may have been made in several."""
_SURE_LETTERS = 3
"""Mistakes that early are looked for by themselves: only missing and superfluous letters."""
_MAX_FORMS = 8
_SHORTEST_FORM = 4
"""Shorter Spanish stems are beginnings of many unrelated words."""


def spell_corrected(query: ParsedQuery, reader: Reader, analyzer: Analyzer) -> ParsedQuery:
    """The query with what an index calls the words that it does not hold as they were typed."""
    repairs = 0
    terms: list[Term] = []
    for term in _relaxed(query.terms, reader):
        if query.gloss and not term.is_stop_word and not term.is_phrase:
            term = _with(term, _forms(term, reader))
        elif _may_be_typo(term) and not _is_known(term, reader, analyzer):
            if repairs < _MAX_REPAIRS:
                word = fold(term.alternatives[0])
                found = reader.once(word, functools.partial(_repairs, word, reader, analyzer))
                term = replace(_with(term, found), is_repaired=bool(found))
            repairs += 1
        terms.append(term)
    return replace(query, terms=tuple(terms))


def _relaxed(terms: Iterable[Term], reader: Reader) -> Iterator[Term]:
    """A phrase in quotes that nobody wrote is looked for by its words."""
    for term in terms:
        if term.is_phrase and not reader.holds(term.expression()):
            yield from parse(term.text).terms
        else:
            yield term


def edits(word: str) -> Iterator[tuple[int, str]]:
    """(place, word) for all that is one typing mistake away.

    A letter too many, two swapped, one wrong, one too few.
    """
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield at, before + after[1:]
            yield from ((at, before + letter + after[1:]) for letter in ascii_lowercase)
        if len(after) > 1:
            yield at, before + after[1] + after[0] + after[2:]
        yield from ((at, before + letter + after) for letter in ascii_lowercase)


def _may_be_typo(term: Term) -> bool:
    word = term.alternatives[0]
    is_plain = (
        fold(word).isascii()
        and word.isalpha()
        and not (term.is_identifier or term.is_phrase or term.is_stop_word)
    )
    return is_plain and not term.is_prefix and _SHORTEST_TYPO <= len(word) <= _LONGEST_TYPO


def _is_known(term: Term, reader: Reader, analyzer: Analyzer) -> bool:
    """True for what the index holds, and for words that are right although it does not."""
    ways = [analyzer.stems(one) for one in term.alternatives]
    if any(stems and all(map(reader.document_frequency, stems)) for stems in ways):
        return True
    return len(term.alternatives) > 1 or not _common_stems().isdisjoint(ways[0])


@functools.cache
def _common_stems() -> frozenset[str]:
    analyzer = Analyzer()
    try:
        return frozenset(analyzer.stems(common_english()))
    finally:
        analyzer.close()


def _repairs(word: str, reader: Reader, analyzer: Analyzer) -> Sequence[str]:
    """The most frequent words of the index that are one mistake away."""
    mistakes = list(edits(word))
    possible = frozenset(analyzer.stems(" ".join(edit for _, edit in mistakes)))
    # Looking up each takes thirty microseconds, reading all with the same beginning almost none.
    near = possible.intersection(reader.stems_from(word[:_SURE_LETTERS]))
    early = {edit for at, edit in mistakes if at < _SURE_LETTERS and len(edit) != len(word)}
    found = reader.known_stems([*near, *analyzer.stems(" ".join(early))])
    return sorted(found, key=lambda stem: (-found[stem], stem))[:_MAX_FOUND]


def _forms(term: Term, reader: Reader) -> Sequence[str]:
    """Words of the index with the same Spanish stem."""
    stem = spanish.stem(fold(term.alternatives[0]))
    if len(stem) < _SHORTEST_FORM:
        return ()
    found = reader.stems_from(stem)
    # The index takes words for English ones and has cut a final s off.
    ways = ((word, (spanish.stem(word), spanish.stem(f"{word}s"))) for word in found)
    return [word for word, stems in ways if stem in stems][:_MAX_FORMS]


def _with(term: Term, others: Iterable[str]) -> Term:
    return replace(term, alternatives=tuple(dict.fromkeys((*term.alternatives, *others))))
