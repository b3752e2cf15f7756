"""Publications and searches of which one answer is lost, cut, doubled, halved or late."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from support.attacks import tries
from support.object_storage import FAULTS, KEY, Gate, bucket, bucket_at, gate_before
from support.shared_memory import Asker, Sharer
from support.vault import NewEngine, write_notes

PUBLICATION = 36
"""Requests of a publication of some changed notes."""
SEARCH = 26
"""Requests of the first search of a process."""
_PROGRAM = Path(__file__).parents[3] / "support" / "killed_publisher.py"
_PATIENCE = 5


@pytest.fixture
def gate(storage: str) -> Iterator[type[Gate]]:
    with gate_before(storage) as gate:
        yield gate


@pytest.fixture
def name(tmp_path: Path, storage: str) -> str:
    """Name of a new bucket."""
    name = tmp_path.name.replace("_", "-").lower()
    bucket(storage, name)
    return name


@pytest.fixture
def sharer(
    new_engine: NewEngine,
    paths: Paths,
    notes: Path,
    name: str,
    gate: type[Gate],
    limits: PublishingLimits,
) -> Sharer:
    """Shares the three notes through the gate."""
    bucket = bucket_at(gate.address, name)
    return Sharer(new_engine(), paths, notes, bucket, seconds=2, limits=limits)


@pytest.fixture
def asker(sharer: Sharer, storage: str, name: str) -> Iterator[Asker]:
    """Searches them without the gate."""
    asker = Asker(sharer.engine, bucket_at(storage, name))
    yield asker
    asker.close()


def numbers(dice: random.Random, most: int) -> Sequence[int]:
    """Numbers of the requests that something happens to."""
    return sorted(dice.sample(range(most), tries(2, most)))


def change(notes: Path, number: int) -> None:
    """Change a note, add one and delete one."""
    (notes / f"n{number - 2}.md").unlink(missing_ok=True)
    write_notes(
        notes,
        {
            "garden.md": f"# Garden\n\nTomatoes{number}.\n",
            f"n{number}.md": f"Lake{number} river.\n",
        },
    )


def published(sharer: Sharer) -> None:
    """Publish, as often as it takes."""
    for _ in range(_PATIENCE):
        with contextlib.suppress(SharedUnavailable):
            if sharer.publish(is_wanted=False):
                return
    pytest.fail("was never published")


@pytest.mark.soak
@pytest.mark.parametrize("kind", FAULTS)
def test_whatever_befalls_one_answer_everything_is_published(
    sharer: Sharer, asker: Asker, gate: type[Gate], notes: Path, kind: str
) -> None:
    assert sharer.publish()
    for number in numbers(random.Random(kind), PUBLICATION):
        change(notes, number)
        gate.planned, gate.requests = {number: kind}, 0
        is_done = False
        with contextlib.suppress(SharedUnavailable):
            is_done = sharer.publish(is_wanted=False)
        gate.planned = {}
        assert len(asker.paths("garden OR river")) == len(set(asker.paths("garden OR river")))
        if not is_done:
            published(sharer)
        assert asker.has_all_of(sharer), (kind, number)


@pytest.mark.soak
@pytest.mark.parametrize("kind", FAULTS)
def test_whatever_befalls_one_answer_a_search_is_right_or_told_to_have_failed(
    sharer: Sharer, gate: type[Gate], name: str, kind: str
) -> None:
    assert sharer.publish()
    for number in numbers(random.Random(kind), SEARCH):
        gate.planned, gate.requests = {number: kind}, 0
        asker = Asker(sharer.engine, bucket_at(gate.address, name), seconds=1)
        with contextlib.closing(asker):
            with contextlib.suppress(SharedUnavailable):
                assert asker.paths("tomatoes") == ["garden.md"], (kind, number)
            gate.planned = {}
            assert asker.is_answered(), (kind, number)


def test_a_storage_that_sends_requests_on_gives_its_key_and_its_notes_to_nobody(
    sharer: Sharer, gate: type[Gate], storage: str, notes: Path
) -> None:
    assert sharer.publish()
    told: list[str] = []
    with gate_before(storage) as stranger:
        passed_on = stranger.answer

        def record(self: Gate) -> None:
            told.append(f"{self.command} {self.headers.get('Authorization')}")
            passed_on(self)

        stranger.do_GET = stranger.do_PUT = stranger.do_POST = record  # type: ignore[method-assign]
        gate.redirected = stranger.address
        write_notes(notes, {"new.md": "The bucket fell into the well.\n"})
        with contextlib.suppress(SharedUnavailable):
            sharer.publish()
    gate.redirected = ""
    assert set(told) <= {"GET None"}
    published(sharer)


@pytest.mark.parametrize("limits", [PublishingLimits(lease_seconds=0.0)], ids=["at once"])
@pytest.mark.soak
@pytest.mark.parametrize("kind", ["gone", "cut"])
def test_a_publisher_that_is_killed_at_a_request_loses_nothing(
    sharer: Sharer, asker: Asker, gate: type[Gate], notes: Path, kind: str
) -> None:
    """Before, or after, the storage did what it asked for."""
    assert sharer.publish()
    place = sharer.store.place
    for number in numbers(random.Random(kind), PUBLICATION):
        change(notes, number)
        sharer.engine.refresh(sharer.workspace).result()
        words = [str(sharer.file), place.uri, f"k{number}", json.dumps(dict(place.options)), KEY]
        process = subprocess.Popen(
            [sys.executable, str(_PROGRAM), *words], stdout=subprocess.PIPE, text=True
        )
        gate.on_planned = process.kill  # type: ignore[method-assign]
        gate.planned, gate.requests = {number: kind}, 0
        process.communicate()
        gate.planned = {}
        assert len(asker.paths("garden OR river")) == len(set(asker.paths("garden OR river")))
        published(sharer)
        assert asker.has_all_of(sharer), (kind, number)
