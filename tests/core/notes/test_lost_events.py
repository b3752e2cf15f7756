"""Changes that Windows and macOS lost, after which everything is looked through."""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scrubjay.notes.fsevents_flags import are_events_lost
from scrubjay.notes.watcher import Watcher
from support.due_changes import Due


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ([], False),
        ([0x00010100, 0x00011200], False),
        ([0x00010100, 0x1], True),
        ([0x1 | 0x2], True),
        ([0x1 | 0x4 | 0x00020000], True),
        ([0x20, 0x10], False),
    ],
    ids=["none", "created and modified", "merged", "by the user", "by the kernel", "root"],
)
def test_macos_says_that_folders_must_be_scanned(flags: list[int], expected: bool) -> None:
    assert are_events_lost(flags) is expected


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_windows_says_that_its_buffer_was_too_small(tmp_path: Path) -> None:
    from scrubjay.notes.windows_observer import ChangeReader

    class SmallReader(ChangeReader):
        """No change fits into its buffer."""

        def _run_inner(self, handle: Any, event_buffer: Any, nbytes: Any) -> None:
            super()._run_inner(handle, ctypes.create_string_buffer(16), nbytes)

    lost = threading.Event()
    reader = SmallReader(str(tmp_path), recursive=True)
    reader.on_lost = lost.set
    reader.start()
    # The folder is watched after that, too.
    for name in ("first", "second"):
        lost.clear()
        # On a busy computer Wine does not tell of every change.
        for number in range(30):
            (tmp_path / f"a note with a long name, {name} {number}.md").write_text("x")
            if lost.wait(1):
                break
        assert lost.is_set()
    reader.stop()


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_a_watch_of_windows_ends_though_it_was_about_to_wait(tmp_path: Path) -> None:
    from scrubjay.notes.windows_observer import ChangeReader

    is_stopping = threading.Event()

    class LateReader(ChangeReader):
        """It begins to wait for changes after it was told to stop."""

        def _run_inner(self, handle: Any, event_buffer: Any, nbytes: Any) -> None:
            is_stopping.wait()
            super()._run_inner(handle, event_buffer, nbytes)

    reader = LateReader(str(tmp_path), recursive=True)
    reader.start()
    stop = threading.Thread(target=reader.stop, daemon=True)
    stop.start()
    # Until then the first attempt to end the wait has failed, since nothing waits yet.
    stop.join(0.2)
    is_stopping.set()
    stop.join(10)
    assert not stop.is_alive()


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_windows_tells_of_a_change_though_others_follow_all_the_time(
    tmp_path: Path, due: Due
) -> None:
    watcher = Watcher(due.timers, print)
    watcher.watch(due.folder("notes"), [tmp_path])
    is_known = threading.Event()

    def write() -> None:
        for number in itertools.count():
            (tmp_path / f"{number % 10}.md").write_text(f"{number}")
            if is_known.wait(0.2):
                return

    with ThreadPoolExecutor() as pool:
        writing = pool.submit(write)
        try:
            assert due.wait() == ["notes"]
        finally:
            is_known.set()
        writing.result()
    watcher.close()


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_a_watch_of_windows_ends_without_waiting_for_a_change(tmp_path: Path) -> None:
    from scrubjay.notes.windows_observer import ChangeReader

    reader = ChangeReader(str(tmp_path), recursive=True)
    reader.start()
    with ThreadPoolExecutor() as pool:
        events = pool.submit(reader.get_events, 3600)
        reader.stop()
        # Otherwise it waits for an hour.
        events.result(30)


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_the_watcher_of_windows_listens_to_that(
    tmp_path: Path, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # on the drive Z of Wine, /proc is that of Linux
    watcher = Watcher(due.timers, print)
    watcher.watch(due.folder("notes"), [tmp_path])
    [observer] = [each for each in threading.enumerate() if hasattr(each, "on_lost")]
    observer.on_lost()
    assert due.wait() == ["notes"]
    watcher.close()
