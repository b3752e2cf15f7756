"""A picture with the text that was read on it: marks, selection, search, size and screen reader."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter
from pytestqt.qtbot import QtBot

from scrubjay.records.picture_text import PictureLine, PictureText
from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.preview.shown_page import Sought, shown_picture
from scrubjay_desktop.preview.text_layer import TextSpan
from scrubjay_desktop.widgets.theme import DARK, LIGHT

LINES = ("Call Margaret before noon", "Order the valves and pipes", "Room 2.14 until half past")


def drawn(width: int, height: int, paper: str, ink: str) -> tuple[QImage, PictureText]:
    """A picture with three lines, and where they are."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(paper))
    painter = QPainter(image)
    painter.setPen(QColor(ink))
    font = QFont()
    font.setPixelSize(min(40, height // 16))
    painter.setFont(font)
    lines = []
    for number, text in enumerate(LINES):
        area = painter.boundingRect(
            QRect(width // 10, height * (2 * number + 1) // 8, width, height), 0, text
        )
        painter.drawText(area, 0, text)
        left, right = area.left() / width, (area.right() + 1) / width
        top, bottom = area.top() / height, (area.bottom() + 1) / height
        lines.append(PictureLine(text, 0.9, (left, top, right, top, right, bottom, left, bottom)))
    painter.end()
    return image, PictureText(tuple(lines), width, height)


@pytest.fixture
def canvas(qtbot: QtBot) -> PageCanvas:
    made = PageCanvas()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(
    canvas: PageCanvas,
    *words: str,
    passage: str = "",
    size: tuple[int, int] = (800, 600),
    colors: tuple[str, str] = ("#ffffff", "#000000"),
) -> None:
    image, text = drawn(*size, *colors)
    canvas.show_page(shown_picture(image, text, Sought(words, passage)), "Board", is_another=True)


def seen(canvas: PageCanvas, area: QRect) -> set[str]:
    part = canvas.viewport().grab().toImage().copy(area)
    return {part.pixelColor(x, y).name() for x in range(part.width()) for y in range(part.height())}


def spot(canvas: PageCanvas, line: int, start: int, end: int) -> QPoint:
    """The middle of some characters in the viewport."""
    layer = canvas.picture.layer
    return canvas.area_of(layer.area(TextSpan(line, start, end))).center().toPoint()


def test_words_are_marked_as_with_a_marker_on_paper(canvas: PageCanvas) -> None:
    show(canvas, "valves", passage="Order the valves and pipes")
    [word] = canvas.picture.marks.words
    area = canvas.area_of(word).toRect()
    assert canvas.viewport().rect().contains(area)
    colors = seen(canvas, area)
    assert LIGHT.marked.name() in colors
    assert min(QColor(name).lightness() for name in colors) < 60
    before = QRect(spot(canvas, 1, 0, 5) - QPoint(10, 8), area.size() / 2)
    assert LIGHT.accent_soft.name() in seen(canvas, before)


def test_words_shine_on_a_dark_picture(canvas: PageCanvas) -> None:
    show(canvas, "valves", colors=("#000000", "#ffffff"))
    area = canvas.area_of(canvas.picture.marks.words[0]).toRect()
    colors = seen(canvas, area)
    assert DARK.marked.name() in colors
    assert max(QColor(name).lightness() for name in colors) > 220


class CountedPicture(QImage):
    """A picture that counts how often it is looked at as a whole."""

    looks = 0

    def scaled(self, *arguments: object) -> QImage:
        self.looks += 1
        return super().scaled(*arguments)


def test_a_picture_is_looked_at_once_for_all_repaints(canvas: PageCanvas) -> None:
    image, text = drawn(800, 600, "#ffffff", "#000000")
    picture = CountedPicture(image)
    page = replace(shown_picture(image, text, Sought(("valves",))), image=picture)
    canvas.show_page(page, "Board", is_another=True)
    for _ in range(3):
        canvas.grab()
    assert picture.looks == 1


def test_marks_stay_on_their_words_when_the_picture_is_scrolled_or_enlarged(
    canvas: PageCanvas,
) -> None:
    show(canvas, "valves", size=(800, 1_600))
    [word] = canvas.picture.marks.words
    for steps in (4, 1, -2):
        canvas.zoom_by(steps)
        down = canvas.verticalScrollBar()
        for value in (down.value() + 30, down.value() - 20):
            down.setValue(value)
            canvas.horizontalScrollBar().setValue(round(word[0].x() * canvas.zoom * 300))
            area = canvas.area_of(word).toRect()
            assert seen(canvas, area) & {LIGHT.marked.name()}
            assert LIGHT.marked.name() not in seen(canvas, area.translated(0, area.height() + 2))


def test_the_whole_picture_is_seen_and_never_larger_than_it_is(canvas: PageCanvas) -> None:
    show(canvas, size=(300, 200))
    everything = QPointF(0, 0), QPointF(1, 0), QPointF(1, 1), QPointF(0, 1)
    area = canvas.area_of(everything)
    assert (round(area.width()), round(area.height())) == (302, 202)
    assert abs(area.center().x() - canvas.viewport().width() / 2) < 2
    show(canvas, size=(3_000, 2_000))
    assert canvas.verticalScrollBar().maximum() == canvas.horizontalScrollBar().maximum() == 0
    canvas.resize(300, 250)
    assert canvas.verticalScrollBar().maximum() == canvas.horizontalScrollBar().maximum() == 0


def test_small_letters_that_were_found_can_be_read(canvas: PageCanvas) -> None:
    show(canvas, "2.14", size=(3_000, 4_000))
    area = canvas.area_of(canvas.picture.marks.words[0])
    assert area.height() >= canvas.fontMetrics().height() * 0.7
    assert canvas.viewport().rect().contains(area.toRect())
    canvas.fit(True)
    assert canvas.verticalScrollBar().maximum() == 0
    canvas.fit(False)
    assert canvas.verticalScrollBar().maximum() > 0


def test_the_user_enlarges_it_and_goes_back(qtbot: QtBot, canvas: PageCanvas) -> None:
    show(canvas)
    first = canvas.zoom
    canvas.zoom_by(3)
    assert canvas.zoom > 1.5 * first
    assert canvas.horizontalScrollBar().maximum() > 0
    canvas.zoom_by(-9)
    assert canvas.zoom >= first
    canvas.zoom_by(2)
    enlarged = canvas.zoom
    canvas.resize(520, 410)
    assert canvas.zoom == enlarged
    canvas.resize(500, 400)
    canvas.zoom_by(0)
    assert canvas.zoom == first


def test_text_is_selected_with_the_mouse_and_copied(qtbot: QtBot, canvas: PageCanvas) -> None:
    show(canvas)
    port = canvas.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=spot(canvas, 0, 5, 6) - QPoint(4, 0))
    qtbot.mouseMove(port, spot(canvas, 1, 8, 9) + QPoint(4, 0))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=spot(canvas, 1, 8, 9))
    assert canvas.selected_text == "Margaret before noon\nOrder the"
    assert port.cursor().shape() == Qt.CursorShape.IBeamCursor
    qtbot.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Margaret before noon\nOrder the"
    qtbot.mouseDClick(port, Qt.MouseButton.LeftButton, pos=spot(canvas, 1, 10, 16))
    assert canvas.selected_text == "valves"


def test_all_text_is_copied_by_keys_or_from_the_menu(qtbot: QtBot, canvas: PageCanvas) -> None:
    show(canvas)
    copy, select = canvas.menu().actions()
    assert (copy.text(), select.text()) == ("&Copy all text", "&Select all")
    copy.trigger()
    assert QGuiApplication.clipboard().text() == "\n".join(LINES)
    qtbot.keyClick(canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert canvas.selected_text == "\n".join(LINES)
    assert canvas.menu().actions()[0].text() == "&Copy"


def test_a_picture_without_text_has_nothing_to_select(qtbot: QtBot, canvas: PageCanvas) -> None:
    image, _ = drawn(400, 300, "#336699", "#336699")
    canvas.show_page(shown_picture(image, None, Sought(("oak",))), "Oak", is_another=True)
    qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton)
    canvas.select_all()
    assert not canvas.has_text
    assert canvas.selected_text == ""


def test_matches_are_stepped_through(qtbot: QtBot, canvas: PageCanvas) -> None:
    show(canvas, "valves")
    assert (canvas.match_count, canvas.current_match) == (1, -1)
    canvas.look_for("o")
    assert (canvas.match_count, canvas.current_match) == (6, 0)
    canvas.step(-1)
    assert canvas.current_match == 5
    area = canvas.area_of(canvas._matches[5]).toRect()  # noqa: SLF001
    assert LIGHT.accent.name() in seen(canvas, area.adjusted(-2, -2, 2, 2))
    canvas.look_for("")
    assert (canvas.match_count, canvas.current_match) == (1, -1)


def test_a_screen_reader_hears_the_text(canvas: PageCanvas) -> None:
    show(canvas)
    assert canvas.accessibleName() == "Board"
    assert canvas.accessibleDescription() == "\n".join(LINES)


def test_another_picture_is_shown_at_what_the_user_looks_for(
    qtbot: QtBot, canvas: PageCanvas
) -> None:
    show(canvas, "Margaret")
    canvas.look_for("half past")
    with qtbot.waitSignal(canvas.stepped):
        show(canvas, "Margaret", size=(900, 6_000))
    assert (canvas.match_count, canvas.current_match) == (1, 0)
    [word] = canvas.picture.layer.find("half past")
    area = canvas.area_of(canvas.picture.layer.area(word)).toRect()
    assert canvas.viewport().rect().contains(area)


def test_what_was_looked_for_is_forgotten_without_a_picture(canvas: PageCanvas) -> None:
    show(canvas, "valves")
    canvas.look_for("room")
    canvas.clear()
    canvas.look_for("")
    assert (canvas.match_count, canvas.has_text) == (0, False)
    show(canvas, "valves")
    assert canvas.match_count == 1
