"""Documents built from the bytes of files, and their words on the way into an index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.index.progress import PassReport
from scrubjay.messages import msg
from scrubjay.notes.chunker import ChunkSizes, ChunkText, chunk_document
from scrubjay.notes.markdown import find_date
from scrubjay.notes.media_types import media_hash, media_type, sniffed
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, Outcome, decode
from scrubjay.notes.scan import FoundFile, printable
from scrubjay.notes.transcripts import read_transcript
from scrubjay.records.search_records import SkippedFile, Source
from scrubjay.store.rows import KnownDocument, NewDocument
from scrubjay.store.writer import Writer

T = TypeVar("T")

_PREPARED_SECONDS = 0.15
"""Files are read and cut for so long, then written in one transaction."""


@dataclass(frozen=True)
class _MediaChunk(ChunkText):
    """An image or a recording: its words are those of its name, its vector that of its bytes."""

    key: bytes = b""

    @cached_property
    def sha256(self) -> bytes:
        return self.key


def new_document(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> NewDocument:
    """The document of a file. Raises NoteUnreadable when name and content disagree."""
    title, date = "", None
    chunks: Sequence[ChunkText]
    if file.source is Source.EXTRA and media_type(file.label):
        kind = check_media(file.label, note.data)
        chunks = (_MediaChunk(1, 1, "", file.path.name, media_hash(kind, note.data)),)
    else:
        if file.source is Source.SESSIONS:
            transcript = read_transcript(note.data)
            text, title = transcript.text, transcript.title
        else:
            text = decode(note.data)
        chunked = chunk_document(text, sizes)
        title = title or chunked.outline.title
        date, chunks = chunked.outline.date, chunked.chunks
    return NewDocument(
        path=file.label,
        file=file.path,
        source=file.source,
        sha256=note.sha256,
        mtime_ns=note.mtime_ns,
        size=note.size,
        title=title or file.path.stem,
        date=find_date(file.path.name[:10]) or date,
        chunking=sizes.identity,
        chunks=chunks,
    )


def check_media(name: str, data: bytes) -> str:
    """MIME type of an image or recording. Raises NoteUnreadable when name and bytes disagree."""
    kind = media_type(name)
    actual = sniffed(data)
    if actual != kind:
        if not actual:
            wrong = msg(
                "Its name says {kind}, but it is neither an image nor a recording.", kind=kind
            )
        else:
            wrong = msg("Its name says {kind}, but it holds {found}.", kind=kind, found=actual)
        raise NoteUnreadable(wrong)
    return kind


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
