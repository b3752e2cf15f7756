"""Writes what the protocol's library answers to a handshake and to the question for the tools.

Usage: early_answers.py FILE.

The server for agents sends these answers before it has imported the library.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.server import MemoryServer
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths


def answers_file() -> str:
    """The content of the file."""
    shake = {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "setup", "version": "1"},
    }
    hello, tools = library_results(("initialize", shake), ("tools/list", {}))
    # Settings and the installed package decide these two.
    del hello["instructions"]
    del hello["serverInfo"]["version"]
    answers = {
        "library": importlib.metadata.version("mcp"),
        "versions": HANDSHAKE_PROTOCOL_VERSIONS,
        "initialize": hello,
        "tools/list": tools,
    }
    return json.dumps(answers, ensure_ascii=False, indent=1) + "\n"


def library_results(*requests: tuple[str, dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Results of requests to the server behind the library, the first of them a handshake."""
    with tempfile.TemporaryDirectory() as home:
        engine = Engine(Paths.under(Path(home)))
        try:
            return anyio.run(_results, MemoryServer(MemoryTools(engine)), requests)
        finally:
            engine.close()


async def _results(
    server: MemoryServer, requests: Sequence[tuple[str, dict[str, Any]]]
) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    protocol = server.protocol()
    options = protocol.create_initialization_options()
    async with (
        create_client_server_memory_streams() as ((answers, write), (read, server_write)),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(protocol.run, read, server_write, options)
        for number, (method, params) in enumerate(requests):
            request = types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
            await write.send(SessionMessage(request))
            answer = await answers.receive()
            assert isinstance(answer, SessionMessage)
            assert isinstance(answer.message, types.JSONRPCResponse), answer.message
            results.append(answer.message.result)
        tasks.cancel_scope.cancel()
    return results


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(answers_file(), encoding="utf-8", newline="\n")
