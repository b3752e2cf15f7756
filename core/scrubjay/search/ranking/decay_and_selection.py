"""The steps of ranking after fusion: decay by age, diversity, and the selection of hits.

Conflict copies of a note are folded behind it before windows are weighed against each other.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.config.schema.search_query import QuerySettings
from scrubjay.records.audience import Audience
from scrubjay.records.note_records import Source
from scrubjay.search.ranking import weights
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.ranking.features import LineFeatures
from scrubjay.search.ranking.fusion import PassageWindow
from scrubjay.search.retrieval.candidates import SESSIONS_SHARE, Passage
from scrubjay.search.retrieval.query_terms import (
    ASKED_ABOUT,
    MENDED,
    MENDED_TITLE,
    OTHER_WORD,
    PART,
    TRANSLATED,
    TRANSLATED_TITLE,
)
from scrubjay.text.file_kinds import ConflictCopy, are_alike, find_conflict_copies, is_picture
from scrubjay.text.note_names import name_key
from scrubjay.text.tokenizer import Analyzer

T = TypeVar("T")
W = TypeVar("W", PassageWindow, RankedPassage)

MOST_PERHAPS = 5
"""Hits beside the sure ones, for people."""
MOST_UNCERTAIN = 3
"""Hits beside the sure ones, for agents."""


def append_below(
    deeper: Sequence[RankedPassage], ranked: Sequence[RankedPassage]
) -> list[RankedPassage]:
    """Hits from deeper in the lists, scored below all before, so that the first rows stay."""
    ceiling = min((hit.score for hit in ranked), default=1.0)
    bounded = min(max(ceiling, 1e-300), 1 - 1e-15)
    lowered: list[RankedPassage] = []
    for hit in deeper:
        if hit.score > ceiling:
            # A separate part says what was taken off, so that the parts still add up.
            target = ceiling
            if hit.is_log_odds:
                target = math.log(bounded / (1 - bounded))
            drop = target - sum(hit.parts.values())
            hit = replace(hit, score=ceiling, parts={**hit.parts, "deeper": drop})
        lowered.append(hit)
    return lowered


def apply_decay(hit: RankedPassage, today: dt.date, half_life_days: float) -> RankedPassage:
    """The hit with the factor for the age of its document."""
    chunk = hit.candidate.chunk
    factor = decay_factor(
        chunk.source,
        chunk.date,
        modified=chunk.modified.date(),
        today=today,
        half_life_days=half_life_days,
    )
    return replace(hit, decay=factor)


def decay_factor(
    source: Source, date: dt.date | None, modified: dt.date, today: dt.date, half_life_days: float
) -> float:
    """exp(-ln 2 / half-life x age). Notes without a date are evergreen; the future has age 0.

    Sessions and extra files have no other date than their last change.
    """
    if date is None and source in (Source.MEMORY, Source.NOTES):
        return 1.0
    age = max(0, (today - (date or modified)).days)
    return math.exp(-math.log(2) / half_life_days * age)


def best_of_each_note(
    ranked: Sequence[RankedPassage], text: str, min_scores: Mapping[str, float], today: dt.date
) -> list[RankedPassage]:
    """The first passage of each note, with the others that are as good an answer.

    Notes with every keyword come first, as it was typed before only begun or repaired; the score
    decides between equally close ones, and between the notes that lack a keyword. Those that are
    probable and hold one as it was typed come before those that hold only translated ones, unless
    these tell more.
    Text is that of the query, without its operators. Min_scores are those of the workspaces.
    """

    def is_probable(hit: RankedPassage) -> bool:
        return hit.score >= min_scores[hit.passage.workspace]

    dated = [passage.of_its_month(today) for passage in ranked]
    asked = name_key(text)
    close = [(passage.closeness_to(asked), passage) for passage in dated]
    # Where translations are the closest, a keyword as it was typed is closer than they.
    greatest = max((closeness for closeness, _ in close), default=0.0)
    if greatest in (TRANSLATED, TRANSLATED_TITLE):
        for at, (_, hit) in enumerate(close):
            if hit.has_keyword and is_probable(hit):
                close[at] = (OTHER_WORD, hit)

    # A rare keyword in another language tells more than common ones as they were typed.
    most_typed = max(
        (hit.information for _, hit in close if hit.has_keyword and is_probable(hit)), default=0.0
    )

    def order(pair: tuple[float, RankedPassage]) -> tuple[float, int]:
        closeness, hit = pair
        if closeness:
            return -closeness, 0
        if not is_probable(hit):
            return 0.0, 3
        return 0.0, 2 if hit.is_only_translated and hit.information <= most_typed else 1

    # Sorting keeps the order by score within each group.
    close.sort(key=order)
    return _with_others(close, is_probable)


def _with_others(
    close: Sequence[tuple[float, RankedPassage]], is_probable: Callable[[RankedPassage], bool]
) -> list[RankedPassage]:
    """The best passage of each note, with its closeness and the others that answer as well."""
    # Passages of each note, the best first, in the order of their best ones.
    notes: dict[tuple[str, str], list[tuple[float, RankedPassage]]] = {}
    for closeness, passage in close:
        notes.setdefault(passage.note, []).append((closeness, passage))
    return [
        replace(
            best,
            closeness=closeness,
            others=tuple(other for near, other in others if near or is_probable(other)),
        )
        for (closeness, best), *others in notes.values()
    ]


def diversify_hits(
    ranked: Sequence[RankedPassage], own: Mapping[str, QuerySettings], analyzer: Analyzer
) -> list[RankedPassage]:
    """The hits; those of folders that want different ones change places among themselves."""
    reordered = [*ranked]
    wanted = {name: query.hybrid.mmr for name, query in own.items() if query.hybrid.mmr.enabled}
    # Folders with the same lambda compete with one another.
    for lambda_ in {mmr.lambda_ for mmr in wanted.values()}:
        alike = {name for name, mmr in wanted.items() if mmr.lambda_ == lambda_}
        positions = [
            at
            for at, part in enumerate(ranked)
            if part.passage.workspace in alike and _competes(part, own[part.passage.workspace])
        ]
        parts = [ranked[at] for at in positions]
        texts = ("\n".join(part.passage.lines[part.first : part.last + 1]) for part in parts)
        tokens = [frozenset(analyzer.stems(text)) for text in texts]
        scores = [part.final_score for part in parts]
        chosen = maximal_marginal_relevance(parts, scores, tokens=tokens, lambda_=lambda_)
        for at, (part, penalty) in zip(positions, chosen, strict=True):
            reordered[at] = replace(part, diversity_penalty=penalty)
    return reordered


def _competes(part: RankedPassage, query: QuerySettings) -> bool:
    """Whether a hit may change places with others that say the same."""
    # A probability near zero is not relevance that is worth a place above anything else.
    return query.hybrid.fusion != "adaptive" or part.score >= query.min_score


def maximal_marginal_relevance(
    items: Sequence[T], relevance: Sequence[float], tokens: Sequence[frozenset[str]], lambda_: float
) -> list[tuple[T, float]]:
    """Items by maximal marginal relevance (Carbonell and Goldstein, 1998), with its penalty.

    lambda x relevance - (1 - lambda) x the greatest Jaccard similarity to the items already
    chosen.
    """
    # Likeness of each item to the one that it resembles most among those that are chosen.
    similarity = [0.0] * len(items)
    waiting = list(range(len(items)))
    chosen: list[tuple[T, float]] = []
    while waiting:
        # Relevance decides between equal ones, as when lambda is too small to tell them apart.
        worth = {at: lambda_ * relevance[at] - (1 - lambda_) * similarity[at] for at in waiting}
        best = max(waiting, key=lambda at: (worth[at], relevance[at]))
        waiting.remove(best)
        chosen.append((items[best], (1 - lambda_) * similarity[best]))
        for at in waiting:
            similarity[at] = max(similarity[at], jaccard(tokens[at], tokens[best]))
    return chosen


def jaccard(words: frozenset[str], others: frozenset[str]) -> float:
    """Shared words by all words; 1 for two texts without any."""
    union = len(words | others)
    if not union:
        return 1.0
    return len(words & others) / union


class SelectedHits(Struct, frozen=True):
    """The hits of an answer before they are shortened."""

    hits: list[RankedPassage]
    uncertain: list[RankedPassage]
    """Uncertain hits for an agent; for a person only where no hit is sure."""


class Thresholds(Struct, frozen=True):
    """The minimum scores of hits, and the maximum number of hits."""

    min_scores: Mapping[str, float]
    """Least scores of sure hits, by the ids of workspaces."""
    max_results: int
    quotas: Mapping[str, int] = MappingProxyType({})
    """Hits that a workspace may have, by its id; empty: as many as there are."""
    is_strict: bool = False
    """Whether the request itself names the least score."""
    needs_word: bool = False
    """Whether no hit is sure without a keyword."""


def select_hits(
    ranked: Sequence[RankedPassage], thresholds: Thresholds, audience: Audience
) -> SelectedHits:
    """The hits that are sure, and some of those that are not.

    Below sure hits of an agent, those with every keyword fill spare places, unless the request is
    strict; of sums, all that the words found. Below those of a person, hits with any keyword come
    first, the most telling ones before others, and those with one in another language last, unless
    it tells more. Transcripts beyond their share fill places last.
    """
    sure, unsure = _by_certainty(ranked, thresholds)
    most = MOST_UNCERTAIN
    if audience.lists_perhaps:
        most = MOST_PERHAPS
    if not sure:
        return SelectedHits([], unsure[:most])
    # Where notes hold the keywords, those without them fill no place of the sure ones.
    has_close = any(hit.closeness > PART for hit in ranked)
    hits = [*sure]
    # Each unsure hit fills a place, or is listed, or is dropped.
    worded: list[RankedPassage] = []
    near: list[RankedPassage] = []
    translated: list[RankedPassage] = []
    least_typed = min((hit.information for hit in unsure if hit.has_keyword), default=0.0)
    for hit in unsure:
        if not (has_close or thresholds.is_strict) and _fills_place(hit):
            hits.append(hit)
        elif audience.lists_perhaps and (hit.has_keyword or hit.information > least_typed):
            worded.append(hit)
        elif hit.closeness or hit.score >= weights.UNCERTAIN:
            near.append(hit)
        elif audience.lists_perhaps and hit.is_only_translated:
            translated.append(hit)
    # Several of the keywords, or a rare one, tell more than one that many notes have.
    worded.sort(key=lambda hit: -hit.information)
    near = [*worded, *near, *translated][:most]
    if audience.lists_perhaps:
        hits += [replace(hit, is_perhaps=True) for hit in near]
        near = []
    else:
        hits = _with_words_first(hits)
    if thresholds.quotas:
        hits = list(_within(hits, thresholds.quotas))
    return SelectedHits(_with_shares(hits, thresholds.max_results), near)


def _with_words_first(hits: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The hits; none that meaning alone has found stands before one with every keyword."""
    complete = [at for at, hit in enumerate(hits) if hit.least_closeness >= OTHER_WORD]
    if not complete:
        return [*hits]
    # Those down to the last such hit, then what has no word in common with the question.
    end = complete[-1] + 1
    by_words = [hit for hit in hits[:end] if hit.has_any_word]
    by_meaning = [hit for hit in hits[:end] if not hit.has_any_word]
    return [*by_words, *by_meaning, *hits[end:]]


def _by_certainty(
    ranked: Sequence[RankedPassage], thresholds: Thresholds
) -> tuple[list[RankedPassage], list[RankedPassage]]:
    """Sure and unsure hits.

    A hit is sure by its score, by the name of its note in the question, or by each keyword as it
    was typed or begun; where notes hold the keywords, those without them are not, and those with a
    repaired beginning never are. Age never makes a sure hit an uncertain one: the undecayed score
    decides, and what age lets pass it is sure as well. A sum, which is not a probability, is also
    sure with every keyword, unless the request is strict.
    """
    # Sure by the score, aged or not.
    best = max((hit.closeness for hit in ranked if hit.closeness > PART), default=0.0)
    by_score = [
        hit.score >= thresholds.min_scores[hit.passage.workspace]
        and (hit.has_keyword or not thresholds.needs_word)
        for hit in ranked
    ]
    aged = (hit for hit, is_sure in zip(ranked, by_score, strict=True) if is_sure and hit.decay < 1)
    lowest = max(weights.UNCERTAIN, min((hit.final_score for hit in aged), default=1.0))
    # A repaired spelling is an answer where no note holds the word itself.
    closest_unsure = MENDED_TITLE
    if best < TRANSLATED:
        closest_unsure = MENDED
    sure: list[RankedPassage] = []
    unsure: list[RankedPassage] = []
    for hit, is_sure_by_score in zip(ranked, by_score, strict=True):
        is_sure = is_sure_by_score or hit.closeness == ASKED_ABOUT
        if not (is_sure or thresholds.is_strict):
            has_all = hit.least_closeness >= TRANSLATED and not hit.is_log_odds
            is_sure = has_all or hit.final_score > lowest
        if hit.closeness > closest_unsure or (is_sure and not best):
            sure.append(hit)
        else:
            unsure.append(hit)
    return sure, unsure


def _fills_place(hit: RankedPassage) -> bool:
    """Whether an unsure hit may stand below the sure ones of an agent."""
    if hit.is_log_odds:
        return hit.least_closeness >= TRANSLATED
    return hit.candidate.bm25 is not None


def _with_shares(hits: Sequence[RankedPassage], max_results: int) -> list[RankedPassage]:
    """So many hits; transcripts and pictures beyond their share only where places are left."""
    # The best of them keep their places among the notes.
    sessions = [number for number, hit in enumerate(hits) if hit.passage.is_session]
    pictures = [number for number, hit in enumerate(hits) if is_picture(_path(hit.passage))]
    surplus = sorted(
        [
            *sessions[max(1, max_results // SESSIONS_SHARE) :],
            *pictures[max(1, max_results // weights.PICTURES_SHARE) :],
        ]
    )
    chosen = sorted(set(range(len(hits))).difference(surplus))[:max_results]
    chosen += surplus[: max_results - len(chosen)]
    return [hits[number] for number in sorted(chosen)]


def _within(hits: Sequence[RankedPassage], quotas: Mapping[str, int]) -> Iterator[RankedPassage]:
    """The hits for which their workspaces have places."""
    taken = Counter[str]()
    for hit in hits:
        taken[hit.passage.workspace] += 1
        if taken[hit.passage.workspace] <= quotas[hit.passage.workspace]:
            yield hit


def conflict_copies(passages: Sequence[Passage]) -> dict[str, ConflictCopy]:
    """Path of each conflict copy -> what it is a copy of. The note need not have a passage."""
    # All passages of a file together are its text, as far as it was found.
    lines: dict[str, list[str]] = defaultdict(list)
    for passage in passages:
        lines[_path(passage)] += passage.lines
    return {
        path: copy
        for path, copy in find_conflict_copies(lines).items()
        if copy.is_certain or are_alike(lines[path], lines[copy.note])
    }


def fold_conflict_copies(
    windows: Sequence[W], features: LineFeatures, copies: Mapping[str, ConflictCopy]
) -> list[W]:
    """The windows without those of copies that hold no word more than their note does.

    A copy with such a word stays, since the note does not answer in its place. Without a window of
    the note, the best copy stands for it. The passages of the others learn what stands behind them.
    """
    kept: list[W] = []
    words: dict[str, list[tuple[str, set[int]]]] = defaultdict(list)
    hidden: dict[str, dict[str, None]] = defaultdict(dict)
    # Notes come before their copies, whatever their rank.
    for window in sorted(windows, key=lambda window: _path(window.passage) in copies):
        path = _path(window.passage)
        copy = copies.get(path)
        note = copy.note if copy else path
        fields: Mapping[str, Mapping[int, float]] = features.fields[window.candidate.chunk.id]
        own = {*fields.get("text", ())}
        # A note that people gave such a name is not hidden from who asks for it, or by meaning.
        if copy and not copy.is_certain:
            own.update(*fields.values())
        may_hide = copy is not None and (copy.is_certain or bool(own))
        others = (said for other, said in words[note] if other != path)
        if may_hide and any(own <= said for said in others):
            hidden[note][path] = None
        else:
            words[note].append((path, own))
            kept.append(window)
    # A copy that is shown with words of its own does not stand behind its note as well.
    shown = {_path(window.passage) for window in kept}
    for window in kept:
        path = _path(window.passage)
        copy = copies.get(path)
        behind = hidden[copy.note if copy else path]
        window.passage.conflict_copies = tuple(each for each in behind if each not in shown)
    # Those that are left keep their order.
    order = {id(window): rank for rank, window in enumerate(windows)}
    return sorted(kept, key=lambda window: order[id(window)])


def _path(passage: Passage) -> str:
    return passage.candidates[0].chunk.path
