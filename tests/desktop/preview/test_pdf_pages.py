"""A PDF among the results: its page as a picture with the passage marked, or its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage

from scrubjay.engine.engine import Engine
from scrubjay.records.note_records import NoteAddress
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import Row, row_of_line
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.widgets.theme import LIGHT
from support.document_makers import pdf
from support.vault import TIMEOUT

PAGES = ["Roses and tulips", "Plums", "The boiler valve was\nreplaced in spring", "Paint"]
BELOW = "\n" * 40


@pytest.fixture
def manual(notes: Path, engine: Engine) -> Path:
    file = notes / "home" / "manual.pdf"
    pages = [f"{text}{BELOW}The end of the page" for text in PAGES]
    pages[2] = f"{BELOW}{PAGES[2]}"
    file.write_bytes(pdf(pages, title="House manual"))
    # A folder of the settings has no documents before a user wants them.
    home = engine.find_workspace("home")
    engine.folders.change(type(home)(home.id, home.name, home.root, documents=True)).result(TIMEOUT)
    engine.refresh().result(TIMEOUT)
    return file


class OpenedPages(Opener):
    """Writes down the pages that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[int] = []

    def open(self, file: Path, line: int, page: int = 0) -> None:
        self.pages.append(page)


@pytest.fixture
def opener() -> OpenedPages:
    return OpenedPages()


@pytest.fixture
def preview(
    qtbot, engine: Engine, tasks: Tasks, manual: Path, opener: OpenedPages
) -> Iterator[Preview]:
    made = Preview(engine, tasks, opener)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def found(qtbot, engine: Engine, tasks: Tasks, text: str) -> Row:
    search = LiveSearch(engine, tasks, max_results=5)
    with qtbot.waitSignal(
        search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        search.type(text)
    search.close()
    return next(row for row in search.model.rows if row.path.endswith(".pdf"))


def show(qtbot, preview: Preview, row: Row) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)


def settled(qtbot, preview: Preview) -> None:
    """The picture is as wide as there is room."""
    canvas = preview.pages.canvas
    qtbot.waitUntil(
        lambda: (
            canvas.picture is not None
            and canvas.picture.page == preview.pages.page
            # The process that draws it may round up.
            and canvas.picture.width - canvas.pixels_across(canvas.width()) in (0, 1)
        )
    )


def colors(picture: QImage, area: QRect) -> set[str]:
    part = picture.copy(area)
    return {part.pixelColor(x, y).name() for x in range(part.width()) for y in range(part.height())}


@pytest.fixture
def shown(qtbot, engine: Engine, tasks: Tasks, preview: Preview) -> Preview:
    """The page with the valve."""
    show(qtbot, preview, found(qtbot, engine, tasks, "boiler valve"))
    settled(qtbot, preview)
    return preview


def test_a_hit_shows_its_page_with_words_and_passage_marked(shown: Preview) -> None:
    canvas, bar = shown.pages.canvas, shown.pages.bar
    assert canvas.isVisible()
    assert bar.where.text() == canvas.accessibleName() == "Page 3 of 4"
    assert "boiler valve" in canvas.accessibleDescription()
    seen = canvas.viewport().grab().toImage()
    words = [canvas.area_of(mark).toRect() for mark in canvas.picture.marks.words]
    assert len(words) == 2
    for place in words:
        # It was scrolled to; letters are dark, and stand on the colour of a mark.
        assert canvas.viewport().rect().contains(place)
        assert LIGHT.marked.name() in colors(seen, place)
        assert min(QColor(name).lightness() for name in colors(seen, place)) < 60
    lines = [canvas.area_of(mark).toRect() for mark in canvas.picture.marks.passage]
    assert len(lines) == 2
    assert lines[0].contains(words[0].center())
    assert LIGHT.accent_soft.name() in colors(seen, lines[1])
    paper = QRect(lines[0].left(), lines[0].top() - 40, 100, 20)
    assert colors(seen, paper) == {"#ffffff"}


def test_pages_are_turned_by_buttons_and_keys(qtbot, shown: Preview) -> None:
    pages, canvas = shown.pages, shown.pages.canvas
    qtbot.mouseClick(pages.bar.forward, Qt.MouseButton.LeftButton)
    assert pages.bar.where.text() == "Page 4 of 4"
    assert not pages.bar.forward.isEnabled()
    settled(qtbot, shown)
    assert pages.text.startswith("Paint")
    assert canvas.picture.marks.words == canvas.picture.marks.passage == ()
    assert canvas.verticalScrollBar().value() == 0
    pages.turn(1)
    assert pages.page == 4
    qtbot.keyClick(canvas, Qt.Key.Key_PageUp)
    assert pages.page == 3
    settled(qtbot, shown)
    assert canvas.verticalScrollBar().value() > 0
    bar = canvas.verticalScrollBar()
    bar.setValue(bar.maximum() - 1)
    qtbot.keyClick(canvas, Qt.Key.Key_PageDown)
    assert (pages.page, bar.value()) == (3, bar.maximum())
    qtbot.keyClick(canvas, Qt.Key.Key_PageDown)
    assert pages.page == 4


def test_leafing_quickly_draws_the_last_page_only(qtbot, shown: Preview) -> None:
    for _ in range(2):
        shown.pages.turn(-1)
    settled(qtbot, shown)
    assert shown.pages.text.startswith("Roses")
    assert {page for page, _ in shown.pages._kept} == {1, 3}  # noqa: SLF001


def test_open_leads_to_the_page_that_is_seen(qtbot, shown: Preview, opener: OpenedPages) -> None:
    shown.open()
    shown.pages.turn(1)
    shown.open()
    assert opener.pages == [3, 4]


def test_the_text_stays_one_key_away(qtbot, shown: Preview) -> None:
    bar = shown.pages.bar
    with qtbot.waitSignal(shown.matches_changed):
        shown.turn_mode()
    assert shown.view.isVisible()
    assert "boiler valve" in shown.view.toPlainText()
    assert bar.isVisible()
    assert not bar.forward.isVisible()
    with qtbot.waitSignal(shown.matches_changed):
        shown.turn_mode()
    assert shown.pages.canvas.isVisible()


def test_the_text_of_another_page_is_at_that_page(qtbot, shown: Preview) -> None:
    shown.pages.turn(-2)
    settled(qtbot, shown)
    with qtbot.waitSignal(shown.matches_changed):
        qtbot.mouseClick(shown.pages.bar.text, Qt.MouseButton.LeftButton)
    assert shown.row.line < 6
    with qtbot.waitSignal(shown.matches_changed):
        qtbot.mouseClick(shown.pages.bar.text, Qt.MouseButton.LeftButton)
    settled(qtbot, shown)
    assert shown.pages.bar.where.text() == "Page 1 of 4"


def test_a_line_of_the_text_leads_to_its_page(qtbot, preview: Preview, manual: Path) -> None:
    text = preview._engine.notes.read(NoteAddress("home", "manual.pdf")).result(TIMEOUT)  # noqa: SLF001
    line = text.split("\n").index("The boiler valve was") + 1
    show(qtbot, preview, row_of_line("home", "manual.pdf", manual, line, {"home": ""}))
    settled(qtbot, preview)
    assert preview.pages.page == 3
    assert len(preview.pages.canvas.picture.marks.passage) == 1


def test_another_note_has_no_pages(qtbot, engine, tasks, notes, shown: Preview) -> None:
    show(qtbot, shown, row_of_line("home", "router.md", notes / "home/router.md", 1, {"home": ""}))
    assert shown.view.isVisible()
    assert not shown.pages.bar.isVisible()
    assert shown.pages.page == 0


def test_the_picture_is_as_wide_as_there_is_room(qtbot, shown: Preview) -> None:
    shown.pages.bar.fit.click()
    settled(qtbot, shown)
    before = shown.pages.canvas.picture.width
    shown.resize(700, 400)
    settled(qtbot, shown)
    assert before + 150 < shown.pages.canvas.picture.width < 700


@pytest.mark.parametrize("data", [b"%PDF nothing is left", pdf(["x"], password="secret")])
def test_what_cannot_be_shown_says_why_in_a_sentence(
    qtbot, engine, tasks, preview: Preview, manual: Path, data: bytes
) -> None:
    row = found(qtbot, engine, tasks, "boiler valve")
    manual.write_bytes(data)
    show(qtbot, preview, row)
    reason = "protected with a password." if b"Encrypt" in data else "not a valid .pdf file."
    assert preview.pages.sentence.startswith("manual.pdf cannot be shown. The ")
    assert preview.pages.sentence.endswith(reason)
    manual.write_bytes(pdf(PAGES))
    preview.read_again(row)
    settled(qtbot, preview)
    assert preview.pages.sentence == ""


def test_a_page_is_printed_by_its_program(qtbot, shown: Preview, opener: OpenedPages) -> None:
    with qtbot.waitSignal(opener.failed) as told:
        shown.print_note()
    assert told.args == [
        "Scrubjay can print only text notes. Open the file in another program to print it."
    ]


def test_small_letters_of_a_passage_are_as_large_as_those_of_the_app(
    qtbot, engine: Engine, tasks: Tasks, preview: Preview
) -> None:
    preview.resize(420, 400)
    show(qtbot, preview, found(qtbot, engine, tasks, "boiler valve"))
    settled(qtbot, preview)
    canvas = preview.pages.canvas
    assert canvas.zoom > 1
    marks = [canvas.area_of(mark) for mark in canvas.picture.marks.passage]
    assert min(mark.height() for mark in marks) >= canvas.fontMetrics().height() * 0.7
    # The beginning of the passage is in sight.
    assert canvas.viewport().rect().contains(marks[0].toRect().topLeft())
    assert canvas.horizontalScrollBar().maximum() > 0
    preview.pages.bar.fit.click()
    settled(qtbot, preview)
    assert canvas.zoom == 1
    assert canvas.horizontalScrollBar().maximum() == 0
