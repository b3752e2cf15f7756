"""Readers of indexes, opened by address."""

from __future__ import annotations

from pathlib import Path

from scrubjay.store.protocol import IndexAddress, IndexReader
from scrubjay.store.reader import Reader


def open_local_index(address: IndexAddress) -> IndexReader | None:
    """The reader of an index; None if there is none. Raises IndexUnavailable."""
    # Indexes of shared memories are opened by the package that knows their store.
    if not isinstance(address, Path) or not address.is_file():
        return None
    return Reader.open(address)
