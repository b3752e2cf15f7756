"""Notifications for who does not see the window: few, and none that a glance would not miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from scrubjay.events import (
    AccessAsked,
    BackfillAsked,
    Event,
    IndexFailed,
)
from scrubjay.records.search_records import EngineStatus, IndexState
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.formatting import notes, translate, translated


class Notify(Protocol):
    """Shows a notification in the way of the platform."""

    def notify(self, title: str, text: str) -> None:
        """Show it, or do nothing where there is no way to."""


class NotificationPolicy(QObject):
    """Notifies of three things only: all notes are read, something needs you, something broke."""

    all_read = Signal()
    """Once in a lifetime: every note can be found by meaning."""

    def __init__(
        self,
        notify: Notify,
        preferences: Preferences,
        is_seen: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """Is_seen tells whether the person looks at the window anyway."""
        super().__init__(parent)
        self._notify = notify
        self._preferences = preferences
        self._is_seen = is_seen
        self._broken: set[tuple[str, str]] = set()

    def on_event(self, event: Event) -> None:
        """Tell of what cannot wait."""
        match event:
            case AccessAsked(request=request):
                text = translate("News", "{agent} waits for your answer").format(
                    agent=request.agent
                )
                self._tell(translate("News", "An agent asks"), text)
            case BackfillAsked(cost=cost):
                text = translate("News", "{notes} wait for your yes before they are sent")
                self._tell(
                    translate("News", "Scrubjay needs you"), text.format(notes=notes(cost.notes))
                )
            case IndexFailed(workspace=workspace, reason=reason):
                # Once for each reason: what is broken stays broken for a while.
                if (workspace, reason) not in self._broken:
                    self._broken.add((workspace, reason))
                    self._tell(translate("News", "Notes could not be read"), translated(reason))
            case _:
                pass

    def show_status(self, status: EngineStatus) -> None:
        """Tell once in a lifetime that all notes are read."""
        if self._preferences.has_read_all or not status.workspaces:
            return
        is_done = all(
            one.state is IndexState.READY and one.freshness.documents and not one.freshness.pending
            for one in status.workspaces
        )
        if is_done and all(one.freshness.embedded == 1 for one in status.workspaces):
            self._preferences.has_read_all = True
            count = sum(one.freshness.documents for one in status.workspaces)
            text = translate("News", "{notes} can be found. You can close the laptop.")
            self._tell(translate("News", "Done"), text.format(notes=notes(count)))
            self.all_read.emit()

    def _tell(self, title: str, text: str) -> None:
        if self._preferences.notifies and not self._is_seen():
            self._notify.notify(title, text)
