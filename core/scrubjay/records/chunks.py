"""Chunks of documents, and the sizes that they are cut to."""

from __future__ import annotations

import functools
import hashlib

from msgspec import Struct
from msgspec.structs import force_setattr

CHUNKING_VERSION = 10
"""Version that changes whenever equal text and sizes may give other chunks, or another title, date,
name or tags."""

CHARACTERS_PER_TOKEN = 4
"""Characters of text in alphabets for each token, as English measures with common tokenizers."""


class ChunkSizes(Struct, frozen=True):
    """Limits in estimated tokens."""

    tokens: int = 400
    overlap: int = 80

    def __post_init__(self) -> None:
        """Correct sizes that would never get to the end of a text."""
        # A chunk has to bring at least one token that the one before did not have.
        force_setattr(self, "tokens", max(1, self.tokens))
        force_setattr(self, "overlap", min(max(0, self.overlap), self.tokens - 1))

    @property
    def identity(self) -> str:
        """Name of the chunking that a document was indexed with."""
        return f"{CHUNKING_VERSION}:{self.tokens}:{self.overlap}"


class ChunkText(Struct, frozen=True, dict=True):
    """A run of lines, or a piece of one line that is longer than a chunk."""

    first_line: int
    """First line of the chunk, 1-based."""
    last_line: int
    """Last line of the chunk, inclusive; overlap lines are inside."""
    heading: str
    """Breadcrumb above the chunk's own lines, joined with " > "."""
    text: str

    @functools.cached_property
    def sha256(self) -> bytes:
        """Key of its vector."""
        # By its text alone, so that a moved or copied chunk keeps its vector.
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).digest()
