"""Pauses of indexing: those of the person, and those of a battery."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QObject, QTimer

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import PauseChanged
from scrubjay.platform.power import IsOnBattery
from scrubjay.records.status_records import EngineStatus, IndexState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.settings.preferences import Preferences

_LOOK_MS = 60_000
"""Milliseconds between two looks at the battery, only while notes are read, or that rests for it:
an idle app asks nothing."""


class PauseController(QObject):
    """Pauses and resumes indexing. The user's choice counts before the battery."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        preferences: Preferences,
        is_on_battery: IsOnBattery,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._preferences = preferences
        self._is_on_battery = is_on_battery
        self._life = CancelToken()
        # One question at a time: a slow answer must not pile up others.
        self._is_asking = False
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """Go on with a pause that was begun before the last quit."""
        until = self._preferences.pause
        # A pause has a time, or lasts until it is ended.
        if isinstance(until, bool):
            if until:
                self._engine.pause(None)
            return
        left = (until - dt.datetime.now().astimezone()).total_seconds() / 60
        if left > 0:
            self._engine.pause(left)
        else:
            self._preferences.pause = False

    def pause(self, minutes: float | None) -> None:
        """Pause, as the person wants, for some minutes or until resumed."""
        now = dt.datetime.now().astimezone()
        if minutes is None:
            self._preferences.pause = True
        else:
            self._preferences.pause = now + dt.timedelta(minutes=minutes)
        self._engine.pause(minutes)

    def resume(self) -> None:
        """Go on with indexing, on battery too."""
        self._preferences.pause = False
        if self._engine.status().is_for_battery:
            self._preferences.rests_on_battery = False
        self._engine.resume()

    def on_event(self, event: Event) -> None:
        """Forget a pause that has ended by itself."""
        if isinstance(event, PauseChanged) and not event.is_paused:
            self._preferences.pause = False

    def show_status(self, status: EngineStatus) -> None:
        """Ask for the battery only while that matters."""
        # The battery matters while notes are read, and while reading rests for it.
        is_busy = any(workspace.state is IndexState.INDEXING for workspace in status.workspaces)
        matters = self._preferences.rests_on_battery and (is_busy or status.is_for_battery)
        if matters and not self._timer.isActive():
            self._timer.start()
            self.look()
        elif not matters:
            self._timer.stop()
            if status.is_for_battery and not self._preferences.rests_on_battery:
                self._engine.resume()

    def look(self) -> None:
        """Ask where the power comes from, beside the window's thread."""
        if self._is_asking:
            return
        self._is_asking = True
        self._tasks.run(self._is_on_battery, self._life, done=self._follow)

    def close(self) -> None:
        """Stop following the battery."""
        self._life.cancel()
        self._timer.stop()

    def _follow(self, is_on_battery: bool) -> None:
        self._is_asking = False
        status = self._engine.status()
        if is_on_battery and not status.is_paused:
            self._engine.pause(None, for_battery=True)
        elif not is_on_battery and status.is_for_battery:
            self._engine.resume()
