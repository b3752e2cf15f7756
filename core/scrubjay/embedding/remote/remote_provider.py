"""A remote embedding provider: its requests, retries and failures, around one API."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from scrubjay.config.schema.memory_search import BatchSettings
from scrubjay.embedding.embedding_input import EmbeddingInput, LoadMedia, MediaRefused, MediaResult
from scrubjay.embedding.remote.api import (
    UNREADABLE,
    EmbeddingApi,
    RawVector,
    RequestFailed,
    as_vector,
)
from scrubjay.embedding.remote.api_session import ApiConnection, ApiSession
from scrubjay.embedding.remote.batch_jobs import BatchJobs
from scrubjay.embedding.remote.request_pool import RequestPool
from scrubjay.embedding.remote.request_splitting import (
    average_pieces,
    is_too_long,
    mean_vector,
    smaller_batch,
    split_in_half,
    split_texts,
)
from scrubjay.embedding.remote.retries import QUICK_RETRIES
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.notes.chunker import estimate_tokens
from scrubjay.notes.note_reader import NoteUnreadable
from scrubjay.platform.http_access import host_of, is_this_computer
from scrubjay.records.vectors import Vector
from scrubjay.text.grouping import group_by_size

BATCH_TOKENS = 8_000
"""Tokens of one request: enough that a round trip is well used, and few enough to be soon
repeated."""

_LEAST_QUERY_S = 0.8
"""Seconds for the server alone, where a fallback waits."""
_FILE_REFUSED = frozenset({400, 413, 415, 422})
_PROBE = "dimensions"
"""Text that is embedded to learn how long the vectors of a server are."""


class RemoteProvider:
    """Embeds by asking a server. Nothing is imported, opened or sent before the first text."""

    is_local = False

    def __init__(
        self,
        connection: ApiConnection,
        batch: BatchSettings | None = None,
        *,
        on_status: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """On_status gets why there was no answer, or "". Batches are as the settings want."""
        service = connection.service
        self.name = service.id
        self.model = connection.model
        self.host = "" if is_this_computer(connection.base_url) else host_of(connection.base_url)
        self._service = service
        self._query_s = connection.query_s
        # Numbers of the model; what the server gave or was asked for goes before what is published.
        published = service.published(self.model)
        self._dimensions = connection.length or connection.dimensions or published.dimensions
        self._keep_length = connection.keep_length
        # The length at this server may differ from the published one.
        self._is_length_confirmed = bool(connection.length or connection.dimensions)
        # Vectors of texts that were paid for when the server changed their length.
        self._paid: dict[str, Vector] = {}
        self._max_tokens = published.max_tokens
        self._max_items = service.max_items
        self._prompts = service.prompts(self.model)
        self._on_status = on_status
        self._session: ApiSession[Any] = ApiSession(connection, service.api)
        self._document_pool = RequestPool(f"{service.id}-documents", service.max_requests)
        # A separate pool, so that a query never waits for documents.
        self._query_pool = RequestPool(f"{service.id}-query", 1)
        self.batch_jobs: BatchJobs | None = None
        """Its batch interface, when it has one and the settings want it."""
        if batch and batch.enabled and service.batch_api:
            self.batch_jobs = BatchJobs(
                settings=batch,
                session=ApiSession(connection, service.batch_api),
                request_pool=RequestPool(f"{service.id}-batches", 1),
                confirm_length=self._confirm_length,
                text_of=self._batch_text,
                to_vector=self._to_vector,
            )
        self.media = self if service.takes_media(self.model) else None
        """Itself, to embed images and recordings; None if the model takes text alone."""
        self.media_at_once = service.max_requests

    def identity(self) -> str:
        """Provider, model, dimensions and prompts; not the address."""
        return f"{self.name}:{self.model}:{self.dimensions()}:{self._prompts.identity}"

    def dimensions(self) -> int:
        """Length of every vector; asks the server once when the model is not known."""
        if not self._dimensions:
            self.embed_queries([_PROBE])[0]
        return self._dimensions

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of queries, in one request. Raises ProviderUnavailable."""
        timeout_s = self._service.query_timeout_s
        limit_s = timeout_s
        asked = [self._prompts.for_query(text) for text in texts]
        waiting = split_texts(asked, self._max_tokens)
        job = partial(self._embed, [part for _, part in waiting], timeout_s, is_query=True)
        try:
            if self._query_s:
                # Libraries and keys take their time once, whatever the server does.
                began = time.monotonic()
                self._query_pool.run([lambda: self._session.call(lambda _: None)], timeout_s)
                limit_s = max(_LEAST_QUERY_S, self._query_s - (time.monotonic() - began))
            [vectors] = self._query_pool.run([job], limit_s)
        except TimeoutError as error:
            raise ProviderUnavailable(
                msg("{name} did not respond", name=self._service.name),
                msg("No data arrived within {n} s.", n=round(limit_s)),
            ) from error
        return average_pieces(waiting, self._checked(vectors))

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        """The vectors of chunks, in several requests at the same time."""
        self._confirm_length()
        # Texts in pieces that fit the model, pieces in requests that fit the server.
        texts = [self._prompts.for_document(item.title, item.text) for item in inputs]
        waiting = split_texts(texts, self._max_tokens)
        # Pieces that an earlier attempt has paid for are not sent again. Those whose vectors have
        # another length than the others are sent, or no attempt would ever succeed.
        pieces = [piece for _, piece in waiting]
        length = self._dimensions
        paid = {piece: each for piece, each in self._paid.items() if len(each) == length}
        self._paid = {}
        unpaid = [piece for piece in pieces if piece not in paid]
        parts = group_by_size(unpaid, estimate_tokens, BATCH_TOKENS, self._max_items)
        timeout_s = self._service.batch_timeout_s
        jobs = [partial(self._embed, some, timeout_s, is_query=False) for some in parts]
        vectors = iter(list(chain.from_iterable(self._document_pool.run(jobs))))
        found = [paid[piece] if piece in paid else next(vectors) for piece in pieces]
        try:
            return average_pieces(waiting, self._checked(found))
        except DimensionsChanged:
            # The next attempt takes those of these vectors that are as long as the others.
            self._paid = dict(zip(pieces, found, strict=True))
            raise

    def embed_media(self, files: Sequence[LoadMedia]) -> list[MediaResult]:
        """A vector for each file, or why there is none. Raises ProviderUnavailable."""
        return self._document_pool.run([partial(self._embed_file, load) for load in files])

    def close(self) -> None:
        """Let all callers go; requests under way are left to themselves."""
        self._document_pool.close()
        self._query_pool.close()
        self._session.close()
        if self.batch_jobs:
            self.batch_jobs.close()

    def _confirm_length(self) -> None:
        """Ask the server for one vector before the first notes. Raises DimensionsChanged.

        Its vectors may not be as long as published, and notes would then be paid for twice.
        """
        if not self._is_length_confirmed:
            timeout_s = self._service.batch_timeout_s
            job = partial(self._embed, [_PROBE], timeout_s, is_query=False)
            [vectors] = self._document_pool.run([job])
            self._checked(vectors)

    # -- on the threads of the pools ----------------------------------------------------------

    def _embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> list[Vector]:
        """Vectors of texts, in as many requests as the provider wants."""
        again = partial(self._embed, timeout_s=timeout_s, is_query=is_query)

        def request(api: EmbeddingApi) -> list[Vector]:
            vectors = [as_vector(row) for row in api.embed(texts, timeout_s, is_query=is_query)]
            if len(vectors) == len(texts):
                return vectors
            wrong = msg(
                "The service returned {came} {came:response|responses} for {texts} "
                "{texts:text|texts} instead of one for each.",
                came=len(vectors),
                texts=len(texts),
            )
            raise RequestFailed(UNREADABLE, wrong)

        retries = QUICK_RETRIES if is_query and self._query_s else None
        try:
            vectors = self._session.call(request, retries)
        except RequestFailed as failure:
            # Too many texts at once are sent in parts, and from now on fewer at once.
            size = smaller_batch(failure, len(texts))
            if size:
                self._max_items = min(self._max_items, size)
                parts = [texts[at : at + size] for at in range(0, len(texts), size)]
                return [vector for part in parts for vector in again(part)]
            # One text that is too long is sent in halves.
            both = split_in_half(texts[0])
            if len(texts) == 1 and is_too_long(failure) and len(both) > 1:
                return [mean_vector(again(both), [len(half) for half in both])]
            error = self._session.explain(failure)
            self._on_status(str(error))
            raise error from failure
        self._on_status("")
        return vectors

    def _embed_file(self, load: LoadMedia) -> MediaResult:
        # Read right before it is sent: it may have gone meanwhile.
        try:
            kind, data = load()
        except NoteUnreadable as error:
            return error
        except FileNotFoundError:
            return NoteUnreadable(msg("The file no longer exists."))
        timeout_s = self._service.batch_timeout_s
        try:
            return self._session.call(
                lambda api: self._to_vector(api.embed_media(kind, data, timeout_s))
            )
        except RequestFailed as failure:
            explained = self._session.explain(failure)
            # Gemini says 400 of a wrong key as well.
            if failure.status in _FILE_REFUSED and "api key" not in failure.message.lower():
                return MediaRefused(str(explained))
            raise explained from failure

    # -- for batches and media ----------------------------------------------------------------

    def _batch_text(self, item: EmbeddingInput) -> str:
        """The text as it is sent; empty if it is too long to be one."""
        text = self._prompts.for_document(item.title, item.text)
        if len(split_texts([text], self._max_tokens)) > 1:
            return ""
        return text

    def _to_vector(self, row: RawVector) -> Vector:
        """A row of an answer as a vector: normalised, and as long as all others."""
        [vector] = self._checked([as_vector(row)])
        return vector

    # -- for the caller -----------------------------------------------------------------------

    def _checked(self, vectors: list[Vector]) -> list[Vector]:
        """The vectors, all as long as the others of this model. Raises DimensionsChanged."""
        # The first answer of an unknown model tells its length; later ones have to agree.
        lengths = {len(vector) for vector in vectors}
        if not self._dimensions and len(lengths) == 1:
            [self._dimensions] = lengths
        if lengths <= {self._dimensions}:
            if not self._is_length_confirmed:
                self._is_length_confirmed = True
                self._keep_length(self._dimensions)
            return vectors
        # Some vectors may have come before the change: the other length is the one of now.
        before = self._dimensions
        self._dimensions = max(lengths - {before})
        self._is_length_confirmed = True
        self._keep_length(self._dimensions)
        raise DimensionsChanged(
            msg(
                "{name} changed its language helper {model}",
                name=self._service.name,
                model=self.model,
            ),
            msg(
                "The service's responses now have {after} numbers instead of {before}. "
                "You can still search by words.",
                after=self._dimensions,
                before=before,
            ),
            hint="At the next check, Scrubjay will prepare the notes for search by meaning again.",
        )
