"""Features of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.note_records import ChunkId, Source
from scrubjay.search.ranking.features import LineFeatures, line_features, spread_words
from scrubjay.search.ranking.meaning_features import sign_products, spread, spread_norms
from scrubjay.search.ranking.weights import NEIGHBOUR_SHARES
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import QueryTerms, RankedTerm, WordForm
from scrubjay.store.binary_vectors import stored_sign_bits
from scrubjay.store.index_records import StoredChunk
from scrubjay.text.tokenizer import Analyzer

DIMENSIONS = 384


@pytest.fixture
def analyzer() -> Iterator[Analyzer]:
    analyzer = Analyzer()
    yield analyzer
    analyzer.close()


def signs(count: int, seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Sign bits of random vectors, some of them blank, and the same as -1, 0 and 1."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((count, DIMENSIONS)).astype(np.float32)
    blank = rng.random(count) < 0.2
    bits = np.array(
        [np.frombuffer(stored_sign_bits(vector.tobytes()), np.uint8) for vector in vectors]
    )
    bits[blank] = 0
    return bits, np.where(blank[:, None], 0.0, np.where(vectors > 0, 1.0, -1.0))


@given(st.integers(1, 30), st.integers(0, 99))
def test_the_product_with_signs_is_that_with_the_unpacked_ones(count: int, seed: int) -> None:
    bits, plain = signs(count, seed)
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    assert sign_products(bits, vector) == pytest.approx(plain @ vector, abs=1e-3)


@given(st.integers(1, 30), st.integers(0, 99))
def test_the_length_of_a_sum_of_signs_needs_no_sum(count: int, seed: int) -> None:
    bits, plain = signs(count, seed)
    owner = np.sort(np.random.default_rng(seed).integers(0, 3, count))
    direct = np.linalg.norm(spread(plain.T, owner), axis=0)
    assert spread_norms(bits, DIMENSIONS, owner) == pytest.approx(direct, abs=1e-3)


def test_neighbours_of_another_note_do_not_count() -> None:
    values = np.array([[0.0, 1.0, 0.0, 0.0]])
    owner = np.array([0, 0, 1, 1])
    assert spread(values, owner).tolist() == [[NEIGHBOUR_SHARES[0], 1.0, 0.0, 0.0]]


@given(st.dictionaries(st.integers(0, 11), st.floats(0.1, 5), max_size=12), st.integers(0, 99))
def test_words_count_beside_their_line_as_meaning_does(
    frequency: dict[int, float], seed: int
) -> None:
    owner = np.sort(np.random.default_rng(seed).integers(0, 3, 12))
    plain = np.array([[frequency.get(line, 0.0) for line in range(12)]])
    around = spread_words(frequency, owner.tolist())
    dense = [around.get(line, 0.0) for line in range(12)]
    assert dense == pytest.approx(spread(plain, owner)[0])


def ranked_term(word: str, analyzer: Analyzer) -> RankedTerm:
    ways = (WordForm(tuple(analyzer.stems(word)), 1.0, 1.0, (word,)),)
    return RankedTerm(word, ways, "", frequency=1, idf=2.0, folded=word)


def judge(
    analyzer: Analyzer, text: str, words: Sequence[str], vector: object = None, **about: object
) -> LineFeatures:
    """Features of one chunk for words that are all equally rare."""
    lines = text.split("\n")
    place = (str(about.get("path", "a.md")), Path("a.md"), Source.NOTES, "", None, 0)
    chunk = StoredChunk(ChunkId(1), 1, *place, 1, len(lines), "", text)
    passage = Passage(1, lines, [Candidate(chunk, cosine=0.5, vector_rank=1)])
    terms = [ranked_term(word, analyzer) for word in words]
    query_vector = None if vector is None else np.asarray(vector, dtype=np.float32)
    paths = about.get("paths", ())
    return line_features([passage], QueryTerms(terms), query_vector, (), paths, analyzer)  # type: ignore[arg-type]


def test_a_word_counts_most_in_its_line_and_less_beside_it(analyzer: Analyzer) -> None:
    words = judge(analyzer, "one\ntwo\njay\nfour\nfive\nsix", ["jay"]).values["words_line"]
    assert words.index(max(words)) == 2
    assert words[1] == words[3] > words[0] == words[4] > words[5] == 0


@given(st.text(max_size=200), st.lists(st.sampled_from(["jay", "acorn", "x"]), min_size=1))
def test_words_are_shares_of_what_can_be_reached(text: str, words: list[str]) -> None:
    analyzer = Analyzer()
    features = judge(analyzer, text, list(dict.fromkeys(words)))
    analyzer.close()
    for name in ("words_line", "words_chunk"):
        assert all(0 <= value <= 1 for value in features.values[name])


def test_meaning_counts_more_the_less_the_words_cover(analyzer: Analyzer) -> None:
    vector = np.eye(1, DIMENSIONS)[0]
    trusts = [
        max(judge(analyzer, "A jay.", words, vector).values["meaning_trust"])
        for words in (["jay"], ["jay", "crow"], ["crow"])
    ]
    assert trusts == [0.0, pytest.approx(0.125), 0.5]


@pytest.mark.parametrize(
    ("cosine", "has_repairs", "trust"),
    [(0.8, False, 0.0), (0.4, False, 0.75**2), (0.0, False, 1.0), (0.4, True, 0.0)],
)
def test_words_are_trusted_less_where_the_meaning_is_another(
    analyzer: Analyzer, cosine: float, has_repairs: bool, trust: float
) -> None:
    passages = []
    for number, (text, near) in enumerate([("A jay.", cosine), ("Blue.", 0.8)], start=1):
        place = (f"{number}.md", Path(f"{number}.md"), Source.NOTES, "", None, 0)
        chunk = StoredChunk(ChunkId(number), number, *place, 1, 1, "", text)
        passages.append(Passage(1, [text], [Candidate(chunk, cosine=near, vector_rank=1)]))
    terms = [ranked_term("jay", analyzer)]
    vector = np.eye(1, DIMENSIONS, dtype=np.float32)[0]
    query = QueryTerms(terms, has_repairs=has_repairs)
    features = line_features(passages, query, vector, (), (), analyzer)
    assert max(features.values["meaning_trust"]) == pytest.approx(trust * 0.8)


@pytest.mark.parametrize(
    ("paths", "bonus"),
    [(("memory/jay.md",), 1), (("jay.md",), 1), (("memory/jay",), 1), (("ay.md",), 0), ((), 0)],
)
def test_a_path_that_the_query_spells_out(
    analyzer: Analyzer, paths: tuple[str, ...], bonus: int
) -> None:
    features = judge(analyzer, "Blue.", ["crow"], path="memory/Jay.md", paths=paths)
    assert features.values["path"] == [bonus]
