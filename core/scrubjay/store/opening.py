"""Readers of indexes by the place that they are at."""

from __future__ import annotations

from pathlib import Path

from scrubjay.store.protocol import IndexPlace, IndexReader
from scrubjay.store.reader import Reader


def open_index(place: IndexPlace) -> IndexReader | None:
    """The reader of an index; None while there is none. Raises IndexUnavailable."""
    return Reader.open(place) if isinstance(place, Path) and place.is_file() else None
