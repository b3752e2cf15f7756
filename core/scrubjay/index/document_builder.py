"""Documents of the index, built from the bytes of files."""

from __future__ import annotations

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
