"""The keywords of a query in one index: their stems, their information, their occurrences."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from scrubjay.search.query.query_parser import ParsedQuery, Term, without_possessive
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import Analyzer, fold

RawToken: TypeAlias = tuple[int, int, str]
"""(start, end, stem), offsets in bytes."""

MAX_POSTINGS = 12_000
"""Chunks that FTS5 may score, 0.4 microseconds each (measured); below it all terms are used."""

_PREFIX_WORTH = 0.8
"""Worth of a word that only begins as the last one of the query, below that of the word itself."""

_PART_SHARE = 0.4
"""Share of a compound's information that a word inside it has; no alternative is on record."""


@dataclass(frozen=True, slots=True)
class RankedTerm:
    """One keyword."""

    text: str
    phrases: tuple[tuple[tuple[str, ...], float], ...]
    """Stems of each way to say it, and their worth, 0 to 1."""
    prefix: str
    """Folded beginning of a word that is still being typed; empty for a finished one."""
    frequency: int
    """Chunks that hold it, at most."""
    idf: float


class Occurrence(NamedTuple):
    """A term's place in a text."""

    start: int
    """In bytes."""
    term: int
    """Number of the term."""
    worth: float
    """0 to 1; less than 1 for a part of a compound."""


class QueryTerms:
    """All keywords of a query, for one index."""

    def __init__(
        self,
        terms: Sequence[RankedTerm],
        *,
        has_repairs: bool = False,
        has_unknown_name: bool = False,
    ) -> None:
        """Has_repairs: a typo was repaired, which the query's vector does not reflect.

        Has_unknown_name: the query has names, and the index none of them.
        """
        self.terms = tuple(terms)
        self.has_repairs = has_repairs
        self.has_unknown_name = has_unknown_name
        self.idf: npt.NDArray[np.float64] = np.array([term.idf for term in terms])
        """float64[terms]."""
        self._by_first_stem: dict[str, list[tuple[tuple[str, ...], int, float]]] = {}
        for number, term in enumerate(terms):
            for stems, worth in term.phrases:
                self._by_first_stem.setdefault(stems[0], []).append((stems, number, worth))
        self._prefixes = [(term.prefix, at) for at, term in enumerate(terms) if term.prefix]
        beginnings = [*self._by_first_stem, *(prefix for prefix, _ in self._prefixes)]
        # Porter's rules change no more than the last letter of the stem that they leave.
        self._hints = tuple({text[:-1] for text in beginnings if text.isascii()})
        self._has_phrases = any(
            len(stems) > 1 for ways in self._by_first_stem.values() for stems, _, _ in ways
        )

    @classmethod
    def of(cls, query: ParsedQuery, reader: Reader, analyzer: Analyzer) -> QueryTerms:
        """The keywords of a query with their frequencies in an index."""
        total = reader.chunk_count()
        terms = [_ranked_term(term, reader, analyzer, total) for term in query.keywords]
        is_known = {without_possessive(term.text): term.frequency or term.prefix for term in terms}
        # A prefix may become a name that the index has.
        names = [is_known[name] for name in query.names if name in is_known]
        return cls(
            terms,
            has_repairs=any(term.is_repaired for term in query.keywords),
            has_unknown_name=bool(names) and not any(names),
        )

    def selective_terms(self) -> frozenset[int]:
        """Numbers of the terms to retrieve by, rarest first until MAX_POSTINGS.

        In a large index a common word costs most of the time and decides nothing: all terms
        rank the chunks that the rarer ones have found.
        """
        chosen: set[int] = set()
        postings = 0
        for number in sorted(range(len(self)), key=lambda at: self.terms[at].frequency):
            postings += self.terms[number].frequency
            if chosen and postings > MAX_POSTINGS:
                break
            chosen.add(number)
        return frozenset(chosen)

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def total(self) -> float:
        """Information of the whole query, with that of words that no note holds."""
        return max(float(self.idf.sum()), 1e-9)

    @cached_property
    def stem_weights(self) -> Mapping[str, float]:
        """Stem -> its information, for picking and marking lines."""
        weights: dict[str, float] = {}
        for term in self.terms:
            for stems, worth in term.phrases:
                for stem in stems:
                    weights[stem] = max(weights.get(stem, 0.0), term.idf * worth / len(stems))
        return weights

    def occurrences(self, tokens: Sequence[RawToken]) -> Iterator[Occurrence]:
        """The places of terms among the tokens of a text."""
        by_first_stem = self._by_first_stem
        # Thousands of tokens, few of them terms: a search spends most of its time on this line.
        places = [at for at, (_, _, stem) in enumerate(tokens) if stem in by_first_stem]
        for at in places:
            start, _, first = tokens[at]
            for stems, term, worth in by_first_stem[first]:
                if len(stems) == 1 or stems == tuple(
                    following for _, _, following in tokens[at : at + len(stems)]
                ):
                    yield Occurrence(start, term, worth)
        for prefix, term in self._prefixes:
            for start, _, stem in tokens:
                if stem.startswith(prefix):
                    yield Occurrence(start, term, _PREFIX_WORTH)

    def runs_of_lines(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Half-open ranges of lines that may hold terms, each in one text; most lines do not."""
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
        runs: list[tuple[int, int]] = []
        ends_of_texts = frozenset(borders)
        for number in sorted(chosen):
            if runs and runs[-1][1] == number and number not in ends_of_texts:
                runs[-1] = (runs[-1][0], number + 1)
            else:
                runs.append((number, number + 1))
        return runs

    def may_be_in(self, text: str) -> bool:
        """False for a text that holds no term, as its letters tell without tokenizing it."""
        if not text.isascii():
            return True
        lower = text.lower()
        return any(hint in lower for hint in self._hints)

    def found_in(self, stems: Sequence[str]) -> set[int]:
        """Numbers of the terms in a short text, such as a heading."""
        if not self._prefixes and self._by_first_stem.keys().isdisjoint(stems):
            return set()
        tokens = [(at, at, stem) for at, stem in enumerate(stems)]
        return {occurrence.term for occurrence in self.occurrences(tokens)}


def idf(frequency: int, total: int) -> float:
    """Inverse document frequency of BM25, never below zero (Robertson and Zaragoza, 2009)."""
    frequency = min(frequency, total)
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _ranked_term(term: Term, reader: Reader, analyzer: Analyzer, total: int) -> RankedTerm:
    ways = [(analyzer.stems(text), 1.0) for text in term.alternatives]
    ways += [(analyzer.stems(text), _PART_SHARE) for text in term.parts]
    phrases = {tuple(stems): worth for stems, worth in reversed(ways) if stems}
    whole = [stems for stems, worth in phrases.items() if worth == 1.0]
    # A phrase is at most as frequent as its rarest word.
    frequency = sum(min(map(reader.document_frequency, stems)) for stems in whole)
    prefix = fold(term.alternatives[0]) if term.is_prefix else ""
    information = idf(frequency, total)
    return RankedTerm(term.text, tuple(phrases.items()), prefix, frequency, information)
