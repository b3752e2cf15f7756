"""The protocol: requests to the official library become calls of the tools."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from scrubjay.agents.access.permissions import agent_id
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.mcp_server.authorization import Authorization, Caller
from scrubjay.mcp_server.background_index import Report
from scrubjay.mcp_server.resources_and_prompts import (
    PAGE,
    PROMPTS,
    TEMPLATE,
    listed,
    parsed,
    prompt_text,
)
from scrubjay.mcp_server.tool_schemas import INSTRUCTIONS, NOTICE, TOOL_SCHEMAS, ToolSchema
from scrubjay.mcp_server.tools import MemoryTools, Reply
from scrubjay.records.access_records import AGENT_NAMES
from scrubjay.version import current_version

log = logging.getLogger(__name__)

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]

_CONCURRENT = 32
"""Calls at once, each in a thread of its own."""
_MARKDOWN = "text/markdown"
_NAME_UNKNOWN = "unknown"


class MemoryServer:
    """One engine behind the protocol, for one client over stdio or many over HTTP."""

    def __init__(self, engine: Engine, known_as: str = "") -> None:
        """Known_as is the client's name in the settings; empty for its own name for itself."""
        self._engine = engine
        self._known_as = known_as
        self._tools = MemoryTools(engine)
        self._authorization = Authorization(engine)
        self._io_timeouts = IoTimeouts()
        self._limiter = anyio.CapacityLimiter(_CONCURRENT)

    def protocol(self) -> Server[Any]:
        """The server of the official library."""
        return Server(
            "scrubjay",
            version=current_version(),
            title="Scrubjay",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def serve_stdio(self) -> None:
        """Serve one client over standard input and output, until it goes."""
        server = self.protocol()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    # -- tools --------------------------------------------------------------------------------

    async def _list_tools(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool_of(schema) for schema in TOOL_SCHEMAS.values()])

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in TOOL_SCHEMAS:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}")
        caller, report = self._caller(context), _reporter(context)
        reply = await self._in_thread(
            lambda cancel: self._tools.call(
                params.name, params.arguments or {}, caller, cancel, report
            )
        )
        return _result(reply)

    # -- resources ----------------------------------------------------------------------------

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        start = _position(params.cursor if params else None)
        readable = self._authorization.readable(self._caller(context))
        resources = await self._in_thread(
            lambda cancel: listed(self._engine, readable, self._io_timeouts, cancel)
        )
        page = resources[start : start + PAGE]
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=note.uri,
                    name=note.name,
                    title=f"{note.name} ({note.workspace})",
                    mime_type=_MARKDOWN,
                    size=note.size,
                )
                for note in page
            ],
            next_cursor=str(start + PAGE) if start + PAGE < len(resources) else None,
        )

    async def _list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=TEMPLATE,
            name="note",
            title="A note",
            description=f"One memory file of a workspace. {NOTICE}",
            mime_type=_MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        caller = self._caller(context)
        try:
            workspace, path = parsed(params.uri)
            text = await self._in_thread(
                lambda cancel: self._tools.read(workspace, path, caller, cancel)
            )
        except ScrubjayError as error:
            raise MCPError(types.INVALID_PARAMS, str(error), {"uri": params.uri}) from error
        contents = types.TextResourceContents(
            uri=params.uri, text=text, mime_type=_MARKDOWN, _meta={"scrubjay/untrusted": NOTICE}
        )
        return types.ReadResourceResult(contents=[contents])

    # -- prompts ------------------------------------------------------------------------------

    async def _list_prompts(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        prompts = [
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(name=name, description=meaning, required=True)
                    for name, meaning in prompt.arguments.items()
                ],
            )
            for prompt in PROMPTS.values()
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def _get_prompt(
        self, _: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            text = prompt_text(params.name, params.arguments or {})
        except ScrubjayError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(
            description=PROMPTS[params.name].description, messages=[message]
        )

    # -- plumbing -----------------------------------------------------------------------------

    def _caller(self, context: Context) -> Caller:
        params = context.session.client_params
        info = params.client_info if params else None
        own = info.name if info else _NAME_UNKNOWN
        agent = agent_id(self._known_as or own)
        title = (info.title if info else "") or own
        # Each agent has one name, whether it sends its title or not.
        return Caller(agent, AGENT_NAMES.get(agent, title[:200]))

    async def _in_thread(self, job: Callable[[CancelToken], T]) -> T:
        """Run a job that may block; it is cancelled when the client gives up."""
        cancel = CancelToken()
        try:
            return await anyio.to_thread.run_sync(
                lambda: job(cancel), abandon_on_cancel=True, limiter=self._limiter
            )
        except Cancelled as error:  # the engine is closing
            raise MCPError(types.INTERNAL_ERROR, "Scrubjay is closing") from error
        finally:
            cancel.cancel()


def tool_of(schema: ToolSchema) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=schema.name,
        title=schema.title,
        description=schema.description,
        input_schema=schema.input,
        output_schema=schema.output,
        annotations=types.ToolAnnotations(
            title=schema.title,
            read_only_hint=schema.is_read_only,
            destructive_hint=False,
            idempotent_hint=schema.is_read_only,
            open_world_hint=False,
        ),
    )


def _result(reply: Reply) -> types.CallToolResult:
    content = types.TextContent(
        text=reply.text, annotations=types.Annotations(audience=["assistant"])
    )
    return types.CallToolResult(
        content=[content],
        structured_content=None if reply.is_error else reply.structured,
        is_error=reply.is_error,
    )


def _position(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise MCPError(types.INVALID_PARAMS, "This cursor is not ours")
    return int(cursor)


def _reporter(context: Context) -> Report:
    """A function for progress from any thread; the library sends it to clients that want it."""
    loop = asyncio.get_running_loop()
    sending: set[asyncio.Task[None]] = set()

    async def send(done: float, total: float | None, message: str) -> None:
        try:
            await context.session.report_progress(done, total, message)
        except Exception:  # the client may be gone; the answer does not depend on it
            log.debug("Progress could not be sent", exc_info=True)

    def begin(done: float, total: float | None, message: str) -> None:
        task = loop.create_task(send(done, total, message))
        sending.add(task)
        task.add_done_callback(sending.discard)

    def report(done: float, total: float | None, message: str) -> None:
        loop.call_soon_threadsafe(begin, done, total, message)

    return report
