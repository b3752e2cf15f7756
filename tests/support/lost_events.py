"""Events of Linux that are lost, as after more changes than its queue holds."""

from __future__ import annotations

import threading


def lose_events() -> None:
    """Tell all observers what the kernel tells them when its queue is full."""
    from watchdog.observers.inotify_c import (
        InotifyConstants,
        InotifyEvent,
        InotifyFD,
        WatchDescriptor,
    )

    readers = [thread for thread in threading.enumerate() if isinstance(thread, InotifyFD)]
    assert readers, "nothing is watched"
    for reader in readers:
        reader.handle_event(
            InotifyEvent(WatchDescriptor(-1), InotifyConstants.IN_Q_OVERFLOW, 0, b"")
        )
