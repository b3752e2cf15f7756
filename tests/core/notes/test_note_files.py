"""Opening notes step by step, while another program puts links in place of folders."""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.errors import NoteRefused, NotWritable, ScrubjayError
from scrubjay.health.findings import FindingKind
from scrubjay.health.note_checks import WorkspaceNotes, check_around_notes
from scrubjay.health.note_facts import note_facts
from scrubjay.notes import note_files
from scrubjay.notes.daily_note import append_line, append_to_daily_note, undo_append
from scrubjay.notes.inotify_limits import folder_count
from scrubjay.notes.note_edits import UndoableEdits, change_note, read_for_edit, toggle_task
from scrubjay.notes.note_files import (
    held_note,
    is_junction,
    list_entries,
    open_note,
    read_bytes,
    walk_folders,
)
from scrubjay.notes.note_pages import read_page
from scrubjay.notes.note_reader import NotePrefetcher, NoteUnreadable, decode_note, read_file
from scrubjay.notes.scan import scan_folder
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from support import platforms
from support.vault import write_notes

SECRET = "the secret outside"
ATTACKS = 20_000 if os.environ.get("SCRUBJAY_SOAK") == "1" else 300
SWAPS = 5 * ATTACKS


@pytest.fixture
def linked_notes(tmp_path: Path) -> Path:
    """A folder of notes with `d/`, reached through a link, and `outside/` beside it."""
    platforms.require("links")
    write_notes(tmp_path, {"real/d/a.md": "mine", "real/b.md": "mine", "outside/a.md": SECRET})
    (tmp_path / "notes").symlink_to(tmp_path / "real")
    return tmp_path / "notes"


@pytest.fixture(params=[True, False], ids=["step by step", "resolved"])
def root(
    request: pytest.FixtureRequest, linked_notes: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The folder of notes, on systems that can open files step by step and on Windows."""
    if not request.param:
        monkeypatch.setattr(os, "supports_dir_fd", set())
    return linked_notes


def swap(root: Path) -> None:
    """Put a link to the folder outside in place of `d/`."""
    (root / "d").rename(root / ".d")
    (root / "d").symlink_to(root.parent / "outside")


def test_a_root_may_be_a_link(root: Path) -> None:
    assert read_file(root / "d/a.md", "d/a.md").data == b"mine"
    with list_entries(str(root), "") as entries:
        assert [entry.name for entry in entries] == ["b.md", "d"]
    with list_entries(str(root / "d"), "d") as entries:
        assert [entry.stat().st_size for entry in entries] == [4]


def test_a_folder_that_became_a_link_is_neither_listed_nor_read(root: Path, tmp_path: Path) -> None:
    found = scan_folder(root, layout="notes").files
    swap(root)
    file = root / "d/a.md"
    outcomes = dict(NotePrefetcher(list(found.values()), IoTimeout(), CancelToken()))
    assert isinstance(outcomes[found["d/a.md"]], NoteUnreadable)
    with pytest.raises(NoteRefused):
        read_page(file, "d/a.md")
    with pytest.raises(NotWritable):
        read_for_edit(file, "d/a.md")
    with pytest.raises(OSError, match=r"."), list_entries(str(root / "d"), "d"):
        pass
    with pytest.raises(NoteRefused):
        change_note(file, "d/a.md", SECRET.encode(), b"changed", tmp_path / "backups")
    with pytest.raises(NotWritable):
        UndoableEdits(tmp_path / "state").replace(root / "d/new.md", "d/new.md", None, b"x", "new")
    assert [file.name for file in (tmp_path / "outside").iterdir()] == ["a.md"]
    assert (tmp_path / "outside/a.md").read_text() == SECRET


def test_no_folder_is_made_behind_a_link(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows cannot go step by step, and makes folders by their whole path."""
    monkeypatch.setattr(note_files, "_is_stepwise", lambda: False)
    swap(root)
    before = sorted((root.parent / "outside").rglob("*"))
    with (
        pytest.raises(OSError, match=r"."),
        held_note(root / "d/new/a.md", "d/new/a.md", make_folders=True),
    ):
        pass
    assert sorted((root.parent / "outside").rglob("*")) == before
    with held_note(root / "e/new/a.md", "e/new/a.md", make_folders=True) as note:
        note.create([b"mine"], 0o644)
    assert (root / "e/new/a.md").read_bytes() == b"mine"


@pytest.mark.parametrize(("tag", "expected"), [(0xA0000003, True), (0x9000001A, False), (0, False)])
def test_a_junction_is_told_from_a_folder_that_is_only_in_the_cloud(
    tag: int, expected: bool
) -> None:
    status = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)
    assert is_junction(status) is expected  # type: ignore[arg-type]


def test_an_entry_is_neither_written_nor_taken_back_through_a_link(root: Path) -> None:
    agent = Workspace(WorkspaceId("w"), "w", root, layout="agent")
    entry = append_to_daily_note(agent, "an apple")
    day = entry.path.rpartition("/")[2]
    write_notes(root.parent, {f"outside/{day}": (root / entry.path).read_text()})
    (root / "memory").rename(root / ".memory")
    (root / "memory").symlink_to(root.parent / "outside")
    before = (root.parent / "outside" / day).read_bytes()
    for write in (lambda: append_to_daily_note(agent, "a pear"), lambda: undo_append(entry)):
        with contextlib.suppress(ScrubjayError):
            write()
    assert (root.parent / "outside" / day).read_bytes() == before


@pytest.mark.parametrize(
    ("file", "label"),
    [
        ("d/a.md", "d/a.md"),
        ("d/a.md", "d (2)/a.md"),
        ("d/a.md", "sessions/a.md"),
        ("d/a.md", "notes/d/a.md"),
    ],
)
def test_a_label_names_the_end_of_the_way(root: Path, file: str, label: str) -> None:
    if label.startswith("notes/"):
        with pytest.raises(OSError, match=r"."):  # here the root is a step of the way
            read_bytes(root / file, label)
    else:
        assert read_bytes(root / file, label) == b"mine"


def test_a_path_that_ends_otherwise_than_its_label_is_opened_all_the_same(root: Path) -> None:
    assert read_bytes(root / "b.md", "another.md") == b"mine"
    for odd in (Path(), Path("gone.md"), root / "gone/b.md"):
        with pytest.raises(OSError, match=r"."):
            read_bytes(odd, "gone/another.md")


def test_no_way_leads_up(root: Path) -> None:
    with pytest.raises(PermissionError):
        open_note(root / "d/../../outside/a.md", "d/../../outside/a.md")


@contextlib.contextmanager
def swapping(root: Path) -> Iterator[Iterator[int]]:
    """Puts a link in place of `d/` and back, as fast as it can; gives the swaps so far."""
    is_over, swaps = threading.Event(), 0
    (root / ".link").symlink_to(root.parent / "outside")

    def work() -> None:
        nonlocal swaps
        while not is_over.is_set():
            (root / "d").rename(root / ".d")
            (root / ".link").rename(root / "d")
            (root / "d").rename(root / ".link")
            (root / ".d").rename(root / "d")
            swaps += 2

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield iter(lambda: swaps, None)
    finally:
        is_over.set()
        thread.join()


@pytest.mark.wine_fault("it makes no links, and says that it did")
@pytest.mark.soak
def test_no_read_gives_text_from_outside_while_links_are_swapped(
    tmp_path: Path, linked_notes: Path
) -> None:
    with swapping(tmp_path / "real") as swaps:
        rounds = 0
        while rounds < ATTACKS or next(swaps) < SWAPS:
            rounds += 1
            with contextlib.suppress(OSError, NoteUnreadable):
                assert decode_note(read_file(linked_notes / "d/a.md", "d/a.md").data) == "mine"
            with contextlib.suppress(NoteRefused):
                assert read_page(linked_notes / "d/a.md", "d/a.md").text in ("mine", "")
            files = scan_folder(linked_notes, layout="notes").files
            assert all(file.size == len("mine") for file in files.values())


@pytest.mark.soak
def test_no_task_or_line_is_written_outside_while_links_are_swapped(
    tmp_path: Path, linked_notes: Path
) -> None:
    task, file, edits = "- [ ] mine\n", linked_notes / "d/a.md", UndoableEdits(tmp_path / "state")
    ticked = task.replace("[ ]", "[x]")
    # Lines are added to another note: one that an undo could not take back would end all ticks.
    notes_of_both = {"real/d/a.md": task, "real/d/b.md": task}
    write_notes(tmp_path, notes_of_both | {"outside/a.md": task, "outside/b.md": task})
    written = 0
    with swapping(tmp_path / "real") as swaps:
        rounds = 0
        while rounds < ATTACKS // 10 or next(swaps) < SWAPS // 10 or not written:
            rounds += 1
            for shown in (task, ticked):
                with contextlib.suppress(ScrubjayError):
                    toggle_task(edits, file, "d/a.md", 1, shown)
                    written += 1
            if rounds % 10 == 0:
                with contextlib.suppress(ScrubjayError):
                    undo_append(append_line(linked_notes / "d/b.md", "d/b.md", "one more"))
    outside = {each.name: each.read_text() for each in (tmp_path / "outside").iterdir()}
    assert outside == {"a.md": task, "b.md": task}


@pytest.mark.needs("long paths")
def test_folders_nest_deeper_than_calls(deepest: Path, tmp_path: Path) -> None:
    label = (deepest / "a.md").relative_to(tmp_path).as_posix()
    (tmp_path / label).touch()
    assert folder_count(tmp_path) == 1_001
    assert list(itertools.chain.from_iterable(files for _, files in walk_folders(tmp_path))) == [
        "a.md"
    ]
    found = scan_folder(tmp_path, layout="notes")
    assert list(found.files) == [label]
    workspace = Workspace(WorkspaceId("w"), "w", tmp_path)
    assert append_to_daily_note(workspace, "an apple").path.count("/") < 2
    notes = WorkspaceNotes(workspace, found, {label: note_facts("![](apple.png)")}, [])
    [finding] = check_around_notes(notes, [], dt.date(2026, 1, 1), lambda: None)
    assert finding.kind is FindingKind.MISSING_FILE


@pytest.fixture
def deepest(tmp_path: Path) -> Iterator[Path]:
    """The last of 1,000 folders in each other."""
    folders = list(itertools.accumulate(["d"] * 1_000, os.path.join, initial=str(tmp_path)))[1:]
    for folder in folders:
        os.mkdir(folder)  # noqa: PTH102
    yield Path(folders[-1])
    for folder in reversed(folders):
        (Path(folder) / "a.md").unlink(missing_ok=True)
        os.rmdir(folder)  # noqa: PTH106


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR | os.O_APPEND])
def test_a_note_that_is_open_can_be_moved_and_deleted_by_others(tmp_path: Path, flags: int) -> None:
    """An editor moves the old note away and puts the new one in its place."""
    file = write_notes(tmp_path, {"a.md": "former\n"}) / "a.md"
    handle = open_note(file, file.name, flags)
    try:
        kept = file.rename(tmp_path / "a.md~")
        write_notes(tmp_path, {"a.md": "saved\n"})
        kept.unlink()
        assert os.read(handle, 100) == b"former\n"
    finally:
        os.close(handle)
    assert read_bytes(file, file.name) == b"saved\n"
