"""Answers to the first requests of a client, before the protocol's library is imported.

The import takes longer than a search. What the library would answer to a handshake and to the
question for the tools is in a file that it made (`scripts/early_answers.py`). Every message that is
not one of the plain requests here is left to the library.
"""

from __future__ import annotations

import json
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any, BinaryIO

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import Cancelled, ScrubjayError, system_reason
from scrubjay.mcp_server.authorization import Caller, caller_named
from scrubjay.mcp_server.input_lines import InputLines
from scrubjay.mcp_server.instructions import instructions
from scrubjay.mcp_server.tools import MemoryTools, ToolReply
from scrubjay.messages import msg
from scrubjay.platform.paths import resources
from scrubjay.version import current_version

RequestId = int | str

ANSWERS_FILE = "mcp_answers.json"
IDLE_S = 0.1
"""Seconds without a message after which the library is imported: more than a client needs between
an answer and its next request, by hand."""
_MOST_MESSAGES = 10
"""Messages after which the library is imported."""
_PIPELINED_S = 0.001
"""Seconds in which a message is read that was sent together with a call."""
_ABOUT_A_CLIENT = {"title", "description", "websiteUrl"}
"""What a client may tell of itself beside its name and version, as texts."""
_ROOTS = [("roots", {"listChanged": True}), ("roots", {"listChanged": False})]
"""The one capability with a value that is not an object."""


class EarlyAnswers:
    """Answers a client until it has called a tool, pauses, or sends what only the library takes."""

    def __init__(
        self,
        tools: MemoryTools,
        *,
        known_as: str,
        lines: InputLines,
        answers: BinaryIO,
        idle_s: float = IDLE_S,
        stored: Path | None = None,
    ) -> None:
        """Stored is the file of the answers; None for that of this package."""
        self._tools = tools
        self._known_as = known_as
        self._lines = lines
        self._answers = answers
        self._idle_s = idle_s
        self._pool = DaemonThreadPool("early-call")
        self._stored = _stored_answers(stored or resources() / ANSWERS_FILE)
        self._handshake: list[str] = []
        """Lines of the handshake: its request, then the notification that ends it."""
        self._handshake_id: RequestId | None = None
        self._rest: list[str] = []
        """Lines for the library, in order."""
        self._caller: Caller | None = None
        self._has_called = False
        """Whether a tool was called, which ends the early answers."""

    def serve(self) -> RequestId | None:
        """Answer, then return the remaining messages to the lines. Raises ScrubjayError.

        The id of the handshake if it was answered. Its lines are returned as well, for the library.
        """
        answered = 0
        # A client that never pauses gets the library too, which also looks after the notes.
        while not self._is_over() and answered < _MOST_MESSAGES:
            wait([self._lines.ahead()], self._idle_s)
            if not self._lines.ahead().done():
                break
            line = self._lines.take()
            answered += 1
            if not self._is_answered(line):
                self._rest.append(line)
        self._lines.give_back([*self._handshake, *self._rest])
        return self._handshake_id

    def _is_over(self) -> bool:
        """Whether the library has to answer everything from now on."""
        return not self._stored or self._has_called or bool(self._rest)

    def _is_answered(self, line: str) -> bool:
        """Answer a message if it is a plain one."""
        message = _plain_message(line)
        if not message:
            return False
        method = message["method"]
        params = message.get("params", {})
        if "id" not in message:
            is_last = method == "notifications/initialized" and not params
            if not is_last or len(self._handshake) != 1:
                return False
            self._handshake.append(line)
            return True
        try:
            result = self._result(message, params)
        except Cancelled:  # nobody waits for the answer
            return True
        if result is None:
            return False
        if method == "initialize":
            self._handshake.append(line)
            self._handshake_id = message["id"]
        self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})
        return True

    def _result(self, message: dict[str, Any], params: dict[str, Any]) -> dict[str, Any] | None:
        """The result of a request; None where the library has to answer. Raises Cancelled."""
        method = message["method"]
        if method == "initialize" and not self._handshake:
            return self._shake_hands(params)
        if method == "ping" and self._handshake and not params:
            return {}
        # Until the handshake is over, the library decides what a request gets.
        if self._caller is None or len(self._handshake) < 2:
            return None
        if method == "tools/list" and not params:
            tools: dict[str, Any] = self._stored["tools/list"]
            return tools
        if method == "tools/call" and params.keys() == {"name", "arguments"}:
            return self._call(message["id"], self._caller, **params)
        return None

    def _shake_hands(self, params: dict[str, Any]) -> dict[str, Any] | None:
        """The result of a handshake whose every part the library would take."""
        match params:
            case {
                "protocolVersion": str(version),
                "capabilities": dict(capabilities),
                "clientInfo": {"name": str(name), "version": str(), **further},
                **others,
            }:
                is_plain = not others and _are_objects(capabilities)
            case _:
                return None
        are_texts = all(isinstance(value, str) for value in further.values())
        if not is_plain or not are_texts or further.keys() - _ABOUT_A_CLIENT:
            return None
        engine = self._tools.engine
        engine.catch_up_with_settings().result()
        title = str(further.get("title") or name)
        self._caller = caller_named(name, title, known_as=self._known_as)
        # The settings and the installed package add what cannot be stored.
        result: dict[str, Any] = self._stored["initialize"]
        if version in self._stored["versions"]:
            result["protocolVersion"] = version
        result["serverInfo"]["version"] = current_version()
        result["instructions"] = instructions(engine.settings.settings)
        return result

    def _call(
        self, number: RequestId, caller: Caller, *, name: object, arguments: object
    ) -> dict[str, Any] | None:
        """The result of a tool that only reads; None for the library. Raises Cancelled."""
        tools = {tool["name"]: tool for tool in self._stored["tools/list"]["tools"]}
        if not isinstance(name, str) or not isinstance(arguments, dict) or name not in tools:
            return None
        # Requests that are sent together are answered side by side by the library.
        has_next = bool(wait([self._lines.ahead()], _PIPELINED_S).done)
        if has_next or not tools[name]["annotations"]["readOnlyHint"]:
            return None
        self._has_called = True
        cancel = CancelToken()
        call = self._pool.submit(self._tools.call, name, arguments, caller, cancel)
        self._listen_during(call, number, cancel)
        return call_result(call.result())

    def _listen_during(self, call: Future[Any], number: RequestId, cancel: CancelToken) -> None:
        """Take what the client sends during a call, which is cancelled when it says so or goes."""
        # What a client sends is kept in memory, so there is an end to it.
        while len(self._rest) < _MOST_MESSAGES:
            wait((call, self._lines.ahead()), return_when=FIRST_COMPLETED)
            if call.done():
                return
            line = self._lines.take()
            message = _plain_message(line)
            if not line or _is_cancelled(message, number):
                cancel.cancel()
                return
            # A client asks whether the server is alive, and cannot wait for a person's permission.
            if message.get("method") != "ping" or not self._is_answered(line):
                self._rest.append(line)

    def _write(self, answer: dict[str, Any]) -> None:
        line = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        try:
            self._answers.write(f"{line}\n".encode())
            self._answers.flush()
        except OSError as error:
            raise stopped(error) from error


def call_result(reply: ToolReply) -> dict[str, Any]:
    """The reply of a tool as the protocol has it."""
    # As text and as fields, since some clients show only one of them to their model. Spaces
    # between the fields would cost it a tenth more tokens.
    text = json.dumps(reply.structured, ensure_ascii=False, separators=(",", ":"))
    content = {"type": "text", "text": text, "annotations": {"audience": ["assistant"]}}
    result: dict[str, Any] = {"content": [content], "isError": reply.is_error}
    if not reply.is_error:
        result["structuredContent"] = reply.structured
    return result


def stopped(error: OSError) -> ScrubjayError:
    """The error of a server whose client does not read any more."""
    return ScrubjayError(
        "The server stopped",
        msg("Its answers could not be written ({reason}).", reason=system_reason(error)),
    )


def _stored_answers(file: Path) -> dict[str, Any]:
    """The stored answers; empty unless they are those of the installed library."""
    import importlib.metadata  # late, as in scrubjay.version

    try:
        stored = json.loads(file.read_bytes())
        version = importlib.metadata.version("mcp")
    except (OSError, ValueError, importlib.metadata.PackageNotFoundError):
        return {}
    match stored:
        case {"library": library, "versions": _, "initialize": _, "tools/list": _, **others}:
            is_own = library == version and not others
        case _:
            is_own = False
    if not is_own:
        return {}
    answers: dict[str, Any] = stored
    return answers


def _plain_message(line: str) -> dict[str, Any]:
    """A request or a notification in its usual form; empty for anything else."""
    # Half an emoji is written as an escape, and the library's reader replaces it.
    if "\\ud" in line.lower():
        return {}
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    match message:
        case {"jsonrpc": "2.0", "method": str(), **others}:
            is_plain = not others.keys() - {"id", "params"}
        case _:
            return {}
    number = message.get("id", 0)
    has_id = isinstance(number, str | int) and not isinstance(number, bool)
    is_plain = is_plain and has_id and isinstance(message.get("params", {}), dict)
    return message if is_plain else {}


def _is_cancelled(message: dict[str, Any], number: RequestId) -> bool:
    """Whether a message cancels the request with this id."""
    is_cancel = message.get("method") == "notifications/cancelled" and "id" not in message
    # The library takes a number for the same id as its digits.
    return is_cancel and str(message.get("params", {}).get("requestId")) == str(number)


def _are_objects(capabilities: dict[str, Any]) -> bool:
    """Whether a client announces only what the library takes: objects in objects, and roots."""
    return all(
        isinstance(each, dict) and (_are_objects(each) or (name, each) in _ROOTS)
        for name, each in capabilities.items()
    )
