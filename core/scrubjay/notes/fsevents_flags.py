"""Flags that macOS sends with the changes of a folder.

See "FSEventStreamEventFlags" in Apple's documentation of Core Services.
"""

from __future__ import annotations

from collections.abc import Iterable

_MUST_SCAN_FOLDERS = 0x1
"""kFSEventStreamEventFlagMustScanSubDirs: changes were lost or merged, and the folder has to be
scanned with everything below it."""


def are_events_lost(flags: Iterable[int]) -> bool:
    """Whether one of the changes stands for others that nobody is told of."""
    return any(each & _MUST_SCAN_FOLDERS for each in flags)
