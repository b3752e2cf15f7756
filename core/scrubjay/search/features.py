"""What is known of each line of the candidates: the evidence that ranking adds up.

Word features are BM25 divided by what the query could reach at most, so they are shares in 0..1;
a word that nobody wrote lowers them all. Meaning features are cosines. docs/quality.md has what
each gave, and what was tried and left out.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.analysis import Analyzer, compound_parts, searchable
from scrubjay.search.candidates import Region
from scrubjay.search.dates import NamedDate
from scrubjay.search.terms import QueryTerms
from scrubjay.store.rows import StoredChunk
from scrubjay.vectors import Vector

Floats = npt.NDArray[np.float64]

CHUNK_K1, CHUNK_B = 1.2, 0.4
"""BM25 of a chunk; a lower b than usual since chunks are alike in length."""
LINE_K1 = 0.8
"""BM25 of a line with its neighbours, without a length term."""
NEIGHBOUR_SHARES = (0.6, 0.3)
"""What a word, or a meaning, counts one and two lines away."""
HEADING_SHARE = 0.5
"""What a word in title, heading or path counts in each line below."""
SIGN_SCALE = math.sqrt(math.pi / 2)
"""1 / E|x| of a unit normal: makes the dot product with signs an estimate of the cosine."""

NAMES = (
    "words_chunk", "words_line", "meaning_chunk", "meaning_line", "meaning_around",
    "meaning_trust", "date",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """Features of all lines of all regions, one after the other."""

    features: Mapping[str, Floats]
    """One value for each line, for each of NAMES."""
    coverage: float
    """Largest share of the query's information that one chunk covers: how far to trust words."""
    fields: Mapping[int, Mapping[str, frozenset[int]]]
    """Chunk id -> field -> terms found there."""


def evidence(
    found: Sequence[Region],
    terms: QueryTerms,
    vector: Vector | None,
    dates: Sequence[NamedDate],
    analyzer: Analyzer,
) -> Evidence:
    """Judge every line."""
    sizes = [len(region.lines) for region in found]
    starts = [0, *itertools.accumulate(sizes)]
    frequency = np.zeros((len(terms), starts[-1]))
    heading = np.zeros((len(terms), starts[-1]))
    fields: dict[int, dict[str, frozenset[int]]] = {}
    for region, start in zip(found, starts, strict=False):
        _count_words(region, terms, analyzer, frequency[:, start : start + len(region.lines)])
        for candidate in region.candidates:
            first, last = region.span(candidate)
            places = _places(candidate.chunk, terms, analyzer)
            for term in frozenset().union(*places.values()):
                heading[term, start + first : start + last] = 1
            inside = frequency[:, start + first : start + last].any(axis=1)
            text = frozenset(int(term) for term in np.flatnonzero(inside))
            fields[candidate.chunk.id] = {"text": text, **places}
    features = {name: np.zeros(starts[-1]) for name in NAMES}
    owner = np.repeat(np.arange(len(found)), sizes)
    coverage = 0.0
    if len(terms):
        spread = _spread(frequency, owner) + HEADING_SHARE * heading
        features["words_line"] = _share(terms, _saturated(spread, LINE_K1), LINE_K1)
        coverage = _judge_chunks(features, found, starts, terms, frequency, heading)
    if vector is not None:
        _judge_meaning(features, found, starts, owner, vector)
        features["meaning_trust"] = (1 - coverage) * features["meaning_line"]
    features["date"] = np.repeat([float(region.is_dated(dates)) for region in found], sizes)
    return Evidence(features, coverage, fields)


def _count_words(region: Region, terms: QueryTerms, analyzer: Analyzer, into: Floats) -> None:
    """Occurrences of each term in each line, weighted by how it was said."""
    encoded = [searchable(line).encode("utf-8", "replace") for line in region.lines]
    ends = list(itertools.accumulate(len(line) + 1 for line in encoded))
    for found in terms.occurrences(analyzer.raw_tokens(b"\n".join(encoded))):
        into[found.term, bisect.bisect_right(ends, found.start)] += found.worth


def _places(chunk: StoredChunk, terms: QueryTerms, analyzer: Analyzer) -> dict[str, frozenset[int]]:
    texts = {
        "heading": f"{chunk.title} {chunk.heading}",
        "path": f"{chunk.path} {compound_parts(chunk.path)}",
    }
    return {name: frozenset(terms.found_in(analyzer.stems(text))) for name, text in texts.items()}


def _judge_chunks(
    features: Mapping[str, Floats],
    found: Sequence[Region],
    starts: Sequence[int],
    terms: QueryTerms,
    frequency: Floats,
    heading: Floats,
) -> float:
    """Give each line the best BM25 of a chunk around it; return the largest coverage."""
    spans = [
        (start + region.span(one)[0], start + region.span(one)[1], len(one.chunk.text))
        for region, start in zip(found, starts, strict=False)
        for one in region.candidates
    ]
    counts = np.stack(
        [frequency[:, a:b].sum(axis=1) + heading[:, a:b].max(axis=1) for a, b, _ in spans], axis=1
    )
    lengths = np.array([length for _, _, length in spans], dtype=float)
    norm = 1 - CHUNK_B + CHUNK_B * lengths / max(float(lengths.mean()), 1.0)
    shares = _share(terms, _saturated(counts, CHUNK_K1, norm), CHUNK_K1)
    for (a, b, _), share in zip(spans, shares, strict=True):
        np.maximum(features["words_chunk"][a:b], share, out=features["words_chunk"][a:b])
    return float(((terms.idf[:, None] * (counts > 0)).sum(axis=0) / terms.total).max())


def _judge_meaning(
    features: dict[str, Floats],
    found: Sequence[Region],
    starts: Sequence[int],
    owner: npt.NDArray[np.int64],
    vector: Vector,
) -> None:
    chunk_meaning = np.full(starts[-1], -1.0)
    signs = np.zeros((starts[-1], len(vector)), dtype=np.float32)
    has_signs = np.zeros(starts[-1], dtype=bool)
    for region, start in zip(found, starts, strict=False):
        for one in region.candidates:
            first, last = region.span(one)
            lines = slice(start + first, start + last)
            np.maximum(chunk_meaning[lines], one.cosine or 0.0, out=chunk_meaning[lines])
        if region.signs is not None:
            lines = slice(start, start + len(region.lines))
            signs[lines], has_signs[lines] = region.signs[:, : len(vector)], True
    features["meaning_chunk"] = chunk_meaning
    line = signs @ vector * (SIGN_SCALE / math.sqrt(len(vector)))
    around = _spread(signs.T, owner).T
    around = around @ vector / np.maximum(np.linalg.norm(around, axis=1), 1e-9)
    # Without line sketches the chunk's own cosine stands in.
    features["meaning_line"] = np.where(has_signs, line, chunk_meaning)
    features["meaning_around"] = np.where(has_signs, around, chunk_meaning)


def _saturated(frequency: Floats, k1: float, norm: Floats | float = 1.0) -> Floats:
    """Term frequency as BM25 counts it: each further occurrence tells less."""
    saturated: Floats = frequency * (k1 + 1) / (frequency + k1 * norm)
    return saturated


def _share(terms: QueryTerms, saturated: Floats, k1: float) -> Floats:
    """Of what the query could reach at most."""
    share: Floats = (terms.idf[:, None] * saturated).sum(axis=0) / (terms.total * (k1 + 1))
    return share


def _spread(values: npt.NDArray[np.floating], owner: npt.NDArray[np.int64]) -> Floats:
    """Values (rows x lines) with a share of the neighbouring lines of the same region."""
    spread: Floats = values.astype(np.float64)
    for distance, share in enumerate(NEIGHBOUR_SHARES, start=1):
        if values.shape[1] <= distance:
            break
        same = owner[distance:] == owner[:-distance]
        spread[:, distance:] += share * values[:, :-distance] * same
        spread[:, :-distance] += share * values[:, distance:] * same
    return spread
