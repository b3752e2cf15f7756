"""The notes that belong to the one that is shown, as a person meets them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible

from scrubjay.engine.engine import Engine
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_line
from support.notes import engine_over
from support.vault import TIMEOUT, write_notes

FILES = {
    "Boiler.md": "---\ndate: 2026-03-04\n---\n# Boiler\n\nThe valve loses pressure.\n",
    "Plan.md": "# Plan\n" + "\nfiller\n" * 60 + "\nAsk about the [[Boiler]] soon.\n",
    "Valve.md": "# Valve\n\nThis valve loses pressure.\n",
    "2026-03-04.md": "# Wednesday\n\nRain and nothing else all over the hills.\n",
    "Alone.md": "# Alone\n\nZebra zoo zenith.\n",
}
WHY = {
    "Valve": {"Both mention loses, pressure, Valve", "Both mention valve, loses, pressure"},
    "Plan": {"Links to this note: Ask about the Boiler soon."},
    "Wednesday": {"From the same day"},
}


@pytest.fixture
def preview(qtbot, engine: Engine, tasks: Tasks, notes: Path) -> Iterator[Preview]:
    write_notes(notes / "home", FILES)
    engine.refresh().result(TIMEOUT)
    made = Preview(engine, tasks, Opener())
    qtbot.addWidget(made)
    made.resize(560, 500)
    made.related.set_folded(is_folded=False)
    with qtbot.waitExposed(made):
        made.show()
    show(qtbot, made, notes, "Boiler.md")
    qtbot.waitUntil(lambda: made.related.model.rowCount() > 0)
    return made


def show(qtbot, preview: Preview, notes: Path, name: str) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", name, notes / "home" / name, 1, {}))


def click(qtbot, preview: Preview, title: str) -> None:
    view, titles = preview.related.list, list(reasons(preview))
    place = view.visualRect(preview.related.model.index(titles.index(title))).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def reasons(preview: Preview) -> dict[str, str]:
    """Title -> reason, as a screen reader says both."""
    roles, model = Qt.ItemDataRole, preview.related.model
    rows = [model.index(row) for row in range(model.rowCount())]
    texts = {row.data(): row.data(roles.AccessibleTextRole) for row in rows}
    return {title: text.removeprefix(f"{title}, ") for title, text in texts.items()}


def test_each_note_comes_with_its_reason(qtbot, preview: Preview) -> None:
    found = reasons(preview)
    assert set(WHY) <= set(found)
    assert found["Plan"] in WHY["Plan"]
    assert found["Wednesday"] in WHY["Wednesday"]
    assert set(found["Valve"].removeprefix("Both mention ").lower().split(", ")) == {
        "loses", "pressure", "valve",
    }  # fmt: skip
    assert preview.related.isVisible()
    assert preview.related.button.text() == f"Related · {len(found)}"
    for widget in (preview.related.list, preview.related.button):
        assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_a_click_opens_the_note_at_the_link_and_back_leads_here_again(
    qtbot, preview: Preview
) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        click(qtbot, preview, "Plan")
    assert (preview.row.path, preview.row.line) == ("Plan.md", 123)
    assert preview.view.verticalScrollBar().value() > 0
    [mark] = preview.view.extraSelections()
    assert mark.cursor.selectedText().strip() == "Ask about the Boiler soon."
    with qtbot.waitSignal(preview.matches_changed):
        preview.trail.back.click()
    assert preview.row.path == "Boiler.md"
    qtbot.waitUntil(lambda: "Plan" in reasons(preview))


def test_keys_choose_and_open_a_note(qtbot, preview: Preview) -> None:
    view = preview.related.list
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    while view.currentIndex().data() != "Wednesday":
        qtbot.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(preview.matches_changed):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert preview.row.path == "2026-03-04.md"


def test_they_stand_below_the_note_and_beside_it_where_there_is_room(
    qtbot, preview: Preview
) -> None:
    def offset() -> QPoint:
        return preview.related.mapTo(preview, QPoint()) - preview.view.mapTo(preview, QPoint())

    assert (offset().x(), offset().y() >= preview.view.height()) == (0, True)
    assert preview.related.height() < preview.height() // 2
    preview.resize(1200, 500)
    qtbot.waitUntil(lambda: offset().x() >= preview.view.width())
    assert offset().y() == 0
    preview.resize(560, 500)
    qtbot.waitUntil(lambda: offset().x() == 0)


def test_a_note_that_nothing_belongs_to_has_all_the_room(
    qtbot, preview: Preview, notes: Path, engine: Engine
) -> None:
    for name in FILES:
        if name != "Alone.md":
            (notes / "home" / name).unlink()
    engine.refresh().result(TIMEOUT)
    show(qtbot, preview, notes, "Alone.md")
    qtbot.waitUntil(lambda: not preview.related.isVisible())


def test_a_changed_note_keeps_its_company_until_the_new_one_is_known(
    qtbot, preview: Preview, engine: Engine, notes: Path
) -> None:
    file = notes / "home" / "Boiler.md"
    row, model, counts = preview.row, preview.related.model, []
    model.modelReset.connect(lambda: counts.append(model.rowCount()))
    with qtbot.waitSignal(preview.matches_changed):
        preview.read_again(row)
    (notes / "home" / "New.md").write_text("# New\n\nAbout [[Boiler]].\n")
    file.write_text(file.read_text() + "More.\n")
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.read_again(row)
    qtbot.waitUntil(lambda: "New" in reasons(preview))
    assert 0 not in counts


def test_they_are_not_asked_for_before_they_are_unfolded_and_it_is_kept(
    qtbot, desktop: Desktop, engine: Engine, notes: Path
) -> None:
    window, related = desktop.window, desktop.window.preview.related
    window.present()
    write_notes(notes / "home", FILES)
    engine.refresh().result(TIMEOUT)
    show(qtbot, window.preview, notes, "Boiler.md")
    assert related.isVisible()
    assert not related.list.isVisible()
    assert related.button.text() == "Related"
    assert related.model.rowCount() == 0
    related.button.click()
    qtbot.waitUntil(lambda: related.list.isVisible() and related.model.rowCount() > 0)
    assert not desktop.preferences.folds_related
    related.button.click()
    assert desktop.preferences.folds_related


def test_folded_they_take_one_line_below_the_note_also_where_there_is_room(
    qtbot, preview: Preview
) -> None:
    preview.related.button.click()
    preview.resize(1200, 500)
    qtbot.waitUntil(lambda: preview.view.width() > 1_100)
    qtbot.waitUntil(lambda: preview.related.height() < 40)


def test_a_note_that_nothing_belongs_to_says_so_to_whoever_asks(
    qtbot, preview: Preview, notes: Path, engine: Engine
) -> None:
    preview.related.set_folded(is_folded=True)
    for name in FILES:
        if name != "Alone.md":
            (notes / "home" / name).unlink()
    engine.refresh().result(TIMEOUT)
    show(qtbot, preview, notes, "Alone.md")
    preview.related.button.click()
    qtbot.waitUntil(lambda: preview.related.button.text() == "No related notes found")
    assert preview.related.button.isVisible()


def test_several_notes_of_the_same_day_are_one_line_until_it_is_opened(
    qtbot, preview: Preview, engine: Engine, notes: Path
) -> None:
    days = {f"2026-03-04 {number}.md": f"# Walk {number}\n\nMud.\n" for number in range(8)}
    write_notes(notes / "home", days)
    engine.refresh().result(TIMEOUT)
    show(qtbot, preview, notes, "Plan.md")
    show(qtbot, preview, notes, "Boiler.md")
    qtbot.waitUntil(lambda: "9 notes from the same day" in reasons(preview))
    assert "Wednesday" not in reasons(preview)
    assert preview.related.button.text() == f"Related · {len(reasons(preview)) + 8}"
    click(qtbot, preview, "9 notes from the same day")
    shown = list(reasons(preview))
    assert {"Wednesday", "Walk 7"} <= set(shown)
    assert preview.row.path == "Boiler.md"
    # The keys go on among the notes of the day.
    qtbot.keyClick(preview.related.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: preview.row.path != "Boiler.md")


def test_without_a_language_helper_links_and_days_are_shown(
    qtbot, notes: Path, paths, tasks: Tasks, no_keychain: None
) -> None:
    engine = engine_over(notes, paths, None)
    write_notes(notes / "home", FILES)
    engine.refresh(words_only=True).result(TIMEOUT)
    preview = Preview(engine, tasks, Opener())
    qtbot.addWidget(preview)
    preview.related.set_folded(is_folded=False)
    preview.show()
    show(qtbot, preview, notes, "Boiler.md")
    qtbot.waitUntil(lambda: list(reasons(preview)) == ["Plan", "Wednesday"])
    engine.close()
