"""What it takes to embed images and recordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from scrubjay.notes.note_reader import NoteUnreadable
from scrubjay.records.vectors import Vector

Load: TypeAlias = Callable[[], tuple[str, bytes]]
"""Reads a file and checks it, right before it is sent: (MIME type, bytes). Raises NoteUnreadable,
or FileNotFoundError."""


class MediaRefused(Exception):
    """A provider does not take this file, and will not take it another time."""


Answer: TypeAlias = Vector | MediaRefused | NoteUnreadable
"""A vector, or why there is none."""


class MediaEmbedding(Protocol):
    """Turns images and recordings into vectors that can be compared with those of queries."""

    @property
    def at_once(self) -> int:
        """Files that are sent at the same time."""

    def embed(self, files: Sequence[Load]) -> list[Answer]:
        """A vector for each file, or why there is none. Raises ProviderUnavailable."""
