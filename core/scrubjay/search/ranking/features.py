"""Features of each line of the candidates. Ranking adds them up.

Word features are BM25 divided by the highest value that the query could reach, so they are shares
from 0 to 1. A word that is in none of the notes lowers all of them. Meaning features are cosines.
docs/quality.md lists the gain of each feature, and what was tried without success.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import accumulate, chain

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

NAMES = (
    "words_chunk", "words_line", "meaning_chunk", "meaning_line", "meaning_around",
    "meaning_trust", "date", "path",
)  # fmt: skip


class LineFeatures(Struct, frozen=True):
    """Features of all lines of all passages, one passage after the other."""

    values: Mapping[str, Sequence[float]]
    """Name of a feature, one of NAMES -> its value in each line."""
    fields: Mapping[int, Mapping[str, Mapping[int, float]]]
    """Chunk id -> field -> numbers of the terms in it, with their closeness."""
    credible: float = 0.0
    """Most of the query's words in a chunk that is also near its meaning, 0 to 1."""

    def trusting(self, credible: float) -> LineFeatures:
        """The features with as much trust in meaning as words this credible leave."""
        share = max(0.0, 1 - credible) ** 2
        trust = [share * meaning for meaning in self.values["meaning_line"]]
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
    owner = [number for number, size in enumerate(sizes) for _ in range(size)]
    values = {name: [0.0] * len(owner) for name in NAMES}
    candidates = [candidate for passage in passages for candidate in passage.candidates]
    # Half-open range of each candidate among the lines of all passages.
    starts = [0, *accumulate(sizes)]
    spans = [
        (start + first, start + end)
        for passage, start in zip(passages, starts, strict=False)
        for first, end in map(passage.span, passage.candidates)
    ]
    # Features of words, of meaning, and of what the whole document is.
    found = _find_terms(passages, terms, analyzer, spans=spans)
    covered = [0.0] * len(candidates)
    credible = 0.0
    if len(terms):
        lengths = [len(candidate.chunk.text) for candidate in candidates]
        values["words_line"] = _line_shares(terms, found, owner)
        chunks = _chunk_counts(found, spans)
        values["words_chunk"] = _chunk_shares(
            terms, chunks, spans=spans, lengths=lengths, lines=len(owner)
        )
        covered = [sum(terms.idf[term] for term in counts) / terms.total for counts in chunks]
    if query_vector is not None:
        # Imported late: a search by words needs no numpy, which takes longer to import.
        from scrubjay.search.ranking.meaning_features import meaning_features

        values |= meaning_features(passages, query_vector)
        credible = _credible(covered, candidates, terms)
    dated = [float(passage.is_dated(dates)) for passage in passages]
    named = [float(passage.is_named(paths)) for passage in passages]
    values["date"] = [dated[number] for number in owner]
    values["path"] = [named[number] for number in owner]
    return LineFeatures(values, found.fields).trusting(credible)


class _FoundTerms(Struct, frozen=True):
    """The terms of a query in the lines of all passages. Most lines have none."""

    frequency: Sequence[Mapping[int, float]]
    """Line -> occurrences of a term in it, by their worth; one for each term."""
    heading: Sequence[Set[int]]
    """Lines below a label that has a term; one set for each term."""
    fields: Mapping[int, Mapping[str, Mapping[int, float]]]
    """Chunk id -> field -> numbers of the terms in it, with their closeness."""


def _find_terms(
    passages: Sequence[Passage],
    terms: QueryTerms,
    analyzer: Analyzer,
    *,
    spans: Sequence[tuple[int, int]],
) -> _FoundTerms:
    frequency: list[dict[int, float]] = [{} for _ in range(len(terms))]
    heading: list[set[int]] = [set() for _ in range(len(terms))]
    line_terms: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for term, line, worth, closeness in _occurrences(passages, terms, analyzer):
        frequency[term][line] = frequency[term].get(line, 0.0) + worth
        line_terms[line].append((term, closeness))
    for line in _unsure_lines(passages):
        for counts in frequency:
            if line in counts:
                counts[line] *= weights.UNSURE_SHARE
    # Terms of each chunk by the field that holds them; a label counts in each line below it.
    label_terms: dict[str, dict[int, float]] = {}
    fields: dict[int, Mapping[str, Mapping[int, float]]] = {}
    candidates = [candidate for passage in passages for candidate in passage.candidates]
    for candidate, (first, end) in zip(candidates, spans, strict=True):
        inside = (line_terms[line] for line in range(first, end) if line in line_terms)
        labels = _label_terms(candidate.chunk, terms, analyzer, cache=label_terms)
        for term in chain.from_iterable(labels.values()):
            heading[term].update(range(first, end))
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


def _credible(
    covered: Sequence[float], candidates: Sequence[Candidate], terms: QueryTerms
) -> float:
    """The most that a chunk covers, as far as its meaning is near that of the query.

    Covered is for each candidate. Words whose chunk is far from the query's meaning, as another
    sense of them, are not a reason to trust them. The meaning of a mistyped query is less certain:
    there its words alone decide.
    """
    if terms.has_repairs:
        return max(covered)
    cosines = [max(candidate.cosine or 0.0, 0.0) for candidate in candidates]
    nearest = max(*cosines, 1e-9)
    return max(
        share * (cosine / nearest) ** 2 for share, cosine in zip(covered, cosines, strict=True)
    )


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


def _line_shares(terms: QueryTerms, found: _FoundTerms, owner: Sequence[int]) -> list[float]:
    """BM25 of each line with its neighbours and labels, as a share of the query's maximum.

    Owner is the number of each line's passage.
    """
    shares = [0.0] * len(owner)
    for idf, frequency, heading in zip(terms.idf, found.frequency, found.heading, strict=True):
        around = spread_words(frequency, owner)
        for line in heading:
            around[line] = around.get(line, 0.0) + weights.HEADING_SHARE
        for line, count in around.items():
            shares[line] += idf * _saturated(count, weights.LINE_K1)
    most = terms.total * (weights.LINE_K1 + 1)
    return [share / most for share in shares]


def spread_words(frequency: Mapping[int, float], owner: Sequence[int]) -> dict[int, float]:
    """Line -> its occurrences, with a share of those of neighbouring lines of the passage.

    Owner is the number of each line's passage.
    """
    reach = range(-len(weights.NEIGHBOUR_SHARES), len(weights.NEIGHBOUR_SHARES) + 1)
    lines = {line + offset for line in frequency for offset in reach}
    around: dict[int, float] = {}
    for line in lines.intersection(range(len(owner))):
        # Always in this order, so that lines with the same words have exactly the same sum.
        count = frequency.get(line, 0.0)
        for distance, share in enumerate(weights.NEIGHBOUR_SHARES, start=1):
            for beside in (line - distance, line + distance):
                if beside in frequency and owner[beside] == owner[line]:
                    count += share * frequency[beside]
        if count:
            around[line] = count
    return around


def _chunk_counts(
    found: _FoundTerms, spans: Sequence[tuple[int, int]]
) -> Sequence[Mapping[int, float]]:
    """For each chunk: the terms in it and above it, with their occurrences by their worth."""
    chunks: list[Mapping[int, float]] = []
    for first, end in spans:
        counts: dict[int, float] = {}
        lines = range(first, end)
        pairs = zip(found.frequency, found.heading, strict=True)
        for term, (frequency, heading) in enumerate(pairs):
            count = sum(frequency[line] for line in lines if line in frequency)
            if not heading.isdisjoint(lines):
                count += 1.0
            if count > 0:
                counts[term] = count
        chunks.append(counts)
    return chunks


def _chunk_shares(
    terms: QueryTerms,
    chunks: Sequence[Mapping[int, float]],
    *,
    spans: Sequence[tuple[int, int]],
    lengths: Sequence[int],
    lines: int,
) -> list[float]:
    """BM25 of the best chunk of each line, as a share of the query's maximum.

    Lengths of the chunks are in characters.
    """
    mean = max(sum(lengths) / len(lengths), 1.0)
    most = terms.total * (weights.CHUNK_K1 + 1)
    best = [0.0] * lines
    for counts, (first, end), length in zip(chunks, spans, lengths, strict=True):
        norm = 1 - weights.CHUNK_B + weights.CHUNK_B * length / mean
        share = sum(
            terms.idf[term] * _saturated(count, weights.CHUNK_K1, norm=norm)
            for term, count in counts.items()
        )
        share /= most
        # Chunks that overlap share lines.
        for line in range(first, end):
            if share > best[line]:
                best[line] = share
    return best


def _saturated(count: float, k1: float, *, norm: float = 1.0) -> float:
    """Worth of so many occurrences in BM25: each further one tells less."""
    return count * (k1 + 1) / (count + k1 * norm)
