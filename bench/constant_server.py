"""A server whose tools return a constant, to measure the cost of the protocol's library alone."""

from __future__ import annotations

import json
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from scrubjay.mcp_server.http import load_token, serve_http
from scrubjay.mcp_server.tool_schemas import TOOLS
from scrubjay.platform.paths import Paths

_RESULT = {"path": "part-000/note-00001.md", "startLine": 1, "endLine": 9, "snippet": "x" * 450}
_ANSWER: dict[str, Any] = {"results": [_RESULT] * 6}


async def _list_tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=list(TOOLS))


async def _call_tool(
    _: ServerRequestContext[Any, Any], __: types.CallToolRequestParams
) -> types.CallToolResult:
    content = types.TextContent(text=json.dumps(_ANSWER))
    return types.CallToolResult(content=[content], structured_content=_ANSWER)


if __name__ == "__main__":
    constant: Server[Any] = Server("constant", on_list_tools=_list_tools, on_call_tool=_call_tool)
    anyio.run(serve_http, constant, 0, load_token(Paths.of_user()))
