"""Leases whose records were spoilt, stolen or outlived by a sleeping computer."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.store.lancedb import publisher
from scrubjay.store.lancedb.lease import ComputerId, Lease, LeaseLost
from scrubjay.store.lancedb.publisher import Publisher
from scrubjay.store.lancedb.publishing_limits import PublishingLimits
from scrubjay.store.lancedb.sql_conditions import sql_literal
from support.providers import WordProvider
from support.shared_memory import NAME, Asker, Sharer
from support.vault import write_notes

LARGEST = 2**63 - 1

SPOILT: dict[str, dict[str, Any]] = {
    "last beat": {"beat": LARGEST, "holder": "x/y", "holder_name": "x"},
    "last beat of nobody": {"beat": LARGEST, "holder": ""},
    "last but one": {"beat": LARGEST - 1, "holder": ""},
    "first beat": {"beat": -LARGEST - 1, "holder": "x/y"},
    "no holder": {"holder": None, "holder_name": None},
    "holder of letters": {"holder": "'; delete\n\x1b[2J\u202e" * 50, "holder_name": "\x1b]0;x"},
    "long holder": {"holder": "h" * 1_000_000, "holder_name": "n" * 1_000_000},
    "own id of another run": {"holder": "one/other", "holder_name": "one"},
    "far future": {"published_at": "9999-12-31T23:59:59-12:00", "holder": "x/y"},
    "far past": {"published_at": "0001-01-01T00:00:00+14:00", "holder": "x/y"},
    "no time": {"published_at": "yesterday", "holder": "x/y"},
}


at_once = pytest.mark.parametrize("limits", [PublishingLimits(lease_seconds=0.0)], ids=["at once"])
"""Nobody who holds a lease is waited for."""
always_heard = pytest.mark.parametrize(
    "limits", [PublishingLimits(lease_seconds=0.0, beat_seconds=0.0)], ids=["always heard"]
)
"""Nor is any beat left out."""


@pytest.fixture
def other(
    sharer: Sharer, tmp_path: Path, notes: Path, limits: PublishingLimits
) -> Iterator[Sharer]:
    """Another computer with a copy of the folder, which counts stems one by one."""
    copy = shutil.copytree(notes, tmp_path / "copy")
    engine = Engine(Paths.under(tmp_path / "second"), provider=WordProvider())
    own = replace(limits, few_documents=200)
    yield Sharer(engine, engine.paths, copy, sharer.store.place, "two", limits=own)
    engine.close()


class OtherProvider(WordProvider):
    """Another model."""

    def identity(self) -> str:
        return f"other {super().identity()}"


def spoil(sharer: Sharer, values: dict[str, Any]) -> None:
    where = f"name = {sql_literal(NAME)}"
    sharer.store.call(lambda: sharer.store.workspaces_table().update(where=where, values=values))


@at_once
@pytest.mark.parametrize("values", SPOILT.values(), ids=SPOILT)
def test_whatever_a_lease_says_the_folder_is_published(
    sharer: Sharer, asker: Asker, notes: Path, values: dict[str, Any]
) -> None:
    assert sharer.publish()
    spoil(sharer, values)
    write_notes(notes, {"late.md": "The bucket fell into the well.\n"})
    assert sharer.publish()
    assert asker.paths("bucket") == ["late.md"]
    assert sharer.publish()
    assert sharer.publisher.record.documents == 4


def hooked(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, meanwhile: Callable[[], object]
) -> None:
    """Let something happen once, just before a function of ours goes on."""
    function = getattr(owner, name)

    def first(*arguments: Any, **options: Any) -> Any:
        monkeypatch.setattr(owner, name, function)
        meanwhile()
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, first)


@at_once
def test_a_write_that_another_computer_forestalls_on_a_network_drive_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, other: Sharer
) -> None:
    """There the library is told that it may not create the file, as another one is creating it."""
    assert sharer.publish()
    table = sharer.store.workspaces_table()

    def forestalled(**_: object) -> None:
        monkeypatch.undo()
        assert other.publish()
        raise RuntimeError("Unable to open file 1.manifest#1: Operation not permitted (os error 1)")

    monkeypatch.setattr(table, "update", forestalled)
    monkeypatch.setattr(sharer.store, "workspaces_table", lambda: table)
    assert not sharer.publish()
    assert sharer.publish()


@always_heard
def test_a_commit_that_ends_after_another_one_took_over_is_put_right_by_whoever_is_next(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, other: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    write_notes(notes, {"late.md": "The bucket fell into the well.\n", "garden.md": "# Garden\n"})

    def take_over() -> None:
        write_notes(Path(other.workspace.root), {"tea.md": "Green tea.\n", "garden.md": "Weeds.\n"})
        assert other.publish()
        assert asker.has_all_of(other)

    hooked(monkeypatch, publisher, "write_rows", take_over)
    with pytest.raises(LeaseLost):
        sharer.publish()
    assert not asker.has_all_of(other), "the commit came too late to do harm"
    for own in (other, sharer, other):
        assert own.publish()
        assert asker.has_all_of(own)


@at_once
def test_who_slept_deletes_no_tables_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
    sharer: Sharer,
    asker: Asker,
    tmp_path: Path,
    limits: PublishingLimits,
) -> None:
    notes = sharer.workspace.root
    assert sharer.publish()
    engine = Engine(Paths.under(tmp_path / "second"), provider=OtherProvider())
    copy = shutil.copytree(notes, tmp_path / "copy")
    other = Sharer(engine, engine.paths, copy, sharer.store.place, "two", limits=limits)
    write_notes(notes, {"late.md": "The bucket fell into the well.\n"})
    hooked(monkeypatch, publisher.table_maintenance, "maintain_tables", other.publish)
    with contextlib.suppress(LeaseLost):
        sharer.publish()
    assert asker.has_all_of(other)
    engine.close()


@pytest.mark.parametrize(
    "limits", [PublishingLimits(lease_seconds=0.0, few_documents=0)], ids=["all stems anew"]
)
def test_words_that_who_slept_wrote_over_are_written_again(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, other: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    assert other.publish()
    root = Path(other.workspace.root)

    def take_over() -> None:
        write_notes(root, {"tea.md": "Green tea from Uji.\n"})
        assert other.publish()

    write_notes(notes, {"late.md": "The bucket fell into the well.\n"})
    hooked(monkeypatch, Publisher, "_write_all_stems", take_over)
    assert not sharer.publish()
    assert "uji" not in asker.reader().stem_counts(["uji"])
    write_notes(root, {"coffee.md": "Black coffee.\n"})
    assert other.publish()
    assert asker.reader().stem_counts(["uji", "coffe", "bucket"]) == {"uji": 1, "coffe": 1}


@always_heard
def test_who_lost_a_lease_does_not_end_that_of_the_next(
    sharer: Sharer, limits: PublishingLimits
) -> None:
    assert sharer.publish()
    first, second = (
        Lease(sharer.store, NAME, "Notes", ComputerId(name, name), limits=limits)
        for name in ("one", "two")
    )
    assert first.take()
    assert second.take()
    with pytest.raises(LeaseLost):
        first.beat()
    assert not first.release(title="Mine")
    with pytest.raises(LeaseLost):
        first.update(title="Mine")
    second.beat()
    assert second.row.title == "Notes"
    assert second.release()


def test_a_cloned_home_waits_as_any_other_computer(
    monkeypatch: pytest.MonkeyPatch, sharer: Sharer, asker: Asker, notes: Path
) -> None:
    assert sharer.publish()
    clone = Publisher(sharer.store, NAME, "Notes", ComputerId("one", "one"))
    held = Lease(sharer.store, NAME, "Notes", ComputerId("one", "one"))
    assert held.take()
    write_notes(notes, {"new.md": "The bucket fell into the well.\n"})
    assert not sharer.publish()
    clone.close()
    held.release()
    assert sharer.publish()
    assert asker.paths("bucket") == ["new.md"]


@pytest.mark.parametrize("limits", [PublishingLimits(beat_seconds=0.0)], ids=["always heard"])
def test_a_computer_that_was_cloned_while_it_ran_is_stopped_by_the_count(
    sharer: Sharer, limits: PublishingLimits
) -> None:
    """Both have the same token."""
    assert sharer.publish()
    owner = ComputerId("one", "one")
    first, second = (Lease(sharer.store, NAME, "Notes", owner, limits=limits) for _ in range(2))
    assert first.take()
    assert second.take()
    second.beat()
    with pytest.raises(LeaseLost):
        first.beat()
    assert not first.release(documents=0)
    assert second.release()
