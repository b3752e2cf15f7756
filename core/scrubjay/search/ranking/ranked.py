"""Ranked passages, and the steps after fusion: decay, diversity and the choice of hits."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from scrubjay.records.search_records import Source
from scrubjay.search.retrieval.candidates import SESSIONS_SHARE, Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.text.tokenizer import fold

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """Lines of a passage, with their score and its parts."""

    passage: Passage
    first: int
    """0-based line of the passage."""
    last: int
    """Inclusive."""
    best: int
    """The line to look at."""
    candidate: Candidate
    """The chunk of the best line."""
    score: float
    """0 to 1, before decay."""
    parts: Mapping[str, float]
    terms: QueryTerms
    fields: Mapping[str, frozenset[int]]
    """Field -> numbers of the terms in it."""
    is_log_odds: bool = False
    workspace: str = ""
    """Id of the workspace."""
    decay: float = 1.0
    diversity_penalty: float = 0.0
    more_passages: int = 0
    """Passages of the same note below it, where a note has one hit."""

    @property
    def final_score(self) -> float:
        """0 to 1, after decay."""
        return self.score * self.decay


def probability(log_odds: float) -> float:
    """Logistic function, safe for any size."""
    if log_odds < 0:
        odds = math.exp(max(log_odds, -700.0))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-log_odds))


def append_below(
    deeper: Sequence[RankedPassage], ranked: Sequence[RankedPassage]
) -> list[RankedPassage]:
    """Hits from deeper in the lists, scored below all before, so that the first rows stay."""
    ceiling = min((hit.score for hit in ranked), default=1.0)
    bounded = min(max(ceiling, 1e-300), 1 - 1e-15)
    lowered: list[RankedPassage] = []
    for hit in deeper:
        if hit.score > ceiling:
            target = math.log(bounded / (1 - bounded)) if hit.is_log_odds else ceiling
            drop = target - sum(hit.parts.values())
            hit = replace(hit, score=ceiling, parts={**hit.parts, "deeper": drop})
        lowered.append(hit)
    return lowered


def decayed(hit: RankedPassage, today: dt.date, half_life_days: float) -> RankedPassage:
    """The hit with the factor for the age of its document."""
    chunk = hit.candidate.chunk
    modified = dt.date.fromtimestamp(chunk.mtime_ns / 1e9)
    factor = decay_factor(chunk.source, chunk.date, modified, today, half_life_days)
    return replace(hit, decay=factor)


def decay_factor(
    source: Source, date: dt.date | None, modified: dt.date, today: dt.date, half_life_days: float
) -> float:
    """exp(-ln 2 / half-life x age). Notes without a date are evergreen; the future has age 0.

    Sessions and extra files have no other date than their last change.
    """
    if date is None and source in (Source.MEMORY, Source.NOTES):
        return 1.0
    age = max(0, (today - (date or modified)).days)
    return math.exp(-math.log(2) / half_life_days * age)


def best_of_each_note(ranked: Sequence[RankedPassage], text: str) -> list[RankedPassage]:
    """The first passage of each note, with the number of the others.

    Notes whose title begins with the text of the query come before all others, as people expect
    while they type a name.
    """
    notes: dict[tuple[str, str], list[RankedPassage]] = {}
    for passage in ranked:
        notes.setdefault((passage.workspace, passage.candidate.chunk.path), []).append(passage)
    beginning = fold(text.strip())
    return sorted(
        (replace(best, more_passages=len(others)) for best, *others in notes.values()),
        key=lambda passage: not fold(passage.candidate.chunk.title).startswith(beginning),
    )


def diversify(
    items: Sequence[T], relevance: Sequence[float], tokens: Sequence[frozenset[str]], lambda_: float
) -> list[tuple[T, float]]:
    """Items by maximal marginal relevance (Carbonell and Goldstein, 1998), with its penalty.

    lambda x relevance - (1 - lambda) x the greatest Jaccard similarity to the items already
    chosen; relevance is min-max normalised first.
    """
    low, high = min(relevance, default=0.0), max(relevance, default=0.0)
    scale = high - low
    share = [(value - low) / scale if scale > 0 else 1.0 for value in relevance]
    similarity = [0.0] * len(items)
    waiting = list(range(len(items)))
    chosen: list[tuple[T, float]] = []
    while waiting:
        # The share decides between equal ones, as when lambda is too small to tell them apart.
        best = max(
            waiting,
            key=lambda at: (lambda_ * share[at] - (1 - lambda_) * similarity[at], share[at]),
        )
        waiting.remove(best)
        chosen.append((items[best], (1 - lambda_) * similarity[best]))
        for at in waiting:
            similarity[at] = max(similarity[at], jaccard(tokens[at], tokens[best]))
    return chosen


def jaccard(words: frozenset[str], others: frozenset[str]) -> float:
    """Shared words by all words; 1 for two texts without any."""
    union = len(words | others)
    return len(words & others) / union if union else 1.0


def select(
    ranked: Sequence[RankedPassage], *, min_score: float, max_results: int
) -> list[RankedPassage]:
    """Strict hits first; spare places are filled by hits that the words found.

    A hit that only the vectors found is not let in below min_score, and without any strict hit
    the answer is empty. Age never makes a strict hit a weak one: the undecayed score decides.
    Transcripts beyond their share only fill spare places.
    """
    strict = [hit for hit in ranked if hit.score >= min_score]
    if not strict:
        return []
    weak = [hit for hit in ranked if hit.score < min_score and hit.candidate.bm25 is not None]
    hits = [*strict, *weak]
    sessions = [number for number, hit in enumerate(hits) if hit.passage.is_session]
    surplus = sessions[max(1, max_results // SESSIONS_SHARE) :]
    chosen = sorted(set(range(len(hits))).difference(surplus))[:max_results]
    chosen += surplus[: max_results - len(chosen)]
    return [hits[number] for number in sorted(chosen)]
