"""The fitted numbers of ranking, each with its source.

"Fitted" means: by logistic regression or by hand on the dev sets that docs/quality.md describes,
then rounded. That document lists the alternatives that were measured; most optima are flat.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

# Words, meaning and the other features of lines.

CHUNK_K1 = 1.2
"""Saturation of a repeated word in BM25 of a chunk; fitted."""

CHUNK_B = 0.4
"""Weight of the length in BM25 of a chunk; lower than the default 0.75 since chunks are alike in
length; fitted."""

LINE_K1 = 0.8
"""Saturation of a repeated word in a line with its neighbours, without a length term; fitted.

With 0.3, where a single word counts more, logs gain and paraphrases lose; 1.5 does the reverse.
"""

NEIGHBOUR_SHARES = (0.6, 0.3)
"""Share of a word, or of a meaning, that counts one and two lines away; fitted, a flat optimum."""

HEADING_SHARE = 0.5
"""Share of a word in title, heading or path that counts in each line below; fitted."""

WEIGHTS: Mapping[str, float] = {
    "words_chunk": 5.0, "words_line": 10.0, "meaning_chunk": 2.0, "meaning_line": 7.0,
    "meaning_around": 4.0, "meaning_trust": 16.0, "date": 8.0, "path": 16.0,
}  # fmt: skip
"""Log-odds for one unit of each line feature; fitted, a flat optimum."""

# Windows of lines, and the probability that one answers.

BUDGETS = (430, 350, 300, 260, 230, 140)
"""Tokens of the first, second, ... hit; the last one holds for all that follow. Fitted: the best
of some two dozen sequences."""

SHARPNESS = 0.7
"""Share of the log-odds of lines that counts between windows; fitted with the next five numbers: by
logistic regression over the first six hits of 2,197 questions in each mode, 900 of them asked in
folders of other people and weighed 0.2. Rounded; all modes share one set of numbers."""

NO_ANSWER = 7.0
"""Log-odds of lines that stand for no answer, with the features of meaning; fitted."""

NO_ANSWER_BY_WORDS = 1.0
"""Log-odds of lines that stand for no answer, without the features of meaning; fitted."""

COVERAGE_WEIGHT = 1.25
"""Log-odds for all of the query's information in a hit's chunk; fitted."""

MEANING_WEIGHT = 0.9
"""Log-odds for the cosine of a hit's best line; fitted."""

BIAS = 0.95
"""Sum of both at even odds; fitted."""

UNKNOWN_NAME_PENALTY = 3.0
"""Log-odds taken off when the query names only what the index never names; fitted.

It shrinks as other words are covered. Words are paraphrased, names seldom: 16 % of the
unanswerable questions name nothing else, 0.3 % of the others.
"""

MENDED_SHARE = 0.5
"""Share of a word's information that a repaired spelling, or a part of it, covers; by hand: a tenth
changes no judged question."""

SUBJECT_SHARE = 0.3
"""Least share of the query's information in the name of a note that is its subject; by hand."""

FULL_MATCH_LOG_ODDS = 0.0
"""Least log-odds of a first hit with every word of the query, whatever the model makes of it: a
search for a word of one's own notes must find it. Of a hundred such hits 86 are right."""

RIVALS = 5
"""Number of first windows that a hit is weighed against; ten were no better."""

NEAR_SHARE = 0.25
"""Distance of a title that is near a question above the usual cosine of those it is compared with,
as a share of the way to equality, since models differ in what is usual; by hand."""

# A second look at the first hits by a language model (docs/quality.md).


class ReaderNumbers(Struct, frozen=True, kw_only=True):
    """What the likelihoods of a language model say; fitted to the first hits of judged questions.

    A hit has FOUND_SHARE of its log-odds and weight for each nat by which it makes the question
    likelier. No answer has doubt for each nat of the best hit.
    """

    weight: float
    doubt: float


READ_HITS = 4
"""First hits that are read again: they hold the right one for 91 of 100 paraphrases."""

FOUND_SHARE = 0.6
"""Share of the log-odds of a hit as it was found, beside what reading says; fitted."""

CLEARLY_BETTER = 0.1
"""Probability by which a hit that was read exceeds one that stood before it, to rise above it for
a person, whose results move seldom then; by hand. For agents, the better one stands first."""

MOST_LOG_ODDS = 20.0
"""Largest log-odds of a hit before it is read, so that all sums stay finite; by hand."""

OTHER_READER = ReaderNumbers(weight=0.4, doubt=0.2)
"""Numbers of a model that was not measured: those of Gemma 3 270M."""

READERS: Mapping[str, ReaderNumbers] = {
    "47aae3d8bfb5f941": OTHER_READER,
    "747cb1f0195582d0": ReaderNumbers(weight=0.5, doubt=0.3),
}
"""Numbers of models that were measured, by their content: Gemma 3 270M (Q4_K_M) and SmolLM2 135M
Instruct (Q4_1)."""

# The probability that two notes are similar.

SIMILAR_MEANING = 7.7
"""Log-odds for the whole way of a note's meaning from the usual one to equality; fitted with the
next two numbers, by logistic regression over the judged pairs in tests/quality/similar.json."""

SIMILAR_WORDS = 22.0
"""Log-odds for the cosine of the weighted words of two notes; fitted."""

SIMILAR_BIAS = 3.6
"""Sum of both at even odds; fitted."""

# The choice of hits.

UNSURE_SHARE = 0.5
"""Share of a word that counts in a line of a picture that was not read for sure; by hand."""

PICTURES_SHARE = 2
"""Pictures get at most one place of so many while notes have any to take it; by hand."""

UNCERTAIN = 0.05
"""Least score of an uncertain hit beside sure ones; 0.02 finds two paraphrases in 100 more."""

RRF_K = 60
"""Damping of low ranks in reciprocal rank fusion, from Cormack et al. (2009)."""
