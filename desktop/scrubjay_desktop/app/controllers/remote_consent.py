"""Asks before notes are first sent to a remote provider."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import BackfillAsked
from scrubjay.records.note_records import Workspace
from scrubjay_desktop.text.formatting import (
    format_word_count,
    notes_and_files,
    provider_name,
    translate,
)
from scrubjay_desktop.widgets.message_boxes import consent_question


class RemoteConsent(QObject):
    """Asks once for each workspace and provider, one after the other, while the window is seen."""

    allowed = Signal(object)
    """Signal with the Workspace whose notes the user allows to send."""

    def __init__(self, engine: Engine, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._window = window
        self._known: set[tuple[str, str, str]] = set()
        self._waiting: deque[BackfillAsked] = deque()
        self.box: QMessageBox | None = None
        """The question that is being asked."""
        window.installEventFilter(self)

    def on_event(self, event: Event) -> None:
        """Ask about a BackfillAsked, unless the user refused the same since the app began."""
        if not isinstance(event, BackfillAsked):
            return
        # A no holds until the app ends.
        question = _question(event)
        if question in self._known:
            return
        self._known.add(question)
        self._waiting.append(event)
        self._ask()

    def close(self) -> None:
        """Stop asking; an open question counts as not answered."""
        self._waiting.clear()
        if self.box is not None:
            self.box.reject()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102
        if event.type() == QEvent.Type.Show:
            self._ask()
        return super().eventFilter(watched, event)

    def _ask(self) -> None:
        # A box over other programs, from an app in the background, gets a hasty answer.
        if self.box is not None or not self._window.isVisible():
            return
        # A folder may have been forgotten while its question waited.
        workspaces = {workspace.id: workspace for workspace in self._engine.workspaces()}
        while self._waiting and self._waiting[0].workspace not in workspaces:
            self._waiting.popleft()
        if self._waiting:
            event = self._waiting.popleft()
            workspace = workspaces[event.workspace]
            box = sending_question(self._window, event, workspace.name)
            self.box = box
            box.finished.connect(lambda: self._answered(workspace, event, box))
            box.open()

    def _answered(self, workspace: Workspace, event: BackfillAsked, box: QMessageBox) -> None:
        self.box = None
        clicked = box.clickedButton()
        if clicked is not None and clicked.objectName() == "yes":
            # That was a yes to this much: much more is another question.
            self._known.discard(_question(event))
            self.allowed.emit(workspace)
        self._ask()


def _question(event: BackfillAsked) -> tuple[str, str, str]:
    """Key of a question: a no holds for it, however many notes it is about."""
    return event.workspace, event.cost.provider, event.cost.host


def sending_question(parent: QWidget, event: BackfillAsked, name: str) -> QMessageBox:
    """The question with amount and recipient; the button named yes allows sending."""
    cost = event.cost
    provider = provider_name(cost.provider)
    title = translate("Sending", "Send notes to {provider}").format(provider=provider)
    # How much is sent and to whom decides; the rest says why and what a no means.
    sentence = translate("Sending", "Send {notes} (about {words} words) to {provider}?").format(
        notes=notes_and_files(cost.notes, cost.files),
        words=format_word_count(cost.words),
        provider=provider,
    )
    details = translate(
        "Sending",
        "To search by meaning, Scrubjay is set to use {model} at {host}. This service "
        "needs the text of the notes in “{name}” and may charge you for it. If you "
        "choose “Not now”, Scrubjay will continue to search these notes as before.",
    ).format(model=cost.model, host=cost.host, name=name)
    return consent_question(
        parent,
        title,
        text=sentence,
        details=details,
        yes=translate("Sending", "&Send notes"),
        no=translate("Sending", "&Not now"),
    )
