"""The server over HTTP: for this computer and who has the token, and for nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import psutil
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from scrubjay.mcp_server import http as over_http
from scrubjay.mcp_server.http_connections import HttpLimits
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from support.mcp_client import PROGRAM, Client
from support.mcp_http import Server, served, served_here
from support.platforms import has_mode
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

from .conftest import NOTES, settings


@pytest.fixture(scope="module")
def server(shared_home: Path) -> Iterator[Server]:
    with served(shared_home) as server:
        yield server


@contextlib.contextmanager
def session(server: Server, **more: str) -> Iterator[Client]:
    """The official client."""
    info = types.Implementation(name="http-agent", version="1")
    headers = {"Authorization": f"Bearer {server.token}"} | more
    with start_blocking_portal() as portal:
        http_client = httpx2.AsyncClient(headers=headers, timeout=TIMEOUT)
        with (
            portal.wrap_async_context_manager(http_client),
            portal.wrap_async_context_manager(
                streamable_http_client(server.url, http_client=http_client)
            ) as streams,
            portal.wrap_async_context_manager(
                ClientSession(streams[0], streams[1], client_info=info)
            ) as opened,
        ):
            client = Client(portal, opened)
            client.run("initialize")
            yield client


def test_the_official_client_is_served(server: Server) -> None:
    with session(server) as client:
        answer = client.answer("memory_search", query="router attic")
        assert answer["results"][0]["path"] == "memory/2026-05-08.md"
        assert client.answer("memory_status")["you"] == "http-agent"


@pytest.mark.parametrize("header", ["X-Session-Key", "X-OpenClaw-Session-Key"])
def test_a_header_of_the_program_counts_before_the_model(server: Server, header: str) -> None:
    with session(server, **{header: "agent:main:telegram:group:42"}) as client:
        answer = client.answer("memory_search", query="Rod green tea", sessionKey="agent:main:main")
        assert "green tea" not in str(answer)
        assert client.refusal("memory_get", path="MEMORY.md")
        uris = [note.uri for note in client.run("list_resources").resources]
        assert "memory://agent/memory/2026-05-08.md" in uris
        assert "memory://agent/MEMORY.md" not in uris
        with pytest.raises(Exception, match="private"):
            client.run("read_resource", "memory://agent/MEMORY.md")
    with session(server, **{header: "agent:main:main"}) as client:
        assert client.answer("memory_search", query="Rod green tea")["citations"] == "on"
        assert client.run("read_resource", "memory://agent/MEMORY.md").contents


def test_each_client_is_told_what_the_settings_say_now(tmp_path: Path) -> None:
    root = write_notes(tmp_path / "agent", NOTES)
    home = write_notes(tmp_path / "home", {"config.json5": settings(root)})
    with served(home) as server:
        with session(server) as client:
            assert "Do not mention" not in (client.session.instructions or "")
        write_notes(home, {"config.json5": settings(root, "memory: { citations: 'off' }")})
        with session(server) as client:
            assert "Do not mention" in (client.session.instructions or "")


def test_the_token_is_for_its_owner_only(server: Server, shared_home: Path) -> None:
    file = Paths.under(shared_home).state / "agents" / "token"
    assert has_mode(file, 0o600)
    assert len(server.token) >= 32


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic {token}", "{token}", "bearer {token}x"],
)
def test_without_the_token_nobody_gets_in(server: Server, authorization: str | None) -> None:
    written = None if authorization is None else authorization.format(token=server.token)
    status, body = server.post(Authorization=written)
    assert status == 401
    assert b"scrubjay" not in body.lower()


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
def test_the_scheme_is_read_in_any_case(server: Server, scheme: str) -> None:
    assert server.post(Authorization=f"{scheme} {server.token}")[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1",
        "",
        None,
        "192.168.0.1:{port}",
        "localhost:1",
        "[::1]:{port}",
        "127.0.0.1:{port}.evil.example",
    ],
)
def test_another_name_for_this_computer_is_refused(server: Server, host: str | None) -> None:
    """A web page can make its own name lead here; the name that it asked for betrays it."""
    written = None if host is None else host.format(port=server.port)
    status, _ = server.post(Host=written)
    assert status in (400, 421)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://localhost",
        "http://localhost:1",
        "file://",
        "http://127.0.0.1:{port}.evil.example",
        "https://127.0.0.1:{port}",
    ],
)
def test_another_origin_is_refused(server: Server, origin: str) -> None:
    assert server.post(Origin=origin.format(port=server.port))[0] == 403


def test_our_own_origin_is_served(server: Server) -> None:
    assert server.post(Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_a_body_beyond_the_limit_is_refused(server: Server) -> None:
    assert server.post(b" " * (1024 * 1024 + 1))[0] == 413
    assert server.post(b"")[0] == 400
    assert server.post(b"{" * 1000)[0] == 400
    assert server.post(Content_Type="text/plain")[0] in (400, 415)
    assert server.post()[0] == 200


def test_only_this_computer_is_listened_to(server: Server) -> None:
    [listener] = [
        connection
        for connection in psutil.Process(server.process.pid).net_connections()
        if connection.status == "LISTEN"
    ]
    assert listener.laddr.ip == "127.0.0.1"


def test_a_taken_port_is_one_sentence(shared_home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [str(PROGRAM), "mcp", "--http", "--port", port],
            env=os.environ | {HOME_VARIABLE: str(shared_home)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr


def test_servers_that_start_at_once_have_one_token(tmp_path: Path) -> None:
    for number in range(20):
        paths = Paths.under(tmp_path / str(number))
        with ThreadPoolExecutor(8) as servers:
            tokens = set(servers.map(over_http.load_token, [paths] * 8))
        assert tokens == {over_http.token_file(paths).read_text()}


def test_a_token_that_is_too_short_is_refused(shared_home: Path) -> None:
    environ = {HOME_VARIABLE: str(shared_home), "SCRUBJAY_MCP_TOKEN": "short"}
    done = subprocess.run(
        [str(PROGRAM), "mcp", "--http", "--port", "0"],
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "too easy to guess" in done.stderr


async def _sends_at_once() -> bool:
    accepted: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
    with over_http.listening_socket(0) as listener:
        port = listener.getsockname()[1]
        served = await asyncio.start_server(lambda _, w: accepted.set_result(w), sock=listener)
        async with served:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            ours = await asyncio.wait_for(accepted, TIMEOUT)
            found = ours.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for stream in (writer, ours):
                stream.close()
                await stream.wait_closed()
    return bool(found)


def test_no_part_of_an_answer_waits_for_the_client_to_confirm_the_one_before() -> None:
    assert asyncio.run(_sends_at_once())


def test_sessions_have_a_limit_and_refused_requests_leave_none(home: Path) -> None:
    with served_here(home, HttpLimits(sessions=20)) as server:
        for _ in range(21):
            assert server.post(b"{}")[0] == 400
        for _ in range(20):
            assert server.post()[0] == 200
        assert server.post()[0] == 503


def test_a_session_ends_after_some_time_without_requests(home: Path) -> None:
    with served_here(home, HttpLimits(sessions=1, session_idle_s=0.5)) as server:
        assert server.post()[0] == 200
        # The one place is free again once the session before has ended.
        wait_until(lambda: server.post()[0] == 200)


CLIENTS = 8
REQUESTS = 10_000 if os.environ.get("SCRUBJAY_SOAK") else 320
_ROUNDS = 4


def _calls(server: Server, number: int, count: int, barrier: threading.Barrier) -> list[Any]:
    odd: list[Any] = []
    with session(server) as client:
        for turn in range(_ROUNDS):
            barrier.wait(TIMEOUT * 10)
            for call in range(count // _ROUNDS):
                if call % 4 == 3:
                    result = client.tool("memory_get", path="memory/long.md", from_=call % 300 + 1)
                else:
                    words = ("router attic", "green tea", f"line {call % 300}")[call % 3]
                    result = client.tool("memory_search", query=words)
                content = result.structured_content or {}
                if result.is_error or not (content.get("results") or content.get("text")):
                    odd.append((number, turn, call, result))
    return odd


@pytest.mark.soak
def test_eight_clients_at_once_get_every_answer_and_memory_stays_flat(server: Server) -> None:
    resident: list[int] = []
    process = psutil.Process(server.process.pid)
    barrier = threading.Barrier(CLIENTS, action=lambda: resident.append(process.memory_info().rss))
    with ThreadPoolExecutor(CLIENTS) as pool:
        each = REQUESTS // CLIENTS
        runs = [pool.submit(_calls, server, n, each, barrier) for n in range(CLIENTS)]
        odd = [answer for run in runs for answer in run.result(TIMEOUT * 40)]
    resident.append(process.memory_info().rss)
    assert odd == []
    # The first round fills caches; after it nothing grows by more than a few pages.
    assert resident[-1] < resident[1] * 1.1 + 8 * 2**20, resident
