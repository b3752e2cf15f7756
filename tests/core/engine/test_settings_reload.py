"""A settings file that is edited while the program runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.config.loading import load_settings
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished, Notice, SettingsChanged, WorkspacesChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, found, write_notes
from support.waiting import wait_until

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


def edit(paths: Paths, **keys: object) -> None:
    """Write the file as an editor does: a new one in the place of the old one."""
    text = dict(load_settings(paths.config_file).raw)
    new = paths.config_file.with_suffix(".new")
    write_notes(paths.config, {new.name: json.dumps(text | keys)})
    new.replace(paths.config_file)


@pytest.fixture
def indexed(engine: Engine, notes: Path) -> Engine:
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    return engine


@pytest.fixture
def following(new_engine: NewEngine, paths: Paths, notes: Path) -> Engine:
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    return engine


def test_a_hot_key_counts_for_the_next_search(indexed: Engine, paths: Paths) -> None:
    assert len(ask(indexed, "the router and emma and tomatoes", min_score=0.0).hits) > 1
    edit(paths, memorySearch={"query": {"maxResults": 1}})
    changed = indexed.reload_settings().result(TIMEOUT)
    assert changed == ("memorySearch.query.maxResults",)
    assert len(ask(indexed, "the router and emma and tomatoes", min_score=0.0).hits) == 1


def test_a_file_that_says_the_same_changes_nothing(indexed: Engine) -> None:
    heard = Announcements(indexed)
    assert not indexed.reload_settings().result(TIMEOUT)
    assert heard.seen == []


def test_an_edit_is_noticed_by_itself(following: Engine, paths: Paths) -> None:
    heard = Announcements(following)
    edit(paths, memorySearch={"query": {"maxResults": 1}})
    heard.wait(lambda: heard.of(SettingsChanged))
    assert following.settings.settings.memory_search.query.max_results == 1


@pytest.mark.parametrize(
    ("nonsense", "told"),
    [
        ("{workspaces: [\n  {path: }\n]}", "line 2"),
        ("[]", "curly bracket"),
        ("\xff\xfe{", "mistake"),
        ("{", "line 1"),
    ],
)
def test_nonsense_keeps_the_settings_and_says_where_it_is(
    following: Engine, paths: Paths, nonsense: str, told: str
) -> None:
    heard = Announcements(following)
    good = paths.config_file.read_text()
    before = following.workspaces()
    paths.config_file.write_text(nonsense, encoding="utf-8")
    heard.wait(lambda: heard.of(Notice))
    [problem] = following.settings.problems
    assert told in problem.reason
    assert "previous settings" in problem.reason
    assert told in heard.of(Notice)[0].message
    assert following.workspaces() == before
    assert found(following, "router") == ["house/router.md"]
    paths.config_file.write_text(good)
    heard.wait(lambda: heard.of(SettingsChanged) and not following.settings.problems)
    assert len(heard.of(Notice)) == 1


def test_nonsense_at_the_start_means_the_defaults(new_engine: NewEngine, paths: Paths) -> None:
    write_notes(paths.config, {"config.json5": "{"})
    [problem] = new_engine().settings.problems
    assert "default settings" in problem.reason


def test_workspaces_that_are_added_to_the_file_are_indexed_and_followed(
    following: Engine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    work = write_notes(tmp_path / "work", {"agenda.md": "Meet the beekeeper.\n"})
    heard = Announcements(following)
    edit(paths, workspaces=[{"path": str(notes)}, {"path": str(work)}])
    heard.wait(lambda: heard.of(WorkspacesChanged) and heard.of(IndexFinished))
    wait_until(lambda: found(following, "beekeeper") == ["agenda.md"])
    assert [status.workspace.name for status in following.status().workspaces] == ["notes", "work"]
    assert found(following, "router") == ["house/router.md"]


def test_workspaces_that_are_taken_out_of_the_file_are_not_searched(
    following: Engine, paths: Paths, notes: Path
) -> None:
    heard = Announcements(following)
    edit(paths, workspaces=[])
    heard.wait(lambda: heard.of(WorkspacesChanged))
    assert following.status().workspaces == ()
    assert found(following, "router") == []
    edit(paths, workspaces=[{"path": str(notes)}])
    heard.wait(lambda: len(heard.of(WorkspacesChanged)) == 2)
    wait_until(lambda: found(following, "router") == ["house/router.md"])


def test_a_folder_that_is_turned_off_or_on_is_announced(following: Engine, paths: Paths) -> None:
    heard = Announcements(following)
    for number, is_on in enumerate((False, True), start=1):
        edit(paths, memorySearch={"provider": "none", "enabled": is_on})
        heard.wait(lambda number=number: len(heard.of(WorkspacesChanged)) == number)
        assert bool(following.notes.recent().result(TIMEOUT)) is is_on


def test_an_extra_path_is_read_and_followed(
    following: Engine, paths: Paths, tmp_path: Path
) -> None:
    extra = write_notes(tmp_path / "extra", {"bees.md": "Meet the beekeeper.\n"})
    heard = Announcements(following)
    edit(paths, memorySearch={"extraPaths": [str(extra)]})
    heard.wait(lambda: heard.of(IndexFinished))
    assert found(following, "beekeeper") == ["extra/bees.md"]
    write_notes(extra, {"wasps.md": "A wasp.\n"})
    wait_until(lambda: found(following, "wasp") == ["extra/wasps.md"])


def test_a_key_that_needs_a_new_index_says_so_and_the_old_one_answers(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    provider = WordProvider()
    engine = new_engine(provider)
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    answered: list[list[str]] = []
    provider.before_batch = lambda: answered.append(found(engine, "router"))
    edit(paths, memorySearch={"chunking": {"tokens": 7}})
    heard.wait(lambda: answered and heard.of(Notice))
    engine.refresh().result(TIMEOUT)  # behind the pass that builds the new index
    [notice] = heard.of(Notice)
    assert "memorySearch.chunking.tokens, memorySearch.chunking.overlap" in notice.title
    assert answered
    assert all(paths == ["house/router.md"] for paths in answered)
    assert engine.status().workspaces[0].chunks > 3


def test_notes_that_are_not_read_now_are_not_said_to_be_read(
    following: Engine, paths: Paths
) -> None:
    heard = Announcements(following)
    following.pause()
    edit(paths, memorySearch={"chunking": {"tokens": 7}})
    heard.wait(lambda: heard.of(Notice))
    [notice] = heard.of(Notice)
    assert "once reading is resumed" in notice.message
    assert "is reading" not in f"{notice.title} {notice.message}"


def test_an_index_that_is_wanted_elsewhere_answers_from_there_at_once(
    indexed: Engine, paths: Paths, tmp_path: Path
) -> None:
    edit(paths, memorySearch={"store": {"path": str(tmp_path / "else" / "{agentId}.sqlite")}})
    indexed.pause()
    indexed.reload_settings().result(TIMEOUT)
    assert found(indexed, "router") == ["house/router.md"]
    assert (tmp_path / "else" / "notes.sqlite").is_file()


def test_another_provider_is_followed(paths: Paths, notes: Path) -> None:
    write_notes(paths.config, {"config.json5": '{memorySearch: {provider: "none"}}'})
    engine = Engine(paths)
    heard = Announcements(engine)
    try:
        engine.start()
        add(engine, notes)
        heard.wait(lambda: heard.of(IndexFinished))
        assert "turned off" in ask(engine, "router").fallback_reason
        [report] = engine.refresh().result(TIMEOUT)
        assert "turned off" in report.meaning_missing
        edit(paths, memorySearch={"local": {"modelPath": str(notes / "none.gguf")}})
        # A new folder may be looked at twice, so the passes are not counted.
        wait_until(lambda: "none.gguf" in ask(engine, "router", Mode.HYBRID).fallback_reason)
        [report] = engine.refresh().result(TIMEOUT)
        assert "none.gguf" in report.meaning_missing
    finally:
        engine.close()


def test_watching_can_be_switched_off_and_on(following: Engine, paths: Paths, notes: Path) -> None:
    heard = Announcements(following)
    edit(paths, memorySearch={"sync": {"watch": False, "onSearch": False}})
    heard.wait(lambda: heard.of(SettingsChanged) and heard.of(IndexFinished))
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    assert found(following, "zebra") == []
    edit(paths, memorySearch={"sync": {"watchDebounceMs": 50, "onSearch": False}})
    wait_until(lambda: found(following, "zebra") == ["zoo.md"])
    write_notes(notes, {"sea.md": "A walrus.\n"})
    wait_until(lambda: found(following, "walrus") == ["sea.md"])
