"""How sure an answer is as a whole, so that a question without an answer gets none."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.ranking.windows import PassageWindow
from scrubjay.search.retrieval.term_weights import QueryTerms

_COVERAGE, _MEANING, _MARGIN, _STANDOUT = 4.0, 9.0, 6.0, 8.0
"""Logistic regression over answerable and unanswerable questions (docs/quality.md)."""

_UNKNOWN_NAME = 2.0
"""Taken off when the query names only what nobody wrote of, less where other words are covered.
Other words are paraphrased, names seldom: one in six questions without an answer names nothing
else, and one in three hundred of the others."""

_EVEN = 5.85
"""Sum of the four that puts the default minScore of 0.35 where six in seven paraphrases and three
in ten questions that nobody answered get an answer.

Pure paraphrases look like such questions to a small model: a stricter point loses more of them
than it refuses of the others.
"""

_SAID = 0.0
"""At least even odds when one chunk says every word of the query: who asks for a word of their own
notes must not be told that it is not there, however little the model makes of it."""

_WORDS_STEEPNESS, _WORDS_EVEN = 6.0, 0.4
"""By words alone: even odds when the best chunk covers 40 % of the query's information."""

FADE = 0.5
"""How fast confidence falls from the first hit to the next ones, by their log-odds."""

LOOKED_AT = 5
"""Hits whose meaning tells how sure the answer is."""


def confidence(
    found: Sequence[PassageWindow], judged: LineFeatures, terms: QueryTerms, *, has_meaning: bool
) -> float:
    """Log-odds that the first windows answer the query."""
    if not has_meaning:
        return _WORDS_STEEPNESS * (judged.coverage - _WORDS_EVEN)
    meaning = max(window.line_meaning for window in found[:LOOKED_AT])
    nearest = _MEANING * meaning + _MARGIN * judged.margin + _STANDOUT * judged.standout
    unknown = _UNKNOWN_NAME * terms.has_unknown_name * (1 - judged.coverage)
    sureness = _COVERAGE * judged.coverage + nearest - unknown - _EVEN
    return max(sureness, _SAID) if judged.says_all else sureness


def calibrated(window: PassageWindow, first: PassageWindow, sureness: float) -> dict[str, float]:
    """Parts whose sum is the log-odds of the window's score."""
    parts = {name: FADE * value for name, value in window.parts.items()}
    return {**parts, "confidence": sureness - FADE * first.log_odds}


def probability(log_odds: float) -> float:
    """Logistic function, safe for any size."""
    if log_odds < 0:
        odds = math.exp(max(log_odds, -700.0))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-log_odds))


def log_odds(chance: float) -> float:
    """What probability() makes a chance of."""
    chance = min(max(chance, 1e-300), 1 - 1e-15)
    return math.log(chance / (1 - chance))
