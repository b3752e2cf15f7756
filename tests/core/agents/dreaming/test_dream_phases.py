"""What each phase looks at."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from scrubjay.agents.dreaming.dream_phases import deep_phase, light_phase, rem_phase, total_score
from scrubjay.agents.dreaming.dream_weights import LIGHT_LIMIT
from scrubjay.agents.dreaming.recall_entry import concept_tags
from support.dreams import KEY_NOTE, NOW, entry_of, hit, record_of, signals

QUESTIONS = [f"question {n}" for n in range(8)]
DAYS = (0, 1, 3, 7)


def known(line: int = 3, text: str = KEY_NOTE, **changes: Any) -> Any:
    """A place that deserves to be proposed, but for the changes."""
    found = hit(text, line=line)
    days = changes.pop("found_days_ago", DAYS)
    questions = changes.pop("questions", QUESTIONS)
    return entry_of(record_of(found, questions, days, **changes))


def test_light_looks_at_two_days_and_folds_what_is_nearly_the_same() -> None:
    same = KEY_NOTE.replace("hangs", "HANGS,")
    entries = [
        known(1),
        known(2, same, questions=QUESTIONS[:1]),
        known(3, "The train to Porto leaves at noon", found_days_ago=[2]),
        known(4, "Long ago somebody lost an umbrella", found_days_ago=[3]),
    ]
    assert [entry.first_line for entry in light_phase(entries, NOW)] == [1, 3]


def test_light_has_a_limit() -> None:
    entries = [known(n, f"note {n} about thing{n} and place{n}") for n in range(1, 150)]
    assert len(light_phase(entries, NOW)) <= LIGHT_LIMIT


def test_rem_finds_what_runs_through_a_week() -> None:
    entries = [
        known(1, "Lisbon office rent"),
        known(2, "Lisbon tram pass"),
        known(3, "Garden tomatoes"),
        known(4, "Lisbon weather", found_days_ago=[8]),
    ]
    [theme] = rem_phase(entries, NOW)
    assert (theme.tag, theme.strength, len(theme.keys)) == ("lisbon", 1.0, 2)
    assert rem_phase(entries[2:3], NOW) == ()


def test_deep_proposes_what_is_found_often_by_different_questions() -> None:
    [(_, parts)] = deep_phase([known()], {}, NOW)
    assert total_score(parts) >= 0.8


@pytest.mark.parametrize(
    "changes",
    [
        {"promotedAt": "2026-11-20T03:00:00.000Z"},
        {"recallCount": 2, "dailyCount": 50},
        {"questions": QUESTIONS[:2]},
        {"found_days_ago": [31, 33, 35, 40]},
        {"totalScore": 0.0},
        {"lastRecalledAt": "someday"},
    ],
    ids=["promoted", "few recalls", "few questions", "old", "weak", "undated"],
)
def test_deep_leaves_out_all_else(changes: dict[str, Any]) -> None:
    assert deep_phase([known(**changes)], {}, NOW) == []


def test_the_earlier_phases_can_lift_a_place_over_the_line() -> None:
    questions = QUESTIONS[:3]
    entry = known(questions=questions, found_days_ago=[0, 1])
    met = signals(6, 6, NOW)
    assert deep_phase([entry], {}, NOW) == []
    assert len(deep_phase([entry], {entry.key: met}, NOW)) == 1
    old = signals(6, 6, NOW - dt.timedelta(days=140))
    assert deep_phase([entry], {entry.key: old}, NOW) == []


@pytest.mark.parametrize(
    ("snippet", "tags"),
    [
        ("The router hums at night in the hall", ("router", "hums", "night", "hall")),
        ("update memory.search on v2026.11", ("memory.search", "v2026.11", "update")),
        ("La llave de la oficina está en Lisboa", ("llave", "oficina", "lisboa")),
        ("2026-11-19 10:30", ()),
        ("", ()),
    ],
)
def test_the_words_that_say_what_it_is_about(snippet: str, tags: tuple[str, ...]) -> None:
    assert concept_tags(snippet) == tags
