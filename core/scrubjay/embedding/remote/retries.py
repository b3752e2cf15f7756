"""The number of retries after a temporary failure, and the pauses between them."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.records.engine_limits import DEFAULT_LIMITS

T = TypeVar("T")

_JITTER = 0.2
"""Share of a pause that chance adds, so that several programs do not ask at the same moment."""


class RetryPolicy(Struct, frozen=True):
    """The number of attempts and the pauses between them, which double, with up to 20 % jitter."""

    attempts: int = DEFAULT_LIMITS.request_attempts
    first_pause_s: float = DEFAULT_LIMITS.request_pause_seconds
    longest_pause_s: float = 8.0
    """Seconds of the longest pause, unless a server asks for more."""


DEFAULT_RETRIES = RetryPolicy()
"""Policy outside of tests."""

QUICK_RETRIES = RetryPolicy(attempts=2)
"""Policy for a query while a fallback waits to take over."""

QUERY_SECONDS = 1.4
"""Seconds that such a query may take: words have to be there after two."""


def retry(request: Callable[[], T], closed: threading.Event, policy: RetryPolicy) -> T:
    """Result of the request. Raises the last RequestFailed; closed ends the pauses."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return request()
        except RequestFailed as failure:
            if not failure.is_temporary or attempt >= policy.attempts or closed.is_set():
                raise
            pause = min(policy.longest_pause_s, policy.first_pause_s * 2 ** (attempt - 1))
            pause = max(failure.retry_after_s or 0.0, pause * (1 + random.uniform(0, _JITTER)))
        closed.wait(pause)
