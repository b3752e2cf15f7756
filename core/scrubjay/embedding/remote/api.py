"""Requests and failures of all remote interfaces, before retries and batches."""

from __future__ import annotations

import datetime as dt
import email.utils
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np

from scrubjay.messages import Sentence, msg
from scrubjay.records.vectors import Vector, normalize

RawVector: TypeAlias = Sequence[float]
"""Vector as a server sent it: of any length, unchecked."""

RawVectors: TypeAlias = Sequence[RawVector]

UNREADABLE = 200
"""Status of an answer that came but holds no vectors: a proxy may have cut it."""

_LONGEST_PAUSE_S = 120.0
_TEMPORARY = frozenset({0, UNREADABLE, 408, 409, 425, 429})


class EmbeddingApi(Protocol):
    """One request to one provider. Safe to use from several threads at once."""

    def embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed, or LocalOnly."""


class RequestFailed(Exception):
    """A request that did not return vectors."""

    def __init__(self, status: int, message: str, retry_after_s: float | None = None) -> None:
        """Status is that of HTTP, 0 when no answer came, UNREADABLE for one without vectors."""
        super().__init__(status, message)
        self.status = status
        self.message = message
        if not isinstance(message, Sentence):
            # A server may send a whole page.
            self.message = " ".join(message.split())
        self.retry_after_s = retry_after_s

    @property
    def is_temporary(self) -> bool:
        """True when asking again soon may help."""
        if self.retry_after_s is not None and self.retry_after_s > _LONGEST_PAUSE_S:
            return False
        return self.status in _TEMPORARY or self.status >= 500


def as_vector(row: RawVector) -> Vector:
    """The vector, float32 of shape (dimensions,) and length one. Raises RequestFailed."""
    try:
        vector = np.asarray(row, dtype=np.float32)
    except (TypeError, ValueError):
        vector = np.empty(0, dtype=np.float32)
    if vector.ndim != 1 or not len(vector):
        raise RequestFailed(UNREADABLE, msg("The response is not in the expected format."))
    return normalize(vector)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, as a number or as a date; None if it asks nothing."""
    # A number of seconds, or a date; anything else is not worth an error.
    written = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(written))
    except ValueError:
        pass
    try:
        when = email.utils.parsedate_to_datetime(written)
    except ValueError:
        return None
    now = dt.datetime.now(when.tzinfo)
    return max(0.0, (when - now).total_seconds())
