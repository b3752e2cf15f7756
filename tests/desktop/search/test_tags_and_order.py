"""Filters by tag and folder, tags offered while typing, and the order of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QMenu

from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Order
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.settings.preferences import Preferences
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
NOTES = {
    "garden/beds.md": "---\ntags: [garden]\ndate: 2024-03-01\n---\n# Beds\n\nCarrots in rows.\n",
    "garden/pond.md": "---\ndate: 2026-01-05\n---\n# Pond\n\nCarrots and water. #garden/pond\n",
    "soup.md": "---\ndate: 2025-05-05\n---\n# Soup\n\nCarrots, carrots and carrots. #kitchen\n",
}


@pytest.fixture
def tagged(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    """The app with notes that have tags, and a question that all of them answer."""
    folder = write_notes(tmp_path / "notes", NOTES)
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(folder, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "3 notes are up to date")
        made.window.present()
        made.window.search.set_text("carrots")
        qtbot.waitUntil(lambda: paths_of(made) == {*NOTES})
        yield made


def paths_of(running: Desktop) -> set[str]:
    return {row.path for row in running.window.search.search.model.rows}


def test_a_tag_is_chosen_in_its_chip(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    qtbot.mouseClick(panel.filters.tag, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(panel.filters.tag.findChildren(QMenu)))
    [menu] = panel.filters.tag.findChildren(QMenu)
    [action] = [each for each in menu.actions() if each.text().startswith("garden\t")]
    action.trigger()
    menu.close()
    qtbot.waitUntil(lambda: paths_of(tagged) == {"garden/beds.md", "garden/pond.md"})
    assert (panel.box.text(), panel.filters.tag.text()) == ("carrots", "#garden")


def test_a_tag_alone_lists_its_notes(qtbot, tagged: Desktop) -> None:
    tagged.window.search.set_text("tag:garden ")
    qtbot.waitUntil(lambda: paths_of(tagged) == {"garden/beds.md", "garden/pond.md"})


def test_a_folder_is_chosen_in_its_chip(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    qtbot.mouseClick(panel.filters.folder, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(panel.filters.folder.findChildren(QMenu)))
    [menu] = panel.filters.folder.findChildren(QMenu)
    [action] = [each for each in menu.actions() if each.text() == "garden\t2"]
    action.trigger()
    menu.close()
    qtbot.waitUntil(lambda: paths_of(tagged) == {"garden/beds.md", "garden/pond.md"})
    assert panel.filters.folder.text() == "Folder: garden"


def test_tags_are_offered_while_one_is_typed(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    panel.set_text("")
    panel.box.setFocus()
    qtbot.waitUntil(panel.box.hasFocus)
    qtbot.keyClicks(panel.box, "carrots #ga")
    completer = panel.completer
    qtbot.waitUntil(completer.popup().isVisible)
    model = completer.completionModel()
    texts = [model.index(at, 0).data() for at in range(model.rowCount())]
    assert texts == ["#garden   1", "#garden/pond   1"]
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Down)
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert panel.box.text() == "carrots #garden "
    qtbot.waitUntil(lambda: paths_of(tagged) == {"garden/beds.md", "garden/pond.md"})


def test_emoji_are_offered_as_tags(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    folder = tagged.engine.workspaces()[0].root
    write_notes(folder, {"plans.md": "# Plans\n\nLess coal. #💡/heating\n"})
    tagged.window.requests.refresh.emit(None)
    qtbot.waitUntil(lambda: tagged.window.status_line.sentence == "4 notes are up to date")
    panel.set_text("")
    panel.box.setFocus()
    qtbot.waitUntil(panel.box.hasFocus)
    qtbot.keyClicks(panel.box, "#")
    typed = QInputMethodEvent()
    typed.setCommitString("💡")
    QApplication.sendEvent(panel.box, typed)
    qtbot.waitUntil(panel.completer.popup().isVisible)
    model = panel.completer.completionModel()
    assert model.index(0, 0).data() == "#💡/heating   1"
    qtbot.keyClick(panel.completer.popup(), Qt.Key.Key_Tab)
    assert panel.box.text() == "#💡/heating "
    qtbot.waitUntil(lambda: paths_of(tagged) == {"plans.md"})


def test_rows_are_sorted_by_their_days(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search

    def order() -> list[str]:
        return [row.path for row in panel.search.model.rows if row.path in NOTES]

    panel.filters.order_menu().actions()[1].trigger()
    qtbot.waitUntil(lambda: order() == ["garden/pond.md", "soup.md", "garden/beds.md"])
    panel.filters.order_menu().actions()[2].trigger()
    qtbot.waitUntil(lambda: order() == ["garden/beds.md", "soup.md", "garden/pond.md"])
    assert panel.filters.order.text() == "Oldest first"


def test_the_order_is_kept(tagged: Desktop, paths: Paths) -> None:
    tagged.window.search.filters.order_menu().actions()[2].trigger()
    assert Preferences(paths).order is Order.OLDEST


def test_a_tag_of_a_row_is_clicked(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    rows = {row.path: at for at, row in enumerate(panel.search.model.rows)}
    assert panel.search.model.rows[rows["garden/pond.md"]].tags == ("garden/pond",)
    index = panel.search.model.index(rows["garden/pond.md"])
    area = panel.list.visualRect(index)
    places = [
        area.topLeft() + QPoint(x, y)
        for y in range(0, area.height(), 4)
        for x in range(0, area.width(), 4)
        if panel.list.tag_at(area.topLeft() + QPoint(x, y)) == "garden/pond"
    ]
    middle = places[len(places) // 2]
    qtbot.mouseMove(panel.list.viewport(), middle)
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.waitUntil(lambda: paths_of(tagged) == {"garden/pond.md"})
    assert (panel.box.text(), panel.filters.tag.text()) == ("carrots", "#garden/pond")


@pytest.mark.parametrize(
    ("note", "title", "tag"), [("garden/beds.md", "Beds", "garden"), ("soup.md", "Soup", "kitchen")]
)
def test_a_tag_of_a_note_is_clicked(
    qtbot, tagged: Desktop, note: str, title: str, tag: str
) -> None:
    panel, preview = tagged.window.search, tagged.window.preview

    def is_shown() -> bool:
        # Again and again, because each further answer chooses its first row.
        at = [row.path for row in panel.search.model.rows].index(note)
        panel.list.setCurrentIndex(panel.search.model.index(at))
        return title in preview.view.toPlainText()

    qtbot.waitUntil(is_shown)
    cursor = preview.view.document().find(f"#{tag}")
    cursor.setPosition(cursor.selectionStart() + 2)
    place = preview.view.cursorRect(cursor).center()
    qtbot.mouseClick(preview.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: note in paths_of(tagged) and len(paths_of(tagged)) < len(NOTES))
    assert (panel.box.text(), panel.filters.tag.text()) == ("carrots", f"#{tag}")


def test_notes_that_changed_lately_have_their_tags(qtbot, tagged: Desktop) -> None:
    panel = tagged.window.search
    panel.set_text("")
    tags = {
        "garden/beds.md": ("garden",),
        "garden/pond.md": ("garden/pond",),
        "soup.md": ("kitchen",),
    }
    qtbot.waitUntil(lambda: {row.path: row.tags for row in panel.search.model.rows} == tags)


def test_a_tag_of_a_row_is_in_its_menu_and_in_what_is_read_aloud(qtbot, tagged: Desktop) -> None:
    window, panel = tagged.window, tagged.window.search
    rows = {row.path: at for at, row in enumerate(panel.search.model.rows)}
    panel.list.choose(rows["soup.md"])
    qtbot.waitUntil(lambda: window.preview.row is not None and window.preview.row.title == "Soup")
    spoken = panel.list.currentIndex().data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "#kitchen" in spoken
    panel.list.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    [action] = [each for each in menu.actions() if each.text() == "Only notes with #kitchen"]
    action.trigger()
    menu.close()
    qtbot.waitUntil(lambda: paths_of(tagged) == {"soup.md"})
