"""Options, progress and failure of a batch: many texts at once, for less money, later."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How a batch interface is used."""

    wait: bool = True
    """A pass stays until its batches are done; otherwise a later one takes the results."""
    concurrency: int = 2
    """Batches under way at once."""
    poll_s: float = 2.0
    """Seconds between two questions for the progress of a batch."""
    timeout_s: float = 3600.0
    """Seconds after which a batch is given up."""


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """Progress of a batch."""

    done: int = 0
    """Texts."""
    is_over: bool = False
    """Nothing more will come; the vectors can be read."""
    trouble: str = ""
    """Why less came than was asked for; empty while nothing went wrong."""


class BatchFailed(Exception):
    """The interface did not take a batch, or lost it; its texts can go in single requests."""

    def __init__(self, reason: str, *, may_have_begun: bool = False) -> None:
        """May_have_begun: no answer came, so a later look has to tell."""
        super().__init__(reason)
        self.may_have_begun = may_have_begun
