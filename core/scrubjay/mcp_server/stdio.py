"""MCP over standard input and output. Invalid messages are answered too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import WriteStream
from mcp.shared.message import SessionMessage

from scrubjay.mcp_server.early_answers import RequestId, stopped
from scrubjay.mcp_server.input_lines import MAX_MESSAGE, InputLines
from scrubjay.text.printable import encodable_text


async def serve_stdio(
    protocol: Server[Any], messages: InputLines, *, answered: RequestId | None = None
) -> None:
    """Serve one client until it goes. Raises ScrubjayError where answers cannot be written.

    Answered is the id of the handshake with which the messages begin, if the client has its answer.
    """
    lines = _Lines(messages)
    try:
        async with stdio_server(stdin=lines) as (read, lines.write):  # type: ignore[arg-type]
            if answered is not None:
                lines.write = _WithoutAnswer(lines.write, answered)
            lines.is_open.set()
            await protocol.run(read, lines.write, protocol.create_initialization_options())
    except* OSError as errors:
        [error, *_] = _leaves(errors)
        raise stopped(error) from error


def _leaves(errors: BaseExceptionGroup[OSError]) -> Iterator[OSError]:
    """The errors of a group and of the groups in it."""
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


class _Lines:
    """The messages of a client; for any other line an error goes back to it."""

    def __init__(self, messages: InputLines) -> None:
        self._messages = messages
        self.is_open = anyio.Event()
        self.write: Any = None
        """The stream of answers, once it is open."""

    async def __aiter__(self) -> AsyncIterator[str]:
        await self.is_open.wait()
        # A piece that is full without an end of line is the beginning of too long a message.
        while line := await self._piece():
            if len(line) < MAX_MESSAGE or line.endswith("\n"):
                message = repair_message(line)
            else:
                await self._skip_rest()
                reason = f"A message must have fewer than {MAX_MESSAGE} characters"
                message = _error(None, types.INVALID_REQUEST, reason)
            if isinstance(message, types.JSONRPCError):
                await self.write.send(SessionMessage(message))
            elif message:
                yield message

    async def _skip_rest(self) -> None:
        """Read to the end of a line, and keep nothing of it."""
        rest = "…"
        while rest and not rest.endswith("\n"):
            rest = await self._piece()

    async def _piece(self) -> str:
        """A line, or as much of it as a message may have; blank at the end."""
        return await anyio.to_thread.run_sync(self._messages.take)


class _WithoutAnswer:
    """The stream of answers without the first one to a request whose answer the client has."""

    def __init__(self, answers: WriteStream[SessionMessage], number: RequestId) -> None:
        self._answers = answers
        self._number = number
        self._is_dropped = False

    async def send(self, message: SessionMessage, /) -> None:
        # Errors about lines that follow may come first, even with the same id.
        answer = message.message
        is_result = isinstance(answer, types.JSONRPCResponse) and answer.id == self._number
        if is_result and not self._is_dropped:
            self._is_dropped = True
            return
        await self._answers.send(message)

    async def aclose(self) -> None:
        await self._answers.aclose()

    async def __aenter__(self) -> Self:
        await self._answers.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._answers.__aexit__(*error)


def repair_message(line: str) -> str | types.JSONRPCError:
    """The line with half emoji replaced; an error for what is not a message; "" for no answer."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        if not line.strip():
            return ""
        return _error(None, types.PARSE_ERROR, "Parse error")
    fields = content if isinstance(content, dict) else {}
    # A bool is an int in Python, and not an id in the protocol.
    number = fields.get("id")
    # Valid are requests and notifications, and answers, which have no method.
    has_id = isinstance(number, str | int) and not isinstance(number, bool)
    is_answer = "method" not in fields and ("result" in fields or "error" in fields)
    is_valid = has_id or is_answer or "id" not in fields
    line = encodable_text(json.dumps(content, ensure_ascii=False))
    try:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        is_valid = False
    if is_valid:
        return line
    # What is wrong decides which error it gets, as JSON-RPC 2.0 has it.
    is_call = fields.get("jsonrpc") == "2.0" and isinstance(fields.get("method"), str)
    if is_answer or (is_call and "id" not in fields):
        return ""  # answers and notifications are never answered
    if is_call and has_id:
        return _error(number, types.INVALID_PARAMS, "Invalid params")
    if not has_id:
        number = None
    return _error(number, types.INVALID_REQUEST, "Invalid request")


def _error(number: str | int | None, code: int, message: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)
