"""The tables of a shared memory, and the numbers and names of what is in them.

`workspaces` has a row for each workspace: its schema, its tables, and its lease. A workspace has
two tables of its own for one generation of vectors: chunks with everything that a search needs,
and the stems of its words with their frequencies. A new generation gets new tables, and the row of
the workspace points to them when they are complete. A memory can therefore never be read while it
is incomplete, and folders of several publishers are never in the same table.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Container
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta, Struct, msgpack

from scrubjay.records.note_records import Source
from scrubjay.text.tokenizer import fold

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = 1
"""Version of all tables. A reader refuses later ones, a publisher too."""

WORKSPACES = "workspaces"
"""Name of the table that lists the workspaces."""

NUMBER_BITS = 15
"""Bits of a chunk's id for its number in the document; the other bits are its document's."""
MOST_CHUNKS = 1 << NUMBER_BITS
"""Chunks of one document that can be published: those of 50 MB of text."""
_DOCUMENT_BITS = 48
"""Bits of a chunk's id for the number of its document; with the others, 63 of a signed column."""

FIELD_END = "\x1e"
"""A word between two fields, so that no phrase reaches from one into the other."""
LIST_END = "\x1f"
"""Sign before and after each tag of a document."""

# Limits on what is read, since anybody who may write to a shared memory may have written it.
MOST_TEXT = 40_000
"""Characters of a passage, a few more than the largest size in the settings gives."""
MOST_LINES = 8_192
"""Lines of a passage: as many as it may have tokens."""
_MOST_LABEL = 16_384
"""Characters of a path or a heading, which are lines of a note at times."""
_LAST_LINE = 1 << 24
"""Number of the last line of a note of 64 MB, which is the largest, in lines of four letters."""
_MOST_SIGNS = 1 << 24
"""Bytes of the sign bits of a passage."""

Id: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Label: TypeAlias = Annotated[str, Meta(max_length=_MOST_LABEL)]
Line: TypeAlias = Annotated[int, Meta(ge=1, le=_LAST_LINE)]


class ChunkRecord(Struct, array_like=True, frozen=True):
    """The content of a found chunk, in one column, because each column takes half a millisecond.

    The limits are checked when a record is read, because anyone with write access can write one.
    """

    id: Id
    path: Annotated[str, Meta(min_length=1, max_length=_MOST_LABEL)]
    source: Source
    title: Label
    day: dt.date | None
    mtime_ns: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
    first_line: Line
    last_line: Line
    heading: Label
    text: Annotated[str, Meta(max_length=MOST_TEXT)]
    signs: Annotated[bytes, Meta(max_length=_MOST_SIGNS)]
    """Sign bits of its lines that are not blank, side by side; empty without a vector."""
    siblings: Annotated[int, Meta(ge=1, le=MOST_CHUNKS)]
    """Chunks of its document."""

    def packed(self) -> bytes:
        """The record as the column has it."""
        return _RECORDS.encode(self)


_RECORDS = msgpack.Encoder()
_RECORD = msgpack.Decoder(ChunkRecord)


def chunk_record(packed: bytes) -> ChunkRecord:
    """The record of a chunk. Raises ValueError for one that is damaged."""
    try:
        record = _RECORD.decode(packed)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    lines = record.text.count("\n") + 1
    if record.last_line - record.first_line + 1 != lines or lines > MOST_LINES:
        raise ValueError("other lines than its text")
    # The path is shown and cited, and a program may join it to a folder.
    if record.path.startswith("/") or "\0" in record.path or ".." in record.path.split("/"):
        raise ValueError("outside of its folder")
    return record


def workspaces_schema() -> pa.Schema:
    """Columns of `workspaces`."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("name", pa.string(), nullable=False),
            pa.field("row", pa.string(), nullable=False),
            pa.field("schema", pa.int32(), nullable=False),
            pa.field("title", pa.string()),
            # What the last publication left; null before the first.
            pa.field("chunks_table", pa.string()),
            pa.field("stems_table", pa.string()),
            pa.field("identity", pa.string()),
            pa.field("dimensions", pa.int32()),
            pa.field("documents", pa.int64()),
            pa.field("chunks", pa.int64()),
            pa.field("published_at", pa.string()),
            pa.field("published_by", pa.string()),
            # Id of the folder that was published last, on its computer.
            pa.field("publisher", pa.string()),
            # The lease: who publishes right now, and the count of changes.
            pa.field("holder", pa.string()),
            pa.field("holder_name", pa.string()),
            pa.field("beat", pa.int64(), nullable=False),
        ]
    )


def chunks_schema(dimensions: int) -> pa.Schema:
    """Columns of the chunks of one workspace; without vectors for 0 dimensions."""
    import pyarrow as pa

    fields = [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("document", pa.int64(), nullable=False),
        pa.field("number", pa.int32(), nullable=False),
        pa.field("path", pa.string()),
        # The path in lower case after a slash, for filters by parts of it.
        pa.field("place", pa.string()),
        pa.field("file_name", pa.string()),
        pa.field("source", pa.string()),
        pa.field("day", pa.string()),
        # The day of the document, otherwise that of its last change.
        pa.field("sort_day", pa.string()),
        pa.field("mtime_ns", pa.int64()),
        # Tags in folded form, for filters, and as the document writes them.
        pa.field("tags", pa.string()),
        pa.field("labels", pa.string()),
        # Values of the whole document, in each of its rows.
        pa.field("digest", pa.binary()),
        pa.field("is_complete", pa.bool_()),
        # A ChunkRecord. Not compressed, which would take a third longer to read.
        pa.field("record", pa.binary()),
        pa.field("words", pa.string(), metadata={"lance-encoding:compression": "zstd"}),
        pa.field("path_words", pa.string()),
    ]
    if dimensions:
        fields.append(pa.field("vector", pa.list_(pa.float32(), dimensions)))
    return pa.schema(fields)


def stems_schema() -> pa.Schema:
    """Columns of the frequencies of stems. Of several rows of a stem the last step counts."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("stem", pa.string(), nullable=False),
            pa.field("chunks", pa.int64(), nullable=False),
            pa.field("step", pa.int64(), nullable=False),
        ]
    )


def document_number(path: str, taken: Container[int]) -> int:
    """A number for a document that no other one has, the same on all computers as a rule."""
    # In one of 500 folders of a million notes, two paths share a number; one then gets another.
    salt = 0
    while True:
        digest = hashlib.sha256(f"{salt} {path}".encode("utf-8", "replace")).digest()
        number = int.from_bytes(digest[:8], "big") >> (64 - _DOCUMENT_BITS)
        if number not in taken:
            return number
        salt += 1


def chunk_id(document: int, number: int) -> int:
    """Id of a chunk by the number of its document, and its own in it from 0."""
    return document << NUMBER_BITS | number


def workspace_key(name: str) -> str:
    """A name as tables can have it: letters, digits, `-` and `_`."""
    key = re.sub(r"[^a-z0-9_-]+", "-", fold(name)).strip("-")[:60]
    return key or hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
