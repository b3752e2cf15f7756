"""Turns the bytes of a file into what the index holds of it."""

from __future__ import annotations

from scrubjay.chunker import ChunkSizes, chunk_document
from scrubjay.markdown import find_date
from scrubjay.notes import NoteBytes, decode
from scrubjay.records import Source
from scrubjay.sessions import read_transcript
from scrubjay.store.rows import NewDocument
from scrubjay.workspace import FoundFile


def new_document(file: FoundFile, note: NoteBytes, sizes: ChunkSizes) -> NewDocument:
    """What is written into the index. Raises NoteUnreadable for what is no text."""
    title = ""
    if file.source is Source.SESSIONS:
        said = read_transcript(note.data)
        text, title = said.text, said.title
    else:
        text = decode(note.data)
    chunked = chunk_document(text, sizes)
    return NewDocument(
        path=file.label,
        file=file.path,
        source=file.source,
        sha256=note.sha256,
        mtime_ns=note.mtime_ns,
        size=note.size,
        title=title or chunked.outline.title or file.path.stem,
        date=find_date(file.path.name[:10]) or chunked.outline.date,
        chunking=sizes.identity,
        chunks=chunked.chunks,
    )
