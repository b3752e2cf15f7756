"""The options of a search, which each command knows before it loads other modules."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """The retrievers that a search uses."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


class Order(StrEnum):
    """The order of hits."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"
