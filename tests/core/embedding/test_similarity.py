"""How alike two texts are."""

from __future__ import annotations

import pytest

from scrubjay.embedding.similarity import TextSimilarity, word_overlap
from support.providers import AbsentProvider, WordProvider


class FarProvider(WordProvider):
    """One whose texts would leave this computer."""

    is_local = False
    host = "example.org"


def test_meaning_counts_where_the_model_is_here() -> None:
    similarity = TextSimilarity(lambda: WordProvider(synonyms={"car": "auto"}))
    [alike, other] = similarity.of("my car", ["my auto", "green tea"])
    assert alike > 0.99
    assert other < 0.4


@pytest.mark.parametrize("provider", [AbsentProvider(), FarProvider()])
def test_without_it_the_words_are_compared_and_nothing_is_sent(provider: WordProvider) -> None:
    similarity = TextSimilarity(lambda: provider)
    assert similarity.of("I like tea", ["i LIKE téa!", "I like cake", ""]) == [1.0, 0.5, 0.0]
    assert getattr(provider, "embedded", []) == []


def test_nothing_is_like_nothing() -> None:
    assert word_overlap("", "") == 0.0
    assert TextSimilarity(WordProvider).of("x", []) == []
