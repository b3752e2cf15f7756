"""Hits in the order of their days, and the number of notes that a question is about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Order
from scrubjay.records.search_records import SearchRequest
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

DAYS = [dt.date(2025, 1, 1) + dt.timedelta(days=number) for number in range(150)]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("order")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    # The older, the more about carrots: the best are never the newest.
    notes = {
        f"log/{day}.md": "# Day\n\n" + "Carrots and soup.\n" * (1 + (150 - at) // 10)
        for at, day in enumerate(DAYS)
    }
    others = {"2026-05-05.md": "Soup.", "2024-05-05.md": "Nothing.", "carrots.md": "Carrots."}
    vault = write_notes(root / "vault", notes | others)
    engine.refresh(add(engine, vault, "vault")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize("text", ["carrots soup", "carrots soup path:log/", '"carrots and soup"'])
def test_the_newest_of_all_notes_come_first_not_of_the_best(engine: Engine, text: str) -> None:
    for order, days in ((Order.NEWEST, DAYS[::-1]), (Order.OLDEST, DAYS)):
        hits = ask(engine, text, audience=PERSON, max_results=12, order=order).hits
        assert [hit.date for hit in hits] == days[:12]


def test_days_of_the_question_still_count(engine: Engine) -> None:
    text = f"before:{DAYS[99]} carrots soup"
    hits = ask(engine, text, audience=PERSON, max_results=5, order=Order.NEWEST).hits
    assert [hit.date for hit in hits] == DAYS[99:94:-1]


def test_notes_of_a_folder_without_words_are_in_order_too(engine: Engine) -> None:
    hits = ask(engine, "path:/log/", audience=PERSON, max_results=3, order=Order.OLDEST).hits
    assert [hit.date for hit in hits] == DAYS[:3]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("carrots soup", 150),
        ("carrots", 151),
        (f"carrots after:{DAYS[140]}", 11),
        ("path:/log/", 150),
        ("carrots -soup", 1),
        ("zeppelin", 0),
        ("carrots zeppelin", 0),
        ("", 0),
        ("   ", 0),
    ],
)
def test_notes_with_all_words_are_counted(engine: Engine, text: str, count: int) -> None:
    everywhere = SearchRequest(text, audience=PERSON)
    assert engine.notes.count(everywhere).result(TIMEOUT) == count
    [workspace] = engine.workspaces()
    assert engine.notes.count(replace(everywhere, workspace=workspace.id)).result(TIMEOUT) == count
