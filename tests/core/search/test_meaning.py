"""A query for a model that may know English only."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.search.meaning import QueryMeaning, knows_english_only, looks_spanish

ITSELF, IN_ENGLISH = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)


@pytest.mark.parametrize(
    ("model", "is_english"),
    [
        ("all-MiniLM-L6-v2-Q8_0", True),
        ("bge-small-en-v1.5", True),
        ("embeddinggemma-300m-qat-Q8_0", False),
        ("paraphrase-multilingual-MiniLM-L12-v2", False),
        ("text-embedding-3-small", False),
    ],
)
def test_models_that_know_english_only(model: str, is_english: bool) -> None:
    assert knows_english_only(model) == is_english


@pytest.mark.parametrize(
    ("text", "is_spanish"),
    [
        ("El agua sale marrón el primer minuto.", True),
        ("The water is brown in the first minute.", False),
        ("E-4031", False),
        ("", False),
    ],
)
def test_the_language_of_a_text(text: str, is_spanish: bool) -> None:
    assert looks_spanish(text) == is_spanish


@pytest.mark.parametrize(
    ("english", "text", "expected"),
    [
        (IN_ENGLISH, "the note of the day", IN_ENGLISH),
        (IN_ENGLISH, "la nota del día", ITSELF),
        (None, "the note of the day", ITSELF),
    ],
)
def test_a_text_is_compared_in_its_own_language(
    english: np.ndarray | None, text: str, expected: np.ndarray
) -> None:
    assert QueryMeaning(ITSELF, english).compared_with(text) is expected
