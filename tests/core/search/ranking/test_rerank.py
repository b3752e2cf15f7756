"""Temporal decay and diversity, with the examples that users know."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.records.search_records import Source
from scrubjay.search.ranking.rerank import decay_factor, diversify, document_date, jaccard

TODAY = dt.date(2026, 2, 10)


@pytest.mark.parametrize(
    ("days", "factor"), [(0, 1.0), (7, 0.85), (30, 0.5), (90, 0.125), (148, 0.03), (-5, 1.0)]
)
def test_a_dated_note_fades(days: int, factor: float) -> None:
    date = TODAY - dt.timedelta(days=days)
    assert decay_factor(Source.MEMORY, date, TODAY, TODAY, 30) == pytest.approx(factor, abs=0.005)


@pytest.mark.parametrize("source", [Source.MEMORY, Source.NOTES])
def test_a_note_without_a_date_is_evergreen(source: Source) -> None:
    assert decay_factor(source, None, dt.date(2001, 1, 1), TODAY, 30) == 1.0


@pytest.mark.parametrize("source", [Source.SESSIONS, Source.EXTRA])
def test_other_sources_fade_by_their_last_change(source: Source) -> None:
    month_ago = TODAY - dt.timedelta(days=30)
    assert decay_factor(source, None, month_ago, TODAY, 30) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-topic.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-1530.md", dt.date(2026, 2, 1)),
        ("memory/deep/er/2026-02-01.md", dt.date(2026, 2, 1)),
        ("extra/memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-30.md", None),
        ("memory/projects.md", None),
        ("MEMORY.md", None),
        ("2026-02-01.md", None),
        ("notes/2026-02-01.md", None),
    ],
)
def test_the_date_of_a_document(path: str, date: dt.date | None) -> None:
    assert document_date(path, None) == date


def test_front_matter_dates_a_note_that_its_name_does_not() -> None:
    assert document_date("memory/trip.md", TODAY) == TODAY
    assert document_date("memory/2026-01-01.md", TODAY) == dt.date(2026, 1, 1)


def tokens(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def test_a_near_duplicate_comes_after_what_says_something_else() -> None:
    notes = {
        "memory/2026-02-10.md": "configured router vlan 10 for iot devices and set up the network",
        "memory/2026-02-08.md": "configured router vlan 10 for iot devices and set the network",
        "memory/network.md": "network reference router 192.168.1.1 switch access points",
        "memory/dns.md": "dns adguard on the home server upstream quad9",
        "memory/garden.md": "tomatoes need water",
    }
    relevance = [0.92, 0.89, 0.85, 0.78, 0.2]
    order = diversify(list(notes), relevance, [tokens(text) for text in notes.values()], 0.7)
    assert [path for path, _ in order][:3] == [
        "memory/2026-02-10.md",
        "memory/network.md",
        "memory/dns.md",
    ]
    penalties = dict(order)
    assert penalties["memory/2026-02-10.md"] == 0
    assert penalties["memory/2026-02-08.md"] > 0.2


ITEMS = st.lists(st.tuples(st.floats(0, 1), st.frozensets(st.sampled_from("abcdef"))), max_size=12)


@given(ITEMS, st.floats(0, 1))
@example([(0.0, frozenset()), (0.75, frozenset()), (1.0, frozenset())], 5e-324)
def test_diversity_loses_nothing_and_keeps_the_best_first(
    items: list[tuple[float, frozenset[str]]], lambda_: float
) -> None:
    relevance = [value for value, _ in items]
    numbers = list(range(len(items)))
    order = diversify(numbers, relevance, [words for _, words in items], lambda_)
    assert sorted(number for number, _ in order) == numbers
    assert all(0 <= penalty <= 1 - lambda_ + 1e-9 for _, penalty in order)
    if items and lambda_ > 0:
        assert relevance[order[0][0]] == pytest.approx(max(relevance))


@given(ITEMS)
def test_lambda_one_is_the_order_by_relevance(
    items: list[tuple[float, frozenset[str]]],
) -> None:
    relevance = [value for value, _ in items]
    order = diversify(relevance, relevance, [words for _, words in items], 1.0)
    assert [value for value, _ in order] == pytest.approx(sorted(relevance, reverse=True))


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [("a b", "a b", 1.0), ("a b", "b c", 1 / 3), ("a", "b", 0.0), ("", "", 1.0), ("a", "", 0.0)],
)
def test_jaccard(one: str, other: str, likeness: float) -> None:
    assert jaccard(tokens(one), tokens(other)) == pytest.approx(likeness)
