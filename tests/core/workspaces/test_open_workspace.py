"""A workspace keeps what is known of it."""

from __future__ import annotations

from pathlib import Path

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.records.note_records import Workspace
from scrubjay.workspaces.open_workspace import LocalWorkspace, UnreadChanges
from scrubjay.workspaces.user_skips import UserSkips


def test_a_change_is_pending_until_it_is_settled() -> None:
    changes = UnreadChanges()
    changes.add("one.md")
    changes.be_due()
    changes.add("two.md")
    assert (changes.pending, changes.due) == (2, {"one.md"})
    changes.settle(changes.due)
    assert changes.paths == {"two.md"}


def test_a_folder_changes_with_the_note_in_it_and_does_not_count() -> None:
    changes = UnreadChanges()
    changes.add("notes/one.md")
    changes.add("notes")
    assert changes.pending == 1


def test_a_former_path_does_not_count_until_something_is_there_again() -> None:
    changes = UnreadChanges()
    changes.add("one.md", is_former=True)
    changes.add("two.md")
    assert (changes.pending, changes.paths) == (1, {"one.md", "two.md"})
    changes.add("one.md")
    assert changes.pending == 2
    changes.settle({"one.md", "two.md"})
    assert changes.pending == 0


def test_a_folder_counts_again_once_the_notes_in_it_are_read() -> None:
    changes = UnreadChanges()
    for path in ("notes/one.md", "notes/two.md", "notes", "notes/one.md"):
        changes.add(path)
    assert changes.pending == 2
    changes.settle({"notes/one.md", "elsewhere.md"})
    assert changes.pending == 1
    changes.settle({"notes/two.md"})
    assert (changes.pending, changes.paths) == (1, {"notes"})


def test_a_change_of_anything_is_not_read_and_has_no_number() -> None:
    changes = UnreadChanges()
    assert changes.are_read
    changes.add()
    assert (changes.pending, changes.are_read) == (0, False)
    changes.be_due()
    changes.settle(changes.due)
    assert changes.are_read


def test_what_a_pass_finds_unchanged_no_longer_waits(tmp_path: Path) -> None:
    workspace = LocalWorkspace(
        Workspace("notes", "Notes", tmp_path),
        MemorySearch(),
        index_file=tmp_path / "notes.sqlite",
        user_skips=UserSkips(tmp_path / "skips.json", IoTimeouts()),
    )
    for path in ("read.md", "new.md", "late.md"):
        workspace.changes.add(path)
    workspace.changes.be_due()
    workspace.changes.add("later.md")
    workspace.find_unread(["new.md", "late.md"])
    assert workspace.changes.paths == {"new.md", "late.md", "later.md"}
    assert workspace.status.freshness.pending == 2
    workspace.leave_unread(["new.md"], 1)
    assert workspace.changes.paths == {"late.md", "later.md"}
    assert workspace.status.freshness.pending == 1
