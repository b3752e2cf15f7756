"""The words of a query as ranking sees them: stems, how much each tells, where each occurs."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from scrubjay.search.query.identifiers import bare, names
from scrubjay.search.query.query_parser import ParsedQuery, Term
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import Analyzer, fold

RawToken: TypeAlias = tuple[int, int, str]
"""(start, end, stem), offsets in bytes."""

MAX_POSTINGS = 12_000
"""Chunks that words may make FTS5 score, at 0.4 microseconds each; below that all terms are asked
for."""

_PART_SHARE = 0.4
"""What a word inside a compound is worth beside the whole compound."""


@dataclass(frozen=True, slots=True)
class RankedTerm:
    """One keyword."""

    text: str
    phrases: tuple[tuple[tuple[str, ...], float], ...]
    """Stems of each way to say it, and what finding it that way is worth."""
    prefix: str
    """Folded beginning of a word that is still being typed; empty for a finished one."""
    frequency: int
    """Chunks that hold it, at most."""
    idf: float


class Occurrence(NamedTuple):
    """A term found in a text."""

    start: int
    """In bytes."""
    term: int
    """Index among the terms."""
    worth: float


class QueryTerms:
    """All keywords of a query, for one index."""

    def __init__(
        self,
        terms: Sequence[RankedTerm],
        *,
        has_repairs: bool = False,
        has_unknown_name: bool = False,
    ) -> None:
        """Has_repairs tells that a typing mistake was mended, which the model knows nothing of.

        Has_unknown_name tells that the query names only what the index never does.
        """
        self.terms = tuple(terms)
        self.has_repairs = has_repairs
        self.has_unknown_name = has_unknown_name
        self.idf: npt.NDArray[np.float64] = np.array([term.idf for term in terms])
        self._starts: dict[str, list[tuple[tuple[str, ...], int, float]]] = {}
        for number, term in enumerate(terms):
            for stems, worth in term.phrases:
                self._starts.setdefault(stems[0], []).append((stems, number, worth))
        self._prefixes = [(term.prefix, at) for at, term in enumerate(terms) if term.prefix]
        beginnings = [*self._starts, *(prefix for prefix, _ in self._prefixes)]
        # Porter's rules change no more than the last letter of what they leave of a word.
        self._hints = tuple({one[:-1] for one in beginnings if one.isascii()})
        self._has_phrases = any(
            len(stems) > 1 for ways in self._starts.values() for stems, _, _ in ways
        )

    @classmethod
    def of(cls, query: ParsedQuery, reader: Reader, analyzer: Analyzer) -> QueryTerms:
        """Look all keywords up in an index."""
        total = reader.chunk_count()
        terms = [_ranked(term, reader, analyzer, total) for term in query.keywords]
        return cls(
            terms,
            has_repairs=any(term.is_repaired for term in query.keywords),
            has_unknown_name=_names_unknown(query.text, terms),
        )

    def worth_retrieving(self) -> frozenset[int]:
        """Numbers of the terms to look for, rarest first until many chunks would be looked at.

        In a large index a common word costs most of the time and decides nothing: all terms
        rank what the rarer ones have found.
        """
        chosen: set[int] = set()
        looked_at = 0
        for number in sorted(range(len(self)), key=lambda at: self.terms[at].frequency):
            looked_at += self.terms[number].frequency
            if chosen and looked_at > MAX_POSTINGS:
                break
            chosen.add(number)
        return frozenset(chosen)

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def total(self) -> float:
        """Information of the whole query; a word that nobody wrote is part of it."""
        return max(float(self.idf.sum()), 1e-9)

    @cached_property
    def stem_weights(self) -> Mapping[str, float]:
        """Stem -> what it tells, for picking and marking lines."""
        weights: dict[str, float] = {}
        for term in self.terms:
            for stems, worth in term.phrases:
                for stem in stems:
                    weights[stem] = max(weights.get(stem, 0.0), term.idf * worth / len(stems))
        return weights

    def occurrences(self, tokens: Sequence[RawToken]) -> Iterator[Occurrence]:
        """Where terms stand among the tokens of a text."""
        starts = self._starts
        # Thousands of tokens, few of them terms: this line is what a search spends its time on.
        places = [at for at, (_, _, stem) in enumerate(tokens) if stem in starts]
        for at in places:
            start, _, first = tokens[at]
            for stems, term, worth in starts[first]:
                if len(stems) == 1 or _continues(tokens, at, stems):
                    yield Occurrence(start, term, worth)
        for prefix, term in self._prefixes:
            for start, _, stem in tokens:
                if stem.startswith(prefix):
                    yield Occurrence(start, term, 1.0)

    def runs_of_lines(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Half-open ranges of the lines of all texts that may hold terms, each within one text.

        Most lines need not be read closer.
        """
        borders = list(itertools.accumulate(text.count("\n") + 1 for text in texts))
        chosen: set[int] = set()
        readable = list(texts)
        for number, text in enumerate(texts):
            if not text.isascii():  # folding changes letters, so no line can be ruled out
                first = borders[number - 1] if number else 0
                chosen |= set(range(first, borders[number]))
                readable[number] = "\n" * (borders[number] - first - 1)
        joined = "\n".join(readable).lower()
        lines = joined.split("\n")
        ends = list(itertools.accumulate(len(line) + 1 for line in lines))
        for hint in self._hints:
            at = joined.find(hint)
            while at >= 0:
                number = bisect.bisect_right(ends, at)
                chosen.add(number)
                at = joined.find(hint, ends[number])
        if self._has_phrases:
            # A phrase may go on in the next line that is not blank.
            for number in sorted(chosen):
                rest = range(number + 1, borders[bisect.bisect_right(borders, number)])
                following = next((later for later in rest if lines[later].strip()), number)
                chosen |= set(range(number + 1, following + 1))
        return _runs(sorted(chosen), frozenset(borders))

    def may_be_in(self, text: str) -> bool:
        """False for a text that holds no term, as can be told without taking it apart."""
        if not text.isascii():
            return True
        lower = text.lower()
        return any(hint in lower for hint in self._hints)

    def found_in(self, stems: Sequence[str]) -> set[int]:
        """Terms that occur in a short text, such as a heading."""
        if not self._prefixes and self._starts.keys().isdisjoint(stems):
            return set()
        tokens = [(at, at, stem) for at, stem in enumerate(stems)]
        return {found.term for found in self.occurrences(tokens)}


def idf(frequency: int, total: int) -> float:
    """Inverse document frequency of BM25, never below zero (Robertson and Zaragoza, 2009)."""
    frequency = min(frequency, total)
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _runs(numbers: Iterable[int], borders: Container[int]) -> list[tuple[int, int]]:
    """Half-open ranges of ascending numbers that follow each other, none beyond a border."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number and number not in borders:
            found[-1] = (found[-1][0], number + 1)
        else:
            found.append((number, number + 1))
    return found


def _ranked(term: Term, reader: Reader, analyzer: Analyzer, total: int) -> RankedTerm:
    ways = [(analyzer.stems(one), 1.0) for one in term.alternatives]
    ways += [(analyzer.stems(one), _PART_SHARE) for one in term.parts]
    phrases = {tuple(stems): worth for stems, worth in reversed(ways) if stems}
    whole = [stems for stems, worth in phrases.items() if worth == 1.0]
    # A phrase is at most as frequent as its rarest word.
    frequency = sum(min(map(reader.document_frequency, stems)) for stems in whole)
    prefix = fold(term.alternatives[0]) if term.is_prefix else ""
    informative = idf(frequency, total)
    return RankedTerm(term.text, tuple(phrases.items()), prefix, frequency, informative)


def _names_unknown(text: str, terms: Iterable[RankedTerm]) -> bool:
    """True when a query has names and the index none of them.

    One that is still being typed may become known.
    """
    is_known = {bare(term.text): bool(term.frequency or term.prefix) for term in terms}
    named = [is_known[word] for word in names(text) if word in is_known]
    return bool(named) and not any(named)


def _continues(tokens: Sequence[RawToken], at: int, stems: Sequence[str]) -> bool:
    following = tokens[at : at + len(stems)]
    return len(following) == len(stems) and all(
        token[2] == stem for token, stem in zip(following, stems, strict=True)
    )
