"""Sends images and recordings to a remote provider, one in each request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from scrubjay.embedding.media_embedding import Answer, Load, MediaRefused
from scrubjay.embedding.remote.api import RawVector, RequestFailed
from scrubjay.embedding.remote.connection import ApiSession
from scrubjay.embedding.remote.dispatch import RequestPool
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteUnreadable
from scrubjay.records.vectors import Vector

_ABOUT_THE_FILE = frozenset({400, 413, 415, 422})


class MediaApi(Protocol):
    """One request to one provider. Safe to use from several threads at once."""

    def embed_media(self, kind: str, data: bytes, timeout_s: float) -> RawVector:
        """The vector of a file of this MIME type. Raises RequestFailed, or LocalOnly."""

    def close(self) -> None:
        """Close all connections."""


class RemoteMedia:
    """Embeds files with retries, a few at the same time."""

    def __init__(
        self, api: ApiSession[MediaApi], lanes: RequestPool, ready: Callable[[RawVector], Vector]
    ) -> None:
        """Ready checks a vector."""
        self.at_once = api.service.lanes
        self._api = api
        self._lanes = lanes
        self._ready = ready

    def embed(self, files: Sequence[Load]) -> list[Answer]:
        """A vector for each file, or why there is none. Raises ProviderUnavailable."""
        return self._lanes.run([partial(self._one, load) for load in files])

    def close(self) -> None:
        """Close all connections."""
        self._api.close()

    def _one(self, load: Load) -> Answer:
        try:
            kind, data = load()
        except NoteUnreadable as error:
            return error
        except FileNotFoundError:
            return NoteUnreadable(msg("It is gone."))
        timeout_s = self._api.service.batch_timeout_s
        try:
            return self._api.asked(lambda api: self._ready(api.embed_media(kind, data, timeout_s)))
        except RequestFailed as failure:
            explained = self._api.explained(failure)
            # Gemini says 400 of a wrong key as well.
            if failure.status in _ABOUT_THE_FILE and "api key" not in failure.message.lower():
                return MediaRefused(str(explained))
            raise explained from failure
