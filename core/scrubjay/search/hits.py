"""Makes hits of ranked candidates: which to show, what to show of them, and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.analysis import Analyzer
from scrubjay.records import Explanation, Hit
from scrubjay.search.candidates import QueryTerms, mark_fields
from scrubjay.search.fusion import Scored
from scrubjay.search.snippet import best_line, snippet


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its final order."""

    workspace: str
    scored: Scored
    terms: QueryTerms
    decay: float = 1.0
    diversity_penalty: float = 0.0

    @property
    def score(self) -> float:
        """0 to 1, after decay."""
        return min(1.0, max(0.0, self.scored.score * self.decay))


def select(
    ranked: Sequence[Ranked],
    *,
    min_score: float,
    max_results: int,
    is_strict: Callable[[Ranked, float], bool],
) -> list[Ranked]:
    """Strict hits first; spare places are filled by hits that the words found.

    What only the vectors found is not let in below min_score, so that a question without an
    answer gets none.
    """
    strict = [one for one in ranked if is_strict(one, min_score)]
    if len(strict) < max_results:
        kept = set(map(id, strict))
        found_by_words = (one for one in ranked if one.scored.candidate.bm25 is not None)
        strict += [one for one in found_by_words if id(one) not in kept]
    return strict[:max_results]


def hit(ranked: Ranked, analyzer: Analyzer) -> Hit:
    """Everything a window, a terminal or an agent shows of one answer."""
    candidate, terms = ranked.scored.candidate, ranked.terms
    chunk = candidate.chunk
    mark_fields(candidate, terms, analyzer)
    line = best_line(chunk.text, candidate.tokens, terms.weights)
    return Hit(
        workspace=ranked.workspace,
        path=chunk.path,
        file=chunk.file,
        source=chunk.source,
        title=chunk.title,
        heading=chunk.heading,
        first_line=chunk.first_line,
        last_line=chunk.last_line,
        best_line=min(chunk.first_line + line, chunk.last_line),
        score=ranked.score,
        text_score=candidate.text_score,
        vector_score=candidate.cosine,
        snippet=snippet(chunk.text, line, terms.weights, analyzer),
        modified=dt.datetime.fromtimestamp(chunk.mtime_ns / 1e9).astimezone(),
        explanation=_explanation(ranked, terms.by_term),
    )


def _explanation(ranked: Ranked, by_term: Mapping[str, tuple[str, ...]]) -> Explanation:
    candidate = ranked.scored.candidate
    matched: dict[str, tuple[str, ...]] = {}
    for term, stems in by_term.items():
        places = [name for name, found in candidate.fields.items() if found.intersection(stems)]
        if places:
            matched[term] = tuple(places)
    return Explanation(
        matched=matched,
        missing=tuple(term for term in by_term if term not in matched),
        lexical_rank=candidate.lexical_rank,
        vector_rank=candidate.vector_rank,
        parts=ranked.scored.parts,
        decay=ranked.decay,
        diversity_penalty=ranked.diversity_penalty,
    )
