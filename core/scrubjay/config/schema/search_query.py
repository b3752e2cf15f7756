"""The `query` and `queryExpansion` blocks of `memorySearch`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from scrubjay.config.schema.section import (
    Before,
    Field,
    Limits,
    Section,
    Share,
    Whole,
    Words,
    labels,
    listed,
    lowered,
)
from scrubjay.messages import msg

FusionName: TypeAlias = Annotated[
    Literal["adaptive", "weighted", "rrf"],
    Before(lowered),
    labels(
        adaptive=msg("Judged for each search"),
        weighted=msg("With fixed shares"),
        rrf=msg("By their order alone"),
    ),
]


class Mmr(Section):
    """Diversity: hits that repeat a better one move down."""

    enabled: bool = Field(
        default=False,
        title=msg("Prefer different results"),
        description=msg("What repeats a better result moves down."),
    )
    """Reorder hits for diversity."""
    lambda_: Share = Field(
        default=0.7,
        key="lambda",
        title=msg("Best results or different ones"),
        description=msg("At 1 only the best count, at 0 only how much they differ."),
    )
    """1 keeps the order by relevance, 0 looks at diversity alone."""


class TemporalDecay(Section):
    """Recency: dated notes lose weight with age, the others never do."""

    enabled: bool = Field(
        default=False,
        title=msg("Show newer notes first"),
        description=msg(
            "Of two notes with a date, the newer one moves up. Notes without a "
            "date stay where they are."
        ),
    )
    """Let dated notes fade."""
    half_life_days: Annotated[float, Limits(1, 36_500)] = Field(
        default=30.0,
        title=msg("Days until a daily note counts half"),
        description=msg("Only where recent notes are preferred."),
    )
    """Age at which a note counts half."""


class Hybrid(Section):
    """How the ranking by words and the ranking by meaning become one."""

    enabled: bool = Field(
        default=True,
        title=msg("Search by words and by meaning together"),
        description=msg("Off: by meaning alone, where there is a language helper."),
    )
    """Off: search by meaning alone, and by words alone where no model answers."""
    fusion: FusionName = Field(
        default="adaptive",
        title=msg("How words and meaning are combined"),
        description=msg("The two shares below count only for “With fixed shares”."),
    )
    """`adaptive` judges for each query how far words can be trusted, `weighted` takes the two
    weights as they are, `rrf` looks at ranks alone."""
    vector_weight: Share = Field(
        default=0.7, title=msg("Share of the meaning"), description=msg("From 0 to 1.")
    )
    """Share of meaning, for `weighted` only. The two weights are scaled to add up to 1; both 0
    stand for 0.7 and 0.3. A side that is not searched leaves its share to the other."""
    text_weight: Share = Field(
        default=0.3, title=msg("Share of the words"), description=msg("From 0 to 1.")
    )
    """Share of words, for `weighted` only."""
    candidate_multiplier: Whole = Field(default=4, low=1, high=20)
    """How many candidates are looked at for each place in the answer."""
    mmr: Mmr = Mmr()
    temporal_decay: TemporalDecay = TemporalDecay()

    @property
    def weights(self) -> tuple[float, float]:
        """Shares of meaning and words; they add up to 1."""
        total = self.vector_weight + self.text_weight
        if total <= 0:
            return 0.7, 0.3
        return self.vector_weight / total, self.text_weight / total


class Query(Section):
    """What a search returns."""

    max_results: Annotated[Whole, Limits(1, 1000)] = Field(
        default=6,
        title=msg("Results in an answer"),
        description=msg("For agents and the command line. The window shows more."),
    )
    """Hits in an answer; over several folders the shared number, and of each at most its own."""
    min_score: Share = Field(
        default=0.35,
        title=msg("Leave out what is less certain than"),
        description=msg("From 0 to 1. Notes with the very words are shown all the same."),
    )
    """Hits that are less probable are left out, but those with every word where there is room."""
    deadline_ms: Annotated[Whole, Limits(100, 3_600_000)] = Field(
        default=30_000,
        title=msg("Milliseconds for an answer"),
        description=msg("What was found by then is shown, words first."),
    )
    """A search answers by then with what it has, words first."""
    hybrid: Hybrid = Hybrid()


class QueryExpansion(Section):
    """What a question is taken to mean besides its words."""

    stop_words: bool = True
    """Look past small words, such as "the" and "what"."""
    translations: bool = True
    """Look for English words in Spanish, too, and for Spanish ones in English."""
    dates: bool = True
    """Look for the notes of days that a question names, such as "yesterday"."""

    synonyms: Annotated[Mapping[str, Words], Before(listed)] = Field(default={})
    """Pairs beyond the built-in English and Spanish ones: `{ bird: ["ave", "pájaro"] }`."""
