"""The terminal with a remote provider: the question before it, and the switch against it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.platform.paths import Paths
from support.embedding_server import KEY, EmbeddingServer, Refuse, far_url, serving
from support.vault import write_notes
from support.waiting import wait_until

from .conftest import PROGRAM, Ran

Cli = Callable[..., Ran]

TRAP = """
import os, sys

def trap(event, details):
    if event == "socket.connect" and isinstance(details[1], tuple):
        found = details[1][0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        found = details[0]
    elif event in ("socket.sendto", "socket.sendmsg") and isinstance(details[1], tuple):
        found = details[1][0]
    else:
        return
    with open(os.environ["SOCKET_TRAP"], "a") as file:
        print(event, found, file=file)

sys.addaudithook(trap)
"""
"""Python loads this at the start of every process; it notes whoever is about to be contacted."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    with serving() as running:
        running.dimensions = 1536
        monkeypatch.setenv("EMBEDDINGS_KEY", KEY)
        yield running


@pytest.fixture
def as_proxy(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> EmbeddingServer:
    """Answers for every host there is."""
    server.stand_for_all(monkeypatch)
    return server


def settings(paths: Paths, **top: object) -> None:
    remote = {"baseUrl": far_url("openai"), "apiKey": "${EMBEDDINGS_KEY}"}
    block = {"provider": "openai", "remote": remote}
    write_notes(paths.config, {"config.json5": json.dumps({"memorySearch": block, **top})})


@pytest.fixture
def remote(cli: Cli, paths: Paths, notes: Path, as_proxy: EmbeddingServer) -> EmbeddingServer:
    """Three notes, and a provider elsewhere."""
    settings(paths)
    assert cli("workspace", "add", notes).code == 0
    return as_proxy


class Terminal:
    """A person at a terminal who gives one answer."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def isatty(self) -> bool:
        return True

    def readline(self, _limit: int = -1) -> str:
        return f"{self._answer}\n"


def test_index_asks_nobody_where_nobody_can_answer(cli: Cli, remote: EmbeddingServer) -> None:
    ran = cli("index")
    assert ran.code == 0
    assert "If you agree, 3 notes, about 27 words, will be sent to embeddings.example" in ran.err
    assert "scrubjay index --yes" in ran.err
    assert remote.requests == []


def test_yes_sends_without_a_question(cli: Cli, remote: EmbeddingServer) -> None:
    ran = cli("index", "--yes")
    assert (ran.code, ran.err) == (0, "")
    assert "3 passages understood" in ran.out
    assert cli("search", "tomatoes", "--json").json["provider"] == "openai"


def test_local_only_asks_no_yes_that_would_change_nothing(
    cli: Cli, remote: EmbeddingServer, paths: Paths, notes: Path
) -> None:
    settings(paths, localOnly=True, workspaces=[{"path": str(notes)}])
    ran = cli("index")
    assert ran.code == 0
    assert "will be sent" not in ran.err
    assert "“Never use services on the internet” is on" in ran.err
    assert ", by words, " in cli("search", "tomatoes", "--mode", "lexical").out


@pytest.mark.parametrize(("answer", "sent"), [("y", 3), ("yes", 3), ("n", 0), ("", 0)])
def test_index_asks_a_person(
    cli: Cli, remote: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, answer: str, sent: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    ran = cli("index")
    assert "go to embeddings.example (text-embedding-3-small). Send them? [y/N]" in ran.out
    assert f"{sent} passages understood" in ran.out
    # One word goes before the first notes, to learn how long the vectors are.
    notes = [text for text in remote.texts if text != "dimensions"]
    assert len(notes) == sent


def test_a_search_sends_nothing_that_was_not_allowed(cli: Cli, remote: EmbeddingServer) -> None:
    found = cli("search", "tomatoes", "--json")
    assert found.json["results"][0]["path"] == "garden.md"
    assert found.json["mode"] == "lexical"
    assert remote.requests == []


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """File with everyone whom any process was about to contact."""
    folder = tmp_path / "trap"
    write_notes(folder, {"sitecustomize.py": TRAP})
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("SOCKET_TRAP", str(folder / "contacts"))
    return folder / "contacts"


REMOTES: list[dict[str, object]] = [
    {"provider": "openai", "remote": {"baseUrl": "https://openrouter.ai/api/v1", "apiKey": KEY}},
    {"provider": "openai", "remote": {"baseUrl": "http://192.168.7.7:1234/v1"}},
    {"provider": "gemini", "fallback": "voyage"},
    {"provider": "mistral", "fallback": "openai"},
    {"provider": "ollama", "remote": {"baseUrl": "http://ollama.example:11434"}},
    {"provider": "auto", "local": {"modelPath": "/nowhere.gguf"}, "fallback": "gemini"},
    {"provider": "voyage", "remote": {"batch": {"enabled": True}}},
    {
        "provider": "gemini",
        "model": "gemini-embedding-2-preview",
        "extraPaths": ["../photos"],
        "multimodal": {"enabled": True},
        "remote": {"batch": {"enabled": True, "wait": False}},
    },
]


@pytest.mark.parametrize("block", REMOTES, ids=str)
def test_local_only_lets_nothing_leave(
    cli: Cli, shell: Cli, paths: Paths, notes: Path, trap: Path, block: dict[str, object]
) -> None:
    # Enough for a batch, and a picture.
    write_notes(notes, {f"many/{n}.md": f"# Note {n}\n\nAcorn {n}.\n" for n in range(70)})
    write_notes(notes.parent / "photos", {"oak.png": b"\x89PNG\r\n\x1a\n"})
    whole = {"localOnly": True, "memorySearch": block}
    write_notes(paths.config, {"config.json5": json.dumps(whole)})
    cli("workspace", "add", notes)
    keys = {f"{name}_API_KEY": KEY for name in ("OPENAI", "GEMINI", "VOYAGE", "MISTRAL")}
    ran = shell("index", "--yes", **keys)
    assert "“Never use services on the internet” is on" in ran.err
    found = shell("search", "tomatoes", "--json", **keys).json
    assert found["results"][0]["path"] == "garden.md"
    assert not trap.exists(), trap.read_text()


def test_the_trap_works(cli: Cli, paths: Paths, notes: Path, trap: Path) -> None:
    settings(paths)
    cli("workspace", "add", notes)
    keys = {"OPENAI_API_KEY": KEY, "EMBEDDINGS_KEY": KEY}
    command = [PROGRAM, "index", "--yes"]
    with subprocess.Popen(command, env=os.environ | keys, stderr=subprocess.DEVNULL) as index:
        call = "socket.getaddrinfo embeddings.example"
        wait_until(lambda: trap.exists() and call in trap.read_text())
        index.kill()  # it would try again and again


def test_local_only_still_asks_a_server_on_this_computer(
    cli: Cli, paths: Paths, notes: Path, server: EmbeddingServer
) -> None:
    remote = {"baseUrl": server.base_url("openai"), "apiKey": "${EMBEDDINGS_KEY}"}
    settings(paths, localOnly=True, memorySearch={"provider": "openai", "remote": remote})
    cli("workspace", "add", notes)
    assert "3 passages understood" in cli("index").out


def test_the_deep_status_asks_the_provider(
    cli: Cli, paths: Paths, notes: Path, server: EmbeddingServer
) -> None:
    remote = {"baseUrl": server.base_url("openai"), "apiKey": "${EMBEDDINGS_KEY}"}
    settings(paths, memorySearch={"provider": "openai", "remote": remote})
    cli("workspace", "add", notes)
    cli("index")
    server.requests.clear()
    before = cli("status", "--json").json
    assert (before["model"]["provider"], before["model"]["ready"]) == ("openai", False)
    [workspace] = before["workspaces"]
    assert workspace["vector"]["dimensions"] == 1536
    assert workspace["vector"]["madeBy"].startswith("openai:text-embedding-3-small:")
    assert workspace["cache"]["entries"] == 3
    assert "scrubjay status --deep" in cli("status").out
    assert server.requests == []
    deep = cli("status", "--deep", "--json").json
    assert deep["embedding"]["ok"]
    assert (deep["embedding"]["dimensions"], deep["model"]["ready"]) == (1536, True)
    assert "OpenAI answered in" in cli("status", "--deep").out
    server.always = Refuse(400, "not today")
    refused = cli("status", "--deep", "--json").json
    assert not refused["embedding"]["ok"]
    assert "not today" in refused["embedding"]["error"]
    assert "not today" in cli("status", "--deep").err


def test_a_service_of_the_models_of_another_program_answers(
    cli: Cli, paths: Paths, notes: Path, server: EmbeddingServer
) -> None:
    openai = {
        "baseUrl": server.base_url("openai"),
        "apiKey": "${EMBEDDINGS_KEY}",
        "headers": {"X-Org": "theirs", "X-Project": "both"},
        "models": [{"id": "chat"}],
    }
    remote = {"headers": {"x-project": "own"}}
    block = {"provider": "openai", "remote": remote}
    settings(paths, memorySearch=block, models={"providers": {"openai": openai}})
    cli("workspace", "add", notes)
    assert "3 passages understood" in cli("index").out
    sent = server.requests[-1].headers
    assert (sent["authorization"], sent["x-org"], sent["x-project"]) == (
        f"Bearer {KEY}",
        "theirs",
        "own",
    )


def test_the_key_of_the_models_of_another_program_goes_to_no_other_address(
    cli: Cli, paths: Paths, notes: Path, server: EmbeddingServer
) -> None:
    block = {"provider": "openai", "remote": {"baseUrl": server.base_url("openai")}}
    settings(paths, memorySearch=block, models={"providers": {"openai": {"apiKey": KEY}}})
    cli("workspace", "add", notes)
    cli("index")
    assert server.requests
    assert all("authorization" not in request.headers for request in server.requests)


@pytest.mark.parametrize("name", ["openai", "gemini", "voyage", "mistral", "ollama"])
def test_headers_of_the_settings_win_and_no_key_is_made_up(
    cli: Cli,
    paths: Paths,
    notes: Path,
    server: EmbeddingServer,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(variable, "of the environment")
    block: dict[str, Any] = {"provider": name, "remote": {"baseUrl": server.base_url(name)}}
    cli("workspace", "add", notes)
    folder = [{"path": str(notes)}]
    settings(paths, memorySearch=block, workspaces=folder)
    cli("index")
    keys = {"authorization", "x-goog-api-key"}
    assert server.requests
    assert [
        request.headers[key] for request in server.requests for key in keys & {*request.headers}
    ] == []
    wanted = "x-goog-api-key" if name == "gemini" else "Authorization"
    block["remote"] |= {"headers": {wanted: "mine"}, "apiKey": KEY}
    settings(paths, memorySearch=block, workspaces=folder)
    write_notes(notes, {"sea.md": "# Sea\n\nThe tide is at nine.\n"})
    cli("index")
    assert server.requests[-1].headers[wanted.lower()] == "mine"
