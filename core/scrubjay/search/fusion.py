"""Merges what the words and the vectors say into one score with named parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubjay.search.candidates import Candidate

RRF_K = 60
"""Damping of low ranks, from Cormack et al. (2009)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score; the parts add up to it."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]

    @classmethod
    def of(cls, candidate: Candidate, **parts: float) -> Scored:
        """Add the parts up."""
        return cls(candidate, sum(parts.values()), parts)


def weighted(
    candidates: Sequence[Candidate], vector_weight: float, text_weight: float
) -> list[Scored]:
    """The documented merge: a weighted sum of both scores, 0 for a missing side."""
    return [
        Scored.of(
            one,
            meaning=vector_weight * max(0.0, one.cosine or 0.0),
            words=text_weight * (one.text_score or 0.0),
        )
        for one in candidates
    ]


def reciprocal_rank(candidates: Sequence[Candidate]) -> list[Scored]:
    """Sum of 1 / (k + rank), scaled so that two first places make 1."""
    best = 2 / (RRF_K + 1)
    return [
        Scored.of(
            one,
            meaning=1 / (RRF_K + one.vector_rank) / best if one.vector_rank else 0.0,
            words=1 / (RRF_K + one.lexical_rank) / best if one.lexical_rank else 0.0,
        )
        for one in candidates
    ]
