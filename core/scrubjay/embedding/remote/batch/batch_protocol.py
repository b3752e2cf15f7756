"""What the batch interfaces of remote providers have in common, before retries and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from scrubjay.embedding.batch_jobs import BulkProgress

if TYPE_CHECKING:
    import httpx2

BulkFactory: TypeAlias = "Callable[[httpx2.Client, str, str, str, int | None], BulkApi]"
"""Takes client, base URL, key, model and the number of dimensions that was asked for."""

LABEL = "scrubjay"
"""Key of the label in the metadata of a batch."""

UPLOAD_TIMEOUT_S = 600.0
TIMEOUT_S = 60.0
PAGES = 20
"""How many pages of a list are read before a batch counts as not there."""


class BulkApi(Protocol):
    """The requests of one batch interface. Every method raises RequestFailed, or LocalOnly."""

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Begin a batch; its id."""

    def find(self, label: str) -> str:
        """Id of the batch with this label; empty when there is none."""

    def look(self, batch: str) -> BulkProgress:
        """How far it is."""

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """(place of a text, its vector as it was sent); nothing for a text that failed."""

    def cancel(self, batch: str) -> None:
        """Stop it."""

    def forget(self, batch: str) -> None:
        """Delete its texts and vectors there."""

    def close(self) -> None:
        """Close all connections."""
