"""Asks the user when an agent wants to read or add notes and a rule says to ask."""

from __future__ import annotations

import datetime as dt
from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QMessageBox, QWidget

from scrubjay.agents.access.access_control import ANSWER_WAIT_S
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import AccessAsked, AccessSettled
from scrubjay.records.access_records import AccessRequest, Action, shown_name
from scrubjay_desktop.agents.agent_words import claimed_name_text
from scrubjay_desktop.text.formatting import format_number, translate
from scrubjay_desktop.text.workspace_names import display_names
from scrubjay_desktop.widgets.message_boxes import consent_question

_TICK_MS = 1000
"""Milliseconds between two looks at the clock."""
_LONGEST_QUERY = 300
"""Characters of a query that a question shows."""


class AccessPrompts(QObject):
    """Questions about requests of agents, one at a time. No answer means no."""

    answered = Signal(object, bool, bool)
    """Signal with the request, whether it is allowed, and whether that holds from now on."""
    asked = Signal(str)
    """Signal with a sentence about the waiting request, for a notification."""

    def __init__(self, engine: Engine, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._window = window
        self._waiting: deque[AccessRequest] = deque()
        self._shown: AccessRequest | None = None
        self.box: QMessageBox | None = None
        """The question that is being asked."""
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self._show_time_left)

    def on_event(self, event: Event) -> None:
        """Ask about a request, or withdraw the question when the request was settled elsewhere."""
        match event:
            case AccessAsked(request=request):
                self._waiting.append(request)
                self._ask()
            # The agent may have given up, or a rule may have answered meanwhile.
            case AccessSettled(request_id=number):
                self._waiting = deque(each for each in self._waiting if each.id != number)
                if self._shown is not None and self._shown.id == number:
                    self._drop_box()
                    self._ask()
            case _:
                pass

    def close(self) -> None:
        """Stop asking."""
        self._waiting.clear()
        self._drop_box()

    def _ask(self) -> None:
        if self._shown is not None or not self._waiting:
            return
        request = self._waiting.popleft()
        self._shown = request
        # The question names the folder as the person does.
        workspaces = self._engine.searchable_workspaces()
        names = display_names(workspaces)
        sentence = request_sentence(request, names.get(request.workspace, request.workspace))
        box = access_question(self._window, request, sentence)
        self.box = box
        self._show_time_left()
        self._clock.start()

        def answer(button: QAbstractButton) -> None:
            remember = box.checkBox()
            is_for_good = remember is not None and remember.isChecked()
            self.answered.emit(request, button.objectName() == "yes", is_for_good)

        box.buttonClicked.connect(answer)
        box.finished.connect(self._finished)
        box.open()
        self.asked.emit(sentence)

    def _show_time_left(self) -> None:
        if self.box is None or self._shown is None:
            self._clock.stop()
            return
        self.box.setInformativeText(request_details(self._shown, seconds_left(self._shown)))

    def _finished(self) -> None:
        self.box = None
        self._shown = None
        self._ask()

    def _drop_box(self) -> None:
        box = self.box
        self.box = None
        self._shown = None
        if box is not None:
            box.finished.disconnect(self._finished)
            box.close()


def request_sentence(request: AccessRequest, name: str) -> str:
    """The request of an agent in the workspace of a name, in one sentence."""
    if request.action is Action.WRITE:
        text = translate("Access", "{agent} wants to add text to today's note in {workspace}")
    else:
        text = translate("Access", "{agent} wants to search your notes in {workspace}")
    return text.format(agent=shown_name(request.agent, request.title), workspace=name)


def seconds_left(request: AccessRequest) -> int:
    """The whole seconds in which the agent still waits for an answer."""
    waited = dt.datetime.now().astimezone() - request.at
    return max(0, round(ANSWER_WAIT_S - waited.total_seconds()))


def request_details(request: AccessRequest, seconds: int) -> str:
    """What the agent asked, in quotation marks, and how long it waits for an answer."""
    # A query may be as long as a note, and the box has to fit on the screen.
    query = request.query
    if len(query) > _LONGEST_QUERY:
        query = f"{query[:_LONGEST_QUERY]}…"
    wait = translate("Access", "The agent will wait {n} more {n:second|seconds} for your answer.")
    parts = [wait.format(n=format_number(seconds))]
    if query.strip():
        parts.insert(0, translate("Access", "“{query}”").format(query=query))
    if request.is_claimed:
        parts.append(claimed_name_text(request.agent))
    return "\n\n".join(parts)


def access_question(parent: QWidget, request: AccessRequest, sentence: str) -> QMessageBox:
    """The box; its button named yes allows it."""
    box = consent_question(
        parent,
        translate("Access", "Request from an agent"),
        text=f"{sentence}.",
        details=request_details(request, seconds_left(request)),
        yes=translate("Access", "&Allow"),
        no=translate("Access", "&Do not allow"),
    )
    # A remembered answer would not be used for a name that any program can send.
    if not request.is_claimed:
        box.setCheckBox(QCheckBox(translate("Access", "&Remember my answer"), box))
    return box
