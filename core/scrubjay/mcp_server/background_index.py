"""Keeps vectors up to date where nobody else does: while the app runs, that is its work.

The words of changed notes are brought in by each search itself.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeAlias

from scrubjay.engine.engine import Engine
from scrubjay.errors import WorkspaceMissing
from scrubjay.events import Event, IndexProgressed
from scrubjay.records.search_records import IndexReport, Workspace

Report: TypeAlias = Callable[[float, float | None, str], None]
"""Done, total if known, what is being done. For any thread."""

_EVERY_S = 60.0
"""Notes that nobody asks about need no vectors at once."""
_LOOK_S = 0.5


class BackgroundIndexer:
    """Runs passes beside the answers, and gives way to the app. For any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._began: dict[str, float] = {}

    def after(self, workspaces: Sequence[Workspace]) -> None:
        """Bring in what an answer may have left; nobody waits for it."""
        due = [one for one in workspaces if self._is_due(one.id)]
        if not due or self._engine.agents.is_user_present():
            return
        for workspace in due:
            with contextlib.suppress(WorkspaceMissing):  # removed at this very moment
                self._begin(workspace.id)

    @contextlib.contextmanager
    def reporting(self, report: Report) -> Iterator[None]:
        """Inside, tell how far indexing is."""

        def hear(event: Event) -> None:
            if isinstance(event, IndexProgressed):
                progress = event.progress
                told = f"{progress.phase} {progress.current}".strip()
                report(progress.done, progress.total or None, told)

        unsubscribe = self._engine.events.subscribe(hear)
        try:
            yield
        finally:
            unsubscribe()

    def _is_due(self, workspace_id: str) -> bool:
        now = time.monotonic()
        with self._lock:
            is_due = now - self._began.get(workspace_id, -_EVERY_S) >= _EVERY_S
            if is_due:
                self._began[workspace_id] = now
            return is_due

    def _begin(self, workspace_id: str) -> None:
        pass_ = self._engine.refresh(workspace_id)
        name = f"scrubjay-upkeep-{workspace_id}"
        threading.Thread(target=self._attend, args=(pass_,), name=name, daemon=True).start()

    def _attend(self, pass_: Future[tuple[IndexReport, ...]]) -> None:
        """The app, once it is there, must not find the index locked by us for long."""
        while not pass_.done():
            with contextlib.suppress(Exception):  # whatever ended it is in the log and the status
                pass_.exception(_LOOK_S)
            if self._engine.agents.is_user_present():
                self._engine.call_off()
                return
