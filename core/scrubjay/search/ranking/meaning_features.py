"""Features of lines by the meaning of a query: cosines of chunks, and of lines by their signs.

A search by words never imports this module, because importing numpy takes longer than the search.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from scrubjay.records.vectors import Vector
from scrubjay.search.ranking import weights
from scrubjay.search.retrieval.candidates import Passage

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_BYTE_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * np.float32(2) - 1
"""float32[256, 8]: -1 or +1 for the eight bits of each byte."""

_SIGN_SCALE = math.sqrt(math.pi / 2)
"""1 / E|x| of a unit normal: makes the dot product with signs an estimate of the cosine."""


def meaning_features(
    passages: Sequence[Passage], query_vector: Vector
) -> Mapping[str, list[float]]:
    """Features of the meaning of every line, by their names."""
    sizes = [len(passage.lines) for passage in passages]
    starts = [0, *accumulate(sizes)]
    owner = np.repeat(np.arange(len(passages)), sizes)
    # The best chunk of each line, and the signs of those lines that have them.
    chunk_meaning = np.full(starts[-1], -1.0)
    widths = (passage.signs.shape[1] for passage in passages if passage.signs is not None)
    width = max(widths, default=0)
    signs = np.zeros((starts[-1], width), dtype=np.uint8)
    for passage, start in zip(passages, starts, strict=False):
        for candidate in passage.candidates:
            first, end = passage.span(candidate)
            lines = chunk_meaning[start + first : start + end]
            np.maximum(lines, candidate.cosine or 0.0, out=lines)
        if passage.signs is not None:
            signs[start : start + len(passage.lines)] = passage.signs
    if width:
        # Estimates of the cosines of the lines, alone and with their neighbours.
        has_signs = np.repeat([passage.signs is not None for passage in passages], sizes)
        dimensions = len(query_vector)
        products = sign_products(signs, query_vector)
        norms = spread_norms(signs, dimensions, owner)
        around = spread(products[None, :], owner)[0] / norms
        scale = _SIGN_SCALE / math.sqrt(dimensions)
        line_meaning = np.where(has_signs, scale * products, chunk_meaning)
        around_meaning = np.where(has_signs, around, chunk_meaning)
    else:
        # The chunk's own cosine stands in for those of its lines.
        line_meaning = chunk_meaning
        around_meaning = chunk_meaning
    return {
        "meaning_chunk": chunk_meaning.tolist(),
        "meaning_line": line_meaning.tolist(),
        "meaning_around": around_meaning.tolist(),
    }


def sign_products(bits: npt.NDArray[np.uint8], vector: Vector) -> Floats:
    """float64[lines]: dot product of a vector with the signs (-1 or +1) in each row of bits.

    Bits are uint8[lines, bytes], one bit a dimension; an empty row gives 0. Each byte stands for
    eight dimensions, whose 256 possible sums are looked up.
    """
    padded = np.zeros(bits.shape[1] * 8, dtype=np.float32)
    padded[: len(vector)] = vector
    sums = padded.reshape(-1, 8) @ _BYTE_SIGNS.T
    products: Floats = sums[np.arange(bits.shape[1]), bits].sum(axis=1, dtype=np.float64)
    products[~bits.any(axis=1)] = 0
    return products


def spread(values: npt.NDArray[np.floating], owner: Integers) -> Floats:
    """float64[rows, lines]: values with a share of those of neighbouring lines of the passage.

    Values are [rows, lines]; owner is int64[lines], the number of each line's passage.
    """
    total: Floats = values.astype(np.float64)
    for distance, share in enumerate(weights.NEIGHBOUR_SHARES, start=1):
        if values.shape[1] <= distance:
            break
        same = owner[distance:] == owner[:-distance]
        total[:, distance:] += share * values[:, :-distance] * same
        total[:, :-distance] += share * values[:, distance:] * same
    return total


def spread_norms(bits: npt.NDArray[np.uint8], dimensions: int, owner: Integers) -> Floats:
    """float64[lines]: lengths of the vectors that `spread` makes of signs, without making them.

    |sum of w x s|^2 is the sum of w w' x s.s' over all pairs of lines, and s.s' is the number
    of dimensions less twice the differing bits. Bits are uint8[lines, bytes], owner int64[lines].
    """
    count = len(bits)
    reach = len(weights.NEIGHBOUR_SHARES)
    shares = (*reversed(weights.NEIGHBOUR_SHARES), 1.0, *weights.NEIGHBOUR_SHARES)
    words = bits.view(np.uint64)
    is_filled = np.asarray(bits.any(axis=1))
    # bool[offsets, lines]: whether the line that many further on is of the same passage.
    outside = np.full(reach, -1)
    around = np.concatenate([outside, owner, outside])
    same = [around[at : at + count] == owner for at in range(2 * reach + 1)]
    # All pairs of lines with the same distance at once; each of them counts in several windows.
    squares: Floats = np.zeros(count)
    padded = np.zeros(count + 2 * reach)
    for lag in range(min(2 * reach + 1, count)):
        differing = np.bitwise_count(words[lag:] ^ words[: count - lag]).sum(axis=1, dtype=np.int32)
        pair = (owner[lag:] == owner[: count - lag]) & is_filled[lag:] & is_filled[: count - lag]
        padded[:] = 0
        padded[reach : reach + count - lag] = np.where(pair, dimensions - 2.0 * differing, 0.0)
        for at in range(len(shares) - lag):
            share = shares[at] * shares[at + lag] * (1 if lag == 0 else 2)
            squares += share * padded[at : at + count] * same[at]
    return np.sqrt(np.maximum(squares, 1e-18))
