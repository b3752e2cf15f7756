from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from scrubjay.engine.engine import Engine
from scrubjay.records.note_records import DocumentInfo, Source
from scrubjay.records.search_records import Explanation, Hit, Snippet, Span
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.result_delegate import ResultDelegate, _paint_snippet
from scrubjay_desktop.results.result_model import ResultListModel, why_html
from scrubjay_desktop.results.result_rows import (
    Row,
    append_rows,
    row_of_hit,
    row_of_recent,
    unfold_row,
)
from scrubjay_desktop.results.thumbnails import Thumbnails
from scrubjay_desktop.text.formatting import long_day
from scrubjay_desktop.widgets.list_models import ROW_ROLE
from scrubjay_desktop.widgets.theme import LIGHT, make_palette, sized_font

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
Painted: TypeAlias = Callable[..., QImage]


@pytest.fixture
def painted(engine: Engine) -> Painted:
    """What paints a row of a list."""

    def paint(rows: list[Row], number: int, width: int = 400) -> QImage:
        model = ResultListModel()
        model.replace(rows)
        view = QListView()
        view.setModel(model)
        delegate = ResultDelegate(Thumbnails(Tasks(), engine.notes), view)
        option = QStyleOptionViewItem()
        option.palette = make_palette(LIGHT)
        option.font = view.font()
        height = delegate.sizeHint(option, model.index(number)).height()
        option.rect = QRect(0, 0, width, height)
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        delegate.paint(painter, option, model.index(number))
        painter.end()
        return image

    return paint


def hit(path: str = "a.md", line: int = 1, **changes: object) -> Hit:
    made = Hit(
        "home", path, Path("/notes") / path, Source.NOTES, "Router", "Home > Router", line,
        line + 4, line + 2, 0.8, 0.5, 0.6, Snippet("The router <x>", (Span(4, 10),)), NOW,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def row(path: str = "a.md", line: int = 1, **changes: object) -> Row:
    return row_of_hit(hit(path, line, **changes), {"home": "Home notes"}, NOW)


def test_a_row_says_what_it_is_and_where() -> None:
    made = row()
    assert (made.title, made.breadcrumb, made.badge) == ("Router", "a.md › Home", "Home notes")
    assert (made.date, made.line) == ("changed today", 3)


@pytest.mark.parametrize(
    ("path", "title", "heading", "shown"),
    [
        ("Diary.md", "Diary", "Diary > Tuesday", "Tuesday"),
        ("Diary.md", "Diary", "2026 > Tuesday", "2026 › Tuesday"),
        ("old/notes.md", "Diary", "Diary > Tuesday", "Tuesday"),
        ("Diary.md", "Diary", "Diary", "Line 3"),
    ],
)
def test_an_unfolded_passage_bears_its_own_heading(
    path: str, title: str, heading: str, shown: str
) -> None:
    passage = hit(path, 1, title=title, heading=heading)
    head = row(path, 40, title=title, passages=(passage,))
    assert unfold_row([head], head, NOW)[1].breadcrumb == shown


def test_a_row_begins_with_what_its_heading_does_not_say() -> None:
    text = "## Tuesday\n\nThe boiler failed.\n"
    at = text.index("boiler")
    made = row(heading="Diary > Tuesday", snippet=Snippet(text, (Span(at, at + 6),), at - 4))
    assert made.snippet.text == "The boiler failed."


def test_a_hit_without_a_title_goes_by_its_file_name() -> None:
    assert row("memory/2026-03-14.md", title="").title == "2026-03-14"


def test_a_recent_note_is_a_row_too() -> None:
    info = DocumentInfo("home", "a.md", Path("/notes/a.md"), Source.NOTES, "A", NOW)
    made = row_of_recent(info, {}, NOW)
    assert (made.title, made.found, made.snippet.text) == ("A", None, "")
    moment = f"{long_day(NOW.date())}, {NOW:%H:%M}"
    assert why_html(made) == f"<p>changed on {moment}</p>"


def test_a_note_of_a_day_that_was_asked_for_was_not_found_by_words(qapp) -> None:
    html = why_html(row(explanation=Explanation(parts={"date": 1.0})))
    assert "from a day that you searched for" in html
    assert "by words" not in html
    assert "by words" in why_html(row(explanation=Explanation(matched={"a": ("text",)})))


def test_titles_and_headings_are_shown_as_text(qapp) -> None:
    title = "Zoo *links* to [[Home|the house]]"
    text = f"# {title}\n\nApes.\n"
    info = DocumentInfo("home", "a.md", Path("/a.md"), Source.NOTES, title, NOW, beginning=text)
    made = row(title=title, heading=f"{title} > [[Apes]]", snippet=Snippet(text))
    assert (made.breadcrumb, made.heading) == ("a.md › Apes", "Apes")
    for each in (made, row_of_recent(info, {}, NOW)):
        assert (each.title, each.snippet.text) == ("Zoo links to the house", "Apes.")
    assert row("b.md", title="{{title}}").title == "b"


@pytest.mark.parametrize(
    ("path", "title", "place"),
    [
        ("Recipes/Apple cake.md", "Apple cake", "Recipes"),
        ("apple cake.md", "Apple Cake", ""),
        ("Recipes/cake.md", "Apple cake", "Recipes/cake.md"),
        ("Recipes/cake.md", "", "Recipes"),
    ],
)
def test_title_and_file_name_do_not_say_the_same_twice(path: str, title: str, place: str) -> None:
    info = DocumentInfo("home", path, Path("/notes") / path, Source.NOTES, title, NOW)
    assert row_of_recent(info, {}, NOW).breadcrumb == place
    assert row_of_hit(hit(path, title=title, heading=""), {}, NOW).breadcrumb == place


def test_the_page_of_a_document_is_named_in_the_language_of_the_app(spanish) -> None:
    found = row("manual.pdf", 3, title="Manual", heading="Manual > Page 2")
    assert found.breadcrumb == "Página 2"
    assert row("a.md", 3, title="A", heading="A > Page 2").breadcrumb == "Page 2"


def test_a_recent_note_shows_how_it_begins_without_its_front_matter() -> None:
    text = "---\ntags: [cake]\n---\n# Apple cake\n\nMix **it** well.\n"
    path = Path("/notes/a.md")
    info = DocumentInfo("home", "a.md", path, Source.NOTES, "Apple cake", NOW, beginning=text)
    assert row_of_recent(info, {}, NOW).snippet.text == "Mix it well."
    bare = replace(info, beginning="# Apple cake\n")
    assert row_of_recent(bare, {}, NOW).snippet.text == ""


def test_a_row_shows_the_own_day_of_a_note_and_the_tooltip_both(qapp) -> None:
    day = dt.date(2025, 12, 24)
    info = DocumentInfo("home", "a.md", Path("/notes/a.md"), Source.NOTES, "A", NOW, day)
    for made in (row_of_recent(info, {}, NOW), row(date=day)):
        assert made.date == "Wed 24 Dec 2025"
        assert made.days == "Wednesday 24 December 2025 · changed today"


def test_beside_the_heading_of_the_preview_its_day_is_not_said_again(qapp) -> None:
    assert "changed on " in why_html(row())
    assert "changed on " not in why_html(row(), has_details=False)
    assert "changed today" in why_html(row(date=dt.date(2025, 12, 24)), has_details=False)


HEAD = "- From: Ana Ruiz <ana@x.org>\n- To: me@x.org\n- Date: Mon, 23 Nov 2026 08:15:00 +0100\n"


def test_a_mail_is_its_subject_its_sender_and_its_first_line(qapp) -> None:
    text = f"{HEAD}\nThe trip costs eleven euros.\n"
    at = text.index("eleven")
    spans = (Span(8, 11), Span(at, at + 6))
    made = row("Mail/trip.eml", title="Trip money", heading="", snippet=Snippet(text, spans, at))
    assert (made.title, made.breadcrumb) == ("Trip money", "Ana Ruiz · Mail")
    assert made.snippet.text == "The trip costs eleven euros."
    assert [made.snippet.text[each.start : each.end] for each in made.snippet.spans] == ["eleven"]
    beginning = f'---\ntitle: "Trip money"\ndate: 2026-11-23\n---\n\n{text}'
    path = Path("/notes/trip.eml")
    info = DocumentInfo(
        "home", "trip.eml", path, Source.NOTES, "Trip money", NOW, beginning=beginning
    )
    recent = row_of_recent(info, {}, NOW)
    assert (recent.breadcrumb, recent.snippet.text) == ("Ana Ruiz", "The trip costs eleven euros.")


@pytest.mark.parametrize(
    ("path", "text", "place", "shown"),
    [
        ("a.eml", "- From: ana@x.org\n\nHello.\n", "ana@x.org", "Hello."),
        ("a.eml", "Further down.\n", "a.eml", "Further down."),
        ("a.md", f"{HEAD}\nHello.\n", "a.md", None),
        ("all.mbox", f"# Message 2: Hi\n\n{HEAD}\nHello.\n", "Ana Ruiz", "Hello."),
    ],
)
def test_only_the_headers_of_a_mail_are_taken_away(
    path: str, text: str, place: str, shown: str | None
) -> None:
    made = row(path, title="Hi", heading="", snippet=Snippet(text))
    assert made.breadcrumb == place
    assert (made.snippet.text == shown) == (shown is not None)


BASE = """```yaml
filters:
  and:
    - categories.contains(link("Movies"))
    - '!file.name.contains("Template")'
properties:
  note.rating:
    displayName: My rating
views:
  - type: table
    name: "Seen"
    order:
      - file.name
      - rating
    sort:
      - property: year
        direction: DESC
    limit: 20
```
"""


def test_a_base_is_its_conditions_and_columns_without_yaml(qapp) -> None:
    at = BASE.index("Movies")
    made = row("a.base", heading="", snippet=Snippet(BASE, (Span(at, at + 6),)))
    assert made.snippet.text == (
        'categories.contains(link("Movies")) · !file.name.contains("Template") · My rating · Seen'
        " · file.name · rating"
    )
    assert [made.snippet.text[each.start : each.end] for each in made.snippet.spans] == ["Movies"]
    # What was found only in a key is shown as it is written.
    at = BASE.index("DESC")
    assert (
        "direction: DESC" in row("a.base", snippet=Snippet(BASE, (Span(at, at + 4),))).snippet.text
    )


def test_a_row_has_the_height_of_its_excerpt(qtbot, engine) -> None:
    model = ResultListModel()
    long = "A sentence that is much too long for one line of this list. " * 3
    model.replace([row("a.md", snippet=Snippet("Short.")), row("b.md", snippet=Snippet(long))])
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.setItemDelegate(ResultDelegate(Thumbnails(Tasks(), engine.notes), view))
    view.resize(400, 300)
    view.show()
    short, full = (view.visualRect(model.index(number)).height() for number in (0, 1))
    line = QFontMetrics(sized_font(view.font(), -0.25)).height()
    assert full - short == line


def test_a_date_in_words_gives_way_to_the_title(qapp, painted) -> None:
    made = row(title="Museum of Natural Science")
    assert (made.date, made.short_date) == ("changed today", "14 Mar 2026")
    short = replace(made, date=made.short_date)
    assert painted([made], 0, width=260) == painted([short], 0, width=260)
    assert painted([made], 0, width=600) != painted([short], 0, width=600)


def test_a_path_is_cut_in_its_middle(qapp, painted) -> None:
    def place(middle: str, end: str) -> QImage:
        path = f"Community Expansions/{middle}/All Community {end}.md"
        return painted([row(path, heading="")], 0, width=300)

    assert place("abc", "Themes") == place("xyz", "Themes")
    assert place("abc", "Themes") != place("abc", "Plugins")


def test_the_list_is_a_sound_model(qtmodeltester) -> None:
    model = ResultListModel()
    model.replace([row("a.md"), row("b.md")])
    qtmodeltester.check(model)
    model.update(append_rows(model.rows, [row("c.md")], keep_all=True))
    qtmodeltester.check(model)
    assert model.index(0).data() == "Router"
    assert model.index(2).data(ROW_ROLE).path == "c.md"


def test_late_rows_follow_and_nothing_moves(qtbot) -> None:
    model = ResultListModel()
    model.replace([row("a.md"), row("b.md")])
    chosen = QPersistentModelIndex(model.index(1))
    model.update(append_rows(model.rows, [row("c.md"), row("b.md", score=0.9)], keep_all=True))
    assert [one.path for one in model.rows] == ["a.md", "b.md", "c.md"]
    assert [one.is_late for one in model.rows] == [False, False, True]
    assert (chosen.row(), chosen.data(ROW_ROLE).hit.score) == (1, 0.9)


def test_what_is_gone_from_the_index_goes_from_the_list(qtbot) -> None:
    model = ResultListModel()
    model.replace([row("a.md"), row("b.md"), row("c.md")])
    chosen = QPersistentModelIndex(model.index(2))
    model.update(append_rows(model.rows, [row("c.md"), row("a.md")], keep_all=False))
    assert [one.path for one in model.rows] == ["a.md", "c.md"]
    assert chosen.data(ROW_ROLE).path == "c.md"


def test_screen_readers_hear_everything_that_is_painted(qtbot) -> None:
    model = ResultListModel()
    model.replace([row()])
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    more = model.index(0).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert spoken == "Router, Home notes, changed today"
    assert more == "a.md › Home. The router <x>. Found by words and by meaning"


def test_the_reasons_cannot_bring_html_along() -> None:
    odd = hit(explanation=replace(hit().explanation, matched={"<img>": ("text",)}))
    html = why_html(row_of_hit(odd, {}, NOW), has_details=True)
    assert "<b>Found by words and by meaning</b>" in html
    assert "&lt;img&gt;" in html
    assert "<img>" not in html


def pixels(image: QImage, color: str) -> int:
    return sum(
        image.pixelColor(x, y).name() == color
        for x in range(image.width())
        for y in range(image.height())
    )


def test_matched_words_are_marked(qtbot, painted) -> None:
    assert pixels(painted([row()], 0), LIGHT.marked.name()) > 200
    plain = row(snippet=Snippet("The router"))
    assert pixels(painted([plain], 0), LIGHT.marked.name()) == 0


def test_a_snippet_too_long_stays_inside_its_row(qtbot, painted) -> None:
    long = row(snippet=Snippet("router switch 🙂 " * 60), title="A long title " * 20)
    image = painted([long], 0, width=260)
    edge = [image.pixelColor(x, image.height() - 1).name() for x in range(image.width())]
    assert set(edge) == {"#ffffff"}


def test_the_first_late_row_has_a_heading_above_it(qtbot, painted) -> None:
    late = replace(row("b.md"), is_late=True)
    rows = [row("a.md"), late, replace(late, path="c.md")]
    heights = [painted(rows, number).height() for number in range(3)]
    assert heights[1] > heights[0] == heights[2]


def test_the_ellipsis_of_a_cut_text_is_not_marked(qapp, qtbot, tasks: Tasks) -> None:
    text = "word " * 60
    whole = Span(0, len(text.strip()))
    drawn: list[list[tuple[int, int]]] = []

    class Layout(QTextLayout):
        def draw(self, painter, place, ranges) -> None:
            drawn.append([(each.start, each.length) for each in ranges])

    layout = Layout("word word wo…")
    snippet = Snippet(text, (Span(0, 4), Span(10, 14), whole))
    picture = QImage(100, 40, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    _paint_snippet(painter, QRectF(picture.rect()), layout, snippet, LIGHT)
    painter.end()
    assert drawn == [[(0, 4), (10, 2), (0, 12)]]


def test_a_row_says_how_many_conflict_copies_stand_behind_its_note() -> None:
    found = hit("lake/pond.md", 1, conflict_copies=("lake/pond 2.md", "lake/pond-NORA.md"))
    assert row_of_hit(found, {}, NOW).breadcrumb.endswith(" › 2 conflict copies")


def test_a_row_names_the_pictures_of_its_note_that_match_as_well() -> None:
    found = hit("lake/pond.md", 1, pictures=("img/map.png",))
    assert row_of_hit(found, {}, NOW).breadcrumb.endswith(" › in the picture map.png")
