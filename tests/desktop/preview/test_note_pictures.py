from __future__ import annotations

import json
import os
import re
import struct
import threading
import zlib
from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay_desktop.preview import note_pictures
from scrubjay_desktop.preview.canvas_picture import canvas_picture, read_canvas
from scrubjay_desktop.preview.note_html import NoteSurroundings, RenderedNote, render_note_html
from scrubjay_desktop.preview.note_pictures import AttachmentFinder
from scrubjay_desktop.preview.note_view import NoteView
from scrubjay_desktop.results.thumbnails import read_picture
from scrubjay_desktop.widgets.theme import DARK, LIGHT
from support.platforms import make_link

LEAF = QColor("#208040")
TAG = re.compile("<[^>]*>")


def draw(file: Path, width: int = 800, height: int = 400) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = QImage(width, height, QImage.Format.Format_RGB32)
    picture.fill(LEAF)
    assert picture.save(str(file))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    draw(root / "attachments" / "leaf.png")
    draw(root / "Lessons" / "near by.png")
    draw(tmp_path / "outside.png")
    make_link(root / "link.png", tmp_path / "outside.png")
    return root


@pytest.mark.parametrize(
    "markdown",
    [
        "![[leaf.png]]",
        "![[LEAF.png|a leaf]]",
        "![[attachments/leaf.png]]",
        "![x](../attachments/leaf.png)",
        "![](attachments/leaf.png)",
        "![](leaf.png)",
        "![](near%20by.png)",
        "![[near by.png]]",
        "| a |\n|-|\n| ![[leaf.png\\|a]] |",
    ],
)
def test_a_picture_is_found_as_obsidian_finds_it(vault: Path, markdown: str) -> None:
    note = rendered(vault, markdown)
    assert [picture.size for picture in note.pictures.values()] == [QSize(800, 400)]
    assert "<img" in note.html


@pytest.mark.parametrize(
    ("markdown", "size"),
    [
        ("![[leaf.png|200]]", QSize(200, 100)),
        ("![[leaf.png|text|200]]", QSize(200, 100)),
        ("![text|200](leaf.png)", QSize(200, 100)),
        ("![[leaf.png|200x50]]", QSize(200, 100)),
        ("![[leaf.png|0]]", QSize(800, 400)),
    ],
)
def test_a_picture_is_as_wide_as_its_link_says(vault: Path, markdown: str, size: QSize) -> None:
    assert [picture.size for picture in rendered(vault, markdown).pictures.values()] == [size]


@pytest.mark.parametrize(
    ("markdown", "name"),
    [
        ("![[gone.png]]", "gone.png"),
        ("![](gone.png)", "gone.png"),
        ("![x](https://example.org/far.png?size=2)", "far.png?size=2"),
        ("![x](//example.org/far.png)", "far.png"),
        ("![x](http://[far.png)", "[far.png"),
        ("![](../../outside.png)", "outside.png"),
        ("![[../outside.png]]", "outside.png"),
        ("![[{outside}]]", "outside.png"),
        ("![[link.png]]", "link.png"),
        ("![[fake.png]]", "fake.png"),
        ("![[bomb.png]]", "bomb.png"),
        ("![[large.png]]", "large.png"),
    ],
)
def test_what_is_not_a_picture_of_this_folder_is_a_line_with_its_name(
    vault: Path, markdown: str, name: str
) -> None:
    (vault / "fake.png").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9"/>')
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = (
        struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    )
    (vault / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk)
    with (vault / "large.png").open("wb") as large:
        large.truncate(50 * 2**20)
    outside = vault.parent / "outside.png"
    note = rendered(vault, markdown.replace("{outside}", str(outside)))
    assert not note.pictures
    assert "<img" not in note.html
    assert f"{name}]" in TAG.sub("", note.html)


@pytest.mark.parametrize(
    ("markdown", "sentence"),
    [
        ("![[gone.png]]", "[Picture not found: gone.png]"),
        ("![[gone.svg]]", "[Picture not found: gone.svg]"),
        ("![[broken.png]]", "[Picture cannot be shown: broken.png]"),
        ("![[broken.svg|200]]", "[Picture cannot be shown: broken.svg]"),
        ("![x](file:///etc/a.png)", "[Picture cannot be shown: a.png]"),
        ("![x](data:image/png;base64,AAAA)", "[Picture cannot be shown: x]"),
        ("![](https://example.org/a.png)", "[Picture from the internet not loaded: a.png]"),
    ],
)
def test_a_picture_that_is_not_shown_says_why(vault: Path, markdown: str, sentence: str) -> None:
    for name in ("broken.png", "broken.svg"):
        (vault / name).write_text("<svg")
    assert TAG.sub("", rendered(vault, markdown).html).strip() == sentence


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {}>{}</svg>'
)
RED = '<rect id="a" width="80" height="40" fill="red"/>'


def test_a_drawing_is_shown_on_white_paper(qtbot, vault: Path, view: NoteView) -> None:
    (vault / "draw.svg").write_text(SVG.format('width="80" height="80"', RED))
    note = rendered(vault, "![[draw.svg|300]]")
    assert [picture.size for picture in note.pictures.values()] == [QSize(300, 300)]
    view.show_note(note, 1, [])
    qtbot.waitUntil(lambda: wide(view, QColor("red")) > 200)
    assert wide(view, QColor("white")) > 200


def test_a_drawing_leads_to_no_file(vault: Path) -> None:
    leaf = vault / "attachments" / "leaf.png"
    inner = SVG.format("", f'<image xlink:href="{leaf}" width="9" height="9"/>')
    links = {str(leaf): "white", f"file://{leaf}": "white", encoded(leaf.read_bytes()): LEAF.name()}
    links[encoded(inner.encode())] = "white"
    for link, color in links.items():
        for href in ("href", "xlink:href"):
            image = f'<image {href}="{link}" width="9" height="9"/>'
            (vault / "draw.svg").write_text(SVG.format('width="9" height="9"', image))
            shown = read_picture(vault / "draw.svg", QSize(9, 9))
            assert shown.pixelColor(4, 4) == QColor(color)


def encoded(data: bytes) -> str:
    return f"data:image/png;base64,{b64encode(data).decode()}"


@pytest.mark.parametrize(
    "drawing",
    [
        RED
        + "".join(
            f'<g id="{new}">{f"""<use href="#{old}"/>""" * 40}</g>'
            for old, new in pairwise("abcdefg")
        ),
        '<g id="a"><use href="#a"/></g>',
        f"<style>.b {{ mask: url(#a) }}</style>{RED}",
        "<g>" * 2_000 + "</g>" * 2_000,
    ],
)
def test_a_drawing_that_repeats_without_end_is_not_shown(vault: Path, drawing: str) -> None:
    (vault / "draw.svg").write_text(SVG.format('width="9" height="9"', drawing))
    assert "[Picture cannot be shown: " in rendered(vault, "![[draw.svg]]").html


@pytest.mark.parametrize(
    "target", ["\\\\server\\a.png", "d:a.png", "%5C%5Cserver/a.png", "/../a.png"]
)
def test_no_other_computer_and_no_other_drive_is_asked(
    vault: Path, target: str, monkeypatch
) -> None:
    asked: list[str] = []
    isfile = os.path.isfile
    monkeypatch.setattr(os.path, "isfile", lambda path: (asked.append(str(path)), isfile(path))[1])
    assert AttachmentFinder(vault, vault / "Lessons" / "a.md", IoTimeouts()).picture(target) is None
    inside = [Path(path).relative_to(vault).as_posix() for path in asked]
    assert not any(sign in path for path in inside for sign in ("d:", "\\", "//"))


def rendered(vault: Path, markdown: str) -> RenderedNote:
    finder = AttachmentFinder(vault, vault / "Lessons" / "a.md", IoTimeouts())
    around = NoteSurroundings("Lessons/a.md", None, finder)
    return render_note_html(markdown, 1, around)


@pytest.fixture
def view(qtbot, tasks) -> Iterator[NoteView]:
    made = NoteView(tasks)
    qtbot.addWidget(made)
    made.resize(400, 500)
    made.show()
    return made


def wide(view: NoteView, color: QColor = LEAF) -> int:
    """Pixels of the screen in the widest row of a colour."""
    seen = view.viewport().grab().toImage()
    rows = range(0, seen.height(), 4)
    return max(sum(seen.pixelColor(x, y) == color for x in range(seen.width())) for y in rows)


def test_a_picture_is_drawn_as_wide_as_there_is_room_and_read_beside_the_gui_thread(
    qtbot, vault: Path, view: NoteView, monkeypatch
) -> None:
    threads: list[threading.Thread] = []
    monkeypatch.setattr(
        note_pictures,
        "read_picture",
        lambda *args: (threads.append(threading.current_thread()), read_picture(*args))[1],
    )
    view.show_note(rendered(vault, "a\n\n![[leaf.png]]"), 1, [])
    ratio = view.devicePixelRatio()
    margins = 2 * view.document().documentMargin()
    for width in (400, 700, 300):
        view.resize(width, 500)
        room = (view.viewport().width() - margins) * ratio
        qtbot.waitUntil(lambda room=room: abs(wide(view) - room) <= 2 * ratio)
    assert view.horizontalScrollBar().maximum() == 0
    assert threading.main_thread() not in threads


def test_pictures_in_bars_lists_and_tables_stay_in_the_pane(
    qtbot, vault: Path, view: NoteView
) -> None:
    text = (
        "> [!tip] a\n> > ![[leaf.png]]\n\n- a\n  - ![[leaf.png]]\n\n"
        "| a | b |\n|-|-|\n| ![[leaf.png]] | ![[leaf.png]] |\n"
    )
    view.show_note(rendered(vault, text), 1, [])
    qtbot.waitUntil(lambda: wide(view) > 200)
    assert view.horizontalScrollBar().maximum() == 0


def test_a_picture_that_goes_away_is_a_quiet_field(qtbot, vault: Path, view: NoteView) -> None:
    note = rendered(vault, "![[leaf.png]]")
    (vault / "attachments" / "leaf.png").unlink()
    view.show_note(note, 1, [])
    qtbot.waitUntil(lambda: wide(view, LIGHT.hover) > 300)
    assert wide(view) == 0


def test_a_photograph_taken_upright_is_shown_upright(vault: Path) -> None:
    draw(vault / "photo.jpg")
    # An EXIF block that only holds the orientation 6: turned by a quarter.
    exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    data = (vault / "photo.jpg").read_bytes()
    block = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    (vault / "photo.jpg").write_bytes(data[:2] + block + data[2:])
    [picture] = rendered(vault, "![[photo.jpg]]").pictures.values()
    assert picture.size == QSize(400, 800)


CANVAS = {
    "nodes": [
        {"id": "g", "type": "group", "x": -20, "y": -20, "width": 700, "height": 240,
         "label": "All"},
        {"id": "a", "type": "text", "x": 0, "y": 0, "width": 250, "height": 200, "color": "1",
         "text": "# Plan\n\nCall **Ana**"},
        {"id": "b", "type": "file", "x": 400, "y": 0, "width": 250, "height": 200,
         "file": "a/Kyoto.md"},
    ],
    "edges": [{"id": "e", "fromNode": "a", "toNode": "b"}, {"fromNode": "a", "toNode": "gone"}],
}  # fmt: skip


def test_a_canvas_is_a_picture_of_its_cards_and_opens_by_a_click(qtbot, vault: Path) -> None:
    (vault / "Plan.canvas").write_text(json.dumps(CANVAS))
    canvas = read_canvas(vault / "Plan.canvas")
    assert [card.text for card in canvas.cards] == ["All", "Plan\nCall Ana", "Kyoto"]
    assert [arrow.label for arrow in canvas.arrows] == [""]
    note = rendered(vault, "![[Plan.canvas]]")
    [picture] = note.pictures.values()
    assert picture.size == QSize(780, 320)
    assert '<a href="attachment:Plan.canvas"' in note.html
    assert note.files["Plan.canvas"] == (vault / "Plan.canvas").resolve()
    # Cards are drawn where they are, with their words and colours.
    image = canvas_picture(vault / "Plan.canvas", QSize(780, 780))
    assert image.size() == QSize(780, 320)
    assert image.pixelColor(60, 150).name() == "#e93147"
    card = image.copy(70, 70, 200, 60)
    shades = {card.pixelColor(x, y).lightness() for x in range(200) for y in range(60)}
    assert min(shades) < 100 < max(shades)


def canvas_of(vault: Path, text: str, label: str = "") -> Path:
    """A canvas of two cards side by side, with a line between them."""
    cards = [
        {"id": name, "x": x, "y": 0, "width": 200, "height": 60, "text": text}
        for name, x in {"a": 0, "b": 400}.items()
    ]
    file = vault / f"{len(list(vault.iterdir()))}.canvas"
    edges = [{"fromNode": "a", "toNode": "b", "label": label}]
    file.write_text(json.dumps({"nodes": cards, "edges": edges}))
    return file


def test_a_card_shows_whole_lines_and_says_that_more_follow(qtbot, vault: Path) -> None:
    size = QSize(680, 140)
    long = canvas_picture(canvas_of(vault, "word " * 20), size)
    longer = canvas_picture(canvas_of(vault, "word " * 200), size)
    assert long == longer
    assert long != canvas_picture(canvas_of(vault, "word " * 5), size)
    # Below the last whole line the card is empty.
    card = long.copy(45, 75, 180, 20)
    assert len({card.pixel(x, y) for x in range(180) for y in range(12, 20)}) == 1


def test_a_line_says_what_is_written_on_it(qtbot, vault: Path) -> None:
    size = QSize(680, 140)
    bare = canvas_picture(canvas_of(vault, "a"), size)
    assert canvas_picture(canvas_of(vault, "a", label="then"), size) != bare


def test_a_canvas_is_dark_among_dark_colours(qtbot, vault: Path) -> None:
    image = canvas_picture(canvas_of(vault, "a"), QSize(680, 140), DARK)
    assert image.pixelColor(2, 2) == DARK.window


@pytest.mark.parametrize(
    "content",
    ["", "[", "[]", "{}", '{"nodes": 5}', '{"nodes": [5, {}], "edges": [{}]}', "[" * 100_000,
     '{"nodes": [{"x": 1e999, "y": NaN, "width": "w", "height": -5, "text": 7, "color": []}]}'],
)  # fmt: skip
def test_a_broken_canvas_is_a_line_or_a_card(qtbot, vault: Path, content: str) -> None:
    (vault / "Plan.canvas").write_text(content)
    note = rendered(vault, "![[Plan.canvas]]")
    assert "Plan.canvas" in note.html
    canvas_picture(vault / "Plan.canvas", QSize(100, 100))
