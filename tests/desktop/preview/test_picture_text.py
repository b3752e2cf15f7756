"""Pictures and scans that were found by what is written on them, as a person meets them."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import Row, row_of_line
from scrubjay_desktop.results.row_texts import quotations_text
from scrubjay_desktop.results.thumbnails import Thumbnails
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.widgets.theme import LIGHT
from support import phone_pictures
from support.pictures import encoded, page
from support.vault import TIMEOUT, write_notes

BOARD = ("Sprint goals", "Migrate the ledger to Lisbon", "Invite the auditors")
LETTER = ("Dear neighbours", "The chimney sweep comes on Thursday")
RECEIPT = ("Receipt", "Paid for the umbrella stand")
FAX = ("Fax from the harbour master", "Berth nine is free from Monday")
LEASE = ("Rental agreement", "The deposit is 940 euros")
PLAN = "# Plan\n\nBuy chalk.\n" + "\nMore chalk.\n" * 30 + "\n![[whiteboard.png]]\n\nThe end.\n"


def scan(lines: tuple[str, ...]) -> bytes:
    """A PDF file whose second page is a picture."""
    pages = [page(("Cover",), size=34, width=1100), page(lines, size=34, width=1100)]
    target = io.BytesIO()
    pages[0].save(target, "PDF", save_all=True, append_images=pages[1:])
    return target.getvalue()


def compressed(lines: tuple[str, ...]) -> bytes:
    """A TIFF file with a compression that Qt does not know."""
    target = io.BytesIO()
    page(lines).convert("RGB").save(target, "TIFF", compression="jpeg")
    return target.getvalue()


def faxed(*pages: tuple[str, ...]) -> bytes:
    """A TIFF file with several pages."""
    pictures = [page(lines, size=34, width=1100) for lines in pages]
    target = io.BytesIO()
    pictures[0].save(target, "TIFF", save_all=True, append_images=pictures[1:])
    return target.getvalue()


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {
        "whiteboard.png": encoded(page(BOARD)),
        "letter.jpg": encoded(page(LETTER), "JPEG"),
        "lease.pdf": scan(LEASE),
        "receipt.tif": compressed(RECEIPT),
        "phone.heic": phone_pictures.TURNED,
        "fax.tiff": faxed(("Cover sheet",), FAX),
    }


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was read of the pictures by the first test, for the others."""
    return tmp_path_factory.mktemp("texts")


@pytest.fixture
def read_engine(
    engine: Engine, notes: Path, files: dict[str, bytes], paths: Paths, texts: Path
) -> Engine:
    """An engine that has read what is written on the pictures of the folder home."""
    write_notes(notes / "home", {"plan.md": PLAN})
    for name, data in files.items():
        (notes / "home" / name).write_bytes(data)
    shutil.copytree(texts, paths.state / "pictures", dirs_exist_ok=True)
    home = engine.find_workspace("home")
    engine.folders.change(replace(home, documents=True, pictures=True)).result(TIMEOUT)
    engine.refresh(home).result(TIMEOUT)
    shutil.copytree(paths.state / "pictures", texts, dirs_exist_ok=True)
    return engine


@pytest.fixture
def preview(qtbot, read_engine: Engine, tasks: Tasks) -> Iterator[Preview]:
    made = Preview(read_engine, tasks, Opener("false {file}"))
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def found(qtbot, engine: Engine, tasks: Tasks, text: str) -> Row:
    search = LiveSearch(engine, tasks, max_results=5)
    with qtbot.waitSignal(
        search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        search.type(text)
    search.close()
    return search.model.rows[0]


def show(qtbot, preview: Preview, row: Row) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)


def marked(canvas: PageCanvas) -> list[str]:
    """The words under the marks of a picture."""
    layer = canvas.picture.layer
    return [
        layer.text_of(layer.word_at((mark[0] + mark[2]) / 2)) for mark in canvas.picture.marks.words
    ]


def test_a_picture_shows_where_its_words_were_found(qtbot, read_engine, tasks, preview) -> None:
    row = found(qtbot, read_engine, tasks, "chimney thursday")
    assert (row.title, row.picture) == ("letter", "")
    show(qtbot, preview, row)
    canvas = preview.media.canvas
    assert canvas.isVisible()
    assert marked(canvas) == ["chimney", "Thursday"]
    assert canvas.accessibleDescription() == "\n".join(LETTER)
    bar = preview.media.bar
    assert (bar.isVisible(), bar.lines.text()) == (True, "2 lines of text")
    assert not bar.alone.isVisible()


def test_the_text_of_a_picture_is_one_key_away(qtbot, read_engine, tasks, preview) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    assert preview.has_modes
    with qtbot.waitSignal(preview.matches_changed):
        preview.turn_mode()
    assert preview.view.isVisible()
    lines = preview.view.toPlainText().splitlines()
    assert [line.strip() for line in lines] == list(LETTER)
    assert not preview.media.bar.fit.isVisible()
    with qtbot.waitSignal(preview.matches_changed):
        preview.turn_mode()
    assert preview.media.canvas.isVisible()


def test_find_and_copy_work_on_a_picture(qtbot, read_engine, tasks, preview) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    assert preview.find_in_note()
    bar = preview.find_bar
    qtbot.keyClicks(bar.box, "e")
    assert bar.count.text() == f"1 of {sum(line.lower().count('e') for line in LETTER)}"
    bar.box.setText("walnut")
    assert bar.count.text() == "Not found in this picture"
    bar.close_bar()
    assert preview.media.canvas.match_count == 2
    preview.media.canvas.select_all()
    preview.media.canvas.copy()
    assert QGuiApplication.clipboard().text() == "\n".join(LETTER)


def test_a_scanned_page_has_marks_and_text(qtbot, read_engine, tasks, preview) -> None:
    row = found(qtbot, read_engine, tasks, "deposit euros")
    show(qtbot, preview, row)
    canvas = preview.pages.canvas
    assert preview.pages.bar.where.text() == "Page 2 of 2"
    assert marked(canvas) == ["deposit", "euros"]
    assert canvas.accessibleDescription() == "\n".join(LEASE)
    assert preview.find_in_note()
    qtbot.keyClicks(preview.find_bar.box, "940")
    assert preview.find_bar.count.text() == "1 of 1"


def test_a_picture_in_a_note_is_found_as_the_note(qtbot, read_engine, tasks, preview) -> None:
    row = found(qtbot, read_engine, tasks, "migrate ledger")
    assert (row.title, row.path, row.picture) == ("Plan", "plan.md", "whiteboard.png")
    assert row.breadcrumb.endswith("in the picture whiteboard.png")
    assert quotations_text([row]).endswith("— whiteboard.png")
    show(qtbot, preview, row)
    assert preview.is_note
    view = preview.view
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 0)

    def has_marks() -> bool:
        seen = view.viewport().grab().toImage()
        points = (
            QPoint(x, y) for x in range(0, seen.width(), 3) for y in range(0, seen.height(), 3)
        )
        return any(seen.pixelColor(point).name() == LIGHT.marked.name() for point in points)

    qtbot.waitUntil(has_marks)
    view.zoom_by(1)
    qtbot.waitUntil(has_marks)
    # Another word of the same picture is found while somebody types on.
    show(qtbot, preview, found(qtbot, read_engine, tasks, "migrate lisbon"))
    qtbot.waitUntil(has_marks)
    show(qtbot, preview, row_of_line("home", "plan.md", row.file, row.line, {"home": ""}))
    qtbot.waitUntil(lambda: not has_marks())


def test_a_picture_in_a_note_is_seen_alone_by_one_click(qtbot, read_engine, tasks, preview) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "migrate ledger"))
    bar = preview.media.bar
    assert bar.alone.isVisible()
    assert not bar.text.isVisible()
    with qtbot.waitSignal(preview.matches_changed):
        bar.alone.click()
    canvas = preview.media.canvas
    assert canvas.isVisible()
    assert canvas.accessibleName() == "Picture whiteboard.png"
    assert marked(canvas) == ["Migrate", "ledger"]
    assert bar.fit.isVisible()
    with qtbot.waitSignal(preview.matches_changed):
        preview.turn_mode()
    assert preview.is_note


@pytest.mark.qt_log_ignore("ompression", extend=True)
@pytest.mark.parametrize(
    ("text", "words"),
    [("umbrella stand", ["umbrella", "stand"]), ("receta abuela", ["Receta", "abuela"])],
)
def test_a_picture_that_qt_does_not_know_is_shown_with_marks(
    qtbot, read_engine, tasks, preview, text, words
) -> None:
    row = found(qtbot, read_engine, tasks, text)
    show(qtbot, preview, row)
    canvas = preview.media.canvas
    assert marked(canvas) == words
    shown = canvas.picture.image
    assert (shown.width(), shown.height()) in ((512, 256), page(RECEIPT).size)
    thumbnails = Thumbnails(tasks, read_engine.notes)
    with qtbot.waitSignal(thumbnails.loaded):
        assert thumbnails.of(row).isNull()
    assert 0 < thumbnails.of(row).width() <= 256


@pytest.mark.qt_log_ignore("ompression", extend=True)
def test_a_picture_that_cannot_be_drawn_is_not_shown_as_the_one_before(
    qtbot, read_engine, tasks, preview
) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    row = found(qtbot, read_engine, tasks, "umbrella stand")
    assert row.path == "receipt.tif"
    assert preview.find_in_note()
    row.file.write_bytes(b"no picture")
    show(qtbot, preview, row)
    assert preview.media.open.isVisible()
    assert preview.media.canvas.picture is None
    assert (preview.has_text, preview.find_bar.isVisible()) == (False, False)
    assert not preview.media.bar.fit.isEnabled()
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    assert preview.media.canvas.isVisible()
    assert preview.media.bar.fit.isEnabled()


def test_a_page_that_cannot_be_drawn_is_not_shown_as_the_one_before(
    qtbot, read_engine, tasks, preview
) -> None:
    row = found(qtbot, read_engine, tasks, "deposit euros")
    show(qtbot, preview, row)
    file = row.file.with_name("broken.pdf")
    file.write_bytes(b"%PDF-1.4 broken")
    broken = row_of_line("home", "broken.pdf", file, 1, {"home": ""})
    with qtbot.waitSignal(preview.pages.shown):
        preview.show_row(broken)
    assert preview.pages.sentence
    assert (preview.pages.text, preview.has_text) == ("", False)


def test_a_late_picture_does_not_replace_the_note(
    qtbot, read_engine, tasks, preview, monkeypatch
) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "migrate ledger"))
    qtbot.waitUntil(lambda: preview.view.verticalScrollBar().value() > 0)
    late = Future()
    with monkeypatch.context() as slow:
        slow.setattr(read_engine.notes, "picture_text", lambda *_: late)
        preview.media.bar.alone.click()
        qtbot.waitUntil(lambda: bool(late._done_callbacks))  # noqa: SLF001
    with qtbot.waitSignal(preview.matches_changed):
        preview.media.bar.alone.click()
    late.set_result(None)
    qtbot.wait(50)
    assert preview.is_note


def test_a_late_page_does_not_replace_its_text(
    qtbot, read_engine, tasks, preview, monkeypatch
) -> None:
    row = found(qtbot, read_engine, tasks, "deposit euros")
    late = Future()
    monkeypatch.setattr(read_engine.notes, "picture_text", lambda *_: late)
    preview.show_row(row)
    qtbot.waitUntil(lambda: bool(late._done_callbacks))  # noqa: SLF001
    with qtbot.waitSignal(preview.matches_changed):
        preview.turn_mode()
    late.set_result(None)
    qtbot.wait(50)
    assert preview.is_note


def test_late_text_does_not_replace_the_picture(
    qtbot, read_engine, tasks, preview, monkeypatch
) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    late = Future()
    with monkeypatch.context() as slow:
        slow.setattr(read_engine.notes, "read", lambda *_: late)
        preview.turn_mode()
    with qtbot.waitSignal(preview.matches_changed):
        preview.turn_mode()
    late.set_result("Dear neighbours")
    qtbot.wait(50)
    assert preview.media.canvas.isVisible()


def test_the_box_counts_what_the_next_picture_has(qtbot, read_engine, tasks, preview) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "chimney thursday"))
    assert preview.find_in_note()
    bar = preview.find_bar
    assert bar.box.placeholderText() == "Find in this picture"
    bar.box.setText("ledger")
    assert bar.count.text() == "Not found in this picture"
    board = found(qtbot, read_engine, tasks, "migrate ledger")
    show(qtbot, preview, replace(board, path=board.picture, picture="", media_type="image/png"))
    assert bar.count.text() == "1 of 1"


def test_the_box_says_that_it_looks_on_one_page(qtbot, read_engine, tasks, preview) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "deposit euros"))
    assert preview.find_in_note()
    bar = preview.find_bar
    assert bar.box.accessibleName() == "Find on this page"
    bar.box.setText("walnut")
    assert bar.count.text() == "Not found on this page"
    bar.box.setText("cover")
    with qtbot.waitSignal(preview.pages.canvas.stepped):
        preview.pages.turn(-1)
    assert bar.count.text() == "1 of 1"


def test_the_page_of_a_fax_that_was_found_is_shown_and_marked(
    qtbot, read_engine: Engine, tasks: Tasks, preview: Preview
) -> None:
    show(qtbot, preview, found(qtbot, read_engine, tasks, "harbour berth"))
    assert marked(preview.media.canvas) == ["harbour", "Berth"]
    second = page(FAX, size=34, width=1100)
    shown = preview.media.canvas.picture.image
    assert (shown.width(), shown.height()) == second.size
