"""Sixty questions as people type them, over 250 files of all kinds of two small businesses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

import pytest
from msgspec import Struct

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import Hit
from scrubjay.search.query.query_parser import parse_query
from support import bike_shop, guest_house
from support.first_minute import Question
from support.vault import TIMEOUT, add, ask, write_notes

pytestmark = pytest.mark.model

TODAY = dt.date.today()


class Business(Struct, frozen=True):
    """Questions over the files of a business, and how many their notes have to answer."""

    engine: Engine
    questions: Sequence[Question]
    at_first: int
    """Questions whose note has to be in the first row."""
    among_three: int


@pytest.fixture(scope="module", params=["bike_shop", "guest_house"])
def business(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Business]:
    made, at_first, among_three = {
        "bike_shop": (bike_shop, 52, 56),
        "guest_house": (guest_house, 51, 56),
    }[request.param]
    home = tmp_path_factory.mktemp("business")
    root = write_notes(home / "notes", made.files(TODAY))
    engine = Engine(Paths.under(home / "home"))
    engine.refresh(add(engine, root)).result(TIMEOUT)
    yield Business(engine, made.questions(TODAY), at_first=at_first, among_three=among_three)
    engine.close()


def rows(engine: Engine, text: str) -> Sequence[Hit]:
    """The rows that a person sees: sure ones, or the nearest where none is."""
    answer = ask(engine, text, audience=PERSON, max_results=10)
    return answer.hits or answer.uncertain


def test_the_right_note_is_at_the_top(business: Business) -> None:
    asked = {
        question.text: (
            question.paths[0],
            [hit.path for hit in rows(business.engine, question.text)],
        )
        for question in business.questions
    }
    wrong = {text: paths[:3] for text, (path, paths) in asked.items() if paths[:1] != [path]}
    below = [text for text in wrong if asked[text][0] not in wrong[text]]
    assert len(asked) - len(wrong) >= business.at_first, wrong
    assert len(asked) - len(below) >= business.among_three, below


def test_the_nearest_note_by_meaning_has_a_row(business: Business) -> None:
    """Of all questions but the last four, which are about times; a lone word must be whole."""
    for question in business.questions[:-4]:
        near = ask(business.engine, question.text, Mode.VECTOR, max_results=10, min_score=0.0).hits
        # Some days of a journal say the same, and a last word of two letters is not read yet.
        least = max(hit.vector_score or 0.0 for hit in near) - 0.005
        # After a space the last word is whole.
        texts = [f"{question.text} "]
        if len(parse_query(question.text).keywords) > 1:
            texts.append(question.text)
        for text in texts:
            shown = [hit.vector_score or 0.0 for hit in rows(business.engine, text)]
            assert max(shown) >= least, text


def test_half_a_word_alone_has_no_row_by_chance(business: Business) -> None:
    """What is near to *whitl* in meaning is near to nothing that was meant."""
    text = next(each.text for each in business.questions if each.text in ("whitl", "baum"))
    [hit] = rows(business.engine, text)
    assert text in hit.title.lower()
