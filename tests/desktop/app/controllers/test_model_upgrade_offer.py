from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.models.models_dialog import ModelsDialog
from support.notes import engine_over
from support.providers import WordProvider
from support.two_models import forget_catalogues, write_two_models
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


class LocalWords(WordProvider):
    """Embeds on this computer, as a model does."""

    name = "local"


def offered(qtbot, qapp: QApplication, engine: Engine, paths: Paths) -> str:
    """Words of the banner of an app once all notes are read; it has ended then."""
    engine.refresh().result(TIMEOUT)
    desktop = Desktop(qapp, engine, paths, Start(theme="light"))
    with qtbot.waitSignal(desktop.late.notifications.all_read):
        desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.search.list.row() is not None)
    words = desktop.window.banner.words
    desktop.dispose()
    engine.close()
    return words


@pytest.fixture
def better(tmp_path: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a better model, which is not among the models here."""
    yield write_two_models(tmp_path / "catalogue", paths, monkeypatch)
    forget_catalogues()


@pytest.fixture
def spanish_notes(tmp_path: Path) -> Path:
    """Notes in Spanish, of which the small model knows little."""
    spanish = (
        "# Caldera\n\nLa caldera no funciona y hoy vino el técnico para ver qué pasa con ella.\n"
    )
    return write_notes(tmp_path / "spanish", {"home/a.md": spanish, "work/b.md": spanish})


@pytest.fixture
def engine(better: Path, spanish_notes: Path, paths: Paths, no_keychain: None) -> Iterator[Engine]:
    made = engine_over(spanish_notes, paths, LocalWords())
    made.refresh().result(TIMEOUT)
    yield made
    made.close()


def test_a_better_model_is_offered_once_with_the_reason_and_its_size(
    qtbot, desktop: Desktop
) -> None:
    desktop.begin(StartRequest.WINDOW)
    banner = desktop.window.banner
    qtbot.waitUntil(banner.isVisible)
    assert banner.words.startswith("You can now find your notes by words and by meaning.")
    assert "Your notes are in Spanish. The language helper “Better” (" in banner.words
    assert banner.property("good")
    banner.offer.click()
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(ModelsDialog)))
    assert desktop.preferences.has_read_all


def test_it_is_offered_once_in_a_lifetime(
    qtbot, qapp: QApplication, desktop, engine, paths
) -> None:
    desktop.preferences.has_read_all = True
    desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.search.list.row() is not None)
    assert desktop.window.banner.words == ""


def test_notes_that_the_model_in_use_suits_ask_for_no_other(
    qtbot, qapp: QApplication, better: Path, tmp_path: Path, paths: Paths, no_keychain: None
) -> None:
    english = "# Router\n\nThe password of the router is on the fridge, and that is where it was.\n"
    notes = write_notes(tmp_path / "english", {"home/router.md": english, "work/b.md": english})
    engine = engine_over(notes, paths, LocalWords())
    assert offered(qtbot, qapp, engine, paths) == ""


def test_nobody_is_offered_what_is_here_already(
    qtbot, desktop: Desktop, engine: Engine, better: Path
) -> None:
    engine.models.library.import_model(better, accept_terms=True).result(TIMEOUT)
    with qtbot.waitSignal(desktop.late.notifications.all_read):
        desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.search.list.row() is not None)
    assert desktop.window.banner.words == ""


def test_a_provider_elsewhere_needs_no_better_model(
    qtbot, qapp: QApplication, better: Path, spanish_notes: Path, paths: Paths, no_keychain: None
) -> None:
    engine = engine_over(spanish_notes, paths, WordProvider())
    assert offered(qtbot, qapp, engine, paths) == ""
