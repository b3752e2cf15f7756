"""Waiting for a condition that nothing announces."""

from __future__ import annotations

import time
from collections.abc import Callable

from support.vault import TIMEOUT


def wait_until(condition: Callable[[], object]) -> None:
    """Return once condition holds, asked often."""
    until = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)
