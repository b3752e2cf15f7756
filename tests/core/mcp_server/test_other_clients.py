"""Clients other than that of the server's own library, and the protocol's conformance suite."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import protocol_clients
from scrubjay.platform.paths import HOME_VARIABLE
from support.mcp_client import PROGRAM
from support.mcp_http import Server, served
from support.token_proxy import without_token
from support.vault import TIMEOUT, write_notes

from .conftest import NOTES, settings

pytestmark = pytest.mark.skipif(
    not protocol_clients.are_installed(), reason="not installed; `make clients` installs them"
)
CLIENTS = Path(__file__).parents[2] / "support" / "clients"
TOOLS = {
    "memory_context",
    "memory_get",
    "memory_links",
    "memory_list",
    "memory_search",
    "memory_status",
    "memory_write",
}
_RUN_S = 3 * TIMEOUT


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that may be written to."""
    home = tmp_path_factory.mktemp("clients") / "home"
    root = write_notes(home.parent / "agent", NOTES)
    return write_notes(home, {"config.json5": settings(root)})


@pytest.fixture(scope="module")
def server(own_home: Path) -> Iterator[Server]:
    with served(own_home) as server:
        yield server


@pytest.fixture(params=["stdio", "http"])
def way(request: pytest.FixtureRequest) -> list[str]:
    """Arguments of a client: how it reaches the server."""
    if request.param == "stdio":
        return ["stdio", str(PROGRAM), "mcp"]
    server: Server = request.getfixturevalue("server")
    return ["http", server.url, server.token]


def answers(command: list[str], home: Path) -> dict[str, Any]:
    """What a client got for each of its requests."""
    environ = protocol_clients.environ() | {HOME_VARIABLE: str(home)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=_RUN_S)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def check(told: dict[str, Any]) -> None:
    """What every client has to get."""
    assert "memory_search" in told["instructions"]
    assert set(told["tools"]) == TOOLS
    assert told["search"]["results"][0]["path"] == "memory/2026-05-08.md"
    first, second = told["pages"]["notes"]
    assert "Rod likes green tea." in first["text"]
    assert second["text"] == ""
    assert told["list"]["notes"]
    assert "related" in told["links"]
    assert "router" in told["context"]["context"]
    assert told["status"]["workspaces"][0]["id"] == "agent"
    assert told["write"]["state"] == "proposed"
    assert "secret" in str(told["refusal"])
    assert "memory_delete" in told["unknown"]
    assert "memory://agent/MEMORY.md" in told["resources"]
    assert "Rod likes green tea." in told["resource"]
    assert set(told["prompts"]) == {"recall", "flush"}
    assert "tea" in told["prompt"]


def test_the_typescript_sdk_gets_every_answer(own_home: Path, way: list[str]) -> None:
    # Node.js looks for packages beside a module.
    module = shutil.copy(CLIENTS / "typescript_client.mjs", protocol_clients.FOLDER)
    check(answers(["node", str(module), *way], own_home))


def test_the_client_of_fastmcp_gets_every_answer(own_home: Path, way: list[str]) -> None:
    python = str(protocol_clients.python())
    check(answers([python, str(CLIENTS / "fastmcp_client.py"), *way], own_home))


def test_the_conformance_suite_finds_no_fault(server: Server, tmp_path: Path) -> None:
    with without_token(server) as url:
        done = subprocess.run(
            [
                *protocol_clients.node_program("conformance"),
                *("server", "--suite", "all", "--url", url, "--output-dir", str(tmp_path)),
                *("--expected-failures", str(CLIENTS / "conformance.yml")),
            ],
            env=protocol_clients.environ(),
            capture_output=True,
            text=True,
            timeout=_RUN_S,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
