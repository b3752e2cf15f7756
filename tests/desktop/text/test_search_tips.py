"""The examples of the search tips do what is said of them."""

from __future__ import annotations

import pytest

from scrubjay.search.query.query_parser import parse_query
from scrubjay_desktop.text.search_tips import search_tips


@pytest.fixture(params=["en", "es"])
def tips(request: pytest.FixtureRequest, qapp) -> list[tuple[str, str]]:
    if request.param == "es":
        request.getfixturevalue("spanish")
    return search_tips()


def test_each_operator_of_the_tips_is_known(tips: list[tuple[str, str]]) -> None:
    assert [example for example, _ in tips if parse_query(example).reading.unknown] == []
    with_colon = [example for example, _ in tips if ":" in example]
    assert len(with_colon) >= 4
    assert [each for each in with_colon if ":" in parse_query(each).text] == []


def test_the_tips_are_in_the_language_of_the_person(spanish) -> None:
    examples = [example for example, _ in search_tips()]
    assert "ayer" in examples
    assert "yesterday" not in examples
