"""The parent's end of the child process that publishes folders in shared memories."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, SharedUnavailable
from scrubjay.messages import deserialize_sentence, msg
from scrubjay.records.shared_records import SharedRecord
from scrubjay.store.lancedb.publishing_requests import (
    PublisherAt,
    PublishingAnswer,
    PublishingRequest,
)
from scrubjay.store.lancedb.shared_store import TOO_LARGE
from scrubjay.store.lancedb.worker_run import MOST_MEMORY, OnPending, RunEnded, WorkerRun
from scrubjay.store.local_index_export import LocalIndexExport

log = logging.getLogger(__name__)

_BYTES_OF_A_CHUNK = 1_024
"""Bytes of memory for each passage beside those of a reader: to take a million into the indexes
needs 1.8 GB in all."""
_BROKE_DOWN = msg("The program that publishes folders crashed")


class TookTooMuch(SharedUnavailable):
    """The process was ended because of what it had to keep in memory for the tables."""


class PublishingProcess:
    """Makes publications in a child process, started when needed. One request at a time."""

    def __init__(self, most_memory: int = MOST_MEMORY) -> None:
        """The process is ended at so many bytes of memory, and what a request adds to them."""
        self._most_memory = most_memory
        self._run: WorkerRun | None = None
        self._answers = msgspec.msgpack.Decoder(PublishingAnswer)

    @property
    def pid(self) -> int | None:
        """The id of the child; None before the first request, and after its end."""
        if self._run is None or not self._run.is_alive:
            return None
        return self._run.process.pid

    def ask(
        self,
        request: PublishingRequest,
        cancel: CancelToken | None = None,
        on_pending: OnPending | None = None,
        *,
        more_memory: int = 0,
    ) -> PublishingAnswer:
        """The answer to a request. Raises SharedUnavailable or Cancelled."""
        most_memory = self._most_memory + more_memory
        if self._run is None or not self._run.is_alive:
            self._run = WorkerRun(most_memory, is_background=True)
        # It may have kept memory of a larger publication.
        self._run.most_memory = max(self._run.most_memory, most_memory)
        away = msg("The shared memory {uri} cannot be reached", uri=request.at.place.uri)
        try:
            header, payload = self._run.ask(msgspec.msgpack.encode(request), cancel, on_pending)
        except RunEnded as ended:
            if ended.is_too_large:
                raise TookTooMuch(away, msg("{reason}.", reason=TOO_LARGE)) from None
            raise SharedUnavailable(away, msg("{reason}.", reason=_BROKE_DOWN)) from None

        # Errors that nobody expects are for the log of the app, since the child has none.
        if "fault" in header:
            log.error("Publishing failed: %s", header["fault"])
        if "raised" in header:
            raise _error(header["raised"])
        if "cancelled" in header:
            raise Cancelled
        return self._answers.decode(payload)

    def close(self) -> None:
        """End the child."""
        if self._run:
            self._run.end()


class ChildPublisher:
    """Publishes one workspace repeatedly, in the child. For one thread.

    Raises SharedUnavailable.
    """

    def __init__(self, process: PublishingProcess, at: Callable[[], PublisherAt]) -> None:
        """At tells what is published where, with the key and the settings of the moment."""
        self._process = process
        self._at = at
        self.record: SharedRecord | None = None
        """Record of the workspace, as last read or written."""

    @property
    def holder(self) -> str:
        """The name of the computer that publishes, as it was last read."""
        return self.record.holder if self.record else ""

    def look(self) -> PublishingAnswer:
        """What is published now."""
        return self._process.ask(PublishingRequest(self._at(), "look"))

    def begin(self) -> None:
        """Make the shared memory where there is none, which publications never do."""
        self._process.ask(PublishingRequest(self._at(), "begin"))

    def withdraw(self) -> bool:
        """Delete the workspace from the shared memory; False if another one publishes it."""
        return self._process.ask(PublishingRequest(self._at(), "withdraw")).is_done

    def publish(
        self,
        index: LocalIndexExport,
        file: Path,
        cancel: CancelToken,
        on_pending: OnPending,
        *,
        is_wanted: bool,
        is_first: bool,
    ) -> bool:
        """Publish an index; False if another computer publishes. See `Publisher.publish`."""
        request = PublishingRequest(
            self._at(), "publish", index_file=str(file), is_wanted=is_wanted, is_first=is_first
        )
        more = _BYTES_OF_A_CHUNK * index.chunk_count()

        # A process that ran before may have been full of something else. Tables that are too large
        # for a new one are damaged, and are written from the start.
        was_running = self._process.pid is not None
        answer = self._tried(request, cancel, on_pending=on_pending, more=more)
        if answer is None and was_running:
            answer = self._tried(request, cancel, on_pending=on_pending, more=more)
        if answer is None:
            log.warning("Publishing %s anew, because of the size of its tables", request.at.name)
            again = replace(request, starts_over=True)
            answer = self._process.ask(again, cancel, on_pending, more_memory=more)
        self.record = answer.record
        return answer.is_done

    def _tried(
        self, request: PublishingRequest, cancel: CancelToken, on_pending: OnPending, more: int
    ) -> PublishingAnswer | None:
        """The answer to a request; None if the process took too much memory for it."""
        try:
            return self._process.ask(request, cancel, on_pending, more_memory=more)
        except TookTooMuch:
            return None


def _error(words: Sequence[str]) -> SharedUnavailable:
    """The error that the child told of."""
    title, message, hint = map(deserialize_sentence, words)
    return SharedUnavailable(title, message, hint=hint)
