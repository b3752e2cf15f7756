"""The settings of recall, capture, flush and dreaming."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from scrubjay.config.schema.section import Field, Limits, Pattern, Section, Whole, labels
from scrubjay.messages import msg

CaptureMode: TypeAlias = Annotated[
    Literal["off", "review", "automatic"],
    labels(
        off=msg("No"),
        review=msg("Put it on a list for me"),
        automatic=msg("Write it into today's note"),
    ),
]


class RecallSettings(Section):
    """What agents are reminded of, and what is kept of what people tell them."""

    deadline_ms: Whole = Field(default=5000, low=500, high=60_000)
    """A hook answers by then with what it has, or with nothing; no agent waits longer."""
    capture: CaptureMode = Field(
        default="off",
        title=msg("Keep what I tell agents"),
        description=msg("Such as decisions and preferences, from what you write to them."),
    )
    """`review` puts what seems worth remembering on a list that you decide about, `automatic`
    writes it into today's file at once."""


class FlushSettings(Section):
    """Writing down what matters before an agent's context is compacted.

    What is not set here is taken from OpenClaw's `agents.defaults.compaction`, that is from its
    `reserveTokensFloor` and its `memoryFlush`.
    """

    enabled: bool = Field(
        default=True,
        title=msg("Let agents write down what matters before they forget"),
        description=msg("When a long conversation is about to be shortened."),
    )
    """Ask agents for it. They have to call `scrubjay hook flush`."""
    context_window: Whole = Field(default=200_000, low=1000, high=100_000_000)
    """Tokens that fit into the agent's context, where the agent does not say."""
    reserve_tokens_floor: Whole = Field(default=20_000, low=0, high=100_000_000)
    """Tokens that are kept free for the compaction itself."""
    soft_threshold_tokens: Whole = Field(default=4000, low=0, high=100_000_000)
    """How many tokens before that the agent is asked."""
    prompt: str = ""
    """What the agent is asked; empty for Scrubjay's own words. The rules are appended."""
    system_prompt: str = ""
    """What the agent is told about that turn; empty for Scrubjay's own words."""


class DreamingSettings(Section):
    """Which notes agents look up again and again, and so belong in MEMORY.md."""

    enabled: bool = Field(
        default=False,
        title=msg("Look for what belongs in MEMORY.md"),
        description=msg("Notes what agents look up again and again, and proposes it to you."),
    )
    """Note what agents find in daily files, and look through it each night."""
    automatic: bool = Field(
        default=False,
        title=msg("Add it without asking me"),
        description=msg("You can undo what was added last."),
    )
    """Write what is proposed into MEMORY.md without asking. You can undo the last time."""
    at: Annotated[str, Pattern(r"([01]?\d|2[0-3]):[0-5]\d")] = Field(
        default="03:00",
        title=msg("Look through it at"),
        description=msg("Hours and minutes, such as 03:00."),
    )
    """When to look through it, while the app runs."""
    memory_budget: Annotated[Whole, Limits(500, 10_000_000)] = Field(
        default=12_000,
        title=msg("Longest MEMORY.md, in characters"),
        description=msg("Nothing is added beyond it."),
    )
    """Characters that MEMORY.md may have; nothing is added beyond them."""


class MemoryFlushBlock(Section):
    """`memoryFlush` in OpenClaw's settings of compaction."""

    not_used = frozenset({"forceFlushTranscriptBytes", "model"})

    enabled: bool | None = None
    soft_threshold_tokens: Whole | None = Field(default=None, low=0, high=100_000_000)
    prompt: str | None = None
    system_prompt: str | None = None


class CompactionBlock(Section):
    """OpenClaw's `compaction`, as far as a flush depends on it."""

    reserve_tokens_floor: Whole | None = Field(default=None, low=0, high=100_000_000)
    memory_flush: MemoryFlushBlock = MemoryFlushBlock()
