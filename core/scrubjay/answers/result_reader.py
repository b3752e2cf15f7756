"""The result reader: a small language model that reads the first hits of answers again.

It is optional. The answer as it was found is given where no result reader is here, where none may
work, where it fails, and where it takes too long.
"""

from __future__ import annotations

import contextlib
import threading
import time
from concurrent.futures import Future, InvalidStateError
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.answers.second_look import look_again
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue, is_refused
from scrubjay.concurrency.timers import Timers
from scrubjay.config.schema.search_query import QuerySettings
from scrubjay.embedding.local.local_reader import LocalReader
from scrubjay.errors import Cancelled, ProviderUnavailable, WorkspaceMissing
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import ModelRemovalBegan, ModelsChanged, ReaderChanged, SettingsChanged
from scrubjay.messages import msg
from scrubjay.models.model_files import find_reader
from scrubjay.platform.paths import Paths
from scrubjay.platform.power import SUPPLIES, is_on_battery
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer, SearchRequest
from scrubjay.records.status_records import ModelStatus
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

_MARGIN_S = 0.2
"""Seconds before the deadline of searches at which the answer as it was found is given."""
_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for an answer that is being read."""


class _Look(Struct):
    """An answer that waits to be read again."""

    found: SearchAnswer
    query: QuerySettings
    cancel: CancelToken
    """The token of the search."""
    result: Future[SearchAnswer]
    abandoned: CancelToken = field(default_factory=CancelToken)
    """Cancels the reading when the search is cancelled, and when its time is up."""
    began: float = field(default_factory=time.monotonic)

    def end(self, result: SearchAnswer | BaseException) -> None:
        """Give the answer or raise in its future, unless another answer was there first."""
        with contextlib.suppress(InvalidStateError):
            if isinstance(result, BaseException):
                self.result.set_exception(result)
            else:
                elapsed_ms = result.elapsed_ms + (time.monotonic() - self.began) * 1000
                self.result.set_result(replace(result, elapsed_ms=elapsed_ms))

    def give_up(self) -> None:
        """Give the answer as it was found, since its time is up."""
        late = msg("The results were not read again, because that took too long.")
        self.end(replace(self.found, not_read_again=late))
        self.abandoned.cancel()


class ResultReader(Struct, eq=False):
    """Reads the first hits of answers again, on its own thread. For any thread."""

    _paths: Paths
    _registry: Registry
    _board: StatusBoard
    _events: EventBus
    _timers: Timers
    _limits: EngineLimits = DEFAULT_LIMITS
    _supplies: Path = SUPPLIES
    """Folder in which Linux lists batteries and mains."""
    _jobs: SerialQueue = field(default_factory=lambda: SerialQueue(DaemonThreadPool("reader")))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _reader: LocalReader | None = None
    _is_closed: bool = False
    _failure: str = ""
    _rests_until: float = 0.0
    """Time until which the failure stands for an attempt."""

    @property
    def is_warm(self) -> bool:
        """Whether its model is loaded, so that it takes less than a second."""
        reader = self._reader
        return reader is not None and reader.child_pid is not None

    def read_again(
        self, answer: Future[SearchAnswer], request: SearchRequest, cancel: CancelToken
    ) -> Future[SearchAnswer]:
        """The answer with its first hits read again where that is possible in time.

        The future may raise what that of the answer raises.
        """
        asked_at = time.monotonic()
        result: Future[SearchAnswer] = Future()
        result.set_running_or_notify_cancel()

        def follow(done: Future[SearchAnswer]) -> None:
            error = done.exception()
            if error:
                result.set_exception(error)
                return
            found = done.result()
            query = self._query_settings(request)
            # Who asks for words alone wants them in their order.
            if query.reader == "off" or request.mode is Mode.LEXICAL:
                result.set_result(found)
                return
            look = _Look(found, query, cancel, result)
            deadline_s = query.deadline_ms / 1000 - _MARGIN_S
            until = asked_at + min(deadline_s, request.second_look_seconds)
            self._begin(look, until - look.began)

        answer.add_done_callback(follow)
        return result

    def listen(self) -> None:
        """Close its model from now on before the file of that is deleted, and once it is off."""

        def release(event: Event) -> None:
            if isinstance(event, ModelRemovalBegan):
                self._release(event.file)
            else:
                self._release_unused()

        self._events.subscribe(release, ModelRemovalBegan, ModelsChanged, SettingsChanged)

    def close(self) -> None:
        """Stop at once, and start no model."""
        with self._lock:
            self._is_closed = True
            reader = self._reader
            self._reader = None
        if reader:
            reader.close()
        self._jobs.close(_CLOSE_SECONDS)

    def _release(self, file: Path) -> None:
        with self._lock:
            reader = self._reader
            if reader is None or reader.file != file:
                return
            self._reader = None
            self._failure = ""
            self._rests_until = 0.0
        reader.close()
        # What was said of it, such as that it stopped, says nothing of the next one.
        self._show(None)

    def _release_unused(self) -> None:
        """Close its model if the settings turn it off, or if somebody deleted the file."""
        reader = self._reader
        if reader is None:
            return
        query = self._registry.loaded.settings.memory_search.query
        if query.reader == "off" or not reader.file.exists():
            self._release(reader.file)

    def _begin(self, look: _Look, seconds: float) -> None:
        """Have an answer read again within so many seconds."""
        if seconds <= 0:
            look.give_up()
            return
        # The thread may be busy with another answer all that time.
        timer = self._timers.after(seconds, look.give_up)
        look.result.add_done_callback(lambda _: timer.cancel())
        if is_refused(self._jobs.submit(lambda: look.end(self._read(look)))):
            look.end(Cancelled())

    # -- on its thread ------------------------------------------------------------------------

    def _read(self, look: _Look) -> SearchAnswer | BaseException:
        """The answer after reading, or the error that ended it."""
        try:
            look.cancel.check()
            file = self._file()
            if file is None:
                self._release_unused()
                return look.found
            # What stands in the way now may have gone at the next search.
            obstacle = self._obstacle()
            if obstacle:
                return replace(look.found, not_read_again=obstacle)
            reader = self._reader_of(file)
            with look.cancel.calling(look.abandoned.cancel):
                return self._read_by(reader, look)
        except BaseException as error:  # the caller waits for an answer
            return error

    def _read_by(self, reader: LocalReader, look: _Look) -> SearchAnswer:
        """The answer that a model has read again; as it was found if that fails."""
        found = look.found
        request = found.request

        def min_score(hit: Hit) -> float:
            if request.min_score is not None:
                return request.min_score
            return self._query_settings(hit).min_score

        try:
            read = look_again(found, reader, min_score, look.abandoned)
        except ProviderUnavailable:
            # That it was closed is not a fault of the model.
            if reader is self._reader:
                found = replace(found, not_read_again=self._fail(reader))
            return found
        # Nothing to read, or nothing that can be weighed.
        if read is found:
            return read
        self._show(ModelStatus("local", reader.file.stem, is_ready=True))
        # Uncertain hits that became sure take no more places than there are.
        most = request.max_results or look.query.max_results
        hits = read.hits[: max(most, len(found.hits))]
        return replace(read, hits=hits, read_again_by=reader.file.stem)

    def _fail(self, reader: LocalReader) -> str:
        """A sentence on a model that stopped, which the status tells too; it rests for a while."""
        name = reader.file.stem
        self._failure = msg(
            "The result reader {name} stopped unexpectedly. The results are shown as they were "
            "found.",
            name=name,
        )
        self._rests_until = time.monotonic() + self._limits.reader_rest_seconds
        self._show(ModelStatus("local", name, is_ready=False, reason=self._failure))
        return self._failure

    def _file(self) -> Path | None:
        """The file of the result reader that is here; None if there is none."""
        local = self._registry.loaded.settings.memory_search.local
        return find_reader(self._paths, local.model_cache_dir)

    def _reader_of(self, file: Path) -> LocalReader:
        """The model of a file, which takes the place of another one. Raises Cancelled."""
        with self._lock:
            if self._is_closed:
                raise Cancelled
            former = self._reader
            if former and former.file == file:
                return former
            self._reader = LocalReader(file)
            reader = self._reader
        # Not under the lock: a child that is at work takes a moment to end.
        if former:
            former.close()
        return reader

    def _obstacle(self) -> str:
        """Why nothing is read right now; empty if it is."""
        if self._board.is_paused:
            return msg("The results were not read again, because Scrubjay is paused.")
        if is_on_battery(self._supplies):
            return msg("The results were not read again, to save the battery.")
        if time.monotonic() < self._rests_until:
            return self._failure
        return ""

    def _query_settings(self, asked: SearchRequest | Hit) -> QuerySettings:
        """The settings for queries of the workspace of a request or a hit, else those of all."""
        if asked.workspace:
            with contextlib.suppress(WorkspaceMissing):
                return self._registry.find(asked.workspace).settings.query
        return self._registry.loaded.settings.memory_search.query

    def _show(self, status: ModelStatus | None) -> None:
        if self._board.set_reader(status):
            self._events.publish(ReaderChanged(status))
