from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import IndexState, Progress
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.windows.tray_menu import TrayMenu
from support.fake_tray import FakeTray
from support.notes import DIARY, with_workspace


@pytest.fixture
def icon() -> FakeTray:
    return FakeTray()


@pytest.fixture
def lone_window(qtbot, engine: Engine, tasks: Tasks, paths: Paths) -> MainWindow:
    made = MainWindow(engine, tasks, Opener(), Preferences(paths))
    qtbot.addWidget(made)
    return made


@pytest.fixture
def tray(
    icon: FakeTray, engine: Engine, tasks: Tasks, lone_window: MainWindow
) -> Iterator[TrayMenu]:
    made = TrayMenu(icon, engine, tasks, lone_window)
    made.show()
    yield made
    made.close()
    made.menu.deleteLater()


def entries(tray: TrayMenu) -> list[str]:
    return [
        action.text().replace("&", "")
        for action in tray.menu.actions()
        if action.isVisible() and not action.isSeparator()
    ]


def test_the_menu_says_everything_in_order(tray: TrayMenu) -> None:
    assert entries(tray) == [
        "Open Scrubjay",
        "Quick search",
        "Remember this…",
        "3 notes are up to date",
        "Pause",
        "Recent",
        "Settings",
        "Help",
        "Quit",
    ]
    assert tray.menu.defaultAction().text() == "&Open Scrubjay"


def test_while_paused_it_offers_to_resume(tray: TrayMenu, engine: Engine) -> None:
    engine.pause()
    tray.show_status(engine.status())
    assert "Resume" in entries(tray)
    assert "Pause" not in entries(tray)


def test_recent_notes_are_in_the_menu_with_their_days_and_folders(qtbot, tray: TrayMenu) -> None:
    qtbot.waitUntil(lambda: len(tray.recents) == 3)
    router, thursday, network = (one.text() for one in tray.recents)
    assert router.startswith("Router · changed ")
    assert router.endswith(" · Home notes")
    assert thursday.startswith("Thursday · Thu 12 Mar")
    assert network.endswith(" · Work")
    with qtbot.waitSignal(tray.document_opened) as opened:
        tray.recents[1].trigger()
    assert opened.args[0].path == DIARY


def test_a_long_title_does_not_make_the_menu_wide(tray: TrayMenu, engine: Engine) -> None:
    [document, *_] = engine.notes.recent(1).result()
    tray._show_recents((replace(document, title="A long title " * 20),))  # noqa: SLF001
    [recent] = tray.recents
    assert recent.text().startswith("A long title A long")
    assert "… · " in recent.text()
    assert tray.menu.fontMetrics().horizontalAdvance(recent.text()) < 600


def test_clicks(qtbot, tray: TrayMenu, icon: FakeTray, lone_window: MainWindow) -> None:
    with qtbot.waitSignal(lone_window.requests.quick_search):
        icon.middle_click()
    assert not lone_window.isVisible()
    icon.click()
    assert lone_window.isVisible()


def test_states_differ_in_shape_not_only_in_colour(
    tray: TrayMenu, icon: FakeTray, engine: Engine
) -> None:
    def picture() -> bytes:
        image = icon.icon.pixmap(22, 22).toImage()
        return bytes(image.pixelColor(x, y).alpha() > 99 for y in range(22) for x in range(22))

    status = engine.status()
    shapes = {picture()}
    for other in (
        with_workspace(status, "home", state=IndexState.INDEXING, progress=Progress("words")),
        with_workspace(status, "home", state=IndexState.INDEXING, progress=Progress("meaning")),
        with_workspace(status, "home", state=IndexState.ERROR),
        replace(status, is_paused=True),
        replace(status, workspaces=()),
    ):
        tray.show_status(other)
        shapes.add(picture())
    assert len(shapes) == 6


def test_the_tooltip_is_a_sentence_with_the_apps_name(tray: TrayMenu, icon: FakeTray) -> None:
    assert icon.tooltip == "Scrubjay: 3 notes are up to date"


def test_the_icon_is_drawn_only_when_it_says_something_else(
    tray: TrayMenu, icon: FakeTray, engine: Engine
) -> None:
    drawn = icon.icon.cacheKey()
    tray.show_status(engine.status())
    assert icon.icon.cacheKey() == drawn
    engine.pause()
    tray.show_status(engine.status())
    assert icon.icon.cacheKey() != drawn
