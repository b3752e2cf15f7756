"""Queries of a whole message."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.search_modes import Mode
from scrubjay.search.query.message import (
    MAX_QUERIES,
    is_worth_a_look,
    message_queries,
    proper_nouns,
)

FRIDAY = dt.date(2026, 11, 20)


def texts(message: str) -> list[str]:
    return [query.text for query in message_queries(message, FRIDAY)]


@pytest.mark.parametrize(
    "message",
    [
        "", "   ", "hi", "Hello there!", "hey, how are you?", "Good morning my friend",
        "thanks a lot", "ok", "Hola, ¿qué tal?", "¡Buenos días!", "muchas gracias por todo",
        "/new", "/compact keep the plan", "!status", "sounds fine", "router password", "...", "?!",
        "\N{WAVING HAND SIGN}",
    ],
)  # fmt: skip
def test_small_talk_and_commands_are_not_looked_into(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "router password?", "¿contraseña?", "where is it kept", "Emma likes violins",
        "hello, where did we put the keys", "家庭网络密码", "/etc/hosts was changed by whom",
    ],
)  # fmt: skip
def test_everything_else_is(message: str) -> None:
    assert is_worth_a_look(message)
    assert texts(message)[0] == message


def test_a_message_gives_its_questions_keywords_names_dates_and_translations() -> None:
    queries = texts("We had a long call yesterday. What did Emma Sandoval say about the garden?")
    assert queries[:3] == [
        "We had a long call yesterday. What did Emma Sandoval say about the garden?",
        "What did Emma Sandoval say about the garden?",
        "2026-11-19",
    ]
    assert "Emma Sandoval" in queries
    assert any("garden" in text and "about" not in text.split() for text in queries[3:])
    assert any("jardín" in text for text in queries)


def test_a_spanish_message_is_looked_for_in_english_too() -> None:
    queries = texts("¿Qué decidimos ayer sobre el jardín con Rod?")
    assert "2026-11-19" in queries
    assert "Rod" in queries
    assert any("garden" in text for text in queries)


@pytest.mark.parametrize(
    ("sentences", "names"),
    [
        (["please ask Emma about it"], ["Emma"]),
        (["Did Rod Stewart call"], ["Rod Stewart"]),
        (["Tomatoes need water"], []),
        (["DNS is broken again"], ["DNS"]),
        (["we met in San Juan de la Cruz and left"], ["San Juan de la Cruz"]),
        (["The plan is good", "I like it"], []),
    ],
)
def test_names_are_told_by_their_capitals(sentences: list[str], names: list[str]) -> None:
    assert list(proper_nouns(sentences)) == names


@pytest.mark.parametrize("name", ["#garden", "tag:garden", "tags:#garden", "#💡", "tag:💡/old"])
def test_a_sign_in_a_message_filters_nothing(name: str) -> None:
    word = name.rpartition("#")[2].rpartition(":")[2]
    assert texts(f"What was said in {name} about watering?")[0] == (
        f"What was said in {word} about watering?"
    )


def test_only_the_message_and_its_questions_need_the_model() -> None:
    modes = [query.mode for query in message_queries("Where did Rod go last Monday?", FRIDAY)]
    assert modes[0] is Mode.HYBRID
    assert set(modes[1:]) == {Mode.LEXICAL}


@given(st.text(max_size=500))
def test_any_message_gives_few_and_different_queries(message: str) -> None:
    queries = texts(message)
    assert len(queries) == len(set(queries)) <= MAX_QUERIES
    assert all(text.strip() for text in queries)


def test_a_pasted_book_is_looked_into_as_quickly_as_its_first_pages() -> None:
    queries = texts("Where is the router? " + "lorem ipsum dolor " * 20_000)
    assert 0 < len(queries) <= MAX_QUERIES
    assert all(len(text) <= 4_000 for text in queries)
