"""Icon and menu in the tray. The window has all of it too: not every desktop has a tray."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.records.note_records import DocumentInfo
from scrubjay.records.status_records import EngineStatus
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.platform.tray import SystemTray
from scrubjay_desktop.results.result_rows import row_of_recent
from scrubjay_desktop.text.workspace_names import badge_names
from scrubjay_desktop.widgets.theme import GRID, palette_colors
from scrubjay_desktop.windows.app_state import (
    AppState,
    app_state,
    status_sentence,
    tray_icon,
    tray_tooltip,
)
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.windows.status_line import pause_menu

_MOST_RECENTS = 8
"""Notes in the menu at most."""
_MAX_TITLE = 40 * GRID
"""Pixels of a title: longer ones would make the menu as wide."""


class TrayMenu(QObject):
    """Shape for the state, menu for everything else."""

    document_opened = Signal(object)
    """Signal with a DocumentInfo."""

    def __init__(self, tray: SystemTray, engine: Engine, tasks: Tasks, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._tray = tray
        self._engine = engine
        self._tasks = tasks
        self._cancel = CancelToken()
        # The icon is drawn only when what it shows has changed.
        self._state = AppState.READY
        self._tooltip = ""
        self._drawn: tuple[AppState, bool, str] | None = None
        self.menu = QMenu()
        self._fill_menu()
        # Notes that changed lately are asked for when the menu opens.
        self.menu.aboutToShow.connect(self._refresh_recents)
        self.show_status(engine.status())

    @property
    def recents(self) -> list[QAction]:
        """The entries for notes that changed lately."""
        return self._recent.actions()

    @property
    def is_visible(self) -> bool:
        """Whether the person can see the icon."""
        return self._tray.is_visible

    def show(self) -> None:
        """Appear now, or as soon as there is a tray."""
        self._tray.show(self.menu, self._window.present, self._window.requests.quick_search.emit)
        self._refresh_recents()

    def close(self) -> None:
        """Disappear at once, before the app quits."""
        self._cancel.cancel()
        self._tray.close()

    def show_status(self, status: EngineStatus) -> None:
        """Show the state of the engine."""
        self._sentence.setText(status_sentence(status))
        self._pause.setVisible(not status.is_paused)
        self._resume.setVisible(status.is_paused)
        self._state = app_state(status)
        self._tooltip = tray_tooltip(status)
        self.recolor()

    def show_keys(self, keys: QKeySequence) -> None:
        """Write beside the entry which key opens the popup."""
        self._quick.setShortcut(keys)

    def recolor(self) -> None:
        """Draw the icon again where light became dark or the other way round."""
        colors = palette_colors(QApplication.palette())
        drawn = (self._state, colors.is_dark, self._tooltip)
        if drawn != self._drawn:
            self._drawn = drawn
            self._tray.draw(tray_icon(str(self._state), colors.text), self._tooltip)

    def _fill_menu(self) -> None:
        menu = self.menu
        window = self._window
        menu.setDefaultAction(self._entry(self.tr("&Open Scrubjay"), window.present))
        self._quick = self._entry(self.tr("&Quick search"), window.requests.quick_search.emit)
        self._entry(self.tr("Re&member this…"), window.requests.remember.emit)
        menu.addSeparator()
        # What the app does now, and the choice to pause it.
        self._sentence = menu.addAction("")
        self._sentence.setEnabled(False)
        self._pause = menu.addMenu(pause_menu(window.status_line.paused, menu))
        self._resume = self._entry(self.tr("&Resume"), window.status_line.resumed.emit)
        self._recent = menu.addMenu(self.tr("Re&cent"))
        self._recent.setEnabled(False)
        menu.addSeparator()
        self._entry(self.tr("&Settings"), window.requests.settings.emit)
        self._entry(self.tr("&Help"), window.requests.help.emit)
        menu.addSeparator()
        self._entry(self.tr("Qui&t"), window.requests.quit.emit)

    def _entry(self, text: str, act: object) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda: act())  # type: ignore[operator]
        return action

    def _refresh_recents(self) -> None:
        recent = self._engine.notes.recent(_MOST_RECENTS)
        self._tasks.watch(recent, self._cancel, done=self._show_recents)

    def _show_recents(self, documents: tuple[DocumentInfo, ...]) -> None:
        self._recent.clear()
        self._recent.setEnabled(bool(documents))
        metrics = self._recent.fontMetrics()
        # An ampersand in a title would mark the letter after it as a key.
        names = badge_names(self._engine.workspaces())
        now = dt.datetime.now().astimezone()
        for document in documents:
            row = row_of_recent(document, names, now)
            title = metrics.elidedText(row.title, Qt.TextElideMode.ElideRight, _MAX_TITLE)
            words = " · ".join(filter(None, (title, row.date, row.badge)))
            action = self._recent.addAction(words.replace("&", "&&"))
            action.triggered.connect(
                lambda _=False, chosen=document: self.document_opened.emit(chosen)
            )
