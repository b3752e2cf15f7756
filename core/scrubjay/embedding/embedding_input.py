"""Inputs of embedding: a text with its title, or a media file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from scrubjay.records.vectors import Vector

if TYPE_CHECKING:
    from scrubjay.notes.note_reader import NoteUnreadable


class EmbeddingInput(Struct, frozen=True):
    """A text to embed, with the title that some models want to see."""

    title: str
    text: str


LoadMedia: TypeAlias = Callable[[], tuple[str, bytes]]
"""Reads a file and checks it, right before it is sent: (MIME type, bytes). Raises NoteUnreadable,
or FileNotFoundError."""


class MediaRefused(Exception):
    """A provider refuses this file permanently."""


MediaResult: TypeAlias = "Vector | MediaRefused | NoteUnreadable"
"""A vector, or why there is none."""
