"""An index whose file lost pages is never taken for a whole one."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest

from scrubjay.errors import IndexCorrupt
from scrubjay.store.index_file import open_reader, open_writer
from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer
from support.documents import document, publish

PAGE = 16_384
CUTS = [1, 7, 8, 100, 4_000, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 1, 2 * PAGE, 5 * PAGE]


@pytest.fixture
def whole(writer: Writer, file: Path) -> bytes:
    """The content of a complete index, without a log."""
    publish(writer, *(document(f"{number}.md", f"note {number}") for number in range(20)))
    writer.shrink()
    writer.close()
    return file.read_bytes()


@pytest.mark.parametrize("lost", CUTS)
def test_a_cut_of_any_length_is_found_when_an_index_is_opened(
    file: Path, whole: bytes, lost: int
) -> None:
    file.write_bytes(whole[:-lost])
    for kind in (Reader, Writer):
        with pytest.raises(IndexCorrupt):
            kind.open(file)


@pytest.mark.parametrize("lost", CUTS)
def test_a_cut_is_found_while_the_log_holds_something(file: Path, whole: bytes, lost: int) -> None:
    with contextlib.closing(Writer.open(file)) as writer:
        publish(writer, document("new.md", "one more"))
        file.write_bytes(file.read_bytes()[:-lost])
        with pytest.raises(IndexCorrupt):
            open_reader(file)


@pytest.mark.parametrize("lost", CUTS)
def test_a_cut_is_found_by_those_who_have_the_index_open(
    file: Path, whole: bytes, lost: int
) -> None:
    with (
        contextlib.closing(Writer.open(file)) as writer,
        contextlib.closing(Reader.open(file)) as reader,
    ):
        assert not reader.is_empty()
        file.write_bytes(whole[:-lost])
        with pytest.raises(IndexCorrupt):
            reader.is_empty()
        with pytest.raises(IndexCorrupt), writer.transaction():
            writer.note("key", "value")


def test_pages_that_are_still_in_the_log_are_not_missing(file: Path, whole: bytes) -> None:
    with contextlib.closing(Writer.open(file)) as writer:
        publish(writer, *(document(f"new{number}.md", "one more " * 500) for number in range(300)))
        assert file.stat().st_size == len(whole)
        with contextlib.closing(Reader.open(file)) as reader:
            assert not reader.is_empty()
        with writer.transaction():
            writer.remove([f"new{number}.md" for number in range(300)])
        writer.shrink()
        with writer.transaction():
            writer.note("key", "value")


@pytest.mark.skipif(sys.platform != "linux", reason="the list of locks is Linux's")
def test_a_writer_leaves_the_locks_of_readers_of_its_process(file: Path, whole: bytes) -> None:
    """Whoever closes a file takes away all locks that the process has on it."""
    with contextlib.closing(open_reader(file)):
        before = _locks(file)
        assert before
        open_writer(file).close()
        assert _locks(file) == before


def _locks(file: Path) -> list[str]:
    inode = file.stat().st_ino
    locks = Path("/proc/locks").read_text().splitlines()
    return [lock.partition(": ")[2] for lock in locks if f":{inode} " in lock]
