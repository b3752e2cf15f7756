"""Cuts texts into requests that a provider takes, and learns from its complaints."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.notes.chunker import split_long_line, token_estimate
from scrubjay.records.vectors import Vector, normalized

BATCH_TOKENS = 8_000
"""Large enough that a round trip is well used, small enough to be soon repeated."""

_MARGIN = 0.8
"""Of a model's limit, because tokens are only estimated."""
_TOO_LARGE = frozenset({413, 431})
_REFUSED = frozenset({400, 413, 422})
_ITEMS = re.compile(r"\b(items?|inputs?|batch|array|elements?|texts?|requests?|instances)\b", re.I)
_LIMIT = re.compile(
    r"(?:max(?:imum)?|at most|no more than|not exceed|limit|up to|<=?|less than or equal to)"
    r"[^\d.]{0,40}(\d+)",
    re.I,
)
_LENGTH = re.compile(r"token|context|too long|too large|length", re.I)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, or a part of one that is too long for the model."""

    row: int
    """Place of the text that it belongs to."""
    text: str


def pieces(texts: Sequence[str], max_tokens: int) -> Iterator[Piece]:
    """All texts in order; one beyond the model's limit comes in several pieces, none lost."""
    room = max(1, int(max_tokens * _MARGIN))
    for row, text in enumerate(texts):
        if token_estimate(text) <= room:
            yield Piece(row, text)
        else:
            for part in split_long_line(text, room):
                yield Piece(row, part)


def batches(waiting: Iterable[Piece], max_items: int) -> Iterator[list[Piece]]:
    """Runs of pieces for one request each."""
    batch: list[Piece] = []
    tokens = 0
    for piece in waiting:
        cost = token_estimate(piece.text)
        if batch and (len(batch) >= max_items or tokens + cost > BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(piece)
        tokens += cost
    if batch:
        yield batch


def smaller_batch(failure: RequestFailed, items: int) -> int:
    """Number of items to send at once after this refusal; 0 when fewer would not help."""
    if items < 2:
        return 0
    if failure.status in _REFUSED and _ITEMS.search(failure.message):
        limits = [int(number) for number in _LIMIT.findall(failure.message)]
        if fitting := [limit for limit in limits if 1 <= limit < items]:
            return max(fitting)
    if failure.status in _TOO_LARGE or is_too_long(failure):
        return items // 2
    return 0


def is_too_long(failure: RequestFailed) -> bool:
    """True when the provider complains about the length of the text."""
    return failure.status in _REFUSED and bool(_LENGTH.search(failure.message))


def halves(text: str) -> tuple[str, ...]:
    """The text in two parts, cut at a space where there is one; one part if it is too short."""
    first, *rest = split_long_line(text, max(1, token_estimate(text) // 2))
    return (first, "".join(rest)) if rest else (text,)


def joined(pieces: Sequence[Piece], vectors: Sequence[Vector], rows: int) -> list[Vector]:
    """One vector for each text; pieces of one text are averaged by their length."""
    places: list[list[int]] = [[] for _ in range(rows)]
    for place, piece in enumerate(pieces):
        places[piece.row].append(place)
    return [
        mean([vectors[place] for place in row], [len(pieces[place].text) for place in row])
        for row in places
    ]


def mean(vectors: Sequence[Vector], weights: Sequence[int]) -> Vector:
    """The direction of all vectors together, of length one; the first where that makes no sense."""
    is_single = len(vectors) == 1
    if is_single or len({len(vector) for vector in vectors}) != 1 or not math.fsum(weights):
        return vectors[0]
    return normalized(np.average(np.stack(vectors), axis=0, weights=weights))
