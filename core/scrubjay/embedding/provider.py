"""The interface of an embedding provider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.records.status_records import Takeover
from scrubjay.records.vectors import Vector

if TYPE_CHECKING:
    from scrubjay.embedding.remote.batch_jobs import BatchJobs
    from scrubjay.embedding.remote.remote_provider import RemoteProvider


class EmbeddingProvider(Protocol):
    """Turns text into vectors. Safe to use from the search and the index thread at once.

    Every method raises ProviderUnavailable, with a hint, when it cannot answer. Vectors are
    float32 arrays of shape (dimensions,) and length one.
    """

    # What can be known without loading or asking a model.

    name: str
    """Id of the provider, such as "local"."""
    is_local: bool
    """Whether embedding costs time only: lines of a note then get binary vectors too."""
    host: str
    """Server that texts are sent to; empty if they stay on this computer."""
    model: str
    """Name of the model, for people."""

    @property
    def batch_jobs(self) -> BatchJobs | None:
        """Its batch interface; None if it has none or the settings do not want it."""

    @property
    def media(self) -> RemoteProvider | None:
        """Itself, to embed images and recordings; None if its model takes text alone."""

    # What may load or ask it.

    def identity(self) -> str:
        """Name that changes whenever equal text may give another vector. May load the model."""

    def dimensions(self) -> int:
        """Length of every vector. May load the model."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of queries, or of titles that are compared with one, in order."""

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of one batch of chunks, in order."""

    def close(self) -> None:
        """Free everything; the provider is not used again."""


class ProviderSource(Protocol):
    """The provider that the settings choose, which may change from pass to pass."""

    @property
    def off_reason(self) -> str:
        """Sentence that search by meaning is switched off; empty if it is not."""

    def current(self) -> EmbeddingProvider:
        """The provider for indexing. Raises ProviderUnavailable."""

    def takeover(self, answering: str) -> Takeover | None:
        """The provider that the answering one replaces; None for the one of the settings."""
