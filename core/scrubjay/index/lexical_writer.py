"""Words of files on their way into an index, some files in each transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.index.document_builder import new_document
from scrubjay.index.progress import PassReport
from scrubjay.notes.chunker import ChunkSizes
from scrubjay.notes.note_reader import NoteUnreadable, Outcome
from scrubjay.notes.scan import FoundFile, printable
from scrubjay.records.search_records import SkippedFile
from scrubjay.store.rows import KnownDocument, NewDocument
from scrubjay.store.writer import Writer

T = TypeVar("T")

_PREPARED_SECONDS = 0.15
"""Files are read and cut for so long, then written in one transaction."""


class LexicalWriter:
    """Writes files that were read into the index, and counts them."""

    def __init__(
        self, writer: Writer, sizes: ChunkSizes, counts: PassReport, scanned_ns: int
    ) -> None:
        """Scanned_ns is the time of the scan in nanoseconds, on the clock of file times."""
        self._writer = writer
        self._sizes = sizes
        self._counts = counts
        self._scanned_ns = scanned_ns

    def publish(
        self,
        notes: Iterable[tuple[FoundFile, Outcome]],
        documents: Mapping[str, KnownDocument],
        cancel: CancelToken,
        report: Callable[[int, str], None],
    ) -> Iterator[int]:
        """Yield the number of changed files after each transaction with any.

        Report gets the number of files done, and the label of the last. Raises Cancelled; earlier
        transactions stay.
        """
        done = 0
        prepared = ((file, self._prepared(file, note, documents)) for file, note in notes)
        for batch in _timed(prepared, _PREPARED_SECONDS):
            # Read before the transaction: a drive that hangs must not keep another writer waiting.
            ready = list(batch)
            changed = 0
            with self._writer.transaction():
                for file, write in ready:
                    cancel.check()
                    changed += write()
                    done += 1
                    report(done, file.label)
            self._counts.changed += changed
            if changed:
                yield changed

    def _prepared(
        self, file: FoundFile, note: Outcome, documents: Mapping[str, KnownDocument]
    ) -> Callable[[], bool]:
        """Chunk a file; the result writes it, and returns False when the index holds it already."""
        if isinstance(note, FileNotFoundError):
            return _nothing  # the next pass sees that it is gone
        if isinstance(note, NoteUnreadable):
            # The index keeps its record: the file may only be locked for now.
            self._skip(file, note)
            return _nothing
        before = documents.get(file.label)
        as_now = (note.sha256, self._sizes.identity)
        if before is not None and (before.sha256, before.chunking) == as_now:
            return partial(self._touch, file, note.mtime_ns)
        try:
            new = new_document(file, note, self._sizes)
        except NoteUnreadable as error:
            self._skip(file, error)
            return partial(self._remove, file, was_known=before is not None)
        return partial(self._replace, new)

    def _touch(self, file: FoundFile, mtime_ns: int) -> bool:
        self._writer.touch(file.label, mtime_ns, indexed_ns=self._scanned_ns)
        self._counts.unchanged += 1
        return False

    def _remove(self, file: FoundFile, *, was_known: bool) -> bool:
        self._writer.remove([file.label])
        return was_known

    def _replace(self, new: NewDocument) -> bool:
        self._writer.replace(new, indexed_ns=self._scanned_ns)
        self._counts.chunks += len(new.chunks)
        return True

    def _skip(self, file: FoundFile, reason: NoteUnreadable) -> None:
        self._counts.skipped.append(
            SkippedFile(printable(file.label), str(reason), is_problem=True)
        )


def _nothing() -> bool:
    return False


def _timed(items: Iterable[T], seconds: float) -> Iterator[Iterator[T]]:
    """All items in order, in iterators that end once working through one has taken so long."""
    waiting = iter(items)

    def batch(first: T) -> Iterator[T]:
        until = time.monotonic() + seconds
        yield first
        if time.monotonic() < until:
            for item in waiting:
                yield item
                if time.monotonic() >= until:
                    return

    for first in waiting:
        yield batch(first)
