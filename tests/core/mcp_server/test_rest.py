"""Plain HTTP beside the protocol: the same notes, rules, log and limits as for agents."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.rest import openapi_description
from scrubjay.platform.paths import Paths
from support.mcp_http import Server, served
from support.vault import TIMEOUT, write_notes

from .conftest import NOTES, settings


class Answer(NamedTuple):
    """An answer to a plain request."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    server: Server, path: str | bytes, method: str = "GET", body: bytes = b"", **more: str | None
) -> Answer:
    """The answer to a request whose path is sent as it is; a header that is None is not sent."""
    headers: dict[str, str | None] = {
        "Host": f"127.0.0.1:{server.port}",
        "Authorization": f"Bearer {server.token}",
        "User-Agent": "curl/8.5.0",
    }
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    if isinstance(path, str):
        path = path.encode()
    head = b"%s %s HTTP/1.1\r\n%s\r\n\r\n" % (method.encode(), path, "\r\n".join(lines).encode())
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        # A server that has refused the beginning reads no further.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(head + body)
        with http.client.HTTPResponse(connection, method=method) as answer:
            answer.begin()
            return Answer(answer.status, answer.headers, answer.read())


@pytest.fixture(scope="module")
def rest_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("rest") / "home"
    root = write_notes(home.parent / "agent", NOTES)
    private = write_notes(home.parent / "private", {"secret.md": "The attic key is 4711.\n"})
    text = settings(root).replace(
        "}],", f'}}, {{ id: "private", name: "Private", path: {str(private)!r} }}],', 1
    )
    deny = '{ read: "deny" }'
    rules = f"access: {{ workspaces: {{ private: {deny} }}, agents: {{ wget: {deny} }} }},\n}}"
    return write_notes(home, {"config.json5": text.rstrip()[:-1] + rules})


@pytest.fixture(scope="module")
def server(rest_home: Path) -> Iterator[Server]:
    with served(rest_home, None, "--rest") as server:
        yield server


def test_notes_are_found_and_read(server: Server) -> None:
    assert ask(server, "/health").json["status"] == "ok"
    found = ask(server, "/search?q=router+attic&maxResults=5")
    assert (found.status, found.headers["content-type"]) == (200, "application/json")
    assert [hit["path"] for hit in found.json["results"]] == ["memory/2026-05-08.md"]
    note = ask(server, "/notes/memory/2026-05-08.md?workspace=agent&from=3&lines=1")
    assert (note.status, note.json["text"]) == (200, "The router stands in the attic.")


def test_it_is_off_unless_a_person_turns_it_on(shared_home: Path) -> None:
    with served(shared_home) as server:
        for path in ("/health", "/search?q=a", "/notes/MEMORY.md", "/docs", "/openapi.json"):
            assert ask(server, path).status == 404
            assert ask(server, path, Authorization=None).status == 401


@pytest.mark.parametrize("path", ["/health", "/search?q=router", "/notes/MEMORY.md", "/other"])
@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer wrong", "Basic {token}",
                                           "bearer {token}x", "{token}"])  # fmt: skip
def test_without_the_token_nobody_gets_in(
    server: Server, path: str, authorization: str | None
) -> None:
    written = None if authorization is None else authorization.format(token=server.token)
    answer = ask(server, path, Authorization=written)
    assert (answer.status, answer.body) == (401, b"A token is required.\n")


@pytest.mark.parametrize("path", ["/health", "/search?q=router", "/docs", "/openapi.json"])
@pytest.mark.parametrize(("header", "value", "status"), [
    ("Host", "evil.example", 421), ("Host", "127.0.0.1", 421), ("Host", "localhost:1", 421),
    ("Origin", "https://evil.example", 403), ("Origin", "null", 403),
])  # fmt: skip
def test_a_web_page_is_refused(
    server: Server, path: str, header: str, value: str, status: int
) -> None:
    assert ask(server, path, **{header: value}).status == status


@pytest.mark.parametrize("path", [
    "../secret.md", "..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/private/secret.md", "%2Fetc%2Fpasswd",
    "//etc/passwd", "a%00.md", "MEMORY.md%00.txt", "%252e%252e/private/secret.md", "C:%5Cboot.ini",
    "..%5C..%5Cprivate%5Csecret.md", "", "%ff%fe.md", "none.md", "memory/.dreams",
    "memory/.dreams/state.md", "~/.ssh/id_rsa", "a" * 5000, "memory/" * 500,
])  # fmt: skip
def test_a_path_that_is_no_note_gives_no_text(server: Server, path: str) -> None:
    answer = ask(server, f"/notes/{path}")
    assert answer.status in (400, 403, 404)
    assert b"4711" not in answer.body
    assert b"root:" not in answer.body
    assert answer.json.get("text", "") == ""


def test_an_encoded_name_is_read_once(server: Server) -> None:
    for path in ("memory/odd%20name%20%C3%A9%231%25.md", "memory%2Fodd%20name%20%C3%A9%231%25.md"):
        assert ask(server, f"/notes/{path}").json["text"] == "An odd name."


@pytest.mark.parametrize(("query", "status"), [
    ("", 400), ("?q=", 200), ("?query=router", 200), ("?q=router&q=tea", 200), ("?q=%00", 200),
    ("?q=%ff", 200), ("?q=router&maxResults=0", 400), ("?q=router&maxResults=many", 400),
    ("?q=router&minScore=2", 400), ("?q=router&workspace=nowhere", 400), ("?q=a&&=&b", 200),
    ("?q=router&unknown=1", 200), ("?q=" + "x" * 9000, 200), ("?q=(((%22", 200),
    ("?q=a%0d%0ab", 200),
])  # fmt: skip
def test_odd_queries_are_answered_or_refused(server: Server, query: str, status: int) -> None:
    answer = ask(server, f"/search{query}")
    assert (answer.status, "error" in answer.json) == (status, status != 200)


def test_a_head_that_is_too_long_is_refused(server: Server) -> None:
    # Where it is refused before its end was sent, the connection may be reset.
    for length in (150_000, 1_000_000):
        with contextlib.suppress(ConnectionResetError):
            assert ask(server, "/search?q=" + "x" * length).status == 431
    assert ask(server, "/health").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "ODD"])
def test_nothing_can_be_changed(server: Server, method: str) -> None:
    for path in ("/health", "/search?q=router", "/notes/MEMORY.md", "/docs"):
        answer = ask(server, path, method)
        assert answer.status == 405
        assert sorted(answer.headers["allow"].split(", ")) == ["GET", "HEAD"]
        assert answer.headers["access-control-allow-origin"] is None


def test_head_has_no_body(server: Server) -> None:
    for path in ("/health", "/search?q=router", "/notes/MEMORY.md"):
        answer = ask(server, path, "HEAD")
        assert (answer.status, answer.body) == (200, b"")
        assert int(answer.headers["content-length"]) > 2


def test_a_body_that_nobody_reads_does_not_hold_it_up(server: Server) -> None:
    body = b"x" * 100_000
    assert ask(server, "/health", body=body, Content_Length=str(len(body))).status == 200
    assert ask(server, "/health").status == 200


def test_rules_and_the_log_are_those_of_agents(server: Server, rest_home: Path) -> None:
    assert "4711" not in str(ask(server, "/search?q=attic+key").json)
    assert ask(server, "/notes/secret.md?workspace=private").status == 403
    assert ask(server, "/search?q=router", User_Agent="Wget/1.21").status == 403
    group = {"X_Session_Key": "agent:main:telegram:group:42"}
    assert ask(server, "/notes/MEMORY.md", **group).status == 403
    engine = Engine(Paths.under(rest_home))
    try:
        entries = engine.agents.audit_log().result(TIMEOUT)
    finally:
        engine.close()
    logged = {(entry.agent, entry.tool, entry.query, entry.outcome) for entry in entries}
    assert ("curl", "memory_search", "attic key", "answered") in logged
    assert ("wget", "memory_search", "router", "refused") in logged


@pytest.mark.needs("OpenAPI validator")
def test_the_description_is_valid_and_needs_no_token(server: Server) -> None:
    from openapi_spec_validator import validate

    described = ask(server, "/openapi.json", Authorization=None)
    assert described.json == openapi_description()
    validate(described.json)
    assert set(described.json["paths"]) == {"/health", "/search", "/notes/{path}"}


def test_the_page_loads_nothing_from_elsewhere(server: Server) -> None:
    page = ask(server, "/docs", Authorization=None)
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    text = page.body.decode()
    assert "<code>q</code>" in text
    assert not any(word in text for word in ("<script", "src=", "http://", "https://", "<link"))


def test_the_name_given_with_as_counts(rest_home: Path) -> None:
    with served(rest_home, None, "--rest", "--as", "wget") as server:
        assert ask(server, "/search?q=router").status == 403
