"""A remote embedding provider: batches, lanes, retries and what goes wrong, around one API."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

import numpy as np

from scrubjay.embedding.batch_jobs import Bulk, BulkTerms
from scrubjay.embedding.media_embedding import MediaEmbedding
from scrubjay.embedding.provider import EmbeddingInput
from scrubjay.embedding.remote.api import (
    UNREADABLE,
    EmbeddingApi,
    Kind,
    RawVector,
    RequestFailed,
    as_vector,
)
from scrubjay.embedding.remote.batch.batch_runner import RemoteBulk
from scrubjay.embedding.remote.connection import ApiChannel, ApiSession, Connection
from scrubjay.embedding.remote.dispatch import RequestPool
from scrubjay.embedding.remote.remote_media import RemoteMedia
from scrubjay.embedding.remote.request_batches import (
    Piece,
    batches,
    halves,
    is_too_long,
    pieces,
    smaller_batch,
)
from scrubjay.embedding.remote.services import RemoteService, max_tokens, takes_media
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.platform.http_access import Network, host_of, is_this_computer
from scrubjay.records.vectors import Vector, normalized

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
        bulk: BulkTerms | None = None,
        changed: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """Dimensions are asked for where given. Changed is told "" or why there was no answer.

        With bulk the provider's batch interface is used, where it has one.
        """
        self.name = service.id
        self.model = model or service.model
        self.host = "" if is_this_computer(connection.base_url) else host_of(connection.base_url)
        self._service = service
        known = service.models.get(self.model.partition(":")[0])
        self._dimensions = dimensions or (known.dimensions if known else 0)
        self._max_tokens = max_tokens(service, self.model)
        self._max_items = service.max_items
        self._profile = service.prompts(self.model)
        self._changed = changed
        line = ApiChannel(connection, network, service, self.model, dimensions)
        self._api = ApiSession(line, service.open_api)
        self._lanes = RequestPool(f"{service.id}-documents", service.lanes)
        # Of its own, so that a query never waits behind documents.
        self._query_lane = RequestPool(f"{service.id}-query", 1)
        self._bulk = None
        if bulk and service.open_bulk:
            api = ApiSession(line, service.open_bulk)
            bulk_lane = RequestPool(f"{service.id}-batches", 1)
            self._bulk = RemoteBulk(bulk, api, bulk_lane, self._bulk_text, self._ready)
        self._media = None
        if service.open_media and takes_media(self.model):
            self._media = RemoteMedia(
                ApiSession(line, service.open_media), self._lanes, self._ready
            )

    @property
    def bulk(self) -> Bulk | None:
        """Its batch interface, when it has one and the settings want it."""
        return self._bulk

    @property
    def media(self) -> MediaEmbedding | None:
        """For images and recordings; None when the model takes text alone."""
        return self._media

    def identity(self) -> str:
        """Provider, model, dimensions and prompts; not the address."""
        return f"{self.name}:{self.model}:{self.dimensions()}:{self._profile.identity}"

    def dimensions(self) -> int:
        """Length of every vector; asks the server once when the model is not known."""
        if not self._dimensions:
            self.embed_query(_PROBE)
        return self._dimensions

    def embed_query(self, text: str) -> Vector:
        """Embed a query."""
        timeout_s = self._service.query_timeout_s
        waiting = list(pieces([self._profile.for_query(text)], self._max_tokens))
        job = partial(self._request, waiting, Kind.QUERY, timeout_s)
        try:
            [vectors] = self._query_lane.run([job], timeout_s)
        except TimeoutError as error:
            raise ProviderUnavailable(
                msg("{name} did not answer", name=self._service.name),
                msg("Nothing came within {n} s.", n=round(timeout_s)),
            ) from error
        return _joined(waiting, self._checked(vectors), 1)[0]

    def embed_documents(self, passages: Sequence[EmbeddingInput]) -> list[Vector]:
        """Embed chunks, several requests at the same time."""
        texts = [self._profile.for_document(one.title, one.text) for one in passages]
        waiting = list(pieces(texts, self._max_tokens))
        timeout_s = self._service.batch_timeout_s
        jobs = [
            partial(self._request, batch, Kind.DOCUMENTS, timeout_s)
            for batch in batches(waiting, self._max_items)
        ]
        vectors = list(chain.from_iterable(self._lanes.run(jobs)))
        return _joined(waiting, self._checked(vectors), len(texts))

    def close(self) -> None:
        """Let all callers go; requests under way are left to themselves."""
        self._lanes.close()
        self._query_lane.close()
        self._api.close()
        for part in (self._bulk, self._media):
            if part:
                part.close()

    # -- on the lanes -------------------------------------------------------------------------

    def _request(self, batch: Sequence[Piece], kind: Kind, timeout_s: float) -> list[Vector]:
        texts = [piece.text for piece in batch]
        vectors = self._embed(texts, kind, timeout_s)
        self._changed("")
        return vectors

    def _embed(self, texts: Sequence[str], kind: Kind, timeout_s: float) -> list[Vector]:
        """Vectors of texts, in as many requests as the provider wants to have them."""
        try:
            return self._api.asked(lambda api: _embedded(api, texts, kind, timeout_s))
        except RequestFailed as failure:
            if size := smaller_batch(failure, len(texts)):
                self._max_items = min(self._max_items, size)
                parts = [texts[at : at + size] for at in range(0, len(texts), size)]
                return [one for part in parts for one in self._embed(part, kind, timeout_s)]
            both = halves(texts[0])
            if len(texts) == 1 and is_too_long(failure) and len(both) > 1:
                return [_mean(self._embed(both, kind, timeout_s), [len(half) for half in both])]
            explained = self._api.explained(failure)
            self._changed(str(explained))
            raise explained from failure

    # -- for batches --------------------------------------------------------------------------

    def _bulk_text(self, passage: EmbeddingInput) -> str:
        """The text as it is sent; empty when it is too long to be one."""
        text = self._profile.for_document(passage.title, passage.text)
        return text if len(list(pieces([text], self._max_tokens))) == 1 else ""

    def _ready(self, row: RawVector) -> Vector:
        """A vector of a batch, normalised and as long as all others."""
        [vector] = self._checked([as_vector(row)])
        return vector

    # -- for the caller -----------------------------------------------------------------------

    def _checked(self, vectors: list[Vector]) -> list[Vector]:
        """The vectors, which are all as long as the others of this model."""
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
    vectors = [as_vector(one) for one in api.embed(texts, kind, timeout_s)]
    if len(vectors) != len(texts):
        raise RequestFailed(
            UNREADABLE,
            msg("{came} vectors came for {texts} texts.", came=len(vectors), texts=len(texts)),
        )
    return vectors


def _joined(waiting: Sequence[Piece], vectors: Sequence[Vector], rows: int) -> list[Vector]:
    """One vector for each text; pieces of one text are averaged by their length."""
    parts: list[list[int]] = [[] for _ in range(rows)]
    for at, piece in enumerate(waiting):
        parts[piece.row].append(at)
    return [
        vectors[at[0]]
        if len(at) == 1
        else _mean([vectors[one] for one in at], [len(waiting[one].text) for one in at])
        for at in parts
    ]


def _mean(vectors: Sequence[Vector], weights: Sequence[int]) -> Vector:
    if len({len(vector) for vector in vectors}) != 1 or not math.fsum(weights):
        return vectors[0]
    return normalized(np.average(np.stack(vectors), axis=0, weights=weights))
