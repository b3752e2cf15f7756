"""A remote embedding provider: batches, retries and failures, around one API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.api import (
    UNREADABLE,
    EmbeddingApi,
    Kind,
    RawVector,
    RequestFailed,
    as_vector,
)
from scrubjay.embedding.remote.batch.batch_jobs import BatchJobs, BatchOptions
from scrubjay.embedding.remote.connection import ApiChannel, ApiSession, Connection
from scrubjay.embedding.remote.dispatch import RequestPool
from scrubjay.embedding.remote.remote_media import RemoteMedia
from scrubjay.embedding.remote.request_batches import (
    Piece,
    batches,
    halves,
    is_too_long,
    joined,
    mean,
    pieces,
    smaller_batch,
)
from scrubjay.embedding.remote.service import RemoteService, takes_media
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.platform.http_access import Network, host_of, is_this_computer
from scrubjay.records.vectors import Vector

_PROBE = "dimensions"
"""Text that is embedded to learn how long the vectors of an unknown model are."""


class RemoteProvider:
    """Embeds by asking a server. Nothing is imported, opened or sent before the first text."""

    is_local = False

    def __init__(
        self,
        service: RemoteService,
        connection: Connection,
        network: Network,
        *,
        model: str = "",
        dimensions: int | None = None,
        batch_options: BatchOptions | None = None,
        on_status: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """Dimensions are asked for where given. On_status gets "", or why there was no answer.

        With batch_options the provider's batch interface is used, where it has one.
        """
        self.name = service.id
        self.model = model or service.model
        self.host = "" if is_this_computer(connection.base_url) else host_of(connection.base_url)
        self._service = service
        published = service.known_model(self.model)
        self._dimensions = dimensions or (published.dimensions if published else 0)
        self._max_tokens = service.max_tokens(self.model)
        self._max_items = service.max_items
        self._prompts = service.prompts(self.model)
        self._on_status = on_status
        channel = ApiChannel(connection, network, service, self.model, dimensions)
        self._session: ApiSession[EmbeddingApi] = ApiSession(channel, service.api)
        self._document_pool = RequestPool(f"{service.id}-documents", service.max_requests)
        # Of its own, so that a query never waits behind documents.
        self._query_pool = RequestPool(f"{service.id}-query", 1)
        self.batch_jobs: BatchJobs | None = None
        """Its batch interface, when it has one and the settings want it."""
        if batch_options and service.batch_api:
            self.batch_jobs = BatchJobs(
                batch_options,
                ApiSession(channel, service.batch_api),
                RequestPool(f"{service.id}-batches", 1),
                self._batch_text,
                self._to_vector,
            )
        self.media: RemoteMedia | None = None
        """For images and recordings; None when the model takes text alone."""
        if service.media_api and takes_media(self.model):
            self.media = RemoteMedia(
                ApiSession(channel, service.media_api), self._document_pool, self._to_vector
            )

    def identity(self) -> str:
        """Provider, model, dimensions and prompts; not the address."""
        return f"{self.name}:{self.model}:{self.dimensions()}:{self._prompts.identity}"

    def dimensions(self) -> int:
        """Length of every vector; asks the server once when the model is not known."""
        if not self._dimensions:
            self.embed_query(_PROBE)
        return self._dimensions

    def embed_query(self, text: str) -> Vector:
        """The vector of a query. Raises ProviderUnavailable."""
        timeout_s = self._service.query_timeout_s
        waiting = list(pieces([self._prompts.for_query(text)], self._max_tokens))
        job = partial(self._request, waiting, Kind.QUERY, timeout_s)
        try:
            [vectors] = self._query_pool.run([job], timeout_s)
        except TimeoutError as error:
            raise ProviderUnavailable(
                msg("{name} did not answer", name=self._service.name),
                msg("Nothing came within {n} s.", n=round(timeout_s)),
            ) from error
        return joined(waiting, self._checked(vectors), 1)[0]

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of chunks, in several requests at the same time."""
        texts = [self._prompts.for_document(item.title, item.text) for item in inputs]
        waiting = list(pieces(texts, self._max_tokens))
        timeout_s = self._service.batch_timeout_s
        jobs = [
            partial(self._request, batch, Kind.DOCUMENTS, timeout_s)
            for batch in batches(waiting, self._max_items)
        ]
        vectors = list(chain.from_iterable(self._document_pool.run(jobs)))
        return joined(waiting, self._checked(vectors), len(texts))

    def close(self) -> None:
        """Let all callers go; requests under way are left to themselves."""
        self._document_pool.close()
        self._query_pool.close()
        self._session.close()
        for part in (self.batch_jobs, self.media):
            if part:
                part.close()

    # -- on the threads of the pools ----------------------------------------------------------

    def _request(self, batch: Sequence[Piece], kind: Kind, timeout_s: float) -> list[Vector]:
        vectors = self._embed([piece.text for piece in batch], kind, timeout_s)
        self._on_status("")
        return vectors

    def _embed(self, texts: Sequence[str], kind: Kind, timeout_s: float) -> list[Vector]:
        """Vectors of texts, in as many requests as the provider wants."""
        try:
            return self._session.call(lambda api: _embedded(api, texts, kind, timeout_s))
        except RequestFailed as failure:
            if size := smaller_batch(failure, len(texts)):
                self._max_items = min(self._max_items, size)
                parts = [texts[at : at + size] for at in range(0, len(texts), size)]
                return [vector for part in parts for vector in self._embed(part, kind, timeout_s)]
            both = halves(texts[0])
            if len(texts) == 1 and is_too_long(failure) and len(both) > 1:
                return [mean(self._embed(both, kind, timeout_s), [len(half) for half in both])]
            error = self._session.explain(failure)
            self._on_status(str(error))
            raise error from failure

    # -- for batches and media ----------------------------------------------------------------

    def _batch_text(self, item: EmbeddingInput) -> str:
        """The text as it is sent; empty when it is too long to be one."""
        text = self._prompts.for_document(item.title, item.text)
        return text if len(list(pieces([text], self._max_tokens))) == 1 else ""

    def _to_vector(self, row: RawVector) -> Vector:
        """A row of an answer as a vector: normalised, and as long as all others."""
        [vector] = self._checked([as_vector(row)])
        return vector

    # -- for the caller -----------------------------------------------------------------------

    def _checked(self, vectors: list[Vector]) -> list[Vector]:
        """The vectors, all as long as the others of this model. Raises DimensionsChanged."""
        lengths = {len(vector) for vector in vectors}
        if not self._dimensions and len(lengths) == 1:
            [self._dimensions] = lengths
        if lengths <= {self._dimensions}:
            return vectors
        before, self._dimensions = self._dimensions, max(lengths)
        raise DimensionsChanged(
            msg("{name} changed the model {model}", name=self._service.name, model=self.model),
            msg(
                "Vectors of {after} numbers came instead of {before}; search by words goes on.",
                after=max(lengths),
                before=before,
            ),
            hint="The notes are embedded anew at the next pass.",
        )


def _embedded(
    api: EmbeddingApi, texts: Sequence[str], kind: Kind, timeout_s: float
) -> list[Vector]:
    vectors = [as_vector(row) for row in api.embed(texts, kind, timeout_s)]
    if len(vectors) != len(texts):
        raise RequestFailed(
            UNREADABLE,
            msg("{came} vectors came for {texts} texts.", came=len(vectors), texts=len(texts)),
        )
    return vectors
