"""The official inspector agrees with what the server says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import inspector
import protocol_clients
from scrubjay.platform.paths import HOME_VARIABLE
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT


@pytest.fixture(params=["of the set-up", "of make clients"])
def program(request: pytest.FixtureRequest) -> list[str]:
    """The command of an inspector: one that old versions of Node.js run, and a newer one."""
    if request.param == "of make clients":
        if not protocol_clients.are_installed():
            pytest.skip("not installed; `make clients` installs it")
        return protocol_clients.node_program("mcp-inspector")
    fetched = inspector.program()
    if fetched is None or shutil.which("node") is None:
        pytest.skip("the inspector was not fetched: it needs npm when the tests are set up")
    return [str(fetched)]


def inspect(program: list[str], home: Path, *arguments: str) -> Any:
    """What an inspector prints about one request."""
    server = ["-e", f"{HOME_VARIABLE}={home}", str(PROGRAM), "mcp"]
    done = subprocess.run(
        [*program, "--cli", *server, *arguments],
        env=protocol_clients.environ(),
        capture_output=True,
        text=True,
        timeout=2 * TIMEOUT,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_lists_the_tools(program: list[str], shared_home: Path) -> None:
    listed = inspect(program, shared_home, "--method", "tools/list")["tools"]
    assert len(listed) == 7
    assert all(tool["inputSchema"] and tool["outputSchema"] for tool in listed)


def test_the_inspector_calls_a_tool(program: list[str], shared_home: Path) -> None:
    call = ("--method", "tools/call", "--tool-name", "memory_search", "--tool-arg")
    answer = inspect(program, shared_home, *call, "query=router attic")
    assert answer["structuredContent"]["results"][0]["path"] == "memory/2026-05-08.md"
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
