"""Documents as the indexer hands them to the store."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.documents.document_converter import Converter
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.index.document_queue import DocumentQueue, OneSource
from scrubjay.notes.chunker import chunk_document
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import Source
from scrubjay.store.index_records import NewDocument
from scrubjay.store.writer import Writer
from support.providers import WordProvider

SIZES = ChunkSizes()


def no_documents() -> DocumentQueue:
    """A queue of a folder without documents."""
    return DocumentQueue(DaemonThreadPool(""), OneSource(Converter()))


def document(
    path: str,
    text: str,
    *,
    source: Source = Source.NOTES,
    date: dt.date | None = None,
    mtime_ns: int = 1_000_000_000_000_000_000,
) -> NewDocument:
    """A note that is chunked as usual."""
    chunked = chunk_document(text, SIZES)
    return NewDocument(
        path=path,
        file=Path("/notes") / path,
        source=source,
        sha256=hashlib.sha256(text.encode()).digest(),
        mtime_ns=mtime_ns,
        size=len(text),
        title=chunked.outline.title or Path(path).stem,
        date=date,
        chunking=SIZES.identity,
        chunks=chunked.chunks,
    )


def publish(writer: Writer, *documents: NewDocument) -> None:
    """Make documents findable by their words."""
    with writer.transaction():
        for one in documents:
            writer.replace(one, indexed_ns=0)


def embed(writer: Writer, provider: WordProvider) -> None:
    """Make everything findable by its meaning."""
    with writer.transaction():
        generation = writer.vectors.generation(provider.identity(), provider.dimensions())
    for key, title, text in writer.texts(writer.vectors.missing(generation)):
        [vector] = provider.embed_documents([EmbeddingInput(title, text)])
        with writer.transaction():
            writer.vectors.add(generation, {key: vector})
    with writer.transaction():
        writer.vectors.activate(generation)


def no_pictures() -> PictureTexts:
    """Texts of pictures for an index thread whose folders have none."""
    raise AssertionError("no picture is to be read")
