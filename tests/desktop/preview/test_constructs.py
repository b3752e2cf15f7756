"""The folder `constructs` holds all that people write in Obsidian and Logseq; a window shows it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line
from support.vault import TIMEOUT

VAULT = Path(__file__).with_name("constructs")
TABLE = Path(__file__).parents[3] / "docs" / "reader.md"
LEAF = QColor("#3c8d4f")


@pytest.fixture
def preview(qtbot, empty_engine: Engine, tasks: Tasks, tmp_path: Path, qapp) -> Iterator[Preview]:
    root = tmp_path / "constructs"
    shutil.copytree(VAULT, root)
    empty_engine.add_workspace(root).result(TIMEOUT)
    empty_engine.refresh().result(TIMEOUT)
    [status] = empty_engine.status().workspaces
    made = Preview(empty_engine, tasks, Opener())
    qtbot.addWidget(made)
    made.resize(600, 700)
    with qtbot.waitExposed(made):
        made.show()
    with qtbot.waitSignal(made.matches_changed):
        file = root / "Constructs.md"
        made.show_row(row_of_line(status.workspace.id, "Constructs.md", file, 1, {}))
    return made


def sections(preview: Preview) -> dict[str, str]:
    """What stands below each heading of the second level, as it is read; first the properties."""
    name = "Properties"
    shown = {name: ""}
    block = preview.view.document().begin()
    while block.isValid():
        if block.blockFormat().headingLevel() == 2 and block.text() not in ("Costs", "Valve"):
            name = block.text()
            shown[name] = ""
        else:
            shown[name] += block.text().strip().replace("\u2028", "\n") + "\n"
        block = block.next()
    return {name: text.strip() for name, text in shown.items()}


def test_a_reader_sees_words_and_no_signs(preview: Preview) -> None:
    shown = sections(preview)
    assert list(shown) == constructs()
    assert len(shown) >= 40
    for name, text in {
        "Line ends": "14 Park Street\nthe bell is broken",
        "Highlight": "Bring the blue key with you.",
        "Strikethrough": "Thirty forty pounds.",
        "Formula in a line": "Area \\pi r^2, but $5 and $6 are money.",
        "Hard line break": "Ends with two spaces\nor with a backslash\nhere.",
        "Headings": "Third\nFourth\nFifth\nSixth",
        "Tasks": "☐ buy bulbs\n☑ call the roofer\n/\xa0 half done\n-\xa0 given up\n"
        "☐ sow beans 📅 2026-11-20",
        "Definitions": "Isobar\nA line of equal pressure.",
        "Folded callout": "Where is the key?\nUnder the pot.",
        "Link with another text": "Ask the heating note.",
        "Link to a heading or block": "See Boiler › Costs and Boiler.",
        "Picture from the internet": "[Picture from the internet not loaded: far.png]",
        "Section in a note": "Boiler › Costs\nCosts\nNinety pounds a year.",
        "Block in a note": "Boiler\nTurn it to the right.",
        "Name of a block": "The stopcock is below the sink.",
        "Comment": "Seen again.",
        "HTML in a line": "Press Ctrl, H2O, under, first\nsecond.",
        "HTML block": "More\ninside\n<script>alert(1)</script>",
        "Search in a note": "[This list can be shown only in another program]",
        "Template": "Today is <% tp.date.now() %> and {{date}}.",
        "Sound": "memo.m4a",
        "Web page": "Web page: example.org\n[Picture from the internet not loaded: watch?v=1]",
        "Table of Bases": "[Obsidian Bases table: List]\nName\nFolder\nBoiler\nHouse\n\n"
        "Formulas not computed: age\nViews not shown: By age",
        "List of another program": "[This list can be shown only in another program]",
        "Fields of Dataview": "price: 40 pounds\nThe bill paid: yes came Leeds late.",
        "Escapes": "*not slanted*, & and 1. no list.\n\n1 Between 1911 and 1914. ↩\n"
        "2 Said in a line. ↩",
    }.items():
        assert shown[name].strip() == text, name
    kinds = shown["Callout kinds"].split()
    assert [kinds[at] for at in (0, 6, 8, 10, 14)] == [
        "Before", "Danger", "Success", "Quotation", "Own",
    ]  # fmt: skip
    whole = shown["Note in a note"]
    assert "Made by Vaillant" in whole
    assert "Turn it to the right" in whole
    assert "Line ends" not in whole
    assert "A block with [Text from another note] in it." in shown["Blocks of Logseq"]
    assert "Made by Vaillant" in shown["Blocks of Logseq"]
    assert "id::" not in shown["Blocks of Logseq"]


def constructs() -> list[str]:
    text = (VAULT / "Constructs.md").read_text("utf-8")
    return ["Properties", *re.findall("^## (.*)$", text, re.MULTILINE)]


def test_the_documentation_names_each_of_them_with_what_becomes_of_it() -> None:
    lines = TABLE.read_text("utf-8").splitlines()
    first = lines.index("|---|---|---|---|") + 1
    rows = [[cell.strip("| ") for cell in line.split(" | ")] for line in lines[first:]]
    assert [row[0] for row in rows] == constructs()
    assert {len(row) for row in rows} == {4}
    assert all(re.search("shown|hidden", row[3]) for row in rows)


@pytest.mark.parametrize(
    "name", ["old plans", "the same", "memo.m4a", "tour.mp4", "bill.pdf", "table: List"]
)
def test_its_files_are_linked(preview: Preview, name: str) -> None:
    href = preview.view.document().find(name).charFormat().anchorHref()
    assert href.startswith("attachment:attachments/")


def test_its_picture_is_seen(qtbot, preview: Preview) -> None:
    view = preview.view
    view.scrollToAnchor(f"L{line_of_text('![[leaf.png|120]]')}")

    def green() -> int:
        seen = view.viewport().grab().toImage()
        return sum(
            seen.pixelColor(x, y) == LEAF
            for x in range(0, seen.width(), 4)
            for y in range(0, seen.height(), 4)
        )

    qtbot.waitUntil(lambda: green() > 100)


def line_of_text(text: str) -> int:
    return (VAULT / "Constructs.md").read_text("utf-8").splitlines().index(text) + 1
