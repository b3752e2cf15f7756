"""What the tests of search quality share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.records.vectors import Vector


@pytest.fixture(scope="session", autouse=True)
def each_line_is_embedded_once() -> Iterator[None]:
    """The same notes are indexed in many ways, and the model's vector of a line stays the same."""
    embed = LocalProvider.embed_documents
    known: dict[tuple[str, EmbeddingInput], Vector] = {}

    def embed_new(self: LocalProvider, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        keys = [(self.identity(), item) for item in inputs]
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        vectors = embed(self, [item for _, item in missing]) if missing else []
        known.update(zip(missing, vectors, strict=True))
        return [known[key] for key in keys]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalProvider, "embed_documents", embed_new)
        yield
