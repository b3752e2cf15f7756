"""Documents such as PDF files that wait to be read. A single one may take minutes.

They are read one after the other on their own thread, while the index thread does other work.
Pictures have a queue of their own, which is read when nothing else is left.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.documents.document_converter import TextSource
from scrubjay.errors import Cancelled, PicturesRest
from scrubjay.notes.note_reader import NoteUnreadable, NoText, Outcome, read_document
from scrubjay.notes.scan import FoundFile

_ROUND_S = 0.15
"""Seconds for which quick documents are read, before they are written together."""
_MOST_A_ROUND = 64
"""Documents that are read in one round at most."""
_AGAIN_S = 60.0
"""Seconds after which a document that could not be read is tried again, if it did not change."""
_SETTLED_NS = 2_000_000_000
"""Nanoseconds in which a file may change again in the tick of the clock in which it was read."""


class WaitingDocument(Struct, frozen=True):
    """A document that waits to be read."""

    file: FoundFile
    compared_ns: int
    """Time when disk and index had been compared before it was found; 0 if its text is not a
    change of it, as in a folder that is read for the first time."""
    former: str = ""
    """Label under which the index still has it, if it was renamed; empty if not."""


class ReadDocument(Struct, frozen=True):
    """A document that was read or could not be read."""

    waiting: WaitingDocument
    outcome: Outcome
    read_ns: int
    """Time before it was read, on the clock of file times."""


class ReadRound(Struct, frozen=True):
    """What became of the first documents of a queue."""

    read: Sequence[ReadDocument] = ()
    resting: Sequence[str] = ()
    """Labels of those whose pictures cannot be read now."""


NOTHING_READ = ReadRound()
"""Result while the next document is being read."""


class TextSources(Protocol):
    """Where the texts of files come from."""

    def of(self, file: FoundFile) -> TextSource:
        """The source of the text of a file."""


class OneSource(Struct, frozen=True):
    """One source for all files."""

    source: TextSource

    def of(self, _: FoundFile) -> TextSource:
        """The source."""
        return self.source


class DocumentQueue:
    """Documents of one folder, in the order in which they were found. For the index thread."""

    def __init__(self, threads: Executor, sources: TextSources) -> None:
        """A queue without documents."""
        self._sources = sources
        self.is_used = False
        """Whether the folder ever had a document."""
        self._threads = threads
        self._waiting: dict[str, WaitingDocument] = {}
        self._refused: dict[FoundFile, tuple[NoteUnreadable, float]] = {}
        """Reasons why documents have no text, and times of the next attempt, by file."""
        self._reading: Future[ReadRound] | None = None
        self._round: Sequence[WaitingDocument] = ()
        """Documents of the round that is read."""
        self._cancel = CancelToken()

    def __len__(self) -> int:
        """Number of the documents that wait."""
        return len(self._waiting)

    @property
    def files(self) -> Sequence[FoundFile]:
        """The documents that wait, the next one first."""
        return [waiting.file for waiting in self._waiting.values()]

    @property
    def formers(self) -> set[str]:
        """Labels under which the index has documents that were renamed and wait."""
        return {waiting.former for waiting in self._waiting.values() if waiting.former}

    def update(
        self,
        files: Iterable[FoundFile],
        present: Mapping[str, FoundFile],
        compared_ns: int,
        moved: Mapping[str, str] = MappingProxyType({}),
        *,
        force: bool = False,
    ) -> list[tuple[FoundFile, NoteUnreadable]]:
        """Add documents after those that wait, as far as these are still present.

        Moved has the former labels of those that were renamed. The result are documents that could
        not be read as they are, which are not tried again now unless by force.
        """
        self.is_used = True
        now = time.monotonic()
        # Whatever changed, disappeared or has waited long enough is tried again.
        self._refused = {
            file: (reason, until)
            for file, (reason, until) in self._refused.items()
            if present.get(file.label) == file and until > now and not force
        }
        # The others keep their place in the queue, with their latest size and time.
        self._waiting = {
            label: WaitingDocument(present[label], waiting.compared_ns, moved.get(label, ""))
            for label, waiting in self._waiting.items()
            if label in present
        }
        # Nobody waits for a round whose documents are all gone.
        if self._reading and not self._has_waiting(self._round):
            self._cancel.cancel()
        # A document that waits already keeps its place.
        refused: list[tuple[FoundFile, NoteUnreadable]] = []
        for file in files:
            if file in self._refused:
                refused.append((file, self._refused[file][0]))
            elif file.label not in self._waiting:
                former = moved.get(file.label, "")
                self._waiting[file.label] = WaitingDocument(file, compared_ns, former)
        return refused

    def add(self, document: WaitingDocument) -> None:
        """Add a document after those that wait, unless it waits or was refused already."""
        self.is_used = True
        if document.file not in self._refused:
            self._waiting.setdefault(document.file.label, document)

    def read(self, io_timeout: IoTimeout, seconds: float) -> ReadRound:
        """Documents that were read within a number of seconds; none if the next takes longer.

        Reading continues in the background, even if no caller is waiting.
        """
        # A round that was begun earlier continues; only its end is waited for.
        if self._reading is None:
            self._round = [*islice(self._waiting.values(), _MOST_A_ROUND)]
            work = partial(
                _read, self._round, self._sources, io_timeout=io_timeout, cancel=self._cancel
            )
            self._reading = self._threads.submit(work)
        wait([self._reading], seconds)
        if not self._reading.done():
            return NOTHING_READ
        reading = self._reading
        self._reading = None
        try:
            done = reading.result()
        except Cancelled:
            self._cancel = CancelToken()
            return NOTHING_READ
        # What was deleted or excluded meanwhile is not wanted any more.
        read = [each for each in done.read if each.waiting.file.label in self._waiting]
        for document in read:
            self._settle(document)
        # What has to rest does not keep others waiting.
        for label in done.resting:
            if label in self._waiting:
                self._waiting[label] = self._waiting.pop(label)
        return ReadRound(read, done.resting)

    def stop(self) -> None:
        """Stop reading the next document; it waits again. For any thread."""
        self._cancel.cancel()

    def _has_waiting(self, documents: Iterable[WaitingDocument]) -> bool:
        return any(each.file.label in self._waiting for each in documents)

    def _settle(self, document: ReadDocument) -> None:
        file = document.waiting.file
        label = file.label
        if self._waiting.get(label) == document.waiting:
            del self._waiting[label]
        elif label in self._waiting:
            # It changed meanwhile. One that changes all the time must not keep others waiting.
            self._waiting[label] = self._waiting.pop(label)
        # What is certainly without text is not tried again until it changes.
        if isinstance(document.outcome, NoteUnreadable):
            is_final = isinstance(document.outcome, NoText)
            is_settled = document.read_ns - file.mtime_ns > _SETTLED_NS
            until = time.monotonic() + _AGAIN_S
            if is_final and is_settled:
                until = math.inf
            self._refused[file] = document.outcome, until


def _read(
    documents: Sequence[WaitingDocument],
    sources: TextSources,
    *,
    io_timeout: IoTimeout,
    cancel: CancelToken,
) -> ReadRound:
    """The first documents, as many as are quickly read. Raises Cancelled."""
    # At least one, however slow it is.
    until = time.monotonic() + _ROUND_S
    read: list[ReadDocument] = []
    resting: list[str] = []
    for document in documents:
        began_ns = time.time_ns()
        file = document.file
        try:
            outcome = read_document(file, sources.of(file), io_timeout=io_timeout, cancel=cancel)
            read.append(ReadDocument(document, outcome, read_ns=began_ns))
        except PicturesRest:
            resting.append(file.label)
        if time.monotonic() >= until:
            break
    return ReadRound(read, resting)
