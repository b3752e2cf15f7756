"""A second look: a language model reads the first hits of an answer again.

It tells how much likelier each hit makes the question. The hits are weighed against each other and
against no answer with that, and with their scores as they were found. Hits that are not read keep
their scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.search_records import Hit, SearchAnswer
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import logistic
from scrubjay.search.ranking.decay_and_selection import MOST_UNCERTAIN

READING = "reading"
"""Name of the part of a score that reading again made."""


class Reader(Protocol):
    """A language model that reads passages."""

    @property
    def content(self) -> str:
        """Digest that tells its weights from others."""

    def ratios(
        self, question: str, passages: Sequence[tuple[str, int]], cancel: CancelToken
    ) -> list[float]:
        """Log P(question | passage) - log P(question) of each passage, in nats."""


def look_again(
    answer: SearchAnswer, reader: Reader, min_score: Callable[[Hit], float], cancel: CancelToken
) -> SearchAnswer:
    """The answer with new scores of its first hits, best first.

    Min_score is the score from which on a hit is sure. Raises Cancelled or ProviderUnavailable.
    """
    listed = (*answer.hits, *answer.uncertain)
    first = listed[: weights.READ_HITS]
    # Only probabilities can be weighed against each other.
    if not first or not all(hit.explanation.is_log_odds for hit in first):
        return answer
    ratios = reader.ratios(answer.request.text, [passage_text(hit) for hit in first], cancel)
    numbers = weights.READERS.get(reader.content, weights.OTHER_READER)
    read = weigh_again(first, ratios, numbers)
    ranked = sorted((*read, *listed[len(first) :]), key=lambda hit: -hit.score)
    # A hit stays sure for another reason than its score, as with every word of the question.
    before = {_place(hit): hit.score for hit in answer.hits}
    sure: list[Hit] = []
    uncertain: list[Hit] = []
    for hit in ranked:
        least = min_score(hit)
        if hit.score >= least or before.get(_place(hit), least) < least:
            sure.append(hit)
        else:
            uncertain.append(hit)
    return replace(answer, hits=tuple(sure), uncertain=tuple(uncertain[:MOST_UNCERTAIN]))


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
