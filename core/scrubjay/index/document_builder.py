"""Documents of the index, built from the bytes of files."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.messages import msg
from scrubjay.notes.chunker import ChunkSizes, ChunkText, chunk_document
from scrubjay.notes.markdown import find_date
from scrubjay.notes.media_types import media_hash, media_type, sniffed
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, decode
from scrubjay.notes.scan import FoundFile
from scrubjay.notes.transcripts import read_transcript
from scrubjay.records.search_records import Source
from scrubjay.store.rows import NewDocument


@dataclass(frozen=True)
class _MediaChunk(ChunkText):
    """An image or a recording: its words are those of its name, its vector that of its bytes."""

    key: bytes = b""

    @functools.cached_property
    def sha256(self) -> bytes:
        return self.key


def new_document(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> NewDocument:
    """The document of a file. Raises NoteUnreadable when name and content disagree."""
    if media_type(file.label):
        return _of_media(file, note, sizes)
    title = ""
    if file.source is Source.SESSIONS:
        said = read_transcript(note.data)
        text, title = said.text, said.title
    else:
        text = decode(note.data)
    chunked = chunk_document(text, sizes)
    return _document(
        file,
        note,
        sizes,
        title=title or chunked.outline.title or file.path.stem,
        date=chunked.outline.date,
        chunks=chunked.chunks,
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


def _of_media(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> NewDocument:
    kind = check_media(file.label, note.data)
    chunk = _MediaChunk(1, 1, "", file.path.name, media_hash(kind, note.data))
    return _document(file, note, sizes, title=file.path.stem, date=None, chunks=(chunk,))


def _document(
    file: FoundFile,
    note: NoteBytes,
    sizes: ChunkSizes,
    *,
    title: str,
    date: dt.date | None,
    chunks: Sequence[ChunkText],
) -> NewDocument:
    return NewDocument(
        path=file.label,
        file=file.path,
        source=file.source,
        sha256=note.sha256,
        mtime_ns=note.mtime_ns,
        size=note.size,
        title=title,
        date=find_date(file.path.name[:10]) or date,
        chunking=sizes.identity,
        chunks=chunks,
    )
