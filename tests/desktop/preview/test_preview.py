from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel

from scrubjay.engine.engine import Engine
from scrubjay.records.search_records import Span
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.note_html import NoteSurroundings, render_note_html
from scrubjay_desktop.preview.note_view import NoteView
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import Row, row_of_line
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.widgets.labels import NoteHeading
from scrubjay_desktop.widgets.theme import DARK, GRID, LIGHT, Theme
from support.vault import TIMEOUT, write_notes

LONG = "# Long\n\n" + "filler\n\n" * 200 + "The acorn is here. Another acorn.\n" + "\nend\n" * 50


@pytest.fixture
def preview(qtbot, engine: Engine, tasks: Tasks, notes: Path) -> Iterator[Preview]:
    write_notes(notes / "home", {"long.md": LONG})
    engine.refresh().result(TIMEOUT)
    made = Preview(engine, tasks, Opener())
    qtbot.addWidget(made)
    made.resize(400, 400)
    made.show()
    return made


def test_the_line_about_a_long_note_is_whole_in_a_narrow_window(
    qtbot, engine: Engine, preview: Preview, notes: Path
) -> None:
    write_notes(notes / "home", {"longer.md": "Words of a long note.\n\n" * 4_000})
    engine.refresh().result(TIMEOUT)
    preview.resize(260, 400)
    file = notes / "home" / "longer.md"
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "longer.md", file, 1, {"home": ""}))
    [line] = [
        each for each in preview.findChildren(QLabel) if each.text().startswith("This note is long")
    ]
    qtbot.waitUntil(lambda: line.height() >= line.heightForWidth(line.width()))
    assert line.height() > 2 * line.fontMetrics().height()


def found(qtbot, engine: Engine, tasks: Tasks, text: str) -> Row:
    search = LiveSearch(engine, tasks, max_results=5)
    with qtbot.waitSignal(search.answered):
        search.type(text)
    search.close()
    return search.model.rows[0]


def test_a_note_opens_at_what_was_found(qtbot, engine, tasks, preview) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    with qtbot.waitSignal(preview.matches_changed) as matches:
        preview.show_row(row)
    assert matches.args == [2]
    assert preview.view.verticalScrollBar().value() > 0
    marked = [mark.cursor.selectedText() for mark in preview.view.extraSelections()[1:]]
    assert marked == ["acorn", "acorn"]


def test_only_words_of_the_note_are_marked(qtbot, preview) -> None:
    text = (
        "> [!tip]\n> a tip\n\n![[picture.png]] ![](http://a.org/b.png)\n\n[picture](http://a.org)"
    )
    preview.view.show_note(render_note_html(text), 1, ["picture", "tip", "not"])
    view = preview.view
    assert "[Picture not found: picture.png]" in view.toPlainText()
    texts = [mark.cursor.block().text() for mark in view.extraSelections()]
    assert [text.strip().partition(" [")[0] for text in texts] == [
        "Tip\u2028a tip", "[Picture not found: picture.png]", "picture",
    ]  # fmt: skip


TABLE = "# Codes\n\nfirst\n\n| House | Code |\n|---|---|\n| gate | 4711 |\n| shed | 1234 |\n"


@pytest.mark.parametrize(
    ("text", "line", "words", "shown"),
    [
        (TABLE, 8, [], ["shed", "1234"]),
        ("# 東京\n\n浅草寺の新幹線です。\n", 3, ["新幹線"], ["浅草寺の新幹線です。", "新幹線"]),
        ("# A\n\n- one. two\n- three, then. four\n", 4, [], ["three, then. four"]),
        ("# A\n\nOne is\nhere. Two is\nthere.\n", 4, [], ["One is here. Two is there."]),
    ],
)
def test_the_mark_covers_what_was_found(
    qtbot, tasks: Tasks, text: str, line: int, words: list[str], shown: list[str]
) -> None:
    view = NoteView(tasks)
    qtbot.addWidget(view)
    view.show_note(render_note_html(text, around=NoteSurroundings(joins_lines=True)), line, words)
    marks = [
        mark.cursor.selectedText().replace("\u2028", " ").strip() for mark in view.extraSelections()
    ]
    assert marks == shown


def test_marks_take_the_colours_of_a_theme_chosen_later(
    qtbot, qapp, engine, tasks, preview
) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(found(qtbot, engine, tasks, "acorn"))
    theme = Theme(qapp, "light")
    preview.view.step(1)
    place = preview.view.verticalScrollBar().maximum() // 3
    preview.view.verticalScrollBar().setValue(place)
    try:
        for choice, colors in (("dark", DARK), ("light", LIGHT)):
            theme.choose(choice)
            wanted = {colors.accent_soft.name(), colors.marked.name(), colors.accent.name()}
            qtbot.waitUntil(lambda wanted=wanted: papers(preview) == wanted)
            assert preview.view.current_match == 1
            assert preview.view.verticalScrollBar().value() == place
    finally:
        theme.choose("light")


def papers(preview: Preview) -> set[str]:
    """The colours behind what is marked."""
    return {mark.format.background().color().name() for mark in preview.view.extraSelections()}


def test_f3_goes_around_the_matches(qtbot, engine, tasks, preview) -> None:
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(found(qtbot, engine, tasks, "acorn"))
    steps = [preview.view.current_match]
    for direction in (1, 1, -1):
        preview.view.step(direction)
        steps.append(preview.view.current_match)
    assert steps == [0, 1, 0, 1]


def test_a_note_without_matches_has_nothing_to_step_to(qtbot, engine, tasks, preview) -> None:
    search = LiveSearch(engine, tasks, max_results=5)
    with qtbot.waitSignal(search.answered, check_params_cb=lambda answer: bool(answer.hits)):
        search.type("teeth")
    with qtbot.waitSignal(preview.matches_changed) as matches:
        preview.show_row(search.model.rows[0])
    preview.view.step(1)
    assert (matches.args, preview.view.current_match) == ([0], -1)


def test_only_the_last_note_asked_for_is_shown(qtbot, engine, tasks, preview) -> None:
    first, second = (found(qtbot, engine, tasks, text) for text in ("orthodontist", "acorn"))
    preview.show_row(first)
    preview.show_row(second)
    with qtbot.waitSignal(preview.matches_changed):
        pass
    assert "acorn" in preview.view.toPlainText()


def test_a_note_that_is_gone_says_so(qtbot, engine, tasks, preview, notes: Path) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    (notes / "home" / "long.md").unlink()
    engine.refresh().result(TIMEOUT)
    preview.show_row(row)
    gone = "long.md is not one of the notes. Scrubjay has not read this note yet."
    qtbot.waitUntil(lambda: preview.sentence == gone)


def test_a_note_that_is_there_again_is_shown(qtbot, engine, tasks, preview, notes: Path) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    away = (notes / "home").rename(notes / "away")
    preview.show_row(row)
    folder = notes / "home"
    qtbot.waitUntil(lambda: preview.sentence.endswith(f"The folder {folder} does not exist."))
    away.rename(folder)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)


def test_a_note_whose_folder_comes_back_is_shown_by_itself(
    qtbot, engine, tasks, preview, notes: Path
) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    folder = notes / "home"
    away = folder.rename(notes / "away")
    preview.show_row(row)
    qtbot.waitUntil(lambda: preview.sentence.endswith(f"The folder {folder} does not exist."))
    preview.try_again()
    qtbot.waitUntil(lambda: preview.sentence.endswith(f"The folder {folder} does not exist."))
    away.rename(folder)
    shown: list[int] = []
    preview.matches_changed.connect(shown.append)

    def is_shown() -> bool:
        """After another attempt, which the one before may have to end first."""
        preview.try_again()
        return bool(shown)

    qtbot.waitUntil(is_shown)
    assert shown == [2]
    # What is shown is not read again.
    with qtbot.assertNotEmitted(preview.matches_changed, wait=200):
        preview.try_again()


def test_a_row_with_marks_is_another_one_than_the_same_without(
    qtbot, engine, tasks, preview
) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    for shown, matches in ((replace(row, hit=None), 0), (row, 2)):
        with qtbot.waitSignal(preview.matches_changed) as changed:
            preview.show_row(shown)
        assert changed.args == [matches]


def test_the_view_loads_nothing(qtbot, preview) -> None:
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        assert preview.view.loadResource(kind.value, "http://example.org/x") is None


def test_the_reasons_can_be_shown(qtbot, engine, tasks, preview) -> None:
    preview.show_row(found(qtbot, engine, tasks, "acorn"))
    preview.why.toggle()
    qtbot.waitUntil(preview.why.isVisible)
    assert "This result contains “acorn”." in preview.why.text()
    assert "Words found" not in preview.why.text()
    preview.why.linkActivated.emit("details")
    assert "Words found" in preview.why.text()


def test_the_link_to_details_takes_the_colour_of_a_theme_chosen_later(
    qtbot, qapp, engine, tasks, preview
) -> None:
    preview.show_row(found(qtbot, engine, tasks, "acorn"))
    preview.why.toggle()
    qtbot.waitUntil(preview.why.isVisible)
    theme = Theme(qapp, "light")
    text = preview.why.text()
    try:
        theme.choose("dark")
        qtbot.waitUntil(lambda: preview.why.palette().link().color() == DARK.accent)
        later = preview.why.grab().toImage()
        preview.why.setText("")
        preview.why.setText(text)
        assert preview.why.grab().toImage() == later
    finally:
        theme.choose("light")


def test_the_reasons_follow_the_mark_of_the_row(qtbot, engine, tasks, preview) -> None:
    row = found(qtbot, engine, tasks, "acorn")
    preview.show_row(row)
    lacking = replace(row.hit.explanation, missing=("oak",))
    preview.show_row(replace(row, hit=replace(row.hit, explanation=lacking, vector_score=0.5)))
    assert "is similar to “oak”" in preview.why.text()


WRAPPED = """# Teeth

Call before nine in the
morning. The orthodontist of
Mia is at 14 Park Street, on the
second floor. Bring the card.

Some other block about the orthodontist.
"""


def test_the_band_marks_the_sentence_and_the_row_shows_the_same_match(
    qtbot, engine, tasks, preview, notes
) -> None:
    write_notes(notes / "home", {"teeth.md": WRAPPED})
    engine.refresh().result(TIMEOUT)
    row = found(qtbot, engine, tasks, "orthodontist park street")
    assert row.path == "teeth.md"
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)
    selections = preview.view.extraSelections()
    band, *marks = [selection.cursor for selection in selections]
    sentence = "The orthodontist of Mia is at 14 Park Street, on the second floor. "
    assert band.selectedText().replace("\u2028", " ") == sentence
    current = marks[preview.view.current_match]
    assert band.selectionStart() <= current.selectionStart() < band.selectionEnd()
    assert current.selectedText() == row.hit.snippet.text[slice(*span(row.hit.snippet.match))]


PARAGRAPH = " ".join(f"Number {n} of the long paragraph tells nothing at all." for n in range(9))
LONG_LINE = f"""# House

{PARAGRAPH} In [[May]] the chimney sweep of **Mia** left his ladder here. {PARAGRAPH}

- a ladder for the chimney
"""


def test_of_a_long_paragraph_the_sentence_that_answers_is_marked(
    qtbot, engine, tasks, preview, notes
) -> None:
    write_notes(notes / "home", {"house.md": LONG_LINE})
    engine.refresh().result(TIMEOUT)
    row = found(qtbot, engine, tasks, "chimney sweep ladder")
    assert row.path == "house.md"
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)
    selections = preview.view.extraSelections()
    band, *marks = [selection.cursor for selection in selections]
    assert band.selectedText() == "In May the chimney sweep of Mia left his ladder here. "
    current = marks[preview.view.current_match]
    assert band.selectionStart() <= current.selectionStart() < band.selectionEnd()
    # The row shows the same place.
    first = row.snippet.spans[0]
    assert row.snippet.text[first.start : first.end] == current.selectedText() == "chimney"
    assert "In May the chimney sweep of Mia" in row.snippet.text
    visible = preview.view.cursorRect(band)
    assert 0 <= visible.top() < preview.view.viewport().height()


def span(match: Span) -> tuple[int, int]:
    return match.start, match.end


def test_rows_that_are_only_passed_by_are_not_read(
    qtbot, engine, tasks, preview, monkeypatch
) -> None:
    rows = [found(qtbot, engine, tasks, text) for text in ("router", "orthodontist", "acorn")]
    read: list[str] = []
    really = engine.notes.read
    monkeypatch.setattr(
        engine.notes, "read", lambda note: (read.append(note.path), really(note))[1]
    )
    with qtbot.waitSignal(preview.matches_changed):
        for row in rows:
            preview.show_row(row)
    assert read == [rows[0].path, "long.md"]


def test_both_days_are_in_the_tooltip_of_the_header(qtbot, engine, tasks, preview) -> None:
    preview.show_row(row := found(qtbot, engine, tasks, "orthodontist"))
    assert "2026 · changed " in row.days
    assert any(row.days in label.toolTip() for label in preview.findChildren(QLabel))


@pytest.mark.parametrize("width", [260, 400, 900])
def test_one_distance_is_between_the_name_and_the_line_below_it(
    qtbot, preview: Preview, notes: Path, width: int
) -> None:
    row = row_of_line("home", "long.md", notes / "home" / "long.md", 1, {"home": "Home"})
    preview.resize(width, 400)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row)
    heading = preview.findChild(NoteHeading)

    def distance() -> int:
        return heading.details.y() - heading.title.y() - heading.title.height()

    for title in ("Bees", "A long day in spring", "What the council decided about the pond " * 3):
        preview.show_row(replace(row, path=f"diary/{title}.md", title=title, date="Thu 12 Mar"))
        assert heading.title.text() == title
        # Layouts in each other take their places one after the other.
        qtbot.waitUntil(lambda: distance() == GRID // 4)


def test_the_name_and_the_day_are_readable_where_there_is_little_room(
    qtbot, preview: Preview, notes: Path
) -> None:
    row = row_of_line("home", "diary/2026-03-12.md", notes / "home" / "diary", 1, {"home": "Home"})
    preview.resize(260, 400)
    path = "diary/A long day in spring.md"
    preview.show_row(replace(row, path=path, title="A long day in spring", date="Thu 12 Mar"))
    title, details = (
        next(each for each in preview.findChildren(QLabel) if each.text().startswith(text))
        for text in ("A long day", "Thu 12 Mar · Home › diary")
    )
    assert title.text() == "A long day in spring"
    qtbot.waitUntil(lambda: title.height() >= title.heightForWidth(title.width()))
    assert title.height() > title.fontMetrics().height()
    assert details.width() > details.fontMetrics().horizontalAdvance("Thu 12 Mar")


def test_the_notes_in_a_table_of_a_base_are_links(
    qtbot, preview: Preview, engine: Engine, notes: Path
) -> None:
    base = "```base\nfilters: file.name == 'router'\nviews: [{order: [file.name]}]\n```\n"
    (notes / "home" / "List.md").write_text(base)
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "List.md", notes / "home" / "List.md", 1, {}))
    link = preview.view.document().find("router").charFormat().anchorHref()
    assert link == "note:router.md"


def test_code_wraps_like_other_text(qtbot, preview: Preview, engine: Engine, notes: Path) -> None:
    line = "call(" + "argument, " * 60 + ")"
    (notes / "home" / "Code.md").write_text(f"```\n{line}\n    indented\n```\n\ntext")
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        preview.show_row(row_of_line("home", "Code.md", notes / "home" / "Code.md", 1, {}))
    code = preview.view.document().find("call").block()
    qtbot.waitUntil(lambda: code.layout().lineCount() > 0)
    assert code.layout().lineCount() > 1
    assert preview.view.horizontalScrollBar().maximum() == 0
    # Its spaces stay.
    assert "    indented" in preview.view.toPlainText()
