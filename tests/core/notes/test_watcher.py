"""Changes of files are noticed, and none is missed in silence."""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.notes import watcher as watcher_module
from scrubjay.notes.watcher import Watcher, place_ids, watched_places
from support.attacks import IS_LONG
from support.due_changes import Due
from support.lost_events import lose_events
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
"""watchdog says so when a folder is made while it takes the one above in; nothing is lost."""


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is a part of Linux")
once = pytest.mark.parametrize("due", [0.5], indirect=True)
"""Changes come in time for one call even where this computer stands still for a moment."""


FEW_WATCHES = """
import sys
from pathlib import Path
sys.path += sys.argv[3:]
from scrubjay.notes.watcher import FolderWatch, Watcher
from support.due_changes import Due

Path("/proc/sys/user/max_inotify_watches").write_text(sys.argv[1])
due = Due(10)
watcher = Watcher(due.timers, print)
for name in ("one", "two"):
    watcher.watch(due.folder(name), [Path(sys.argv[2], name)])
    if not due.changes(name).is_watched:
        print(name)
        break
watcher.close()
"""


class Watched:
    """A watcher on a folder."""

    def __init__(self, root: Path, due: Due) -> None:
        self.root = root
        self.due = due
        self.warnings: list[str] = []
        self.watcher = Watcher(due.timers, self.warnings.append)
        self.folder = due.folder("notes")
        self.other = due.folder("other")
        self.watcher.watch(self.folder, [root])


@pytest.fixture
def watched(tmp_path: Path, due: Due) -> Iterator[Watched]:
    made = Watched(write_notes(tmp_path / "venv/notes", {"a.md": "x", ".git/b.md": "x"}), due)
    yield made
    made.watcher.close()


@pytest.mark.parametrize("name", ["new.md", "a.md", "deep/er/new.md", "LOUD.MD", "é 漢.md"])
def test_a_written_note_is_a_change(watched: Watched, name: str) -> None:
    write_notes(watched.root, {name: "changed"})
    assert watched.due.wait() == ["notes"]


@once
def test_other_files_and_machines_folders_are_none(watched: Watched) -> None:
    write_notes(watched.root, {"photo.png": "x", ".git/b.md": "y", ".git/c.md": "y"})
    write_notes(watched.root, {"last.md": "x"})
    watched.due.wait()
    assert len(watched.due.calls) == 1


def test_a_folder_that_is_forgotten_is_not_watched(watched: Watched) -> None:
    watched.watcher.forget(watched.folder)
    watched.watcher.watch(watched.other, [watched.root])
    write_notes(watched.root, {"new.md": "x"})
    assert watched.due.wait() == ["other"]


def test_two_workspaces_may_watch_one_folder(watched: Watched) -> None:
    watched.watcher.watch(watched.other, [watched.root])
    watched.watcher.forget(watched.folder)
    write_notes(watched.root, {"new.md": "x"})
    assert watched.due.wait() == ["other"]


@once
def test_a_single_file_is_watched_without_all_that_is_around_it(tmp_path: Path, due: Due) -> None:
    home = write_notes(tmp_path / "home", {"todo.md": "x", "deep/er/other.md": "x"})
    watcher = Watcher(due.timers, print)
    folder = due.folder("notes")
    watcher.watch(folder, [home / "todo.md"])
    write_notes(home, {"other.md": "y", "deep/er/other.md": "y"})
    write_notes(home, {"todo.new": "y"})
    (home / "todo.new").replace(home / "todo.md")
    due.wait()
    assert due.changes("notes").due == {str(home / "todo.md")}
    assert not folder.is_outdated([home / "todo.md"])
    watcher.close()
    assert len(due.calls) == 1


@on_linux
def test_lost_events_mean_that_anything_may_have_changed(watched: Watched) -> None:
    lose_events()
    assert watched.due.wait() == ["notes"]


@on_linux
def test_listing_and_reading_notes_are_no_events(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    """Four events for each folder and two for each note filled the queue of the system."""
    caplog.set_level(logging.DEBUG, "watchdog.observers.inotify_move_event_grouper")
    assert [names for _, _, names in os.walk(watched.root)] == [["a.md"], ["b.md"]]
    assert (watched.root / "a.md").read_text() == "x"
    (watched.root / "new.md").mkdir()
    assert watched.due.wait() == ["notes"]
    assert len(caplog.messages) == 1
    assert "IN_CREATE" in caplog.messages[0]


class Held(logging.Handler):
    """Lets the thread that reads events wait in the middle of the first one."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.is_reading = threading.Event()
        self.goes_on = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.is_reading.set()
        assert self.goes_on.wait(TIMEOUT)


@on_linux
@pytest.mark.soak
@pytest.mark.skipif(not IS_LONG, reason="takes seconds; the next two are its short form")
def test_events_are_lost_once_in_more_folders_than_the_queue_holds(
    tmp_path: Path, due: Due, caplog: pytest.LogCaptureFixture
) -> None:
    queue_size = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text("ascii"))
    root = tmp_path / "notes"
    for number in range(queue_size + 100):
        (root / str(number)).mkdir(parents=True)
    watcher = Watcher(due.timers, print)
    watcher.watch(due.folder("notes"), [root])
    log = logging.getLogger("watchdog.observers.inotify_move_event_grouper")
    held = Held()
    log.addHandler(held)
    log.setLevel(logging.DEBUG)
    (root / "first.md").touch()
    assert held.is_reading.wait(TIMEOUT)
    # Made and deleted, each of them is two events.
    for number in range(queue_size):
        (root / f"{number}.md").touch()
        (root / f"{number}.md").unlink()
    log.removeHandler(held)
    log.setLevel(logging.NOTSET)
    held.goes_on.set()
    wait_until(lambda: "" in due.changes().due)
    write_notes(root, {f"{queue_size}/late.md": "x"})
    wait_until(lambda: str(root / f"{queue_size}/late.md") in due.changes().due)
    watcher.close()
    shutil.rmtree(root)
    assert [each for each in caplog.messages if "events were lost" in each] == [
        "Inotify queue overflowed; filesystem events were lost"
    ]


@on_linux
def test_lost_events_end_no_watch(tmp_path: Path) -> None:
    """Each end is an event itself, and those of 17,000 folders would be lost again, for ever."""
    from watchdog.observers.inotify_c import InotifyConstants, InotifyFD

    from scrubjay.notes.inotify_observer import TreeWatches

    write_notes(tmp_path, {"a/x.md": "x", "b/x.md": "x"})
    queue = InotifyFD()
    watches = TreeWatches(
        queue,
        os.fsencode(tmp_path),
        event_mask=InotifyConstants.IN_CREATE,
        is_recursive=True,
        on_lost=print,
    )
    watches.on_queue_overflow()
    (tmp_path / "b/new.md").touch()
    assert [event.name for event in queue.read_events()] == [b"new.md"]
    queue.close()


@on_linux
def test_lost_events_end_the_watches_of_folders_that_are_gone(tmp_path: Path) -> None:
    from watchdog.observers.inotify_c import InotifyConstants, InotifyFD

    from scrubjay.notes.inotify_observer import TreeWatches

    write_notes(tmp_path, {"notes/a/x.md": "x", "notes/b/x.md": "x"})
    queue = InotifyFD()
    watches = TreeWatches(
        queue,
        os.fsencode(tmp_path / "notes"),
        event_mask=InotifyConstants.IN_CREATE,
        is_recursive=True,
        on_lost=print,
    )
    (tmp_path / "notes/a").rename(tmp_path / "elsewhere")
    (tmp_path / "notes/new").mkdir()
    watches.on_queue_overflow()
    write_notes(tmp_path, {"elsewhere/lost.md": "x", "notes/new/seen.md": "x"})
    assert [event.name for event in queue.read_events()] == [b"new", b"", b"seen.md"]
    queue.close()


@pytest.mark.parametrize(
    ("places", "told"),
    [
        pytest.param(
            ("file.md/one", "file.md/two"),
            1,
            marks=pytest.mark.skipif(
                sys.platform == "win32", reason="Windows says only that there is no such folder"
            ),
        ),
        (("nowhere/at/all", "nowhere/else/either"), 0),
    ],
)
def test_folders_that_cannot_be_watched_are_polled_and_told_once_unless_they_are_away(
    tmp_path: Path, due: Due, places: tuple[str, str], told: int
) -> None:
    """A folder is away and comes back: its state says so, and a sentence would stay."""
    (tmp_path / "file.md").touch()
    warnings: list[str] = []
    watcher = Watcher(due.timers, warnings.append, poll_seconds=0.05)
    for name, place in zip(("one", "two"), places, strict=True):
        watcher.watch(due.folder(name), [tmp_path / place])
    assert set(due.wait(2)) <= {"one", "two"}
    watcher.close()
    assert len(warnings) == told
    assert all("cannot be watched" in one for one in warnings)


def test_a_folder_is_watched_until_it_is_polled_or_forgotten(watched: Watched) -> None:
    assert watched.due.changes().is_watched
    watched.watcher.poll(watched.folder)
    assert not watched.due.changes().is_watched
    watched.watcher.watch(watched.folder, [watched.root])
    assert watched.due.changes().is_watched
    watched.watcher.forget(watched.folder)
    assert not watched.due.changes().is_watched


def test_nothing_is_watched_once_the_watcher_is_closed(watched: Watched) -> None:
    watched.watcher.close()
    assert not watched.due.changes().is_watched


@on_linux
@pytest.mark.parametrize(("limit", "told"), [(3, ["one"]), (5, ["two"]), (8, [])])
def test_too_few_watches_are_told_with_the_limit(
    tmp_path: Path, limit: int, told: list[str]
) -> None:
    """The folder around them takes a watch, and each of them three."""
    write_notes(tmp_path, {f"{root}/{name}/x.md": "x" for root in ("one", "two") for name in "ab"})
    command = [sys.executable, "-c", FEW_WATCHES, str(limit), str(tmp_path), *sys.path]
    ran = subprocess.run(["unshare", "-Ur", *command], capture_output=True, text=True, check=False)
    if ran.returncode and "unshare" in ran.stderr:
        pytest.skip("no space of users of its own can be made here")
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0, ran
    assert lines[1:] == told
    assert not lines or "fs.inotify.max_user_watches" in lines[0]


@on_linux
def test_watching_is_tried_again_after_ever_more_looks_and_told_when_it_works(
    tmp_path: Path, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_notes(tmp_path / "notes", {"a/x.md": "x", "b/x.md": "x"})
    told: list[str] = []
    watcher = Watcher(due.timers, told.append, resolved=lambda: told.append("again"))
    folder = due.folder("notes")
    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "is_limit_reached", lambda: True)
        looks = []
        for _ in range(3):
            watcher.watch(folder, [root])
            looks.append(folder.polls_left)
            assert not folder.is_outdated([root])
            folder.polls_left = 0
            assert folder.is_outdated([root])
    watcher.watch(folder, [root])
    watcher.close()
    assert looks == [1, 2, 4]
    assert (len(told), told[-1]) == (2, "again")
    assert not folder.is_outdated([root])


@on_linux
def test_a_folder_that_disappears_while_it_cannot_be_watched_is_not_watched_again(
    tmp_path: Path, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_notes(tmp_path / "drive" / "notes", {"a.md": "x"})
    told: list[str] = []
    watcher = Watcher(due.timers, lambda _: None, resolved=lambda: told.append("again"))
    folder = due.folder("notes")
    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "is_limit_reached", lambda: True)
        watcher.watch(folder, [root])
    shutil.rmtree(root.parent)
    watcher.watch(folder, [root])
    assert told == []
    write_notes(root, {"a.md": "x"})
    assert folder.is_outdated([root])
    watcher.watch(folder, [root])
    watcher.close()
    assert told == ["again"]


def test_a_renamed_note_is_one_change(watched: Watched) -> None:
    (watched.root / "a.md").rename(watched.root / "c.md")
    watched.due.wait(1)
    assert watched.due.changes().pending == 1
    assert {Path(path).name for path in watched.due.changes().paths} >= {"a.md", "c.md"}


def test_no_place_is_watched_twice(tmp_path: Path) -> None:
    write_notes(tmp_path, {"notes/deep/a.md": "x", "library/b.md": "x"})
    root, library = tmp_path / "notes", tmp_path / "library"
    extra = [root / "deep", library, library / "b.md", tmp_path / "one.md", tmp_path / "one.md"]
    assert watched_places(root, extra) == [root, library, tmp_path / "one.md"]
    assert watched_places(tmp_path / "gone", []) == [tmp_path / "gone"]


def test_a_folder_that_was_made_anew_is_another_one(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    assert place_ids([folder]) == {folder: None}
    folder.mkdir()
    before = place_ids([folder])
    folder.rename(tmp_path / "old")
    folder.mkdir()
    assert place_ids([folder]) != before


@once
def test_many_changes_are_handed_on_once(due: Due) -> None:
    for n in range(100):
        due.folder("notes").add(f"{n}.md")
    assert due.changes("notes").pending == 100
    assert due.wait() == ["notes"]
    assert due.changes("notes").pending == len(due.changes("notes").due) == 100


@once
def test_changes_are_pending_until_they_are_settled(due: Due) -> None:
    due.folder("notes").add("one.md")
    due.wait()
    due.folder("notes").add("two.md")
    due.changes("notes").settle({"one.md"})
    assert due.changes("notes").pending == 1
    assert len(due.calls) == 1


def test_changes_wait_until_they_are_quiet(due: Due) -> None:
    began = time.monotonic()
    due.folder("notes").add("a.md")
    due.wait()
    assert due.calls[0][1] - began >= 0.05


def test_changes_that_never_stop_are_handed_on_all_the_same(due: Due) -> None:
    stop = threading.Event()

    def keep_changing() -> None:
        for n in itertools.count():
            if stop.wait(0.01):
                return
            due.folder("notes").add(f"{n}.md")

    thread = threading.Thread(target=keep_changing)
    thread.start()
    handed_on = due.wait(2)
    stop.set()
    thread.join()
    assert set(handed_on) == {"notes"}


def test_workspaces_are_due_one_by_one(due: Due) -> None:
    due.folder("one").add()
    due.folder("two").add()
    assert set(due.wait(2)) == {"one", "two"}
