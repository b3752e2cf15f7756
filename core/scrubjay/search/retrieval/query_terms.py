"""The keywords of a query in one index: their stems, information and occurrences."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from scrubjay.search.query.query_parser import ParsedQuery, Term, without_possessive
from scrubjay.search.retrieval.spelling import is_cut_away
from scrubjay.store.protocol import IndexReader
from scrubjay.text.tokenizer import Analyzer, Token, composed, fold, further_words, text_with_parts
from scrubjay.text.word_lists import stop_word_counts, stop_words

_ENDING = re.compile(r"\w?(?:ing|ed)|(?:i?e)?s|i?e?d|e|y|")
"""What the forms of one English word end with, after the letters that they share."""
_WORD = re.compile(r"\w+", re.ASCII)
_LONG_NUMBER = re.compile(
    r"(?:[a-z]{2})?(?!(?:19|20)\d\d\Z)\d{4}|\d+_\d|[a-z]{2}\d\d[a-z]{1,4}\d{4}"
)
"""Beginning of a number that may be written in groups; a year is not."""
_SHORTEST_FORM = 3
"""Letters that forms of one word share."""

RawToken: TypeAlias = tuple[int, int, str]
"""(start, end, stem), offsets in bytes."""

_PREFIX_WORTH = 0.8
"""Worth of a word that only begins as the last one of the query, below that of the word itself."""

TRANSLATED_WORTH = 0.9
"""Worth of a word of another language, below that of the word itself; less costs questions in the
other language where notes of both are in one folder."""

_PART_SHARE = 0.4
"""Share of a compound's information that a word inside it has; no alternative is on record."""

# Closeness of a word, or of a title, to what was typed. Only the order counts; by hand.

NAMED = 3.0
"""Closeness of a note that is called what was typed."""
NAMED_BEGUN = 2.0
"""Closeness of a note with a name that begins with what was typed."""
TITLED = 1.5
"""Closeness of a name with the whole query in it."""
AS_TYPED = 1.0
"""Closeness of the word as it was typed."""
OTHER_WRITING = 0.95
"""Factor for the closeness of a word without the accents, or a number without the signs, that were
typed."""
_OTHER_WRITING_WORTH = 0.9
"""Worth of such a word beside that of the word as it was typed."""
_OTHER_STEMMED_WORTH = 0.4
"""Worth of another word with its stem, as *et* of *été*."""
TITLED_BEGUN = 0.9
"""Closeness of a name with the whole query in it, of which the last word is only begun."""
BEGUN = 0.8
"""Closeness of a word that continues where the typed one ends."""
OTHER_WORD = 0.6
"""Closeness of another form of the word, or of another word for it."""
TRANSLATED_TITLE = 0.55
"""Closeness of a title that begins with the query in another language."""
TRANSLATED = 0.5
"""Closeness of a word of another language."""
MENDED_TITLE = 0.47
"""Closeness of a title with the repaired spelling of the query."""
RESPELT = 0.45
"""Closeness of a repaired spelling that is surely meant."""
MENDED = 0.4
"""Closeness of any other repaired spelling."""
PART = 0.2
"""Closeness of a word inside a compound."""
ASKED_ABOUT = 0.1
"""Closeness of a note that lacks a keyword, and whose whole name is a good part of the query."""


class WordForm(NamedTuple):
    """One form of a keyword."""

    stems: tuple[str, ...]
    worth: float
    """Share of the keyword's information, 0 to 1."""
    closeness: float
    """Closeness to what was typed, 0 to 1."""
    words: tuple[str, ...]
    """Folded words, one for each stem."""
    rival: str = ""
    """Stop word with the same stem, as *at* of *ate*, which does not say the keyword."""


class RankedTerm(Struct, frozen=True):
    """One keyword."""

    text: str
    """Word or phrase as typed."""
    ways: tuple[WordForm, ...]
    """Ways to say it, the closest first."""
    prefix: str
    """Folded beginning of a word that is still being typed; empty for a finished one."""
    frequency: int
    """Chunks that hold it, at most."""
    idf: float
    folded: str
    """Text, folded."""


Occurrence: TypeAlias = tuple[int, int, float, float]
"""Occurrence of a term in a text: its start in bytes, the number of the term, its worth (0 to 1;
less than 1 for a part of a compound), and its closeness to the word that was typed, 0 to 1. A
search makes a thousand, so it is a plain tuple."""


class QueryTerms:
    """All keywords of a query, for one index."""

    def __init__(
        self,
        terms: Sequence[RankedTerm],
        asked: str = "",
        *,
        has_repairs: bool = False,
        has_unknown_name: bool = False,
    ) -> None:
        """Has_repairs: a typo was repaired, which the query's vector does not reflect.

        Has_unknown_name: the query has names, and the index none of them.
        """
        self.terms = tuple(terms)
        self.asked = asked
        """Whole question."""
        self.has_repairs = has_repairs
        self.has_unknown_name = has_unknown_name
        self.idf = tuple(term.idf for term in terms)
        """Information of each term."""
        # Ways to say terms, by where their texts are looked into.
        self._by_first_stem: dict[str, list[tuple[int, WordForm]]] = {}
        self.mended: dict[str, str] = {}
        """First stem of a repaired spelling -> the word that was typed."""
        for number, term in enumerate(terms):
            for way in term.ways:
                self._by_first_stem.setdefault(way.stems[0], []).append((number, way))
                if way.closeness in (RESPELT, MENDED):
                    self.mended[way.stems[0]] = term.text
        self._as_written = _as_written(terms)
        """Number of each term that may be written in other ways, as without accents -> its own."""
        self.other_names: list[tuple[float, str]] = []
        """Folded words that a query of one keyword may mean, in another language or repaired."""
        if len(terms) == 1:
            self.other_names = [
                (way.closeness, " ".join(way.words))
                for way in terms[0].ways
                if way.closeness <= TRANSLATED
            ]
        # Stop words that share their stem with a keyword.
        self._has_rivals = any(way.rival for term in terms for way in term.ways)
        self.rivals = tuple(way.rival for term in terms for way in term.ways[:1] if way.rival)
        """Stop words that the index finds beside keywords."""
        # Letters that a text with a term has: a look for them is faster than its tokens.
        self._prefixes = [(term.prefix, at) for at, term in enumerate(terms) if term.prefix]
        beginnings = [*self._by_first_stem, *(prefix for prefix, _ in self._prefixes)]
        self._hints = tuple({_hint(text) for text in beginnings if text.isascii()})
        self._has_phrases = any(
            len(way.stems) > 1 for ways in self._by_first_stem.values() for _, way in ways
        )

    @classmethod
    def of(cls, query: ParsedQuery, reader: IndexReader, analyzer: Analyzer) -> QueryTerms:
        """The keywords of a query with their frequencies in an index."""
        total = reader.chunk_count()
        terms = [_ranked_term(term, reader, analyzer, total=total) for term in query.keywords]
        is_known = {without_possessive(term.text): term.frequency or term.prefix for term in terms}
        # A prefix may become a name that the index has.
        names = [is_known[name] for name in query.names if name in is_known]
        return cls(
            terms,
            query.text,
            has_repairs=any(term.is_repaired for term in query.keywords),
            has_unknown_name=bool(names) and not any(names),
        )

    def selective_terms(self, most_postings: int) -> frozenset[int]:
        """Numbers of the terms to retrieve by, rarest first until they are in so many chunks.

        In a large index a common word costs most of the time and decides nothing: all terms
        rank the chunks that the rarer ones have found.
        """
        chosen: set[int] = set()
        postings = 0
        for number in sorted(range(len(self)), key=lambda at: self.terms[at].frequency):
            postings += self.terms[number].frequency
            if chosen and postings > most_postings:
                break
            chosen.add(number)
        return frozenset(chosen)

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def has_other_ways(self) -> bool:
        """Whether a term may be written in other ways, as without its accents."""
        return bool(self._as_written)

    @property
    def total(self) -> float:
        """Information of the whole query, with that of words that no note holds."""
        return max(sum(self.idf), 1e-9)

    def marked(self, text: str, analyzer: Analyzer) -> list[tuple[Token, float]]:
        """The words of a text that are keywords in their forms, with their information.

        A stem alone says too little: *presenter* is not a form of *presentation*.
        """
        weights: dict[Token, float] = {}
        tokens = self._possible(text, analyzer)
        for at, token in enumerate(tokens):
            # Whole keywords that begin here, which may be phrases.
            for number, way in self._by_first_stem.get(token.stem, ()):
                term = self.terms[number]
                run = tokens[at : at + len(way.stems)]
                if _is_said(text, run, way) and not (term.prefix and way.worth <= _PART_SHARE):
                    whole = Token(token.start, run[-1].end, token.stem)
                    weights[whole] = max(term.idf * way.worth, weights.get(whole, 0.0))
            # The keyword that is still being typed.
            for prefix, number in self._prefixes:
                if _word_of(token, text).startswith(prefix):
                    weights.setdefault(token, self.terms[number].idf)
        return list(weights.items())

    def _possible(self, text: str, analyzer: Analyzer) -> list[Token]:
        """The words of a text that may be terms; all where its letters do not tell."""
        is_plain = text.isascii() and not further_words(text, text)
        if self._has_phrases or "" in self._hints or not is_plain:
            return analyzer.tokens_and_parts(text)
        # Start and end of each word that begins as a term does.
        lower = text.lower()
        ends: dict[int, int] = {}
        for hint in self._hints:
            at = lower.find(hint)
            while at >= 0:
                word = _WORD.match(lower, at)
                is_inside = _WORD.match(lower[at - 1 : at])
                if word and not is_inside:
                    ends[at] = word.end()
                at = lower.find(hint, at + 1)
        words = sorted(ends.items())
        stems = analyzer.stems(" ".join(lower[start:end] for start, end in words))
        return [Token(*span, stem) for span, stem in zip(words, stems, strict=True)]

    def occurrences(self, tokens: Sequence[RawToken], text: bytes = b"") -> list[Occurrence]:
        """The terms among the tokens of a text, where they occur."""
        found: list[Occurrence] = []
        by_first_stem = self._by_first_stem
        # Thousands of tokens, few of them terms: a search spends most of its time on this line.
        positions = [at for at, (_, _, stem) in enumerate(tokens) if stem in by_first_stem]
        for at in positions:
            start, end, first = tokens[at]
            # A way of several stems needs all of them; a stop word with the same stem is none.
            for term, (stems, worth, closeness, _, rival) in by_first_stem[first]:
                if rival and fold(text[start:end].decode("utf-8", "replace")) == rival:
                    continue
                if len(stems) == 1 or stems == tuple(
                    following for _, _, following in tokens[at : at + len(stems)]
                ):
                    found.append((start, term, worth, closeness))
        for prefix, term in self._prefixes:
            for start, _, stem in tokens:
                if stem.startswith(prefix):
                    found.append((start, term, _PREFIX_WORTH, BEGUN))
        return found

    def weigh_writing(self, found: Occurrence, text: str) -> Occurrence:
        """An occurrence in a text: worth less where it is not written as it was typed."""
        start, term, worth, closeness = found
        typed = self._as_written.get(term)
        if typed is None or typed in composed(text):
            return found
        # A stemmer takes short words with accents for other ones.
        share = _OTHER_WRITING_WORTH
        folded = self.terms[term].folded
        if folded.isalpha() and folded not in fold(text):
            share = _OTHER_STEMMED_WORTH
        return start, term, worth * share, closeness * OTHER_WRITING

    def runs_of_lines(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Half-open ranges of lines that may hold terms, each in one text; most lines do not."""
        # Number of the line after each text.
        borders = list(itertools.accumulate(text.count("\n") + 1 for text in texts))
        chosen: set[int] = set()
        readable = list(texts)
        first = 0
        for number, text in enumerate(texts):
            if not text.isascii():
                # Folding changes letters, so no line can be ruled out.
                chosen |= set(range(first, borders[number]))
                readable[number] = "\n" * (borders[number] - first - 1)
            first = borders[number]
        joined = "\n".join(readable).lower()
        lines = joined.split("\n")
        ends = list(itertools.accumulate(len(line) + 1 for line in lines))
        # One hint tells enough of a line; the search for it continues in the next one.
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

    def may_contain_terms(self, text: str) -> bool:
        """False for a text that holds no term, as its letters tell without tokenizing it."""
        if not text.isascii():
            return True
        lower = text.lower()
        return any(hint in lower for hint in self._hints)

    def find_terms(self, text: str, analyzer: Analyzer) -> dict[int, float]:
        """Numbers of the terms in a short text, such as a heading, with their closeness."""
        stems: Sequence[str] = ()
        if self.may_contain_terms(text):
            stems = analyzer.label_stems(text)
        if not self._prefixes and self._by_first_stem.keys().isdisjoint(stems):
            return {}
        # Stop words are told from the keywords that share their stems by their letters.
        data = b""
        tokens: Sequence[RawToken] = [(at, at, stem) for at, stem in enumerate(stems)]
        if self._has_rivals:
            data = text_with_parts(text).encode("utf-8", "replace")
        if data:
            tokens = analyzer.raw_tokens(data)
        found = self.occurrences(tokens, data)
        if self.has_other_ways:
            found = [self.weigh_writing(each, text) for each in found]
        return best_closeness((term, closeness) for _, term, _, closeness in found)


def _as_written(terms: Sequence[RankedTerm]) -> dict[int, str]:
    """Number of each term with accents or of many digits -> the term as it was typed."""
    return {
        number: composed(term.text)
        for number, term in enumerate(terms)
        if composed(term.text) != term.folded or _LONG_NUMBER.match(term.folded)
    }


def _hint(stem: str) -> str:
    """Letters that a text with a stem has, in lower case."""
    # Numbers may have signs between their digits, and names with a sign have a word for it.
    if _LONG_NUMBER.match(stem):
        return stem[:1]
    if "_" in stem[1:]:
        return stem[: stem.index("_", 1)]
    # Porter's rules change at most the last letter of the stem that they leave.
    return stem[:-1]


def _runs(lines: Sequence[int], borders: Collection[int]) -> list[tuple[int, int]]:
    """Half-open ranges of numbers that follow one another, none over a border."""
    runs: list[tuple[int, int]] = []
    for number in lines:
        if runs and runs[-1][1] == number and number not in borders:
            runs[-1] = (runs[-1][0], number + 1)
        else:
            runs.append((number, number + 1))
    return runs


def best_closeness(closenesses: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Number of each term -> its greatest closeness."""
    most: dict[int, float] = {}
    for term, closeness in closenesses:
        most[term] = max(closeness, most.get(term, 0.0))
    return most


def inverse_document_frequency(frequency: int, total: int) -> float:
    """Inverse document frequency of BM25, never below zero (Robertson and Zaragoza, 2009)."""
    frequency = min(frequency, total)
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _word_of(token: Token, text: str) -> str:
    return token.word or fold(text[token.start : token.end])


def _is_said(text: str, run: Sequence[Token], way: WordForm) -> bool:
    """Whether tokens are a way to say a keyword, in other forms of its words at most."""
    if not way.closeness or tuple(token.stem for token in run) != way.stems:
        return False
    words = [_word_of(token, text) for token in run]
    is_form = way.closeness in (RESPELT, MENDED) or all(map(_is_form, words, way.words))
    return is_form and words != [way.rival]


@functools.lru_cache(1_000)
def _is_form(word: str, other: str) -> bool:
    """Whether two folded words differ in their endings only, as *bake* and *baking*."""
    same = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], zip(word, other))))  # noqa: B905
    both = _ENDING.fullmatch(word[same:]) and _ENDING.fullmatch(other[same:])
    return word == other or (same >= _SHORTEST_FORM and bool(both))


def _way(text: str, worth: float, closeness: float, analyzer: Analyzer) -> WordForm:
    tokens = analyzer.tokens(text)
    if len(tokens) > 1 and tokens[-1].end == tokens[-2].end:
        tokens.pop()  # the lone last character of a CJK run, which most texts go on from
    words = tuple(fold(text[token.start : token.end]) for token in tokens)
    stems = tuple(token.stem for token in tokens)
    if len(stems) == 1 and stems != words and stop_word_counts(frozenset(stems))["en"]:
        return WordForm(stems, worth, closeness=closeness, words=words, rival=stems[0])
    # Another word that is a stop word, as *can* in *can't*, says nothing.
    if closeness < AS_TYPED and len(stop_words(stems)) == len(stems):
        closeness = 0.0
    return WordForm(stems, worth, closeness=closeness, words=words)


def _ranked_term(term: Term, reader: IndexReader, analyzer: Analyzer, total: int) -> RankedTerm:
    other = OTHER_WORD
    if term.is_respelt:
        other = RESPELT
    elif term.is_repaired:
        other = MENDED
    # Each way with its worth and its closeness, the closest first.
    texts = [(term.alternatives[0], 1.0, AS_TYPED)]
    for text in term.alternatives[1:]:
        if text in term.equal:
            texts.append((text, 1.0, AS_TYPED))
        elif text in term.translations:
            texts.append((text, TRANSLATED_WORTH, TRANSLATED))
        else:
            texts.append((text, 1.0, other))
    texts += [(text, _PART_SHARE, PART) for text in term.parts]
    texts += [(text, _PART_SHARE, BEGUN) for text in term.continued]
    ways = [
        _way(text, worth, closeness=closeness, analyzer=analyzer)
        for text, worth, closeness in texts
    ]
    if is_cut_away(term.folded, ways[0].stems):
        ways = ways[1:]
    # Of ways with the same stems the first one stays.
    distinct = {way.stems: way for way in reversed(ways) if way.stems}
    whole = [stems for stems, way in distinct.items() if way.worth > _PART_SHARE]
    # A phrase is at most as frequent as its rarest word.
    frequency = sum(min(map(reader.document_frequency, stems)) for stems in whole)
    return RankedTerm(
        text=term.text,
        ways=tuple(distinct.values()),
        prefix=term.folded if term.is_prefix else "",
        frequency=frequency,
        idf=inverse_document_frequency(frequency, total),
        folded=term.folded_text,
    )
