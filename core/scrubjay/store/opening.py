"""Readers of indexes by the place that they are at."""

from __future__ import annotations

from pathlib import Path

from scrubjay.store.protocol import IndexPlace, IndexReader
from scrubjay.store.reader import Reader


def open_local_index(place: IndexPlace) -> IndexReader | None:
    """The reader of an index; None while there is none. Raises IndexUnavailable."""
    # Indexes of shared memories are opened by the package that knows their store.
    if not isinstance(place, Path) or not place.is_file():
        return None
    return Reader.open(place)
