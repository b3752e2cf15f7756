"""Background indexing: computes vectors between answers while the app is not running.

The words of changed notes are indexed by each search itself.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeAlias

from msgspec import Struct

from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexLocked, ScrubjayError, SearchOff, WorkspaceMissing
from scrubjay.event_bus import Event
from scrubjay.events import IndexProgressed
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport
from scrubjay.records.workspace_id import WorkspaceId

log = logging.getLogger(__name__)

Report: TypeAlias = Callable[[float, float | None, str], None]
"""Callback that gets the work done, the total if known, and a description. For any thread."""

_INTERVAL_S = 60.0
"""Seconds between two passes over a workspace."""
_LOOK_S = 1.5
"""Seconds from the start of the server to its first look at the folders, by hand."""
_POLL_S = 0.5
"""Seconds between two looks whether the app has started."""
_LOCKED_S = 3.0
"""Seconds until a pass is tried again that found its index in use by another process."""


class _Turn(Struct):
    """The last pass over a workspace, and the next one."""

    began: float = -math.inf
    """Monotonic time of the last one."""
    again: threading.Timer | None = None
    """Timer of the next attempt, after one that found the index in use."""


class BackgroundIndexer:
    """Runs passes over workspaces until the app starts. For any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._turns: dict[WorkspaceId, _Turn] = defaultdict(_Turn)
        self._watched: list[Future[tuple[IndexReport, ...]]] = []
        """Passes that a thread watches; it ends with the last of them."""

    def refresh(self, workspaces: Sequence[Workspace], *, is_changed: bool = False) -> None:
        """Start passes that are due, or all of them after a change; returns at once."""
        now = time.monotonic()
        # Shared workspaces are indexed by those who share them.
        with self._lock:
            due = [
                workspace
                for workspace in workspaces
                if not workspace.memory_uri
                and (is_changed or now - self._turns[workspace.id].began >= _INTERVAL_S)
            ]
            for workspace in due:
                self._turns[workspace.id].began = now
        if not due or self._engine.agents.is_user_present():
            return
        for workspace in due:
            # Removed or turned off at this very moment.
            with contextlib.suppress(WorkspaceMissing, SearchOff):
                started = self._engine.refresh(workspace)
                started.add_done_callback(functools.partial(self._follow, workspace))
                self._watch(started)

    def _follow(self, workspace: Workspace, ended: Future[tuple[IndexReport, ...]]) -> None:
        """Try a pass again later if the server of another agent was writing the index.

        That server may have begun before the last change, or end before it has learned it.
        """
        if ended.cancelled() or not isinstance(ended.exception(), IndexLocked):
            return
        again = functools.partial(self.refresh, (workspace,), is_changed=True)
        timer = threading.Timer(_LOCKED_S, again)
        timer.daemon = True
        # Several changes may have waited for one pass, and need one attempt.
        with self._lock:
            turn = self._turns[workspace.id]
            former = turn.again
            turn.again = timer
        if former is not None:
            former.cancel()
        timer.start()

    def look(self) -> None:
        """Read changed notes once, as a session begins; their vectors wait for a search."""
        sync = self._engine.settings.settings.memory_search.sync
        if sync.on_session_start and not self._engine.agents.is_user_present():
            # The first answer goes first: a client waits for it, and it reads what changed itself.
            timer = threading.Timer(_LOOK_S, self._refresh_words)
            timer.daemon = True
            timer.start()

    def _refresh_words(self) -> None:
        # The thread of a timer has nobody to tell; a search tries again, and says what is wrong.
        try:
            self._engine.refresh(words_only=True)
        except (OSError, ImportError, ScrubjayError):
            log.warning("Changed notes could not be read at the start", exc_info=True)

    @contextlib.contextmanager
    def reporting(self, report: Report) -> Iterator[None]:
        """Report the progress of indexing inside the block."""

        def on_event(event: Event) -> None:
            # Clients show it beside the tool that is running.
            if isinstance(event, IndexProgressed):
                progress = event.progress
                message = f"{progress.phase} {progress.current}".strip()
                done, total = progress.amount
                report(done, total or None, message)

        unsubscribe = self._engine.events.subscribe(on_event)
        try:
            yield
        finally:
            unsubscribe()

    def _watch(self, started: Future[tuple[IndexReport, ...]]) -> None:
        """Have a pass cancelled once the app runs, by the thread that watches others already."""
        with self._lock:
            is_watching = bool(self._watched)
            self._watched.append(started)
        if not is_watching:
            name = "scrubjay-background"
            threading.Thread(target=self._watch_all, name=name, daemon=True).start()

    def _watch_all(self) -> None:
        """Cancel the passes once the app runs, which must not find the index locked for long."""
        while unfinished := self._unfinished():
            with contextlib.suppress(Exception):  # errors are in the log and the status
                unfinished.exception(_POLL_S)
            # The settings may forbid what is about to be sent.
            self._engine.catch_up_with_settings()
            if self._engine.agents.is_user_present():
                self._engine.cancel_indexing()

    def _unfinished(self) -> Future[tuple[IndexReport, ...]] | None:
        """A pass that has not ended, if there is one; the others are not watched any longer."""
        with self._lock:
            self._watched = [each for each in self._watched if not each.done()]
            return next(iter(self._watched), None)
