"""How much a place deserves to be in MEMORY.md."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.agents.dreaming.dream_phases import (
    consolidation_score,
    frequency_score,
    recency_score,
    score_parts,
    total_score,
)
from scrubjay.agents.dreaming.dream_weights import (
    CONCEPTS,
    CONSOLIDATION,
    DIVERSITY,
    FREQUENCY,
    PHASE_MAX,
    RECENCY,
    RELEVANCE,
)
from scrubjay.agents.dreaming.recall_entry import RecallEntry, format_time
from support.dreams import NOW, signals

DAY = NOW.date()
MOMENTS = st.none() | st.integers(-1000, 100_000).map(lambda h: NOW - dt.timedelta(hours=h))
ENTRIES = st.builds(
    RecallEntry,
    key=st.just("k"),
    path=st.just("memory/2026-11-19.md"),
    first_line=st.just(1),
    last_line=st.just(1),
    snippet=st.just("x"),
    recalls=st.integers(0, 10**6),
    signals=st.integers(0, 10**6),
    total_score=st.floats(0, 1e9),
    queries=st.lists(st.text(max_size=3), unique=True, max_size=32).map(tuple),
    days=st.lists(st.integers(0, 400), unique=True, max_size=16).map(
        lambda ago: tuple(sorted(DAY - dt.timedelta(days=days) for days in ago))
    ),
    tags=st.lists(st.text(max_size=3), unique=True, max_size=8).map(tuple),
    last_recalled=MOMENTS,
    is_promoted=st.just(False),
)
SIGNALS = st.builds(signals, st.integers(0, 9999), st.integers(0, 9999), MOMENTS)

BEST = RecallEntry(
    "k", "memory/2026-11-19.md", 1, 1, "x", 9, 9, 9.0,
    tuple("abcde"), tuple(DAY - dt.timedelta(days=d) for d in (7, 6, 3, 1, 0)),
    tuple("123456"), NOW, is_promoted=False,
)  # fmt: skip


def test_a_worked_example_to_the_digit() -> None:
    entry = replace(
        BEST,
        signals=3,
        total_score=2.4,
        queries=("a", "b", "c"),
        days=(DAY - dt.timedelta(days=1), DAY),
        tags=("1", "2", "3"),
        last_recalled=NOW - dt.timedelta(days=14),
    )
    parts = score_parts(entry, None, NOW)
    assert parts["frequency"] == pytest.approx(0.24 * math.log(4) / math.log(10))
    assert parts["relevance"] == pytest.approx(0.30 * 0.8)
    assert parts["diversity"] == pytest.approx(0.15 * 3 / 5)
    assert parts["recency"] == pytest.approx(0.15 * 0.5)
    assert parts["consolidation"] == pytest.approx(
        0.10 * (0.55 * math.log(2) / math.log(5) + 0.45 / 7)
    )
    assert parts["concepts"] == pytest.approx(0.06 * 0.5)
    assert total_score(parts) == pytest.approx(0.609_610, abs=1e-6)


def test_the_shares_add_up_and_the_best_place_has_them_all() -> None:
    shares = FREQUENCY + RELEVANCE + DIVERSITY + RECENCY + CONSOLIDATION + CONCEPTS
    assert shares == pytest.approx(1)
    assert total_score(score_parts(BEST, None, NOW)) == pytest.approx(1)


def test_nine_recalls_are_enough_and_one_day_is_a_fifth() -> None:
    assert frequency_score(0) == 0
    assert frequency_score(9) == frequency_score(10**6) == 1
    assert consolidation_score([]) == 0
    assert consolidation_score([DAY]) == 0.2


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (14, 0.5), (28, 0.25), (-3, 1.0)])
def test_recency_halves_every_fortnight(days: int, left: float) -> None:
    assert recency_score(NOW - dt.timedelta(days=days), NOW) == pytest.approx(left)


@given(ENTRIES, SIGNALS)
def test_no_place_scores_outside_0_to_1_nor_any_part_beyond_its_share(
    entry: RecallEntry, met: dict[str, Any]
) -> None:
    parts = score_parts(entry, met, NOW)
    assert 0 <= total_score(parts) <= 1
    limits = {
        "frequency": FREQUENCY, "relevance": RELEVANCE, "diversity": DIVERSITY,
        "recency": RECENCY, "consolidation": CONSOLIDATION, "concepts": CONCEPTS,
        **PHASE_MAX,
    }  # fmt: skip
    assert set(parts) == set(limits)
    assert all(0 <= value <= limits[name] + 1e-12 for name, value in parts.items())


@given(ENTRIES, SIGNALS)
def test_more_of_anything_never_lowers_a_score(entry: RecallEntry, met: dict[str, Any]) -> None:
    base = total_score(score_parts(entry, met, NOW))
    mean = entry.relevance
    more = [
        replace(entry, signals=entry.signals + 1, total_score=mean * (entry.signals + 1)),
        replace(entry, total_score=entry.total_score + 1),
        replace(entry, queries=(*entry.queries, "one more")),
        replace(entry, days=tuple(sorted({*entry.days, DAY + dt.timedelta(days=1)}))),
        replace(entry, tags=(*entry.tags, "one more")),
        replace(entry, last_recalled=NOW),
    ]
    for changed in more:
        assert total_score(score_parts(changed, met, NOW)) >= base - 1e-9
    for reinforced in (
        met | {"lightHits": met["lightHits"] + 1},
        met | {"remHits": met["remHits"] + 1},
        met | {"lastLightAt": format_time(NOW), "lastRemAt": format_time(NOW)},
    ):
        assert total_score(score_parts(entry, reinforced, NOW)) >= base - 1e-9


@given(ENTRIES, SIGNALS, st.integers(1, 1000))
def test_time_alone_never_raises_a_score(
    entry: RecallEntry, met: dict[str, Any], days: int
) -> None:
    later = total_score(score_parts(entry, met, NOW + dt.timedelta(days=days)))
    assert later <= total_score(score_parts(entry, met, NOW)) + 1e-9
