"""Settings that are edited while a server runs: the next answer keeps them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import IndexFinished
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.background_index import BackgroundIndexer
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from support.embedding_server import KEY, EmbeddingServer, Hang, far_url, serving
from support.mcp_client import Client, connected
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

NOTES: dict[str, str | bytes] = {
    "MEMORY.md": "# Memory\n\nRod likes green tea.\n",
    "memory/2026-05-08.md": "# 2026-05-08\n\nThe router stands in the attic.\n",
}
REMOTE = {
    "provider": "openai",
    "model": "brand-new",
    "remote": {"baseUrl": far_url("openai"), "apiKey": KEY},
}


class Settings:
    """The file of a person, who edits it while a server runs."""

    def __init__(self, paths: Paths, root: Path) -> None:
        self._file = paths.config_file
        self.content: dict[str, Any] = {"workspaces": [{"id": "agent", "path": str(root)}]}

    def edit(self, **keys: object) -> None:
        self.content |= keys
        new = self._file.with_suffix(".new")
        write_notes(self._file.parent, {new.name: json.dumps(self.content)})
        new.replace(self._file)


@pytest.fixture
def written(paths: Paths, tmp_path: Path) -> Settings:
    return Settings(paths, write_notes(tmp_path / "agent", NOTES))


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """A provider on another computer."""
    with serving() as running:
        running.stand_for_all(monkeypatch)
        yield running


@pytest.fixture
def remote(written: Settings, paths: Paths, far: EmbeddingServer) -> Iterator[MemoryTools]:
    """The tools of a server whose notes a provider elsewhere knows."""
    written.edit(memorySearch=REMOTE)
    engine = Engine(paths, limits=EngineLimits(request_attempts=1))
    engine.refresh(may_send=True).result(TIMEOUT)
    assert search(MemoryTools(engine), "first question")["mode"] == "hybrid"
    assert "first question" in far.texts
    yield MemoryTools(engine)
    engine.close()


def search(tools: MemoryTools, query: str) -> dict[str, Any]:
    arguments = {"query": query}
    return tools.call("memory_search", arguments, Caller("bot", "Bot"), CancelToken()).structured


def test_a_question_stays_here_once_the_settings_say_so(
    remote: MemoryTools, written: Settings, far: EmbeddingServer
) -> None:
    written.edit(localOnly=True)
    answer = search(remote, "private router")
    assert (answer["mode"], answer["results"][0]["path"]) == ("lexical", "memory/2026-05-08.md")
    assert "“Never use services on the internet” is on" in answer["fallback"]["reason"]
    assert "private router" not in far.texts


def test_no_provider_means_words_alone_although_there_are_vectors(
    remote: MemoryTools, written: Settings, far: EmbeddingServer
) -> None:
    for fallback in ("none", "local"):
        written.edit(memorySearch={"provider": "none", "fallback": fallback})
        answer = search(remote, f"private router {fallback}")
        assert (answer["mode"], answer["provider"]) == ("lexical", "none")
        assert "turned off in the settings" in answer["fallback"]["reason"]
    assert not [text for text in far.texts if "private" in text]


def test_settings_are_followed_without_a_question_while_notes_are_being_sent(
    remote: MemoryTools, written: Settings, far: EmbeddingServer, tmp_path: Path
) -> None:
    released = threading.Event()
    write_notes(tmp_path / "agent", {"memory/new.md": "# New\n\nA private thought.\n"})
    far.always = Hang(released)
    passes = remote.engine.refresh(may_send=True)
    wait_until(lambda: any("thought" in text for text in far.texts))
    BackgroundIndexer(remote.engine).refresh(remote.engine.workspaces())
    written.edit(localOnly=True)
    wait_until(lambda: remote.engine.settings.settings.local_only)
    released.set()
    passes.exception(TIMEOUT)


def test_many_changes_are_read_by_few_passes_that_one_thread_watches(
    remote: MemoryTools, far: EmbeddingServer, tmp_path: Path
) -> None:
    released = threading.Event()
    engine = remote.engine
    # The pass that the first question began ends before this one.
    engine.refresh().result(TIMEOUT)
    events: list[Event] = []
    engine.events.subscribe(events.append)

    def passes() -> int:
        return sum(isinstance(event, IndexFinished) for event in events)

    write_notes(tmp_path / "agent", {"memory/new.md": "# New\n\nA private thought.\n"})
    far.always = Hang(released)
    background = BackgroundIndexer(engine)
    others = threading.enumerate()
    for _ in range(40):
        background.refresh(engine.workspaces(), is_changed=True)
    wait_until(lambda: any("thought" in text for text in far.texts))
    started = [each for each in threading.enumerate() if each not in others]
    [watching] = [each for each in started if each.name.startswith("scrubjay-background")]
    # A change after the end of these passes begins another one, which is watched as well.
    far.always = None
    released.set()
    wait_until(lambda: not watching.is_alive())
    before = passes()
    assert before <= 2
    background.refresh(engine.workspaces(), is_changed=True)
    wait_until(lambda: passes() == before + 1)


def readable(client: Client, path: str) -> bool:
    return not client.tool("memory_get", path=path).is_error


def test_citations_extra_paths_and_folders_are_followed(
    written: Settings, paths: Paths, tmp_path: Path
) -> None:
    more = write_notes(tmp_path / "more", {"MEMORY.md": "# More\n\nThe walrus sings.\n"})
    extra = write_notes(tmp_path / "extra", {"fact.md": "# Fact\n\nA zebra has stripes.\n"})
    written.edit(memorySearch={"provider": "none"})
    with connected(paths.config) as client:
        assert client.answer("memory_search", query="router")["citations"] == "off"
        words = {"provider": "none", "citations": "on", "extraPaths": [str(extra)]}
        written.edit(memorySearch=words)
        assert client.answer("memory_search", query="router")["citations"] == "on"
        assert readable(client, "extra/fact.md")
        [agent] = written.content["workspaces"]
        written.edit(workspaces=[agent, {"id": "more", "path": str(more)}])
        [hit] = client.answer("memory_search", query="walrus")["results"]
        assert hit["workspace"] == "more"
        written.edit(workspaces=[{"id": "more", "path": str(more)}])
        assert not client.answer("memory_get", path="memory/2026-05-08.md")["text"]
        uris = [note.uri for note in client.run("list_resources").resources]
        assert uris == ["memory://more/MEMORY.md", "memory://more/extra/fact.md"]


@pytest.mark.parametrize("looks", [True, False])
def test_changed_notes_are_read_when_a_session_begins(
    written: Settings, paths: Paths, tmp_path: Path, looks: bool
) -> None:
    written.edit(memorySearch={"provider": "none", "sync": {"onSessionStart": looks}})

    def count(client: Client) -> int:
        [status] = client.answer("memory_status")["workspaces"]
        return int(status["documents"])

    with connected(paths.config) as client:
        if looks:
            wait_until(lambda: count(client) == 2)
        assert client.answer("memory_search", query="router")["results"]
    write_notes(tmp_path / "agent", {"memory/new.md": "# New\n\nA walrus.\n"})
    with connected(paths.config) as client:
        if looks:
            wait_until(lambda: count(client) == 3)
        else:
            assert count(client) == 2


@pytest.mark.parametrize("citations", ["on", "off"])
def test_the_instructions_say_whether_sources_are_named(
    written: Settings, paths: Paths, citations: str
) -> None:
    written.edit(memory={"citations": citations})
    with connected(paths.config) as client:
        instructions = client.session.instructions or ""
    assert "say that you looked" in instructions
    assert ("Do not mention the paths" in instructions) is (citations == "off")


def test_what_is_switched_off_is_closed_in_every_way(
    written: Settings, paths: Paths, tmp_path: Path
) -> None:
    open_ = write_notes(tmp_path / "open", {"MEMORY.md": "# Open\n\nThe walrus sings.\n"})
    folders = [*written.content["workspaces"], {"id": "open", "path": str(open_)}]
    off = {"list": [{"id": "agent", "memorySearch": {"enabled": False}}]}
    written.edit(workspaces=folders, memorySearch={"provider": "none"}, access={"write": "allow"})
    with connected(paths.config) as client:
        path = "memory/2026-05-08.md"
        assert client.answer("memory_get", path=path, workspace="agent")["text"]
        written.edit(agents=off)
        assert "turned off" in client.refusal("memory_get", path=path, workspace="agent")
        assert "turned off" in client.refusal("memory_write", text="x", workspace="agent")
        assert client.answer("memory_get", path=path)["workspace"] == "open"
        assert client.answer("memory_search", query="router", workspace="agent")["disabled"]
        [left_out] = client.answer("memory_search", query="walrus")["notSearched"]
        assert (left_out["workspace"], left_out["reason"]) == ("agent", "Search is turned off")
        with pytest.raises(Exception, match="turned off"):
            client.run("read_resource", f"memory://agent/{path}")
        assert "open" in client.answer("memory_write", text="A walrus.")["workspace"]
    assert sorted(file.name for file in (tmp_path / "agent/memory").iterdir()) == ["2026-05-08.md"]
