"""Every page and dialog, in both languages and both themes: named, whole, readable, reachable."""

from __future__ import annotations

import ast
import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, QRect, QSize, Qt, QTranslator
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QWidget,
)

import scrubjay_desktop
from scrubjay.engine.engine import Engine
from scrubjay.onboarding.discovery import Discovery, NotesFolder
from scrubjay.platform.paths import Paths, resources
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.help_dialogs import HelpDialog, SearchTipsDialog
from scrubjay_desktop.preview.note_view import NoteView
from scrubjay_desktop.text.language import set_language
from scrubjay_desktop.widgets.buttons import Chip
from scrubjay_desktop.widgets.labels import ElidedLabel
from scrubjay_desktop.widgets.theme import DARK, GRID, LIGHT, Colors
from support.app import WORDS_ONLY, running_app
from support.dialogs import dialogs_of
from support.painted_words import contrast, painted_words

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
PAGES = ("search", "timeline", "folders", "health", "settings", "agents")
LEAST_CONTRAST = 4.5


@contextmanager
def started(
    qtbot, qapp: QApplication, paths: Paths, language: str, notes: Path | None
) -> Iterator[Desktop]:
    """The app on the real engine in a language, with notes or without any."""
    paths.config.mkdir(parents=True)
    paths.config_file.write_text(f"{{ {WORDS_ONLY} }}")
    set_language(qapp, "es" if language == "es" else "en", QLocale(f"{language}_ES"))
    made = Desktop(qapp, Engine(paths), paths, Start(theme="light"))
    made.window.resize(QSize(145 * GRID, 90 * GRID))
    made.begin(StartRequest.WINDOW)
    if notes is not None:
        made.late.actions.add_folder(notes, "My notes")
        qtbot.waitUntil(lambda: made.feed.status.workspaces != ())
        qtbot.waitUntil(lambda: made.window.search.search.model.rowCount() == 2)
    qtbot.waitUntil(made.window.isActiveWindow)
    try:
        yield made
    finally:
        with qtbot.waitSignal(made.engine_closed):
            made.quit()
        made.dispose()
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(QLocale("en_US"))


@pytest.fixture
def crane_notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "plan.md").write_text("# Plan\n\nSee [gone](gone.md) about the crane.\n")
    (root / "other.md").write_text("# Other\n\nThe crane comes in April.\n")
    (root / "broken.md").write_bytes(b"\x00\x01\x02")
    return root


@pytest.fixture(params=["en", "es"])
def running(
    request: pytest.FixtureRequest, qtbot, qapp: QApplication, paths: Paths, crane_notes: Path
) -> Iterator[Desktop]:
    """The app with notes, beside an agent."""
    (Path.home() / ".cursor").mkdir()
    with started(qtbot, qapp, paths, request.param, crane_notes) as made:
        qtbot.waitUntil(made.window.navigation.entries["agents"].isVisible)
        yield made


def screens(qtbot, desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Everything that can be looked at, one after the other."""
    window = desktop.window
    for key in PAGES:
        page = window.pages.show_page(key)
        if isinstance(page, AgentsPage):
            page.show_found(False)
            painted(qtbot, page)
            yield f"{key}: none", window
            page.show_found(True)
            for number in range(page.tabs.count()):
                page.tabs.setCurrentIndex(number)
                painted(qtbot, page.tabs.currentWidget())
                yield f"{key}: {page.tabs.tabText(number)}", window
        else:
            painted(qtbot, page)
            yield key, window
    window.pages.show_page("search")
    window.search_for("crane")
    qtbot.waitUntil(lambda: window.search.list.row() is not None)
    yield "results", window
    window.tell("Something happened.")
    yield "banner", window
    for name, make in dialogs_of(desktop).items():
        dialog = make()
        dialog.show()
        painted(qtbot, dialog)
        yield name, dialog
        dialog.close()
    desktop.late.popup.present()
    qtbot.waitUntil(lambda: desktop.late.popup.isVisible())
    yield "quick search", desktop.late.popup
    desktop.late.popup.dismiss()


class Paints(QObject):
    """Hears when a widget has been laid out and paints itself."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.has_begun = False
        widget.installEventFilter(self)
        widget.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.has_begun = self.has_begun or event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


def painted(qtbot, widget: QWidget) -> None:
    """Wait for a widget to be on the screen as it is now."""
    paints = Paints(widget)
    qtbot.waitUntil(lambda: paints.has_begun)
    widget.removeEventFilter(paints)


def parts(top: QWidget) -> list[QWidget]:
    """What of a screen can be seen."""
    return [one for one in top.findChildren(QWidget) if one.isVisibleTo(top)]


def about(widget: QWidget) -> str:
    words = widget.property("text") or widget.accessibleName()
    return f"{type(widget.parentWidget()).__name__} > {type(widget).__name__} {words!r}"


def spoken_name(widget: QWidget) -> str:
    """What a screen reader says of a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


def can_take_keys(widget: QWidget) -> bool:
    return widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def nameless(top: QWidget) -> Iterator[str]:
    for one in filter(can_take_keys, parts(top)):
        if not spoken_name(one) and one.focusProxy() is None:
            yield f"{about(one)} has no name"


def cut_off(top: QWidget) -> Iterator[str]:
    for one in parts(top):
        if not isinstance(one, QLabel | QAbstractButton) or not one.text():
            continue
        if isinstance(one, QLabel) and one.wordWrap():
            is_cut = one.height() < one.heightForWidth(one.width())
        else:
            is_cut = one.width() < one.minimumSizeHint().width() or (
                one.height() < one.fontMetrics().height()
            )
        if is_cut:
            yield f"{about(one)} is cut off at {one.size().toTuple()}"


def cramped(top: QWidget) -> Iterator[str]:
    for one in parts(top):
        if isinstance(one, QPushButton) and one.text() and not isinstance(one, Chip):
            words = one.fontMetrics().horizontalAdvance(one.text().replace("&", ""))
            if one.width() - words < 3 * GRID:
                yield f"{about(one)} has no room beside its words"


def out_of_place(top: QWidget) -> Iterator[str]:
    words = [one for one in parts(top) if isinstance(one, QLabel | QAbstractButton)]
    for one in words:
        parent = one.parentWidget()
        if parent is None or isinstance(parent, QAbstractScrollArea | QMessageBox):
            continue
        if not parent.rect().contains(one.geometry()):
            yield f"{about(one)} sticks out"
        for other in words:
            is_near = other is not one and other.parentWidget() is parent
            if is_near and one.geometry().intersects(other.geometry()):
                yield f"{about(one)} lies on {about(other)}"


def test_every_control_has_a_name_and_room_for_its_words(qtbot, running: Desktop) -> None:
    seen = []
    for screen, top in screens(qtbot, running):
        seen.append(screen)

        def wrong(top: QWidget = top) -> list[str]:
            return [*nameless(top), *cut_off(top), *cramped(top), *out_of_place(top)]

        # Layouts settle in several rounds.
        with contextlib.suppress(qtbot.TimeoutError):
            qtbot.waitUntil(lambda: not wrong())
        assert wrong() == [], screen
    assert len(seen) > 15


SHEET = "".join(file.read_text("utf-8") for file in sorted(resources().glob("*.qss")))
WITHOUT_A_LOOK = {
    "QFrame", "QLabel", "QScrollArea", "QStackedWidget", "QDialogButtonBox", "QKeySequenceEdit",
    "QSplitterHandle",
}  # fmt: skip
"""Shapes that Qt draws nothing of, or as a part of another."""


def drawn_by_qt(widget: QWidget) -> Iterator[str]:
    """The classes of Qt that a widget has its look from, the nearest first."""
    for kind in type(widget).mro():
        if kind is QWidget:
            return
        if kind.__module__.startswith("PySide6"):
            yield kind.__name__


@pytest.mark.parametrize("running", ["en"], indirect=True)
def test_every_kind_of_widget_has_a_rule(qtbot, running: Desktop) -> None:
    looked_at, foreign = set(), set()
    for screen, top in screens(qtbot, running):
        for one in (top, *parts(top)):
            names = list(drawn_by_qt(one))
            paints = not names or (
                type(one).__name__ != names[0] and "paintEvent" in vars(type(one))
            )
            if paints or names[0] in WITHOUT_A_LOOK:
                continue
            names += [kind.__name__ for kind in type(one).mro() if kind is not QWidget]
            looked_at.add(names[0])
            if not any(re.search(rf"\b{name}\b", SHEET) for name in names):
                foreign.add(f"{screen}: {names[0]}")
    assert foreign == set()
    assert {"QCheckBox", "QComboBox", "QSpinBox", "QTabBar", "QScrollBar"} <= looked_at


INKS: dict[str, tuple[str, ...]] = {
    "text": ("window", "sidebar", "surface", "hover", "accent_soft", "warning_soft", "good_soft",
             "danger_soft", "field"),
    "muted": ("window", "sidebar", "surface", "hover", "accent_soft", "field"),
    "accent": ("window", "sidebar", "surface", "hover", "accent_soft"),
    "accent_text": ("accent",),
    "marked_text": ("marked",),
    "good": ("window", "surface", "good_soft"),
    "warning": ("window", "surface", "accent_soft", "warning_soft"),
    "danger": ("window", "surface", "accent_soft", "danger_soft"),
}  # fmt: skip
"""Which colour is written on which."""


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), [(ink, on) for ink in INKS for on in INKS[ink]])
def test_what_is_written_can_be_read(colors: Colors, ink: str, paper: str) -> None:
    assert contrast(getattr(colors, ink), getattr(colors, paper)) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_words_on_every_screen_can_be_read(qtbot, running: Desktop, theme) -> None:
    # While it runs: whatever keeps the colours of before is seen here.
    running.theme.choose("dark" if theme == "light" else "light")
    painted(qtbot, running.window)
    running.theme.choose(theme)
    faint, seen = set(), 0
    for screen, top in screens(qtbot, running):
        notes = [area_of(one) for one in top.findChildren(NoteView) if one.isVisible()]
        notes += [area_of(one) for one in top.findChildren(QLineEdit) if one.hasSelectedText()]
        for one in painted_words(top):
            if any(area.intersects(one.area) for area in notes):
                continue  # marked words are drawn over the unmarked ones
            seen += 1
            if one.contrast < LEAST_CONTRAST:
                faint.add(f"{screen}: {one.words} {one.ink.name()} on {one.paper.name()}")
    assert faint == set()
    assert seen > 300


def test_a_thin_scroll_bar_follows_a_change_of_theme(qtbot, desktop: Desktop) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    tall = QWidget()
    tall.setFixedHeight(4000)
    area.setWidget(tall)
    area.show()
    bar = area.verticalScrollBar()

    def middle() -> str:
        # The handle begins at the top.
        return bar.grab().toImage().pixelColor(bar.width() // 2, 16).name()

    for theme, colors in (("dark", DARK), ("light", LIGHT)):
        desktop.theme.choose(theme)
        qtbot.waitUntil(lambda colors=colors: middle() == colors.border.name())


def area_of(widget: QWidget) -> QRect:
    """Where a widget is in its window."""
    return widget.rect().translated(widget.mapTo(widget.window(), QPoint()))


def test_a_page_is_reached_by_its_number_and_keys_go_to_it(qtbot, running: Desktop) -> None:
    window = running.window
    assert tuple(window.navigation.entries) == PAGES
    for place in (1, 2, 3, 4, 5, 0):  # the first page is open
        number = Qt.Key(Qt.Key.Key_1 + place)
        qtbot.keyClick(window, number, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda place=place: window.pages.key == PAGES[place])
        page = window.pages.currentWidget()
        qtbot.waitUntil(lambda page=page: page.isAncestorOf(window.focusWidget()))


@pytest.mark.parametrize("running", ["en"], indirect=True)
def test_the_text_of_all_dialogs_begins_at_one_line(running: Desktop) -> None:
    margins = {}
    for name, make in dialogs_of(running).items():
        dialog = make()
        dialog.show()
        running.theme.choose("dark")  # Qt makes the layout of a box of its own again
        QApplication.processEvents()
        if not isinstance(dialog, HelpDialog | SearchTipsDialog):  # that of a text
            margins[name] = dialog.layout().contentsMargins().left()
        dialog.close()
    assert len(margins) > 8
    assert set(margins.values()) == {2 * GRID}


def test_the_popup_cuts_none_of_its_own_words(qtbot, running: Desktop) -> None:
    popup = running.late.popup
    popup.present()
    qtbot.waitUntil(popup.isVisible)
    painted(qtbot, popup)
    lines = [one for one in parts(popup) if isinstance(one, ElidedLabel)]
    assert lines
    for line in lines:
        assert line.fontMetrics().horizontalAdvance(line.text()) <= line.width(), line.text()
    # The last row fades to the paper that it stands on.
    paper = popup.list.palette().color(popup.list.backgroundRole())
    assert paper == LIGHT.surface
    popup.dismiss()


@pytest.mark.parametrize("running", ["en"], indirect=True)
def test_the_dialogs_looked_at_are_all_dialogs(running: Desktop) -> None:
    source = Path(scrubjay_desktop.__file__).parent.rglob("*.py")
    nodes = [node for file in source for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    classes = {
        n.name: {ast.unparse(base) for base in n.bases}
        for n in nodes
        if isinstance(n, ast.ClassDef)
    }
    boxes = {"QMessageBox", "question_box", "consent_question"} | {
        name for name, bases in classes.items() if "QMessageBox" in bases
    }
    made = {name for name, bases in classes.items() if "QDialog" in bases}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            calls = [ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)]
            made |= {node.name} if boxes.intersection(calls) else set()
    assert set(dialogs_of(running)) == made - boxes


class Windows(QObject):
    """Hears which widgets are shown as windows of their own."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.shown: list[str] = []
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(type(watched).__name__)
        return False


def test_nothing_but_the_window_is_shown_when_its_pages_are_made(
    qapp: QApplication, paths: Paths
) -> None:
    """A part that is shown before it has its place flashes, and takes the keys away."""
    windows = Windows(qapp)
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        for key in PAGES:
            made.window.pages.show_page(key)
    assert windows.shown == ["MainWindow"]


def test_tab_reaches_every_control_of_every_page(qtbot, running: Desktop) -> None:
    window = running.window
    for key in PAGES:
        page = window.pages.show_page(key)
        painted(qtbot, page)
        qtbot.waitUntil(lambda page=page: page.isAncestorOf(window.focusWidget()))
        wanted = {one for one in parts(page) if can_take_keys(one) and one.focusProxy() is None}
        reached: set[QWidget] = set()
        while (focused := window.focusWidget()) not in reached:
            assert focused is not None
            reached.add(focused)
            window.focusNextChild()
        others = [one for one in wanted - reached if not _is_chosen_by_arrows(one, reached)]
        missed = {about(one) for one in others if not _is_inner(one)}
        assert missed == set(), key


def _is_chosen_by_arrows(widget: QWidget, reached: set[QWidget]) -> bool:
    """One of several buttons of which one is down: Tab leads to that, arrows to the others."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and not reached.isdisjoint(group.buttons())


def _is_inner(widget: QWidget) -> bool:
    """Part of a control that takes keys as a whole."""
    parent = widget.parentWidget()
    return parent is not None and parent.focusProxy() is widget


def test_somebody_new_can_begin_with_one_key(qtbot, qapp: QApplication, paths: Paths) -> None:
    with started(qtbot, qapp, paths, "en", None) as desktop:
        first_run = desktop.window.first_run
        qtbot.waitUntil(lambda: first_run.looked.text() != "")
        assert desktop.window.focusWidget() is first_run.add
        now = dt.datetime.now().astimezone()
        found = NotesFolder("Obsidian", "Garden", paths.config, 3, is_more=False, newest=now)
        first_run.show_found(Discovery((found,), ()), now)
        assert desktop.window.focusWidget() is first_run.search
