"""Labels that elide and wrap, and the box to type a question in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton

from scrubjay_desktop.widgets.buttons import SearchBox
from scrubjay_desktop.widgets.labels import (
    DetailsLabel,
    ElidedLabel,
    NoteHeading,
    WrappingLabel,
    muted_label,
    plain_label,
)

LONG = "A sentence that is much too long for the narrow place where it stands."


@pytest.mark.parametrize("make", [plain_label, muted_label])
def test_text_is_never_read_as_markup(qtbot, make) -> None:
    label = make("<b>bold</b>")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.wordWrap()


def test_what_is_elided_is_in_the_tooltip_and_for_screen_readers(qtbot) -> None:
    label = ElidedLabel(0)
    qtbot.addWidget(label)
    label.setText(LONG)
    assert (label.text(), label.toolTip(), label.accessibleName()) == (LONG, LONG, LONG)
    label.resize(60, 20)
    narrow = label.grab().toImage()
    label.setText(LONG[:60])
    # Both are elided to the same beginning.
    assert label.grab().toImage() == narrow


def test_a_wrapped_label_is_as_high_as_its_lines(qtbot) -> None:
    label = plain_label(LONG, kind=WrappingLabel)
    qtbot.addWidget(label)
    label.show()
    label.resize(1000, 20)
    wide = label.minimumHeight()
    assert wide > 0
    label.resize(120, 20)
    assert label.minimumHeight() > wide
    label.setText("Short.")
    assert label.minimumHeight() == wide


@pytest.mark.parametrize("height", [40, 60, 90])
def test_the_details_of_a_note_stand_right_below_its_title(qtbot, height: int) -> None:
    heading = NoteHeading()
    qtbot.addWidget(heading)
    heading.title.setText("Boiler")
    heading.details.setText("today")
    heading.resize(300, height)
    heading.show()
    assert 0 <= heading.details.y() - heading.title.geometry().bottom() <= 4


@pytest.mark.parametrize(
    ("width", "shown"),
    [(400, "changed on 12 Oct 2026"), (150, "12 Oct 2026"), (120, "12 Oct 2026")],
)
def test_the_day_of_a_note_is_never_cut(qtbot, width: int, shown: str) -> None:
    def painted(long: str, short: str, place: str) -> QImage:
        label = DetailsLabel()
        qtbot.addWidget(label)
        label.resize(width, 20)
        label.show_details(long, place, short_day=short)
        return label.grab().toImage()

    details = ("changed on 12 Oct 2026", "12 Oct 2026")
    assert painted(*details, place="A/B") == painted(shown, shown, place="A/B")
    # The middle of a long path is cut, and neither its beginning nor its end.
    cut = painted(*details, place="Abc/" * 40 + "End")
    assert cut == painted(*details, place="Abc/" * 50 + "End")
    assert cut != painted(*details, place="Abc/" * 40 + "Eno")


def test_the_name_of_a_file_is_cut_after_its_folders(qtbot) -> None:
    def painted(place: str, day: str = "changed today") -> QImage:
        label = DetailsLabel()
        qtbot.addWidget(label)
        label.resize(190, 20)
        label.show_details(day, place, short_day="27 November 2026")
        return label.grab().toImage()

    cut = painted("Garden club › plants of the year › fern.md")
    assert cut == painted("Garden club › animals of the year › fern.md")
    assert cut != painted("Garden club › plants of the year › figs.md")
    # A day with more letters than the other one takes no room.
    assert cut != painted("Garden club › plants of the year › fern.md", day="27 November 2026")


@pytest.fixture
def box(qtbot) -> SearchBox:
    box = SearchBox("Search your notes", "Search", "Clear")
    qtbot.addWidget(box)
    box.show()
    return box


def test_the_button_that_clears_is_there_while_something_is_typed(qtbot, box: SearchBox) -> None:
    button = box.findChild(QToolButton)
    assert not button.isVisible()
    qtbot.keyClicks(box, "router")
    assert button.isVisible()
    with qtbot.waitSignal(box.textEdited) as edited:
        button.click()
    assert edited.args == [""]
    assert (box.text(), button.isVisible()) == ("", False)


def test_the_focus_of_the_box_is_that_of_its_edit(qtbot, box: SearchBox) -> None:
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    before = box.grab().toImage()
    box.clearFocus()
    box.setFocus()
    assert box.hasFocus()
    focused = box.grab().toImage()
    box.clearFocus()
    qtbot.waitUntil(lambda: box.grab().toImage() != focused)
    assert before.size() == focused.size()
