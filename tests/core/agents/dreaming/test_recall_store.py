"""The files in memory/.dreams, which other programs use too."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents.dreaming.recall_entry import format_time
from scrubjay.agents.dreaming.recall_store import DreamsBusy, RecallStore
from support.dreams import NOW, hit

_RECORD = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from scrubjay.agents.dreaming.recall_store import RecallStore
from support.dreams import NOW, hit
store = RecallStore(Path(sys.argv[1]))
for number in range(15):
    store.record([(f"{sys.argv[2]} {number}", [hit(), hit(line=number + 10)])], NOW)
"""


@pytest.fixture
def store(tmp_path: Path) -> RecallStore:
    return RecallStore(tmp_path)


def recalls(store: RecallStore) -> dict[str, Any]:
    held: dict[str, Any] = json.loads((store.folder / "short-term-recall.json").read_text())
    return held


def test_two_processes_that_record_at_once_lose_nothing(store: RecallStore, tmp_path: Path) -> None:
    tests = str(Path(__file__).parents[3])
    running = [
        subprocess.Popen([sys.executable, "-c", _RECORD, str(tmp_path), name, tests])
        for name in ("first", "second")
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    entries = store.entries()
    assert len(entries) == 16
    common = entries["memory:memory/2026-11-19.md:3:3"]
    assert (common.recalls, len(common.queries)) == (30, 30)
    assert not (store.folder / "short-term-promotion.lock").exists()


def test_what_a_foreign_store_holds_is_kept(store: RecallStore) -> None:
    theirs = {
        "version": 1,
        "updatedAt": "2026-11-20T03:00:00.000Z",
        "theirs": [1],
        "entries": {
            "memory:memory/2026-11-18.md:1:2:c0ffee": {
                "key": "memory:memory/2026-11-18.md:1:2:c0ffee",
                "path": "memory/2026-11-18.md", "startLine": 1, "endLine": 2, "source": "memory",
                "snippet": "Rent is due", "recallCount": 4, "dailyCount": 1, "groundedCount": 0,
                "totalScore": 4.0, "maxScore": 0.9, "claimHash": "c0ffee", "novel": {"x": None},
                "firstRecalledAt": "2026-11-18T03:00:00.000Z",
                "lastRecalledAt": "2026-11-20T03:00:00.000Z",
                "queryHashes": ["aaaaaaaaaaaa"], "recallDays": ["2026-11-18", "2026-11-20"],
                "conceptTags": ["rent"],
            },
            "odd": "not an entry",
        },
    }  # fmt: skip
    store.folder.mkdir(parents=True)
    (store.folder / "short-term-recall.json").write_text(json.dumps(theirs))
    [entry] = store.entries().values()
    assert (entry.recalls, entry.signals, entry.relevance) == (4, 5, 0.8)
    store.record([("key?", [hit()])], NOW)
    now = recalls(store)
    assert now["entries"].pop("memory:memory/2026-11-19.md:3:3")
    assert now.pop("updatedAt") == "2026-11-21T12:00:00.000Z"
    theirs.pop("updatedAt")
    assert now == theirs


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"entries": []}', '{"entries": {"a": 1}}'])
def test_a_damaged_store_is_empty_and_can_be_used_again(store: RecallStore, text: str) -> None:
    store.folder.mkdir(parents=True)
    for name in ("short-term-recall.json", "phase-signals.json"):
        (store.folder / name).write_text(text)
    assert store.entries() == {}
    assert store.record([("key?", [hit()])], NOW) == 1
    store.reinforce("light", ["memory:memory/2026-11-19.md:3:3"], NOW)
    assert len(store.entries()) == 1
    assert store.signals()["memory:memory/2026-11-19.md:3:3"]["lightHits"] == 1


def test_nothing_to_note_makes_no_file(store: RecallStore) -> None:
    assert store.record([("key?", [hit(path="MEMORY.md")])], NOW) == 0
    assert store.record([("  ", [hit()])], NOW) == 0
    store.reinforce("light", [], NOW)
    store.mark_promoted([], NOW)
    assert not store.folder.exists()


def test_a_phase_meets_a_place_once_a_day(store: RecallStore) -> None:
    # A day is one of the place where the person is.
    morning = NOW.astimezone().replace(hour=9)
    for hours in (0, 1, 2, 30):
        store.reinforce("light", ["k"], morning + dt.timedelta(hours=hours))
    store.reinforce("rem", ["k"], morning)
    met = store.signals()["k"]
    assert (met["lightHits"], met["remHits"], met["lastRemAt"]) == (2, 1, format_time(morning))
    held = json.loads((store.folder / "phase-signals.json").read_text())
    assert set(held["entries"]["k"]) == {"key", "lightHits", "remHits", "lastLightAt", "lastRemAt"}


def test_promotion_is_noted_and_taken_back(store: RecallStore) -> None:
    store.record([("key?", [hit()])], NOW)
    [key] = store.entries()
    store.mark_promoted([key, "unknown"], NOW)
    assert store.entries()[key].is_promoted
    store.mark_promoted([key], None)
    assert not store.entries()[key].is_promoted
    assert set(recalls(store)["entries"]) == {key}


def test_what_was_found_longest_ago_goes_first(tmp_path: Path) -> None:
    store = RecallStore(tmp_path, max_entries=3)
    for number in range(5):
        store.record([("key?", [hit(line=number + 1)])], NOW + dt.timedelta(hours=number))
    assert [entry.first_line for entry in store.entries().values()] == [3, 4, 5]


def test_a_lock_of_a_living_program_is_respected(tmp_path: Path) -> None:
    store = RecallStore(tmp_path, lock_wait_s=0.2)
    store.folder.mkdir(parents=True)
    lock = store.folder / "short-term-promotion.lock"
    lock.write_text(f"{os.getpid()}:1\n")
    os.utime(lock, (1, 1))
    with pytest.raises(DreamsBusy, match="working on the suggestions"):
        store.record([("key?", [hit()])], NOW)
    assert lock.exists()


@pytest.mark.parametrize("owner", ["999999999:1\n", "", "who knows"])
def test_a_lock_that_somebody_left_behind_is_removed(store: RecallStore, owner: str) -> None:
    store.folder.mkdir(parents=True)
    lock = store.folder / "short-term-promotion.lock"
    lock.write_text(owner)
    os.utime(lock, (1, 1))
    assert store.record([("key?", [hit()])], NOW) == 1
    assert not lock.exists()


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from("abc"), st.integers(0, 3))))
def test_the_store_is_what_all_recordings_together_say(
    tmp_path_factory: pytest.TempPathFactory, found: list[tuple[int, str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("dreams")
    for line, query, days in sorted(found, key=lambda recording: recording[2]):
        RecallStore(folder).record([(query, [hit(line=line)])], NOW + dt.timedelta(days=days))
    entries = RecallStore(folder).entries()
    assert {entry.first_line for entry in entries.values()} == {line for line, _, _ in found}
    for entry in entries.values():
        mine = [(query, days) for line, query, days in found if line == entry.first_line]
        assert len(entry.queries) == len({query for query, _ in mine})
        assert len(entry.days) == len({days for _, days in mine})
