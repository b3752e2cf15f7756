from __future__ import annotations

import datetime as dt
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from scrubjay import ApiKeys, Paths, SettingsEditor
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.config.loading import LoadedSettings, load
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from scrubjay_desktop.app.application import Desktop, Start
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.language import speak
from support.fake_engine import NOW, FakeEngine, Note
from support.vault import TIMEOUT


@pytest.fixture(autouse=True, scope="session")
def english() -> None:
    """The same words on every machine."""
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture
def spanish(qapp: QApplication) -> Iterator[None]:
    """The app in Spanish, as in Spain."""
    assert speak(qapp, "es", QLocale("es_ES")) == "es"
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture(autouse=True, scope="session")
def patience() -> None:
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
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home of which nothing is known yet."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for variable in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return home


@pytest.fixture
def engine() -> Iterator[FakeEngine]:
    """Two workspaces with a few notes."""
    made = FakeEngine()
    made.add(
        "home",
        {
            "router.md": Note("Router", "# Router\n\nThe router password is on the fridge.\n"),
            "memory/2026-03-12.md": Note(
                "Thursday",
                "Booked the orthodontist for Emma.\n",
                NOW - dt.timedelta(days=2),
                frozenset({"teeth", "daughter"}),
            ),
        },
        "Home notes",
    )
    made.add(
        "work",
        {"network.md": Note("Network", "Router, router, router.\n", NOW - dt.timedelta(days=40))},
        "Work",
    )
    yield made
    if ("close",) not in made.calls:
        made.close()


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "home")


@pytest.fixture
def real_settings(engine: FakeEngine, paths: Paths) -> Iterator[None]:
    """The small engine with a real settings file, and with no keychain."""
    import keyring
    from keyring.backends.fail import Keyring as NoKeyring

    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    access = RemoteAccess(Network(lambda: False), Keychain())

    def loaded() -> LoadedSettings:
        return load(paths.config_file)

    engine.settings_editor = SettingsEditor(paths, DaemonThreadPool("test"), loaded, lambda: None)
    engine.keys = ApiKeys(paths, DaemonThreadPool("test"), access, loaded)
    yield
    engine.settings_editor.close()
    engine.keys.close()
    access.keychain.close()
    keyring.set_keyring(before)


@pytest.fixture
def desktop(
    qapp: QApplication, engine: FakeEngine, paths: Paths, real_settings: None
) -> Iterator[Desktop]:
    """The whole app on the small engine, not shown yet."""
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    yield made
    made.dispose()
