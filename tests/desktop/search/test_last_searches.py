"""Questions that were asked before: recalled, asked again after a restart, and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.settings.preferences import Preferences
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
NOTES = {"soup.md": "# Soup\n\nCarrots.\n", "boat.md": "# Boat\n\nThe anchor.\n"}


def test_questions_are_recalled_and_the_open_one_returns(
    qtbot, qapp: QApplication, paths: Paths, tmp_path: Path
) -> None:
    folder = write_notes(tmp_path / "notes", NOTES)
    with running_app(qapp, paths, WordProvider(), QUICK) as app:
        app.late.actions.add_folder(folder, "My notes")
        qtbot.waitUntil(lambda: app.window.status_line.sentence == "2 notes are up to date")
        panel = app.window.search
        for word in ("anchor", "carrots"):
            qtbot.keyClicks(panel.box, word)
            qtbot.waitUntil(lambda: bool(panel.list.row() and panel.list.row().hit))
            panel.box.empty()
        assert app.preferences.searches == ["carrots", "anchor"]
        qtbot.keyClick(panel.box, Qt.Key.Key_Up)
        assert panel.box.text() == "carrots"
        qtbot.keyClick(panel.box, Qt.Key.Key_Up)
        assert panel.box.text() == "anchor"
        app.window.search.set_scope(app.engine.workspaces()[0])
        app.window.save_geometry()
    with running_app(qapp, paths, WordProvider()) as app:
        panel = app.window.search
        qtbot.waitUntil(lambda: panel.box.text() == "anchor")
        assert panel.search.scope.workspace == app.engine.workspaces()[0].id
        qtbot.waitUntil(lambda: [row.path for row in panel.search.model.rows] == ["boat.md"])


def test_nothing_is_kept_where_the_user_does_not_want_it(paths: Paths) -> None:
    preferences = Preferences(paths)
    preferences.keep_search("anchor")
    preferences.keeps_searches = False
    preferences.forget_searches()
    preferences.keep_search("carrots")
    assert preferences.searches == []
