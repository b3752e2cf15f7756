"""Changes of files are noticed, and none is missed in silence."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.notes import watcher as watcher_module
from scrubjay.notes.watcher import Watcher, place_ids, watched_places
from support.due_changes import Due
from support.vault import write_notes

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
"""watchdog says so when a folder is made while it takes the one above in; nothing is lost."""


once = pytest.mark.parametrize("due", [0.5], indirect=True)
"""Changes come in time for one call even where this computer stands still for a moment."""


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


def test_lost_events_mean_that_anything_may_have_changed(watched: Watched) -> None:
    log = logging.getLogger("watchdog.observers.inotify_c")
    log.warning("inotify event queue overflowed")
    assert watched.due.wait() == ["notes"]


@pytest.mark.parametrize(
    ("places", "told"),
    [(("file.md/one", "file.md/two"), 1), (("nowhere/at/all", "nowhere/else/either"), 0)],
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


def test_too_few_watches_are_told_with_the_limit(
    tmp_path: Path, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "held_watches", lambda: 1)
    root = write_notes(tmp_path / "notes", {"a/x.md": "x", "b/x.md": "x"})
    warnings: list[str] = []
    watcher = Watcher(due.timers, warnings.append)
    watcher.watch(due.folder("notes"), [root])
    watcher.close()
    assert "fs.inotify.max_user_watches" in warnings[0]


def test_watching_is_tried_again_after_ever_more_looks_and_told_when_it_works(
    tmp_path: Path, due: Due, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_notes(tmp_path / "notes", {"a/x.md": "x", "b/x.md": "x"})
    told: list[str] = []
    watcher = Watcher(due.timers, told.append, resolved=lambda: told.append("again"))
    folder = due.folder("notes")
    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "held_watches", lambda: 1)
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
