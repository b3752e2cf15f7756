"""What is told outside of the window, and in it of its own accord."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import AccessAsked, BackfillAsked, IndexFailed, ModelDownloadFailed
from scrubjay.records.access_records import shown_name
from scrubjay.records.model_records import ModelInfo, ModelState
from scrubjay.records.status_records import EngineStatus, IndexState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.models.model_text import model_title
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.formatting import (
    format_note_count,
    format_number,
    format_size,
    translate,
    translated,
)
from scrubjay_desktop.widgets.banner import Offer
from scrubjay_desktop.windows.main_window import MainWindow


class NotificationController(QObject):
    """Notifies of three things only: all notes are read, something needs you, something broke."""

    notified = Signal(str, str)
    """Signal with the title and the text of a notification."""
    all_read = Signal()
    """Signal, once in a lifetime, that every note can be found by meaning."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._broken: set[tuple[str, str]] = set()

    def on_event(self, event: Event) -> None:
        """Notify of events that cannot wait."""
        match event:
            case AccessAsked(request=request):
                name = shown_name(request.agent, request.title)
                text = translate("News", "{agent} is waiting for your answer.")
                self._tell(translate("News", "Request from an agent"), text.format(agent=name))
            case BackfillAsked(cost=cost):
                text = translate(
                    "News",
                    "Scrubjay needs your permission to send {n} {n:note|notes} to a service.",
                )
                heading = translate("News", "Scrubjay needs your attention")
                self._tell(heading, text.format(n=format_number(cost.notes)))
            case IndexFailed(workspace=workspace, reason=reason):
                # Once for each reason: a failure repeats with every pass.
                if (workspace, reason) not in self._broken:
                    self._broken.add((workspace, reason))
                    self._tell(translate("News", "Notes could not be read"), translated(reason))
            case _:
                pass

    def show_status(self, status: EngineStatus) -> None:
        """Tell once in a lifetime that all notes are read."""
        searched = [each for each in status.workspaces if not each.is_off]
        if self._preferences.has_read_all or not searched:
            return
        ready = (each.freshness for each in searched if each.state is IndexState.READY)
        found = [each for each in ready if each.documents and not each.pending + each.unreadable]
        # Every note of every workspace can be found by meaning.
        if len([each for each in found if each.embedded == 1]) == len(searched):
            self._preferences.has_read_all = True
            count = sum(workspace.freshness.documents for workspace in searched)
            text = translate(
                "News",
                "Scrubjay has finished reading {notes}. You can now search by "
                "words and by meaning.",
            )
            self._tell(
                translate("News", "Your notes are ready"),
                text.format(notes=format_note_count(count)),
            )
            self.all_read.emit()

    def _tell(self, title: str, text: str) -> None:
        # Whoever looks at the window sees it there.
        if self._preferences.notifies and not self._window.isActiveWindow():
            self.notified.emit(title, text)


def offer_upgrade(
    engine: Engine, tasks: Tasks, window: MainWindow, show: Callable[[], object]
) -> None:
    """Name the model that suits the notes, if only another one is here; show opens the models.

    It is a card over the window, and never a question that has to be answered.
    """

    def offer(infos: tuple[ModelInfo, ...]) -> None:
        # Whoever has chosen among several knows them already.
        here = [info for info in infos if info.state is not ModelState.ABSENT]
        better = next((info for info in infos if info.advice), None)
        if better is None or better in here or len(here) != 1 or window.banner.words:
            return
        sentence = translate(
            "ModelUpgrade",
            "You can now find your notes by words and by meaning. {languages}. The "
            "language helper “{name}” ({size}) would give better results.",
        ).format(
            languages=translated(better.advice),
            name=model_title(better.id, better.name),
            size=format_size(better.size_bytes or 0),
        )
        # The offer stays until it is closed, but no box asks for an answer.
        window.tell(
            sentence,
            Offer(translate("ModelUpgrade", "Show language helpers"), show, is_lasting=True),
            is_good=True,
        )

    if engine.status().model.provider == "local":
        tasks.watch(engine.models.list(), CancelToken(), done=offer)


def tell_failed_download(window: MainWindow, event: Event) -> None:
    """Say in the window that a download has failed, unless a card of the models says it."""
    if isinstance(event, ModelDownloadFailed) and not window.findChild(QDialog, "models"):
        cause = ""
        if event.may_pass:
            cause = event.model
        window.tell(translated(event.reason), cause=cause)
