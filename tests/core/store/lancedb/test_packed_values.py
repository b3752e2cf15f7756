"""Rows of a shared memory that are small on the disk and would fill the memory when unpacked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from scrubjay.errors import SharedUnavailable
from scrubjay.records.search_modes import Mode
from scrubjay.store.index_records import Filters
from scrubjay.store.lancedb.lancedb_library import load_lancedb
from scrubjay.store.lancedb.shared_reader import SharedReader, SharedView
from support.hostile_memory import HostileMemory
from support.shared_memory import NAME, Asker, Sharer
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory used is read in /proc")

MB = 1024 * 1024

READ = """
import sys
import lancedb
from scrubjay.store.lancedb import checked_rows

def peak():
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

table = lancedb.connect(sys.argv[1]).open_table("packed")
list(table.search().where("id = 0").select(["id"]).to_batches(1))
before = peak()
try:
    query = table.search().where("id >= 0").select(["id", "value"])
    rows = checked_rows.bounded_rows(query, 16 * 1024 * 1024)
    print("read", rows.nbytes)
except checked_rows.TooManyBytes:
    print("refused")
print(peak() - before)
"""


def write_packed(folder: Path, value: pa.Array, rows: int) -> int:
    """A table of so many rows with one value; the bytes that it takes on the disk."""
    schema = pa.schema([pa.field("id", pa.int64()), pa.field("value", value.type)])

    def batches() -> Any:
        for start in range(0, rows, 100):
            ids = pa.array(range(start, start + 100), pa.int64())
            yield pa.record_batch([ids, pa.concat_arrays([value] * 100)], schema=schema)

    load_lancedb().connect(folder).create_table("packed", batches(), schema=schema)
    return sum(file.stat().st_size for file in folder.rglob("*.lance") if file.is_file())


def test_what_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    rows = 1_200
    packed = write_packed(tmp_path, pa.array([b"x" * (MB // 4)]), rows)
    assert packed < 10 * MB
    ran = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path)], capture_output=True, text=True, timeout=TIMEOUT
    )
    assert ran.returncode == 0, ran.stderr
    said, grown = ran.stdout.split("\n")[:2]
    assert said == "refused"
    # All of it, without copies, would be 300.
    assert int(grown) < 250


@pytest.fixture
def memory(sharer: Sharer, notes: Path) -> HostileMemory:
    write_notes(notes, {"food.md": "# Food\n\nCows need water.\n"})
    assert sharer.publish()
    return HostileMemory(Path(sharer.store.place.uri))


@pytest.mark.limits(answer_bytes=MB)
def test_a_memory_of_packed_values_is_told_as_damaged(memory: HostileMemory, asker: Asker) -> None:
    assert asker.paths("tomatoes", Mode.LEXICAL) == ["garden.md"]
    rows = memory.chunks.to_pylist()
    # As much of it as a test can write: the limit is as small.
    memory.write_chunks([{**row, "record": b"x" * MB} for row in rows])
    with pytest.raises(SharedUnavailable, match="files are damaged"):
        asker.hits("tomatoes", Mode.LEXICAL)


class Listener:
    """Keeps what a view was told to be wrong."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    def view_failed(self, _: SharedView, error: SharedUnavailable) -> None:
        self.failures.append(str(error))

    def view_damaged(self, _: SharedView, *, passages: int, words: int) -> None:
        raise AssertionError((passages, words))


@pytest.mark.parametrize("is_too_large", [True, False])
@pytest.mark.limits(answer_bytes=MB)
def test_only_files_that_another_publication_may_have_replaced_are_looked_for_again(
    memory: HostileMemory, asker: Asker, is_too_large: bool
) -> None:
    """What is too large ends the process that reads it, each time that it is tried."""
    listener = Listener()
    view = SharedView(asker.view.store, NAME, listener)
    reader = SharedReader.open(view)
    assert reader is not None
    if is_too_large:
        memory.write_chunks([{**row, "record": b"x" * MB} for row in memory.chunks.to_pylist()])
        view.outdate()
        assert reader.refresh()
    else:
        for folder in Path(asker.address.place.uri).glob("*.chunks.lance/data"):
            shutil.rmtree(folder)
    with pytest.raises(SharedUnavailable):
        reader.first_chunks(Filters(), 3)
    assert bool(listener.failures) is is_too_large
    reader.close()


def test_stems_that_take_more_than_their_number_allows_are_refused(
    memory: HostileMemory, asker: Asker
) -> None:
    stems = memory.stems.to_pylist()
    long = [{"stem": f"{number}{'x' * MB}", "chunks": 1, "step": 1} for number in range(3)]
    memory.write(memory.entry["stems_table"], [*stems, *long])
    with pytest.raises(SharedUnavailable, match="files are damaged"):
        asker.hits("tomatoes", Mode.LEXICAL)


def test_a_list_of_files_that_would_fill_the_memory_is_not_read(
    memory: HostileMemory, tmp_path: Path, asker: Asker
) -> None:
    [folder] = Path(asker.address.place.uri).glob(f"{memory.entry['chunks_table']}.lance/_versions")
    with next(folder.glob("*.manifest")).open("r+b") as file:
        file.truncate(65 * MB)  # takes no room
    with pytest.raises(SharedUnavailable, match="files are damaged"):
        asker.hits("tomatoes", Mode.LEXICAL)


@pytest.mark.needs("links")
def test_a_file_that_a_publisher_renames_meanwhile_hides_no_table(
    memory: HostileMemory, asker: Asker
) -> None:
    """A link that leads nowhere: its size can be asked as little as that of a file that is gone."""
    [folder] = Path(asker.address.place.uri).glob(f"{memory.entry['chunks_table']}.lance/_versions")
    (folder / ".tmp_renamed").symlink_to("nowhere")
    assert asker.hits("tomatoes", Mode.LEXICAL)
