"""Makes hits of ranked places: what to show of them, and why they are there."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from scrubjay.records.search_records import Explanation, Hit
from scrubjay.search.ranking.ranked import Ranked
from scrubjay.search.snippet import snippet
from scrubjay.text.tokenizer import Analyzer


def hit(ranked: Ranked, analyzer: Analyzer) -> Hit:
    """Everything a window, a terminal or an agent shows of one answer."""
    chunk, region = ranked.candidate.chunk, ranked.region
    lines, best = region.lines[ranked.first : ranked.last + 1], ranked.best - ranked.first
    if region.is_session:
        # A transcript is blank where tools worked: nobody wants to scroll over that.
        best = sum(map(bool, lines[:best]))
        lines = [line for line in lines if line]
    weights = ranked.terms.stem_weights
    return Hit(
        workspace=ranked.workspace,
        path=chunk.path,
        file=Path(chunk.file),
        source=chunk.source,
        title=chunk.title,
        heading=chunk.heading,
        first_line=region.first_line + ranked.first,
        last_line=region.first_line + ranked.last,
        best_line=region.first_line + ranked.best,
        score=ranked.final_score,
        text_score=ranked.candidate.text_score,
        vector_score=ranked.candidate.cosine,
        snippet=snippet("\n".join(lines), best, weights, analyzer),
        modified=dt.datetime.fromtimestamp(chunk.mtime_ns / 1e9).astimezone(),
        explanation=_explanation(ranked),
    )


def _explanation(ranked: Ranked) -> Explanation:
    matched: dict[str, tuple[str, ...]] = {}
    missing: list[str] = []
    for number, term in enumerate(ranked.terms.terms):
        places = tuple(name for name, found in ranked.fields.items() if number in found)
        if places:
            matched[term.text] = places
        else:
            missing.append(term.text)
    return Explanation(
        matched=matched,
        missing=tuple(missing),
        lexical_rank=ranked.candidate.lexical_rank,
        vector_rank=ranked.candidate.vector_rank,
        parts=ranked.parts,
        is_log_odds=ranked.is_log_odds,
        decay=ranked.decay,
        diversity_penalty=ranked.diversity_penalty,
    )
