"""Sixty questions as people type them, over 260 files of all kinds of a bicycle repair shop."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from scrubjay.search.query.query_parser import parse_query
from support import bike_shop
from support.vault import TIMEOUT, add, ask, write_notes

pytestmark = pytest.mark.model

TODAY = dt.date.today()
QUESTIONS = bike_shop.questions(TODAY)
AT_FIRST, AMONG_THREE = 52, 56
"""Questions whose note has to be in the first row, and among the first three."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("shop")
    root = write_notes(home / "notes", bike_shop.files(TODAY))
    engine = Engine(Paths.under(home / "home"))
    engine.refresh(add(engine, root)).result(TIMEOUT)
    yield engine
    engine.close()


def rows(engine: Engine, text: str) -> Sequence[Hit]:
    """The rows that a person sees: sure ones, or the nearest where none is."""
    answer = ask(engine, text, audience=PERSON, max_results=10)
    return answer.hits or answer.uncertain


def test_the_right_note_is_at_the_top(engine: Engine) -> None:
    asked = {
        question.text: (question.paths[0], [hit.path for hit in rows(engine, question.text)])
        for question in QUESTIONS
    }
    wrong = {text: paths[:3] for text, (path, paths) in asked.items() if paths[:1] != [path]}
    below = [text for text in wrong if asked[text][0] not in wrong[text]]
    assert len(QUESTIONS) - len(wrong) >= AT_FIRST, wrong
    assert len(QUESTIONS) - len(below) >= AMONG_THREE, below


def test_the_nearest_note_by_meaning_has_a_row(engine: Engine) -> None:
    """Of all questions of several words but the last four, which are about times."""
    for question in QUESTIONS[:-4]:
        if len(parse_query(question.text).keywords) == 1:
            continue
        near = ask(engine, question.text, Mode.VECTOR, max_results=10, min_score=0.0).hits
        # Some days of the journal say the same. After a space the last word is whole.
        least = max(hit.vector_score or 0.0 for hit in near) - 1e-6
        shown = [hit.vector_score or 0.0 for hit in rows(engine, f"{question.text} ")]
        assert max(shown) >= least, question.text
