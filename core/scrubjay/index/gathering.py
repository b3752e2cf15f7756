"""Vectors on their way into the index."""

from __future__ import annotations

import time
from collections.abc import Mapping

from scrubjay.records.vectors import Vector
from scrubjay.store.rows import Generation
from scrubjay.store.writer import Writer

_LONGEST_S = 0.25
MOST = 128
"""A transaction writes a dozen pages however little it brings. A pass that is killed has to make
again what was not stored: so many vectors at most, and no more than a moment's."""


class VectorBuffer:
    """Gathers vectors of one generation for a moment, and stores them together."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._generation: Generation | None = None
        self._vectors: dict[bytes, Vector] = {}
        self._lines: dict[bytes, bytes] = {}
        self._stored_at = time.monotonic()

    def add(
        self,
        generation: Generation,
        vectors: Mapping[bytes, Vector],
        lines: Mapping[bytes, bytes],
    ) -> None:
        """Take vectors, and what is known of their lines. Outside of transactions only."""
        self._generation = generation
        self._vectors |= vectors
        self._lines |= lines
        is_late = time.monotonic() - self._stored_at >= _LONGEST_S
        if is_late or len(self._vectors) >= MOST:
            self.store()

    def store(self) -> None:
        """Put into the index what was taken. Outside of transactions only."""
        if self._generation and self._vectors:
            with self._writer.transaction():
                self._writer.vectors.add(self._generation, self._vectors, self._lines)
            self._vectors, self._lines = {}, {}
        self._stored_at = time.monotonic()
