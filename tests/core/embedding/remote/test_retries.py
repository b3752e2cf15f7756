"""How long it is waited before a provider is asked again."""

from __future__ import annotations

import threading

import pytest

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.retries import RetryPolicy, retry


class Pauses(threading.Event):
    """Writes down how long it was to be waited for, and lets nobody wait."""

    def __init__(self) -> None:
        super().__init__()
        self.lasted: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.lasted.append(timeout or 0.0)
        return False


@pytest.mark.parametrize(
    ("first", "asked_for", "least", "most"),
    [
        (0.5, None, [0.5, 1.0, 2.0], [0.6, 1.2, 2.4]),
        (5.0, None, [5.0, 8.0, 8.0], [6.0, 9.6, 9.6]),
        (0.5, 60.0, [60.0] * 3, [60.0] * 3),
    ],
)
def test_pauses_double_up_to_eight_seconds_and_a_fifth(
    monkeypatch: pytest.MonkeyPatch,
    first: float,
    asked_for: float | None,
    least: list[float],
    most: list[float],
) -> None:
    def refuse() -> None:
        raise RequestFailed(503, "no", retry_after_s=asked_for)

    for choice, lasted in ((min, least), (max, most)):
        monkeypatch.setattr("random.uniform", choice)
        pauses = Pauses()
        with pytest.raises(RequestFailed):
            retry(refuse, pauses, RetryPolicy(first_pause_s=first))
        assert pauses.lasted == pytest.approx(lasted)
