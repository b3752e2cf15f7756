"""What a batch interface is: many texts at once, for less money, some time later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from scrubjay.embedding.provider import EmbeddingInput
from scrubjay.records.vectors import Vector


@dataclass(frozen=True, slots=True)
class BulkTerms:
    """How a batch interface is used."""

    wait: bool = True
    """A pass stays until its batches are done; otherwise a later one takes the results."""
    concurrency: int = 2
    """Batches under way at once."""
    poll_s: float = 2.0
    """Between two questions whether a batch is done."""
    timeout_s: float = 3600.0
    """After which a batch is given up."""


@dataclass(frozen=True, slots=True)
class BulkProgress:
    """How far a batch is."""

    done: int = 0
    """Texts."""
    is_over: bool = False
    """Nothing more will come; what came can be taken."""
    trouble: str = ""
    """Why less came than was asked for; empty while nothing went wrong."""


class BulkFailed(Exception):
    """The interface did not take a batch, or lost it; the texts can go the usual way."""

    def __init__(self, reason: str, *, may_have_begun: bool = False) -> None:
        """May_have_begun: no answer came, so a later look has to tell."""
        super().__init__(reason)
        self.may_have_begun = may_have_begun


class Bulk(Protocol):
    """A provider's batch interface.

    Every method may raise ProviderUnavailable, when the usual way would fail as well.
    """

    @property
    def name(self) -> str:
        """The provider, for people."""

    @property
    def terms(self) -> BulkTerms:
        """How it is used."""

    @property
    def off_because(self) -> str:
        """Why it is not used any more in this run; empty while it is."""

    def groups(
        self, passages: Iterator[tuple[bytes, EmbeddingInput]]
    ) -> Iterator[dict[bytes, EmbeddingInput]]:
        """What goes into one batch each; texts too long for the model are left out."""

    def submit(self, label: str, passages: Sequence[EmbeddingInput]) -> str:
        """Begin a batch and say its id. Raises BulkFailed.

        Label is stored with it at the provider, so that it is found when the answer got lost.
        """

    def find(self, label: str) -> str:
        """Id of the batch that was begun under a label; empty when there is none."""

    def look(self, batch: str) -> BulkProgress:
        """How far it is. Raises BulkFailed when there is no such batch any more."""

    def take(self, batch: str) -> Iterator[tuple[int, Vector]]:
        """(place in what was submitted, vector) in any order. Raises BulkFailed."""

    def cancel(self, batch: str) -> None:
        """Stop it, as far as that still helps."""

    def forget(self, batch: str) -> None:
        """Delete what the provider keeps of it, as far as it lets us."""

    def failed(self, reason: str) -> None:
        """Count a failure; the second one switches the interface off for this run."""
