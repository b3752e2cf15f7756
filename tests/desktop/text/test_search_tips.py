"""The examples of the search tips do what is said of them."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

from scrubjay.search.query.query_parser import parse_query
from scrubjay.search.query.query_syntax import operators_in
from scrubjay_desktop.text.search_tips import search_tips


@pytest.fixture(params=["en", "es"])
def tips(request: pytest.FixtureRequest, qapp) -> list[tuple[str, str]]:
    if request.param == "es":
        request.getfixturevalue("spanish")
    return search_tips()


OPERATORS = {
    "path", "folder", "file", "title", "tag", "kind", "ext", "before", "after", "on", "in"
}  # fmt: skip
TODAY = dt.date(2026, 11, 20)


def test_each_operator_has_a_tip(tips: list[tuple[str, str]]) -> None:
    placed = [each for example, _ in tips for each in operators_in(example, TODAY)]
    assert {each.literal.kind for each in placed} == OPERATORS
    assert [each.literal.kind for each in placed if each.literal.is_excluded] == ["tag"]


def test_the_page_on_search_has_the_same_operators() -> None:
    page = (Path(__file__).parents[3] / "docs" / "search.md").read_text(encoding="utf-8")
    language = page.partition("## The language")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in language.splitlines() if line.startswith("|")]
    examples = re.findall(r"`([a-z]+):", " ".join(rows))
    assert set(examples) == OPERATORS


def test_each_operator_of_the_tips_is_known(tips: list[tuple[str, str]]) -> None:
    assert [example for example, _ in tips if parse_query(example).reading.unknown] == []
    with_colon = [example for example, _ in tips if ":" in example]
    assert len(with_colon) >= 4
    assert [each for each in with_colon if ":" in parse_query(each).text] == []


def test_the_tips_are_in_the_language_of_the_person(spanish) -> None:
    examples = [example for example, _ in search_tips()]
    assert "ayer" in examples
    assert "yesterday" not in examples
