"""Features of each line of the candidates. Ranking adds them up.

Word features are BM25 divided by the highest value that the query could reach, so they are shares
from 0 to 1. A word that is in none of the notes lowers all of them. Meaning features are cosines.
docs/quality.md lists the gain of each feature, and what was tried without success.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.records.picture_text import UNSURE_MARK
from scrubjay.records.vectors import Vector
from scrubjay.search.query.dates import Period
from scrubjay.search.ranking import weights
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import QueryTerms, best_closeness
from scrubjay.store.index_records import StoredChunk
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.tokenizer import Analyzer, has_parts, text_with_parts

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_BYTE_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * np.float32(2) - 1
"""float32[256, 8]: -1 or +1 for the eight bits of each byte."""

_SIGN_SCALE = math.sqrt(math.pi / 2)
"""1 / E|x| of a unit normal: makes the dot product with signs an estimate of the cosine."""

NAMES = (
    "words_chunk", "words_line", "meaning_chunk", "meaning_line", "meaning_around",
    "meaning_trust", "date", "path",
)  # fmt: skip


class LineFeatures(Struct, frozen=True):
    """Features of all lines of all passages, one passage after the other."""

    values: Mapping[str, Floats]
    """Name of a feature, one of NAMES -> float64[lines]."""
    fields: Mapping[int, Mapping[str, Mapping[int, float]]]
    """Chunk id -> field -> numbers of the terms in it, with their closeness."""
    credible: float = 0.0
    """Most of the query's words in a chunk that is also near its meaning, 0 to 1."""

    def trusting(self, credible: float) -> LineFeatures:
        """The features with as much trust in meaning as words this credible leave."""
        trust = max(0.0, 1 - credible) ** 2 * self.values["meaning_line"]
        return replace(self, values={**self.values, "meaning_trust": trust}, credible=credible)


def line_features(
    passages: Sequence[Passage],
    terms: QueryTerms,
    query_vector: Vector | None,
    dates: Sequence[Period],
    paths: Sequence[str],
    analyzer: Analyzer,
) -> LineFeatures:
    """Features of every line; without a query vector those of meaning are 0."""
    sizes = [len(passage.lines) for passage in passages]
    starts = [0, *accumulate(sizes)]
    # Half-open range of each candidate among the lines of all passages.
    spans = [
        (start + first, start + end)
        for passage, start in zip(passages, starts, strict=False)
        for first, end in map(passage.span, passage.candidates)
    ]
    candidates = [candidate for passage in passages for candidate in passage.candidates]
    found = _find_terms(passages, terms, analyzer, spans=spans)
    # Features of words, of meaning, and of what the whole document is.
    values = {name: np.zeros(starts[-1]) for name in NAMES}
    owner = np.repeat(np.arange(len(passages)), sizes)
    covered = np.zeros(len(candidates))
    credible = 0.0
    if len(terms):
        covered = _add_word_features(
            values,
            terms,
            frequency=found.frequency,
            heading=found.heading,
            spans=spans,
            owner=owner,
            lengths=np.array([len(candidate.chunk.text) for candidate in candidates], dtype=float),
        )
    if query_vector is not None:
        _add_meaning_features(
            values, passages, starts=starts, owner=owner, query_vector=query_vector
        )
        credible = _credible(covered, candidates, terms)
    values["date"] = np.repeat([float(passage.is_dated(dates)) for passage in passages], sizes)
    values["path"] = np.repeat([float(passage.is_named(paths)) for passage in passages], sizes)
    return LineFeatures(values, found.fields).trusting(credible)


class _FoundTerms(Struct, frozen=True):
    """The terms of a query in the lines of all passages.

    Both arrays have one column more than there are lines, for spans that end with the last one.
    """

    frequency: Floats
    """Occurrences by their worth, float64[terms, lines + 1]."""
    heading: Floats
    """Whether a label above a line has a term, float64[terms, lines + 1]."""
    fields: Mapping[int, Mapping[str, Mapping[int, float]]]
    """Chunk id -> field -> numbers of the terms in it, with their closeness."""


def _find_terms(
    passages: Sequence[Passage],
    terms: QueryTerms,
    analyzer: Analyzer,
    *,
    spans: Sequence[tuple[int, int]],
) -> _FoundTerms:
    lines = sum(len(passage.lines) for passage in passages)
    frequency = np.zeros((len(terms), lines + 1))
    heading = np.zeros_like(frequency)
    line_terms: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    occurrences = _occurrences(passages, terms, analyzer)
    if occurrences:
        rows, columns, worths, _ = zip(*occurrences, strict=True)
        np.add.at(frequency, (rows, columns), worths)
        frequency[:, _unsure_lines(passages)] *= weights.UNSURE_SHARE
    for term, line, _, closeness in occurrences:
        line_terms[line].append((term, closeness))
    # Terms of each chunk by the field that holds them; a label counts in each line below it.
    label_terms: dict[str, dict[int, float]] = {}
    fields: dict[int, Mapping[str, Mapping[int, float]]] = {}
    candidates = [candidate for passage in passages for candidate in passage.candidates]
    for candidate, (first, end) in zip(candidates, spans, strict=True):
        inside = (line_terms[line] for line in range(first, end) if line in line_terms)
        labels = _label_terms(candidate.chunk, terms, analyzer, cache=label_terms)
        for term in chain.from_iterable(labels.values()):
            heading[term, first:end] = 1
        fields[candidate.chunk.id] = {"text": best_closeness(chain.from_iterable(inside)), **labels}
    return _FoundTerms(frequency, heading, fields)


def _unsure_lines(passages: Sequence[Passage]) -> list[int]:
    """Numbers of the lines of pictures of which the recogniser was not sure."""
    numbers: list[int] = []
    start = 0
    for passage in passages:
        # Only documents have such lines, and a note may well end a line so.
        if document_kind(passage.candidates[0].chunk.path):
            own = enumerate(passage.lines, start=start)
            numbers += [number for number, line in own if line.endswith(UNSURE_MARK)]
        start += len(passage.lines)
    return numbers


def _credible(covered: Floats, candidates: Sequence[Candidate], terms: QueryTerms) -> float:
    """The most that a chunk covers, as far as its meaning is near that of the query.

    Covered is float64[candidates]. Words whose chunk is far from the query's meaning, as another
    sense of them, are not a reason to trust them. The meaning of a mistyped query is less certain:
    there its words alone decide.
    """
    if terms.has_repairs:
        return float(covered.max())
    cosines = np.array([max(candidate.cosine or 0.0, 0.0) for candidate in candidates])
    closeness = (cosines / max(cosines.max(), 1e-9)) ** 2
    return float((covered * closeness).max())


def _occurrences(
    passages: Sequence[Passage], terms: QueryTerms, analyzer: Analyzer
) -> list[tuple[int, int, float, float]]:
    """(number of the term, line, worth, closeness) for each occurrence of a term."""
    found: list[tuple[int, int, float, float]] = []
    all_lines = [line for passage in passages for line in passage.lines]
    # A few lines at a time: the tokens of all together outgrow the processor's cache.
    for first, end in terms.runs_of_lines([passage.text for passage in passages]):
        written = all_lines[first:end]
        if has_parts("\n".join(written)):
            # Most lines have none: looked at one by one, since one date would cost all of them.
            written = [text_with_parts(line) if has_parts(line) else line for line in written]
        lines = [line.encode("utf-8", "replace") for line in written]
        ends = list(accumulate(len(line) + 1 for line in lines))
        text = b"\n".join(lines)
        for occurrence in terms.occurrences(analyzer.raw_tokens(text), text):
            line = first + bisect_right(ends, occurrence[0])
            if terms.has_other_ways:
                occurrence = terms.weigh_writing(occurrence, all_lines[line])
            _, term, worth, closeness = occurrence
            found.append((term, line, worth, closeness))
    return found


def _label_terms(
    chunk: StoredChunk, terms: QueryTerms, analyzer: Analyzer, cache: dict[str, dict[int, float]]
) -> dict[str, dict[int, float]]:
    """Terms in heading and path; they are cached by text, since many chunks share both."""
    texts = chunk.labels
    for text in texts.values():
        if text not in cache:
            cache[text] = terms.find_terms(text, analyzer)
    return {name: cache[text] for name, text in texts.items()}


# The parameters are arrays of one shape or the other, as NumPy wants them.
def _add_word_features(  # noqa: PLR0913
    values: dict[str, Floats],
    terms: QueryTerms,
    frequency: Floats,
    heading: Floats,
    spans: Sequence[tuple[int, int]],
    owner: Integers,
    lengths: Floats,
) -> Floats:
    """Fill in the word features; return float64[candidates], the share that each covers.

    frequency and heading are float64[terms, lines + 1], owner is int64[lines], lengths are
    float64[candidates] in characters.
    """
    around = spread(frequency[:, :-1], owner) + weights.HEADING_SHARE * heading[:, :-1]
    values["words_line"] = _share(terms, around, weights.LINE_K1)
    # Words of whole chunks: every other sum is of the lines between two chunks.
    borders = np.ravel(spans)
    counts = np.add.reduceat(frequency, borders, axis=1)[:, ::2]
    counts += np.maximum.reduceat(heading, borders, axis=1)[:, ::2]
    norm = 1 - weights.CHUNK_B + weights.CHUNK_B * lengths / max(float(lengths.mean()), 1.0)
    shares = _share(terms, counts, weights.CHUNK_K1, norm=norm)
    best = values["words_chunk"]
    for (first, end), share in zip(spans, shares.tolist(), strict=True):
        np.maximum(best[first:end], share, out=best[first:end])
    covered: Floats = (terms.idf[:, None] * (counts > 0)).sum(axis=0) / terms.total
    return covered


def _add_meaning_features(
    values: dict[str, Floats],
    passages: Sequence[Passage],
    starts: Sequence[int],
    owner: Integers,
    query_vector: Vector,
) -> None:
    """Fill in the features of meaning; owner is int64[lines]."""
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
    values["meaning_chunk"] = chunk_meaning
    if not width:
        # The chunk's own cosine stands in for those of its lines.
        values["meaning_line"] = values["meaning_around"] = chunk_meaning
        return
    # Estimates of the cosines of the lines, alone and with their neighbours.
    has_signs = np.repeat([passage.signs is not None for passage in passages], np.diff(starts))
    dimensions = len(query_vector)
    line = sign_products(signs, query_vector)
    around = spread(line[None, :], owner)[0] / spread_norms(signs, dimensions, owner)
    scale = _SIGN_SCALE / math.sqrt(dimensions)
    values["meaning_line"] = np.where(has_signs, scale * line, chunk_meaning)
    values["meaning_around"] = np.where(has_signs, around, chunk_meaning)


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


def _share(terms: QueryTerms, frequency: Floats, k1: float, norm: Floats | float = 1.0) -> Floats:
    """float64[columns]: BM25 as a share of the query's maximum; frequency is [terms, columns]."""
    # Each further occurrence tells less.
    saturated = frequency * (k1 + 1) / (frequency + k1 * norm)
    share: Floats = (terms.idf[:, None] * saturated).sum(axis=0) / (terms.total * (k1 + 1))
    return share
