"""Passages with their scores, and their closeness to the words of the query."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.search.ranking import weights
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import (
    AS_TYPED,
    ASKED_ABOUT,
    BEGUN,
    MENDED,
    MENDED_TITLE,
    NAMED,
    NAMED_BEGUN,
    RESPELT,
    TITLED,
    TITLED_BEGUN,
    TRANSLATED,
    TRANSLATED_TITLE,
    TRANSLATED_WORTH,
    QueryTerms,
    best_closeness,
)
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import MONTHS

_DAY = re.compile(r"\d{1,2}(?!\d)")


class RankedPassage(Struct, frozen=True):
    """Lines of a passage, with their score and its parts."""

    passage: Passage
    first: int
    """First line of the passage, 0-based."""
    last: int
    """Last line of the passage, included."""
    best: int
    """Line to look at."""
    candidate: Candidate
    """Chunk of the best line."""
    score: float
    """Score before decay, 0 to 1."""
    parts: Mapping[str, float]
    """Named summands of the score, or of its log-odds."""
    terms: QueryTerms
    fields: Mapping[str, Mapping[int, float]]
    """Field -> numbers of the terms in it, with their closeness."""
    is_log_odds: bool = False
    """Whether the score is a probability, whose log-odds the parts add up to."""
    decay: float = 1.0
    """Factor for the age of the document."""
    diversity_penalty: float = 0.0
    """Relevance that likeness to better hits has cost."""
    closeness: float = 0.0
    """Closeness to the words of the query, where a note has one hit; 0 if a keyword is
    missing."""
    is_perhaps: bool = False
    """Whether it is not sure while others are; only where a note has one hit."""
    others: tuple[RankedPassage, ...] = ()
    """Further passages of the note, where a note has one hit."""

    @property
    def note(self) -> tuple[str, str]:
        """Workspace and path of its note."""
        return self.passage.workspace, self.candidate.chunk.path

    @property
    def final_score(self) -> float:
        """0 to 1, after decay."""
        return self.score * self.decay

    def closeness_to(self, text: str) -> float:
        """Closeness to the text of the query, as `name_key` writes it: of the least close keyword.

        A note that is called so is closest, as people expect while they type a name, then one with
        a name that begins so, then one with a name that has it inside. A day or a file that the
        query names is as close as all of its words, a month is one of them.
        """
        # A question of operators alone is said by all that they admit.
        if not text:
            return NAMED_BEGUN
        of_names = [_closeness_of_name(name, text) for name in self.candidate.chunk.names]
        if any(of_names):
            return max(of_names)
        # The day or the file that the query names.
        days = (term for term in self.terms.terms if _DAY.match(term.text))
        is_of_day = self.parts.get("date") and ("date" not in self.fields or any(days))
        if is_of_day or self.parts.get("path"):
            return AS_TYPED
        # The title in another language, or with a repaired spelling; otherwise the words.
        closeness = self.least_closeness
        title = fold(self.candidate.chunk.title)
        names = [name for means, name in self.terms.other_names if means == closeness]
        if closeness == TRANSLATED and any(map(title.startswith, names)):
            return TRANSLATED_TITLE
        is_mended = closeness in (RESPELT, MENDED)
        if is_mended and any(f" {name}" in f" {title}" for name in names):
            return MENDED_TITLE
        if not closeness and self._is_asked_about(text):
            return ASKED_ABOUT
        return closeness

    def _is_asked_about(self, text: str) -> bool:
        """Whether the text has a whole name of the note in it, and little else that says much.

        Of "who mends the boiler" the note *Boiler* is the subject.
        """
        # The keywords inside the name count, its other words say nothing.
        for name in self.candidate.chunk.names:
            if f" {name} " in f" {text} ":
                words = {*name.split()}
                own = [at for at, term in enumerate(self.terms.terms) if term.folded in words]
                said = sum(self.terms.idf[at] for at in own)
                if said >= weights.SUBJECT_SHARE * self.terms.total:
                    return True
        return False

    @property
    def least_closeness(self) -> float:
        """Closeness of the least close keyword; 0 if one is missing."""
        most = best_closeness(chain.from_iterable(words.items() for words in self.fields.values()))
        return min((most.get(term, 0.0) for term in range(len(self.terms))), default=0.0)

    @property
    def has_keyword(self) -> bool:
        """Whether a keyword stands there as it was typed or begun."""
        return self._most() >= BEGUN

    @property
    def has_any_word(self) -> bool:
        """Whether a keyword stands there in any way; a date alone does not count."""
        return self._most() > 0

    @property
    def is_only_translated(self) -> bool:
        """Whether keywords stand there in another language, and none as it was typed or begun."""
        return self._most() == TRANSLATED

    @property
    def information(self) -> float:
        """Information of the keywords that stand there, less of translated ones; without dates."""
        most = self._keywords()
        worths = {term: 1.0 for term, closeness in most.items() if closeness > TRANSLATED}
        worths |= {term: TRANSLATED_WORTH for term in most if most[term] == TRANSLATED}
        return sum(self.terms.idf[term] * worth for term, worth in worths.items())

    def of_its_month(self, today: dt.date) -> RankedPassage:
        """The passage, in which the query's month counts as said if it is that of the note.

        A month of another year than the one next to today is less close.
        """
        date = self.candidate.chunk.date
        if date is None:
            return self
        words = [term.folded for term in self.terms.terms]
        names = MONTHS[date.month - 1]
        if not {*names} & {*words}:
            return self
        close = (AS_TYPED + BEGUN) / 2
        is_near = date.year == today.year - (date.month > today.month)
        if is_near or str(date.year) in words:
            close = AS_TYPED
        said = (*names, str(date.year))
        of_date = {number: close for number, word in enumerate(words) if word in said}
        return replace(self, fields={**self.fields, "date": of_date})

    def _most(self) -> float:
        """The greatest closeness of a word; a date alone does not count."""
        return max(self._keywords().values(), default=0.0)

    def _keywords(self) -> dict[int, float]:
        """Number of each keyword that stands there -> its closeness; without those of a date."""
        fields = (words.items() for name, words in self.fields.items() if name != "date")
        return best_closeness(chain.from_iterable(fields))


def _closeness_of_name(name: str, text: str) -> float:
    """Closeness of a name that has a text in it, both as `name_key` writes them; otherwise 0."""
    if text not in name:
        return 0.0
    if name == text:
        return NAMED
    if name.startswith(text):
        return NAMED_BEGUN
    inside = re.search(rf"\b{re.escape(text)}(\w?)", name)
    if inside is None:
        return 0.0
    return TITLED_BEGUN if inside[1] else TITLED


def logistic(log_odds: float) -> float:
    """Logistic function, safe for any size."""
    if log_odds < 0:
        odds = math.exp(max(log_odds, -700.0))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-log_odds))
