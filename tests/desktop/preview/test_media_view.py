"""Images and recordings among the results: a picture or a button to play, in list and preview."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage

from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import Row, row_of_line
from scrubjay_desktop.results.thumbnails import Thumbnails, read_picture
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.result_view import ResultView

RED = QColor("#d01010")


def picture(file: Path, width: int = 400, height: int = 200) -> Path:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(RED)
    assert made.save(str(file))
    return file


def row_of(file: Path) -> Row:
    return row_of_line("home", f"photos/{file.name}", file, 1, {"home": "Home notes"})


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths that were handed to the desktop."""
    handed: list[str] = []
    monkeypatch.setattr(
        "scrubjay_desktop.preview.open_external.QDesktopServices.openUrl",
        lambda url: not handed.append(str(Path(url.toLocalFile()))),
    )
    return handed


@pytest.fixture
def preview(qtbot, engine: Engine, tasks: Tasks) -> Iterator[Preview]:
    # A person's own editor is for notes, not for pictures.
    made = Preview(engine, tasks, Opener("false {file}"))
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


def test_a_picture_is_shown_as_large_as_there_is_room(qtbot, preview, tmp_path) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of(picture(tmp_path / "oak.png", 4_000, 3_000)))
    canvas = preview.media.canvas
    assert canvas.isVisible()
    assert canvas.accessibleName() == "Picture photos/oak.png"
    assert canvas.picture.image.size() == QSize(2_000, 1_500)
    middle = canvas.grab().toImage().pixelColor(canvas.rect().center())
    assert middle.name() == RED.name()


def test_a_recording_offers_to_play_in_another_program(qtbot, preview, tmp_path, opened) -> None:
    file = tmp_path / "memo.mp3"
    file.write_bytes(b"ID3")
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of(file))
    assert preview.media.play.isVisible()
    assert preview.media.play.accessibleName() == "Play photos/memo.mp3"
    qtbot.mouseClick(preview.media.play, Qt.MouseButton.LeftButton)
    assert opened == [str(file)]


@pytest.mark.parametrize("data", [b"", b"no picture at all", b"\x89PNG\r\n\x1a\ncut"])
def test_what_cannot_be_shown_can_be_opened(qtbot, preview, tmp_path, opened, data) -> None:
    file = tmp_path / "odd.heic"
    file.write_bytes(data)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of(file))
    assert not preview.media.canvas.isVisible()
    qtbot.mouseClick(preview.media.open, Qt.MouseButton.LeftButton)
    assert opened == [str(file)]


def test_a_note_after_a_picture_is_a_note_again(qtbot, engine, preview, tmp_path) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of(picture(tmp_path / "oak.png")))
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "router.md", tmp_path / "router.md", 1, {}))
    assert preview.view.isVisible()
    assert not preview.media.isVisible()
    assert "password" in preview.view.toPlainText()


def test_a_row_shows_a_small_picture(qtbot, engine, tasks, tmp_path) -> None:
    search = LiveSearch(engine, tasks, max_results=5)
    view = ResultView(search)
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    search.model.replace([row_of(picture(tmp_path / "oak.png"))])

    def is_there() -> bool:
        shown = view.viewport().grab().toImage()
        pixels = (shown.pixelColor(x, y) for x in range(0, 80, 4) for y in range(0, 110, 4))
        return any(pixel.name() == RED.name() for pixel in pixels)

    qtbot.waitUntil(is_there)
    search.close()


def test_a_picture_is_read_once(qtbot, engine, tasks, tmp_path) -> None:
    thumbnails = Thumbnails(tasks, engine.notes)
    row = row_of(picture(tmp_path / "oak.png"))
    with qtbot.waitSignal(thumbnails.loaded):
        assert thumbnails.of(row).isNull()
    assert thumbnails.of(row).size() == QSize(256, 128)
    row.file.unlink()
    assert not thumbnails.of(row).isNull()


def test_the_bytes_decide_what_a_picture_is(tmp_path) -> None:
    named_wrong = picture(tmp_path / "oak.png").rename(tmp_path / "oak.jpg")
    assert read_picture(named_wrong, QSize(100, 100)).size() == QSize(100, 50)
