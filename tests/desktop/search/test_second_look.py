"""A result reader reads the rows again once the typing rests: real weights, a real window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QScrollBar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import READING
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.search.live_search import CALM_MS, LiveSearch
from scrubjay_desktop.search.result_view import ResultView
from scrubjay_desktop.windows.app_state import status_sentence
from support.battery import discharge
from support.gguf_files import gguf
from support.providers import WordProvider
from support.reader_models import NOTES, QUESTION, SMOL_FILE, install_reader
from support.vault import TIMEOUT, ask, indexed, write_notes

NOTE = "read again: fits"


@pytest.fixture
def reader(paths: Paths, filled: Engine) -> Path:
    """The file of a result reader that is installed and warm."""
    installed = install_reader(paths)
    # A busy machine may take longer to start it than a person waits.
    assert ask(filled, "tyres", second_look_seconds=TIMEOUT, min_score=0.0).read_again_by
    return installed


@pytest.fixture
def filled(paths: Paths, tmp_path: Path, no_keychain: None) -> Iterator[Engine]:
    """An engine that has read the notes, and is sure of all."""
    engine = Engine(paths, provider=WordProvider())
    engine.settings_editor.set("memorySearch.query.minScore", 0.0).result(TIMEOUT)
    indexed(engine, write_notes(tmp_path / "notes", NOTES))
    yield engine
    engine.close()


@pytest.fixture
def search(filled: Engine, tasks: Tasks) -> Iterator[LiveSearch]:
    made = LiveSearch(filled, tasks, max_results=10)
    yield made
    made.close()


def paths_of(search: LiveSearch) -> list[str]:
    return [row.path for row in search.model.rows]


def is_read(search: LiveSearch) -> bool:
    return any(row.hit and READING in row.hit.explanation.parts for row in search.model.rows)


def test_rows_are_there_at_once_and_read_again_when_the_typing_rests(
    qtbot, reader, search, answers
) -> None:
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    assert paths_of(search)[0] == "plan.md"
    assert not is_read(search)
    qtbot.waitUntil(lambda: is_read(search))
    assert paths_of(search)[0] == "router.md"
    assert NOTE in search.model.row(0).breadcrumb
    assert answers[-1].read_again_by == reader.stem


def test_without_a_reader_an_answer_stays_as_it_is(qtbot, search, answers, filled) -> None:
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    rows = [*search.model.rows]
    again = filled.read_again(answers[-1], CancelToken()).result(TIMEOUT)
    assert (again.hits, again.read_again_by) == (answers[-1].hits, "")
    assert [*search.model.rows] == rows


def test_a_row_that_was_chosen_stays_where_it_is(qtbot, reader, search, answers) -> None:
    view = ResultView(search)
    qtbot.addWidget(view)
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    view.choose(0)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    chosen = view.row()
    qtbot.waitUntil(lambda: is_read(search))
    assert chosen is not None
    assert (view.currentIndex().row(), paths_of(search)[0]) == (0, chosen.path)
    assert chosen.path == "plan.md"


def test_rows_that_somebody_scrolled_keep_their_place(qtbot, reader, search, answers) -> None:
    view = ResultView(search)
    qtbot.addWidget(view)
    search.answered.connect(lambda _: view.choose_after_answer())
    view.resize(300, 60)
    view.show()
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.triggerAction(QScrollBar.SliderAction.SliderPageStepAdd)
    at = bar.value()
    qtbot.waitUntil(lambda: is_read(search))
    assert at > 0
    assert bar.value() == at
    assert view.currentIndex().row() == 0
    assert paths_of(search)[0] == "plan.md"


def test_a_clicked_row_stays_where_it_is(qtbot, reader, search, answers) -> None:
    view = ResultView(search)
    qtbot.addWidget(view)
    view.show()
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    middle = view.visualRect(search.model.index(0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    qtbot.waitUntil(lambda: is_read(search))
    assert paths_of(search)[0] == "plan.md"
    assert view.currentIndex().row() == 0


def test_the_best_row_is_chosen_while_nobody_has_chosen_one(qtbot, reader, search, answers) -> None:
    view = ResultView(search)
    qtbot.addWidget(view)
    search.answered.connect(lambda _: view.choose_after_answer())
    search.type(QUESTION)
    qtbot.waitUntil(lambda: is_read(search) and view.row() is not None)
    row = view.row()
    assert row is not None
    assert row.path == "router.md"


def test_the_next_key_ends_the_reading(qtbot, reader, search, answers) -> None:
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    search.type("garage")
    qtbot.waitUntil(lambda: is_read(search))
    assert {answer.request.text for answer in answers if answer.read_again_by} <= {"garage"}
    assert paths_of(search)[0] == "car.md"


def test_an_emptied_box_is_not_read(qtbot, reader, search, answers) -> None:
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    with qtbot.waitSignal(search.recents_shown):
        search.type("")
    [calm] = [each for each in search.findChildren(QTimer) if each.interval() == CALM_MS]
    if calm.isActive():
        calm.stop()
        calm.timeout.emit()
    assert not is_read(search)


def test_a_repeated_question_comes_as_it_was_read(
    qtbot, reader, search, answers, filled, tmp_path
) -> None:
    search.type(QUESTION)
    qtbot.waitUntil(lambda: is_read(search))
    orders: list[list[str]] = []
    search.answered.connect(lambda _: orders.append(paths_of(search)))
    write_notes(tmp_path / "notes", {"bike.md": "# Bike\n\nIts lamp is in the shed.\n"})
    filled.refresh().result(TIMEOUT)
    search.repeat()
    qtbot.waitUntil(lambda: bool(orders))
    assert [order[0] for order in orders] == ["router.md"]
    assert answers[-1].request.second_look_seconds > 0


@pytest.mark.parametrize(
    "reason", ["paused", pytest.param("battery", marks=pytest.mark.needs("Linux"))]
)
def test_rows_stay_as_they_were_found_during_a_pause_and_on_battery(
    qtbot, reader, search, answers, filled, tmp_path, reason
) -> None:
    part = filled._parts.result_reader  # noqa: SLF001
    mains = part._supplies  # noqa: SLF001
    if reason == "paused":
        filled.pause()
    else:
        discharge(tmp_path / "supplies")
        part._supplies = tmp_path / "supplies"  # noqa: SLF001
    search.type(QUESTION)
    qtbot.waitUntil(lambda: bool(answers) and not answers[-1].request.is_typing)
    rows = [*search.model.rows]
    qtbot.waitUntil(lambda: search._to_read is None)  # noqa: SLF001
    # Answers are read in turn, so the one of the window has come by now.
    again = filled.read_again(answers[-1], CancelToken()).result(TIMEOUT)
    assert reason in again.not_read_again
    assert [*search.model.rows] == rows
    # The next question is read once that is over.
    filled.resume()
    part._supplies = mains  # noqa: SLF001
    search.type(QUESTION.upper())
    qtbot.waitUntil(lambda: is_read(search))


def test_a_reader_that_stops_leaves_the_rows_and_says_so(
    qtbot, paths, search, answers, filled
) -> None:
    numbers = {"llama.embedding_length": 8, "llama.context_length": 64}
    head = {"general.architecture": "llama", "general.name": "Smol"} | numbers
    write_notes(paths.models, {SMOL_FILE: gguf(head=head)})
    search.type(QUESTION)
    qtbot.waitUntil(lambda: "stopped unexpectedly" in status_sentence(filled.status()))
    assert paths_of(search)[0] == "plan.md"
    assert not is_read(search)
