"""The first answers of `scrubjay mcp` over stdio, which come before the protocol's library."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from early_answers import answers_file, library_results
from scrubjay.events import AccessAsked, AccessSettled
from scrubjay.mcp_server.early_answers import EarlyAnswers
from scrubjay.mcp_server.input_lines import MAX_MESSAGE, InputLines
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import HOME_VARIABLE, resources
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT, NewEngine

from .conftest import asked

Early = Callable[..., tuple[list[dict[str, Any]], list[dict[str, Any]]]]
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"]
INFO = {"name": "raw", "version": "1"}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def shake(number: int | str = 0, **params: Any) -> dict[str, Any]:
    """The request that opens a connection."""
    given = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": INFO} | params
    return {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": given}


def ask(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: int | str, tool: str, **arguments: Any) -> dict[str, Any]:
    return ask(number, "tools/call", name=tool, arguments=arguments)


def cancelled(number: int | str) -> dict[str, Any]:
    """The notification that cancels a request."""
    params = {"requestId": number}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


@pytest.fixture
def early(home: Path, new_engine: NewEngine) -> Early:
    """What is answered without the library, and the messages that are left to it.

    The client closes its end once it has as many answers as are wanted.
    """
    tools = MemoryTools(new_engine())

    def answered(
        *messages: dict[str, Any], wanted: int = 0
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        (from_client, to_server), (from_server, to_client) = os.pipe(), os.pipe()
        with (
            os.fdopen(from_client, "rb") as wire,
            os.fdopen(from_server, "rb") as received,
            ThreadPoolExecutor() as pool,
        ):
            lines = InputLines(wire)
            with os.fdopen(to_client, "wb") as answers:
                server = EarlyAnswers(
                    tools, known_as="", lines=lines, answers=answers, idle_s=TIMEOUT
                )
                serving = pool.submit(server.serve)
                os.write(to_server, "".join(json.dumps(m) + "\n" for m in messages).encode())
                told = [received.readline() for _ in range(wanted)]
                os.close(to_server)
                handshake = serving.result(TIMEOUT)
            told += received.readlines()
            shaken = [json.loads(line)["id"] for line in told[:1]]
            assert shaken == [each for each in [handshake] if each is not None]
            rest = [json.loads(line) for line in iter(lines.take, "")]
        return [json.loads(line) for line in told], rest

    return answered


class Raw:
    """A server process, line by line."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [str(PROGRAM), "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {HOME_VARIABLE: str(home)},
        )

    def send(self, *messages: dict[str, Any], line: str = "") -> None:
        """Send messages, and a line that may be none."""
        assert self.process.stdin
        lines = [json.dumps(each) + "\n" for each in messages]
        self.process.stdin.write("".join([*lines, line]).encode())
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def asked(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to one message."""
        self.send(message)
        answer = self.answer()
        assert answer["id"] == message["id"]
        return answer

    def rest(self) -> list[dict[str, Any]]:
        """All further answers, once the client has closed its end."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        lines = self.process.stdout.read().splitlines()
        assert self.process.wait(TIMEOUT) == 0
        return [json.loads(line) for line in lines]


@contextlib.contextmanager
def server(home: Path) -> Iterator[Raw]:
    raw = Raw(home)
    with raw.process:
        yield raw
        raw.process.kill()


def test_the_first_answers_do_not_wait_for_the_library() -> None:
    program = "import sys, scrubjay.mcp_server.early_answers; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert not {b"mcp", b"mcp_types", b"anyio", b"asyncio"} & set(loaded.stdout.split())


def test_the_stored_answers_are_those_of_the_library() -> None:
    stored = (resources() / "mcp_answers.json").read_text(encoding="utf-8")
    assert stored == answers_file(), "run scripts/early_answers.py resources/mcp_answers.json"


def test_without_stored_answers_the_library_answers_everything(
    home: Path, new_engine: NewEngine, tmp_path: Path
) -> None:
    tools = MemoryTools(new_engine())
    content = answers_file()
    library = json.loads(content)["library"]
    file = tmp_path / "answers.json"
    for stored in (None, "", "[]", "{", "{}", content.replace(library, "1.0.0", 1)):
        if stored is not None:
            file.write_text(stored, encoding="utf-8")
        hello = json.dumps(shake()) + "\n"
        lines = InputLines(io.BytesIO(hello.encode()))
        answers = io.BytesIO()
        early = EarlyAnswers(tools, known_as="", lines=lines, answers=answers, stored=file)
        assert early.serve() is None
        assert (answers.getvalue(), lines.take()) == (b"", hello)


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_gets_the_answers_of_the_library(early: Early, version: str) -> None:
    requests = [shake(protocolVersion=version), ask(1, "ping"), ask("two", "tools/list")]
    answers, rest = early(requests[0], READY, *requests[1:])
    asked = [(request["method"], request["params"]) for request in requests]
    assert [answer["result"] for answer in answers] == library_results(*asked)
    assert rest == [requests[0], READY]


CALLS = [
    ("memory_search", {"query": "router attic"}),
    ("memory_search", {"query": "router", "maxResults": "many"}),
    ("memory_get", {"path": "../secret.md"}),
    ("memory_status", {}),
]


def test_a_first_call_gets_what_the_library_answers(early: Early, home: Path) -> None:
    late = []
    with server(home) as raw:
        raw.asked(shake())
        raw.send(READY)
        raw.asked(ask("library", "prompts/list"))
        for tool, arguments in CALLS:
            answer = raw.asked(call(1, tool, **arguments))
            [content] = answer["result"]["content"]
            assert answer["result"].get("structuredContent") in (None, json.loads(content["text"]))
            late.append(answer)
    for (tool, arguments), answer in zip(CALLS, late, strict=True):
        [_, first], _ = early(shake(), READY, call(1, tool, **arguments), wanted=2)
        assert without_texts(first) == without_texts(answer)


def without_texts(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with the fields of its texts, as each quotes the notes between its own marks."""
    [content] = answer["result"]["content"]
    # Only the first search has notes to wait for.
    fields = sorted(json.loads(content["text"]).keys() - {"freshness", "waitedFor"})
    answer["result"].pop("structuredContent", None)
    return answer | {"result": answer["result"] | {"content": [content | {"text": fields}]}}


def test_the_library_takes_over_in_the_middle_of_a_session(home: Path) -> None:
    """It knows who shook hands, and does not answer the handshake again."""
    with server(home) as raw:
        raw.asked(shake(clientInfo=INFO | {"title": "Raw Client"}))
        raw.send(READY)
        first = raw.asked(call(1, "memory_status"))
        assert raw.asked(ask(2, "prompts/list"))["result"]["prompts"]
        late = raw.asked(call(3, "memory_status"))
        assert raw.rest() == []
    names = [answer["result"]["structuredContent"]["you"] for answer in (first, late)]
    assert names == ["raw", "raw"]


def test_a_client_that_sends_all_at_once_and_goes_is_answered(home: Path) -> None:
    with server(home) as raw:
        raw.send(shake(), READY, ask(1, "tools/list"), ask(2, "ping"))
        answers = raw.rest()
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert all("result" in answer for answer in answers)


def test_a_call_is_cancelled_by_a_message_that_is_sent_with_it(early: Early, home: Path) -> None:
    search = call(1, "memory_search", query="router")
    answers, rest = early(shake(), READY, search, cancelled(1))
    # The thread that reads may be slower than the search.
    if len(answers) == 1:
        assert rest in ([shake(), READY, search, cancelled(1)], [shake(), READY])
    with server(home) as raw:
        raw.asked(shake())
        raw.send(READY, search, cancelled(1), ask(2, "ping"))
        while raw.answer()["id"] != 2:
            pass
        assert raw.rest() == []


def test_messages_during_a_call_leave_it_and_its_question_alone(
    home: Path, workspace: Path, new_engine: NewEngine
) -> None:
    app, heard = asked(home, workspace, new_engine)
    app.refresh(words_only=True).result(TIMEOUT)
    with server(home) as raw:
        raw.asked(shake())
        raw.send(READY, call(1, "memory_search", query="router"))
        heard.wait(lambda: heard.of(AccessAsked))
        raw.send(cancelled(99), ask(2, "prompts/list"), line="garbage\n")
        assert raw.asked(ask(3, "ping"))["result"] == {}
        [question] = app.agents.waiting().result(TIMEOUT)
        app.agents.answer(question, is_allowed=True).result(TIMEOUT)
        first = raw.answer()
        others = [raw.answer(), raw.answer()]
        assert raw.rest() == []
    assert (first["id"], first["result"]["isError"]) == (1, False)
    assert {other["id"] for other in others} == {2, None}
    assert len(heard.of(AccessAsked)) == 1
    [entry] = app.agents.audit_log().result(TIMEOUT)
    assert (entry.tool, entry.outcome) == ("memory_search", "answered")


@pytest.mark.parametrize("is_cancelled", [True, False], ids=["cancelled", "gone"])
def test_a_call_is_given_up_when_its_client_cancels_it_or_goes(
    home: Path, workspace: Path, new_engine: NewEngine, is_cancelled: bool
) -> None:
    app, heard = asked(home, workspace, new_engine)
    with server(home) as raw:
        raw.asked(shake())
        raw.send(READY, call(1, "memory_search", query="router"))
        heard.wait(lambda: heard.of(AccessAsked))
        if is_cancelled:
            raw.send(cancelled(1))
            assert raw.asked(ask(2, "ping"))["result"] == {}
        assert raw.rest() == []
    heard.wait(lambda: heard.of(AccessSettled))
    assert app.agents.waiting().result(TIMEOUT) == ()
    assert len(heard.of(AccessAsked)) == 1
    [entry] = app.agents.audit_log().result(TIMEOUT)
    assert (entry.tool, entry.outcome) == ("memory_search", "cancelled")


NO_MESSAGES = [
    ("garbage", None, -32700),
    ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
    ('{"jsonrpc": "2.0", "id": 0, "method": "ping", "params": "x"}', 0, -32602),
    ('{"jsonrpc": "2.0", "id": 4, "method": "ping", "params": "x"}', 4, -32602),
    ("x" * MAX_MESSAGE, None, -32600),
]


@pytest.mark.parametrize(
    ("line", "number", "code"), NO_MESSAGES, ids=["garbage", "null", "same", "params", "long"]
)
def test_a_bad_line_after_the_handshake_gets_its_error(
    home: Path, line: str, number: int | None, code: int
) -> None:
    with server(home) as raw:
        raw.asked(shake())
        raw.send(READY, line=line + "\n")
        error = raw.answer()
        assert (error["id"], error.get("error", {}).get("code")) == (number, code)
        assert raw.asked(ask(7, "prompts/list"))["result"]["prompts"]
        assert raw.rest() == []


def test_an_agent_that_never_pauses_gets_the_library_too(early: Early) -> None:
    status = call(1, "memory_status")
    answers, rest = early(shake(), READY, status, wanted=2)
    assert [answer["id"] for answer in answers] == [0, 1]
    assert rest == [shake(), READY]
    pings = [ask(number, "ping") for number in range(1, 30)]
    answers, rest = early(shake(), READY, *pings)
    assert [message["id"] for message in rest[2:]] == list(range(len(answers), 30))


def test_several_first_calls_at_once_get_one_answer_each(home: Path) -> None:
    with server(home) as raw:
        raw.asked(shake())
        calls = [call(number, "memory_search", query="router") for number in range(1, 6)]
        raw.send(READY, *calls)
        answers = [raw.answer() for _ in calls]
        assert raw.rest() == []
    assert sorted(answer["id"] for answer in answers) == [1, 2, 3, 4, 5]
    assert all(answer["result"]["structuredContent"]["results"] for answer in answers)


ODD_FIRST = [
    ask(5, "tools/list"),
    ask(5, "ping"),
    ask(5, "server/discover"),
    READY,
    call(5, "memory_search", query="x"),
    shake(5, protocolVersion=3),
    shake(5, clientInfo={"name": "raw"}),
    shake(5, clientInfo=INFO | {"icons": []}),
    shake(5, capabilities={"roots": 1}),
    shake(5, capabilities={"sampling": {"tools": True}}),
    shake(5, _meta={"progressToken": 1}),
    {"jsonrpc": "2.0", "id": 5, "method": "initialize"},
    {"jsonrpc": "2.0", "id": True, "method": "ping"},
    {"id": 5, "method": "ping"},
    [shake(5)],
    5,
]
ODD_LATER = [
    shake(5),
    call(5, "memory_delete"),
    call(5, "memory_write", text="Rod likes tea."),
    ask(5, "tools/call", name=["memory_search"], arguments={}),
    ask(5, "tools/call", name="memory_search", arguments=[]),
    ask(5, "tools/call", name="memory_search", arguments={}, _meta={"progressToken": 1}),
    ask(5, "tools/list", cursor="5"),
    ask(5, "prompts/list"),
    call(5, "memory_search", query="half an emoji: \ud83d"),
    {"jsonrpc": "2.0", "id": 5, "method": "ping", "params": []},
    {"jsonrpc": "2.0", "id": 5, "method": "ping", "extra": 1},
    {"jsonrpc": "2.0", "id": 5.5, "method": "ping"},
    {"jsonrpc": "2.0", "id": 5, "result": {}},
]


def test_odd_messages_are_left_to_the_library(early: Early) -> None:
    for message in ODD_FIRST:
        assert early(message, shake()) == ([], [message, shake()]), message
    for message in ODD_LATER:
        answers, rest = early(shake(), READY, message, ask(6, "ping"))
        assert len(answers) == 1, message
        assert rest == [shake(), READY, message, ask(6, "ping")]


@pytest.mark.parametrize(
    "capabilities",
    [
        {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}},
        {"tasks": {"list": {}, "requests": {"sampling": {"createMessage": {}}}}},
        {"experimental": {"x": {}}, "extensions": {}, "roots": {}},
    ],
)
def test_what_clients_announce_is_what_the_library_takes(
    early: Early, capabilities: dict[str, Any]
) -> None:
    hello = shake(capabilities=capabilities, clientInfo=INFO | {"title": "Raw"})
    [answer], _ = early(hello)
    assert [answer["result"]] == library_results(("initialize", hello["params"]))
