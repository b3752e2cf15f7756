"""When indexing rests: as long as the person wants, also over a quit, and on battery."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QObject, QTimer

from scrubjay import CancelToken, Engine
from scrubjay.events import Event, PauseChanged
from scrubjay.records.search_records import EngineStatus, IndexState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.platform.power import Power
from scrubjay_desktop.settings.preferences import Preferences

_LOOK_MS = 60_000
"""Only while notes are read, or that rests for the battery: an idle app asks nothing."""


class PausePolicy(QObject):
    """Pauses and resumes. What the person said counts before the battery."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        preferences: Preferences,
        power: Power,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._preferences = preferences
        self._power = power
        self._life = CancelToken()
        self._is_asking = False
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """Go on with a pause that was begun before the last quit."""
        until = self._preferences.pause
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
        """The person wants a pause."""
        now = dt.datetime.now().astimezone()
        self._preferences.pause = True if minutes is None else now + dt.timedelta(minutes=minutes)
        self._engine.pause(minutes)

    def resume(self) -> None:
        """The person wants indexing to go on, on battery too."""
        self._preferences.pause = False
        if self._engine.status().is_for_battery:
            self._preferences.rests_on_battery = False
        self._engine.resume()

    def on_event(self, event: Event) -> None:
        """A pause may end by itself."""
        if isinstance(event, PauseChanged) and not event.is_paused:
            self._preferences.pause = False

    def show_status(self, status: EngineStatus) -> None:
        """Ask for the battery only while that matters."""
        is_busy = any(one.state is IndexState.INDEXING for one in status.workspaces)
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
        self._tasks.run(self._power.is_on_battery, self._life, done=self._follow)

    def close(self) -> None:
        """Follow nothing any more."""
        self._life.cancel()
        self._timer.stop()

    def _follow(self, is_on_battery: bool) -> None:
        self._is_asking = False
        status = self._engine.status()
        if is_on_battery and not status.is_paused:
            self._engine.pause(None, for_battery=True)
        elif not is_on_battery and status.is_for_battery:
            self._engine.resume()
