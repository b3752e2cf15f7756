"""Memories that are shared in a folder of a server, which two computers have mounted."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.index_records import Filters
from support.network_drive import NetworkDrive, network_drive
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import write_notes
from support.waiting import wait_until


@pytest.fixture
def drives(tmp_path: Path) -> Iterator[tuple[NetworkDrive, NetworkDrive]]:
    """One folder of a server, as each of two computers reaches it."""
    (tmp_path / "server").mkdir()
    try:
        with (
            network_drive(tmp_path / "server", tmp_path / "one") as one,
            network_drive(tmp_path / "server", tmp_path / "two") as two,
        ):
            yield one, two
    except OSError as error:
        pytest.skip(f"no network drive can be mounted here: {error}")


@pytest.fixture
def sharer(engine: Engine, paths: Paths, notes: Path, drives) -> Sharer:
    return Sharer(engine, paths, notes, SharedPlace(str(drives[0].folder)))


@pytest.fixture
def asker(engine: Engine, drives) -> Iterator[Asker]:
    asker = Asker(engine, SharedPlace(str(drives[1].folder)), seconds=2.0)
    yield asker
    asker.close()


def test_what_one_computer_publishes_another_one_finds(
    sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    assert asker.paths("tomatoes", Mode.HYBRID)[0] == "garden.md"
    write_notes(notes, {"garden.md": "# Garden\n\nThe cucumbers froze.\n"})
    assert sharer.publish()
    assert asker.paths("cucumbers") == ["garden.md"]
    assert asker.paths("tomatoes") == []
    assert asker.reader().text("garden.md") == "# Garden\n\nThe cucumbers froze."


def test_two_computers_publish_the_same_folder(
    sharer: Sharer, asker: Asker, drives, notes: Path, tmp_path: Path
) -> None:
    second = Engine(Paths.under(tmp_path / "second"), provider=WordProvider())
    other = Sharer(second, second.paths, notes, SharedPlace(str(drives[1].folder)), "two")
    assert sharer.publish()
    done = []

    def is_tried(own: Sharer) -> bool:
        """Whether an attempt ended; the app tries again as well where a write was refused."""
        with contextlib.suppress(SharedUnavailable):
            done.append(own.publish(is_wanted=False))
            return True
        return False

    def publish(name: str, own: Sharer) -> None:
        for number in range(3):
            write_notes(notes, {f"{name}{number}.md": f"Word{number} rivers.\n"})
            wait_until(lambda: is_tried(own))

    pairs = (("one", sharer), ("two", other))
    threads = [threading.Thread(target=publish, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 6
    assert any(done)
    wait_until(lambda: is_tried(sharer) and done[-1])
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 9
    second.close()


def test_a_server_that_gives_no_answer_is_given_up_in_time(
    sharer: Sharer, asker: Asker, drives
) -> None:
    assert sharer.publish()
    assert asker.paths("tomatoes") == ["garden.md"]
    with (
        drives[1].silent(),
        pytest.raises(SharedUnavailable, match="No response was received in time"),
    ):
        asker.hits("tomatoes")
    wait_until(asker.is_answered)


def test_a_connection_that_was_lost_is_told_and_leaves_no_half_of_a_note(
    sharer: Sharer, asker: Asker, drives, notes: Path
) -> None:
    assert sharer.publish()
    assert asker.paths("tomatoes") == ["garden.md"]
    write_notes(notes, {f"{number}.md": f"Word{number} rivers.\n" for number in range(20)})
    drives[0].lose()
    with pytest.raises(SharedUnavailable, match=r"cannot be reached|no shared memory at"):
        sharer.publish()
    reader = asker.reader()
    assert reader.count(Filters()) == reader.chunk_count() == 3
