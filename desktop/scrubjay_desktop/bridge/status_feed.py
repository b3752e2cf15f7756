"""Turns the core's events into status updates that are not more frequent than people can read."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from scrubjay.engine.engine import Engine
from scrubjay.events import (
    Event,
    IndexChanged,
    IndexFailed,
    IndexFinished,
    Notice,
    WorkspacesChanged,
)
from scrubjay.records.search_records import EngineStatus, IndexState, WorkspaceStatus
from scrubjay_desktop.text.formatting import translated

_STATUS_MS = 100
_AGAIN_MS, _LONGEST_AGAIN_MS = 500, 60_000
"""Pauses after which the status of something unfinished is asked for again, each twice as long."""
_CHANGES_MS = 300
"""A search that is repeated more often than this flickers while notes are indexed."""


class StatusFeed(QObject):
    """Asks the engine for its status when something happened."""

    changed = Signal(object)
    """An EngineStatus."""
    notes_changed = Signal()
    """Open result lists are out of date."""
    workspaces_changed = Signal()
    announced = Signal(str)
    """Something that a person should know once."""

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._status_due = QTimer(self, singleShot=True, interval=_STATUS_MS)
        self._status_due.timeout.connect(self.refresh)
        self._again_due = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again_due.timeout.connect(self._ask_again)
        self._changes_due = QTimer(self, singleShot=True, interval=_CHANGES_MS)
        self._changes_due.timeout.connect(self.notes_changed)

    @property
    def status(self) -> EngineStatus:
        """The status as it is now."""
        return self._engine.status()

    def on_event(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case Notice(title=title, message=message):
                self.announced.emit(
                    f"{translated(title)}: {translated(message)}" if message else translated(title)
                )
            case IndexFailed(reason=reason):
                self.announced.emit(translated(reason))
            case WorkspacesChanged():
                self.workspaces_changed.emit()
                self.refresh()
            case IndexChanged() | IndexFinished():
                _start(self._changes_due)
            case _:
                pass
        self._again_due.setInterval(_AGAIN_MS)
        _start(self._status_due)

    def refresh(self) -> None:
        """Announce the status now."""
        self._status_due.stop()
        status = self._engine.status()
        self.changed.emit(status)
        # No event may tell its end: a change is settled a moment after its pass.
        if any(_is_unfinished(workspace) for workspace in status.workspaces):
            self._again_due.start()
        else:
            self._again_due.stop()

    def _ask_again(self) -> None:
        self._again_due.setInterval(min(2 * self._again_due.interval(), _LONGEST_AGAIN_MS))
        self.refresh()

    def close(self) -> None:
        """Announce nothing any more."""
        self._status_due.stop()
        self._again_due.stop()
        self._changes_due.stop()


def _is_unfinished(workspace: WorkspaceStatus) -> bool:
    is_waiting = workspace.state is IndexState.READY and workspace.freshness.pending
    return bool(is_waiting) or workspace.state in (IndexState.WAITING, IndexState.INDEXING)


def _start(timer: QTimer) -> None:
    if not timer.isActive():
        timer.start()
