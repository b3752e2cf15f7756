"""Sends images and recordings to a remote provider, one in each request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from scrubjay.embedding.embedding_input import LoadMedia, MediaRefused, MediaResult
from scrubjay.embedding.remote.api import RawVector, RequestFailed
from scrubjay.embedding.remote.connection import ApiSession
from scrubjay.embedding.remote.dispatch import RequestPool
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteUnreadable
from scrubjay.records.vectors import Vector

if TYPE_CHECKING:
    from scrubjay.embedding.remote.gemini_api import GeminiApi

_FILE_REFUSED = frozenset({400, 413, 415, 422})


class RemoteMedia:
    """Embeds files with retries, a few at the same time."""

    def __init__(
        self,
        session: ApiSession[GeminiApi],
        request_pool: RequestPool,
        to_vector: Callable[[RawVector], Vector],
    ) -> None:
        """To_vector normalises and checks a row of an answer."""
        self.at_once = session.service.max_requests
        self._session = session
        self._request_pool = request_pool
        self._to_vector = to_vector

    def embed(self, files: Sequence[LoadMedia]) -> list[MediaResult]:
        """A vector for each file, or why there is none. Raises ProviderUnavailable."""
        return self._request_pool.run([partial(self._embed_file, load) for load in files])

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def _embed_file(self, load: LoadMedia) -> MediaResult:
        try:
            kind, data = load()
        except NoteUnreadable as error:
            return error
        except FileNotFoundError:
            return NoteUnreadable(msg("It is gone."))
        timeout_s = self._session.service.batch_timeout_s
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
