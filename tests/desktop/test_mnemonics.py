"""No two entries of one menu answer to the same letter, in any language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.text.language import set_language

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture(params=["en", "es"])
def app(
    request: pytest.FixtureRequest, qapp: QApplication, engine: Engine, paths: Paths
) -> Iterator[Desktop]:
    """The app in a language."""
    set_language(qapp, request.param, QLocale("es_ES" if request.param == "es" else "en_US"))
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.begin(StartRequest.WINDOW)
    yield made
    made.dispose()
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(QLocale("en_US"))


def letter(action: QAction) -> str:
    """What opens an entry of an open menu; empty when nothing does."""
    found = re.search(r"&([^&\s])", action.text().replace("&&", ""))
    return found[1].casefold() if found else ""


def menus(desktop: Desktop) -> list[QMenu]:
    """Every menu of the window and of the tray, with those inside."""
    tops = [
        desktop.window.window_actions.app_menu(),
        desktop.window.window_actions.note_menu(),
        desktop.late.tray.menu,
    ]
    return [*tops, *(inner for top in tops for inner in top.findChildren(QMenu))]


def test_no_two_entries_of_a_menu_share_a_letter(app: Desktop) -> None:
    for menu in menus(app):
        entries = [one for one in menu.actions() if one.isVisible() and not one.isSeparator()]
        letters = Counter(filter(None, map(letter, entries)))
        shared = [name for name, count in letters.items() if count > 1]
        assert shared == [], [one.text() for one in entries]


def test_the_menus_of_the_window_and_of_the_tray_are_looked_at(app: Desktop) -> None:
    assert sum(len(menu.actions()) for menu in menus(app)) > 20
