"""Folders that one computer shares and others search."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.errors import (
    NotWritable,
    QueryError,
    SearchOff,
    SharedUnavailable,
    StillShared,
    WorkspaceMissing,
)
from scrubjay.event_bus import Event
from scrubjay.events import SharedChanged
from scrubjay.health.findings import FindingKind, finding_words
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress, PageRequest, Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.shared_records import PublishPhase, SharedPlace
from scrubjay.store.lancedb import shared_store
from scrubjay.store.lancedb.lease import ComputerId, Lease
from support import platforms
from support.limits import LOOK_ALWAYS
from support.network_drive import NetworkDrive, network_drive
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, found, indexed, write_notes
from support.waiting import wait_until

platforms.require("shared memories")
pytestmark = [LOOK_ALWAYS, pytest.mark.limits(publish_quiet_seconds=0)]


@pytest.fixture
def other(new_engine: NewEngine, tmp_path: Path) -> Engine:
    """Another computer."""
    return new_engine(paths=Paths.under(tmp_path / "other"))


@pytest.fixture
def team(tmp_path: Path) -> str:
    """Where the memory is shared."""
    return str(tmp_path / "team")


@pytest.fixture
def workspace(engine: Engine, notes: Path, team: str) -> Workspace:
    """The notes, which the first computer shares."""
    workspace = add(engine, notes, "Handbook")
    engine.refresh(workspace).result(TIMEOUT)
    engine.sharing.share(workspace, team).result(TIMEOUT)
    return workspace


@pytest.fixture
def shared(workspace: Workspace, other: Engine, team: str) -> Workspace:
    """The same on the second one."""
    other.sharing.add(team).result(TIMEOUT)
    [shared] = other.searchable_workspaces()
    return shared


def test_another_computer_finds_and_reads_what_is_shared(shared: Workspace, other: Engine) -> None:
    assert shared.name == "Handbook"
    answer = ask(other, "tomatoes")
    assert [hit.path for hit in answer.hits][:1] == ["garden.md"]
    assert answer.mode is Mode.HYBRID
    assert answer.freshness.documents == 3
    assert not answer.freshness.reason
    page = other.notes.page(NoteAddress(shared.id, "garden.md"), PageRequest(3, 1)).result(TIMEOUT)
    assert page.text == "The tomatoes need water every second day."
    assert (
        other.notes.read(NoteAddress(shared.id, "garden.md"))
        .result(TIMEOUT)
        .startswith("# Garden\n\nThe")
    )
    assert other.notes.page(NoteAddress(shared.id, "none.md")).result(TIMEOUT).line_count == 0
    assert other.workspaces() == ()
    assert other.find_workspace("Handbook") == shared


def test_the_processes_for_shared_memories_end_with_their_engine(
    shared: Workspace, engine: Engine, other: Engine
) -> None:
    def running() -> int:
        count = 0
        for child in psutil.Process().children():
            # One may end between any two questions about it.
            with contextlib.suppress(psutil.NoSuchProcess):
                count += "reading_worker" in str(child.cmdline())
        return count

    assert found(other, "tomatoes") == ["garden.md"]
    # One publishes, and one reads.
    assert running() == 2
    engine.close()
    wait_until(lambda: running() == 1)
    other.close()
    wait_until(lambda: running() == 0)


def test_local_and_shared_notes_are_found_together(
    shared: Workspace, other: Engine, tmp_path: Path
) -> None:
    indexed(other, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    assert set(found(other, "tomatoes")) == {"mine.md", "garden.md"}
    assert found(other, "tomatoes", workspace=shared.id) == ["garden.md"]
    own = other.workspaces()[0]
    assert found(other, "tomatoes", among=frozenset({own.id})) == ["mine.md"]


def test_what_is_shared_from_here_is_not_found_twice(
    workspace: Workspace, engine: Engine, team: str
) -> None:
    engine.sharing.add(team).result(TIMEOUT)
    assert engine.searchable_workspaces() == (workspace,)
    assert found(engine, "tomatoes") == ["garden.md"]


def test_a_saved_note_is_published_by_itself(
    shared: Workspace, workspace: Workspace, engine: Engine, other: Engine
) -> None:
    engine.start()
    write_notes(workspace.root, {"new.md": "The bucket fell into the well.\n"})
    wait_until(lambda: found(other, "bucket") == ["new.md"])
    [publication] = engine.sharing.status().publications
    wait_until(lambda: engine.sharing.status().publications[0].state is PublishPhase.PUBLISHED)
    assert publication.name == "handbook"


def test_a_memory_that_is_away_is_told_and_other_notes_are_found(
    shared: Workspace, other: Engine, tmp_path: Path, team: str
) -> None:
    indexed(other, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    assert set(found(other, "tomatoes")) == {"mine.md", "garden.md"}
    Path(team).rename(tmp_path / "away")
    answer = ask(other, "tomatoes")
    assert [hit.path for hit in answer.hits] == ["mine.md"]
    assert "Handbook was not searched." in answer.freshness.reason
    assert "The folder does not exist" in answer.freshness.reason
    [memory] = other.sharing.look().result(TIMEOUT).memories
    assert "The folder does not exist" in memory.reason
    assert [each.title for each in memory.workspaces] == ["Handbook"]
    (tmp_path / "away").rename(team)
    wait_until(lambda: set(found(other, "tomatoes")) == {"mine.md", "garden.md"})


@pytest.mark.limits(memory_view_seconds=float("inf"))
def test_tables_that_were_replaced_meanwhile_are_looked_for_again(
    shared: Workspace, workspace: Workspace, engine: Engine, other: Engine, team: str
) -> None:
    assert found(other, "tomatoes") == ["garden.md"]
    assert engine.sharing.unshare(workspace).result(TIMEOUT)
    engine.sharing.share(workspace, team).result(TIMEOUT)
    answer = ask(other, "the violins of Emma")
    assert [hit.path for hit in answer.hits] == ["people/emma.md"]
    assert not answer.freshness.reason


def test_workspaces_are_listed_before_the_memory_answers(
    new_engine: NewEngine, shared: Workspace, other: Engine, tmp_path: Path, team: str
) -> None:
    Path(team).rename(tmp_path / "away")
    other.close()
    again = new_engine(paths=other.paths)
    assert again.searchable_workspaces() == (shared,)
    with pytest.raises(SharedUnavailable, match="The folder does not exist"):
        ask(again, "tomatoes")
    again.close()


def test_a_folder_is_shared_no_more(
    shared: Workspace, workspace: Workspace, engine: Engine, other: Engine
) -> None:
    assert engine.sharing.unshare(workspace).result(TIMEOUT)
    assert engine.sharing.status().publications == ()
    assert engine.settings.problems == ()
    assert found(engine, "tomatoes") == ["garden.md"]
    wait_until(lambda: found(other, "tomatoes") == [])
    with pytest.raises(WorkspaceMissing, match="Handbook is not shared"):
        engine.sharing.unshare(workspace).result(TIMEOUT)


def test_what_was_published_can_be_left_to_others(
    shared: Workspace, workspace: Workspace, engine: Engine, other: Engine
) -> None:
    assert engine.sharing.unshare(workspace, keeps=True).result(TIMEOUT)
    assert found(other, "tomatoes") == ["garden.md"]


def test_a_memory_is_searched_no_more(shared: Workspace, other: Engine, team: str) -> None:
    assert other.sharing.remove(team).result(TIMEOUT)
    assert other.searchable_workspaces() == ()
    assert other.settings.problems == ()
    assert not other.sharing.remove(team).result(TIMEOUT)


def test_settings_for_all_publish_and_search(
    paths: Paths, new_engine, notes: Path, team: str, tmp_path: Path
) -> None:
    Path(team).mkdir()
    settings = f'{{memorySearch: {{store: {{driver: "lancedb", uri: "{team}"}}}}}}'
    write_notes(paths.config, {"config.json5": settings})
    engine = new_engine()
    assert engine.settings.problems == ()
    first = add(engine, notes, "First")
    second = add(engine, write_notes(tmp_path / "more", {"x.md": "Alpha.\n"}), "Second")
    for each in (first, second):
        engine.refresh(each).result(TIMEOUT)
    with pytest.raises(SharedUnavailable, match="Check whether the drive is connected"):
        engine.sharing.publish(second).result(TIMEOUT)
    engine.sharing.share(first, team).result(TIMEOUT)
    engine.sharing.publish(second).result(TIMEOUT)
    [memory] = engine.sharing.look().result(TIMEOUT).memories
    assert [each.title for each in memory.workspaces] == ["First", "Second"]
    assert engine.searchable_workspaces() == (first, second)
    assert engine.sharing.unshare(first).result(TIMEOUT)
    assert [each.workspace for each in engine.sharing.status().publications] == [second.id]


def test_nothing_is_shared_where_it_cannot_be(engine: Engine, notes: Path, tmp_path: Path) -> None:
    workspace = add(engine, notes)
    engine.refresh(workspace).result(TIMEOUT)
    for uri in (str(tmp_path / "no" / "folder"), "ftp://example.org/x"):
        with pytest.raises(SharedUnavailable):
            engine.sharing.share(workspace, uri).result(TIMEOUT)
    with pytest.raises(SharedUnavailable, match="There is no shared memory at"):
        engine.sharing.add(str(tmp_path)).result(TIMEOUT)
    assert "lancedb" not in engine.paths.config_file.read_text()
    assert engine.sharing.status().publications == ()


def test_keys_never_stand_in_the_settings(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes)
    options = {"aws_secret_access_key": "x"}
    with pytest.raises(SharedUnavailable, match="scrubjay keys set s3://bucket"):
        engine.sharing.share(workspace, "s3://bucket/x", options=options).result(TIMEOUT)


def test_shared_notes_are_read_only(shared: Workspace, other: Engine) -> None:
    with pytest.raises(NotWritable, match="Handbook is read-only on this computer"):
        other.notes.remember(shared.id, "Something")
    with pytest.raises(WorkspaceMissing, match="Another computer is publishing Handbook"):
        other.refresh(shared)
    assert (
        other.relations.of(NoteAddress(shared.id, "garden.md"), CancelToken()).result(TIMEOUT) == ()
    )
    assert other.notes.info(NoteAddress(shared.id, "garden.md")).result(TIMEOUT) is None
    assert other.notes.link_targets(NoteAddress(shared.id, "")).result(TIMEOUT) is None


def _told(engine: Engine) -> list[str]:
    findings = engine.health.check().result(TIMEOUT).findings
    kinds = (FindingKind.SHARED_MEMORY, FindingKind.SHARED_LEFTOVERS)
    return [finding_words(each).detail for each in findings if each.kind in kinds]


def test_a_check_up_tells_of_shared_memories(
    shared: Workspace, workspace: Workspace, engine: Engine, other: Engine, team: str
) -> None:
    assert _told(engine) == _told(other) == []
    [table] = Path(team).glob("handbook.*.stems.lance")
    shutil.copytree(table, Path(team) / "handbook.old.stems.lance")
    assert _told(engine) == [f"1 part of handbook at {team} is no longer needed."]
    engine.sharing.publish(workspace).result(TIMEOUT)
    assert _told(engine) == []
    Path(team).rename(Path(team).with_name("away"))
    away = f"The shared memory {team} cannot be reached. The folder does not exist."
    assert _told(engine) == _told(other) == [away]


def test_a_folder_is_not_forgotten_while_others_find_it(
    engine: Engine, workspace: Workspace, shared: Workspace, other: Engine
) -> None:
    with pytest.raises(StillShared, match="Handbook is shared with others"):
        engine.folders.remove(workspace).result(TIMEOUT)
    assert [each.id for each in engine.workspaces()] == [workspace.id]
    assert engine.sharing.unshare(workspace, keeps=True).result(TIMEOUT)
    engine.folders.remove(workspace).result(TIMEOUT)
    assert engine.workspaces() == ()
    assert found(other, "tomatoes")[:1] == ["garden.md"]


def test_vectors_of_another_model_are_told(
    new_engine: NewEngine, workspace: Workspace, team: str, tmp_path: Path
) -> None:
    third = new_engine(WordProvider("2"), paths=Paths.under(tmp_path / "third"))
    third.sharing.add(team).result(TIMEOUT)
    answer = ask(third, "tomatoes")
    assert [hit.path for hit in answer.hits] == ["garden.md"]
    assert answer.mode is Mode.LEXICAL
    assert "published the folder with another language helper" in answer.fallback_reason
    # Beside notes that are found by meaning.
    indexed(third, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    answer = ask(third, "tomatoes")
    assert answer.mode is Mode.HYBRID
    assert answer.freshness.reason.startswith("Handbook was searched only by words, because ")
    assert not ask(third, "tomatoes", Mode.LEXICAL).freshness.reason
    third.close()


@pytest.mark.limits(memory_again_seconds=60)
def test_a_workspace_whose_files_are_lost_hinders_no_other(
    engine: Engine, shared: Workspace, other: Engine, team: str, tmp_path: Path
) -> None:
    second = add(engine, write_notes(tmp_path / "more", {"x.md": "Tomatoes are red.\n"}), "More")
    engine.refresh(second).result(TIMEOUT)
    engine.sharing.share(second, team).result(TIMEOUT)
    other.sharing.look().result(TIMEOUT)
    assert set(found(other, "tomatoes")) == {"garden.md", "x.md"}
    for folder in Path(team).glob("handbook.*.chunks.lance/data"):
        shutil.rmtree(folder)
    for _ in range(3):
        answer = ask(other, "tomatoes", Mode.LEXICAL)
        assert [hit.path for hit in answer.hits] == ["x.md"]
        assert answer.freshness.reason.startswith("Handbook was not searched. ")
    [lost] = [each for each in other.status().shared if each.workspace.id == shared.id]
    assert "Some of its files are missing" in lost.error


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[NetworkDrive]:
    """A folder of a server."""
    (tmp_path / "server").mkdir()
    try:
        with network_drive(tmp_path / "server", tmp_path / "drive") as drive:
            yield drive
    except OSError as error:
        pytest.skip(f"no network drive can be mounted here: {error}")


def test_a_drive_that_hangs_from_the_beginning_is_told_in_the_answer(
    new_engine: NewEngine,
    engine_limits: EngineLimits,
    engine: Engine,
    notes: Path,
    drive: NetworkDrive,
    tmp_path: Path,
) -> None:
    workspace = add(engine, notes, "Handbook")
    engine.refresh(workspace).result(TIMEOUT)
    engine.sharing.share(workspace, str(drive.folder)).result(TIMEOUT)
    paths = Paths.under(tmp_path / "other")
    before = new_engine(paths=paths)
    before.sharing.add(str(drive.folder)).result(TIMEOUT)
    indexed(before, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    before.close()
    brief = replace(engine_limits, memory_open_seconds=0.1, storage_opening_seconds=4.0)
    after = new_engine(paths=paths, limits=brief)
    with drive.silent():
        answer = ask(after, "tomatoes")
        assert [hit.path for hit in answer.hits] == ["mine.md"]
        assert answer.freshness.reason == "Handbook was not searched. Opening the shared memory…"
        wait_until(
            lambda: "No response was received in time" in ask(after, "tomatoes").freshness.reason
        )
    wait_until(lambda: len(ask(after, "tomatoes").hits) == 2)
    after.close()


def test_a_drive_that_hangs_stops_no_other_publication(
    new_engine: NewEngine,
    engine_limits: EngineLimits,
    engine: Engine,
    workspace: Workspace,
    drive: NetworkDrive,
    tmp_path: Path,
) -> None:
    more = add(engine, write_notes(tmp_path / "more", {"x.md": "Alpha.\n"}), "More")
    engine.refresh(more).result(TIMEOUT)
    engine.sharing.share(more, str(drive.folder)).result(TIMEOUT)
    engine.close()
    again = new_engine(limits=replace(engine_limits, storage_opening_seconds=0.5))
    with drive.silent():
        hanging, done = (again.sharing.publish(each) for each in (more, workspace))
        with pytest.raises(SharedUnavailable, match="No response was received in time"):
            hanging.result(TIMEOUT)
        assert done.result(TIMEOUT).state is PublishPhase.PUBLISHED
    assert again.sharing.publish(more).result(TIMEOUT).state is PublishPhase.PUBLISHED
    again.close()


def test_a_name_that_another_computer_publishes_at_the_moment_is_refused(
    engine: Engine, workspace: Workspace, team: str, tmp_path: Path
) -> None:
    store = shared_store.SharedStore(SharedPlace(team), shared_store.StoreAccess())
    assert Lease(store, "more", "More", ComputerId("two", "Anna")).take()
    more = add(engine, write_notes(tmp_path / "more", {"x.md": "Alpha.\n"}), "More")
    engine.refresh(more).result(TIMEOUT)
    with pytest.raises(SharedUnavailable, match="Another computer is already publishing More"):
        engine.sharing.share(more, team).result(TIMEOUT)
    assert [each.workspace for each in engine.sharing.status().publications] == [workspace.id]


def test_a_folder_that_is_not_searched_is_not_shared(
    engine: Engine, notes: Path, team: str
) -> None:
    workspace = add(engine, notes)
    engine.refresh(workspace).result(TIMEOUT)
    key = ("agents", "entries", workspace.id, "memorySearch", "enabled")
    ConfigFile(*engine.paths.settings).set(key, False)
    engine.reload_settings().result(TIMEOUT)
    with pytest.raises(SearchOff):
        engine.sharing.share(workspace, team).result(TIMEOUT)
    assert not Path(team).exists()


def test_a_folder_that_is_renamed_stays_what_was_published(
    paths: Paths, new_engine, notes: Path, team: str
) -> None:
    settings = f'{{memorySearch: {{store: {{driver: "lancedb", uri: "{team}"}}}}}}'
    write_notes(paths.config, {"config.json5": settings})
    engine = new_engine()
    workspace = add(engine, notes, "First")
    engine.refresh(workspace).result(TIMEOUT)
    engine.sharing.share(workspace, team).result(TIMEOUT)
    for key in ("driver", "uri", "name"):
        entry = ("agents", "entries", workspace.id, "memorySearch", "store", key)
        ConfigFile(*paths.settings).remove(entry)
    engine.reload_settings().result(TIMEOUT)
    engine.folders.change(replace(workspace, name="Second")).result(TIMEOUT)
    engine.sharing.publish(workspace).result(TIMEOUT)
    [publication] = engine.sharing.look().result(TIMEOUT).publications
    assert publication.record
    assert (publication.name, publication.record.title) == ("first", "Second")


def test_a_question_about_a_time_is_answered(shared: Workspace, other: Engine, notes: Path) -> None:
    for text in ("yesterday", "last week", "what happened in november"):
        answer = ask(other, text, Mode.LEXICAL, audience=PERSON)
        assert not answer.freshness.reason, text  # nothing was excluded


@pytest.mark.parametrize(
    ("uri", "options", "problem"),
    [
        ("", {}, "The address is missing"),
        (" ", {}, "The address is missing"),
        ("team", {"aws_region": "x"}, "Storage options cannot be used with a folder"),
    ],
)
def test_an_address_that_can_be_none_is_refused(
    engine: Engine, notes: Path, uri: str, options: dict[str, str], problem: str
) -> None:
    workspace = add(engine, notes)
    engine.refresh(workspace).result(TIMEOUT)
    for asked in (
        engine.sharing.share(workspace, uri, options=options),
        engine.sharing.add(uri, options),
    ):
        with pytest.raises(QueryError, match=problem):
            asked.result(TIMEOUT)
    assert engine.sharing.status().publications == ()


def test_notes_are_not_shared_among_themselves(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes, "Handbook")
    engine.refresh(workspace).result(TIMEOUT)
    for folder in (notes, notes / "below"):
        with pytest.raises(SharedUnavailable, match="is inside the folder Handbook"):
            engine.sharing.share(workspace, str(folder)).result(TIMEOUT)
    assert not (notes / "below").exists()


def test_one_folder_is_one_memory_however_it_is_written(
    monkeypatch: pytest.MonkeyPatch, shared: Workspace, other: Engine, team: str
) -> None:
    monkeypatch.chdir(Path(team).parent)
    for uri in (f"{team}/", "team", f"{team}/../team", f"file://{team}"):
        assert other.sharing.add(uri).result(TIMEOUT).uri == team
    assert other.searchable_workspaces() == (shared,)
    assert other.sharing.remove("team").result(TIMEOUT)
    assert other.searchable_workspaces() == ()


def test_what_is_shared_is_not_left_behind_when_it_is_shared_elsewhere(
    engine: Engine, workspace: Workspace, team: str, tmp_path: Path
) -> None:
    for uri, name in ((str(tmp_path / "else"), ""), (team, "Other")):
        with pytest.raises(SharedUnavailable, match="Handbook is already shared at"):
            engine.sharing.share(workspace, uri, name).result(TIMEOUT)
    assert engine.sharing.share(workspace, team).result(TIMEOUT).uri == team


def test_all_folders_that_are_left_out_are_named(
    engine: Engine, shared: Workspace, other: Engine, team: str, tmp_path: Path
) -> None:
    more = add(engine, write_notes(tmp_path / "more", {"x.md": "Alpha.\n"}), "More")
    engine.refresh(more).result(TIMEOUT)
    engine.sharing.share(more, team).result(TIMEOUT)
    other.sharing.look().result(TIMEOUT)
    Path(team).rename(tmp_path / "away")
    indexed(other, write_notes(tmp_path / "own", {"mine.md": "Tomatoes are red.\n"}))
    answer = ask(other, "tomatoes")
    assert answer.freshness.reason.startswith("Handbook, More were not searched. ")


def test_a_folder_of_another_computer_is_not_changed_here(shared: Workspace, other: Engine) -> None:
    with pytest.raises(WorkspaceMissing, match="Another computer is publishing Handbook"):
        other.folders.remove(shared).result(TIMEOUT)
    with pytest.raises(WorkspaceMissing, match="Another computer is publishing Handbook"):
        other.folders.change(replace(shared, documents=True)).result(TIMEOUT)


def test_searches_learn_that_a_memory_is_open(
    new_engine: NewEngine, shared: Workspace, other: Engine
) -> None:
    other.close()
    again = new_engine(paths=other.paths)
    seen: list[Event] = []
    again.events.subscribe(seen.append)
    again.sharing.look().result(TIMEOUT)
    assert SharedChanged(is_reach=False) in seen, "nothing is new there, and yet it is searched now"
    assert again.searchable_workspaces() == (shared,)
    again.close()


def test_news_are_asked_for_beside_all_else(
    engine: Engine, workspace: Workspace, shared: Workspace, other: Engine, notes: Path
) -> None:
    seen: list[Event] = []
    other.events.subscribe(seen.append)
    write_notes(notes, {"new.md": "The bucket fell into the well.\n"})
    engine.refresh(workspace).result(TIMEOUT)
    engine.sharing.publish(workspace).result(TIMEOUT)
    other.sharing.look_for_news()
    wait_until(lambda: SharedChanged(is_reach=False) in seen)
    assert found(other, "bucket") == ["new.md"]
