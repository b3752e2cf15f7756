"""Reads of the tables of a shared memory, in this process or in a separate one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from scrubjay.store.lancedb.checked_rows import bounded_rows, stem_rows
from scrubjay.store.lancedb.lancedb_library import load_lancedb
from scrubjay.store.lancedb.text_queries import TextQuery, to_lancedb_query

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection
    from lancedb.table import Table

Connection: TypeAlias = Mapping[str, Any]
"""Arguments with which the library connects to a memory."""

_REFINED = 2
"""Candidates for each near vector that are compared exactly."""
_INDEX_BYTES = 64 * 1024 * 1024
"""Bytes of indexes that stay in memory."""
_RECORD_BYTES = 32 * 1024 * 1024
"""Bytes of the tables' own records that stay in memory."""
NO_TABLE = "was not found"
"""Words of the library on a table that is not there."""


class TableRead(Struct, frozen=True):
    """The rows and columns of a table to read."""

    columns: Sequence[str]
    where: str = ""
    limit: int | None = None
    text: TextQuery | None = None
    """Words by which the best rows are taken."""
    vector: Sequence[float] | None = None
    """Vector by which the nearest rows are taken."""
    probes: int = 0
    """Parts of the index of vectors that are looked into."""
    offsets: Sequence[int] | None = None
    """Places of the rows in the files."""
    has_offsets: bool = False
    """Whether the places are wanted, too."""
    is_stems: bool = False
    """Whether the table is one of stems, whose rows are short."""


class OpenTable(Protocol):
    """A table at one version."""

    version: int

    @property
    def schema(self) -> pa.Schema:
        """Its columns."""

    def count_rows(self, where: str = "") -> int:
        """The number of rows that fulfil a condition."""

    def read(self, read: TableRead, most_bytes: int) -> pa.Table:
        """The rows. Raises TooManyBytes for more bytes."""


class Tables(Protocol):
    """Opens tables."""

    def open(self, connection: Connection, name: str) -> OpenTable | None:
        """A table as it is now; None if there is none."""


class LocalTable:
    """A table that is read in this process."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.version = table.version
        self.schema = table.schema

    def count_rows(self, where: str = "") -> int:
        """The number of rows that fulfil a condition."""
        return int(self._table.count_rows(where or None))

    def read(self, read: TableRead, most_bytes: int) -> pa.Table:
        """The rows. Raises TooManyBytes for more bytes."""
        table = self._table
        query: Any
        if read.offsets is not None:
            query = table.take_row_ids(list(read.offsets))
        elif read.text is not None:
            query = table.search(to_lancedb_query(read.text), query_type="fts")
        elif read.vector is not None:
            query = table.search(list(read.vector), vector_column_name="vector")
            query = query.distance_type("cosine").nprobes(read.probes).refine_factor(_REFINED)
        else:
            query = table.search()
        if read.where:
            # The condition holds before the best are taken.
            query = query.where(read.where, prefilter=True)
        if read.has_offsets:
            query = query.with_row_id(True)
        query = query.select(list(read.columns))
        if read.limit is not None:
            query = query.limit(read.limit)
        if read.is_stems:
            return stem_rows(query, most_bytes)
        return bounded_rows(query, most_bytes)


def connect_database(connection: Connection) -> DBConnection:
    """A new connection. Raises ImportError where the library is not installed."""
    lancedb = load_lancedb()
    if "api_key" in connection:
        return lancedb.connect(**connection)
    # Without limits its caches would take gigabytes.
    return lancedb.connect(**connection, session=lancedb.Session(_INDEX_BYTES, _RECORD_BYTES))


def find_table(db: DBConnection, name: str) -> Table | None:
    """A table as it is now; None if there is none."""
    try:
        return db.open_table(name)
    except FileNotFoundError:
        return None
    except ValueError as error:
        if NO_TABLE not in str(error):
            raise
    return None
