"""The rows of an index as they are published in a shared memory."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct

from scrubjay.records.note_records import Source
from scrubjay.store.index_file import convert_sqlite_errors, fetch, has_table, open_reader
from scrubjay.store.index_records import Generation, decompress_text, path_field, text_fields
from scrubjay.store.metadata import Metadata
from scrubjay.store.schema import check_schema_version
from scrubjay.text.age import local_time

_HALF = 16
"""Bytes of each of the two parts of a digest."""
_FORM = 3
"""Version of what is published of a document. A change publishes all of them again."""

_DOCUMENTS = """
select id, path, file, source, sha256, mtime_ns, title, date, chunking from document
where exists (select 1 from chunk where document = document.id) order by id
"""
"""Documents with a text."""
_TAGS = "select document, name, label from tag order by document, name"
"""Tags of all documents."""
_INCOMPLETE = """
select distinct document from json_each(?) cross join chunk on chunk.document = value
where not exists (select 1 from vector where generation = ? and vector.hash = chunk.hash)
"""
"""Listed documents with a chunk that lacks a vector of a generation."""
_CHUNKS = """
select chunk.document, first_line, last_line, heading, text, embedding, bits
from json_each(?) cross join chunk on chunk.document = value
left join vector on vector.generation = ? and vector.hash = chunk.hash
left join line_sketch on line_sketch.vector = vector.id
order by chunk.id
"""
"""Chunks of listed documents, with their vectors and the sign bits of their lines."""
_STEMS = "select term, doc from json_each(?) cross join temp.vocabulary on term = value"
"""Listed stems that occur, with the number of chunks with each."""


class PublishedDocument(Struct, frozen=True):
    """A document of the index, without its text."""

    id: int
    path: str
    file_name: str
    source: Source
    mtime_ns: int
    title: str
    date: str | None
    tags: tuple[tuple[str, str], ...]
    """(folded, as it is written) of each tag."""
    digest: bytes
    """Digest of its file, then of all else that is published of it but its vectors: 16 bytes each.
    """

    def is_same_file(self, digest: bytes) -> bool:
        """Whether a digest is that of a document with the same content."""
        return self.digest[:_HALF] == digest[:_HALF]

    @property
    def path_field(self) -> str:
        """Text in which the words of its path are found."""
        day = dt.date.fromisoformat(self.date) if self.date else None
        return path_field(self.path, day)

    @property
    def sort_day(self) -> str:
        """Its day, otherwise that of its last change on this computer."""
        return self.date or local_time(self.mtime_ns).date().isoformat()


class PublishedChunk(Struct, frozen=True):
    """A chunk of the index with its vector and its searchable texts."""

    document: int
    first_line: int
    last_line: int
    heading: str
    text: str
    fields: tuple[str, str, str]
    """Text, headings and parts of compounds, whose words are found."""
    embedding: bytes | None
    """float32[dimensions]."""
    signs: bytes | None


class LocalIndexExport:
    """Reads an index for its publication. For one thread; raises IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self.metadata = Metadata(db, path)
        with convert_sqlite_errors(path):
            db.execute("create virtual table temp.vocabulary using fts5vocab(main, fts, 'row')")

    @classmethod
    def open(cls, path: Path) -> LocalIndexExport | None:
        """The reader; None for an index that is not there yet."""
        if not path.is_file():
            return None
        db = open_reader(path)
        try:
            # An index that no writer has migrated yet has no tags, and waits for its next pass.
            with convert_sqlite_errors(path):
                if check_schema_version(db, path) and has_table(db, "tag"):
                    return cls(db, path)
        except BaseException:
            db.close()
            raise
        db.close()
        return None

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def generation(self) -> Generation | None:
        """The active generation; None before the first vectors."""
        rows = self._rows("select id, identity, dimensions from generation where is_active")
        if not rows:
            return None
        return Generation(*rows[0])

    def chunk_count(self) -> int:
        """Number of chunks."""
        [(count,)] = self._rows("select count(*) from chunk")
        return int(count)

    def documents(self) -> list[PublishedDocument]:
        """All documents with a text."""
        # Tags first, so that each document is made in one go.
        tags: dict[int, list[tuple[str, str]]] = {}
        for document, name, label in self._rows(_TAGS):
            tags.setdefault(document, []).append((name, label))
        return [_document(row, tuple(tags.get(row[0], ()))) for row in self._rows(_DOCUMENTS)]

    def incomplete(self, documents: Iterable[int], generation: Generation) -> set[int]:
        """The documents that lack a vector."""
        rows = self._rows(_INCOMPLETE, (json.dumps([*documents]), generation.id))
        return {row[0] for row in rows}

    def chunks(
        self, documents: Sequence[PublishedDocument], generation: Generation | None
    ) -> Iterator[PublishedChunk]:
        """Chunks of some documents; none of one that is deleted meanwhile."""
        by_id = {document.id: document for document in documents}
        number = generation.id if generation else 0
        # Chunks are given one by one: a large folder is published without being in memory.
        with convert_sqlite_errors(self._path):
            for row in self._db.execute(_CHUNKS, (json.dumps([*by_id]), number)):
                key, first, last, heading, data, embedding, signs = row
                text = decompress_text(data)
                fields = text_fields(by_id[key].title, heading, text)
                yield PublishedChunk(
                    document=key,
                    first_line=first,
                    last_line=last,
                    heading=heading,
                    text=text,
                    fields=fields,
                    embedding=embedding,
                    signs=signs,
                )

    def stem_counts(self, stems: Iterable[str]) -> Mapping[str, int]:
        """Number of chunks with each of many stems, for those that occur."""
        return dict(self._rows(_STEMS, (json.dumps([*stems]),)))

    def vocabulary(self) -> list[tuple[str, int]]:
        """All stems with the number of chunks with each."""
        return [
            (term, count) for term, count in self._rows("select term, doc from temp.vocabulary")
        ]

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with convert_sqlite_errors(self._path):
            return fetch(self._db, sql, values)


def _document(row: tuple[Any, ...], tags: tuple[tuple[str, str], ...]) -> PublishedDocument:
    number, path, file, source, sha256, mtime_ns, title, date, chunking = row
    # Its file is known by its name alone, since folders differ between computers.
    name = file.replace("\\", "/").rpartition("/")[2].lower()
    # The time of its last change is excluded: it differs on each computer with a copy.
    parts = [_FORM, path, name, source, title, date, chunking, tags]
    rest = hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).digest()
    digest = sha256[:_HALF] + rest[:_HALF]
    return PublishedDocument(
        id=number,
        path=path,
        file_name=name,
        source=Source(source),
        mtime_ns=mtime_ns,
        title=title,
        date=date,
        tags=tags,
        digest=digest,
    )
