"""Task prompts of model families."""

from __future__ import annotations

import pytest

from scrubjay.embedding.prompts import prompt_profile


@pytest.mark.parametrize(
    ("file", "query", "document"),
    [
        ("all-MiniLM-L6-v2-Q8_0.gguf", "jay", "acorn"),
        (
            "embeddinggemma-300m-qat-Q8_0.gguf",
            "task: search result | query: jay",
            "title: Bird | text: acorn",
        ),
        ("nomic-embed-text-v1.5.Q8_0.gguf", "search_query: jay", "search_document: acorn"),
        (
            "Qwen3-Embedding-0.6B-Q8_0.gguf",
            "Instruct: Given a search query, retrieve relevant notes that answer the query\n"
            "Query:jay",
            "acorn",
        ),
        (
            "bge-small-en-v1.5-q8_0.gguf",
            "Represent this sentence for searching relevant passages: jay",
            "acorn",
        ),
    ],
)
def test_each_family_has_its_own(file: str, query: str, document: str) -> None:
    profile = prompt_profile(file)
    assert profile.for_query("jay") == query
    assert profile.for_document("Bird", "acorn") == document


def test_a_note_without_a_title_has_none() -> None:
    assert prompt_profile("embeddinggemma").for_document("", "x") == "title: none | text: x"


def test_braces_in_a_note_are_text() -> None:
    assert prompt_profile("nomic").for_query("{title} {text}") == "search_query: {title} {text}"
    assert prompt_profile("gemma-embeddinggemma").for_document("{text}", "x").endswith("text: x")


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
def test_a_model_that_knows_english_only_gets_spanish_in_english(
    model: str, is_english: bool
) -> None:
    profile = prompt_profile(model)
    assert ("water" in profile.for_query("¿Dónde está el agua?")) == is_english
    assert ("water" in profile.for_document("", "El agua está en la casa.")) == is_english
    assert ("gloss" in profile.identity) == is_english
    assert profile.for_document("", "The agua of Ana.").endswith("The agua of Ana.")
