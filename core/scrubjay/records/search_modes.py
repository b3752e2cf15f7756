"""The choices of a search, which every command knows before it loads anything else."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """Which retrievers a search uses."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


class Order(StrEnum):
    """The order of hits."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"
