"""A link of a note never does what only the app's own links do, whatever it is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QProcess, Qt
from PySide6.QtGui import QDesktopServices, QHelpEvent, QTextCursor, QTextDocumentFragment
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QToolTip

import scrubjay_desktop
from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.note_html import NoteSurroundings, render_note_html
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line
from scrubjay_desktop.text.formatting import plain_tip
from support.vault import TIMEOUT, write_notes

HEAD = "# Start\n\n- [ ] buy milk\n- [ ] #errand call Emma\n\n"
ADDRESSES = [
    "task:3", "TASK:3", "Task:3", "&#116;ask:3", "task&colon;3", "task:x", "task:", "task:3#L3",
    "task://3", "tag:errand", "tag:x%20path%3A/", "note:Other.md", "note:/Other.md", "note:",
    "note:Other.md#Part", "attachment:Other.md", "attachment:../secret.md", "dead:Other.md",
    "foreign:task%3A3", "foreign:foreign%3Atask%3A3", "picture:0", "page:health", "heading:Part",
    "details", "file:///etc/passwd", "file:Other.md", "javascript:alert(1)", "data:text/html,x",
    "obsidian://open?path=/etc/passwd", "scrubjay://quit", "memory://home/Other.md", "ftp://host",
    "\\\\\\\\host\\share", "//host/share", "ms-settings:", "qrc:/x", "vbscript:x",
]  # fmt: skip
SPELLINGS = [
    *(f"[words]({address})" for address in ADDRESSES),
    *(f"[words](<{address}>)" for address in ("task:3", "tag:errand")),
    "[words][r]\n\n[r]: task:3",
    "[r] words\n\n[r]: task:3 'title'",
    "[![words](task:3)](task:3)",
    "![words](task:3)",
    "<task:3> words",
    "<tag:errand> words",
    '<a href="task:3">words</a>',
    "<a href=task:3>words</a>",
    '<span title="x"><a href="tag:errand">words</a></span>',
    '<img src="x" onclick="task:3">words',
    "[[task:3|words]]",
    "[[tag:errand|words]]",
    "![[task:3|words]]",
    "words[^task:3]\n\n[^task:3]: [words](task:3)",
    "| a |\n|---|\n| [words](task:3) |",
    "> [!note] [words](task:3)",
]
OWN = {"task:3", "task:4", "tag:errand"}
"""What the renderer makes of the two tasks above them."""


@pytest.fixture
def opener(qapp) -> Opener:
    return Opener()


@pytest.fixture
def preview(qtbot, engine: Engine, tasks: Tasks, opener: Opener) -> Iterator[Preview]:
    made = Preview(engine, tasks, opener)
    qtbot.addWidget(made)
    made.resize(500, 400)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def acts(preview: Preview, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What happened beside a sentence; empty while nothing did."""
    happened: list[object] = []
    preview.task_turned.connect(lambda *given: happened.append(given))
    preview.tag_clicked.connect(happened.append)
    preview.matches_changed.connect(lambda *given: happened.append(given))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: happened.append(url) or True)
    monkeypatch.setattr(
        QProcess, "startDetached", lambda *given: happened.append(given) or (True, 1)
    )
    return happened


def show(qtbot, preview: Preview, engine: Engine, notes: Path, text: str) -> Path:
    root = notes / "home"
    write_notes(root, {"Start.md": HEAD + text + "\n", "Other.md": "# Other\n\n## Part\n"})
    write_notes(notes, {"secret.md": "secret\n"})
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "Start.md", root / "Start.md", 1, {}))
    return root / "Start.md"


def places(preview: Preview) -> list[tuple[QTextCursor, str]]:
    """The first letter of each link with its address, but of the app's own ones at the top."""
    found = []
    block = preview.view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            if fragment.charFormat().isAnchor() and fragment.charFormat().anchorHref():
                cursor = QTextCursor(preview.view.document())
                cursor.setPosition(fragment.position() + 1)
                found.append((cursor, fragment.charFormat().anchorHref()))
            fragments += 1
        block = block.next()
    return found[3:]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_link_in_a_note_never_acts(
    qtbot,
    preview: Preview,
    opener: Opener,
    engine: Engine,
    notes: Path,
    acts: list[object],
    text: str,
) -> None:
    file = show(qtbot, preview, engine, notes, text)
    before = file.read_bytes()
    acts.clear()
    for cursor, address in places(preview):
        assert address not in OWN, "the app takes it for its own"
        if address.startswith("#fn"):
            continue
        said: list[str] = []
        opener.failed.connect(said.append)
        if not address.startswith("note:Start.md"):
            point = preview.view.cursorRect(cursor).center()
            qtbot.mouseClick(preview.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
            assert len(said) == 1
        # The key that ticks the task of a line is not the link's either.
        preview.view.setTextCursor(cursor)
        preview.turn_task()
        assert said[-1].startswith("No task is selected.")
        opener.failed.disconnect(said.append)
    assert acts == []
    assert preview.row.path == "Start.md"
    assert file.read_bytes() == before


def test_the_boxes_and_tags_of_the_app_act(
    qtbot, preview: Preview, engine: Engine, notes: Path, acts: list[object]
) -> None:
    show(qtbot, preview, engine, notes, "[words](https://example.org/task:3)")
    acts.clear()
    viewport = preview.view.viewport()
    box = preview.view.document().find("☐")
    box.setPosition(box.selectionStart())
    place = preview.view.cursorRect(box).center() + QPoint(3, 0)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert [given[1] for given in acts] == [3]
    [(cursor, address)] = places(preview)
    assert address == "https://example.org/task:3"
    point = preview.view.cursorRect(cursor).center()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=point)
    assert acts[1].toString() == "https://example.org/task:3"


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_text_that_is_no_note_of_a_folder_gives_no_own_link(address: str) -> None:
    html = render_note_html(f"[words]({address})", around=NoteSurroundings("a.md")).html
    for scheme in ("task", "tag", "note", "attachment", "dead"):
        assert f'href="{scheme}:' not in html.lower()


PICTURE = "<img src='/etc/hostname.png'>"
TITLES = [
    f"[[{PICTURE}]]",
    f"[words](<x{PICTURE}>)",
    f"[words](task:{PICTURE.replace(' ', '%20')})",
    f"![{PICTURE}](gone.png)",
    f"![[{PICTURE}.png]]",
    f"![](https://host/{PICTURE.replace(' ', '%20')})",
]


@pytest.mark.parametrize("text", TITLES)
def test_no_tooltip_of_a_note_is_read_as_markup(
    qtbot, preview: Preview, engine: Engine, notes: Path, text: str
) -> None:
    show(qtbot, preview, engine, notes, text)
    document = preview.view.document()
    for at in range(document.characterCount()):
        cursor = QTextCursor(document)
        cursor.setPosition(at)
        tip = cursor.charFormat().toolTip()
        if GuiQt.mightBeRichText(tip):
            assert tip.startswith("<qt>")
            assert "<img" not in tip.lower()


def test_a_tooltip_shows_the_signs_themselves(qtbot, preview, engine, notes) -> None:
    show(qtbot, preview, engine, notes, f"[[{PICTURE}|words]]")
    cursor = preview.view.document().find("words")
    cursor.setPosition(cursor.selectionStart() + 1)
    point = preview.view.cursorRect(cursor).center()
    viewport = preview.view.viewport()
    QApplication.sendEvent(
        viewport, QHelpEvent(QHelpEvent.Type.ToolTip, point, viewport.mapToGlobal(point))
    )
    shown = QTextDocumentFragment.fromHtml(QToolTip.text()).toPlainText()
    assert shown == f"Scrubjay found no note named “{PICTURE}”."


@pytest.mark.parametrize(
    ("text", "tip"),
    [
        ("notes/plan.md", "notes/plan.md"),
        ("a < b & c", "a < b & c"),
        ("<b>\n<img src=x>", "<qt>&lt;b&gt;<br>&lt;img src=x&gt;</qt>"),
    ],
)
def test_a_plain_tip_is_markup_only_where_it_has_to_be(text: str, tip: str) -> None:
    assert plain_tip(text) == tip


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of a name in the app, with their places."""
    for file in sorted(Path(scrubjay_desktop.__file__).parent.rglob("*.py")):
        source = file.read_text("utf-8")
        # Parsing all files took most of the time.
        if name not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called == name:
                    yield f"{file.name}:{node.lineno}", node


def test_every_label_says_whether_it_reads_markup() -> None:
    guessing = [
        place
        for place, call in calls("QLabel")
        if "textFormat" not in {keyword.arg for keyword in call.keywords}
    ]
    assert guessing == []


def test_every_tooltip_is_a_sentence_of_the_app_or_plain() -> None:
    """Words of the app in `tr`, or texts that are made plain."""
    others = [
        f"{place.partition(chr(58))[0]} {ast.unparse(call)}"
        for place, call in calls("setToolTip")
        if not ast.unparse(call.args[-1]).startswith(
            ("self.tr(", "with_keys(self.tr(", "plain_tip(", "translate(")
        )
    ]
    assert others == [
        "tray.py self._icon.setToolTip(tooltip)",
        "media_view.py self.text.setToolTip(with_keys(self.text.accessibleName(), 'Ctrl+Shift+T'))",
        "media_view.py "
        "self.alone.setToolTip(with_keys(self.alone.accessibleName(), 'Ctrl+Shift+T'))",
        "pdf_pages.py self.text.setToolTip(with_keys(self.text.accessibleName(), 'Ctrl+Shift+T'))",
        "navigation.py entry.setToolTip(f'{entry.text()} ({entry.shortcut().toString(_NATIVE)})')",
    ]
