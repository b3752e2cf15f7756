"""What agents are given before they answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.answers.answer_json import context_answer_json
from scrubjay.answers.message_context import MAX_DIGEST
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.records.search_records import ContextAnswer, SearchRequest
from support.vault import TIMEOUT, NewEngine, add, write_notes


def context(engine: Engine, message: str) -> ContextAnswer:
    return engine.context(SearchRequest(message), CancelToken()).result(TIMEOUT)


def test_a_message_brings_up_what_the_notes_say(engine: Engine, notes: Path) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    reply = context(engine, "I am at the door. What is the password of the router?")
    assert reply.hits[0].path == "house/router.md"
    assert "> The password of the router is on the fridge." in reply.digest
    assert "Source: house/router.md#L1-L3" in reply.digest
    assert reply.answer is not None
    assert reply.answer.freshness.documents == 3


def test_small_talk_brings_up_nothing(engine: Engine, notes: Path) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    for message in ("Good morning!", "/router password of the house", "router"):
        assert context(engine, message) == ContextAnswer(message)
        assert context_answer_json(context(engine, message)).as_json() == {
            "context": "", "results": [],
        }  # fmt: skip


def test_a_message_about_something_else_has_queries_and_no_digest(
    engine: Engine, notes: Path
) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    reply = context(engine, "xylophone quartz bagpipes?")
    assert reply.queries
    assert (reply.digest, reply.hits) == ("", ())


def test_each_place_is_quoted_once_and_the_digest_is_bounded(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    texts = {f"{n}.md": f"# Router {n}\n\n" + f"The router of Emma number {n}. " * 40
             for n in range(30)}  # fmt: skip
    engine = new_engine()
    engine.refresh(add(engine, write_notes(tmp_path / "many", texts))).result(TIMEOUT)
    reply = context(engine, "Where is the router of Emma? Which router has Emma?")
    places = [hit.citation for hit in reply.hits]
    assert 1 <= len(places) == len(set(places))
    assert len(reply.digest) <= MAX_DIGEST
    assert all(f"Source: {place}" in reply.digest for place in places)


@pytest.mark.parametrize(
    "message",
    [
        "Where is the router -fridge or shelf",
        "router stuff: - the password -router - the fridge",
        "Do NOT forget the router password",
        "find the password of the router -path:house -#home",
        "look at file:door.md line 3 about the router password",
        'Rename "password of the router" to "name of the street"',
        "Is it the router OR (the fridge) tag:none before:1990",
        "Fix kind:pdf in the router password code",
    ],
)
def test_a_message_excludes_nothing_and_has_no_operators(
    engine: Engine, notes: Path, message: str
) -> None:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    assert context(engine, message).hits[0].path == "house/router.md"


def test_a_day_that_is_named_brings_up_its_log(engine: Engine, tmp_path: Path) -> None:
    root = write_notes(
        tmp_path / "agent",
        {
            "MEMORY.md": "Curated.\n",
            "memory/2026-02-01.md": "Planted garlic.\n",
            "memory/2026-02-02.md": "Called the plumber.\n",
        },
    )
    engine.refresh(add(engine, root)).result(TIMEOUT)
    reply = context(engine, "so what happened on 2 February 2026 again?")
    assert reply.hits[0].path == "memory/2026-02-02.md"
