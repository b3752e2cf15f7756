"""What happens after fusion: temporal decay and diversity."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import TypeVar

from scrubjay.notes.markdown import find_date
from scrubjay.records.search_records import Source

T = TypeVar("T")


def document_date(path: str, front_matter: dt.date | None) -> dt.date | None:
    """Date in the file name anywhere under `memory/`, else of the front matter."""
    folder, _, name = path.rpartition("/")
    if "memory" in folder.split("/") and (found := find_date(name[:10])):
        return found
    return front_matter


def decay_factor(
    source: Source,
    date: dt.date | None,
    modified: dt.date,
    today: dt.date,
    half_life_days: float,
) -> float:
    """exp(-ln 2 / half-life x age). Notes without a date are evergreen; the future has age 0.

    Sessions and extra files have no other date than their last change.
    """
    if date is None and source in (Source.MEMORY, Source.NOTES):
        return 1.0
    age = max(0, (today - (date or modified)).days)
    return math.exp(-math.log(2) / half_life_days * age)


def diversify(
    items: Sequence[T],
    relevance: Sequence[float],
    tokens: Sequence[frozenset[str]],
    lambda_: float,
) -> list[tuple[T, float]]:
    """Maximal marginal relevance (Carbonell and Goldstein, 1998), with what it took off.

    lambda x relevance - (1 - lambda) x the greatest Jaccard similarity to what is already
    chosen; relevance is min-max normalised first.
    """
    low, high = min(relevance, default=0.0), max(relevance, default=0.0)
    scale = high - low
    share = [(value - low) / scale if scale > 0 else 1.0 for value in relevance]
    likeness = [0.0] * len(items)
    waiting = list(range(len(items)))
    chosen: list[tuple[T, float]] = []
    while waiting:
        # The share decides between equal ones, as when lambda is too small to tell them apart.
        best = max(
            waiting,
            key=lambda at: (lambda_ * share[at] - (1 - lambda_) * likeness[at], share[at]),
        )
        waiting.remove(best)
        chosen.append((items[best], (1 - lambda_) * likeness[best]))
        for at in waiting:
            likeness[at] = max(likeness[at], jaccard(tokens[at], tokens[best]))
    return chosen


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared words by all words; 1 for two texts without any."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0
