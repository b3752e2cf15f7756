"""How sure an answer is as a whole, so that a question without an answer gets none."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scrubjay.search.windows import Window

_COVERAGE, _MEANING, _MARGIN, _CONSTANT = 3.2, 14.5, 0.39, -8.58
"""Logistic regression over answerable and unanswerable questions (docs/quality.md)."""

_OPERATING_POINT = 1.115
"""Log-odds that put the default minScore of 0.35 where 15 % of such questions have an answer.

Pure paraphrases look like questions without an answer to a small model: a stricter point
loses more of the former than it refuses of the latter.
"""

_WORDS_STEEPNESS, _WORDS_EVEN = 6.0, 0.45
"""By words alone: even odds when the best chunk covers 45 % of the query's information."""

FADE = 0.5
"""How fast confidence falls from the first hit to the next ones, by their log-odds."""

_LOOKED_AT = 5


def confidence(found: Sequence[Window], coverage: float, *, has_meaning: bool) -> float:
    """Log-odds that the first windows answer the query."""
    if not has_meaning:
        return _WORDS_STEEPNESS * (coverage - _WORDS_EVEN)
    meaning = max(window.line_meaning for window in found[:_LOOKED_AT])
    evidence = _COVERAGE * coverage + _MEANING * meaning + _MARGIN * _margin(found)
    return evidence + _CONSTANT + _OPERATING_POINT


def _margin(found: Sequence[Window]) -> float:
    """How far the first window stands out from the next ones, in log-odds."""
    others = [window.log_odds for window in found[1:_LOOKED_AT]]
    return found[0].log_odds - sum(others) / len(others) if others else 0.0


def calibrated(window: Window, first: Window, sureness: float) -> dict[str, float]:
    """Parts whose sum is the log-odds of the window's score."""
    parts = {name: FADE * value for name, value in window.parts.items()}
    return {**parts, "confidence": sureness - FADE * first.log_odds}


def probability(log_odds: float) -> float:
    """Logistic function, safe for any size."""
    if log_odds < 0:
        odds = math.exp(max(log_odds, -700.0))
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-log_odds))
