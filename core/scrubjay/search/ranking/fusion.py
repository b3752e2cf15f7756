"""The ways to merge what the words and the vectors say.

`adaptive` judges lines and is the default. `weighted` (the documented formula) and `rrf` judge
whole chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scrubjay.search.ranking.calibration import LOOKED_AT, calibrated, confidence, probability
from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.ranking.ranked import Ranked
from scrubjay.search.ranking.windows import PassageWindow, windows
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms

RRF_K = 60
"""Damping of low ranks, from Cormack et al. (2009)."""

DEPTH = 50
"""Windows that are looked for where something may move later ones to the front."""


def adaptive(
    found: Sequence[Passage],
    terms: QueryTerms,
    judged: LineFeatures,
    *,
    has_meaning: bool,
    wanted: int = DEPTH,
) -> list[Ranked]:
    """Windows of lines by their evidence, and scores by how sure the answer is.

    Wanted is how many hits a search shows at most. What only the vectors found may be too weak to
    be shown, so as many are looked for among what the words found, if they found anything.
    """
    words_found = any(one.bm25 is not None for region in found for one in region.candidates)
    picked: list[PassageWindow] = []
    for window in windows(found, judged, max(wanted, DEPTH)):
        picked.append(window)
        wanted -= not words_found or _candidate(window).bm25 is not None
        if wanted <= 0 and len(picked) >= LOOKED_AT:
            break
    if not picked:
        return []
    sureness = confidence(picked, judged, terms, has_meaning=has_meaning)
    ranked: list[Ranked] = []
    for window in picked:
        parts = calibrated(window, picked[0], sureness)
        candidate = _candidate(window)
        ranked.append(
            Ranked(
                window.region,
                window.first,
                window.last,
                window.best,
                candidate,
                probability(sum(parts.values())),
                parts,
                terms,
                judged.fields[candidate.chunk.id],
                is_log_odds=True,
            )
        )
    return ranked


def _candidate(window: PassageWindow) -> Candidate:
    return window.region.best_candidate(window.best)


def weighted(
    found: Sequence[Passage],
    terms: QueryTerms,
    judged: LineFeatures,
    vector_weight: float,
    text_weight: float,
) -> list[Ranked]:
    """A weighted sum of both scores, 0 for a missing side."""

    def parts(one: Candidate) -> dict[str, float]:
        return {
            "meaning": vector_weight * max(0.0, one.cosine or 0.0),
            "words": text_weight * (one.text_score or 0.0),
        }

    return _whole_chunks(found, terms, judged, parts)


def reciprocal_rank(
    found: Sequence[Passage], terms: QueryTerms, judged: LineFeatures
) -> list[Ranked]:
    """Sum of 1 / (k + rank), scaled so that two first places make 1."""
    best = 2 / (RRF_K + 1)

    def share(rank: int | None) -> float:
        return 1 / (RRF_K + rank) / best if rank else 0.0

    def parts(one: Candidate) -> dict[str, float]:
        return {"meaning": share(one.vector_rank), "words": share(one.lexical_rank)}

    return _whole_chunks(found, terms, judged, parts)


def _whole_chunks(
    found: Sequence[Passage],
    terms: QueryTerms,
    judged: LineFeatures,
    parts: Callable[[Candidate], Mapping[str, float]],
) -> list[Ranked]:
    ranked: list[Ranked] = []
    start = 0
    for region in found:
        lines = judged.features["words_line"][start : start + len(region.lines)]
        start += len(region.lines)
        for one in region.candidates:
            if not one.was_found:
                continue
            first, end = region.span(one)
            best = first + int(np.argmax(lines[first:end]))
            named = parts(one)
            fields = judged.fields[one.chunk.id]
            score = sum(named.values())
            ranked.append(Ranked(region, first, end - 1, best, one, score, named, terms, fields))
    return sorted(ranked, key=lambda one: (-one.score, one.candidate.chunk.id))
