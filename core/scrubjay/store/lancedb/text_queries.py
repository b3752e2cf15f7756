"""Queries for words, in the form that is sent to the process with LanceDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from msgspec import Struct

if TYPE_CHECKING:
    from lancedb.query import FullTextQuery

Occur: TypeAlias = Literal["SHOULD", "MUST", "MUST_NOT"]
"""How a part of a query decides about a chunk."""


class MatchQuery(Struct, frozen=True, tag="match"):
    """A query for chunks with any of some words."""

    query: str
    column: str


class PhraseQuery(Struct, frozen=True, tag="phrase"):
    """A query for chunks with words in sequence and a limited number of others between them."""

    query: str
    column: str
    slop: int = 0


class BooleanQuery(Struct, frozen=True, tag="boolean"):
    """A combination of several queries."""

    queries: Sequence[tuple[Occur, TextQuery]]


TextQuery: TypeAlias = Union[MatchQuery, PhraseQuery, BooleanQuery]  # noqa: UP007


def to_lancedb_query(query: TextQuery) -> FullTextQuery:
    """The query of the library."""
    import lancedb.query

    match query:
        case MatchQuery():
            return lancedb.query.MatchQuery(query.query, query.column)
        case PhraseQuery():
            return lancedb.query.PhraseQuery(query.query, query.column, slop=query.slop)
    parts = [(lancedb.query.Occur[occur], to_lancedb_query(part)) for occur, part in query.queries]
    return lancedb.query.BooleanQuery(parts)
