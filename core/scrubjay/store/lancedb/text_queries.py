"""Queries for words, as they are sent to where LanceDB is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from msgspec import Struct

if TYPE_CHECKING:
    from lancedb.query import FullTextQuery

Occur: TypeAlias = Literal["SHOULD", "MUST", "MUST_NOT"]
"""How a part of a query decides about a chunk."""


class MatchQuery(Struct, frozen=True, tag="match"):
    """Chunks with any of some words."""

    query: str
    column: str


class PhraseQuery(Struct, frozen=True, tag="phrase"):
    """Chunks with words in a row, with so many others between them at most."""

    query: str
    column: str
    slop: int = 0


class BooleanQuery(Struct, frozen=True, tag="boolean"):
    """Chunks by several queries."""

    queries: Sequence[tuple[Occur, TextQuery]]


TextQuery: TypeAlias = Union[MatchQuery, PhraseQuery, BooleanQuery]  # noqa: UP007


def as_lancedb(query: TextQuery) -> FullTextQuery:
    """The query of the library."""
    import lancedb.query

    match query:
        case MatchQuery():
            return lancedb.query.MatchQuery(query.query, query.column)
        case PhraseQuery():
            return lancedb.query.PhraseQuery(query.query, query.column, slop=query.slop)
    parts = [(lancedb.query.Occur[occur], as_lancedb(part)) for occur, part in query.queries]
    return lancedb.query.BooleanQuery(parts)
