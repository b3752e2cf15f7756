"""The ways to merge the results of words and vectors into ranked, calibrated passages.

`adaptive` ranks lines and is the default. `weighted` (the documented formula) and `rrf` rank whole
chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.ranking.ranked import RankedPassage, probability
from scrubjay.search.ranking.weights import (
    BIAS,
    CONFIDENCE_FADE,
    CONFIDENCE_HITS,
    COVERAGE_WEIGHT,
    FULL_MATCH_LOG_ODDS,
    MARGIN_WEIGHT,
    MEANING_WEIGHT,
    RRF_K,
    STANDOUT_WEIGHT,
    UNKNOWN_NAME_PENALTY,
    WORDS_EVEN,
    WORDS_STEEPNESS,
)
from scrubjay.search.ranking.windows import PassageWindow, windows
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms

DEPTH = 50
"""Windows that are ranked where a later step may move some of them to the front."""


def adaptive(
    passages: Sequence[Passage],
    terms: QueryTerms,
    features: LineFeatures,
    *,
    has_meaning: bool,
    max_results: int = DEPTH,
) -> list[RankedPassage]:
    """Windows of lines by their features, with calibrated scores.

    Hits that only the vectors found may be too weak to be shown, so max_results of those that the
    words found are looked for, if there are any.
    """
    has_words = any(
        candidate.bm25 is not None for passage in passages for candidate in passage.candidates
    )
    wanted = max_results
    picked: list[PassageWindow] = []
    for window in windows(passages, features, max(max_results, DEPTH)):
        picked.append(window)
        wanted -= not has_words or _candidate(window).bm25 is not None
        if wanted <= 0 and len(picked) >= CONFIDENCE_HITS:
            break
    if not picked:
        return []
    first_log_odds = confidence(picked, features, terms, has_meaning=has_meaning)
    ranked: list[RankedPassage] = []
    for window in picked:
        parts = _calibrated(window, picked[0], first_log_odds)
        candidate = _candidate(window)
        ranked.append(
            RankedPassage(
                window.passage,
                window.first,
                window.last,
                window.best,
                candidate,
                probability(sum(parts.values())),
                parts,
                terms,
                features.fields[candidate.chunk.id],
                is_log_odds=True,
            )
        )
    return ranked


def confidence(
    picked: Sequence[PassageWindow],
    features: LineFeatures,
    terms: QueryTerms,
    *,
    has_meaning: bool,
) -> float:
    """Log-odds that the first windows answer the query, so that an unanswerable one gets none."""
    if not has_meaning:
        return WORDS_STEEPNESS * (features.coverage - WORDS_EVEN)
    meaning = max(window.line_meaning for window in picked[:CONFIDENCE_HITS])
    nearest = (
        MEANING_WEIGHT * meaning
        + MARGIN_WEIGHT * features.margin
        + STANDOUT_WEIGHT * features.standout
    )
    unknown = UNKNOWN_NAME_PENALTY * terms.has_unknown_name * (1 - features.coverage)
    log_odds = COVERAGE_WEIGHT * features.coverage + nearest - unknown - BIAS
    return max(log_odds, FULL_MATCH_LOG_ODDS) if features.is_full_match else log_odds


def _calibrated(
    window: PassageWindow, first: PassageWindow, first_log_odds: float
) -> dict[str, float]:
    """Parts whose sum is the log-odds of the window's score."""
    parts = {name: CONFIDENCE_FADE * value for name, value in window.parts.items()}
    return {**parts, "confidence": first_log_odds - CONFIDENCE_FADE * first.log_odds}


def _candidate(window: PassageWindow) -> Candidate:
    return window.passage.best_candidate(window.best)


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
