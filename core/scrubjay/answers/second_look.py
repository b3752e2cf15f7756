"""A second look: a language model reads the first hits of an answer again.

It tells how much likelier each hit makes the question. The hits are weighed against each other and
against no answer with that, and with their scores as they were found. Hits that are not read keep
their scores and their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.search_modes import Order
from scrubjay.records.search_records import READING, Hit, SearchAnswer
from scrubjay.search.query.query_parser import parse_query
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import logistic
from scrubjay.search.ranking.decay_and_selection import MOST_UNCERTAIN


class Reader(Protocol):
    """A language model that reads passages."""

    @property
    def content(self) -> str:
        """Digest that tells its weights from others."""

    def ratios(
        self, question: str, passages: Sequence[tuple[str, int]], cancel: CancelToken
    ) -> list[float]:
        """How much likelier each passage makes the question, in nats."""


def look_again(
    answer: SearchAnswer, reader: Reader, min_score: Callable[[Hit], float], cancel: CancelToken
) -> SearchAnswer:
    """The answer with new scores of its first hits, best first.

    Min_score is the score from which on a hit is sure. Raises Cancelled or ProviderUnavailable.
    """
    question = question_of(answer)
    listed = (*answer.hits, *answer.uncertain)
    first = listed[: weights.READ_HITS]
    # Only probabilities can be weighed against each other.
    if not question or not first or not all(hit.explanation.is_log_odds for hit in first):
        return answer
    ratios = reader.ratios(question, [passage_text(hit) for hit in first], cancel)
    numbers = weights.READERS.get(reader.content, weights.OTHER_READER)
    read = weigh_again(first, ratios, numbers)
    # A hit that was not read stays what it was.
    was_sure = {_place(hit): hit.score for hit in answer.hits if not hit.is_perhaps}
    sure: list[Hit] = []
    others: list[Hit] = []
    # Under the eyes of a person, only what is clearly better moves.
    margin = 0.0
    if answer.request.audience.lists_perhaps:
        margin = weights.CLEARLY_BETTER
    for hit in reordered(read, margin):
        if _is_sure(hit, min_score(hit), was_sure.get(_place(hit))):
            sure.append(hit)
        else:
            others.append(hit)
    # Hits below the first ones keep their places.
    for hit in listed[len(first) :]:
        if _place(hit) in was_sure:
            sure.append(hit)
        else:
            others.append(hit)
    return _with_hits(answer, sure, others)


def question_of(answer: SearchAnswer) -> str:
    """The question of an answer without operators; empty if it asks for words or for days."""
    request = answer.request
    if answer.days or answer.reading.excluded or request.order is not Order.RELEVANCE:
        return ""
    if request.is_prose:
        return request.text.strip()
    # Several questions in one have no likelihood of their own.
    query = parse_query(request.text)
    if query.alternatives:
        return ""
    return query.text.strip()


def reordered(hits: Sequence[Hit], margin: float) -> list[Hit]:
    """Hits that were read, in their order before, except that those better by a margin rise."""
    ranked: list[Hit] = []
    for hit in hits:
        place = len(ranked)
        while place and _goes_before(hit, ranked[place - 1], margin):
            place -= 1
        ranked.insert(place, hit)
    return ranked


def _goes_before(hit: Hit, other: Hit, margin: float) -> bool:
    """Whether a hit may rise above one that stood before it."""
    # Every word of the question tells more than what a model believes of a note without them.
    if other.explanation.is_full_match and not hit.explanation.is_full_match:
        return False
    return hit.score > other.score + margin


def _is_sure(hit: Hit, least: float, score_before: float | None) -> bool:
    """Whether a hit that was read is sure; the score before is None if it was not."""
    if score_before is None:
        return hit.score >= least and hit.explanation.parts[READING] > 0
    # It stays sure for another reason than its score, and with every word of the question.
    return hit.score >= least or score_before < least or hit.explanation.is_full_match


def _with_hits(answer: SearchAnswer, sure: Sequence[Hit], others: Sequence[Hit]) -> SearchAnswer:
    """The answer with these hits, the sure ones first, listed as its audience wants them."""
    sure = tuple(replace(hit, is_perhaps=False) for hit in sure)
    if sure and answer.request.audience.lists_perhaps:
        perhaps = (replace(hit, is_perhaps=True) for hit in others)
        return replace(answer, hits=(*sure, *perhaps), uncertain=())
    # No more uncertain hits than before, or than are usual.
    uncertain = tuple(replace(hit, is_perhaps=False) for hit in others)
    most = max(MOST_UNCERTAIN, len(answer.uncertain))
    return replace(answer, hits=sure, uncertain=uncertain[:most])


def passage_text(hit: Hit) -> tuple[str, int]:
    """What a model reads of a hit, and where in it the best line begins."""
    label = hit.heading
    if not label.startswith(hit.title):
        label = f"{hit.title} > {label}".removesuffix(" > ")
    day = str(hit.date or "")
    if day not in label:
        label = f"{day}, {label}"
    return f"{label}\n{hit.snippet.text}", len(label) + 1 + hit.snippet.best


def weigh_again(
    hits: Sequence[Hit], ratios: Sequence[float], numbers: weights.ReaderNumbers
) -> list[Hit]:
    """The hits, in the same order, with the probabilities that they have after reading."""
    before = [found_log_odds(hit) for hit in hits]
    pairs = zip(before, ratios, strict=True)
    own = [weights.FOUND_SHARE * odds + numbers.weight * ratio for odds, ratio in pairs]
    no_answer = numbers.doubt * max(ratios)
    read: list[Hit] = []
    # Each against all others and against no answer.
    for rank, hit in enumerate(hits):
        against = [no_answer, *own[:rank], *own[rank + 1 :]]
        log_odds = own[rank] - float(np.logaddexp.reduce(against))
        parts = {**hit.explanation.parts, READING: log_odds - before[rank]}
        why = replace(hit.explanation, parts=parts)
        score = logistic(log_odds) * hit.explanation.decay
        read.append(replace(hit, score=score, explanation=why))
    return read


def found_log_odds(hit: Hit) -> float:
    """Log-odds of a hit as it was found, before decay."""
    odds = math.fsum(hit.explanation.parts.values())
    return min(weights.MOST_LOG_ODDS, max(-weights.MOST_LOG_ODDS, odds))


def _place(hit: Hit) -> tuple[str, str, int]:
    return hit.workspace, hit.path, hit.first_line
