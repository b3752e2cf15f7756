"""Texts of requests in smaller parts: texts that are too long, and batches that are too large."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

import numpy as np

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.notes.chunker import estimate_tokens, split_long_line
from scrubjay.records.vectors import Vector, normalize

_MARGIN = 0.8
"""Share of a model's limit that is used, because tokens are only estimated."""

# Refusals by their status and their words.

_TOO_LARGE = frozenset({413, 431})
_REFUSED = frozenset({400, 413, 422})
_ITEMS = re.compile(r"\b(items?|inputs?|batch|array|elements?|texts?|requests?|instances)\b", re.I)
_LIMIT = re.compile(
    r"(?:max(?:imum)?|at most|no more than|not exceed|limit|up to|<=?|less than or equal to)"
    r"[^\d.]{0,40}(\d+)",
    re.I,
)
_LENGTH = re.compile(r"token|context|too long|too large|length", re.I)

Piece: TypeAlias = tuple[int, str]
"""Position of a text, and the text, or a part of one that is too long for the model."""


def split_texts(texts: Sequence[str], max_tokens: int) -> list[Piece]:
    """All texts in order; one beyond the model's limit comes in several pieces, none lost."""
    room = max(1, int(max_tokens * _MARGIN))
    return [
        (row, part)
        for row, text in enumerate(texts)
        for part in [*split_long_line(text, room)] or [text]
    ]


def smaller_batch(failure: RequestFailed, items: int) -> int:
    """Number of items to send at once after this refusal; 0 when fewer would not help."""
    if items < 2:
        return 0
    # The greatest number in the message that is smaller than what was sent, otherwise half as many.
    if failure.status in _REFUSED and _ITEMS.search(failure.message):
        limits = [int(number) for number in _LIMIT.findall(failure.message)]
        fitting = [limit for limit in limits if 1 <= limit < items]
        if fitting:
            return max(fitting)
    if failure.status in _TOO_LARGE or is_too_long(failure):
        return items // 2
    return 0


def is_too_long(failure: RequestFailed) -> bool:
    """True when the provider complains about the length of the text."""
    return failure.status in _REFUSED and bool(_LENGTH.search(failure.message))


def split_in_half(text: str) -> tuple[str, ...]:
    """The text in two parts, cut at a space where there is one; one part if it is too short."""
    first, *rest = split_long_line(text, max(1, estimate_tokens(text) // 2))
    if not rest:
        return (text,)
    return first, "".join(rest)


def average_pieces(pieces: Sequence[Piece], vectors: Sequence[Vector]) -> list[Vector]:
    """One vector for each text; pieces of one text are averaged by their length."""
    pairs = groupby(zip(pieces, vectors, strict=True), key=lambda pair: pair[0][0])
    rows = [list(row) for _, row in pairs]
    return [
        mean_vector([vector for _, vector in row], [len(part) for (_, part), _ in row])
        for row in rows
    ]


def mean_vector(vectors: Sequence[Vector], weights: Sequence[int]) -> Vector:
    """The direction of all vectors together, of length one; the first where that makes no sense."""
    is_single = len(vectors) == 1
    if is_single or len({len(vector) for vector in vectors}) != 1 or not math.fsum(weights):
        return vectors[0]
    return normalize(np.average(np.stack(vectors), axis=0, weights=weights))
