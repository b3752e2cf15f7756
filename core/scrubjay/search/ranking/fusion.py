"""Ranking of whole chunks: the weighted sum that is documented, and reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.ranking.ranked import RankedPassage
from scrubjay.search.ranking.weights import RRF_K
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms


def weighted(
    passages: Sequence[Passage],
    terms: QueryTerms,
    features: LineFeatures,
    vector_weight: float,
    text_weight: float,
) -> list[RankedPassage]:
    """Chunks by the weighted sum of both scores, 0 for a missing side."""

    def parts(candidate: Candidate) -> dict[str, float]:
        return {
            "meaning": vector_weight * max(0.0, candidate.cosine or 0.0),
            "words": text_weight * (candidate.text_score or 0.0),
        }

    return _whole_chunks(passages, terms, features, parts)


def reciprocal_rank(
    passages: Sequence[Passage], terms: QueryTerms, features: LineFeatures
) -> list[RankedPassage]:
    """Chunks by the sum of 1 / (k + rank), scaled so that two first places make 1."""
    best = 2 / (RRF_K + 1)

    def share(rank: int | None) -> float:
        return 1 / (RRF_K + rank) / best if rank else 0.0

    def parts(candidate: Candidate) -> dict[str, float]:
        return {"meaning": share(candidate.vector_rank), "words": share(candidate.lexical_rank)}

    return _whole_chunks(passages, terms, features, parts)


def _whole_chunks(
    passages: Sequence[Passage],
    terms: QueryTerms,
    features: LineFeatures,
    parts: Callable[[Candidate], Mapping[str, float]],
) -> list[RankedPassage]:
    ranked: list[RankedPassage] = []
    start = 0
    for passage in passages:
        lines = features.values["words_line"][start : start + len(passage.lines)]
        start += len(passage.lines)
        for candidate in passage.candidates:
            if not candidate.was_found:
                continue
            first, end = passage.span(candidate)
            best = first + int(np.argmax(lines[first:end]))
            named = parts(candidate)
            place = (passage, first, end - 1, best, candidate)
            fields = features.fields[candidate.chunk.id]
            ranked.append(RankedPassage(*place, sum(named.values()), named, terms, fields))
    return sorted(ranked, key=lambda hit: (-hit.score, hit.candidate.chunk.id))
