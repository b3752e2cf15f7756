"""Vectors of queries, which a model computes while the words are searched."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, ProviderUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.vectors import Vector
from scrubjay.search.collection_search import Collection
from scrubjay.search.retrieval.query_vectors import QueryVectors
from scrubjay.search.searcher import Searcher
from support.providers import AbsentProvider, WordProvider
from support.vault import TIMEOUT, NewEngine, add, write_notes


class ListeningProvider(WordProvider):
    """Counts the questions, and answers none before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        assert self.may_answer.wait(TIMEOUT), "the words wait for the model"
        return super().embed_queries(texts)


@pytest.fixture
def provider() -> ListeningProvider:
    return ListeningProvider()


@pytest.fixture
def vectors(provider: ListeningProvider) -> Iterator[QueryVectors]:
    with contextlib.closing(QueryVectors(lambda _identity: provider)) as vectors:
        yield vectors


def test_the_words_are_searched_while_the_model_thinks(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, provider: ListeningProvider
) -> None:
    engine = new_engine(provider)
    workspace = add(engine, write_notes(tmp_path / "agent", {"MEMORY.md": "Rod likes tea.\n"}))
    engine.refresh(workspace).result(TIMEOUT)
    settings = engine.settings.settings.memory_search
    engine.close()

    def today() -> dt.date:
        """Called while the words of the query are searched for dates."""
        provider.may_answer.set()
        return dt.date.today()

    index = Collection(workspace, paths.indexes / f"{workspace.id}.sqlite", settings)
    with contextlib.closing(Searcher(lambda _identity: provider, today)) as searcher:
        request = SearchRequest("tea for Rod", mode=Mode.HYBRID)
        result = searcher.search(request, [index], CancelToken())
    assert [hit.path for hit in result.hits] == ["MEMORY.md"]
    assert (result.mode, result.model) == (Mode.HYBRID, provider.model)
    assert provider.asked == ["tea for Rod"]


def test_a_question_is_embedded_once(provider: ListeningProvider, vectors: QueryVectors) -> None:
    provider.may_answer.set()
    identity = provider.identity()
    begun = [vectors.begin("tea", [identity], CancelToken()) for _ in range(2)]
    first, again = (future.result(TIMEOUT) for future in begun)
    assert provider.asked == ["tea"]
    assert first.vectors[identity] is again.vectors[identity]
    assert vectors.sources[identity] == (provider.name, provider.model)


def test_a_question_that_was_given_up_while_the_model_was_busy_is_not_embedded(
    provider: ListeningProvider, vectors: QueryVectors
) -> None:
    identity = provider.identity()
    tokens = [CancelToken() for _ in range(3)]
    begun = [
        vectors.begin(text, [identity], token)
        for text, token in zip(("t", "te", "tea"), tokens, strict=True)
    ]
    tokens[0].cancel()
    tokens[1].cancel()
    with pytest.raises(Cancelled):
        tokens[1].result_of(begun[1])
    provider.may_answer.set()
    assert tokens[2].result_of(begun[2]).vectors
    assert set(provider.asked) <= {"t", "tea"}


def test_what_cannot_be_embedding_says_why() -> None:
    with contextlib.closing(QueryVectors(lambda _identity: AbsentProvider())) as vectors:
        embedding = vectors.begin("tea", [""], CancelToken()).result(TIMEOUT)
    assert (embedding.vectors, embedding.reason) == ({}, AbsentProvider.reason)


def test_one_model_that_is_missing_leaves_the_other(provider: ListeningProvider) -> None:
    provider.may_answer.set()

    def provided(identity: str) -> WordProvider:
        if identity == "gone":
            raise ProviderUnavailable("It is gone")
        return provider

    with contextlib.closing(QueryVectors(provided)) as vectors:
        begun = vectors.begin("tea", ["gone", provider.identity()], CancelToken())
        embedding = begun.result(TIMEOUT)
    assert (set(embedding.vectors), embedding.reason) == ({provider.identity()}, "")


def test_titles_are_embedded_together_and_once(
    provider: ListeningProvider, vectors: QueryVectors
) -> None:
    provider.may_answer.set()
    identity = provider.identity()
    first = vectors.of_titles(["tea", "kettle", "tea"], identity)
    assert first[0] is first[2]
    assert provider.asked == ["tea", "kettle"]
    again = vectors.of_titles(["kettle", "pot"], identity)
    assert again[0] is first[1]
    assert provider.asked == ["tea", "kettle", "pot"]


def test_titles_that_cannot_be_embedded_are_compared_with_nothing() -> None:
    with contextlib.closing(QueryVectors(lambda _identity: AbsentProvider())) as vectors:
        assert vectors.of_titles(["tea"], "any") == []
