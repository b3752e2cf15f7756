"""Photographs the app on the sample notes, light and dark, into docs/screenshots.

.venv/bin/python scripts/screenshots.py [--only NAME] [--scale 2]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QLinearGradient, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from scenes import (
    home_of_somebody,
    is_ready,
    kept_for_a_year,
    neglected,
    pause,
    sample,
    until,
    visited,
)
from scrubjay import Engine, Paths
from scrubjay_desktop.agents_page import AgentsPage
from scrubjay_desktop.application import Desktop, Start
from scrubjay_desktop.handover import Wish
from scrubjay_desktop.health_page import HealthPage
from scrubjay_desktop.icons import pixmap
from scrubjay_desktop.language import speak
from scrubjay_desktop.sample import sample_name
from scrubjay_desktop.status import AppState
from scrubjay_desktop.theme import DARK, GRID, LIGHT, Choice, Colors, sized
from scrubjay_desktop.timeline_page import TimelinePage

_PLACE = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
_QUESTION = "library roof garden"
_QUICK_QUESTION = "Emma clarinet"
_WINDOW = QSize(145 * GRID, 90 * GRID)

_STATE_NAMES = {
    AppState.READY: "Up to date",
    AppState.INDEXING: "Reading notes",
    AppState.MODEL: "Learning meaning",
    AppState.PAUSED: "Paused",
    AppState.ERROR: "Something failed",
    AppState.ATTENTION: "Needs you",
}


def main() -> None:
    """Take all pictures, or those whose name begins as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="first letters of the pictures to take")
    parser.add_argument("--scale", type=int, default=1, help="2 for screens with small pixels")
    options = parser.parse_args()
    os.environ["QT_SCALE_FACTOR"] = str(options.scale)
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    app.setCursorFlashTime(0)
    QLocale.setDefault(QLocale("en_US"))
    _PLACE.mkdir(parents=True, exist_ok=True)
    suffix = "" if options.scale == 1 else f"@{options.scale}x"
    with tempfile.TemporaryDirectory(prefix="scrubjay-pictures-") as name:
        camera = Camera(app, Path(name), options.only, suffix)
        for theme in ("light", "dark"):
            camera.first_run(theme)
            camera.indexing(theme)
            camera.results(theme)
            camera.settings(theme)
            camera.models(theme)
            camera.health(theme)
            camera.folders(theme)
            camera.agents(theme)
            camera.timeline(theme)
            camera.dialogs(theme)
            camera.tray(theme)
        # Last, because a language stays.
        speak(app, "es", QLocale("es_ES"))
        camera.indexed = "indexed-es"
        camera.first_run("light", "first-run-es")
        camera.results("light", "main-es", "popup-es")
        camera.settings("light", "settings-es")
        camera.health("light", "health-es")
        camera.folders("light", "folders-es")
        camera.agents("light", "-es")
        camera.timeline("light", "timeline-es")
        camera.models("light", "models-es")
        camera.dialogs("light", "-es")


class Camera:
    """Brings the app into a state and keeps a picture of it."""

    def __init__(self, app: QApplication, folder: Path, only: str, suffix: str) -> None:
        self._app = app
        self._folder = folder
        self._only = only
        self._suffix = suffix
        self.indexed = "indexed"
        """Home whose sample is indexed; one for each language, since the sample has a name."""

    def first_run(self, theme: Choice, name: str = "first-run") -> None:
        """The window before there are any notes."""
        if not self._wanted(name):
            return
        os.environ["HOME"] = str(home_of_somebody(self._folder / "somebody"))
        with self._running(theme, f"empty-{theme}") as desktop:
            until(lambda: bool(desktop.window.first_run.rows))
            pause(0.2)
            self._keep(desktop.window, name, theme)

    def indexing(self, theme: Choice) -> None:
        """The window while the model learns the notes."""
        if not self._wanted("indexing"):
            return
        with self._running(theme, f"busy-{theme}") as desktop:
            desktop.errands.add_folder(sample(desktop), sample_name())
            until(lambda: _progress(desktop) == "meaning")
            desktop.window.search.set_text("garden")
            until(lambda: bool(desktop.window.search.answer_line))
            pause(0.3)
            self._keep(desktop.window, "indexing", theme)

    def results(self, theme: Choice, main: str = "main", popup: str = "popup") -> None:
        """Results with their preview, and the popup."""
        if not (self._wanted(main) or self._wanted(popup)):
            return
        with self._running(theme, self.indexed) as desktop:
            if not desktop._engine.workspaces():  # noqa: SLF001
                desktop.errands.add_folder(sample(desktop), sample_name())
            until(lambda: is_ready(desktop))
            window = desktop.window
            window.search.set_text(_QUESTION)
            until(lambda: bool(window.search.answer_line))
            pause(0.4)
            self._keep(window, main, theme)
            desktop.popup.box.edit.setText(_QUICK_QUESTION)
            desktop.popup.present()
            until(lambda: desktop.popup.search.model.rowCount() > 0)
            pause(0.5)
            backdrop = _backdrop(desktop.popup, theme)
            backdrop.save(str(_PLACE / f"{popup}-{theme}{self._suffix}.png"))
            desktop.popup.dismiss()

    def settings(self, theme: Choice, name: str = "settings") -> None:
        """The settings of the window."""
        if not self._wanted(name):
            return
        with self._running(theme, self.indexed) as desktop:
            desktop.show_settings()
            pause(0.3)
            self._keep(desktop.window, name, theme)

    def models(self, theme: Choice, name: str = "models") -> None:
        """The models that can be had."""
        if not self._wanted(name):
            return
        with self._running(theme, self.indexed) as desktop:
            page = desktop.show_models()
            until(lambda: bool(page.cards))
            pause(0.3)
            self._keep(page, name, theme)
            page.reject()

    def health(self, theme: Choice, name: str = "health") -> None:
        """What a check-up found."""
        if not self._wanted(name):
            return
        with self._running(theme, f"{name}-{theme}") as desktop:
            neglected(desktop)
            page = desktop.window.pages.show_page("health")
            assert isinstance(page, HealthPage)
            until(lambda: page.model.rowCount() > 0)
            pause(0.3)
            self._keep(desktop.window, name, theme)

    def timeline(self, theme: Choice, name: str = "timeline") -> None:
        """A year of notes with what changed in one, a day, and the box for something new."""
        if not self._wanted(name):
            return
        home = f"{name}-{theme}"
        settings = Paths.under(self._folder / home).config_file
        settings.parent.mkdir()
        # A year of notes takes minutes to be learnt, and the timeline needs their words alone.
        settings.write_text('{ memorySearch: { provider: "none" } }', encoding="utf-8")
        with self._running(theme, home) as desktop:
            kept_for_a_year(desktop)
            page = desktop.window.pages.show_page("timeline")
            assert isinstance(page, TimelinePage)
            panes = page.panes
            until(lambda: bool(page.summary.text()) and panes.list.rowCount() == 3)
            number = next(n for n, row in enumerate(panes.list.rows) if row.path == "MEMORY.md")
            panes.view.setCurrentIndex(panes.list.index(number))
            until(lambda: bool(panes.diff.summary))
            pause(0.3)
            self._keep(desktop.window, name, theme)
            desktop.remembering.present()
            box = desktop.remembering.box
            assert box is not None
            box.text.setPlainText("Emma's clarinet needs new reeds, size 2½")
            pause(0.3)
            self._keep(box, name.replace("timeline", "remember"), theme)

    def folders(self, theme: Choice, name: str = "folders") -> None:
        """The folders that are searched."""
        if not self._wanted(name):
            return
        with self._running(theme, self.indexed) as desktop:
            if not desktop._engine.workspaces():  # noqa: SLF001
                desktop.errands.add_folder(sample(desktop), sample_name())
            until(lambda: is_ready(desktop))
            desktop.window.pages.show_page("folders")
            pause(0.5)
            self._keep(desktop.window, name, theme)

    def agents(self, theme: Choice, language: str = "") -> None:
        """Connecting agents, their rules, the guest book, and what waits for a decision."""
        if not self._wanted("agents"):
            return
        os.environ["HOME"] = str(home_of_somebody(self._folder / "somebody"))
        with self._running(theme, f"agents{language}-{theme}") as desktop:
            engine = desktop._engine  # noqa: SLF001
            visited(desktop)
            page = desktop.window.pages.show_page("agents")
            assert isinstance(page, AgentsPage)
            page.look.click()
            until(lambda: bool(page.dreams.cards) and page.guest_book.model.rowCount() > 2)
            assert engine.workspaces()
            names = {
                page.connect_pane: "connect",
                page.rules: "rules",
                page.guest_book: "guests",
                page.dreams: "dreams",
                page.captured: "captured",
            }
            for pane, name in names.items():
                page.tabs.setCurrentWidget(pane)
                pause(0.3)
                self._keep(desktop.window, f"agents-{name}{language}", theme)

    def dialogs(self, theme: Choice, language: str = "") -> None:
        """What is not searched, the licences, and the keys."""
        if not self._wanted("dialogs"):
            return
        with self._running(theme, f"broken{language}-{theme}") as desktop:
            folder = sample(desktop)
            (folder / "memory" / "scan.md").write_bytes(b"# Scan\n\0\1\2")
            (folder / "memory" / "old.md").write_bytes("Café".encode("latin-1"))
            desktop.errands.add_folder(folder, sample_name())
            until(lambda: any(one.skipped for one in desktop.feed.status.workspaces))
            pause(0.3)
            shown = {
                "problems": desktop.window.show_problems(),
                "licences": desktop.show_licences(),
            }
            pause(0.5)
            for name, dialog in shown.items():
                self._keep(dialog, f"dialogs-{name}{language}", theme)
                dialog.close()

    def tray(self, theme: Choice) -> None:
        """The six shapes of the icon, and the menu."""
        if not self._wanted("tray"):
            return
        with self._running(theme, self.indexed) as desktop:
            desktop.tray.show()
            until(lambda: bool(desktop.tray.recents))
            pause(0.3)
            menu = desktop.tray.menu
            menu.ensurePolished()
            menu.resize(menu.sizeHint())
            picture = _tray_picture(menu, desktop.theme.colors)
            picture.save(str(_PLACE / f"tray-{theme}{self._suffix}.png"))

    def _wanted(self, name: str) -> bool:
        return name.startswith(self._only)

    def _keep(self, widget: QWidget, name: str, theme: Choice) -> None:
        widget.grab().save(str(_PLACE / f"{name}-{theme}{self._suffix}.png"))

    @contextmanager
    def _running(self, theme: Choice, home: str) -> Iterator[Desktop]:
        paths = Paths.under(self._folder / home)
        engine = Engine(paths)
        desktop = Desktop(self._app, engine, paths, Start(theme=theme))
        desktop.window.resize(_WINDOW)
        desktop.begin(Wish.WINDOW)
        pause(0.3)
        yield desktop
        desktop.dispose()
        engine.close()


def _progress(desktop: Desktop) -> str:
    found = [one.progress for one in desktop.feed.status.workspaces if one.progress is not None]
    return found[0].phase if found else ""


def _backdrop(popup: QWidget, theme: Choice) -> QPixmap:
    """The popup over something like a desktop, because its corners are round."""
    margin = 6 * GRID
    size = popup.size() + QSize(2 * margin, 2 * margin)
    picture = _canvas(size, popup.devicePixelRatioF())
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    blend = QLinearGradient(0, 0, size.width(), size.height())
    ends = ("#c9d6e4", "#8fa9c4") if theme == "light" else ("#27323e", "#0b0f13")
    blend.setColorAt(0, QColor(ends[0]))
    blend.setColorAt(1, QColor(ends[1]))
    painter.fillRect(QRect(QPoint(), size), blend)
    painter.setPen(Qt.PenStyle.NoPen)
    for spread in range(24, 0, -2):
        painter.setBrush(QColor(0, 0, 0, 4))
        shadow = QRect(QPoint(margin, margin + 6), popup.size())
        grown = shadow.adjusted(-spread, -spread, spread, spread)
        painter.drawRoundedRect(grown, 12 + spread, 12 + spread)
    popup.render(painter, QPoint(margin, margin), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.end()
    return picture


def _tray_picture(menu: QWidget, colors: Colors) -> QPixmap:
    """A strip like a panel with all six shapes, and the menu below it."""
    panel = LIGHT if not colors.is_dark else DARK
    cell, strip = 17 * GRID, 11 * GRID
    width = cell * len(_STATE_NAMES)
    size = QSize(width, strip + menu.height() + 5 * GRID)
    scale = menu.devicePixelRatioF()
    picture = _canvas(size, scale)
    picture.fill(panel.window)
    painter = QPainter(picture)
    painter.fillRect(QRect(0, 0, width, strip), panel.sidebar)
    painter.setPen(panel.border)
    painter.drawLine(0, strip, width, strip)
    small = sized(QFont(), -1)
    for number, (state, name) in enumerate(_STATE_NAMES.items()):
        left = number * cell
        drawn = pixmap(str(state), panel.text, 32, scale)
        painter.drawPixmap(left + (cell - 32) // 2, 2 * GRID, drawn)
        painter.setFont(small)
        painter.setPen(panel.muted)
        words = QRect(left, 7 * GRID, cell, 3 * GRID)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, name)
    menu.render(painter, QPoint((width - menu.width()) // 2, strip + 2 * GRID))
    painter.end()
    return picture


def _canvas(size: QSize, scale: float) -> QPixmap:
    picture = QPixmap(size * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


if __name__ == "__main__":
    main()
