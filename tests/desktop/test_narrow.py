"""A small window, long words and large letters: everything stays within reach."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.widgets.buttons import Chip
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.theme import GRID, LIGHT
from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

SMALL = QSize(853, 500)
"""A screen of 1,280 by 800 at 150 %, less a panel."""
PAGES = ("search", "timeline", "folders", "settings")
_TITLE_POINTS = 13
"""Points of the letters below those of titles."""
LARGE_LETTERS = 1.5
SCREEN = QSize(1280, 720)


def test_a_window_is_never_larger_than_its_screen(qtbot, desktop: Desktop) -> None:
    desktop.window.resize(5_000, 4_000)
    desktop.window.save_geometry()
    again = MainWindow(desktop.engine, desktop.tasks, desktop.opener, desktop.preferences)
    qtbot.addWidget(again)
    assert again.size().boundedTo(again.screen().availableSize()) == again.size()


@pytest.mark.parametrize("page", PAGES)
def test_every_button_of_a_page_is_inside_a_small_window(qtbot, notes_window, page: str) -> None:
    notes_window.pages.show_page(page)
    notes_window.resize(SMALL)
    QApplication.processEvents()
    assert notes_window.size() == SMALL
    for button in notes_window.pages.currentWidget().findChildren(QAbstractButton):
        if button.isVisible() and button.accessibleName() + button.text():
            left = button.mapTo(notes_window, QPoint(0, 0)).x()
            assert 0 <= left <= left + button.width() <= notes_window.width(), button.text()


@pytest.mark.parametrize("page", [*PAGES, "agents", "health"])
def test_in_spanish_no_page_makes_a_small_window_wider(
    qtbot, spanish: None, notes_window, page: str
) -> None:
    notes_window.pages.show_page(page)
    notes_window.resize(SMALL)
    QApplication.processEvents()
    assert notes_window.width() == SMALL.width()


@pytest.mark.parametrize("page", ["timeline", "folders", "agents", "health", "settings"])
def test_the_titles_of_pages_are_at_one_place(qtbot, notes_window, page: str) -> None:
    shown = notes_window.pages.show_page(page)
    QApplication.processEvents()
    title = next(
        label for label in shown.findChildren(QLabel) if label.font().pointSizeF() > _TITLE_POINTS
    )
    corner = title.mapTo(shown, QPoint())
    assert (corner.x(), corner.y(), title.height()) == (3 * GRID, 3 * GRID, 4 * GRID)


def test_the_chosen_page_and_the_chosen_folder_have_one_edge(qtbot, notes_window) -> None:
    folders = notes_window.workspaces.list
    row = folders.visualRect(folders.currentIndex())
    places = (notes_window.navigation.entries["search"], folders.viewport())
    middles = (places[0].rect().center(), row.center())
    picture = notes_window.grab().toImage()
    for widget, middle in zip(places, middles, strict=True):
        y = widget.mapTo(notes_window, middle).y()
        colors = [picture.pixelColor(x, y).name() for x in (GRID // 2, GRID + 4)]
        paper = notes_window.palette().window().color().name()
        assert colors == [paper, LIGHT.accent_soft.name()]


def test_the_box_to_search_in_is_large_with_the_cursor_in_it_and_without(
    qtbot, notes_window
) -> None:
    for widget in (notes_window.search.box, notes_window.search.list):
        widget.setFocus()
        QApplication.processEvents()
        assert notes_window.search.box.height() == 44


@pytest.mark.parametrize(("width", "rows"), [(1000, 2), (800, 3)])
def test_chips_leave_room_for_the_results(qtbot, notes_window, width: int, rows: int) -> None:
    notes_window.search.set_text("after:2026-02-01 before:2026-03-05 router")
    notes_window.resize(width, 600)
    QApplication.processEvents()
    chips = [chip for chip in notes_window.search.findChildren(Chip) if chip.isVisible()]
    assert chips
    assert len({chip.mapTo(notes_window, QPoint(0, 0)).y() for chip in chips}) <= rows


def test_with_large_letters_every_page_fits_a_small_screen(qtbot, notes_window) -> None:
    usual, large = QApplication.font(), QApplication.font()
    large.setPointSizeF(LARGE_LETTERS * usual.pointSizeF())
    QApplication.setFont(large)
    try:
        for key in PAGES:
            notes_window.pages.show_page(key)
        needed = notes_window.minimumSizeHint()
    finally:
        QApplication.setFont(usual)
    assert needed.width() <= SCREEN.width()
    assert needed.height() <= SCREEN.height()


@pytest.mark.parametrize(
    ("width", "places"),
    [
        (400, [(0, 0), (110, 0), (300, 0)]),
        (250, [(0, 0), (110, 0), (0, 28)]),
        (120, [(0, 0), (0, 28), (0, 56)]),
        (60, [(0, 0), (0, 28), (0, 56)]),
    ],
)
def test_controls_go_on_in_the_next_line(qtbot, width: int, places: list[tuple[int, int]]) -> None:
    buttons = [QWidget() for _ in range(3)]
    for button in buttons:
        button.setFixedSize(100, 18)
    flow = FlowLayout(*buttons, is_last_apart=True)
    flow.setSpacing(10)
    row = QWidget()
    qtbot.addWidget(row)
    row.setLayout(flow)
    height = flow.heightForWidth(width)
    flow.setGeometry(QRect(0, 0, width, height))
    assert [(button.x(), button.y()) for button in buttons] == places
    assert height == places[-1][1] + 18
