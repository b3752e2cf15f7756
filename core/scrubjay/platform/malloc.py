"""The heaps of the C library, which keep most of the freed memory. Only glibc needs this."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

MOST_ARENAS = 2
"""Heaps for all threads. glibc allows eight for each processor, gives a new thread the one that was
left last, and keeps in each what its largest job needed: an app whose threads come and go grew by
30 MB in 1,000 searches. With two it did not, and no search or pass took more processor time."""

_ARENA_MAX = -8
"""M_ARENA_MAX of glibc's malloc.h."""


def limit_arenas() -> None:
    """Let all threads share a few heaps; to call before the first thread starts."""
    mallopt = _function("mallopt")
    if mallopt:
        mallopt(_ARENA_MAX, MOST_ARENAS)


def trim_heaps() -> None:
    """Return freed memory to the system, some milliseconds after much of it was freed."""
    trim = _function("malloc_trim")
    if trim:
        trim(0)


def _function(name: str) -> Callable[..., int] | None:
    """A function of the C library; None if it has none, as musl."""
    function: Callable[..., int] | None = None
    # The library of the process itself, which is loaded already.
    if sys.platform == "linux":
        function = getattr(ctypes.CDLL(None), name, None)
    return function
