"""The ways to merge words and meaning: their common properties, and the sum of each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.schema.memory_search import QuerySettings
from scrubjay.records.note_records import ChunkId, Source
from scrubjay.search.ranking.closeness import RankedPassage, logistic
from scrubjay.search.ranking.features import line_features
from scrubjay.search.ranking.fusion import (
    pick_windows,
    rank_windows,
    reciprocal_rank_fusion,
    weighted_fusion,
)
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import QueryTerms, RankedTerm, WordForm
from scrubjay.store.index_records import StoredChunk
from scrubjay.text.tokenizer import Analyzer

SCORES = st.lists(
    st.tuples(st.none() | st.floats(0, 20), st.none() | st.floats(-1, 1)), min_size=1, max_size=8
)


def merge(way: str, scores: list[tuple[float | None, float | None]]) -> list[RankedPassage]:
    """Merge chunks with a BM25 score and a cosine each; None where a side did not find it."""
    by_words = sorted((bm25 for bm25, _ in scores if bm25 is not None), reverse=True)
    by_meaning = sorted((cosine for _, cosine in scores if cosine is not None), reverse=True)
    passages: list[Passage] = []
    fields: dict[int, dict[str, frozenset[int]]] = {}
    for number, (bm25, cosine) in enumerate(scores):
        place = (f"{number}.md", "", Source.NOTES, "", None, 0)
        text = f"jay {number}" if bm25 else f"note {number}"
        chunk = StoredChunk(ChunkId(number), number, *place, 1, 1, "", text)  # type: ignore[arg-type]
        candidate = Candidate(
            chunk,
            bm25,
            None if bm25 is None else by_words.index(bm25) + 1,
            cosine,
            None if cosine is None else by_meaning.index(cosine) + 1,
        )
        passages.append(Passage(1, [text], [candidate]))
        fields[number] = {}
    ways = (WordForm(("jai",), 1.0, 1.0, ("jay",)),)
    terms = QueryTerms([RankedTerm("jay", ways, "", frequency=1, idf=2.0, folded="jay")])
    analyzer = Analyzer()
    query_vector = np.eye(1, 64, dtype=np.float32)[0]
    features = line_features(passages, terms, query_vector, (), (), analyzer)
    analyzer.close()
    match way:
        case "weighted":
            return weighted_fusion(passages, terms, features, 0.7, 0.3)
        case "rrf":
            return reciprocal_rank_fusion(passages, terms, features)
        case _:
            picked = pick_windows(passages, features)
            return rank_windows(picked, terms, features, has_meaning=True)


@pytest.mark.parametrize("way", ["adaptive", "weighted", "rrf"])
@given(scores=SCORES)
def test_scores_fall_and_are_shares_that_their_parts_add_up_to(
    way: str, scores: list[tuple[float | None, float | None]]
) -> None:
    ranked = merge(way, scores)
    for hit in ranked:
        total = sum(hit.parts.values())
        assert hit.score == pytest.approx(logistic(total) if hit.is_log_odds else total)
        assert 0 <= hit.score <= 1
    assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)


@pytest.mark.parametrize("way", ["weighted", "rrf"])
@given(scores=SCORES)
def test_what_nothing_found_is_left_out_and_all_else_is_there_once(
    way: str, scores: list[tuple[float | None, float | None]]
) -> None:
    retrieved = {number for number, pair in enumerate(scores) if pair != (None, None)}
    merged = [hit.candidate.chunk.id for hit in merge(way, scores)]
    assert sorted(merged) == sorted(retrieved)


@pytest.mark.parametrize(
    ("way", "scores", "order"),
    [
        ("weighted", [(3.0, 0.2), (None, 0.9)], [1, 0]),
        ("weighted", [(3.0, 0.8), (None, 0.9)], [0, 1]),
        ("rrf", [(3.0, 0.1), (9.0, None), (None, 0.9)], [0, 1, 2]),
        ("rrf", [(3.0, 0.9), (2.0, 0.1)], [0, 1]),
        ("adaptive", [(None, 0.9), (None, 0.1)], [0, 1]),
        ("adaptive", [(None, 0.3), (9.0, 0.3)], [1, 0]),
    ],
)
def test_the_order(
    way: str, scores: list[tuple[float | None, float | None]], order: list[int]
) -> None:
    assert [hit.candidate.chunk.id for hit in merge(way, scores)] == order


@pytest.mark.parametrize(("bm25", "is_shown"), [(3.0, True), (None, False)])
def test_a_word_of_the_notes_is_found_whatever_the_model_makes_of_it(
    bm25: float | None, is_shown: bool
) -> None:
    """A word of a language that the model does not know is near to nothing, but it is there."""
    ranked = merge("adaptive", [(bm25, -0.2)] * 5)
    assert (ranked[0].score >= QuerySettings().min_score) is is_shown


def test_equally_good_hits_share_the_probability_and_none_takes_it_all() -> None:
    alike = [merge("adaptive", [(None, 0.6)] * count)[-1].score for count in (1, 2, 4, 8)]
    assert alike == sorted(set(alike), reverse=True)
    assert alike[1] < 0.5


def test_beside_a_right_hit_those_of_another_subject_have_next_to_nothing() -> None:
    right, *others = merge("adaptive", [(9.0, 0.6), *[(None, 0.2)] * 7])
    assert right.score > 0.9
    assert max(hit.score for hit in others) < 0.05


@pytest.mark.parametrize(("way", "score"), [("weighted", 0.7 * 0.5 + 0.3 * 0.75), ("rrf", 1.0)])
def test_the_documented_formulas(way: str, score: float) -> None:
    [hit] = merge(way, [(3.0, 0.5)])
    assert hit.score == pytest.approx(score)


def test_a_first_place_in_one_list_is_half_of_two() -> None:
    [hit] = merge("rrf", [(3.0, None)])
    assert hit.score == pytest.approx(0.5)


@given(st.floats(-1e9, 1e9))
def test_log_odds_of_any_size_are_a_probability(log_odds: float) -> None:
    share = logistic(log_odds)
    assert 0 <= share <= 1
    assert math.isclose(share + logistic(-log_odds), 1)
