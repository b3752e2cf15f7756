"""Clocks that do not go by themselves."""

from __future__ import annotations


class Clock:
    """A clock in seconds that stands until a test sets it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
