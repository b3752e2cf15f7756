"""Documents such as PDF that wait to be read, which may take minutes for one of them.

They are read one after the other on a thread of their own, while the index thread does other work.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from itertools import islice

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.errors import Cancelled
from scrubjay.notes.note_reader import NoteUnreadable, NoText, Outcome, read_document
from scrubjay.notes.scan import FoundFile

_ROUND_S = 0.15
"""Quick documents are read for so long, and then written together."""
_MOST_A_ROUND = 64
_AGAIN_S = 60.0
"""After so long a document that could not be read is tried again, if it did not change."""
_SETTLED_NS = 2_000_000_000
"""A file may change again in the tick of the clock in which it was read, until so much later."""


class WaitingDocument(Struct, frozen=True):
    """A document that is to be read."""

    file: FoundFile
    compared_ns: int
    """Time when disk and index had been compared before it was found; 0 where its text is no change
    of it, as in a folder that is read for the first time."""


class ReadDocument(Struct, frozen=True):
    """A document that was read, or could not be."""

    waiting: WaitingDocument
    outcome: Outcome
    read_ns: int
    """On the clock of file times; before it was read."""


class DocumentQueue:
    """Documents of one folder, in the order in which they were found. For the index thread."""

    def __init__(self, threads: Executor) -> None:
        """Nothing waits yet."""
        self._threads = threads
        self._waiting: dict[str, WaitingDocument] = {}
        self._refused: dict[FoundFile, tuple[NoteUnreadable, float]] = {}
        """Why documents have no text, and until when they are not tried again."""
        self._reading: Future[list[ReadDocument]] | None = None
        self._cancel = CancelToken()

    def __len__(self) -> int:
        """Number of the documents that wait."""
        return len(self._waiting)

    @property
    def labels(self) -> Sequence[str]:
        """Those of the documents that wait, the next one first."""
        return tuple(self._waiting)

    def update(
        self,
        files: Iterable[FoundFile],
        present: Mapping[str, FoundFile],
        compared_ns: int,
        *,
        force: bool = False,
    ) -> list[tuple[FoundFile, NoteUnreadable]]:
        """Take documents in after those that wait, as far as these are still present.

        The result are documents that could not be read as they are, which are not tried again now
        unless by force.
        """
        now = time.monotonic()
        self._refused = {
            file: (reason, until)
            for file, (reason, until) in self._refused.items()
            if present.get(file.label) == file and until > now and not force
        }
        self._waiting = {
            label: WaitingDocument(present[label], waiting.compared_ns)
            for label, waiting in self._waiting.items()
            if label in present
        }
        refused: list[tuple[FoundFile, NoteUnreadable]] = []
        for file in files:
            if file in self._refused:
                refused.append((file, self._refused[file][0]))
            elif file.label not in self._waiting:
                self._waiting[file.label] = WaitingDocument(file, compared_ns)
        return refused

    def read(self, io_timeout: IoTimeout, seconds: float) -> list[ReadDocument]:
        """Documents that were read within so many seconds; none while the next one takes longer.

        It is read on meanwhile, also when nobody waits.
        """
        if self._reading is None:
            documents = [*islice(self._waiting.values(), _MOST_A_ROUND)]
            self._reading = self._threads.submit(_read, documents, io_timeout, self._cancel)
        wait([self._reading], seconds)
        if not self._reading.done():
            return []
        reading, self._reading = self._reading, None
        try:
            documents_read = reading.result()
        except Cancelled:
            self._cancel = CancelToken()
            return []
        for document in documents_read:
            self._settle(document)
        return documents_read

    def stop(self) -> None:
        """Stop reading the next document; it waits again. For any thread."""
        self._cancel.cancel()

    def _settle(self, document: ReadDocument) -> None:
        file, label = document.waiting.file, document.waiting.file.label
        if self._waiting.get(label) == document.waiting:
            del self._waiting[label]
        elif label in self._waiting:
            # It changed meanwhile. One that changes all the time must not keep others waiting.
            self._waiting[label] = self._waiting.pop(label)
        if isinstance(document.outcome, NoteUnreadable):
            is_final = isinstance(document.outcome, NoText)
            is_settled = document.read_ns - file.mtime_ns > _SETTLED_NS
            until = math.inf if is_final and is_settled else time.monotonic() + _AGAIN_S
            self._refused[file] = document.outcome, until


def _read(
    documents: Sequence[WaitingDocument], io_timeout: IoTimeout, cancel: CancelToken
) -> list[ReadDocument]:
    """The first documents, as many as are quickly read. Raises Cancelled."""
    until = time.monotonic() + _ROUND_S
    read: list[ReadDocument] = []
    for document in documents:
        began_ns = time.time_ns()
        outcome = read_document(document.file, io_timeout, cancel)
        read.append(ReadDocument(document, outcome, began_ns))
        if time.monotonic() >= until:
            break
    return read
