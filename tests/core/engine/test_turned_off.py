"""A folder that the settings turn off is not read, sent, watched, counted or found by any door."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import QueryError, SearchOff
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.status_records import IndexState
from scrubjay.records.workspace_id import WorkspaceId
from support.embedding_server import KEY, EmbeddingServer
from support.tiny_models import NOMIC, write_tiny_model
from support.vault import TIMEOUT, Announcements, ask, found, write_notes

OFF = WorkspaceId("off")
NOTE = NoteAddress(OFF, "MEMORY.md")
LONG_AGO = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)

ONE = {"agents": {"list": [{"id": "off", "memorySearch": {"enabled": False}}]}}
"""The settings that turn off one of the two folders."""
ALL: Mapping[str, Mapping[str, Any]] = {
    "memorySearch.enabled": {},
    "plugins.slots.memory": {"plugins": {"slots": {"memory": "none"}}},
    "plugins.enabled": {"plugins": {"enabled": False}},
    "plugins.entries.memory-core.enabled": {
        "plugins": {"entries": {"memory-core": {"enabled": False}}}
    },
    "plugins.deny": {"plugins": {"deny": ["memory-core"]}},
    "plugins.allow": {"plugins": {"allow": ["telegram"]}},
}
"""Settings that turn off all folders, by the key that does."""


class Home:
    """Two folders with a note each, and settings with a remote provider that hears all texts."""

    def __init__(self, paths: Paths, server: EmbeddingServer, root: Path) -> None:
        self.paths = paths
        self.server = server
        self.off = write_notes(root / "off", {"MEMORY.md": "# Secret heron\n\nThe heron.\n"})
        self.on = write_notes(root / "on", {"MEMORY.md": "# Gannet\n\nThe gannet.\n"})
        self._engines: list[Engine] = []

    def write(self, extra: Mapping[str, Any], **search: object) -> None:
        """Write the settings, with others besides."""
        remote = {"baseUrl": self.server.base_url("openai"), "apiKey": KEY}
        block = {"provider": "openai", "model": "brand-new", "remote": remote, **search}
        folders = [
            {"id": path.name, "path": str(path), "layout": "agent"} for path in (self.on, self.off)
        ]
        settings = {"workspaces": folders, "memorySearch": block, **extra}
        write_notes(self.paths.config, {"config.json5": json.dumps(settings)})

    def engine(self, extra: Mapping[str, Any], **search: object) -> Engine:
        """An engine with these settings."""
        self.write(extra, **search)
        self._engines.append(Engine(self.paths, limits=EngineLimits(request_attempts=1)))
        return self._engines[-1]

    def sent(self, word: str) -> bool:
        """Whether a text with a word was sent."""
        return any(word in text for text in self.server.texts)

    def close(self) -> None:
        for engine in self._engines:
            engine.close()


@pytest.fixture
def home(paths: Paths, server: EmbeddingServer, tmp_path: Path) -> Iterator[Home]:
    home = Home(paths, server, tmp_path)
    yield home
    home.close()


@pytest.mark.parametrize("key", ALL)
def test_a_folder_that_is_off_for_any_reason_is_not_indexed_or_sent(home: Home, key: str) -> None:
    engine = home.engine(ALL[key], enabled=key != "memorySearch.enabled")
    with pytest.raises(SearchOff):
        engine.refresh(engine.workspace(OFF), may_send=True)
    assert engine.refresh(may_send=True).result(TIMEOUT) == ()
    with pytest.raises(SearchOff) as refused:
        ask(engine, "heron")
    assert key in refused.value.message or "Search my notes" in refused.value.message
    assert home.server.requests == []
    assert list(home.paths.indexes.glob("*")) == []


def test_one_folder_that_is_off_leaves_the_others_on(home: Home) -> None:
    engine = home.engine(ONE)
    engine.refresh(may_send=True).result(TIMEOUT)
    assert (home.sent("gannet"), home.sent("heron")) == (True, False)
    answer = ask(engine, "gannet")
    assert [hit.workspace for hit in answer.hits] == ["on"]
    assert answer.freshness.documents == 1
    assert answer.not_searched == {"off": "Search is turned off"}


def test_the_app_does_not_watch_a_folder_that_is_off(home: Home) -> None:
    engine = home.engine(ONE, sync={"watchDebounceMs": 0})
    heard = Announcements(engine)
    engine.start()
    heard.wait(lambda: found(engine, "gannet"))
    write_notes(home.off, {"memory/q.md": "A secret quokka.\n"})
    write_notes(home.on, {"memory/q.md": "An open quagga.\n"})
    heard.wait(lambda: found(engine, "quagga"))
    # The vectors of the folder that is on come after its words.
    heard.wait(lambda: [each.freshness.pending for each in engine.status().workspaces] == [0, 0])
    assert not home.sent("quokka")
    assert list(home.paths.indexes.glob("off*")) == []


def test_a_folder_that_is_turned_off_later_is_no_longer_watched_sent_or_found(home: Home) -> None:
    engine = home.engine({}, sync={"watchDebounceMs": 0})
    heard = Announcements(engine)
    engine.start()
    heard.wait(lambda: found(engine, "heron"))
    home.write(ONE, sync={"watchDebounceMs": 0})
    engine.reload_settings().result(TIMEOUT)
    write_notes(home.off, {"memory/q.md": "A secret quokka.\n"})
    write_notes(home.on, {"memory/q.md": "An open quagga.\n"})
    heard.wait(lambda: found(engine, "quagga"))
    assert found(engine, "heron") == []
    assert not home.sent("quokka")
    # Its index stays, so that turning it on again reads only what changed.
    assert list(home.paths.indexes.glob("off*"))
    home.write({}, sync={"watchDebounceMs": 0})
    engine.reload_settings().result(TIMEOUT)
    heard.wait(lambda: found(engine, "quokka") and found(engine, "heron"))


def test_a_folder_that_is_off_is_not_counted_or_called_up_to_date(home: Home) -> None:
    before = home.engine({})
    before.refresh(may_send=True).result(TIMEOUT)
    before.close()
    engine = home.engine(ONE)
    for status in (engine.status(), engine.current_status().result(TIMEOUT)):
        states = {each.workspace.id: each for each in status.workspaces}
        assert states[OFF].state is IndexState.OFF
        assert states[OFF].freshness.documents == states[OFF].chunks == 0
        assert "agents.list[0].memorySearch.enabled" in states[OFF].off_reason
        assert not states[WorkspaceId("on")].is_off
    engine.pause()
    assert {each.state for each in engine.status().workspaces} == {
        IndexState.OFF,
        IndexState.PAUSED,
    }
    assert "off*" not in engine.status().details


DOORS: Mapping[str, Callable[[Engine], object]] = {
    "search": lambda engine: ask(engine, "heron", workspace=OFF),
    "among": lambda engine: ask(engine, "heron", among=frozenset({OFF})),
    "text": lambda engine: engine.notes.read(NOTE).result(TIMEOUT),
    "page": lambda engine: engine.notes.page(NOTE).result(TIMEOUT),
    "info": lambda engine: engine.notes.info(NOTE).result(TIMEOUT),
    "links": lambda engine: engine.notes.link_targets(NOTE).result(TIMEOUT),
    "write": lambda engine: engine.notes.remember(OFF, "A quokka.").result(TIMEOUT),
    "line": lambda engine: engine.notes.add_line(NOTE, "A quokka.").result(TIMEOUT),
    "tick": lambda engine: engine.notes.tick(NOTE, 1, "x").result(TIMEOUT),
    "related": lambda engine: engine.relations.of(NOTE, CancelToken()).result(TIMEOUT),
    "timeline": lambda engine: engine.journal.changes(LONG_AGO, engine.workspace(OFF)).result(
        TIMEOUT
    ),
    "share": lambda engine: engine.sharing.share(engine.workspace(OFF), "/x").result(TIMEOUT),
    "dream": lambda engine: engine.dreams.run(engine.workspace(OFF)).result(TIMEOUT),
    "dry dream": lambda engine: engine.dreams.run(engine.workspace(OFF), dry_run=True),
    "capture": lambda engine: engine.recall.capture(
        engine.workspace(OFF), ["I prefer tea."]
    ).result(TIMEOUT),
    "keep": lambda engine: engine.recall.keep(HookInput(), engine.workspace(OFF)).result(TIMEOUT),
    "index": lambda engine: engine.refresh(engine.workspace(OFF)).result(TIMEOUT),
}
"""Doors to one workspace."""


@pytest.mark.parametrize("door", DOORS)
def test_no_door_leads_to_a_folder_that_is_off(home: Home, door: str) -> None:
    before = home.engine({})
    before.refresh(may_send=True).result(TIMEOUT)
    before.close()
    home.server.requests.clear()
    engine = home.engine({**ONE, "recall": {"capture": "automatic"}})
    with pytest.raises(SearchOff):
        DOORS[door](engine)
    assert not home.sent("heron")
    assert [file.name for file in home.off.rglob("*")] == ["MEMORY.md"]


LISTS: Mapping[str, Callable[[Engine], object]] = {
    "recent": lambda engine: engine.notes.recent().result(TIMEOUT),
    "folders": lambda engine: engine.notes.folders().result(TIMEOUT),
    "questions": lambda engine: engine.notes.suggested_questions(9).result(TIMEOUT),
    "changes": lambda engine: engine.journal.changes(LONG_AGO).result(TIMEOUT),
    "health": lambda engine: engine.health.check().result(TIMEOUT),
    "diagnostics": lambda engine: engine.diagnostics().result(TIMEOUT),
    "dreams": lambda engine: engine.dreams.status().result(TIMEOUT),
}
"""Lists over all workspaces."""


@pytest.mark.parametrize("kind", LISTS)
def test_no_list_tells_of_a_folder_that_is_off(home: Home, kind: str) -> None:
    before = home.engine({})
    before.refresh(may_send=True).result(TIMEOUT)
    write_notes(home.off, {"memory/heron.md": "# Heron\n\nThe heron stands in [[nothing]].\n"})
    before.refresh().result(TIMEOUT)
    shown = repr(LISTS[kind](before)).casefold()
    before.close()
    off = repr(LISTS[kind](home.engine(ONE))).casefold()
    assert "heron" not in off
    assert shown != off


@pytest.mark.needs("shared memories")
def test_a_folder_that_is_off_is_not_published(home: Home, tmp_path: Path) -> None:
    team = str(tmp_path / "team")
    engine = home.engine({})
    engine.refresh(may_send=True).result(TIMEOUT)
    record = engine.workspace(OFF)
    engine.sharing.share(record, team).result(TIMEOUT)
    settings = json.loads(home.paths.config_file.read_text())
    settings["agents"]["entries"]["off"]["memorySearch"]["enabled"] = False
    write_notes(home.paths.config, {"config.json5": json.dumps(settings)})
    engine.reload_settings().result(TIMEOUT)
    with pytest.raises(SearchOff):
        engine.sharing.publish(record).result(TIMEOUT)
    # Sharing can still be stopped, which deletes what others find.
    assert engine.sharing.unshare(record).result(TIMEOUT)


def test_a_fallback_gets_nothing_of_a_folder_that_is_off(home: Home) -> None:
    local = {"modelPath": str(home.on / "none.gguf")}
    engine = home.engine(ONE, provider="local", local=local, fallback="openai")
    engine.refresh(may_send=True).result(TIMEOUT)
    assert not home.sent("heron")


def test_settings_of_other_plugins_turn_nothing_off(home: Home) -> None:
    entries = {"active-memory": {"enabled": False, "config": {}}, "memory-core": {"config": {}}}
    plugins = {"entries": entries, "deny": ["telegram"], "allow": [], "installs": {}}
    engine = home.engine({"plugins": plugins})
    assert engine.settings.unknown == ()
    assert "plugins.entries.active-memory" in engine.settings.not_used
    engine.refresh().result(TIMEOUT)
    assert found(engine, "heron") == ["MEMORY.md"]


def test_a_setting_that_turns_search_off_is_not_a_setting_that_cannot_be_used(home: Home) -> None:
    engine = home.engine(ALL["plugins.slots.memory"])
    assert engine.settings.problems == ()
    report = engine.health.check().result(TIMEOUT)
    assert all("plugins" not in str(finding.values) for finding in report.findings)


def test_a_folder_that_is_opened_for_once_is_off_with_all_others(
    home: Home, tmp_path: Path
) -> None:
    engine = home.engine({}, enabled=False)
    guest = engine.open_folder(write_notes(tmp_path / "guest", {"a.md": "The heron.\n"}))
    with pytest.raises(SearchOff):
        engine.refresh(guest, may_send=True)
    assert home.server.requests == []


def test_headings_of_a_folder_that_is_off_compare_no_models(home: Home, tmp_path: Path) -> None:
    notes = {
        f"memory/{n}.md": f"# Heron number {n}\n\nIt stands in water {n}.\n" for n in range(40)
    }
    write_notes(home.off, notes)
    engine = home.engine(ONE)
    model = str(write_tiny_model(NOMIC, tmp_path))
    compare = engine.models.comparisons.compare
    with pytest.raises(SearchOff):
        compare("builtin-minilm", model, OFF, CancelToken()).result(TIMEOUT)
    with pytest.raises(QueryError, match="too few headings"):
        compare("builtin-minilm", model, None, CancelToken()).result(TIMEOUT)
