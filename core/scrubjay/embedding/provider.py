"""What an embedding provider is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scrubjay.records.vectors import Vector

if TYPE_CHECKING:
    from scrubjay.embedding.batch_jobs import Bulk
    from scrubjay.embedding.media_embedding import MediaEmbedding


@dataclass(frozen=True, slots=True)
class EmbeddingInput:
    """A text to embed, with the title that some models want to see."""

    title: str
    text: str


class EmbeddingProvider(Protocol):
    """Turns text into vectors. Safe to use from the search and the index thread at once.

    Every method raises ProviderUnavailable, with what to do, when it cannot answer.
    """

    @property
    def name(self) -> str:
        """Id of the provider, such as "local"."""

    @property
    def is_local(self) -> bool:
        """True when embedding costs time only: each line of a note then gets a sketch too."""

    @property
    def host(self) -> str:
        """Where texts are sent; empty while they stay on this computer."""

    @property
    def model(self) -> str:
        """Name of the model, for people."""

    @property
    def bulk(self) -> Bulk | None:
        """Its batch interface; None where it has none or the settings do not want it."""

    @property
    def media(self) -> MediaEmbedding | None:
        """For images and recordings; None when its model takes text alone."""

    def identity(self) -> str:
        """Changes whenever equal text may give another vector. May load the model."""

    def dimensions(self) -> int:
        """Length of every vector. May load the model."""

    def embed_query(self, text: str) -> Vector:
        """Embed what the user typed: float32, length one."""

    def embed_documents(self, passages: Sequence[EmbeddingInput]) -> list[Vector]:
        """Embed one batch of chunks, in order: float32, length one each."""

    def close(self) -> None:
        """Free everything; the provider is not used again."""
