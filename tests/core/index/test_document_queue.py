"""Documents that wait: in order, each in its turn, and not again in vain."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.documents.document_converter import Converted, Converter
from scrubjay.index.document_queue import DocumentQueue, OneSource
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, NoText
from scrubjay.notes.scan import FoundFile
from scrubjay.records.note_records import Source
from support.odd_documents import slow_page
from support.vault import TIMEOUT, age


def document(folder: Path, name: str, content: bytes = b"<p>pears") -> FoundFile:
    file = folder / name
    file.write_bytes(content)
    age(file)
    status = file.stat()
    return FoundFile(name, file, Source.NOTES, status.st_mtime_ns, status.st_size)


def present(*files: FoundFile) -> dict[str, FoundFile]:
    return {file.label: file for file in files}


@pytest.fixture
def queue() -> Iterator[DocumentQueue]:
    with closing(Converter()) as converter:
        yield DocumentQueue(DaemonThreadPool("documents"), OneSource(converter))


def read(queue: DocumentQueue) -> list[str]:
    return [each.waiting.file.label for each in queue.read(IoTimeout(), TIMEOUT).read]


def read_all(queue: DocumentQueue) -> list[str]:
    labels: list[str] = []
    while len(queue):
        labels += read(queue)
    return labels


def test_documents_are_read_in_the_order_in_which_they_were_found(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    first, second, third = (document(tmp_path, f"{n}.html") for n in range(3))
    queue.update([second], present(second), 0)
    queue.update([third, first, second], present(first, second, third), 7)
    assert [file.label for file in queue.files] == ["1.html", "2.html", "0.html"]
    documents = queue.read(IoTimeout(), TIMEOUT).read
    assert documents[0].waiting.compared_ns == 0
    assert isinstance(documents[0].outcome, NoteBytes)
    assert b"pears" in documents[0].outcome.data


def test_a_slow_document_is_read_on_while_nobody_waits(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    slow, quick = (
        document(tmp_path, "slow.html", slow_page(times=200_000)),
        document(tmp_path, "quick.html"),
    )
    queue.update([slow, quick], present(slow, quick), 0)
    assert queue.read(IoTimeout(), 0.0).read == ()
    assert [file.label for file in queue.files] == ["slow.html", "quick.html"]
    assert read(queue) == ["slow.html"]
    assert read(queue) == ["quick.html"]


def test_what_has_no_text_is_not_read_again_before_it_changes(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    file = document(tmp_path, "a.docx", b"no archive")
    assert queue.update([file], present(file), 0) == []
    assert read_all(queue) == ["a.docx"]
    [(refused, reason)] = queue.update([file], present(file), 0)
    assert (refused, len(queue)) == (file, 0)
    assert isinstance(reason, NoText)
    changed = document(tmp_path, "a.docx", b"no archive either")
    assert queue.update([changed], present(changed), 0) == []
    assert read_all(queue) == ["a.docx"]
    assert queue.update([changed], present(changed), 0, force=True) == []
    assert [file.label for file in queue.files] == ["a.docx"]


def test_a_document_that_changes_all_the_time_keeps_no_other_waiting(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    files = [document(tmp_path, f"{n}.html", slow_page(str(n), times=200_000)) for n in range(2)]
    queue.update(files, present(*files), 0)
    queue.read(IoTimeout(), 0.0)
    changed = replace(files[0], size=1)
    queue.update([changed], present(changed, files[1]), 0)
    assert read(queue) == ["0.html"]
    assert [file.label for file in queue.files] == ["1.html", "0.html"]


def test_documents_that_are_gone_wait_no_longer(queue: DocumentQueue, tmp_path: Path) -> None:
    gone, there = document(tmp_path, "gone.html"), document(tmp_path, "there.html")
    queue.update([gone, there], present(gone, there), 0)
    queue.update([], present(there), 0)
    assert [file.label for file in queue.files] == ["there.html"]
    there.path.unlink()
    [last] = queue.read(IoTimeout(), TIMEOUT).read
    assert isinstance(last.outcome, FileNotFoundError)


def test_a_document_that_is_stopped_waits_again(queue: DocumentQueue, tmp_path: Path) -> None:
    file = document(tmp_path, "slow.html", slow_page(times=200_000))
    queue.update([file], present(file), 0)
    queue.read(IoTimeout(), 0.0)
    queue.stop()
    assert read(queue) == []
    assert [file.label for file in queue.files] == ["slow.html"]
    assert read_all(queue) == ["slow.html"]


def test_what_is_gone_while_it_is_read_is_not_published(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    gone, there = (document(tmp_path, f"{n}.html", slow_page(times=200_000)) for n in range(2))
    queue.update([gone, there], present(gone, there), 0)
    queue.read(IoTimeout(), 0.0)
    queue.update([], present(there), 0)
    assert read_all(queue) == ["1.html"]


class Endless:
    """A source that reads until it is told to stop."""

    def convert(self, _: bytes, name: str, cancel: CancelToken | None = None) -> Converted:
        while cancel and name == "endless.html":
            cancel.check()
            time.sleep(0.01)
        return Converted("pears", has_pictures=False)


def test_reading_stops_once_all_that_is_read_is_gone(tmp_path: Path) -> None:
    queue = DocumentQueue(DaemonThreadPool("documents"), OneSource(Endless()))
    endless, there = document(tmp_path, "endless.html"), document(tmp_path, "there.html")
    queue.update([endless], present(endless), 0)
    queue.read(IoTimeout(), 0.0)
    queue.update([there], present(there), 0)
    assert read_all(queue) == ["there.html"]


def test_a_drive_that_does_not_answer_is_asked_again_later(
    queue: DocumentQueue, tmp_path: Path
) -> None:
    file = document(tmp_path, "a.html")
    queue.update([file], present(file), 0)
    [answer] = queue.read(IoTimeout(seconds=0.0), TIMEOUT).read
    if isinstance(answer.outcome, NoteUnreadable):  # else it was quicker than no time at all
        assert "did not respond" in str(answer.outcome)
        assert len(queue.update([file], present(file), 0)) == 1
