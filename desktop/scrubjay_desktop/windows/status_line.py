"""The line at the bottom of the window: activity, progress, pause."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from scrubjay.records.search_records import EngineStatus
from scrubjay_desktop.text.status_sentences import busy_workspace, progress_percent
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.labels import ElidedLabel
from scrubjay_desktop.widgets.layouts import hbox
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized
from scrubjay_desktop.windows.tray_state import AppState, app_state, status_sentence

PAUSE_MINUTES = 60


class ProgressBar(QWidget):
    """A thin bar; half filled and pale while the progress is unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(18 * GRID, GRID)
        self._percent: int | None = None

    @property
    def percent(self) -> int | None:
        """How far; None when unknown."""
        return self._percent

    def show_percent(self, percent: int | None, spoken: str) -> None:
        """Show how far."""
        self._percent = percent
        self.setAccessibleName(spoken)
        self.setToolTip("" if percent is None else f"{percent} %")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(self.rect()).adjusted(0, 1, 0, -1)
        painter.setBrush(colors.border)
        painter.drawRoundedRect(groove, 3, 3)
        painter.setBrush(colors.accent if self._percent is not None else colors.accent_soft)
        share = 0.5 if self._percent is None else self._percent / 100
        if share > 0:
            groove.setWidth(max(groove.height(), groove.width() * share))
            painter.drawRoundedRect(groove, 3, 3)


class _StateShape(QWidget):
    """The state's shape, the same as in the tray."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(16, 16)
        self._state = AppState.READY

    def show_state(self, state: AppState) -> None:
        self._state = state
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        color = _color(self._state, colors_of(self.palette()))
        drawn = pixmap(str(self._state), color, 16, self.devicePixelRatioF())
        QPainter(self).drawPixmap(0, 0, drawn)


def _color(state: AppState, colors: Colors) -> QColor:
    match state:
        case AppState.READY:
            return colors.good
        case AppState.ERROR:
            return colors.danger
        case AppState.ATTENTION | AppState.PAUSED:
            return colors.warning
        case _:
            return colors.accent


class StatusLine(QWidget):
    """Shows the engine's status and lets the person pause it."""

    paused = Signal(object)
    """Minutes, or None until resumed."""
    resumed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_paused = False
        self._announced = ""
        self._build()
        self._button.clicked.connect(self.toggle_pause)

    @property
    def sentence(self) -> str:
        """The shown sentence."""
        return self._words.text()

    def show_status(self, status: EngineStatus) -> None:
        """Show the state of the engine."""
        state = app_state(status)
        self._shape.show_state(state)
        self._words.setText(status_sentence(status))
        self._is_paused = status.is_paused
        if status.is_paused:
            self._button.set_icon("play", self.tr("Resume indexing (Ctrl+P)"))
        else:
            self._button.set_icon("pause", self.tr("Pause indexing (Ctrl+P)"))
        self._button.setVisible(bool(status.workspaces))
        busy = busy_workspace(status)
        is_running = busy is not None and not status.is_paused
        self.bar.setVisible(is_running)
        if busy is not None and is_running:
            self.bar.show_percent(progress_percent(busy.progress), self.sentence)
        if str(state) != self._announced:
            self._announced = str(state)
            self.announce(self.sentence)

    def announce(self, sentence: str) -> None:
        """Let a screen reader say a sentence."""
        announce(self, sentence)

    def toggle_pause(self) -> None:
        """Pause until resumed, or resume."""
        if self._is_paused:
            self.resumed.emit()
            return
        self.paused.emit(None)

    def pause_menu(self) -> QMenu:
        """For how long to pause."""
        menu = QMenu(self.tr("&Pause"), self)
        hour = menu.addAction(self.tr("For one &hour"))
        hour.triggered.connect(lambda: self.paused.emit(PAUSE_MINUTES))
        menu.addAction(self.tr("Until I &resume")).triggered.connect(lambda: self.paused.emit(None))
        return menu

    def _build(self) -> None:
        self._shape = _StateShape()
        self._words = ElidedLabel(is_muted=True)
        self._words.setFont(sized(self.font(), -0.5))
        self.bar = ProgressBar()
        self.bar.hide()
        self._button = IconButton("pause", self.tr("Pause indexing (Ctrl+P)"))
        parts = (self._shape, (self._words, 1), self.bar, self._button)
        hbox(*parts, on=self, margins=(2, 0.5, 1, 0.5), spacing=1)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        painter.setPen(colors_of(self.palette()).border)
        painter.drawLine(0, 0, self.width(), 0)
