"""Questions that stay in the sidebar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.search.pinned_searches import PinnedSearch
from scrubjay_desktop.settings.preferences import Preferences
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
NOTES = {
    "beds.md": "# Beds\n\nCarrots in rows. #garden\n",
    "pond.md": "# Pond\n\nCarrots and water. #garden/pond\n",
    "soup.md": "# Soup\n\nCarrots. #kitchen\n",
}


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    folder = write_notes(tmp_path / "notes", NOTES)
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(folder, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "3 notes are up to date")
        made.window.present()
        yield made


def shown(running: Desktop) -> list[tuple[str, str]]:
    model = running.window.pinned.model
    role = Qt.ItemDataRole.AccessibleDescriptionRole
    return [(model.index(at).data(), model.index(at).data(role)) for at in range(model.rowCount())]


def pin(running: Desktop, text: str) -> None:
    running.window.search.set_text(text)
    running.window.search.pin.click()


def test_a_search_is_pinned_counted_and_asked_again(
    qtbot, running: Desktop, tmp_path: Path, paths: Paths
) -> None:
    panel, pinned = running.window.search, running.window.pinned
    assert not pinned.isVisible()
    assert not panel.pin.isEnabled()
    pin(running, "tag:garden carrots")
    assert panel.pin.toolTip() == "Unpin this search (Ctrl+D)"
    qtbot.waitUntil(lambda: shown(running) == [("tag:garden carrots", "2 notes")])
    assert pinned.isVisible()
    write_notes(tmp_path / "notes", {"new.md": "Carrots. #garden\n"})
    running.engine.refresh()
    qtbot.waitUntil(lambda: shown(running) == [("tag:garden carrots", "3 notes")])
    panel.set_text("soup")
    assert panel.pin.toolTip() == "Pin this search (Ctrl+D)"
    place = pinned.list.visualRect(pinned.model.index(0)).center()
    qtbot.mouseClick(pinned.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    found = {"beds.md", "pond.md", "new.md"}
    qtbot.waitUntil(lambda: {row.path for row in panel.search.model.rows} == found)
    assert (panel.box.text(), panel.filters.tag.text()) == ("carrots", "#garden")
    assert Preferences(paths).pinned == [PinnedSearch("tag:garden carrots")]
    panel.pin.click()
    assert shown(running) == []
    assert not pinned.isVisible()
    assert Preferences(paths).pinned == []


def test_names_and_places_change_by_keys(qtbot, running: Desktop, paths: Paths) -> None:
    for text in ("carrots", "soup"):
        pin(running, text)
    pinned = running.window.pinned
    pinned.list.setFocus()
    pinned.list.setCurrentIndex(pinned.model.index(1))
    qtbot.keyClick(pinned.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [name for name, _ in shown(running)] == ["soup", "carrots"]
    qtbot.keyClick(pinned.list, Qt.Key.Key_F2)
    editor = pinned.list.findChild(QLineEdit)
    assert editor is not None
    editor.setText("Dinner")
    pinned.model.show_count(pinned.searches[0], 7)
    assert editor.text() == "Dinner"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(running)[0] == ("Dinner", "1 note"))
    assert Preferences(paths).pinned[0] == PinnedSearch("soup", name="Dinner")
    qtbot.waitUntil(pinned.list.hasFocus)
    qtbot.keyClick(pinned.list, Qt.Key.Key_Delete)
    assert [name for name, _ in shown(running)] == ["carrots"]


def test_a_folder_that_is_gone_is_searched_no_more(qtbot, running: Desktop) -> None:
    [workspace] = running.engine.workspaces()
    running.window.search.set_scope(workspace)
    pin(running, "soup")
    [search] = running.window.pinned.searches
    assert search.folder == workspace.id
    running.engine.folders.remove(workspace).result(60)
    qtbot.waitUntil(lambda: running.window.search.search.scope.workspace is None)
    running.window.pinned.chosen.emit(search)
    assert running.window.search.search.scope.workspace is None


@pytest.mark.parametrize("stored", ["", "[", "{}", '"a"', '[{"word": 1}]', "[1]", "[[]]", "null"])
def test_what_is_no_list_of_searches_is_none(paths: Paths, stored: str) -> None:
    preferences = Preferences(paths)
    preferences.stored.setValue("search/pinned", stored)
    assert preferences.pinned == []


def test_the_last_word_of_a_pinned_search_is_whole(qtbot, running: Desktop) -> None:
    pin(running, "carr")
    qtbot.waitUntil(lambda: shown(running) == [("carr", "0 notes")])
