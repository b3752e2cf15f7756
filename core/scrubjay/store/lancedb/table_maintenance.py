"""Maintenance of the tables of a shared workspace: indexes, compaction and leftovers.

Only the publisher that holds the lease looks after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scrubjay.store.lancedb.checked_rows import WorkspaceRow
from scrubjay.store.lancedb.fulltext_translation import PATH_WORDS, WORDS
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from scrubjay.store.lancedb.shared_store import SharedStore

if TYPE_CHECKING:
    from lancedb.table import Table

_BITS = 4
"""Bits for each dimension of vectors in their index: with one bit, 74 % of the 96 nearest of 20,000
were among 384 candidates."""
_MANY_VECTORS = 400_000
"""Vectors from which on they get half as many bits, since a reader keeps the index in memory."""
_MANY_PARTS = 8
"""Parts of the index of vectors, each of which a search looks into."""
_MANY_STEPS = 200
"""Files of stems, one for each publication, that are joined."""


def add_indexes(chunks: Table) -> None:
    """Make the indexes of a new table except that of vectors, which needs some first."""
    from lancedb.index import FTS, BTree

    # The columns hold stems that our own tokenizer made; the library only splits at spaces.
    as_they_are = FTS(
        with_position=True,
        base_tokenizer="whitespace",
        stem=False,
        remove_stop_words=False,
        lower_case=False,
        ascii_folding=False,
        max_token_length=None,
    )
    configs = {
        WORDS: as_they_are,
        PATH_WORDS: as_they_are,
        "id": BTree(),
        "document": BTree(),
        "path": BTree(),
    }
    names = {column for index in chunks.list_indices() for column in index.columns}
    for column, config in configs.items():
        if column not in names:
            chunks.create_index(column, config=config)


def maintain_tables(chunks: Table, stems: Table, limits: PublishingLimits) -> None:
    """Take new rows into the indexes and join small files, where it pays.

    The chunks are those of the latest version.
    """
    stems.checkout_latest()
    rows = chunks.count_rows()
    stats = chunks.index_stats(f"{WORDS}_idx")
    lacking = rows if stats is None else stats.num_unindexed_rows
    fragments = _small_files(chunks)
    are_many = lacking > max(limits.many_rows, limits.rows_share * rows)
    if are_many or fragments > limits.many_fragments:
        add_indexes(chunks)
        chunks.optimize(cleanup_older_than=limits.kept)
    _keep_vectors(chunks, rows, limits)
    if _small_files(stems) > _MANY_STEPS:
        stems.optimize(cleanup_older_than=limits.kept)


def _keep_vectors(chunks: Table, rows: int, limits: PublishingLimits) -> None:
    """Make the index of vectors, where there are many, or where it has too many parts."""
    from lancedb.index import IvfRq

    # Each time that rows are taken in adds a part to the index.
    vectors = chunks.index_stats("vector_idx")
    parts = vectors.num_indices if vectors else 0
    is_due = "vector" in chunks.schema.names and parts not in range(1, _MANY_PARTS + 1)
    # Vectors that the model has not made yet are missing.
    least = max(limits.indexed_vectors, rows // 2)
    if not is_due or rows < least or chunks.count_rows("vector is not null") < least:
        return
    bits = _BITS if rows < _MANY_VECTORS else _BITS // 2
    chunks.create_index("vector", config=IvfRq(distance_type="cosine", num_bits=bits))


def maintain_workspace_list(store: SharedStore, limits: PublishingLimits) -> None:
    """Delete old versions of the list of workspaces, unless another publisher writes it now.

    To be called inside of `SharedStore.call`.
    """
    try:
        store.workspaces_table().optimize(cleanup_older_than=limits.kept)
    except RuntimeError as error:
        # The library has no exception of its own for it.
        if "conflict" not in str(error):
            raise


def _small_files(table: Table) -> int:
    """Number of files of a table with few rows."""
    return int(table.stats()["fragment_stats"]["num_small_fragments"])


def drop_tables(store: SharedStore, names: Iterable[str]) -> None:
    """Delete tables. To be called inside of `SharedStore.call`."""
    for name in names:
        store.drop(name)


def leftover_tables(store: SharedStore, name: str, row: WorkspaceRow | None) -> list[str]:
    """Names of the tables of a workspace that its row does not name, of a former model or a broken
    publication.
    """
    own = (row.chunks_table, row.stems_table) if row else ()
    tables = store.table_names()
    return [table for table in tables if table.startswith(f"{name}.") and table not in own]
