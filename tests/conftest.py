"""What holds for all tests."""

from __future__ import annotations

import gc
import os

# No test but those of the whole desktop has a screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_collection_finish() -> None:
    """What was collected stays; to look through it for waste took a tenth of the time."""
    gc.collect()
    gc.freeze()
