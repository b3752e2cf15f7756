"""The weights and thresholds of dreaming, which decide what is proposed for MEMORY.md.

Both programs work on the same files, so most numbers are those of OpenClaw: its defaults
(`packages/memory-host-sdk/src/dreaming.ts`) and its score (`extensions/memory-core/src/
short-term-promotion.ts`). The others are ours, by hand.
"""

from __future__ import annotations

# -- the light phase ------------------------------------------------------------------------------

LIGHT_DAYS = 2
"""Days that the light phase looks back, from OpenClaw."""
LIGHT_LIMIT = 100
"""Number of entries that the light phase looks at, at most, from OpenClaw."""
LIGHT_SAME_ABOVE = 0.9
"""Share of words above which two entries say the same, from OpenClaw."""

# -- the REM phase --------------------------------------------------------------------------------

REM_DAYS = 7
"""Days that the REM phase looks back, from OpenClaw."""
REM_LIMIT = 10
"""Number of themes, at most, from OpenClaw."""
REM_STRENGTH = 0.75
"""Strength from which a concept is a theme, from OpenClaw."""
THEME_SHARE = 2
"""Factor from the share of the entries with a concept to its strength: in half of them it has the
full one, as in OpenClaw."""
THEME_ENTRIES = 2
"""Number of entries from which a concept can be a theme, by hand."""

# -- the deep phase: what is proposed -------------------------------------------------------------

DEEP_LIMIT = 10
"""Number of proposals in one night, at most, from OpenClaw."""
DEEP_SCORE = 0.8
"""Score from which an entry is proposed, from OpenClaw."""
DEEP_RECALLS = 3
"""Number of recalls from which an entry is proposed, from OpenClaw."""
DEEP_QUERIES = 3
"""Number of different queries from which an entry is proposed, from OpenClaw."""
DEEP_AGE_DAYS = 30
"""Days since the last recall after which an entry is no longer proposed, from OpenClaw."""

# -- the score ------------------------------------------------------------------------------------

FREQUENCY = 0.24
"""Weight of how often an entry was recalled, from OpenClaw. The six weights add up to 1."""
RELEVANCE = 0.30
"""Weight of the mean score of its recalls, from OpenClaw."""
DIVERSITY = 0.15
"""Weight of different queries or days, from OpenClaw."""
RECENCY = 0.15
"""Weight of the time since the last recall, from OpenClaw."""
CONSOLIDATION = 0.10
"""Weight of recalls on several days, from OpenClaw."""
CONCEPTS = 0.06
"""Weight of the number of concepts, from OpenClaw."""
PHASE_MAX = {"light": 0.06, "rem": 0.09}
"""Most that the two earlier phases can add, from OpenClaw."""

HALF_LIFE_DAYS = 14.0
"""Days after which a recall, or a selection by a phase, counts half, from OpenClaw."""
FULL_FREQUENCY = 10
"""Number of signals, plus 1, that have the whole weight, from OpenClaw; logarithmic below."""
FULL_VARIETY = 5
"""Number of different queries or days that have the whole weight, from OpenClaw."""
FULL_CONCEPTS = 6
"""Number of concepts that have the whole weight, from OpenClaw."""
FULL_PHASE_HITS = 6
"""Number of selections by a phase that have its whole weight, from OpenClaw; logarithmic below."""
ONE_DAY = 0.2
"""Consolidation of an entry that was recalled on one day only, from OpenClaw."""
DAYS_SHARE = 0.55
"""Share of the number of days in the consolidation, from OpenClaw."""
SPAN_SHARE = 0.45
"""Share of the time from the first day to the last in the consolidation, from OpenClaw."""
FULL_DAYS = 4
"""Number of days after the first one that have the whole share, from OpenClaw."""
FULL_SPAN = 7
"""Days from the first to the last that have the whole share, from OpenClaw."""

# -- what is kept, and what is written ------------------------------------------------------------

MAX_ENTRIES = 2000
"""Number of entries that are kept; the oldest go first, promoted entries stay. By hand."""
MAX_TAGS = 8
"""Number of concepts of an entry, at most, from OpenClaw."""
MAX_QUERIES = 32
"""Number of queries that an entry remembers, from OpenClaw."""
MAX_DAYS = 16
"""Number of days that an entry remembers, from OpenClaw."""
MAX_REFUSED = 5000
"""Number of refused keys that are kept; the oldest go first. By hand."""
MAX_CHARACTERS = 500
"""Characters of one line in MEMORY.md, by hand; a longer text belongs in its own note."""
SAME_FROM = 0.95
"""Similarity from which a line says what MEMORY.md says already, 0 to 1. By hand."""
