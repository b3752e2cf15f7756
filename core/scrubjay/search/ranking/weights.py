"""The fitted numbers of ranking, each with its source.

"Fitted" means: by logistic regression or by hand on the dev sets that docs/quality.md describes,
then rounded. That document lists the alternatives that were measured; most optima are flat.
"""

from __future__ import annotations

from collections.abc import Mapping

CHUNK_K1, CHUNK_B = 1.2, 0.4
"""BM25 of a chunk. b is lower than the usual 0.75 since chunks are alike in length; fitted."""

LINE_K1 = 0.8
"""BM25 of a line with its neighbours, without a length term; fitted.

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

BUDGETS = (430, 350, 300, 260, 230, 140)
"""Tokens of the first, second, ... hit; the last one holds for all that follow. Fitted: the best
of some two dozen sequences."""

COVERAGE_WEIGHT, MEANING_WEIGHT, MARGIN_WEIGHT, STANDOUT_WEIGHT = 4.0, 9.0, 6.0, 8.0
"""Log-odds of confidence: logistic regression over 2,197 answerable and unanswerable questions."""

UNKNOWN_NAME_PENALTY = 2.0
"""Log-odds taken off when the query names only what the index never names; fitted.

It shrinks as other words are covered. Words are paraphrased, names seldom: 16 % of the
unanswerable questions name nothing else, 0.3 % of the others.
"""

BIAS = 5.85
"""Sum of the confidence features at even odds.

It puts the default minScore of 0.35 where six in seven paraphrases and three in ten unanswerable
questions get an answer. A stricter point loses more of the former than it refuses of the latter.
"""

FULL_MATCH_LOG_ODDS = 0.0
"""Least confidence when one chunk holds every word of the query, however little the model makes of
it: a search for a word of one's own notes must find it."""

WORDS_STEEPNESS, WORDS_EVEN = 6.0, 0.4
"""Confidence by words alone: even odds when the best chunk covers 40 % of the query's information;
no alternative is on record."""

CONFIDENCE_FADE = 0.5
"""Share of the log-odds between the first hit and a later one by which its confidence is lower; no
alternative is on record."""

CONFIDENCE_HITS = 5
"""Number of first hits whose best line tells the confidence; no alternative is on record."""

RIVAL_CHUNKS, FEWEST_RIVAL_CHUNKS = 9, 3
"""Number of next chunks that the nearest one is compared with, and the fewest that suffice."""

USUAL_MARGIN = 0.1
"""Margin of the nearest chunk (a cosine) assumed where there are too few: the usual one."""

FIRST_RIVAL_LINE, LAST_RIVAL_LINE = 6, 20
"""Ranks of the lines that the nearest one is compared with: the first five may be neighbours of
the nearest line, or repeat it."""

USUAL_STANDOUT = 0.2
"""Stand-out of the nearest line (a cosine) assumed where there are too few: the usual one."""

RRF_K = 60
"""Damping of low ranks in reciprocal rank fusion, from Cormack et al. (2009)."""
