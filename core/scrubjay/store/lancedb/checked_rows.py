"""Rows of a shared memory, checked when they are read.

Anyone with write access may have written anything. Invalid rows are excluded and counted, and the
others are used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta, Struct, field

from scrubjay.errors import SharedUnavailable
from scrubjay.messages import msg
from scrubjay.records.vectors import Vector
from scrubjay.store.lancedb.tables import SCHEMA, ChunkRecord, chunk_record

if TYPE_CHECKING:
    import pyarrow as pa

NAMELESS = -1
"""Id under which passages without one are counted."""
_ROWS_AT_ONCE = 128
"""Rows that are unpacked at a time, before their size is known. Listing 20,000 takes 97 ms so and
33 ms at once; reading a hundred records takes as long."""
_STEMS_AT_ONCE = 2_048
"""Rows of stems, of which there are a million, that are unpacked at a time."""
_BYTES_OF_A_STEM = 200
"""Bytes of a row of stems, on average and at most; they take 30."""
_LENGTH_ERROR = 0.01
"""Difference from one that the length of a vector may have."""
_LONGEST_STEM = 1_000
"""Bytes of a stem; a longer one is not a word that anybody types."""

# Names become parts of file names and of SQL, so each of their characters is checked.
_Name: TypeAlias = Annotated[str, Meta(pattern=r"\A[a-z0-9_-]{1,60}\Z")]
_Text: TypeAlias = Annotated[str, Meta(max_length=10_000)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**62)]
_Table: TypeAlias = Annotated[str, Meta(pattern=r"\A[a-z0-9_.-]{0,120}\Z")]


class WorkspaceRow(Struct, frozen=True):
    """A row of `workspaces`. It has no tables until the first publication is complete."""

    name: _Name
    row: Annotated[str, Meta(min_length=1, max_length=100)]
    """Id that tells it from others of its name."""
    schema: Annotated[int, Meta(ge=1, le=2**31)]
    beat: int
    """Count of changes. Any value is read: a publisher begins again where it is out of range."""
    title: _Text | None = None
    # What the last publication left.
    chunks_table: _Table | None = None
    stems_table: _Table | None = None
    identity: _Text | None = None
    dimensions: Annotated[int, Meta(ge=0, le=2**17)] | None = None
    documents: _Count | None = None
    chunks: _Count | None = None
    published_at: _Text | None = None
    published_by: _Text | None = None
    publisher: _Text | None = None
    # The lease: who publishes right now.
    holder: _Text | None = None
    holder_name: _Text | None = None

    @property
    def is_consistent(self) -> bool:
        """Whether its tables are its own, and vectors have a length if there are any."""
        tables = filter(None, (self.chunks_table, self.stems_table))
        has_own_tables = all(table.startswith(f"{self.name}.") for table in tables)
        return has_own_tables and bool(self.identity) == bool(self.dimensions)


class WorkspaceList(Struct, frozen=True):
    """The workspaces of a shared memory."""

    rows: Mapping[str, WorkspaceRow] = field(default_factory=dict)
    """Rows by name of the workspace."""
    damaged: frozenset[str] = frozenset()
    """Names without any entry that can be read."""
    unreadable: int = 0
    """Entries without a name that could be one."""

    def find(self, name: str) -> WorkspaceRow | None:
        """The row of a workspace; None if there is none. Raises SharedUnavailable."""
        if name in self.damaged:
            raise damaged_workspace_error(name)
        return self.rows.get(name)


def damaged_workspace_error(name: str) -> SharedUnavailable:
    """The refusal of a workspace that cannot be read, whatever its tables hold."""
    error = SharedUnavailable(
        msg("The shared folder {name} is damaged", name=name),
        hint=msg("After the folder is published again, you can search it."),
    )
    error.is_of_workspace = True
    return error


def workspace_list(entries: Sequence[Mapping[str, Any]]) -> WorkspaceList:
    """The workspaces of a list; of several rows of a name the one that all computers agree on."""
    rows: dict[str, WorkspaceRow] = {}
    damaged: set[str] = set()
    unreadable = 0
    # Two computers that begin at once write two rows; all read the one with the lowest id.
    for entry in sorted(entries, key=lambda entry: str(entry.get("row"))):
        row = _row(entry)
        name = _name(entry)
        if row:
            rows.setdefault(row.name, row)
        elif name:
            damaged.add(name)
        else:
            unreadable += 1
    return WorkspaceList(rows, damaged=frozenset(damaged - rows.keys()), unreadable=unreadable)


def _row(entry: Mapping[str, Any]) -> WorkspaceRow | None:
    """The row of an entry; None for one that is damaged."""
    with contextlib.suppress(ValueError):
        row = msgspec.convert(entry, WorkspaceRow)
        # What makes a row of a later version consistent is not known here.
        if row.is_consistent or row.schema > SCHEMA:
            return row
    return None


def _name(entry: Mapping[str, Any]) -> str:
    """The name of an entry that is damaged; empty if it has none."""
    with contextlib.suppress(ValueError):
        return msgspec.convert(entry.get("name"), _Name)
    return ""


def has_columns(schema: pa.Schema, wanted: pa.Schema) -> bool:
    """Whether a table has all columns with their types. It may have other columns as well."""
    types = {column.name: column.type for column in schema}
    return all(types.get(column.name) == column.type for column in wanted)


class TooManyBytes(Exception):
    """An answer that would fill the memory, because its values are highly compressed."""


def bounded_rows(query: Any, most_bytes: int) -> pa.Table:
    """The rows of a query for chunks or workspaces. Raises TooManyBytes."""
    return _bounded(query, most_bytes=most_bytes, rows_at_once=_ROWS_AT_ONCE)


def most_stem_bytes(count: int) -> int:
    """Bytes of so many rows of stems at most."""
    return count * _BYTES_OF_A_STEM + _LONGEST_STEM


def stem_rows(query: Any, most_bytes: int) -> pa.Table:
    """The rows of a query for stems. Raises TooManyBytes."""
    return _bounded(query, most_bytes=most_bytes, rows_at_once=_STEMS_AT_ONCE)


def _bounded(query: Any, *, most_bytes: int, rows_at_once: int) -> pa.Table:
    """The rows of a query, given up as soon as they are more than so many bytes."""
    import pyarrow as pa
    from lancedb.query import LanceFtsQueryBuilder, LanceTakeQueryBuilder

    # A search for words has no batches.
    if isinstance(query, LanceFtsQueryBuilder):
        rows = query.to_arrow()
        if rows.nbytes > most_bytes:
            raise TooManyBytes
        return rows
    # The two kinds of queries name the same option differently.
    if isinstance(query, LanceTakeQueryBuilder):
        reader = query.to_batches(max_batch_length=rows_at_once)
    else:
        reader = query.to_batches(batch_size=rows_at_once)
    batches = []
    size = 0
    for batch in reader:
        size += batch.nbytes
        if size > most_bytes:
            raise TooManyBytes
        batches.append(batch)
    return pa.Table.from_batches(batches, reader.schema)


class CheckedChunks(Struct, frozen=True):
    """Chunks that were read."""

    whole: Sequence[tuple[ChunkRecord, Vector | None]]
    damaged: set[int]
    """Ids of the damaged ones."""


def checked_chunks(read: pa.Table) -> CheckedChunks:
    """The chunks of rows with the columns `id`, `record` and perhaps `vector`."""
    whole: list[tuple[ChunkRecord, Vector | None]] = []
    damaged: set[int] = set()
    columns = [read[name].to_pylist() for name in ("id", "record")]
    for key, packed, (vector, has_length) in zip(*columns, _vectors(read), strict=True):
        record = _record(packed)
        # The record of another chunk may have been packed into the row.
        if record and has_length and record.id == key:
            whole.append((record, vector))
        else:
            damaged.add(NAMELESS if key is None else key)
    return CheckedChunks(whole, damaged)


def _record(packed: bytes | None) -> ChunkRecord | None:
    """The record of a row; None for one that is damaged."""
    with contextlib.suppress(ValueError):
        return chunk_record(packed or b"")
    return None


def _vectors(read: pa.Table) -> Iterable[tuple[Vector | None, bool]]:
    """The vector of each row, if it has one, and whether it has the length one or zero."""
    if "vector" not in read.column_names:
        return [(None, True)] * len(read)
    # All vectors are measured at once. Any bytes may be in them, infinite numbers among others.
    column = read["vector"].combine_chunks()
    matrix = column.flatten().to_numpy(zero_copy_only=False)  # without those that are null
    matrix = matrix.reshape(-1, column.type.list_size)
    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", matrix, matrix)
        are_whole = (squares == 0) | (np.abs(np.sqrt(squares) - 1) < _LENGTH_ERROR)
    rows = zip(matrix, are_whole.tolist(), strict=True)
    return [next(rows) if is_there else (None, True) for is_there in column.is_valid().to_pylist()]


def whole_stems(rows: pa.Table) -> pa.Table:
    """The rows of stems that can be used."""
    import pyarrow.compute as pc

    # Whole columns are compared, since there may be a million rows.
    rows = rows.drop_null()
    is_whole = pc.and_(
        pc.less_equal(pc.binary_length(rows["stem"]), _LONGEST_STEM),
        pc.and_(pc.greater_equal(rows["chunks"], 0), pc.greater_equal(rows["step"], 0)),
    )
    return rows.filter(is_whole)
