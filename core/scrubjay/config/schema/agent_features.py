"""The settings of recall, capture, flush and dreaming."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from scrubjay.config.schema.section import OnPage, Section, choice_labels
from scrubjay.messages import msg

CaptureMode: TypeAlias = Annotated[
    Literal["off", "review", "automatic"],
    choice_labels(
        off=msg("No"), review=msg("Add to a list for review"), automatic=msg("Add to today's note")
    ),
]


class RecallSettings(Section, frozen=True):
    """What agents are reminded of, and what is kept of what people tell them."""

    deadline_ms: Annotated[int, Meta(ge=500, le=60_000)] = 5000
    """A hook answers by then with what it has, or with nothing; no agent waits longer."""
    capture: Annotated[
        CaptureMode,
        OnPage(
            msg("Keep what I tell agents"),
            msg(
                "Scrubjay keeps decisions, preferences and similar facts from your messages to "
                "agents."
            ),
        ),
    ] = "off"
    """`review` puts what seems worth remembering on a list that you decide about, `automatic`
    writes it into today's file at once."""


class FlushSettings(Section, frozen=True):
    """Writing down what matters before an agent's context is compacted.

    What is not set here is taken from OpenClaw's `agents.defaults.compaction`, that is from its
    `reserveTokensFloor` and its `memoryFlush`.
    """

    enabled: Annotated[
        bool,
        OnPage(
            msg("Let agents take notes before a conversation is shortened"),
            msg(
                "Scrubjay asks agents to write notes when a long conversation is about to be "
                "shortened."
            ),
        ),
    ] = True
    """Ask agents for it. They have to call `scrubjay hook flush`."""
    # When an agent is asked: the window, less what the compaction needs, less some room.
    context_window: Annotated[int, Meta(ge=1000, le=100_000_000)] = 200_000
    """Tokens that fit into the agent's context, where the agent does not say."""
    reserve_tokens_floor: Annotated[int, Meta(ge=0, le=100_000_000)] = 20_000
    """Tokens that are kept free for the compaction itself."""
    soft_threshold_tokens: Annotated[int, Meta(ge=0, le=100_000_000)] = 4000
    """How many tokens before that the agent is asked."""
    # Words for the agent; rules that protect other files are appended to any of them.
    prompt: str = ""
    """What the agent is asked; empty for Scrubjay's own words. The rules are appended."""
    system_prompt: str = ""
    """What the agent is told about that turn; empty for Scrubjay's own words."""


class DreamingSettings(Section, frozen=True):
    """Which notes agents look up again and again, and so belong in MEMORY.md."""

    enabled: Annotated[
        bool,
        OnPage(
            msg("Suggest additions to MEMORY.md"),
            msg(
                "Scrubjay records which passages agents find often, and suggests adding them "
                "to MEMORY.md."
            ),
        ),
    ] = False
    """Note what agents find in daily files, and look through it each night."""
    # When candidates are looked for, and where they may go by themselves.
    automatic: Annotated[
        bool,
        OnPage(msg("Add suggestions without asking me"), msg("You can undo the last addition.")),
    ] = False
    """Add the suggestions to MEMORY.md without asking. You can undo the most recent addition."""
    at: Annotated[
        str,
        Meta(pattern=r"^([01]?\d|2[0-3]):[0-5]\d\Z"),
        OnPage(
            msg("When to look for suggestions"),
            msg("Enter a time in hours and minutes, such as 03:00."),
        ),
    ] = "03:00"
    """When to look through it, while the app runs."""
    memory_budget: Annotated[
        int,
        Meta(ge=500, le=10_000_000),
        OnPage(
            msg("Maximum length of MEMORY.md, in characters"),
            msg("Scrubjay does not add text to MEMORY.md beyond this length."),
        ),
    ] = 12_000
    """Characters that MEMORY.md may have; nothing is added beyond them."""


class MemoryFlushBlock(Section, frozen=True):
    """`memoryFlush` in OpenClaw's settings of compaction."""

    not_used = frozenset({"forceFlushTranscriptBytes", "model"})

    enabled: bool | None = None
    soft_threshold_tokens: Annotated[int, Meta(ge=0, le=100_000_000)] | None = None
    prompt: str | None = None
    system_prompt: str | None = None


class CompactionBlock(Section, frozen=True):
    """OpenClaw's `compaction`, as far as a flush depends on it."""

    reserve_tokens_floor: Annotated[int, Meta(ge=0, le=100_000_000)] | None = None
    memory_flush: MemoryFlushBlock = MemoryFlushBlock()
