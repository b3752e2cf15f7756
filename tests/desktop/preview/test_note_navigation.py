from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QHelpEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip

from scrubjay.engine.engine import Engine
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line
from scrubjay_desktop.widgets.labels import NoteHeading
from scrubjay_desktop.widgets.theme import palette_colors
from support.platforms import make_link
from support.vault import TIMEOUT, write_notes

START = (
    """# Start

Ask [[Boiler]], [[House/Boiler|the heating]], [[Boiler#Costs]] or [a plan](plans/My%20plan.md).
[[Nowhere]] and [lost](lost.md), [web](https://example.org/page), [odd](ftp://example.org).
A note.[^1] ![[Boiler]]
"""
    + "\nfiller\n" * 60
    + "\n[^1]: Below.\n"
)
BOILER = "# Boiler\n" + "\ntext\n" * 60 + "\n## Costs\n\nBack to [[Start]].\n" + "\nend\n" * 60


@pytest.fixture
def opener(qapp) -> Opener:
    return Opener()


@pytest.fixture
def preview(qtbot, engine: Engine, tasks: Tasks, opener: Opener, notes: Path) -> Iterator[Preview]:
    files = {"Start.md": START, "House/Boiler.md": BOILER}
    files["plans/My plan.md"] = "---\ndate: 2020-11-03\n---\n# The plan\n"
    write_notes(notes / "home", files)
    engine.refresh().result(TIMEOUT)
    made = Preview(engine, tasks, opener)
    qtbot.addWidget(made)
    made.resize(500, 400)
    with qtbot.waitExposed(made):
        made.show()
    with qtbot.waitSignal(made.matches_changed):
        made.show_row(row_of_line("home", "Start.md", notes / "home" / "Start.md", 1, {}))
    return made


def place_of(preview: Preview, text: str) -> QPoint:
    cursor = preview.view.document().find(text)
    assert not cursor.isNull()
    cursor.setPosition(cursor.selectionStart() + 1, QTextCursor.MoveMode.MoveAnchor)
    return preview.view.cursorRect(cursor).center()


def click(qtbot, preview: Preview, text: str) -> None:
    viewport = preview.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place_of(preview, text))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Boiler,", "House/Boiler.md"),
        ("the heating", "House/Boiler.md"),
        ("a plan", "plans/My plan.md"),
    ],
)
def test_a_click_on_a_link_shows_that_note_and_back_leads_to_the_first(
    qtbot, preview: Preview, text: str, path: str
) -> None:
    assert not preview.trail.isVisible()
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, text)
    assert preview.row.path == path
    assert preview.row.file.exists()
    assert preview.trail.back.isVisible()
    preview.activateWindow()
    qtbot.waitActive(preview)
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.keyClick(preview, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert preview.row.path == "Start.md"
    assert not preview.trail.back.isEnabled()
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.keyClick(preview, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert preview.row.path == path
    assert not preview.trail.forward.isEnabled()


def test_tab_and_enter_follow_a_link(qtbot, preview: Preview) -> None:
    preview.activateWindow()
    qtbot.waitActive(preview)
    preview.view.setFocus()
    qtbot.keyClick(preview.view, Qt.Key.Key_Tab)
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.keyClick(preview.view, Qt.Key.Key_Return)
    assert preview.row.path == "House/Boiler.md"


def test_the_buttons_at_the_side_of_a_mouse_go_back_and_forward(qtbot, preview: Preview) -> None:
    viewport, middle = preview.view.viewport(), QPoint(50, 50)
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, "a plan")
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.mouseClick(viewport, Qt.MouseButton.BackButton, pos=middle)
    assert preview.row.path == "Start.md"
    qtbot.mouseClick(viewport, Qt.MouseButton.BackButton, pos=middle)  # nothing is before it
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.mouseClick(viewport, Qt.MouseButton.ForwardButton, pos=middle)
    assert preview.row.path == "plans/My plan.md"


def test_another_link_from_an_earlier_note_leaves_nothing_ahead(qtbot, preview: Preview) -> None:
    for text in ("a plan", "the heating"):
        with qtbot.waitSignal(preview.matches_changed):
            click(qtbot, preview, text)
        assert not preview.trail.forward.isEnabled()
        with qtbot.waitSignal(preview.matches_changed):
            preview.trail.back.click()
    with qtbot.waitSignal(preview.matches_changed):
        preview.trail.forward.click()
    assert preview.row.path == "House/Boiler.md"


def test_a_note_that_is_gone_since_is_told(
    qtbot, preview: Preview, opener: Opener, engine: Engine, notes: Path
) -> None:
    (notes / "home" / "plans" / "My plan.md").unlink()
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(opener.failed) as failed:
        click(qtbot, preview, "a plan")
    assert failed.args == ["Scrubjay found no note named “plans/My plan.md”."]
    assert (preview.row.path, preview.trail.isVisible()) == ("Start.md", False)


def test_a_name_in_brackets_never_leads_out_of_the_folder(
    qtbot, preview: Preview, opener: Opener, engine: Engine, notes: Path
) -> None:
    write_notes(notes, {"secret.md": "nothing for this folder"})
    make_link(notes / "home" / "way out.md", notes / "secret.md")
    text = "[[../secret]], [up](../secret.md), [way](way%20out.md), [file](file:///etc/passwd)."
    write_notes(notes / "home", {"Sly.md": f"# Sly\n\n{text}\n"})
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "Sly.md", notes / "home" / "Sly.md", 1, {}))
    for name in ("secret,", "up", "way", "file"):
        with qtbot.waitSignal(opener.failed):
            click(qtbot, preview, name)
        assert preview.row.path == "Sly.md"


def test_a_followed_note_has_its_day_in_the_header(qtbot, preview: Preview, notes: Path) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, "a plan")
    heading = preview.findChild(NoteHeading)
    # It has the name that it has in every list, and its file beside it.
    assert heading.title.text() == "The plan"
    assert heading.details.text() == "Tue 3 Nov 2020 · home › plans › My plan.md"
    assert heading.details.toolTip().startswith("plans/My plan.md\nTuesday 3 November 2020")


def test_a_link_to_a_heading_scrolls_there_and_back_to_where_it_was(
    qtbot, preview: Preview
) -> None:
    bar = preview.view.verticalScrollBar()
    bar.setValue(10)
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, "Boiler › Costs")
    assert preview.row.line == BOILER[: BOILER.index("## Costs")].count("\n") + 1
    assert 0 <= place_of(preview, "Costs").y() < preview.view.viewport().height()
    with qtbot.waitSignal(preview.matches_changed):
        preview.trail.back.click()
    assert bar.value() == 10


def test_a_row_that_is_brought_up_to_date_leaves_a_followed_note_where_it_is(
    qtbot, preview: Preview, notes: Path
) -> None:
    start, other = preview.row, notes / "home" / "router.md"
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, "a plan")
    preview.show_row(start)
    assert preview.row.path == "plans/My plan.md"
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "router.md", other, 1, {}))
    assert "on the fridge" in preview.view.toPlainText()
    assert not preview.trail.isVisible()


@pytest.mark.parametrize(("text", "name"), [("Nowhere", "Nowhere"), ("lost", "lost.md")])
def test_a_link_to_no_note_looks_dead_and_says_so(
    qtbot, preview: Preview, opener: Opener, text: str, name: str
) -> None:
    link = preview.view.document().find(text).charFormat()
    assert link.foreground() != preview.view.document().find("web").charFormat().foreground()
    with qtbot.waitSignal(opener.failed) as failed:
        click(qtbot, preview, text)
    assert failed.args == [f"Scrubjay found no note named “{name}”."]
    assert preview.row.path == "Start.md"


def test_web_links_open_in_the_browser_and_odd_ones_do_not(
    qtbot, preview: Preview, opener: Opener, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    click(qtbot, preview, "web")
    assert opened == [QUrl("https://example.org/page")]
    with qtbot.waitSignal(opener.failed):
        click(qtbot, preview, "odd")
    assert len(opened) == 1


FILES = (
    "[drawings](plans/old%20plans.zip) [[old plans.zip|same]] ![[tour.mp4]] ![a](plans/a.csv) "
    "[script](run.sh) [sly](sly.zip) [hidden](script.zip) [gone](gone.zip) [up](../secret.zip) "
    "[own](attachment:../secret.zip) [job](task:x)\n"
)


@pytest.fixture
def linked(qtbot, preview: Preview, engine: Engine, notes: Path) -> Path:
    """The folder of the shown note, which has links to files that are not among the notes."""
    root = notes / "home"
    names = ("plans/old plans.zip", "plans/tour.mp4", "plans/a.csv", "run.sh", "../secret.zip")
    write_notes(root, {"Files.md": FILES, **dict.fromkeys(names, "x")})
    make_link(root / "sly.zip", notes / "secret.zip")
    make_link(root / "script.zip", root / "run.sh")
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "Files.md", root / "Files.md", 1, {}))
    return root


@pytest.mark.parametrize(
    ("text", "name", "opened"),
    [
        ("drawings", "plans/old plans.zip", "plans/old plans.zip"),
        ("same", "plans/old plans.zip", "plans/old plans.zip"),
        ("tour", "plans/tour.mp4", "plans/tour.mp4"),
        ("a.csv", "plans/a.csv", "plans/a.csv"),
        # Never started: shown in the folder, where Windows marks it.
        pytest.param("script", "run.sh", "", marks=pytest.mark.needs("POSIX paths")),
        pytest.param("hidden", "run.sh", "", marks=pytest.mark.needs("links")),
    ],
)
def test_a_link_to_another_file_of_the_folder_opens_it(
    qtbot, preview: Preview, linked: Path, monkeypatch, text: str, name: str, opened: str
) -> None:
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url) or True)
    link = preview.view.document().find(text).charFormat()
    assert link.foreground().color() == palette_colors(preview.palette()).accent
    assert link.toolTip() == name
    click(qtbot, preview, text)
    assert urls == [QUrl.fromLocalFile(str(linked / opened))]
    assert preview.row.path == "Files.md"


@pytest.mark.parametrize("text", ["sly", "gone", "up", "own", "job"])
def test_a_link_out_of_the_folder_or_to_no_file_opens_nothing(
    qtbot, preview: Preview, opener: Opener, linked: Path, monkeypatch, text: str
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pytest.fail(str(url)))
    link = preview.view.document().find(text).charFormat()
    is_dead = link.foreground().color() == palette_colors(preview.palette()).muted
    assert is_dead is (text not in ("own", "job"))
    with qtbot.waitSignal(opener.failed):
        click(qtbot, preview, text)


def test_another_file_opens_in_its_own_program_not_in_the_editor_of_notes(
    qtbot, preview: Preview, opener: Opener, linked: Path, monkeypatch
) -> None:
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url) or True)
    opener.editor = "/no/such/editor {file}"
    click(qtbot, preview, "drawings")
    assert urls == [QUrl.fromLocalFile(str(linked / "plans" / "old plans.zip"))]


def test_a_file_that_became_a_way_out_since_is_not_opened(
    qtbot, preview: Preview, opener: Opener, linked: Path, monkeypatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pytest.fail(str(url)))
    file = linked / "plans" / "old plans.zip"
    file.unlink()
    make_link(file, linked.parent / "secret.zip")
    with qtbot.waitSignal(opener.failed) as failed:
        click(qtbot, preview, "drawings")
    told = "old plans.zip was not found. The file may have been moved or deleted."
    assert failed.args == [told]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("the heating", "House/Boiler.md"),
        ("Boiler › Costs", "House/Boiler.md › Costs"),
        ("web", "https://example.org/page"),
        ("Nowhere", "Scrubjay found no note named “Nowhere”."),
    ],
)
def test_the_target_of_a_link_is_shown_under_the_mouse(
    qtbot, preview: Preview, text: str, target: str
) -> None:
    place, viewport = place_of(preview, text), preview.view.viewport()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    qtbot.waitUntil(lambda: QToolTip.text() == target)
    QToolTip.hideText()


def test_a_number_of_a_footnote_leads_to_it(qtbot, preview: Preview) -> None:
    bar = preview.view.verticalScrollBar()
    preview.view.anchorClicked.emit(QUrl("#fn1"))
    assert bar.value() > bar.maximum() // 2
    preview.view.anchorClicked.emit(QUrl("#fnref1"))
    assert bar.value() < bar.maximum() // 2


def test_line_ends_are_joined_in_a_vault_that_says_so(
    qtbot, preview: Preview, engine: Engine, notes: Path
) -> None:
    assert "plan.\u2028" in preview.view.document().toRawText()
    write_notes(notes / "home", {".obsidian/app.json": '{"strictLineBreaks": true}'})
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "Start.md", notes / "home" / "Start.md", 2, {}))
    assert "plan. Nowhere" in preview.view.toPlainText()
