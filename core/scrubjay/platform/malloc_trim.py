"""Memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back_memory() -> None:
    """Return what is free inside this process, where the C library would keep it (glibc does)."""
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # musl has none
        trim(0)
