"""Asks before notes first go to somebody else's computer."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay import Engine
from scrubjay.events import BackfillAsked, Event
from scrubjay_desktop.text.formatting import notes_and_files, provider_name, tokens, translate


class RemoteConsent(QObject):
    """Asks once for each workspace and provider, one after the other, while the window is seen."""

    allowed = Signal(str)
    """Id of a workspace whose notes may be sent."""

    def __init__(self, engine: Engine, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._window = window
        self._known: set[tuple[str, str, str]] = set()
        self._waiting: deque[BackfillAsked] = deque()
        self._box: QMessageBox | None = None
        window.installEventFilter(self)

    @property
    def box(self) -> QMessageBox | None:
        """The question that is being asked."""
        return self._box

    def on_event(self, event: Event) -> None:
        """Ask if the event asks, and nobody said no to the same since the app began."""
        if not isinstance(event, BackfillAsked):
            return
        question = _question(event)
        if question in self._known:
            return
        self._known.add(question)
        self._waiting.append(event)
        self._ask()

    def close(self) -> None:
        """Ask nothing any more; what is being asked counts as not answered."""
        self._waiting.clear()
        if self._box is not None:
            self._box.reject()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102
        if event.type() == QEvent.Type.Show:
            self._ask()
        return super().eventFilter(watched, event)

    def _ask(self) -> None:
        # A box over other programs, from an app that nobody is looking at, gets a hasty answer.
        if self._box is not None or not self._window.isVisible():
            return
        names = {one.id: one.name for one in self._engine.workspaces()}
        while self._waiting:
            asked = self._waiting.popleft()
            if asked.workspace in names:
                self._show(asked, names[asked.workspace])
                return

    def _show(self, asked: BackfillAsked, name: str) -> None:
        box = sending_question(self._window, asked, name)
        self._box = box
        box.finished.connect(lambda: self._answered(asked, box))
        box.open()

    def _answered(self, asked: BackfillAsked, box: QMessageBox) -> None:
        self._box = None
        clicked = box.clickedButton()
        if clicked is not None and clicked.objectName() == "yes":
            # That was a yes to this much: much more is another question.
            self._known.discard(_question(asked))
            self.allowed.emit(asked.workspace)
        self._ask()


def _question(asked: BackfillAsked) -> tuple[str, str, str]:
    """What a no is an answer to, however many notes it is about."""
    return asked.workspace, asked.cost.provider, asked.cost.host


def sending_question(parent: QWidget, asked: BackfillAsked, name: str) -> QMessageBox:
    """What would be sent, and where to; the button named yes allows it."""
    cost = asked.cost
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(
        translate("Sending", "Send notes to {provider}").format(
            provider=provider_name(cost.provider)
        )
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(
        translate("Sending", "Send {notes}, about {tokens} tokens, to {provider}?").format(
            notes=notes_and_files(cost.notes, cost.files),
            tokens=tokens(cost.tokens),
            provider=provider_name(cost.provider),
        )
    )
    box.setInformativeText(
        translate(
            "Sending",
            "The settings choose {model} at {host} for search by meaning, and it needs the text "
            "of the notes in “{name}”. The provider may charge for it. Without it these notes "
            "are searched as before.",
        ).format(model=cost.model, host=cost.host, name=name)
    )
    yes = box.addButton(translate("Sending", "&Yes, send them"), QMessageBox.ButtonRole.YesRole)
    yes.setObjectName("yes")
    later = box.addButton(translate("Sending", "&Not now"), QMessageBox.ButtonRole.NoRole)
    # Whoever presses Enter without reading sends nothing.
    box.setDefaultButton(later)
    box.setEscapeButton(later)
    return box
