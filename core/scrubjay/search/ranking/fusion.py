"""Fusion of words and meaning: adaptive (the default), weighted sum, and reciprocal rank of chunks.

Adaptive fusion ranks windows of lines that hold the most probability, calibrated. Each line's
features add up to log-odds. A window is centred on the best lines and not on the grid of chunks.
Later windows are shorter, because a late hit should cost its reader little. The score of a window
is the probability that it answers: its odds against the other windows and against no answer.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, chain, pairwise

from msgspec import Struct

from scrubjay.records.chunks import CHARACTERS_PER_TOKEN
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import RankedPassage, logistic
from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.retrieval.candidates import PASSAGES_A_NOTE, SESSIONS_SHARE, Candidate, Passage
from scrubjay.search.retrieval.query_terms import TRANSLATED, QueryTerms, best_closeness
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.markdown import parse_front_matter

DEPTH = 50
"""Windows that are ranked where a later step may move some of them to the front."""


class PassageWindow(Struct, frozen=True):
    """Consecutive lines of a passage."""

    passage: Passage
    first: int
    """First line of the passage, 0-based."""
    last: int
    """Last line of the passage, included."""
    best: int
    """Line with the highest log-odds; of a document one below its title."""
    parts: Mapping[str, float]
    """Named log-odds of the best line and its surroundings."""
    line_meaning: float
    """Cosine of the best line, estimated from its signs."""
    candidate: Candidate
    """Chunk of the best line."""


class Evidence(Struct, frozen=True):
    """Evidence for a window apart from its own lines."""

    covered: float
    """Share of the query's information in the window's chunk."""
    meaning: float
    """Cosine of the best line."""
    unknown: float
    """Share that is missing where the query names only unknown names, otherwise 0."""
    is_full_match: bool
    """Whether every word is there."""


class _LineRange(Struct, frozen=True):
    """Lines of one passage among those of all passages."""

    first: int
    last: int
    """Last line, included."""
    best: int
    """Line with the highest log-odds."""
    around: float
    """Logarithm of the mass of all lines by that of the best one."""


def pick_windows(
    passages: Sequence[Passage], features: LineFeatures, max_results: int = DEPTH
) -> list[PassageWindow]:
    """Windows of lines by their features, best first.

    Hits that only the vectors found may be too weak to be shown, so max_results of those that the
    words found are looked for, if there are any. Each note that is called what was asked has one,
    and so has the nearest by meaning.
    """
    has_words = any(
        candidate.bm25 is not None for passage in passages for candidate in passage.candidates
    )
    remaining = max_results
    picked: list[PassageWindow] = []
    for window in best_windows(passages, features, max(max_results, DEPTH)):
        picked.append(window)
        if not has_words or window.candidate.bm25 is not None:
            remaining -= 1
        if remaining <= 0 and len(picked) >= weights.RIVALS:
            break
    # Notes that are called what was asked come last, if no window of theirs was picked.
    shown = {id(window.passage) for window in picked}
    missing = {
        number
        for number, passage in enumerate(passages)
        if (passage.is_called_so or passage.is_nearest) and id(passage) not in shown
    }
    picked += best_windows(passages, features, len(missing), only=missing)
    return picked


def rank_windows(
    picked: Sequence[PassageWindow],
    terms: QueryTerms,
    features: LineFeatures,
    *,
    has_meaning: bool,
    others: Sequence[PassageWindow] = (),
) -> list[RankedPassage]:
    """The windows of an index, each with the probability that it answers.

    Others are the windows of other indexes that are searched for the same question.
    """
    no_answer = weights.NO_ANSWER_BY_WORDS
    if has_meaning:
        no_answer = weights.NO_ANSWER
    rivals = [*picked[: weights.RIVALS]]
    if others:
        rivals = heapq.nlargest(weights.RIVALS, [*rivals, *others], key=_log_odds)
    ceiling = math.inf
    ranked: list[RankedPassage] = []
    for rank, window in enumerate(picked):
        # Its lines against those of the other windows, and against no answer.
        fields = features.fields[window.candidate.chunk.id]
        against = [no_answer, *(_log_odds(rival) for rival in rivals if rival is not window)]
        parts = {name: weights.SHARPNESS * value for name, value in window.parts.items()}
        own = sum(parts.values())
        log_odds = own - _log_of_sum([weights.SHARPNESS * rival for rival in against])
        # What else speaks for it and against it.
        told = window_evidence(window, fields, terms)
        log_odds += weights.COVERAGE_WEIGHT * told.covered + weights.MEANING_WEIGHT * told.meaning
        log_odds -= weights.UNKNOWN_NAME_PENALTY * told.unknown + weights.BIAS
        if told.is_full_match and not rank:
            log_odds = max(log_odds, weights.FULL_MATCH_LOG_ODDS)
        # The order of the windows stays: none is more probable than one before it.
        ceiling = min(ceiling, log_odds)
        parts["confidence"] = ceiling - own
        passage = RankedPassage(
            passage=window.passage,
            first=window.first,
            last=window.last,
            best=window.best,
            candidate=window.candidate,
            score=logistic(ceiling),
            parts=parts,
            terms=terms,
            fields=fields,
            is_log_odds=True,
        )
        ranked.append(passage)
    return ranked


def _log_odds(window: PassageWindow) -> float:
    return sum(window.parts.values())


def _log_of_sum(logarithms: Sequence[float]) -> float:
    """Logarithm of the sum of numbers that are given by their logarithms."""
    # Divided by the largest, since none of them may overflow.
    most = max(logarithms)
    return most + math.log(sum(math.exp(each - most) for each in logarithms))


def window_evidence(
    window: PassageWindow, fields: Mapping[str, Mapping[int, float]], terms: QueryTerms
) -> Evidence:
    """The evidence for a window, of whose chunk each field holds some terms."""
    most = best_closeness(chain.from_iterable(words.items() for words in fields.values()))
    said = {number for number, closeness in most.items() if closeness >= TRANSLATED}
    covered = 0.0
    for number in most:
        if number in said:
            covered += terms.idf[number]
        else:
            covered += terms.idf[number] * weights.MENDED_SHARE
    covered /= terms.total
    return Evidence(
        covered=covered,
        meaning=window.line_meaning,
        unknown=terms.has_unknown_name * (1 - covered),
        is_full_match=0 < len(terms) == len(said),
    )


def best_windows(
    passages: Sequence[Passage], features: LineFeatures, limit: int, *, only: Set[int] = frozenset()
) -> Iterator[PassageWindow]:
    """At most limit disjoint windows, best first, the same for any limit; some of transcripts, and
    few of one document where others have some.

    Only holds the numbers of passages that get one window each; empty: all of them get some.
    """
    if not passages or not limit:
        return
    log_odds = _line_log_odds(features)
    picker = _Picker(passages, log_odds)
    if only:
        picker.exclude(set(range(len(passages))) - only)
    places = _Places(passages, limit)
    for rank in range(limit):
        tokens = weights.BUDGETS[min(rank, len(weights.BUDGETS) - 1)]
        lines = picker.next(tokens * CHARACTERS_PER_TOKEN)
        if lines is None:
            break
        number = picker.owner[lines.best]
        start = picker.starts[number]
        passage = passages[number]
        named = {
            name: weights.WEIGHTS[name] * values[lines.best]
            for name, values in features.values.items()
        }
        named["lines_around"] = lines.around
        shown = _shown_line(passage, lines, start=start, log_odds=log_odds)
        yield PassageWindow(
            passage=passage,
            first=lines.first - start,
            last=lines.last - start,
            best=shown,
            parts=named,
            line_meaning=features.values["meaning_line"][lines.best],
            candidate=passage.best_candidate(shown),
        )
        # No further windows from what has had its places.
        picker.exclude({number} if only else places.full_after(number))


def _line_log_odds(features: LineFeatures) -> list[float]:
    """The sum of the weighted features of each line."""
    weighted = (
        [weights.WEIGHTS[name] * value for value in values]
        for name, values in features.values.items()
    )
    return list(map(sum, zip(*weighted, strict=True)))


class _Places:
    """Windows that are left for transcripts, and for each document beside other notes."""

    def __init__(self, passages: Sequence[Passage], limit: int) -> None:
        self._passages = passages
        self._sessions = {number for number, part in enumerate(passages) if part.is_session}
        self._of_sessions = limit
        if len(self._sessions) < len(passages):
            self._of_sessions = limit // SESSIONS_SHARE
        self._manuals = _manuals(passages)
        self._of_manuals = dict.fromkeys(self._manuals, PASSAGES_A_NOTE)

    def full_after(self, number: int) -> set[int]:
        """Numbers of the passages that get no further window after one of this passage."""
        full: set[int] = set()
        path = self._passages[number].candidates[0].chunk.path
        if path in self._of_manuals:
            self._of_manuals[path] -= 1
            if self._of_manuals[path] == 0:
                full |= self._manuals[path]
        if number in self._sessions:
            self._of_sessions -= 1
            if self._of_sessions == 0:
                full |= self._sessions
        return full


def _shown_line(
    passage: Passage, lines: _LineRange, *, start: int, log_odds: Sequence[float]
) -> int:
    """The best line of a window among those of its passage, which begins at start.

    Of a document it is one below its title, since only from there on it has places.
    """
    shown = lines.best - start
    if not document_kind(passage.candidates[0].chunk.path):
        return shown
    below = _below_title(passage)
    if shown < below <= lines.last - start:
        best = max(range(start + below, lines.last + 1), key=log_odds.__getitem__)
        shown = best - start
    return shown


def _below_title(passage: Passage) -> int:
    """The line of a document that follows its front matter; 0 for a later passage."""
    if passage.first_line != 1:
        return 0
    return parse_front_matter(passage.lines)[1]


def _manuals(passages: Sequence[Passage]) -> dict[str, set[int]]:
    """Numbers of the passages of each document, by its path; none if no other note has any."""
    numbers: dict[str, set[int]] = {}
    for number, passage in enumerate(passages):
        path = passage.candidates[0].chunk.path
        if document_kind(path):
            numbers.setdefault(path, set()).add(number)
    has_others = any(len(own) < len(passages) for own in numbers.values())
    return numbers if has_others else {}


class _Picker:
    """Takes one window after the other out of the lines."""

    def __init__(self, passages: Sequence[Passage], log_odds: Sequence[float]) -> None:
        """Log_odds are those of all lines."""
        # What stays: where passages and lines begin.
        sizes = [len(passage.lines) for passage in passages]
        self.starts = [0, *accumulate(sizes)]
        """First line of each passage, and the number of all lines."""
        self.owner = [number for number, size in enumerate(sizes) for _ in range(size)]
        """Number of each line's passage."""
        lines = [line for passage in passages for line in passage.lines]
        self._blank = [not line.strip() for line in lines]
        self._offsets = [0, *accumulate(len(line) + 1 for line in lines)]
        """First character of each line, and the end of the last one."""
        # What changes with each window that is taken.
        spoken = (value for value, blank in zip(log_odds, self._blank, strict=True) if not blank)
        highest = max(spoken, default=0.0)
        self._mass = [
            0.0 if blank else math.exp(value - highest)
            for value, blank in zip(log_odds, self._blank, strict=True)
        ]
        """Probability of each line up to a common factor, 0 once it is taken."""
        self._closed = self._blank.copy()
        """Lines in which no window can begin, blank, taken or excluded ones."""
        # What the size of the windows decides.
        self._budget = -1
        self._ends = [0] * len(lines)
        """End of the window that begins in each line."""
        self._sums = [0.0] * len(lines)
        """Mass of the window that begins in each line, -1 in closed lines."""

    def next(self, budget: int) -> _LineRange | None:
        """The lines of the best window that is left; None if nothing is.

        Budget is in characters; a single longer line is a separate window.
        """
        if budget != self._budget:
            self._measure(budget)
        mass = max(self._sums)
        if mass <= 0:
            return None
        first = self._sums.index(mass)
        # It ends with a line that says something.
        last = self._ends[first] - 1
        while self._blank[last]:
            last -= 1
        best = max(range(first, last + 1), key=self._mass.__getitem__)
        around = math.log(mass / self._mass[best])
        self._take(first, last)
        return _LineRange(first, last, best=best, around=around)

    def exclude(self, numbers: set[int]) -> None:
        """Take nothing more from these passages."""
        for number in numbers:
            start = self.starts[number]
            stop = self.starts[number + 1]
            size = stop - start
            self._closed[start:stop] = [True] * size
            self._mass[start:stop] = [0.0] * size
            self._sums[start:stop] = [-1.0] * size

    def _take(self, first: int, last: int) -> None:
        """Take lines out; windows before them end there, others of the passage stay."""
        size = last + 1 - first
        self._closed[first : last + 1] = [True] * size
        self._mass[first : last + 1] = [0.0] * size
        number = self.owner[first]
        start = self.starts[number]
        self._ends[start:first] = [min(end, first) for end in self._ends[start:first]]
        self._add_up(start, self.starts[number + 1])

    def _measure(self, budget: int) -> None:
        """Compute the windows of another budget."""
        self._budget = budget
        for start, stop in pairwise(self.starts):
            # A window may not reach over lines that a better one has, nor out of its passage.
            barrier = stop
            for line in range(stop - 1, start - 1, -1):
                if self._closed[line]:
                    if not self._blank[line]:
                        barrier = line
                    continue
                end = bisect_right(
                    self._offsets, self._offsets[line] + budget, lo=line, hi=barrier + 1
                )
                self._ends[line] = max(end - 1, line + 1)
            self._add_up(start, stop)

    def _add_up(self, start: int, stop: int) -> None:
        """Compute the mass of the windows that begin in lines start to stop: a whole passage."""
        total = [0.0, *accumulate(self._mass[start:stop])]
        for line in range(start, stop):
            if self._closed[line]:
                self._sums[line] = -1.0
            else:
                self._sums[line] = total[self._ends[line] - start] - total[line - start]


def weighted_fusion(
    passages: Sequence[Passage],
    terms: QueryTerms,
    features: LineFeatures,
    vector_weight: float,
    text_weight: float,
) -> list[RankedPassage]:
    """Chunks by the weighted sum of both scores, 0 for a side that did not find them."""

    def parts(candidate: Candidate) -> dict[str, float]:
        return {
            "meaning": vector_weight * max(0.0, candidate.cosine or 0.0),
            "words": text_weight * (candidate.text_score or 0.0),
        }

    return _whole_chunks(passages, terms, features, parts_of=parts)


def reciprocal_rank_fusion(
    passages: Sequence[Passage], terms: QueryTerms, features: LineFeatures
) -> list[RankedPassage]:
    """Chunks by the sum of 1 / (k + rank), scaled so that two first places make 1."""
    best = 2 / (weights.RRF_K + 1)

    def share(rank: int | None) -> float:
        if rank is None:
            return 0.0
        return 1 / (weights.RRF_K + rank) / best

    def parts(candidate: Candidate) -> dict[str, float]:
        return {"meaning": share(candidate.vector_rank), "words": share(candidate.lexical_rank)}

    return _whole_chunks(passages, terms, features, parts_of=parts)


def _whole_chunks(
    passages: Sequence[Passage],
    terms: QueryTerms,
    features: LineFeatures,
    parts_of: Callable[[Candidate], Mapping[str, float]],
) -> list[RankedPassage]:
    """The candidates that were found, scored by the sum of named parts, best first."""
    ranked: list[RankedPassage] = []
    start = 0
    for passage in passages:
        # The line to look at is the one with the most words.
        lines = features.values["words_line"][start : start + len(passage.lines)]
        start += len(passage.lines)
        for candidate in passage.candidates:
            if not candidate.was_found:
                continue
            first, end = passage.span(candidate)
            best = max(range(first, end), key=lines.__getitem__)
            named = parts_of(candidate)
            found = RankedPassage(
                passage=passage,
                first=first,
                last=end - 1,
                best=best,
                candidate=candidate,
                score=sum(named.values()),
                parts=named,
                terms=terms,
                fields=features.fields[candidate.chunk.id],
            )
            ranked.append(found)
    return sorted(ranked, key=lambda hit: -hit.score)
