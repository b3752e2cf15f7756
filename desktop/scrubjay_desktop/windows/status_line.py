"""The line at the bottom of the window: activity, progress, pause."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from scrubjay.records.status_records import EngineStatus
from scrubjay_desktop.text.formatting import abbreviate_home, plain_tip, translate
from scrubjay_desktop.text.formatting import format_percent as share_text
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.text.status_sentences import busy_workspace, indexing_percent
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import ElidedLabel, IconLabel
from scrubjay_desktop.widgets.layouts import hbox
from scrubjay_desktop.widgets.painting import inset, paint_box, smooth_painter
from scrubjay_desktop.widgets.theme import GRID, palette_colors
from scrubjay_desktop.windows.app_state import AppState, app_state, status_sentence

PAUSE_MINUTES = 60
"""Minutes of the short pause."""
_COLORS = {
    AppState.READY: "good",
    AppState.ERROR: "danger",
    AppState.ATTENTION: "warning",
    AppState.PAUSED: "warning",
}
"""Colour of the icon, by its name in the theme; the icons of other states have the accent."""


class ProgressBar(QWidget):
    """A thin bar; half filled and pale while the progress is unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(18 * GRID, GRID)
        self.percent: int | None = None
        """Percent that are done; None when unknown."""

    def show_percent(self, percent: int | None, spoken: str) -> None:
        """Show how far it is."""
        self.percent = percent
        self.setAccessibleName(spoken)
        tip = ""
        if percent is not None:
            tip = share_text(percent / 100)
        self.setToolTip(plain_tip(tip))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        groove = inset(QRectF(self.rect()), down=1)
        paint_box(painter, groove, fill=colors.border, border=Qt.PenStyle.NoPen, radius=3)
        # Where nobody knows how far it is, half of the bar is filled, in a pale colour.
        share = 0.5
        fill = colors.accent_soft
        if self.percent is not None:
            share = self.percent / 100
            fill = colors.accent
        if share > 0:
            groove.setWidth(max(groove.height(), groove.width() * share))
            paint_box(painter, groove, fill=fill, border=Qt.PenStyle.NoPen, radius=3)


def pause_menu(paused: SignalInstance, parent: QWidget) -> QMenu:
    """The menu that says for how long to pause: minutes, or None until resumed."""
    menu = QMenu(translate("StatusLine", "&Pause"), parent)
    hour = menu.addAction(translate("StatusLine", "For one &hour"))
    hour.triggered.connect(lambda: paused.emit(PAUSE_MINUTES))
    until = menu.addAction(translate("StatusLine", "Until I &resume reading"))
    until.triggered.connect(lambda: paused.emit(None))
    return menu


class StatusLine(QWidget):
    """Shows the engine's status and lets the person pause it."""

    paused = Signal(object)
    """Signal with minutes, or None until resumed."""
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
        self._shape.draw(str(state), _COLORS.get(state, "accent"))
        self._words.setText(status_sentence(status))
        # A sentence about a folder names it by its path, which may be longer than the line.
        roots = [str(each.workspace.root) for each in status.workspaces]
        written = [*roots, *map(abbreviate_home, roots)]
        named = [path for path in written if path in self.sentence]
        self._words.path = max(named, key=len, default="")
        self._is_paused = status.is_paused
        # One button pauses and resumes.
        if status.is_paused:
            self._button.set_icon("play", with_keys(self.tr("Resume reading"), "Ctrl+Shift+P"))
        else:
            self._button.set_icon("pause", with_keys(self.tr("Pause reading"), "Ctrl+Shift+P"))
        self._button.setVisible(bool(status.workspaces))
        # The bar is there only while something is being read.
        busy = busy_workspace(status)
        is_running = busy is not None and not status.is_paused
        self.bar.setVisible(is_running)
        if busy is not None and is_running:
            self.bar.show_percent(indexing_percent(busy.progress), self.sentence)
        # A screen reader hears of another state, and not of each note that is read.
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

    def _build(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._shape = IconLabel(AppState.READY, 16)
        self._words = ElidedLabel(-0.5)
        self.bar = ProgressBar()
        self.bar.hide()
        self._button = IconButton("pause", with_keys(self.tr("Pause reading"), "Ctrl+Shift+P"))
        # The line keeps its height while there is nothing to pause.
        policy = self._button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._button.setSizePolicy(policy)
        parts = (self._shape, (self._words, 1), self.bar, self._button)
        hbox(*parts, on=self, margins=(2, 0.5, 1, 0.5), spacing=1)
