"""Turns the core's events into status updates that are not more frequent than people can read."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.records.status_records import EngineStatus
from scrubjay_desktop.text.formatting import translated

_STATUS_MS = 100
"""Milliseconds between two statuses, as often as people can read them."""
_LOOK_MS = 5_000
"""Milliseconds between two looks at shared memories while a window is used."""
_CHANGES_MS = 300
"""Milliseconds between two repeated searches: more often they flicker while notes are indexed."""


class StatusFeed(QObject):
    """Asks the engine for its status when something happened."""

    changed = Signal(object)
    """Signal with an EngineStatus."""
    notes_changed = Signal()
    """Signal that open result lists are out of date."""
    workspaces_changed = Signal()
    announced = Signal(str, str)
    """Signal with something that a person should know once, and its cause if it has one."""
    resolved = Signal(str, str)
    """Signal with a cause that is gone, and what works again; empty where nobody was told."""

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        # Each timer holds back what would come too often.
        self._status_due = QTimer(self, singleShot=True, interval=_STATUS_MS)
        self._status_due.timeout.connect(self.refresh)
        self._changes_due = QTimer(self, singleShot=True, interval=_CHANGES_MS)
        self._changes_due.timeout.connect(self.notes_changed)
        self._look_due = QTimer(self, interval=_LOOK_MS)
        self._look_due.timeout.connect(self._look)

    @property
    def status(self) -> EngineStatus:
        """The status as it is now."""
        return self._engine.status()

    def on_event(self, event: Event) -> None:
        """Take note of an event."""
        # Only now: before the first frame there is none.
        from scrubjay.events import (
            IndexChanged,
            IndexFailed,
            IndexFinished,
            Notice,
            Resolved,
            SharedChanged,
            WorkspacesChanged,
        )

        match event:
            # What a person should know is announced, and all else is seen in the status.
            case Notice(title=title, message=message, cause=cause):
                sentence = translated(title)
                if message:
                    sentence = f"{sentence}: {translated(message)}"
                self.announced.emit(sentence, cause)
            case IndexFailed(workspace=workspace, reason=reason):
                self.announced.emit(translated(reason), workspace)
            case Resolved(cause=cause, message=message):
                self.resolved.emit(cause, translated(message))
            case WorkspacesChanged():
                self.refresh_workspaces()
            case IndexChanged() | IndexFinished() | SharedChanged():
                _start(self._changes_due)
            case _:
                pass
        _start(self._status_due)

    def refresh(self) -> None:
        """Announce the status now."""
        self._status_due.stop()
        status = self._engine.status()
        if status.shared:
            # Others publish without telling, so their memories are looked at from time to time.
            _start(self._look_due)
        self.changed.emit(status)

    def refresh_workspaces(self) -> None:
        """Announce the status now, and then that the list of folders is another one."""
        self.refresh()
        self.workspaces_changed.emit()

    def _look(self) -> None:
        """Learn what others have published, for what is shown right now."""
        # While another program is used, nobody sees what is new.
        if QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive:
            self._engine.sharing.look_for_news()

    def close(self) -> None:
        """Stop announcing."""
        self._status_due.stop()
        self._changes_due.stop()
        self._look_due.stop()


def _start(timer: QTimer) -> None:
    if not timer.isActive():
        timer.start()
