from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.workspaces.setup_import_dialog import SetupImportDialog
from support.app import WORDS_ONLY, running_app

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
SETTINGS = "{ agents: { defaults: { memorySearch: { query: { maxResults: 9 } } } } }"


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, person: Path) -> Iterator[Desktop]:
    """The first start beside an agent that has been set up."""
    (person / ".openclaw" / "workspace").mkdir(parents=True)
    (person / ".openclaw" / "workspace" / "MEMORY.md").write_text("# Memory\n")
    (person / ".openclaw" / "openclaw.json").write_text(SETTINGS)
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        yield made


def test_where_nothing_is_set_up_that_is_said(qtbot, desktop: Desktop) -> None:
    with qtbot.waitActive(desktop.window):
        desktop.begin(StartRequest.WINDOW)
    desktop.late.setup_import.present()
    sentence = "No OpenClaw, ClawCode or QMD settings were found on this computer."
    qtbot.waitUntil(lambda: desktop.window.banner.words == sentence)
    assert desktop.window.banner.property("good")
    assert not desktop.window.banner.offer.isVisible()
    menu = desktop.window.window_actions.app_menu()
    assert not any(
        "mport settings" in action.text() for action in menu.actions() if action.isVisible()
    )


def test_a_plan_that_is_closed_changes_nothing(qtbot, running: Desktop, paths: Paths) -> None:
    before = paths.config_file.read_text()
    running.late.setup_import.present()
    qtbot.waitUntil(lambda: bool(running.window.findChildren(SetupImportDialog)))
    running.window.findChildren(SetupImportDialog)[0].reject()
    assert paths.config_file.read_text() == before
    assert running.engine.workspaces() == ()


def test_the_first_page_offers_what_is_set_up_elsewhere(qtbot, running: Desktop) -> None:
    button = running.window.first_run.bring
    qtbot.waitUntil(button.isVisible)
    assert button.text() == "&Import settings from OpenClaw…"
    menu = running.window.window_actions.app_menu()
    assert any("mport settings" in action.text() for action in menu.actions() if action.isVisible())
    button.click()
    qtbot.waitUntil(lambda: bool(running.window.findChildren(SetupImportDialog)))
    dialog = running.window.findChildren(SetupImportDialog)[0]
    top = dialog.tree.topLevelItem(0)
    assert top.text(0).startswith("OpenClaw (")
    assert top.child(1).child(0).text(0) == "Maximum number of results: 9"
    assert running.engine.workspaces() == ()
    dialog.bring.click()
    banner = running.window.banner
    qtbot.waitUntil(lambda: banner.offer.isVisible() and banner.offer.text() == "Undo")
    assert banner.property("good")
    banner.offer.setFocus()  # as good news it would go away by itself
    qtbot.waitUntil(lambda: running.window.status_line.sentence == "1 note is up to date")
    search = running.engine.settings.settings.memory_search
    assert search.query.max_results == 9
    assert banner.offer.isVisible(), banner.words
    banner.offer.click()
    qtbot.waitUntil(running.window.first_run.isVisible)
    assert running.engine.workspaces() == ()
