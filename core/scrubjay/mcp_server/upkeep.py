"""Keeps the indexes up to date where nobody else does: while the app runs, that is its work."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeAlias

from scrubjay.engine import Engine
from scrubjay.errors import Cancelled, IndexUnavailable
from scrubjay.events import Event, IndexProgressed
from scrubjay.jobs import CancelToken
from scrubjay.records import IndexReport, IndexState, Workspace

Report: TypeAlias = Callable[[float, float | None, str], None]
"""Done, total if known, what is being done. For any thread."""

_FIRST_S = 20.0
"""An index that was never made is waited for so long: without it there is no answer at all."""
_LATER_S = 1.0
"""Changes of an existing one: the answer can do without, and says how far behind it is."""
_QUIET_S = 2.0
"""Requests that follow one another look at the disk once."""
_MEANING_EVERY_S = 60.0
_LOOK_S = 0.05


class Upkeep:
    """Brings indexes up to date before an answer, words first. For any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._looked: dict[str, float] = {}
        self._meaning: dict[str, float] = {}

    def before(self, workspaces: Sequence[Workspace], cancel: CancelToken, report: Report) -> None:
        """Take in what changed. What cannot be read or takes too long stays as it was.

        Raises Cancelled.
        """
        if self._engine.agents.is_attended():
            return
        states = {
            one.workspace.id: one.state for one in self._engine.current_status().result().workspaces
        }
        with self._reporting(report):
            for workspace in workspaces:
                is_first = states.get(workspace.id) is IndexState.NEVER
                if self._is_due(self._looked, workspace.id, _QUIET_S) or is_first:
                    pass_ = self._engine.refresh(workspace.id, words_only=True)
                    _wait(pass_, _FIRST_S if is_first else _LATER_S, cancel)
        for workspace in workspaces:
            if self._is_due(self._meaning, workspace.id, _MEANING_EVERY_S):
                self._engine.refresh(workspace.id)

    def repair(self, workspaces: Sequence[Workspace], cancel: CancelToken) -> None:
        """Build damaged indexes anew, words first. Raises Cancelled."""
        for workspace in workspaces:
            _wait(self._engine.refresh(workspace.id, words_only=True), _FIRST_S, cancel)

    def _is_due(self, last: dict[str, float], workspace_id: str, pause_s: float) -> bool:
        now = time.monotonic()
        with self._lock:
            is_due = now - last.get(workspace_id, -pause_s) >= pause_s
            if is_due:
                last[workspace_id] = now
            return is_due

    @contextlib.contextmanager
    def _reporting(self, report: Report) -> Iterator[None]:
        def hear(event: Event) -> None:
            if isinstance(event, IndexProgressed):
                progress = event.progress
                report(
                    progress.done, progress.total or None, f"{progress.phase} {progress.current}"
                )

        unsubscribe = self._engine.events.subscribe(hear)
        try:
            yield
        finally:
            unsubscribe()


def _wait(pass_: Future[tuple[IndexReport, ...]], seconds: float, cancel: CancelToken) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        cancel.check()
        try:
            pass_.result(_LOOK_S)
        except TimeoutError:
            continue
        except (IndexUnavailable, Cancelled):
            pass  # another process is at it, or the disk is full: what is there may still answer
        return
