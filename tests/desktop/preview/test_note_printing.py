"""Notes on paper, and the size of their text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QLineEdit

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.widgets.theme import LIGHT
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
NOTE = """\
---
tags: [garden]
---
# Beds

Carrots in **rows**, and a leaf: ![[leaf.png|40]]

- [ ] sow the beans
"""


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    folder = write_notes(tmp_path / "notes", {"beds.md": NOTE})
    leaf = QImage(40, 40, QImage.Format.Format_RGB32)
    leaf.fill(QColor("#00aa00"))
    leaf.save(str(folder / "leaf.png"))
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(folder, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "1 note is up to date")
        made.window.present()
        with qtbot.waitSignal(made.window.preview.matches_changed):
            made.window.search.set_text("carrots")
        yield made


@pytest.mark.needs("dialog of Qt for printing")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_note_is_printed_dark_on_white(
    qtbot, running: Desktop, tmp_path: Path, theme: str
) -> None:
    running.theme.choose(theme)
    file = tmp_path / "beds.pdf"
    action = next(each for each in running.window.actions() if each.shortcut() == "Ctrl+P")
    action.trigger()
    [dialog] = running.window.findChildren(QPrintDialog)
    name = dialog.findChild(QLineEdit, "filename")
    assert name is not None
    name.setText(str(file))
    dialog.accept()
    with pypdfium2.PdfDocument(file) as paper:
        text = paper[0].get_textpage().get_text_range()
        image = paper[0].render(scale=1).to_numpy().reshape(-1, 3)
    assert {"Beds", "Carrots", "rows", "beans"} <= {*text.replace(",", "").split()}
    colors = {tuple(pixel) for pixel in image.tolist()}
    assert any(abs(g - 170) + r + b < 9 for r, g, b in colors), "the picture"
    assert [*image[0]] == [255, 255, 255]
    ink = LIGHT.text
    assert any(abs(r - ink.blue()) + abs(b - ink.red()) < 60 for r, _, b in colors)


@pytest.mark.needs("dialog of Qt for printing")
def test_a_long_note_is_printed_whole(qtbot, running: Desktop, tmp_path: Path) -> None:
    window, note = running.window, tmp_path / "notes" / "long.md"
    note.write_text("# Long\n\n" + "Words of a note.\n\n" * 4_000 + "The end.\n")
    running.late.actions.refresh()
    qtbot.waitUntil(lambda: window.status_line.sentence == "2 notes are up to date")
    window.search.set_text("long")
    qtbot.waitUntil(lambda: window.preview.view.is_excerpt)
    next(each for each in window.actions() if each.shortcut() == "Ctrl+P").trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(QPrintDialog)))
    [dialog] = window.findChildren(QPrintDialog)
    name = dialog.findChild(QLineEdit, "filename")
    assert name is not None
    name.setText(str(tmp_path / "long.pdf"))
    dialog.accept()
    with pypdfium2.PdfDocument(tmp_path / "long.pdf") as paper:
        first, last = (paper[at].get_textpage().get_text_range() for at in (0, len(paper) - 1))
    assert first.startswith("Long")
    assert "The end." in last


def test_text_is_larger_and_stays_so(qtbot, running: Desktop, paths: Paths) -> None:
    view = running.window.preview.view

    def size() -> float:
        return view.document().defaultFont().pointSizeF()

    usual = size()
    keys = {action.shortcut().toString(): action for action in running.window.actions()}
    for key, more in (("Ctrl++", 1), ("Ctrl++", 2), ("Ctrl+-", 1), ("Ctrl+0", 0)):
        keys[key].trigger()
        assert size() == usual + more
    for turned in (120, 120, 120, -120):
        turn_wheel(view.viewport(), turned)
    assert size() == usual + 2
    assert Preferences(paths).zoom == 2
    for _ in range(40):
        keys["Ctrl+-"].trigger()
    assert size() == usual - 3
    keys["Ctrl++"].trigger()
    assert size() == usual - 2


def turn_wheel(widget, by: int) -> None:
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(widget.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
