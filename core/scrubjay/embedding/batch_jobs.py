"""A provider's batch interface: many texts at once, for less money, some time later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.records.vectors import Vector


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


class BatchJobs(Protocol):
    """The batch interface.

    Every method may raise ProviderUnavailable, when single requests would fail as well.
    """

    @property
    def name(self) -> str:
        """The provider, for people."""

    @property
    def options(self) -> BatchOptions:
        """How it is used."""

    @property
    def disabled_reason(self) -> str:
        """Why it is not used any more in this run; empty while it is."""

    def groups(
        self, inputs: Iterator[tuple[bytes, EmbeddingInput]]
    ) -> Iterator[dict[bytes, EmbeddingInput]]:
        """Inputs of one batch each, by their keys; texts too long for the model are left out."""

    def submit(self, label: str, inputs: Sequence[EmbeddingInput]) -> str:
        """Begin a batch; its id. Raises BatchFailed.

        The provider stores the label with it, so that it is found when the answer got lost.
        """

    def find(self, label: str) -> str:
        """Id of the batch that was begun under a label; empty when there is none."""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch. Raises BatchFailed when it no longer exists."""

    def vectors(self, batch: str) -> Iterator[tuple[int, Vector]]:
        """(place among the inputs, vector) in any order. Raises BatchFailed."""

    def cancel(self, batch: str) -> None:
        """Stop it, as far as that still helps."""

    def delete(self, batch: str) -> None:
        """Delete its texts and vectors at the provider, as far as that is possible."""

    def count_failure(self, reason: str) -> None:
        """Count a failure; the second one switches the interface off for this run."""
