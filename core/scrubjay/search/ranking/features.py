"""What is known of each line of the candidates: the evidence that ranking adds up.

Word features are BM25 divided by what the query could reach at most, so they are shares in 0..1;
a word that nobody wrote lowers them all. Meaning features are cosines. docs/quality.md has what
each gave, and what was tried and left out.
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt

from scrubjay.records.vectors import Vector
from scrubjay.search.query.dates import NamedDate
from scrubjay.search.retrieval.candidates import Passage
from scrubjay.search.retrieval.term_weights import QueryTerms
from scrubjay.store.rows import StoredChunk
from scrubjay.text.tokenizer import Analyzer, searchable

Floats = npt.NDArray[np.float64]

CHUNK_K1, CHUNK_B = 1.2, 0.4
"""BM25 of a chunk; a lower b than usual since chunks are alike in length."""
LINE_K1 = 0.8
"""BM25 of a line with its neighbours, without a length term. Where a single word counts more
(0.3) logs gain and paraphrases lose, where it counts less (1.5) the other way round."""
NEIGHBOUR_SHARES = (0.6, 0.3)
"""What a word, or a meaning, counts one and two lines away; near a flat optimum."""
HEADING_SHARE = 0.5
"""What a word in title, heading or path counts in each line below."""
_BYTE_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * np.float32(2) - 1
"""-1 or +1 for the eight bits of each byte."""

SIGN_SCALE = math.sqrt(math.pi / 2)
"""1 / E|x| of a unit normal: makes the dot product with signs an estimate of the cosine."""

_RIVALS, _FEWEST_RIVALS = 9, 3
"""So many of the next chunks are what the nearest stands out from, if there are a few at least."""
USUAL_MARGIN = 0.1
"""Margin that is assumed where there are too few notes to tell."""

_FIRST_RIVAL_LINE, _LAST_RIVAL_LINE = 6, 20
"""By rank: the first five may be neighbours of the nearest line, or repeat it."""
USUAL_STANDOUT = 0.2
"""The same of lines, where there are too few."""

NAMES = (
    "words_chunk", "words_line", "meaning_chunk", "meaning_line", "meaning_around",
    "meaning_trust", "date", "path",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LineFeatures:
    """Features of all lines of all regions, one after the other."""

    features: Mapping[str, Floats]
    """One value for each line, for each of NAMES."""
    coverage: float
    """Largest share of the query's information that one chunk covers."""
    margin: float
    """How far the chunk nearest in meaning stands out among the nearest, as a cosine."""
    standout: float
    """The same of the nearest line; its neighbours and what repeats it are no rivals."""
    fields: Mapping[int, Mapping[str, frozenset[int]]]
    """Chunk id -> field -> terms found there."""
    says_all: bool = False
    """Every word that was asked for stands in one chunk."""


def evidence(
    found: Sequence[Passage],
    terms: QueryTerms,
    meaning: Vector | None,
    dates: Sequence[NamedDate],
    paths: Sequence[str],
    analyzer: Analyzer,
) -> LineFeatures:
    """Judge every line."""
    sizes = [len(region.lines) for region in found]
    starts = [0, *accumulate(sizes)]
    spans = _spans(found, starts)
    # One more than there are lines, for spans that end at the end.
    frequency, heading = np.zeros((2, len(terms), starts[-1] + 1))
    said: defaultdict[int, set[int]] = defaultdict(set)
    for term, line, worth in _occurrences(found, terms, analyzer):
        frequency[term, line] += worth
        said[line].add(term)
    known: dict[str, frozenset[int]] = {}
    fields: dict[int, Mapping[str, frozenset[int]]] = {}
    candidates = [one for region in found for one in region.candidates]
    for one, (first, end) in zip(candidates, spans, strict=True):
        inside = [said[line] for line in range(first, end) if line in said]
        places = _places(one.chunk, terms, analyzer, known)
        for term in chain.from_iterable(places.values()):
            heading[term, first:end] = 1
        fields[one.chunk.id] = {"text": frozenset().union(*inside), **places}
    features = {name: np.zeros(starts[-1]) for name in NAMES}
    owner = np.repeat(np.arange(len(found)), sizes)
    covered = np.zeros(len(candidates))
    if len(terms):
        lengths = np.array([len(one.chunk.text) for one in candidates], dtype=float)
        covered = _judge_words(features, terms, frequency, heading, spans, owner, lengths)
    if meaning is not None:
        _judge_meaning(features, found, starts, owner, meaning)
        # Words that are far from what is meant, as another sense of them, are no reason to trust;
        # what a mistyped query means is not known so well.
        closeness = 1.0 if terms.has_repairs else _closeness(found) ** 2
        credible = float((covered * closeness).max())
        features["meaning_trust"] = max(0.0, 1 - credible) ** 2 * features["meaning_line"]
    features["date"] = np.repeat([float(region.is_dated(dates)) for region in found], sizes)
    features["path"] = np.repeat([float(region.is_named(paths)) for region in found], sizes)
    coverage = float(covered.max())
    standout = _standout(found, features)
    says_all = any(_says_all(places, terms) for places in fields.values())
    return LineFeatures(features, coverage, _margin(found), standout, fields, says_all)


def _says_all(places: Mapping[str, frozenset[int]], terms: QueryTerms) -> bool:
    return 0 < len(terms) == len(frozenset().union(*places.values()))


def _closeness(found: Sequence[Passage]) -> Floats:
    """How near in meaning each candidate is, as a share of the nearest."""
    cosines = [max(one.cosine or 0.0, 0.0) for region in found for one in region.candidates]
    return np.array(cosines) / max(*cosines, 1e-9)


def _margin(found: Sequence[Passage]) -> float:
    cosines = sorted(
        (
            one.cosine or 0.0
            for region in found
            for one in region.candidates
            if one.vector_rank is not None
        ),
        reverse=True,
    )
    rivals = cosines[1 : _RIVALS + 1]
    return cosines[0] - float(np.mean(rivals)) if len(rivals) >= _FEWEST_RIVALS else USUAL_MARGIN


def _standout(found: Sequence[Passage], features: Mapping[str, Floats]) -> float:
    sketched = np.repeat(
        [region.signs is not None for region in found], [len(region.lines) for region in found]
    )
    cosines = features["meaning_line"][sketched]
    nearest = np.sort(cosines[cosines != 0])[::-1]
    rivals = nearest[_FIRST_RIVAL_LINE - 1 : _LAST_RIVAL_LINE]
    return float(nearest[0] - rivals.mean()) if len(rivals) else USUAL_STANDOUT


def _spans(found: Sequence[Passage], starts: Sequence[int]) -> list[tuple[int, int]]:
    """Half-open range of each candidate among the lines of all regions."""
    return [
        (start + first, start + end)
        for region, start in zip(found, starts, strict=False)
        for first, end in map(region.span, region.candidates)
    ]


def _occurrences(
    found: Sequence[Passage], terms: QueryTerms, analyzer: Analyzer
) -> Iterator[tuple[int, int, float]]:
    """(term, line, what it is worth said that way) for each occurrence of a term."""
    every = [line for region in found for line in region.lines]
    # A few lines at a time: the tokens of all together outgrow the processor's cache.
    for first, end in terms.runs_of_lines([region.text for region in found]):
        lines = [searchable(line).encode("utf-8", "replace") for line in every[first:end]]
        ends = list(accumulate(len(line) + 1 for line in lines))
        for one in terms.occurrences(analyzer.raw_tokens(b"\n".join(lines))):
            yield one.term, first + bisect.bisect_right(ends, one.start), one.worth


def _places(
    chunk: StoredChunk, terms: QueryTerms, analyzer: Analyzer, known: dict[str, frozenset[int]]
) -> dict[str, frozenset[int]]:
    """Terms in heading and path; known keeps them, since many chunks share both."""
    texts = chunk.labels
    for text in texts.values():
        if text not in known:
            stems = analyzer.label_stems(text) if terms.may_be_in(text) else ()
            known[text] = frozenset(terms.found_in(stems))
    return {name: known[text] for name, text in texts.items()}


def _judge_words(
    features: dict[str, Floats],
    terms: QueryTerms,
    frequency: Floats,
    heading: Floats,
    spans: Sequence[tuple[int, int]],
    owner: npt.NDArray[np.int64],
    lengths: Floats,
) -> Floats:
    """Fill in the word features; return what each candidate covers.

    Frequency and heading are terms x lines and one more, lengths those of the candidates in
    characters.
    """
    spread = _spread(frequency[:, :-1], owner) + HEADING_SHARE * heading[:, :-1]
    features["words_line"] = _share(terms, _saturated(spread, LINE_K1), LINE_K1)
    borders = np.ravel(spans)
    counts = np.add.reduceat(frequency, borders, axis=1)[:, ::2]
    counts += np.maximum.reduceat(heading, borders, axis=1)[:, ::2]
    return _judge_chunks(features["words_chunk"], spans, terms, counts, lengths)


def _judge_chunks(
    best: Floats,
    spans: Sequence[tuple[int, int]],
    terms: QueryTerms,
    counts: Floats,
    lengths: Floats,
) -> Floats:
    """Give each line the best BM25 of a chunk around it; return what each candidate covers.

    Counts are terms x candidates, lengths in characters.
    """
    norm = 1 - CHUNK_B + CHUNK_B * lengths / max(float(lengths.mean()), 1.0)
    shares = _share(terms, _saturated(counts, CHUNK_K1, norm), CHUNK_K1)
    for (first, end), share in zip(spans, shares.tolist(), strict=True):
        np.maximum(best[first:end], share, out=best[first:end])
    covered: Floats = (terms.idf[:, None] * (counts > 0)).sum(axis=0) / terms.total
    return covered


def _judge_meaning(
    features: dict[str, Floats],
    found: Sequence[Passage],
    starts: Sequence[int],
    owner: npt.NDArray[np.int64],
    meaning: Vector,
) -> None:
    chunk_meaning = np.full(starts[-1], -1.0)
    width = max((region.signs.shape[1] for region in found if region.signs is not None), default=0)
    signs = np.zeros((starts[-1], width), dtype=np.uint8)
    for region, start in zip(found, starts, strict=False):
        for one in region.candidates:
            first, last = region.span(one)
            lines = slice(start + first, start + last)
            np.maximum(chunk_meaning[lines], one.cosine or 0.0, out=chunk_meaning[lines])
        if region.signs is not None:
            signs[start : start + len(region.lines)] = region.signs
    has_signs = np.repeat([region.signs is not None for region in found], np.diff(starts))
    features["meaning_chunk"] = chunk_meaning
    if not width:
        # Without line sketches the chunk's own cosine stands in.
        features["meaning_line"] = features["meaning_around"] = chunk_meaning
        return
    dimensions = len(meaning)
    line = sign_products(signs, meaning)
    around = _spread(line[None, :], owner)[0] / _spread_lengths(signs, dimensions, owner)
    scale = SIGN_SCALE / math.sqrt(dimensions)
    features["meaning_line"] = np.where(has_signs, scale * line, chunk_meaning)
    features["meaning_around"] = np.where(has_signs, around, chunk_meaning)


def sign_products(bits: npt.NDArray[np.uint8], vector: Vector) -> Floats:
    """Dot product of a vector with the signs (-1 or +1) in each row of bits; 0 for an empty row.

    Each byte of a row stands for eight dimensions, whose 256 possible sums are looked up.
    """
    padded = np.zeros(bits.shape[1] * 8, dtype=np.float32)
    padded[: len(vector)] = vector
    sums = padded.reshape(-1, 8) @ _BYTE_SIGNS.T
    products: Floats = sums[np.arange(bits.shape[1]), bits].sum(axis=1, dtype=np.float64)
    products[~bits.any(axis=1)] = 0
    return products


def _spread_lengths(
    bits: npt.NDArray[np.uint8], dimensions: int, owner: npt.NDArray[np.int64]
) -> Floats:
    """Lengths of the sums that _spread makes of the signs themselves, without making them.

    |sum of w x s|^2 is the sum of w w' x s.s' over all pairs of lines, and s.s' is the number
    of dimensions less twice the differing bits.
    """
    count = len(bits)
    reach = len(NEIGHBOUR_SHARES)
    weights = (*reversed(NEIGHBOUR_SHARES), 1.0, *NEIGHBOUR_SHARES)
    words = bits.view(np.uint64)
    spoken = np.asarray(bits.any(axis=1))
    same = [_is_same(owner, offset) for offset in range(-reach, reach + 1)]
    squares: Floats = np.zeros(count)
    padded = np.zeros(count + 2 * reach)
    for lag in range(min(2 * reach + 1, count)):
        differing = np.bitwise_count(words[lag:] ^ words[: count - lag]).sum(axis=1, dtype=np.int32)
        pair = (owner[lag:] == owner[: count - lag]) & spoken[lag:] & spoken[: count - lag]
        padded[:] = 0
        padded[reach : reach + count - lag] = np.where(pair, dimensions - 2.0 * differing, 0.0)
        for at in range(len(weights) - lag):
            share = weights[at] * weights[at + lag] * (1 if lag == 0 else 2)
            squares += share * padded[at : at + count] * same[at]
    return np.sqrt(np.maximum(squares, 1e-18))


def _is_same(owner: npt.NDArray[np.int64], offset: int) -> npt.NDArray[np.bool_]:
    """Where the line that many further on is of the same region."""
    same = np.zeros(len(owner), dtype=bool)
    count = max(0, len(owner) - abs(offset))
    first = max(0, -offset)
    same[first : first + count] = owner[:count] == owner[len(owner) - count :]
    return same


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
