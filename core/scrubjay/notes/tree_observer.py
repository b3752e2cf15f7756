"""The observer of folders that fits this system."""

from __future__ import annotations

import sys
from collections.abc import Callable

from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver


def new_observer(on_lost: Callable[[], object]) -> BaseObserver:
    """The observer of this system. On_lost is called when the system has lost events."""
    match sys.platform:
        case "linux":
            from scrubjay.notes.inotify_observer import InotifyTreeObserver

            linux = InotifyTreeObserver()
            linux.on_lost = on_lost
            return linux
        case "win32":
            from scrubjay.notes.windows_observer import WindowsTreeObserver

            windows = WindowsTreeObserver()
            windows.on_lost = on_lost
            return windows
        case "darwin":
            from scrubjay.notes.fsevents_observer import MacTreeObserver

            mac = MacTreeObserver()
            mac.on_lost = on_lost
            return mac
    return Observer()
