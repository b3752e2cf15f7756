"""The official inspector agrees with what the server says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import inspector
from scrubjay.platform.paths import HOME_VARIABLE
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT


def inspect(home: Path, *arguments: str) -> Any:
    """What the inspector prints about one request."""
    program = inspector.program()
    if program is None or shutil.which("node") is None:
        pytest.skip("the inspector was not fetched: it needs npm when the tests are set up")
    server = ["-e", f"{HOME_VARIABLE}={home}", str(PROGRAM), "mcp"]
    done = subprocess.run(
        [str(program), "--cli", *server, *arguments],
        capture_output=True,
        text=True,
        timeout=2 * TIMEOUT,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_lists_the_tools(shared_home: Path) -> None:
    listed = inspect(shared_home, "--method", "tools/list")["tools"]
    assert len(listed) == 7
    assert all(tool["inputSchema"] and tool["outputSchema"] for tool in listed)


def test_the_inspector_calls_a_tool(shared_home: Path) -> None:
    call = ("--method", "tools/call", "--tool-name", "memory_search", "--tool-arg")
    answer = inspect(shared_home, *call, "query=router attic")
    assert answer["structuredContent"]["results"][0]["path"] == "memory/2026-05-08.md"
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
