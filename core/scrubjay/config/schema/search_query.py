"""The `query` and `queryExpansion` blocks of `memorySearch`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from scrubjay.config.schema.section import (
    BeforeValidator,
    OnPage,
    Section,
    Share,
    Words,
    choice_labels,
    lower_word,
    translation_lists,
)
from scrubjay.messages import msg

FusionName: TypeAlias = Annotated[
    Literal["adaptive", "weighted", "rrf"],
    BeforeValidator(lower_word),
    choice_labels(
        adaptive=msg("Adjusted for each search"),
        weighted=msg("With fixed weights"),
        rrf=msg("By rank only"),
    ),
]


ReaderUse: TypeAlias = Annotated[
    Literal["auto", "off"],
    BeforeValidator(lower_word),
    choice_labels(auto=msg("When one is installed"), off=msg("Never")),
]


class MmrSettings(Section, frozen=True):
    """Diversity: hits that repeat a better one move down."""

    enabled: Annotated[
        bool,
        OnPage(msg("Prefer varied results"), msg("Results that repeat a better result move down.")),
    ] = False
    """Reorder hits for diversity."""
    lambda_: Annotated[
        Share,
        OnPage(
            msg("Balance between best and varied results"),
            msg("At 1, only the quality of the results counts. At 0, only their variety counts."),
        ),
    ] = 0.7
    """1 keeps the order by relevance, 0 looks at diversity alone."""


class TemporalDecaySettings(Section, frozen=True):
    """Recency: dated notes lose weight with age, the others never do."""

    enabled: Annotated[
        bool,
        OnPage(
            msg("Prefer newer notes"),
            msg("Notes with older dates move down. Notes without a date are not affected."),
        ),
    ] = False
    """Let dated notes fade."""
    half_life_days: Annotated[
        float,
        Meta(ge=1, le=36_500),
        OnPage(
            msg("Days until a daily note counts half as much"),
            msg("Used only when “Prefer newer notes” is on."),
        ),
    ] = 30.0
    """Age at which a note counts half."""


class HybridSettings(Section, frozen=True):
    """How the ranking by words and the ranking by meaning become one."""

    enabled: Annotated[
        bool,
        OnPage(
            msg("Search by words and by meaning together"),
            msg(
                "When this is off, Scrubjay searches by meaning alone. Without a language "
                "helper, it searches by words alone."
            ),
        ),
    ] = True
    """Off: search by meaning alone, and by words alone where no model answers."""
    # How words and meaning become one order; the weights are of one kind of fusion.
    fusion: Annotated[
        FusionName,
        OnPage(
            msg("How to combine words and meaning"),
            msg("The two weights below apply only to “With fixed weights”."),
        ),
    ] = "adaptive"
    """`adaptive` judges for each query how far words can be trusted, `weighted` takes the two
    weights as they are, `rrf` looks at ranks alone."""
    # Read by `weighted` alone.
    vector_weight: Annotated[
        Share, OnPage(msg("Weight of search by meaning"), msg("Enter a number from 0 to 1."))
    ] = 0.7
    """Share of meaning, for `weighted` only. The two weights are scaled to add up to 1; both 0
    stand for 0.7 and 0.3. A side that is not searched leaves its share to the other."""
    text_weight: Annotated[
        Share, OnPage(msg("Weight of search by words"), msg("Enter a number from 0 to 1."))
    ] = 0.3
    """Share of words, for `weighted` only."""
    # What happens around the combination: more candidates before, another order after.
    candidate_multiplier: Annotated[int, Meta(ge=1, le=20)] = 4
    """How many candidates are looked at for each hit of the answer."""
    mmr: MmrSettings = MmrSettings()
    temporal_decay: TemporalDecaySettings = TemporalDecaySettings()

    @property
    def weights(self) -> tuple[float, float]:
        """Shares of meaning and words; they add up to 1."""
        # Two weights of 0 are a mistake, and stand for the defaults.
        total = self.vector_weight + self.text_weight
        if total <= 0:
            return 0.7, 0.3
        return self.vector_weight / total, self.text_weight / total


class QuerySettings(Section, frozen=True):
    """What a search returns."""

    max_results: Annotated[
        int,
        Meta(ge=1, le=1000),
        OnPage(
            msg("Maximum number of results"),
            msg("Applies to agents and the command line. The window shows more results."),
        ),
    ] = 6
    """Hits in an answer; over several folders the shared number, and of each at most its own."""
    min_score: Annotated[
        Share,
        OnPage(
            msg("Minimum certainty of results"),
            msg(
                "Enter a number from 0 to 1. Notes that contain all the words of a search are "
                "still shown."
            ),
        ),
    ] = 0.35
    """Hits that are less probable are omitted, but those with every word where there is room."""
    deadline_ms: Annotated[
        int,
        Meta(ge=100, le=3_600_000),
        OnPage(
            msg("Time limit for a search, in milliseconds"),
            msg("When the time is up, Scrubjay shows the results it has found so far."),
        ),
    ] = 30_000
    """A search answers by then with what it has, words first."""
    reader: Annotated[
        ReaderUse,
        OnPage(
            msg("Read the first results again"),
            msg(
                "A result reader finds more of what is said in other words. It is optional and "
                "has to be downloaded."
            ),
        ),
    ] = "auto"
    """`auto` lets a result reader that is installed read the first hits again, `off` none."""
    # How the hits are found and put in order.
    hybrid: HybridSettings = HybridSettings()


class QueryExpansionSettings(Section, frozen=True):
    """What a question is taken to mean besides its words."""

    # Each of these can be switched off for a language or a folder that it does not suit.
    stop_words: bool = True
    """Look past small words, such as "the" and "what"."""
    translations: bool = True
    """Look for English words in Spanish, too, and for Spanish ones in English."""
    dates: bool = True
    """Look for the notes of days that a question names, such as "yesterday"."""

    synonyms: Annotated[Mapping[str, Words], BeforeValidator(translation_lists)] = {}
    """Pairs beyond the built-in English and Spanish ones: `{ bird: ["ave", "pájaro"] }`."""
