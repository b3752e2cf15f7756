"""Times and limits of engines in tests, other than people have."""

from __future__ import annotations

import pytest

from scrubjay.records.engine_limits import EngineLimits
from support.vault import TIMEOUT

PATIENT = pytest.mark.limits(
    folder_look_seconds=TIMEOUT,
    quick_look_seconds=TIMEOUT,
    catch_up_seconds=TIMEOUT,
    search_io_seconds=TIMEOUT,
)
"""Answers look for changed notes and wait for them however busy this computer is."""

LOOK_ALWAYS = pytest.mark.limits(
    memory_view_seconds=0,
    memory_open_seconds=TIMEOUT,
    storage_opening_seconds=TIMEOUT,
    memory_again_seconds=0,
    memory_list_seconds=0,
)
"""Shared memories are looked at always, not now and then, and a busy computer has time."""

BRIEF_THREADS = EngineLimits(rest_seconds=0.1)
"""Search threads of engines that are closed end soon: thousands of them are slow."""
