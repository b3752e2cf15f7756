"""What every way of merging ends in: places in the notes with a score, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.search.ranking.calibration import log_odds
from scrubjay.search.retrieval.candidates import SESSIONS_SHARE, Candidate, Passage
from scrubjay.search.retrieval.term_weights import QueryTerms


@dataclass(frozen=True, slots=True)
class Ranked:
    """Lines of a region in their final order."""

    region: Passage
    first: int
    """0-based line of the region."""
    last: int
    """Inclusive."""
    best: int
    """The line to look at."""
    candidate: Candidate
    """The chunk of the best line."""
    score: float
    """0 to 1, before decay."""
    parts: Mapping[str, float]
    terms: QueryTerms
    fields: Mapping[str, frozenset[int]]
    """Field -> terms found in it."""
    is_log_odds: bool = False
    workspace: str = ""
    decay: float = 1.0
    diversity_penalty: float = 0.0

    @property
    def final_score(self) -> float:
        """0 to 1, after decay."""
        return self.score * self.decay


def append_below(later: Sequence[Ranked], earlier: Sequence[Ranked]) -> list[Ranked]:
    """What was looked for deeper in the lists, below all that was found before.

    So the first rows are the same however many are asked for.
    """
    ceiling = min((one.score for one in earlier), default=1.0)
    return [_lowered(one, ceiling) for one in later]


def _lowered(one: Ranked, ceiling: float) -> Ranked:
    if one.score <= ceiling:
        return one
    total = sum(one.parts.values())
    drop = log_odds(ceiling) - total if one.is_log_odds else ceiling - total
    return replace(one, score=ceiling, parts={**one.parts, "deeper": drop})


def select(ranked: Sequence[Ranked], *, min_score: float, max_results: int) -> list[Ranked]:
    """Strict hits first; spare places are filled by hits that the words found.

    What only the vectors found is not let in below min_score, and without any strict hit the
    answer is empty. Age never makes a strict hit a weak one: the undecayed score decides.
    """
    strict = [one for one in ranked if one.score >= min_score]
    if not strict:
        return []
    kept = set(map(id, strict))
    by_words = [one for one in ranked if one.candidate.bm25 is not None and id(one) not in kept]
    return _without_crowding([*strict, *by_words], max_results)


def _without_crowding(waiting: Sequence[Ranked], places: int) -> list[Ranked]:
    """The first of those that wait, in their order.

    Transcripts beyond their share come in only where nothing else wants the place.
    """
    room_for_sessions = max(1, places // SESSIONS_SHARE)
    chosen: list[int] = []
    crowding: list[int] = []
    for number, one in enumerate(waiting):
        is_session = one.region.is_session
        if is_session and not room_for_sessions:
            crowding.append(number)
            continue
        room_for_sessions -= is_session
        chosen.append(number)
    chosen = chosen[:places]
    return [waiting[number] for number in sorted([*chosen, *crowding[: places - len(chosen)]])]
