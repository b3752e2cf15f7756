"""A client of fastmcp, which has an environment of its own. Prints one JSON object.

Arguments: `stdio COMMAND ARGUMENT...` or `http URL TOKEN`.
"""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError


async def main(kind: str, target: str, *rest: str) -> None:
    if kind == "stdio":
        transport = StdioTransport(target, list(rest), env=dict(os.environ))
    else:
        transport = StreamableHttpTransport(target, headers={"Authorization": f"Bearer {rest[0]}"})
    async with Client(transport) as client:

        async def call(name: str, **arguments: object) -> object:
            return (await client.call_tool(name, arguments)).structured_content

        async def refusal(name: str, **arguments: object) -> str:
            try:
                await client.call_tool(name, arguments)
            except (ToolError, MCPError) as error:
                return str(error)
            return ""

        answers = {
            "instructions": client.instructions,
            "tools": [tool.name for tool in await client.list_tools()],
            "search": await call("memory_search", query="router attic"),
            "pages": await call("memory_get", path=["MEMORY.md", "Nowhere.md"]),
            "list": await call("memory_list"),
            "links": await call("memory_links", path="memory/2026-05-08.md"),
            "context": await call("memory_context", message="Where is the router?"),
            "status": await call("memory_status"),
            "write": await call("memory_write", text="The client of fastmcp was here."),
            "refusal": await refusal("memory_get", path="../secret.md"),
            "unknown": await refusal("memory_delete"),
            "resources": [str(resource.uri) for resource in await client.list_resources()],
            "resource": (await client.read_resource("memory://agent/MEMORY.md"))[0].text,
            "prompts": [prompt.name for prompt in await client.list_prompts()],
            "prompt": (await client.get_prompt("recall", {"topic": "tea"}))
            .messages[0]
            .content.text,
        }
    print(json.dumps(answers))


asyncio.run(main(*sys.argv[1:]))
