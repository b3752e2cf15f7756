"""The process that publishes folders: whatever others wrote into their tables, the app is safe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, SharedUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb.lease import ComputerId
from scrubjay.store.lancedb.publishing_process import ChildPublisher, PublishingProcess
from scrubjay.store.lancedb.publishing_requests import PublisherAt
from scrubjay.store.lancedb.tables import WORKSPACES
from scrubjay.store.local_index_export import LocalIndexExport
from support.hostile_memory import HostileMemory
from support.memory_used import peak, peak_from_now
from support.shared_memory import NAME, Asker
from support.vault import TIMEOUT, add, write_notes

MB = 2**20
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the memory used is read in /proc")
_MOST_MEMORY = 350 * MB
"""Bytes that the process may take: more than the library, and less than what is planted."""
_PLANTED = 400 * MB
"""Bytes of a planted value."""


@pytest.fixture
def process() -> Iterator[PublishingProcess]:
    process = PublishingProcess(_MOST_MEMORY)
    yield process
    process.close()


@pytest.fixture
def at(place: SharedPlace) -> PublisherAt:
    return PublisherAt(
        place,
        key="",
        is_local_only=False,
        limits=EngineLimits(),
        name=NAME,
        title="Notes",
        computer=ComputerId("one", "one"),
    )


@pytest.fixture
def publisher(process: PublishingProcess, at: PublisherAt) -> ChildPublisher:
    """Publishes in a memory that it has begun."""
    publisher = ChildPublisher(process, lambda: at)
    publisher.begin()
    return publisher


@pytest.fixture
def file(engine: Engine, paths: Paths, notes: Path) -> Path:
    """The index of the notes."""
    workspace = add(engine, notes)
    engine.refresh(workspace).result(TIMEOUT)
    return paths.indexes / f"{workspace.id}.sqlite"


def publish(
    publisher: ChildPublisher,
    file: Path,
    on_pending: Callable[[int], object] = lambda _: None,
    cancel: CancelToken | None = None,
) -> bool:
    """Whether an index was published."""
    index = LocalIndexExport.open(file)
    assert index is not None
    with closing(index):
        return publisher.publish(
            index, file, cancel or CancelToken(), on_pending, is_wanted=True, is_first=False
        )


def test_a_folder_is_published_by_the_process(
    publisher: ChildPublisher, file: Path, asker: Asker
) -> None:
    pending: list[int] = []
    assert publish(publisher, file, pending.append)
    assert pending == [3, 0]
    assert asker.paths("tomatoes") == ["garden.md"]
    assert publisher.record is not None
    assert (publisher.record.title, publisher.record.documents) == ("Notes", 3)
    looked = publisher.look()
    assert looked.record is not None
    assert (looked.record.documents, looked.left_overs) == (3, 0)
    assert publisher.withdraw()
    assert publisher.look().record is None


def test_it_gives_way_to_other_programs(
    process: PublishingProcess, publisher: ChildPublisher
) -> None:
    if sys.platform == "win32":
        lower = psutil.BELOW_NORMAL_PRIORITY_CLASS
    else:
        lower = min(psutil.Process().nice() + 5, 19)
    assert process.pid is not None
    assert psutil.Process(process.pid).nice() == lower


def test_another_publisher_is_named(publisher: ChildPublisher, file: Path, at: PublisherAt) -> None:
    """The lease is that of a process that was killed with it."""
    process = PublishingProcess()
    anna = replace(at, computer=ComputerId("two", "Anna"))
    with pytest.raises(SharedUnavailable, match="crashed"):
        # Its first sign of life ends it, while it holds the lease.
        publish(ChildPublisher(process, lambda: anna), file, lambda _: process.close())
    assert not publish(publisher, file)
    assert publisher.holder == "Anna"


def test_a_publication_is_cancelled(
    publisher: ChildPublisher, engine: Engine, file: Path, notes: Path
) -> None:
    # More than are written at once.
    write_notes(notes, {f"many/{number}.md": f"Note {number}\n" for number in range(1_600)})
    engine.refresh(engine.workspaces()[0]).result(TIMEOUT)
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        publish(publisher, file, lambda _: cancel.cancel(), cancel)
    # The process itself goes on, and has given the lease back.
    assert publish(publisher, file)


class EarlyToken(CancelToken):
    """Cancels before a request is sent, where a cancel is passed on already."""

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        with super().calling(callback):
            self.cancel()
            yield


def test_a_publication_is_cancelled_just_before_it_is_asked_for(
    publisher: ChildPublisher, file: Path
) -> None:
    with pytest.raises(Cancelled):
        publish(publisher, file, cancel=EarlyToken())


@on_linux
@pytest.mark.parametrize("column", ["path", "digest", "record"])
def test_a_value_that_fills_the_memory_does_not_reach_the_app(
    column: str, publisher: ChildPublisher, process: PublishingProcess, file: Path, asker: Asker
) -> None:
    assert publish(publisher, file)
    memory = HostileMemory(Path(asker.address.place.uri))
    rows = memory.chunks.to_pylist()
    value: object = b"x" * _PLANTED
    if isinstance(rows[0][column], str):
        value = "x" * _PLANTED
    memory.write_chunks([{**rows[0], column: value}, *rows[1:]])
    del value
    before = peak_from_now()
    assert publish(publisher, file)
    assert peak() - before < 50 * MB
    assert asker.paths("tomatoes") == ["garden.md"]


@on_linux
def test_a_list_of_workspaces_that_fills_the_memory_is_told(
    publisher: ChildPublisher, file: Path, asker: Asker
) -> None:
    assert publish(publisher, file)
    memory = HostileMemory(Path(asker.address.place.uri))
    memory.write_entries({"title": "x" * _PLANTED})
    before = peak_from_now()
    with pytest.raises(SharedUnavailable, match="damaged or too large"):
        publish(publisher, file)
    assert peak() - before < 50 * MB
    # The next process answers.
    memory.write(WORKSPACES, [memory.entry])
    assert publish(publisher, file)
