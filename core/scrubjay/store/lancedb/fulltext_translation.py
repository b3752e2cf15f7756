"""FTS5 expressions as LanceDB's full-text queries over our own stems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from scrubjay.store.lancedb.text_queries import (
    BooleanQuery,
    MatchQuery,
    Occur,
    PhraseQuery,
    TextQuery,
)

Stems: TypeAlias = Callable[[str], Sequence[str]]

WORDS = "words"
"""Column of all stems of a chunk."""
PATH_WORDS = "path_words"
"""Column of the stems of its path."""

_TOKEN = re.compile(
    r'\s*(?:"((?:[^"]|"")*)"(\s*\*)?|([()])|(AND|OR|NOT)\b|(\w+)\s*:'
    r'|NEAR\("([^"]*)" "([^"]*)", (\d+)\))'
)
_PRECEDENCE = {"OR": 1, "AND": 2, "NOT": 3}
"""Operator -> how tightly it binds, as in FTS5."""


class Translator:
    """Translates FTS5 expressions of the query parser into LanceDB's queries.

    Both FTS5 and LanceDB count a phrase twice if it is in an expression twice.
    """

    def __init__(self, stems: Stems, stems_from: Stems) -> None:
        """Stems gives those of a text, stems_from those that begin with a letter sequence."""
        self._stems = stems
        self._stems_from = stems_from

    def query(self, expression: str) -> TextQuery | None:
        """The query; None for one that can match nothing. Raises ValueError."""
        tokens = _tokens(expression)
        parsed = self._expression(tokens, 0, WORDS)
        if next(tokens, None):
            raise ValueError(expression)
        return parsed

    def _expression(self, tokens: _Tokens, least: int, column: str) -> TextQuery | None:
        """The query up to an operator that binds less tightly, by precedence climbing."""
        left = self._operand(tokens, column)
        while True:
            operator = tokens.peek()
            if _PRECEDENCE.get(operator, -1) < max(1, least):
                return left
            next(tokens)
            right = self._expression(tokens, _PRECEDENCE[operator] + 1, column)
            left = _joined(operator, left, right)

    def _operand(self, tokens: _Tokens, column: str) -> TextQuery | None:
        kind, text = next(tokens)
        match kind:
            case "phrase":
                return self._phrase(text, column)
            case "beginning":
                return self._beginning(text, column)
            case "near":
                first, second, words = text.split("\n")
                return self._near(first, second, words=int(words), column=column)
            case "column":
                return self._operand(tokens, PATH_WORDS if text == "path" else WORDS)
            case "(":
                inner = self._expression(tokens, 0, column)
                if next(tokens)[0] != ")":
                    raise ValueError(text)
                return inner
        raise ValueError(text)

    def _phrase(self, text: str, column: str) -> TextQuery | None:
        stems = self._stems(text)
        if not stems:
            return None
        if len(stems) == 1:
            return MatchQuery(stems[0], column)
        return PhraseQuery(" ".join(stems), column)

    def _near(self, first: str, second: str, *, words: int, column: str) -> TextQuery | None:
        """Two words in any order, with so many others between them at most."""
        orders = (f"{first} {second}", f"{second} {first}")
        one, other = (" ".join(self._stems(text)) for text in orders)
        # Words without a stem, or one word twice, are not near each other.
        if not one or one == other:
            return None
        return _joined(
            "OR", PhraseQuery(one, column, slop=words), PhraseQuery(other, column, slop=words)
        )

    def _beginning(self, text: str, column: str) -> TextQuery | None:
        """A phrase whose last word is only begun, with all words that begin so."""
        *before, last = self._stems(text) or [""]
        endings = self._stems_from(last) if last else ()
        if not endings:
            return None
        if not before:
            return MatchQuery(" ".join(endings), column)
        query: TextQuery | None = None
        for ending in endings:
            query = _joined("OR", query, PhraseQuery(" ".join([*before, ending]), column))
        return query


class _Tokens(Iterator[tuple[str, str]]):
    """(kind, text) of the parts of an expression."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self._tokens = list(reversed(tokens))

    def __next__(self) -> tuple[str, str]:
        if not self._tokens:
            raise StopIteration
        return self._tokens.pop()

    def peek(self) -> str:
        """The kind of the next one, which stays; empty at the end."""
        if not self._tokens:
            return ""
        kind, _ = self._tokens[-1]
        return kind


def _tokens(expression: str) -> _Tokens:
    """The parts of an expression. Raises ValueError for what the query parser never writes."""
    found: list[tuple[str, str]] = []
    at = 0
    end = len(expression.rstrip())
    while at < end:
        match = _TOKEN.match(expression, at)
        if not match:
            raise ValueError(expression)
        phrase, star, bracket, operator, column, *near = match.groups()
        if near[0] is not None:
            found.append(("near", "\n".join(near)))
        elif phrase is not None:
            found.append(("beginning" if star else "phrase", phrase.replace('""', '"')))
        else:
            found.append((bracket or operator or "column", column or ""))
        at = match.end()
    return _Tokens(found)


def _joined(operator: str, left: TextQuery | None, right: TextQuery | None) -> TextQuery | None:
    """Two queries under an operator; None if that can match nothing, as each of them may."""
    if left is None or right is None:
        either = left or right
        return {"OR": either, "AND": None, "NOT": left}[operator]
    match operator, left, right:
        case "OR", MatchQuery(column=one), MatchQuery(column=other) if one == other:
            # One query for many words skips what cannot be among the best, several do not.
            return MatchQuery(f"{left.query} {right.query}", one)
    occurs: dict[str, Occur] = {"OR": "SHOULD", "AND": "MUST", "NOT": "MUST_NOT"}
    occur = occurs[operator]
    first: Occur = "MUST" if operator == "NOT" else occur
    return BooleanQuery([*_parts(left, first), *_parts(right, occur)])


def _parts(query: TextQuery, occur: Occur) -> list[tuple[Occur, TextQuery]]:
    """The parts of a query that is joined to others in one way, or the query alone."""
    if not isinstance(query, BooleanQuery) or occur == "MUST_NOT":
        return [(occur, query)]
    if any(how != occur for how, _ in query.queries):
        return [(occur, query)]
    return list(query.queries)
