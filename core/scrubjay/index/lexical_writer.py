"""Documents built from the bytes of files, and the writing of their words to an index."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from scrubjay.documents.media_types import media_hash, media_type, sniff_media_type
from scrubjay.index.passes import PassContext
from scrubjay.messages import msg
from scrubjay.notes.chunker import chunk_document
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, NoText, Outcome, decode_note
from scrubjay.notes.scan import FoundFile
from scrubjay.notes.transcripts import read_transcript
from scrubjay.records.chunks import ChunkSizes, ChunkText
from scrubjay.records.note_records import Source
from scrubjay.records.status_records import Progress
from scrubjay.store.index_records import KnownDocument, NewDocument
from scrubjay.text.file_kinds import is_picture
from scrubjay.text.markdown import find_date
from scrubjay.text.note_names import name_keys

_Prepared: TypeAlias = NewDocument | NoteBytes | NoteUnreadable | None
"""A document to write, the bytes of one that the index already holds, the reason why there no
longer is one, or None to leave the index as it is."""


class _MediaChunk(ChunkText, frozen=True, dict=True):
    """An image or a recording: its words are those of its name, its vector that of its bytes."""

    key: bytes = b""

    @cached_property
    def sha256(self) -> bytes:
        return self.key


def new_document(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> NewDocument:
    """The document of a file. Raises NoteUnreadable when name and content disagree."""
    read = _read(file, note, sizes)
    # Obsidian calls a note as its file, and finds it by its other names as well.
    title = "" if file.is_called_as_file else read.title
    # A day in the name of the file counts more than one in the text.
    return NewDocument(
        path=file.label,
        file=file.path,
        source=file.source,
        sha256=note.sha256,
        mtime_ns=note.mtime_ns,
        ctime_ns=note.ctime_ns,
        size=note.size,
        title=title or file.path.stem,
        date=find_date(file.path.stem) or read.date,
        chunking=file.chunking(sizes, with_pictures=note.has_pictures),
        chunks=read.chunks,
        tags=read.tags,
        names=name_keys(title, file.label, (read.title, *read.aliases)),
    )


class _Read(Struct, frozen=True):
    """What the bytes of a file say."""

    chunks: Sequence[ChunkText]
    title: str = ""
    date: dt.date | None = None
    tags: Sequence[str] = ()
    aliases: Sequence[str] = ()


def _read(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> _Read:
    """Chunks and facts of a note, document, conversation, image or recording."""
    # An image or a recording has one chunk that stands for it; its text is the file's name.
    if file.is_media:
        kind = check_media(file.label, note.data)
        chunk = _MediaChunk(
            first_line=1,
            last_line=1,
            heading="",
            text=file.path.name,
            key=media_hash(kind, note.data),
        )
        return _Read((chunk,))
    # Conversations quote code and headings of others.
    if file.source is Source.SESSIONS:
        transcript = read_transcript(note.data)
        chunked = chunk_document(transcript.text, sizes, file.label)
        title = transcript.title or chunked.outline.title
        return _Read(chunked.chunks, title=title, date=chunked.outline.date)
    chunked = chunk_document(decode_note(note.data), sizes, file.label)
    title = chunked.outline.title
    # The first heading of a document may be that of a page.
    if file.is_document:
        title = chunked.outline.front_matter.get("title", "")
    return _Read(
        chunked.chunks,
        title=title,
        date=chunked.outline.date,
        tags=chunked.tags,
        aliases=chunked.aliases,
    )


def check_media(name: str, data: bytes) -> str:
    """MIME type of an image or recording. Raises NoteUnreadable when name and bytes disagree."""
    # A provider gets only what the bytes show to be media, whatever the name says.
    kind = media_type(name)
    actual = sniff_media_type(data)
    if not actual:
        raise NoteUnreadable(
            msg(
                (
                    "The file name indicates the type {kind}, but the file is neither "
                    "an image nor a recording."
                ),
                kind=kind,
            )
        )
    if actual != kind:
        wrong = msg(
            "The file name indicates the type {kind}, but the content is {found}.",
            kind=kind,
            found=actual,
        )
        raise NoteUnreadable(wrong)
    return kind


def publish_words(
    context: PassContext,
    notes: Iterable[tuple[FoundFile, Outcome]],
    documents: Mapping[str, KnownDocument],
    total: int,
    done: int = 0,
    moved: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write files that were read into the index, a few in each transaction.

    Total is the number of files to be shown, of which so many were done before. Moved has the
    former labels of renamed files: both are exchanged in one transaction, so that no search and
    no count ever has a note twice. Raises Cancelled; earlier transactions stay.
    """
    report = context.report
    # Each batch is a transaction, after which searches find its words.
    for batch in _prepared_batches(context, notes, documents):
        written = _Written()
        with context.writer.transaction():
            for file, prepared in batch:
                context.cancel.check()
                former = moved.get(file.label, "")
                _write(context, file.label, prepared=prepared, written=written, documents=documents)
                if former:
                    known = documents.get(former)
                    _remove_former(context, former, prepared=prepared, written=written, known=known)
                done += 1
                context.show(Progress("words", done=done, total=total, current=file.label))
        report.changed += written.changed
        report.removed += written.removed
        context.hooks.on_read([str(file.path) for file, _ in batch], total - done)
        if written.changed or written.removed:
            # The lock is free between two transactions, so that other folders can have a turn.
            context.hooks.on_commit(written.changed, written.removed, written.added)
        if total - done > context.limits.many_notes:
            context.hooks.while_reading()


class _Written(Struct):
    """Numbers of documents in one transaction."""

    changed: int = 0
    removed: int = 0
    added: int = 0
    """Number of those whose text is new, less those that only went."""


def _write(
    context: PassContext,
    label: str,
    *,
    prepared: _Prepared,
    written: _Written,
    documents: Mapping[str, KnownDocument],
) -> None:
    """Do what is next with a file, in the transaction of the caller."""
    writer = context.writer
    match prepared:
        case NewDocument() if not prepared.chunks and is_picture(label):
            # It is known, but neither counted nor listed.
            writer.remove([label])
            writer.keep_blank(prepared, indexed_ns=context.began_ns)
            written.changed += label in documents
            written.added -= label in documents
        case NewDocument():
            writer.replace(prepared, indexed_ns=context.began_ns)
            context.report.chunks += len(prepared.chunks)
            written.changed += 1
            written.added += 1
        case NoteBytes():  # the index holds its words already
            writer.touch(
                label, prepared.mtime_ns, ctime_ns=prepared.ctime_ns, indexed_ns=context.began_ns
            )
            context.report.unchanged += 1
        case NoteUnreadable():
            writer.remove([label])
            written.changed += label in documents
            written.added -= label in documents


def _remove_former(
    context: PassContext,
    former: str,
    *,
    prepared: _Prepared,
    written: _Written,
    known: KnownDocument | None,
) -> None:
    """Remove a renamed document under its former label, in the transaction of the caller."""
    digest = getattr(prepared, "sha256", b"")
    context.writer.remove([former], moved_as=digest)
    written.removed += 1
    # What was changed as well is new to the model, and what only moved is not.
    is_unchanged = known is not None and known.sha256 == digest
    if is_unchanged or not isinstance(prepared, NewDocument):
        written.added -= 1


def _prepared_batches(
    context: PassContext,
    notes: Iterable[tuple[FoundFile, Outcome]],
    documents: Mapping[str, KnownDocument],
) -> Iterator[list[tuple[FoundFile, _Prepared]]]:
    """Files read and chunked before their transaction, all in order.

    A drive that hangs must not keep another writer waiting.
    """
    batch: list[tuple[FoundFile, _Prepared]] = []
    until = 0.0
    # A batch ends by time, since files may be small or large, and drives fast or slow.
    for file, note in notes:
        before = documents.get(file.label)
        prepared = _prepared(context, file, note=note, before=before)
        if not batch:
            until = time.monotonic() + context.limits.prepared_seconds
        batch.append((file, prepared))
        if time.monotonic() >= until:
            yield batch
            batch = []
    if batch:
        yield batch


def _prepared(
    context: PassContext, file: FoundFile, note: Outcome, before: KnownDocument | None
) -> _Prepared:
    """The next step for a file that was read or could not be read."""
    sizes = context.settings.sizes
    if isinstance(note, FileNotFoundError):
        return None  # the next pass sees that it is gone
    if isinstance(note, NoteUnreadable):
        context.skip(file.label, str(note))
        if isinstance(note, NoText):
            return note
        return None  # the index keeps its record: the file may only be locked for now
    # The content decides, not the time: many programs write files without a change.
    chunking = file.chunking(sizes, with_pictures=note.has_pictures)
    if before is not None and (before.sha256, before.chunking) == (note.sha256, chunking):
        return note
    try:
        return new_document(file, note, sizes)
    except NoteUnreadable as error:
        context.skip(file.label, str(error))
        return error
