"""What is noted of a found place, and how records of any program are read."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.dreaming.recall_entry import (
    MAX_DAYS,
    MAX_QUERIES,
    count_hit,
    daily_date,
    entry_key,
    format_time,
    is_recordable,
    query_hash,
    read_entry,
)
from scrubjay.records.note_records import Source
from support.dreams import KEY_NOTE, NOW, entry_of, hit, record_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
FIELDS = [
    "key",
    "path",
    "startLine",
    "endLine",
    "source",
    "snippet",
    "recallCount",
    "dailyCount",
    "groundedCount",
    "totalScore",
    "maxScore",
    "firstRecalledAt",
    "lastRecalledAt",
    "queryHashes",
    "recallDays",
    "conceptTags",
    "promotedAt",
]


def test_a_found_place_is_written_in_the_documented_form() -> None:
    record = record_of(hit(), ["Where is the KEY?"])
    assert record == {
        "key": "memory:memory/2026-11-19.md:3:3",
        "path": "memory/2026-11-19.md",
        "startLine": 3,
        "endLine": 3,
        "source": "memory",
        "snippet": KEY_NOTE,
        "recallCount": 1,
        "dailyCount": 0,
        "groundedCount": 0,
        "totalScore": 0.95,
        "maxScore": 0.95,
        "firstRecalledAt": "2026-11-21T12:00:00.000Z",
        "lastRecalledAt": "2026-11-21T12:00:00.000Z",
        # printf 'where is the key?' | sha1sum | cut -c1-12
        "queryHashes": ["5775b8822875"],
        "recallDays": [str(NOW.date())],
        "conceptTags": ["spare", "office", "lisbon", "hangs", "behind", "blue", "door"],
    }


def test_the_same_question_counts_once_a_day() -> None:
    once = record_of(hit(), ["key?"])
    again = record_of(hit(), ["key?", " KEY? ", "key?"])
    assert again == once
    assert entry_of(record_of(hit(), ["key?"], [0, 1, 2])).recalls == 3


def test_fields_of_other_programs_stay() -> None:
    record: dict[str, Any] = {"claimHash": "abc", "theirs": {"a": 1}, "dailyCount": 2}
    count_hit(record, hit(), "key?", NOW)
    assert (record["claimHash"], record["theirs"], record["dailyCount"]) == ("abc", {"a": 1}, 2)
    assert entry_of(record).signals == 3


def test_lists_do_not_grow_for_ever() -> None:
    record = record_of(hit(), [f"question {n}" for n in range(50)], range(20))
    assert len(record["queryHashes"]) == MAX_QUERIES
    assert len(record["recallDays"]) == MAX_DAYS
    assert query_hash("question 49") in record["queryHashes"]
    assert record["recallDays"][-1] == NOW.date().isoformat()


@pytest.mark.parametrize(
    ("path", "is_recorded"),
    [
        ("memory/2026-11-19.md", True),
        ("memory/2026-11-19-1530.md", True),
        ("memory/2026-11-19-vendor-call.md", True),
        ("memory/work/2026-11-19.md", True),
        ("MEMORY.md", False),
        ("memory/people.md", False),
        ("memory/2026-02-30.md", False),
        ("memory/dreaming/deep/2026-11-19.md", False),
        ("memory/.dreams/2026-11-19.md", False),
        ("DREAMS.md", False),
        ("2026-11-19.md", False),
        ("/etc/memory/2026-11-19.md", False),
        ("memory/../../memory/2026-11-19.md", False),
    ],
)
def test_only_daily_files_are_recorded(path: str, *, is_recorded: bool) -> None:
    assert (daily_date(path) is not None) is is_recorded
    assert is_recordable(hit(path=path)) is is_recorded
    assert not is_recordable(hit(path=path, source=Source.EXTRA))


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_record_is_read_or_left_out(record: dict[str, Any]) -> None:
    entry = read_entry("key", record)
    if entry:
        assert 1 <= entry.first_line <= entry.last_line
        assert 0 <= entry.relevance <= 1


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_record_takes_another_recall(record: dict[str, Any]) -> None:
    count_hit(record, hit(), "key?", NOW)
    entry = entry_of(record)
    assert entry.recalls >= 1 or record["queryHashes"]
    assert len(entry.queries) <= MAX_QUERIES
    json.dumps(record)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9)), min_size=1))
def test_more_searches_never_make_a_place_less_known(asked: list[tuple[str, int]]) -> None:
    record: dict[str, Any] = {}
    before = (0, 0, 0.0)
    for query, days in sorted(asked, key=lambda question: question[1]):
        count_hit(record, hit(), query, NOW + dt.timedelta(days=days))
        entry = entry_of(record)
        now = (entry.recalls, len(entry.queries), entry.total_score)
        assert all(new >= old for new, old in zip(now, before, strict=True))
        before = now
    queries, days = ({question[place] for question in asked} for place in (0, 1))
    assert max(len(queries), len(days)) <= before[0] <= len(set(asked))


def test_keys_and_times_have_the_form_that_others_write() -> None:
    assert entry_key(hit("a\nb", line=7)) == "memory:memory/2026-11-19.md:7:8"
    assert format_time(dt.datetime(2026, 1, 2, 3, 4, 5, 678_900, tzinfo=dt.UTC)).endswith("05.678Z")
