"""Offers a better model, once, when the notes can be found by meaning without it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from scrubjay import CancelToken, Engine
from scrubjay.records.model_records import ModelInfo, ModelState
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.models.model_text import facts
from scrubjay_desktop.widgets.banner import Offer
from scrubjay_desktop.windows.main_window import MainWindow


class BetterModel(QObject):
    """One card over the window, and never a question that has to be answered."""

    asked = Signal()
    """The person wants to see the models."""

    def __init__(self, engine: Engine, tasks: Tasks, window: MainWindow) -> None:
        super().__init__(window)
        self._engine = engine
        self._tasks = tasks
        self._window = window

    def offer(self) -> None:
        """Say which model finds more and what it costs, if only the small one is here."""
        if self._engine.status().model.provider == "local":
            self._tasks.watch(self._engine.models.list(), CancelToken(), done=self._show)

    def _show(self, infos: tuple[ModelInfo, ...]) -> None:
        here = [one for one in infos if one.state is not ModelState.ABSENT]
        better = next((one for one in infos if one.state is ModelState.ABSENT), None)
        if better is None or len(here) != 1 or not here[0].is_used or self._window.banner.words:
            return
        sentence = self.tr(
            "All your notes are found by words and by meaning now. A larger model finds more: "
            "{name}, {facts}."
        )
        self._window.tell(
            sentence.format(name=better.name, facts=facts(better)),
            Offer(self.tr("See the models"), self.asked.emit),
            is_good=True,
        )
