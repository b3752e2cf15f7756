"""Forty questions as people type them, over a family's notes with a large diary among them.

The diary's words are read and its meaning is not yet, as in the minutes after a folder was added.
"""

from __future__ import annotations

import datetime as dt
import textwrap
from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit, SearchAnswer
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.search import live_search
from scrubjay_desktop.search.query_operators import without_operators
from support import first_minute
from support.first_minute import DIARY, NOTES, Question
from support.vault import TIMEOUT, add, ask, write_notes

pytestmark = pytest.mark.model

TODAY = dt.date.today()
QUESTIONS = first_minute.questions(TODAY)
AT_FIRST, AMONG_THREE = 39, 39
"""Questions whose note has to be in the first row, and among the first three."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("first-minute")
    notes = {path: textwrap.dedent(text) for path, text in NOTES.items()}
    root = write_notes(home / "notes", notes | first_minute.journal(TODAY))
    engine = Engine(Paths.under(home / "home"))
    workspace = add(engine, root, "Holly House")
    engine.refresh(workspace).result(TIMEOUT)
    write_notes(root, {DIARY: first_minute.diary(2_000_000)})
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    yield engine
    engine.close()


def rows(engine: Engine, text: str, mode: Mode = Mode.HYBRID, **fields: object) -> list[str]:
    """Paths of the rows that a person sees: sure ones, or the nearest where none is."""
    answer = ask(engine, text, mode, audience=PERSON, max_results=10, **fields)
    return [hit.path for hit in answer.hits or answer.uncertain]


def place(paths: list[str], question: Question) -> int | None:
    """The row, from 0, of the first right note."""
    return next((row for row, path in enumerate(paths) if path in question.paths), None)


def test_the_right_note_is_at_the_top(engine: Engine) -> None:
    asked = [(question, rows(engine, question.text)) for question in QUESTIONS]
    places = [place(paths, question) for question, paths in asked]
    wrong = [(question.text, paths[:3]) for question, paths in asked if place(paths, question)]
    missing = [question.text for question, paths in asked if place(paths, question) is None]
    assert sum(row == 0 for row in places) >= AT_FIRST, (wrong, missing)
    assert sum(row in (0, 1, 2) for row in places) >= AMONG_THREE, (wrong, missing)


def test_beginnings_of_words_find_the_note_at_once(engine: Engine) -> None:
    for text, path in (
        ("boil", "Home/Boiler.md"),
        ("okaf", "People/Mrs Okafor.md"),
        ("photosy", "Lessons/Photosynthesis.md"),
    ):
        assert rows(engine, text)[0] == path
        assert rows(engine, text, Mode.LEXICAL, is_typing=True)[0] == path


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_a_right_row_stays_while_the_question_is_typed(
    engine: Engine, qapp: QApplication, question: Question
) -> None:
    """Key by key, every list that a person sees, of quick answers and of full ones."""
    keep_right_row(engine, question)


def test_a_right_row_stays_when_full_answers_overtake_the_quick_ones(
    engine: Engine, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a busy machine; "photosi" is closer to "photos" than to the word that is meant."""
    monkeypatch.setattr(live_search.LiveSearch, "_search_words", lambda _: None)
    [question] = [each for each in QUESTIONS if each.text == "photosintesis leson"]
    keep_right_row(engine, question)


def keep_right_row(engine: Engine, question: Question) -> None:
    tasks = Tasks()
    # On a busy machine a key takes longer, and a pause after one shows other rows.
    search = live_search.LiveSearch(engine, tasks, max_results=10, quiet_ms=0, calm_ms=60_000)
    waiting = QEventLoop()
    is_shown = False

    def look(answer: SearchAnswer) -> None:
        nonlocal is_shown
        if not answer.request.is_typing:
            waiting.quit()
        row = place([row.path for row in search.model.rows], question)
        is_complete = search.text == question.text
        assert row is not None or not is_shown or is_complete, (search.text, answer.request)
        # What is shown as nearest, where nothing fits, is a guess.
        is_guess = answer.request.min_score is not None
        is_long = len(without_operators(search.text)) >= 3
        is_shown |= row is not None and row < 3 and is_long and not is_guess

    search.answered.connect(look)
    search.recents_shown.connect(waiting.quit)
    for end in range(1, len(question.text) + 1):
        search.type(question.text[:end])
        waiting.exec()
    search.close()
    tasks.close()


@pytest.mark.parametrize("text", ["heating", "who mends the heating", "radiator"])
def test_a_note_whose_title_means_the_question_is_listed(engine: Engine, text: str) -> None:
    assert "Home/Boiler.md" in rows(engine, text)


def test_no_note_has_two_rows(engine: Engine) -> None:
    for question in QUESTIONS:
        paths = [hit.path for hit in _hits(engine, question.text)]
        assert len(paths) == len(set(paths)), question.text


def test_a_long_note_tells_how_much_more_of_it_matches(engine: Engine) -> None:
    hits = {hit.path: hit for hit in _hits(engine, "heating in the classroom")}
    diary = hits[DIARY]
    passages = (diary, *diary.passages)
    assert len(passages) > 1
    assert {hit.path for hit in passages} == {DIARY}
    for one, other in combinations(passages, 2):
        assert one.last_line < other.first_line or other.last_line < one.first_line


@pytest.mark.parametrize(
    "text", ["what is the capital of Mongolia", "quantum chromodynamics lagrangian", '"gold leaf"']
)
def test_a_question_without_an_answer_gets_no_sure_one(engine: Engine, text: str) -> None:
    assert _hits(engine, text) == ()


def test_a_word_that_is_no_word_is_not_sure(engine: Engine) -> None:
    """Some spelling is near to any word."""
    assert _hits(engine, "ating") == ()
    assert rows(engine, "okafr")[0] == "People/Mrs Okafor.md"


def _hits(engine: Engine, text: str, **fields: object) -> tuple[Hit, ...]:
    return ask(engine, text, audience=PERSON, max_results=10, **fields).hits
