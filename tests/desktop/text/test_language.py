"""Every word of the windows is in Spanish too, and the right language is spoken."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QHeaderView, QLabel, QTreeView

import translations
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.controllers.bug_report import bug_box
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.language import choose_language, language_locale, set_language
from support.sentences import catalogue, said


def test_everything_that_is_said_has_a_translation_and_nothing_else() -> None:
    everything = said()
    assert len(everything) > 200
    assert everything ^ set(catalogue()) == set()


@pytest.mark.parametrize(("source", "target"), sorted((k[1], v) for k, v in catalogue().items()))
def test_a_translation_keeps_places_mnemonic_and_end(source: str, target: str) -> None:
    assert target.strip()
    source = source.replace("...", "…")
    assert sorted(re.findall(r"\{\w+\}", target)) == sorted(re.findall(r"\{\w+\}", source))
    counted = re.findall(r"\{(\w+):[^{}|]*\|[^{}|]*\}", source + target)
    assert {f"{{{name}}}" for name in counted} <= set(re.findall(r"\{\w+\}", source))
    assert (source + target).count("|") == len(counted)
    assert len(re.findall(r"&\w", target)) == len(re.findall(r"&\w", source))
    assert target.endswith("…") == source.endswith("…")
    assert (target[-1] in ".:?") == (source[-1] in ".:?")


@pytest.mark.needs("tools of Qt")
def test_what_qt_loads_is_what_was_translated(tmp_path: Path) -> None:
    fresh = tmp_path / "es.qm"
    translations.build(translations.CATALOGUE, fresh)
    assert fresh.read_bytes() == translations.BUILT.read_bytes(), "run scripts/translations.py"


@pytest.mark.needs("tools of Qt")
def test_the_catalogue_is_as_the_tool_writes_it(tmp_path: Path) -> None:
    copy = shutil.copy(translations.CATALOGUE, tmp_path / "scrubjay_es.ts")
    translations.collect(Path(copy))
    fresh = Path(copy).read_text("utf-8")
    assert fresh == translations.CATALOGUE.read_text("utf-8"), "run scripts/translations.py"


@pytest.mark.parametrize(
    ("choice", "wanted", "code"),
    [
        ("system", ["es-MX", "en-US"], "es"),
        ("system", ["de-DE", "es"], "es"),
        ("system", ["de-DE", "fr_FR"], "en"),
        ("system", [], "en"),
        ("en", ["es-ES"], "en"),
        ("es", ["en-GB"], "es"),
    ],
)
def test_the_language_is_the_systems_or_the_chosen_one(choice, wanted, code: str) -> None:
    assert choose_language(choice, wanted) == code


@pytest.mark.parametrize(
    ("code", "system", "used"),
    [
        ("en", "C", "en_GB"),
        ("en", "en_GB", "en_GB"),
        ("es", "es_MX", "es_MX"),
        ("es", "de", "es_ES"),
    ],
)
def test_numbers_are_written_as_the_country_does(code: str, system: str, used: str) -> None:
    assert language_locale(code, QLocale(system)).name() == used


@pytest.mark.skipif(sys.platform != "linux", reason="the variables are those of Linux")
def test_days_are_written_in_the_language_of_the_words() -> None:
    script = (
        "from PySide6.QtCore import QLocale\n"
        "from scrubjay_desktop.text.language import language_locale\n"
        "print(language_locale('es', QLocale.system()).monthName(1))"
    )
    environ = {**os.environ, "LANG": "es_ES.UTF-8", "LANGUAGE": "es", "LC_ALL": "en_US.UTF-8"}
    command = [sys.executable, "-c", script]
    assert subprocess.check_output(command, env=environ, text=True).strip() == "enero"


@pytest.fixture
def escritorio(qtbot, spanish, qapp, engine: Engine, paths: Paths) -> Iterator[Desktop]:
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.begin(StartRequest.WINDOW)
    yield made
    made.dispose()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_the_app_speaks_spanish(qtbot, escritorio: Desktop) -> None:
    window = escritorio.window
    qtbot.waitUntil(lambda: window.status_line.sentence == "3 notas al día")
    window.search.set_text("router")
    qtbot.waitUntil(lambda: window.search.line.text().startswith("Se ha buscado en 3 notas"))
    assert window.search.box.placeholderText() == "Busca en tus notas"
    assert [action.text() for action in escritorio.late.tray.menu.actions()][:2] == [
        "&Abrir Scrubjay",
        "Búsqueda rá&pida",
    ]


def test_buttons_of_qt_itself_speak_spanish_too(spanish) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    assert box.buttons()[0].text().replace("&", "") == "Cerrar"
    assert QCoreApplication.translate("Wording", "Yesterday") == "Ayer"


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_the_file_dialog_of_qt_speaks_spanish_and_cuts_nothing(escritorio: Desktop) -> None:
    escritorio.window.workspaces.ask_for_folder()
    dialog = escritorio.window.findChild(QFileDialog)
    words = {label.text().replace("&", "") for label in dialog.findChildren(QLabel)}
    assert {"Buscar en:", "Carpeta:", "Tipo de archivo:"} <= words
    assert QCoreApplication.translate("QAbstractFileIconProvider", "Folder") == "Carpeta"
    header, modes = dialog.findChild(QTreeView).header(), QHeaderView.ResizeMode
    assert header.sectionResizeMode(0) is modes.Stretch
    assert header.sectionResizeMode(3) is modes.ResizeToContents
    dialog.reject()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_details_of_a_bug_have_one_kind_of_dots(spanish, escritorio: Desktop) -> None:
    box = bug_box(escritorio.window, "Traceback", None)
    assert "Mostrar los detalles…" in [button.text() for button in box.buttons()]


def test_keys_are_named_as_on_a_spanish_keyboard(spanish) -> None:
    assert key_name("Ctrl+Shift+N") == "Ctrl+Mayús+N"
    assert key_name("Ctrl+Return") == "Ctrl+Intro"
    assert key_name("Shift+F3") == "Mayús+F3"


def test_the_return_key_is_called_enter(qapp) -> None:
    set_language(qapp, "en", QLocale("en_US"))
    try:
        assert key_name("Alt+Return") == "Alt+Enter"
        assert key_name("Ctrl+Shift+N") == "Ctrl+Shift+N"
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()


def key_name(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_the_language_can_be_chosen(desktop: Desktop, paths: Paths) -> None:
    chosen = desktop.show_settings().window_settings
    chosen.language_box.setCurrentIndex(2)
    chosen.language_box.activated.emit(2)
    assert chosen.language_line.text() == "The change takes effect the next time Scrubjay starts."
    assert chosen.language_line.isVisible()
    desktop.preferences.save()
    assert Preferences(paths).language == "es"
