"""Watches of Windows that say when changes were lost."""

from __future__ import annotations

import ctypes
import errno
import os
import queue
import threading
from collections.abc import Callable
from ctypes.wintypes import DWORD, HANDLE
from typing import Any

from watchdog.observers import winapi
from watchdog.observers.read_directory_changes import WindowsApiEmitter, WindowsApiObserver
from watchdog.observers.winapi import DirectoryChangeReader, WinAPINativeEvent

_CANCEL_AGAIN_S = 0.05
"""Seconds between two attempts to end a call of the thread that reads changes."""
_NOTIFY_ENUM_DIR = 1022
"""Error ERROR_NOTIFY_ENUM_DIR of `winerror.h`: changes were lost."""
_RETURNED_BYTES = 5
"""Place of the address of lpBytesReturned among the arguments of ReadDirectoryChangesW."""


class WindowsTreeObserver(WindowsApiObserver):
    """Observer of folders of any size."""

    on_lost: Callable[[], object] = staticmethod(lambda: None)
    """Function that is called when changes were lost, on the thread that reads them."""

    def __init__(self) -> None:
        super().__init__()
        self._emitter_class = _Emitter
        self._emitter_kwargs["observer"] = self


class _Emitter(WindowsApiEmitter):
    def __init__(self, *args: Any, observer: WindowsTreeObserver, **options: Any) -> None:
        super().__init__(*args, **options)
        self._observer = observer

    def on_thread_start(self) -> None:
        with self._lock:
            reader = ChangeReader(self.watch.path, recursive=self.watch.is_recursive)
            reader.on_lost = self._observer.on_lost
            self._reader = reader
        reader.start()


class ChangeReader(DirectoryChangeReader):
    """Reader of the changes of a folder."""

    on_lost: Callable[[], object] = staticmethod(lambda: None)
    """Function that is called when changes were lost, on the thread of the reader."""
    _failure: OSError | None = None
    """Why the thread has ended."""
    _has_opened = False

    def __init__(self, path: str, *, recursive: bool) -> None:
        super().__init__(path, recursive=recursive)
        self._has_more = threading.Event()
        """Set where there may be changes that nobody got, and at the end."""

    def start(self) -> None:
        """Read changes on a thread. Raises OSError where the folder cannot be opened in time."""
        try:
            super().start()
        except queue.Empty as error:
            # Once a slow drive has opened the folder, the thread ends.
            self._should_stop = True
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from error
        if self._failure:
            raise self._failure

    def stop(self) -> None:
        """End the thread.

        watchdog ends one call of the thread, and then waits for ever if that call had only been
        about to begin.
        """
        with self._lock:
            thread = self._reader_thread
            if self._should_stop or thread is None:
                return
            self._should_stop = True
            self._reader_thread = None
        while thread.is_alive():
            with self._lock:
                if self._handle is not None:
                    winapi._cancel_handle_io(self._handle)  # noqa: SLF001
            thread.join(_CANCEL_AGAIN_S)
        self._has_more.set()

    def get_events(self, timeout: float) -> list[WinAPINativeEvent]:
        """What has changed; nothing once the seconds of the timeout are over or the thread ended.

        watchdog waits until nothing has changed for that long, which may never happen.
        """
        self._has_more.wait(timeout)
        self._has_more.clear()
        return super().get_events(0)

    def _run(self) -> None:
        try:
            super()._run()
        except OSError as error:
            if self._has_opened:
                raise
            self._failure = error
            # watchdog lets `start` wait for this until its time is over.
            self._buf_queue.put((b"", self._extended))

    def _run_inner(
        self, handle: HANDLE, event_buffer: ctypes.Array[ctypes.c_char], nbytes: DWORD
    ) -> None:
        self._has_opened = True
        super()._run_inner(handle, event_buffer, nbytes)
        self._has_more.set()
        # "If the buffer overflows, [...] the entire contents of the buffer are discarded and the
        # lpBytesReturned parameter contains zero" (ReadDirectoryChangesW, Microsoft Learn).
        if nbytes.value == 0 and not self._should_stop:
            self.on_lost()


def _check(success: int, function: Any, arguments: tuple[Any, ...]) -> Any:
    """The arguments of a call that worked; a folder whose changes were lost sent zero bytes.

    watchdog takes that error for the deletion of the folder, and watches it no longer.
    """
    if success or ctypes.GetLastError() != _NOTIFY_ENUM_DIR:  # type: ignore[attr-defined,unused-ignore]
        return winapi._errcheck_bool(success, function, arguments)  # noqa: SLF001
    arguments[_RETURNED_BYTES]._obj.value = 0  # noqa: SLF001
    return arguments


for _function in (winapi.ReadDirectoryChangesW, winapi.ReadDirectoryChangesExW):
    if _function is not None:
        _function.errcheck = _check
