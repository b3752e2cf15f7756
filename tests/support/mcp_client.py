"""The official client of the protocol, with a real server process at the other end."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from scrubjay.platform.paths import HOME_VARIABLE

PROGRAM = Path(sys.executable).with_name("scrubjay")


@dataclass(frozen=True)
class Client:
    """One session, for any thread."""

    portal: BlockingPortal
    session: ClientSession

    def run(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        """Call a method of the session and wait for its result."""
        return self.portal.call(partial(getattr(self.session, method), *arguments, **keywords))

    def tool(self, name: str, **arguments: Any) -> types.CallToolResult:
        """Call a tool; `from_` stands for `from`."""
        given = {key.removesuffix("_"): value for key, value in arguments.items()}
        result: types.CallToolResult = self.run("call_tool", name, given)
        return result

    def answer(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Structured content of a tool that succeeds."""
        result = self.tool(name, **arguments)
        assert not result.is_error, result.content
        assert json.loads(text_of(result)) == result.structured_content
        answer: dict[str, Any] = result.structured_content
        return answer

    def refusal(self, name: str, **arguments: Any) -> str:
        """What a tool says that does not succeed."""
        result = self.tool(name, **arguments)
        assert result.is_error, result.structured_content
        return text_of(result)


def text_of(result: types.CallToolResult) -> str:
    """The one text of a result."""
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@contextlib.contextmanager
def connected(home: Path, *arguments: str, name: str = "Test Agent") -> Iterator[Client]:
    """A server process of its own and a client that has shaken hands with it."""
    environ = {HOME_VARIABLE: str(home)}
    with started(str(PROGRAM), ["mcp", *arguments], environ, name=name) as client:
        yield client


@contextlib.contextmanager
def started(
    command: str, arguments: list[str], environ: dict[str, str], *, name: str
) -> Iterator[Client]:
    """A client of the server that a command starts."""
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ) | environ)
    info = types.Implementation(name=name, version="1")
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(stdio_client(server)) as (read, write),
        portal.wrap_async_context_manager(ClientSession(read, write, client_info=info)) as session,
    ):
        client = Client(portal, session)
        client.run("initialize")
        yield client
