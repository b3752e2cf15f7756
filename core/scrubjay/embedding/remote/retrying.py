"""Asks again after failures that pass, for as long as the provider is wanted."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from scrubjay.embedding.remote.api import RequestFailed

if TYPE_CHECKING:
    import tenacity

T = TypeVar("T")

_ATTEMPTS = 4
_LONGEST_S = 8.0
_JITTER = 0.2
FIRST_PAUSE_S = 0.5


def retry(
    request: Callable[[], T], closed: threading.Event, first_pause_s: float = FIRST_PAUSE_S
) -> T:
    """Result of the request, tried up to four times. Raises the last RequestFailed.

    Pauses double from first_pause_s to 8 s with up to 20 % jitter, and last at least as long as
    the server asks for. They end when closed is set.
    """
    import tenacity  # 60 ms, which only those pay who use a remote provider

    def pause(state: tenacity.RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        asked = failure.retry_after_s if isinstance(failure, RequestFailed) else None
        doubled: float = min(_LONGEST_S, first_pause_s * 2 ** (state.attempt_number - 1))
        return max(asked or 0.0, doubled * (1 + random.uniform(0, _JITTER)))

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_is_temporary),
        stop=tenacity.stop_any(
            tenacity.stop_after_attempt(_ATTEMPTS), tenacity.stop_when_event_set(closed)
        ),
        wait=pause,
        sleep=tenacity.sleep_using_event(closed),
        reraise=True,
    )
    return retrying(request)


def _is_temporary(error: BaseException) -> bool:
    return isinstance(error, RequestFailed) and error.is_temporary
