"""The server over HTTP and clients that keep connections: too many, half a request, no reading."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import psutil
import pytest

from scrubjay.mcp_server.http_connections import HttpLimits, max_connections
from support.mcp_http import Server, connections, served, served_here
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

from .conftest import NOTES, settings

resource = pytest.importorskip("resource", reason="this system has no such limits")

SHORT = HttpLimits(connections=8, request_s=1, answer_s=1)
HALF = b"GET /mcp HTT"
FLOOD = 1000
"""Connections of one attack."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("limited") / "home"
    root = write_notes(home.parent / "agent", NOTES)
    write_notes(home, {"config.json5": settings(root)})
    with served_here(home, SHORT) as server:
        yield server


@pytest.fixture
def many_sockets() -> Iterator[None]:
    """This process may have as many as an attacker."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * FLOOD:
        pytest.skip("needs more sockets than this system allows")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * FLOOD), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def opened(stack: contextlib.ExitStack, server: Server, count: int) -> list[socket.socket]:
    """Connections with half a request, open until the stack is closed."""
    return [stack.enter_context(server.connected(HALF)) for _ in range(count)]


@contextlib.contextmanager
def asked_all_the_time(server: Server) -> Iterator[list[int]]:
    """Statuses of what an honest client is answered meanwhile, and once more at the end."""
    statuses: list[int] = []
    stop = Event()

    def ask() -> None:
        while not stop.is_set():
            statuses.append(server.post(b"{}")[0])

    client = Thread(target=ask, daemon=True)
    client.start()
    yield statuses
    stop.set()
    client.join(TIMEOUT)
    statuses.append(server.post(b"{}")[0])


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it; what it sent is read."""
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


SLOW: dict[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "half a line": (HALF, b""),
    "a head without an end": (b"GET /mcp HTTP/1.1\r\nX: ", b"x"),
    "a body without its end": (b"{head}Content-Length: 500\r\n\r\n{", b""),
    "a body by the byte": (b"{head}Content-Length: 500\r\n\r\n", b" "),
    "chunks without an end": (b"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", b""),
    "endless chunks": (b"{head}Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "half a chunk": (b"{head}Transfer-Encoding: chunked\r\n\r\nff\r\n", b" "),
    "a body that is announced": (b"{head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n", b""),
    "half a second request": (b"{head}Content-Length: 2\r\n\r\n{}" + HALF, b""),
    "another protocol": (b"{head}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", b""),
    "a second request by the byte": (b"{head}Content-Length: 2\r\n\r\n{}GET /", b"x"),
}
"""What is sent at first, and then every tenth of a second."""


@pytest.mark.parametrize(("first", "then"), SLOW.values(), ids=SLOW)
def test_a_request_that_does_not_end_is_given_up(server: Server, first: bytes, then: bytes) -> None:
    heads = [server.head()[:-2], server.head(Authorization=None)[:-2]]
    with contextlib.ExitStack() as stack:
        waiting = [
            stack.enter_context(server.connected(first.replace(b"{head}", head))) for head in heads
        ]
        until = time.monotonic() + TIMEOUT
        while waiting := [connection for connection in waiting if not is_closed(connection)]:
            assert time.monotonic() < until
            time.sleep(0.1)
            for connection in waiting:
                with contextlib.suppress(OSError):
                    connection.sendall(then)


@pytest.fixture
def listing(server: Server) -> bytes:
    """A request with a long answer."""
    data = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    return server.head(Mcp_Session_Id=server.opened(), Content_Length=str(len(data))) + data


def test_answers_that_nobody_reads_are_given_up(server: Server, listing: bytes) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(listing * (900_000 // len(listing)))
        wait_until(lambda: connections(server) > 0)
        # The system may keep what was sent for the client, but the server is done with it.
        wait_until(lambda: connections(server) == 0)


def test_requests_before_the_answer_are_not_gathered_without_end(
    server: Server, listing: bytes
) -> None:
    with (
        socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection,
        pytest.raises(OSError, match=r"reset|[Bb]roken pipe"),
    ):
        connection.sendall(listing * 100_000)


def test_a_stream_of_a_session_outlives_the_time_for_requests(server: Server) -> None:
    stream_head = server.head("GET", Mcp_Session_Id=server.opened())
    with server.connected(stream_head) as stream:
        time.sleep(3 * SHORT.request_s)
        # Others come and go in all the places that there are.
        for _ in range(3 * SHORT.connections):
            server.connected(HALF).close()
        assert server.post(b"{}")[0] == 400
        assert not is_closed(stream)


def test_more_streams_than_connections_are_refused_until_one_ends(server: Server) -> None:
    heads = [server.head("GET", Mcp_Session_Id=server.opened()) for _ in range(8)]
    with contextlib.ExitStack() as stack:
        streams, answers = [], []
        for head in heads:
            streams.append(stack.enter_context(server.connected(head)))
            answers.append(streams[-1].recv(12))
        assert answers == [b"HTTP/1.1 200"] * 7 + [b"HTTP/1.1 503"]
        assert server.post(b"{}")[0] == 503
        streams[0].close()
        wait_until(lambda: server.post(b"{}")[0] == 400)


def test_the_oldest_half_request_gives_way(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        halves = opened(stack, server, SHORT.connections)
        wait_until(lambda: is_closed(halves[0]))
        halves[-1].setblocking(True)
        halves[-1].sendall(b"P/1.1\r\nHost: here\r\n\r\n")
        assert halves[-1].recv(12) == b"HTTP/1.1 401"


@pytest.mark.usefixtures("many_sockets")
def test_a_thousand_half_requests_keep_nobody_from_being_answered(shared_home: Path) -> None:
    with served(shared_home, descriptors=256) as server, contextlib.ExitStack() as stack:
        with asked_all_the_time(server) as statuses:
            halves = opened(stack, server, FLOOD)
            most = connections(server)
            descriptors = psutil.Process(server.process.pid).num_fds()
        assert set(statuses) == {400}
        # Half, and those that are just being accepted or closed.
        assert most <= 128 + 2 * 16
        assert descriptors < 200
        # After ten seconds none is left, although no client has closed one.
        wait_until(lambda: connections(server) == 0)
        assert all(is_closed(half) for half in halves)
        assert server.said == []


@pytest.mark.skipif(not hasattr(psutil.Process, "rlimit"), reason="changes a limit of a process")
def test_a_server_that_may_open_no_file_says_so_in_a_sentence_and_goes_on(
    shared_home: Path,
) -> None:
    with served(shared_home) as server, contextlib.ExitStack() as stack:
        assert server.post(b"{}")[0] == 400
        process = psutil.Process(server.process.pid)
        before = process.rlimit(psutil.RLIMIT_NOFILE)
        process.rlimit(psutil.RLIMIT_NOFILE, (process.num_fds(), before[1]))
        opened(stack, server, 100)
        wait_until(lambda: server.said)
        time.sleep(2.5)  # it tries again every second
        process.rlimit(psutil.RLIMIT_NOFILE, before)
        assert server.post(b"{}")[0] == 400
        [sentence] = server.said
        assert "new connections have to wait" in sentence


@pytest.mark.parametrize("size", [17_000, 40_000, 300_000])
@pytest.mark.parametrize("is_complete", [True, False])
def test_a_long_head_is_refused_in_one_read_or_in_several(
    shared_home: Path, size: int, is_complete: bool
) -> None:
    with served(shared_home) as server:
        head = server.head(X_Long="x" * size, Content_Length="2")
        if not is_complete:
            head = head.removesuffix(b"\r\n\r\n")
        with contextlib.suppress(OSError), server.connected(head) as connection:
            answer = connection.recv(1000)
            assert answer.startswith(b"HTTP/1.1 431 ")
        assert server.post(b"{}", X_Long="x" * 10_000)[0] == 400


def test_a_long_head_after_another_request_is_refused(shared_home: Path) -> None:
    with served(shared_home) as server:
        first = server.head(Content_Length="2") + b"{}"
        with server.connected(first + server.head(X_Long="x" * 17_000)) as connection:
            answers = b""
            while part := connection.recv(10_000):
                answers += part
        assert answers.count(b"HTTP/1.1 ") == 2
        assert b"HTTP/1.1 431 " in answers


@pytest.mark.parametrize("rest", ["head", "body", "answer"])
def test_a_client_that_is_not_ready_does_not_keep_the_server_from_ending(
    shared_home: Path, rest: str
) -> None:
    with served(shared_home) as server:
        if rest == "head":
            data = HALF
        elif rest == "body":
            data = server.head(Content_Length="500") + b"{"
        else:
            data = server.head("GET", Mcp_Session_Id=server.opened())
        with server.connected(data):
            assert server.post(b"{}")[0] == 400  # the data has arrived
            server.process.terminate()
            server.process.wait(TIMEOUT)


@pytest.mark.parametrize(("descriptors", "expected"), [(64, 32), (256, 128), (4096, 512)])
def test_half_of_the_descriptors_are_for_connections(descriptors: int, expected: int) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, before[1]))
    try:
        assert max_connections() == expected
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
