"""Words of a question as a recogniser of text on pictures may have misread them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.search.query.query_parser import ParsedQuery, Term
from scrubjay.search.retrieval.spelling import (
    common_stems,
    counts_of_repairs,
    is_sure_repair,
    may_be_typo,
    words_of,
)
from scrubjay.store.index_records import Filters
from scrubjay.store.protocol import IndexReader
from scrubjay.text.file_kinds import CONVERSATION, NOTE
from scrubjay.text.tokenizer import Analyzer
from scrubjay.text.word_lists import english_of_spanish, spanish_of_english

_CONFUSED = (
    ("rn", "m"), ("cl", "d"), ("vv", "w"), ("l", "i"), ("l", "1"), ("i", "1"), ("o", "0"),
)  # fmt: skip
"""Letters that look alike in many fonts; each is read for the other."""
_SHORTEST = 3
"""Letters of a word that is looked for with confused letters."""
_MOST_READINGS = 3
"""Words of the index that one word of a question may have been misread as."""
_MOST_WORDS = 3
"""Words of a question for which unlike letters are tried, since each costs hundreds of look-ups."""
_TYPED = Filters(kinds=(NOTE, CONVERSATION))
"""What people and agents have typed."""


class MisreadWords:
    """Search of one index with pictures for misread words. For one question."""

    def __init__(self, reader: IndexReader, analyzer: Analyzer, cancel: CancelToken) -> None:
        self._reader = reader
        self._analyzer = analyzer
        self._cancel = cancel
        self._tried = 0

    def added_to(self, query: ParsedQuery) -> ParsedQuery:
        """The query with what its words were misread as. Raises Cancelled.

        A reading that has been typed somewhere is a word in its own right. Readings with confused
        letters are looked for beside the word, others only where nothing has the word.
        """
        is_alone = len(query.keywords) <= 1
        terms = (self._with_readings(term, is_alone=is_alone) for term in query.terms)
        return replace(query, terms=tuple(terms))

    def _with_readings(self, term: Term, *, is_alone: bool) -> Term:
        word = term.folded
        if term.is_stop_word or term.is_phrase or not word.isalnum() or len(word) < _SHORTEST:
            return term
        confused = self._on_pictures(self._held(_confusions(word)))
        if confused:
            return replace(term, alternatives=(*term.alternatives, *confused))
        # A repaired spelling has been looked for among all words of the index.
        is_found = term.is_repaired or self._is_held(term)
        if is_found or not may_be_typo(term, self._reader) or self._tried == _MOST_WORDS:
            return term
        self._tried += 1
        counts = counts_of_repairs(word, self._reader, self._analyzer, is_begun=False)
        readings = self._on_pictures(sorted(counts, key=lambda stem: (-counts[stem], stem)))
        return replace(
            term,
            alternatives=(*term.alternatives, *readings),
            is_repaired=bool(readings),
            is_respelt=bool(readings) and is_sure_repair(term, is_alone=is_alone),
        )

    def _is_held(self, term: Term) -> bool:
        """Whether the index has a word, or one that says the same."""
        if term.parts or term.continued:
            return True
        stem_lists = map(self._analyzer.stems, term.alternatives)
        return any(
            stems and all(map(self._reader.document_frequency, stems)) for stems in stem_lists
        )

    def _held(self, words: Iterable[str]) -> Iterator[str]:
        """The stems of words that the index holds."""
        stems = self._analyzer.stems(" ".join(words))
        yield from self._reader.stem_counts(stems)

    def _on_pictures(self, stems: Iterable[str]) -> Sequence[str]:
        """A word for each of the first stems that no dictionary has and nobody has typed."""
        unknown = [stem for stem in stems if not _is_known(stem)]
        readings = words_of(unknown, self._analyzer)[:_MOST_READINGS]
        return [
            word
            for word in readings
            if not self._reader.lexical(f'"{word}"', 1, _TYPED, self._cancel)
        ]


def _confusions(word: str) -> Iterator[str]:
    """The word with letters that look like its own: in one place, or wherever they stand."""
    for pair in _CONFUSED:
        for letters, other in (pair, pair[::-1]):
            at = word.find(letters)
            while at >= 0:
                yield word[:at] + other + word[at + len(letters) :]
                at = word.find(letters, at + 1)
            if word.count(letters) > 1:
                yield word.replace(letters, other)


def _is_known(stem: str) -> bool:
    """Whether a stem is that of an English or a Spanish word."""
    return stem in common_stems() or bool(spanish_of_english(stem) or english_of_spanish(stem))
