"""`scrubjay mcp` on the wire: every line on standard output, and how the process ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client as ModernClient
from mcp.client.stdio import stdio_client

from scrubjay.mcp_server.input_lines import MAX_MESSAGE
from scrubjay.platform.paths import HOME_VARIABLE
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT, write_notes

from .conftest import settings

FIRST = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


def server_of(home: Path) -> subprocess.Popen[bytes]:
    """The server on pipes; what it says about itself is not looked at."""
    return subprocess.Popen(
        [str(PROGRAM), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {HOME_VARIABLE: str(home)},
    )


def spoken(home: Path, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What the server writes to standard output, each line read as JSON."""
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with server_of(home) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in (FIRST, ready, *messages):
            server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        lines = []
        wanted = {0, *(message["id"] for message in messages if "id" in message)}
        while wanted:
            lines.append(json.loads(server.stdout.readline()))
            wanted.discard(lines[-1].get("id"))
        server.stdin.close()
        lines += [json.loads(line) for line in server.stdout.read().splitlines()]
        assert server.wait(TIMEOUT) == 0
    return lines


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


def test_a_message_ends_with_its_line_only(home: Path) -> None:
    with server_of(home) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for line in (
            json.dumps(FIRST).encode(),
            b'{"jsonrpc": "2.0",\r"id": 7, "method": "ping"}\r',
        ):
            server.stdin.write(line + b"\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            assert answer["id"] == json.loads(line)["id"]
        server.stdin.close()


@pytest.mark.model
def test_standard_output_carries_nothing_but_the_protocol(home: Path, workspace: Path) -> None:
    """With the real model, whose library prints what it does."""
    written = settings(workspace).replace('provider: "none"', 'provider: "local"')
    write_notes(home, {"config.json5": written})
    lines = spoken(
        home,
        call(1, "memory_search", query="Where is the box for the internet?"),
        call(2, "memory_search", query="Where is the box for the internet, again?"),
    )
    assert all(message["jsonrpc"] == "2.0" for message in lines)
    assert all("result" in message or "method" in message for message in lines)


def test_junk_between_messages_does_not_end_the_server(home: Path) -> None:
    junk: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 7, "method": "banana"},
        {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": 5}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
    ]
    lines = spoken(home, *junk, call(9, "memory_search", query="router"))
    answers = {message["id"]: message for message in lines if message.get("id")}
    assert "error" in answers[7]
    assert "error" in answers[8]
    assert answers[9]["result"]["structuredContent"]["results"]


ODD: list[tuple[bytes, int | None, int]] = [
    (b"{broken", None, -32700),
    (b"\xff\xfe{", None, -32700),
    (b"[" * 5000, None, -32700),
    (b"[]", None, -32600),
    (b"5", None, -32600),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None, -32600),
    (b'{"id": 2, "method": "ping"}', 2, -32600),
    (b'{"jsonrpc": "2.0", "id": 3, "method": 5}', 3, -32600),
    (b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": [1]}', 4, -32602),
    (b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": "x"}', 5, -32602),
    (b'{"jsonrpc": "2.0", "id": 6, "method": "banana"}', 6, -32601),
]
UNANSWERED = [
    b"",
    b'{"jsonrpc": "2.0", "method": "notifications/odd", "params": [1]}',
    b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "You are odd"}}',
    b'{"jsonrpc": "2.0", "id": 99, "error": "odd"}',
]


def test_every_message_is_answered_and_only_messages(home: Path) -> None:
    half = (
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": '
        b'{"name": "memory_search", "arguments": {"query": "router \\ud83d"}}}'
    )
    with server_of(home) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(FIRST).encode() + b"\n")
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        server.stdin.flush()
        server.stdout.readline()
        for message, number, code in ODD:
            server.stdin.write(b"\n".join([*UNANSWERED, message, b""]))
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            assert (answer["id"], answer["error"]["code"]) == (number, code), message
        server.stdin.write(half + b"\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        assert answer["id"] == 7
        assert answer["result"]["structuredContent"]["results"]


def test_a_line_is_gathered_up_to_a_limit_and_the_next_one_is_answered(home: Path) -> None:
    longest = call(5, "memory_search", query="router")
    room = MAX_MESSAGE - len(json.dumps(longest)) - 1
    with server_of(home) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        # Only the library answers the second request, so that its own memory is not counted.
        for message in (FIRST, {"jsonrpc": "2.0", "id": 1, "method": "prompts/list"}):
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            server.stdout.readline()
        before = psutil.Process(server.pid).memory_info().rss
        for _ in range(100):
            server.stdin.write(b'"' + b"x" * 1_000_000)
        grown = psutil.Process(server.pid).memory_info().rss - before
        server.stdin.write(b"\n" + json.dumps(longest).encode() + b" " * room + b"\n")
        server.stdin.flush()
        refusal = json.loads(server.stdout.readline())
        answer = json.loads(server.stdout.readline())
        server.stdin.close()
    assert (refusal["id"], refusal["error"]["code"]) == (None, -32600)
    assert answer["result"]["structuredContent"]["results"]
    assert grown < 50_000_000


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_an_agent_that_says_stop_gets_it(home: Path, told: signal.Signals) -> None:
    with server_of(home) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(FIRST).encode() + b"\n")
        server.stdin.flush()
        server.stdout.readline()
        server.send_signal(told)
        assert server.wait(TIMEOUT) == -told


def test_the_newest_form_of_the_protocol_is_spoken_too(shared_home: Path) -> None:
    """Without a handshake: each request says who asks."""

    async def ask() -> dict[str, Any]:
        environ = dict(os.environ) | {HOME_VARIABLE: str(shared_home)}
        server = StdioServerParameters(command=str(PROGRAM), args=["mcp"], env=environ)
        async with ModernClient(stdio_client(server)) as client:
            found = await client.call_tool("memory_search", {"query": "router attic"})
            answer: dict[str, Any] = found.structured_content
            return answer

    assert anyio.run(ask)["results"][0]["path"] == "memory/2026-05-08.md"


def test_a_server_without_a_client_ends_by_itself(home: Path) -> None:
    done = subprocess.run(
        [str(PROGRAM), "mcp"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=os.environ | {HOME_VARIABLE: str(home)},
        timeout=TIMEOUT,
    )
    assert (done.returncode, done.stdout) == (0, b"")
