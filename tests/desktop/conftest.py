from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.language import set_language
from scrubjay_desktop.widgets.theme import palette_colors
from scrubjay_desktop.windows.main_window import MainWindow
from support.app import WORDS_ONLY
from support.notes import DIARY, HOME, NOW, SYNONYMS, WORK, engine_over
from support.providers import WordProvider
from support.vault import TIMEOUT, write_notes


@pytest.fixture(autouse=True, scope="session")
def english() -> None:
    """The same words on every machine."""
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture
def spanish(qapp: QApplication) -> Iterator[None]:
    """The app in Spanish, as in Spain."""
    assert set_language(qapp, "es", QLocale("es_ES")) == "es"
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture(autouse=True, scope="session")
def wait_longer() -> None:
    """Wait longer than five seconds: a busy machine is no failure, and a quick one never waits."""
    waits = (
        QtBot.waitUntil,
        QtBot.waitSignal,
        QtBot.waitSignals,
        QtBot.waitActive,
        QtBot.waitExposed,
    )
    for wait in waits:
        wait.__kwdefaults__["timeout"] = TIMEOUT * 1000


@pytest.fixture(autouse=True)
def pointer_aside(qapp: QApplication) -> None:
    """A pointer over no window: what is under it lights up, and stays where it would go."""
    QCursor.setPos(qapp.primaryScreen().geometry().bottomRight())


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home of which nothing is known yet."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return home


@pytest.fixture(autouse=True)
def former_colors(qapp: QApplication) -> Iterator[None]:
    """The colours of before, after a test that chose others: the app keeps those of its last."""
    palette = qapp.palette()
    sheet = qapp.styleSheet()
    yield
    if palette_colors(qapp.palette()).is_dark != palette_colors(palette).is_dark:
        qapp.setPalette(palette)
        qapp.setStyleSheet(sheet)


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "home")


@pytest.fixture
def no_keychain() -> Iterator[None]:
    """A computer without a keychain."""
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The folders `home` and `work`, with three notes that were written on different days."""
    root = tmp_path / "notes"
    write_notes(root / "home", HOME)
    write_notes(root / "work", WORK)
    for name, days in {"home/router.md": 0, f"home/{DIARY}": 2, "work/network.md": 40}.items():
        written = (NOW - dt.timedelta(days=days)).timestamp()
        os.utime(root / name, (written, written))
    return root


@pytest.fixture
def engine(
    notes: Path, paths: Paths, no_keychain: None, engine_limits: EngineLimits
) -> Iterator[Engine]:
    """An engine that has read both folders, and knows two words by their meaning."""
    made = engine_over(notes, paths, WordProvider("10", SYNONYMS), limits=engine_limits)
    made.refresh().result(TIMEOUT)
    yield made
    made.close()


@pytest.fixture
def empty_engine(paths: Paths, no_keychain: None, engine_limits: EngineLimits) -> Iterator[Engine]:
    """An engine without any folder, as on the first day."""
    write_notes(paths.config, {"config.json5": f"{{ {WORDS_ONLY} }}"})
    made = Engine(paths, limits=engine_limits)
    yield made
    made.close()


@pytest.fixture
def desktop(qapp: QApplication, engine: Engine, paths: Paths) -> Iterator[Desktop]:
    """The whole app, not shown yet."""
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    yield made
    made.dispose()


@pytest.fixture
def bare_window(qtbot) -> QWidget:
    """A window with nothing in it."""
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def notes_window(qtbot, desktop: Desktop) -> MainWindow:
    """The window of the running app, with three notes in two folders."""
    with qtbot.waitSignal(desktop.started), qtbot.waitActive(desktop.window):
        desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.search.search.model.rowCount() == 3)
    return desktop.window
