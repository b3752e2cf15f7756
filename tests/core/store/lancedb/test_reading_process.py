"""The process that reads shared memories, whose memory is limited."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pyarrow as pa
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.platform.child_process import process_memory
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import SharedPlace
from scrubjay.store.lancedb.reading_process import ReadingProcess
from scrubjay.store.lancedb.shared_store import ReadFailed
from scrubjay.store.lancedb.table_reads import TableRead
from scrubjay.store.lancedb.tables import WORKSPACES
from support.hostile_memory import HostileMemory
from support.memory_used import peak, peak_from_now
from support.object_storage import KEY, bucket
from support.shared_memory import Asker, Sharer
from support.vault import TIMEOUT
from support.waiting import wait_until

MB = 1024 * 1024
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the memory used is read in /proc")


@pytest.fixture
def process() -> ReadingProcess:
    return ReadingProcess()


@pytest.fixture
def reading(engine: Engine, place: SharedPlace, process: ReadingProcess) -> Iterator[Asker]:
    """Searches a memory that the process reads."""
    asker = Asker(engine, place, tables=process)
    with contextlib.suppress(SharedUnavailable):
        asker.view.store.open()  # loading the library takes longer than a search may
    yield asker
    asker.close()


@pytest.fixture
def memory(sharer: Sharer) -> HostileMemory:
    assert sharer.publish()
    return HostileMemory(Path(sharer.store.place.uri))


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.VECTOR, Mode.HYBRID])
@pytest.mark.parametrize("text", ["tomatoes", '"plant tomatoes" OR train', "-train garden"])
def test_it_finds_what_this_process_finds(
    sharer: Sharer, asker: Asker, reading: Asker, text: str, mode: Mode
) -> None:
    assert sharer.publish()
    assert reading.hits(text, mode) == asker.hits(text, mode)


def test_a_whole_note_and_what_is_new_are_read(sharer: Sharer, notes: Path, reading: Asker) -> None:
    assert sharer.publish()
    assert "tomatoes" in (reading.reader().text("garden.md") or "")
    (notes / "new.md").write_text("The zither is in the attic.\n", encoding="utf-8")
    assert sharer.publish()
    assert reading.paths("zither") == ["new.md"]


def test_a_memory_that_is_not_there_is_told(reading: Asker) -> None:
    with pytest.raises(SharedUnavailable, match="There is no shared memory"):
        reading.hits("tomatoes")


@on_linux
def test_a_value_that_takes_all_memory_ends_the_process_and_nothing_else(
    memory: HostileMemory, reading: Asker, process: ReadingProcess
) -> None:
    assert reading.paths("tomatoes") == ["garden.md"]
    first = process.pid
    rows = memory.chunks.to_pylist()
    memory.write_chunks(
        [{**row, "record": b"x" * (200 * MB)} for row in rows if row["path"] == "garden.md"]
    )
    process.limit(150 * MB + taken_by(process))
    before = peak_from_now()
    with pytest.raises(SharedUnavailable, match="damaged or too large") as raised:
        reading.hits("tomatoes", Mode.LEXICAL)
    assert raised.value.is_of_workspace
    assert peak() - before < 50 * MB

    # The next process answers.
    memory.write_chunks(rows)
    reading.view.store.open()
    assert reading.paths("tomatoes") == ["garden.md"]
    assert process.pid not in (None, first)


@on_linux
def test_a_question_that_another_one_took_the_process_from_is_asked_again(
    memory: HostileMemory, place: SharedPlace, process: ReadingProcess
) -> None:
    connection = {"uri": place.uri}
    table = process.open(connection, WORKSPACES)
    assert table is not None
    rows = memory.chunks.to_pylist()
    large_rows = [{**row, "record": b"x" * (200 * MB)} for row in rows[:1]]
    memory.db.create_table("large", pa.Table.from_pylist(large_rows, schema=memory.chunks.schema))
    large = process.open(connection, "large")
    assert large is not None
    process.limit(150 * MB + taken_by(process))
    with ThreadPoolExecutor() as pool:
        bad = pool.submit(large.read, TableRead(["record"]), 256 * MB)
        good = [pool.submit(table.read, TableRead(["name"]), MB) for _ in range(20)]
        assert {each.result(TIMEOUT)["name"].to_pylist()[0] for each in good} == {"notes"}
        with pytest.raises(ReadFailed, match="damaged or too large"):
            bad.result(TIMEOUT)


@on_linux
def test_a_list_of_files_in_object_storage_that_fills_the_memory_is_told(
    memory: HostileMemory, engine: Engine, place: SharedPlace, storage: str, process: ReadingProcess
) -> None:
    asker = Asker(engine, bucket(storage, "lists"), tables=process)
    upload(Path(place.uri), storage, "lists")
    asker.view.store.open()
    assert asker.paths("tomatoes") == ["garden.md"]
    versions = Path(place.uri, f"{memory.entry['chunks_table']}.lance", "_versions")
    # The names of the library's lists begin with the newest one.
    newest = min(versions.glob("*.manifest"))
    inflate(newest, 80 * MB)
    upload(Path(place.uri), storage, "lists")
    process.limit(40 * MB + taken_by(process))
    before = peak_from_now()
    with pytest.raises(SharedUnavailable, match=r"damaged or too large|in time"):
        asker.hits("tomatoes", Mode.LEXICAL)
    assert peak() - before < 20 * MB
    asker.close()


def test_the_process_ends_with_what_asks_it(memory: HostileMemory, place: SharedPlace) -> None:
    process = ReadingProcess()
    assert process.open({"uri": place.uri}, WORKSPACES) is not None
    pid = process.pid
    assert pid is not None
    del process
    wait_until(lambda: not psutil.pid_exists(pid))


def inflate(manifest: Path, size: int) -> None:
    """Give a list of files a field that nobody knows, of so many bytes."""
    data = manifest.read_bytes()
    start = int.from_bytes(data[-16:-8], "little")
    length = int.from_bytes(data[start : start + 4], "little")
    listed = data[start + 4 : start + 4 + length]
    # The number of the field, 1,000, and that bytes follow; then their number.
    field = varint(1_000 << 3 | 2) + varint(size)
    whole = (length + len(field) + size).to_bytes(4, "little") + listed + field + bytes(size)
    manifest.write_bytes(data[:start] + whole + data[-16:])


def varint(number: int) -> bytes:
    """A number as Protocol Buffers write it."""
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def upload(folder: Path, storage: str, name: str) -> None:
    """Copy all files of a folder into a bucket."""
    import boto3  # comes with the emulator

    key, secret = KEY.split(":")
    client = boto3.client(
        "s3",
        region_name="us-east-1",
        endpoint_url=storage,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
    )
    for file in folder.rglob("*"):
        if file.is_file():
            client.upload_file(str(file), name, f"memory/{file.relative_to(folder).as_posix()}")


def taken_by(process: ReadingProcess) -> int:
    """Bytes of memory that the process has taken."""
    assert process.pid is not None
    return process_memory(process.pid)
