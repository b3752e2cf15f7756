"""Memories that are shared in an object storage, which may be slow, refuse, or lose answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.index_records import Filters
from support.limits import LOOK_ALWAYS
from support.object_storage import KEY, Gate, bucket, bucket_at, gate_before
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import TIMEOUT, NewEngine, ask, indexed, write_notes
from support.waiting import wait_until


@pytest.fixture
def gate(storage: str) -> Iterator[type[Gate]]:
    with gate_before(storage) as gate:
        yield gate


def test_a_bucket_is_shared_like_a_folder(
    new_engine: NewEngine, paths, notes: Path, storage: str
) -> None:
    place = bucket(storage, "plain")
    engine = new_engine()
    sharer, asker = Sharer(engine, paths, notes, place), Asker(engine, place)
    assert sharer.publish()
    assert asker.paths("tomatoes", Mode.HYBRID)[0] == "garden.md"
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    assert asker.paths("cucumbers") == ["garden.md"]
    assert asker.paths("tomatoes") == []
    asker.close()


def test_refused_requests_and_lost_answers_do_no_harm(
    new_engine: NewEngine, paths, notes: Path, storage: str, gate
) -> None:
    bucket(storage, "refusing")
    place = bucket_at(gate.address, "refusing")
    engine = new_engine()
    sharer, asker = Sharer(engine, paths, notes, place), Asker(engine, place)
    assert sharer.publish()
    gate.shares = {"refused": 0.1, "lost": 0.1}
    for number in range(4):
        write_notes(notes, {f"n{number}.md": f"Word{number} rivers.\n"})
        for _ in range(30):
            try:
                if sharer.publish():
                    break
            except SharedUnavailable:
                continue
        else:
            pytest.fail("was never published")
    gate.shares = {}
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 7
    assert sorted(asker.paths("rivers")) == [f"n{number}.md" for number in range(4)]
    asker.close()


def test_a_storage_that_refuses_everything_is_too_busy(engine: Engine, storage: str, gate) -> None:
    bucket(storage, "busy")
    at = bucket_at(gate.address, "busy")
    place = SharedPlace.of(at.uri, {**dict(at.options), "client_max_retries": "0"})
    gate.shares = {"refused": 1.0}
    asker = Asker(engine, place)
    with pytest.raises(SharedUnavailable, match="The service is too busy"):
        asker.hits("tomatoes")
    asker.close()


def test_storage_that_hangs_is_given_up_in_time(
    new_engine: NewEngine, paths, notes: Path, storage: str, gate
) -> None:
    bucket(storage, "hanging")
    place = bucket_at(gate.address, "hanging")
    engine = new_engine()
    sharer = Sharer(engine, paths, notes, place)
    assert sharer.publish()
    asker = Asker(engine, place, seconds=1.0)
    wait_until(asker.is_answered)
    gate.hangs.set()
    with pytest.raises(SharedUnavailable, match="cannot be reached"):
        asker.hits("tomatoes")
    gate.hangs.clear()
    wait_until(asker.is_answered)
    asker.close()


@pytest.fixture
def reading(
    new_engine: NewEngine,
    paths: Paths,
    notes: Path,
    storage: str,
    gate: type[Gate],
    tmp_path: Path,
    engine_limits: EngineLimits,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Engine]:
    """A computer with a note of its own, which searches a bucket through the gate."""
    number, _, secret = KEY.partition(":")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", number)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    name = tmp_path.name.replace("_", "-").lower()
    assert Sharer(new_engine(), paths, notes, bucket(storage, name)).publish()
    engine = Engine(Paths.under(tmp_path / "other"), provider=WordProvider(), limits=engine_limits)
    place = bucket_at(gate.address, name)
    engine.sharing.add(place.uri, dict(place.options)).result(TIMEOUT)
    indexed(engine, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    wait_until(lambda: len(ask(engine, "tomatoes").hits) == 2)
    yield engine
    gate.hangs.clear()
    engine.close()


@LOOK_ALWAYS
def test_own_notes_are_found_while_the_storage_hangs(reading: Engine, gate: type[Gate]) -> None:
    gate.hangs.set()
    answer = ask(reading, "tomatoes")
    assert [hit.path for hit in answer.hits] == ["mine.md"]
    assert "No response was received in time" in answer.freshness.reason
    gate.hangs.clear()
    wait_until(lambda: len(ask(reading, "tomatoes").hits) == 2)


@LOOK_ALWAYS
@pytest.mark.limits(shared_search_seconds=0.5)
def test_a_storage_that_is_too_slow_for_all_of_a_search_is_left_out(
    reading: Engine, gate: type[Gate]
) -> None:
    # No single call takes so long that it is given up.
    gate.seconds = 0.2
    answer = ask(reading, "tomatoes")
    assert [hit.path for hit in answer.hits] == ["mine.md"]
    assert "Notes was not searched." in answer.freshness.reason
    gate.seconds = 0.0
    wait_until(lambda: len(ask(reading, "tomatoes").hits) == 2)
