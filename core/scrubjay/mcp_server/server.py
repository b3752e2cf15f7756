"""The protocol: tools, memory files as resources `memory://<workspace>/<path>`, and prompts."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from scrubjay.agents.recall.flush import TOOL_PROMPT
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.config.loading import memory_search_for, off_key
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, QueryError, ScrubjayError
from scrubjay.mcp_server.authorization import Caller, caller_named, workspaces_with_permission
from scrubjay.mcp_server.early_answers import call_result
from scrubjay.mcp_server.instructions import instructions
from scrubjay.mcp_server.resource_addresses import TEMPLATE, parse_resource_uri, resource_uri
from scrubjay.mcp_server.tool_schemas import TOOLS
from scrubjay.mcp_server.tools import MemoryTools, ToolReply
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile, Scan, scan_folder
from scrubjay.records.access_records import Permission
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.text.file_kinds import is_curated_memory
from scrubjay.text.quotation import NOTICE, quoted_text
from scrubjay.version import current_version

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]

_CONCURRENT = 32
"""Calls at once, each in its own thread."""
_PAGE = 200
"""Resources in one answer."""
_HANDSHAKES = ("initialize", "server/discover")
"""Methods whose answer has the instructions, by version of the protocol."""
_SESSION_HEADERS = ("x-session-key", "x-openclaw-session-key")
"""Headers in which a program tells the conversation of its agent."""
_MARKDOWN = "text/markdown"
"""Type of all notes, as clients are told it."""
_TEMPLATE = types.ResourceTemplate(
    uri_template=TEMPLATE,
    name="note",
    title="A note",
    description=f"One note of a workspace. {NOTICE}",
    mime_type=_MARKDOWN,
)
_RECALL = """\
Look in my notes before you answer. Call memory_search with this, and again in other words when \
the first answer is thin; read the lines you need with memory_get. Then answer from what you found \
and name the source of each fact as path#Lfirst-Llast. If the notes say nothing about it, say so.

What I want to know: {topic}"""
# Prompts that people choose by name in their agent.
_PROMPT_LIST = (
    types.Prompt(
        name="recall",
        title="Recall from my notes",
        description="Answer a question from the notes, with sources.",
        arguments=[
            types.PromptArgument(name="topic", description="What you want to know.", required=True)
        ],
    ),
    types.Prompt(
        name="flush",
        title="Save important facts",
        description="Write important facts to today's note before this conversation is shortened.",
        arguments=[],
    ),
)
_PROMPTS = {prompt.name: prompt for prompt in _PROMPT_LIST}
"""Prompts by name."""


class MemoryServer:
    """One engine behind the protocol, for one client over stdio or many over HTTP."""

    def __init__(self, tools: MemoryTools, known_as: str = "") -> None:
        """Known_as is the client's name in the settings; empty for its own name for itself."""
        self._engine = tools.engine
        self._known_as = known_as
        self._tools = tools
        self._io_timeouts = IoTimeouts()
        self._limiter = anyio.CapacityLimiter(_CONCURRENT)

    def protocol(self) -> Server[Any]:
        """The server of the official library."""
        # What never changes is made once; everything else is asked of the engine.
        server: Server[Any] = Server(
            "scrubjay",
            version=current_version(),
            title="Scrubjay",
            on_list_tools=_always(types.ListToolsResult(tools=list(TOOLS))),
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=_always(
                types.ListResourceTemplatesResult(resource_templates=[_TEMPLATE])
            ),
            on_read_resource=self._read_resource,
            on_list_prompts=_always(types.ListPromptsResult(prompts=list(_PROMPTS.values()))),
            on_get_prompt=self._get_prompt,
        )

        async def instruct(ctx: Context, call_next: CallNext) -> HandlerResult:
            """Tell a client that shakes hands what the settings say at this moment."""
            result = await call_next(ctx)
            if ctx.method not in _HANDSHAKES or not isinstance(result, dict):
                return result
            await self._in_thread(lambda _: self._engine.catch_up_with_settings().result())
            return {**result, "instructions": instructions(self._engine.settings.settings)}

        server.middleware.append(instruct)
        return server

    # -- tools --------------------------------------------------------------------------------

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if all(params.name != tool.name for tool in TOOLS):
            names = ", ".join(tool.name for tool in TOOLS)
            raise MCPError(
                types.INVALID_PARAMS,
                f"There is no tool {params.name[:100]!r}. Available tools: {names}.",
            )
        loop = asyncio.get_running_loop()
        caller = self._caller(context)

        def report(done: float, total: float | None, message: str) -> None:
            # An error stays in the future: the client may be gone, and the answer does not care.
            progress = context.session.report_progress(done, total, message)
            asyncio.run_coroutine_threadsafe(progress, loop)

        reply = await self._in_thread(
            lambda cancel: self._tools.call(
                params.name, params.arguments or {}, caller=caller, cancel=cancel, report=report
            )
        )
        return types.CallToolResult.model_validate(call_result(reply))

    # -- resources ----------------------------------------------------------------------------

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = "0"
        if params and params.cursor is not None:
            cursor = params.cursor
        if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
            raise MCPError(types.INVALID_PARAMS, "This cursor is not valid")
        first = int(cursor)
        end = first + _PAGE
        caller = self._caller(context)

        def look(cancel: CancelToken) -> list[tuple[Workspace, FoundFile]]:
            self._engine.catch_up_with_settings().result()
            readable = workspaces_with_permission(self._engine, caller, Permission.ALLOW)
            return list_memory_files(
                self._engine, readable, io_timeouts=self._io_timeouts, cancel=cancel
            )

        # In groups and channels, the curated memory of an agent is not shown.
        conversation = Conversation(caller.session_key)
        notes = await self._in_thread(look)
        if not conversation.is_private:
            notes = [each for each in notes if not is_curated_memory(each[1].path)]
        resources = [
            types.Resource(
                uri=resource_uri(NoteAddress(workspace.id, file.label)),
                name=file.label,
                title=f"{file.label} ({workspace.name})",
                mime_type=_MARKDOWN,
                size=file.size,
            )
            for workspace, file in notes[first:end]
        ]
        next_cursor = str(end) if end < len(notes) else None
        return types.ListResourcesResult(resources=resources, next_cursor=next_cursor)

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        caller = self._caller(context)
        try:
            note = parse_resource_uri(params.uri)
            text = await self._in_thread(lambda cancel: self._tools.read(note, caller, cancel))
        except ScrubjayError as error:
            raise MCPError(types.INVALID_PARAMS, str(error), {"uri": params.uri}) from error
        # Programs put it into a prompt as it is, so the quotation is part of the text.
        contents = types.TextResourceContents(
            uri=params.uri, text=quoted_text(text), mime_type=_MARKDOWN
        )
        return types.ReadResourceResult(contents=[contents])

    # -- prompts ------------------------------------------------------------------------------

    async def _get_prompt(
        self, _: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            return _prompt_result(params.name, params.arguments or {})
        except ScrubjayError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error

    # -- plumbing -----------------------------------------------------------------------------

    def _caller(self, context: Context) -> Caller:
        """The agent of a request, as it called itself when it shook hands."""
        own = "unknown"
        title = own
        params = context.session.client_params
        info = params.client_info if params else None
        if info:
            own = info.name
            title = info.title or own
        headers = getattr(context.request, "headers", {})
        return self.caller(own, title, headers=headers, is_named=info is not None)

    def caller(
        self, own: str, title: str, *, headers: Mapping[str, str], is_named: bool = True
    ) -> Caller:
        """The agent behind a request, by its own name and title and the headers of the request."""
        key = next(filter(None, map(headers.get, _SESSION_HEADERS)), "")
        return caller_named(own, title, known_as=self._known_as, session_key=key, is_named=is_named)

    async def call(self, tool: str, arguments: dict[str, Any], caller: Caller) -> ToolReply:
        """The reply of a tool to a request that is not of the protocol. Raises Cancelled."""
        return await self._cancelled_with_client(
            lambda cancel: self._tools.call(tool, arguments, caller=caller, cancel=cancel)
        )

    async def _in_thread(self, job: Callable[[CancelToken], T]) -> T:
        """Run a job of the protocol that may block; it is cancelled when the client gives up."""
        try:
            return await self._cancelled_with_client(job)
        except Cancelled as error:  # the engine is closing
            raise MCPError(types.INTERNAL_ERROR, "Scrubjay is closing") from error

    async def _cancelled_with_client(self, job: Callable[[CancelToken], T]) -> T:
        cancel = CancelToken()
        try:
            return await anyio.to_thread.run_sync(
                lambda: job(cancel), abandon_on_cancel=True, limiter=self._limiter
            )
        finally:
            cancel.cancel()


def _always(result: T) -> Callable[[Context, Any], Awaitable[T]]:
    """A handler with a constant answer."""

    async def handle(_: Context, __: Any) -> T:
        return result

    return handle


def list_memory_files(
    engine: Engine, workspaces: Iterable[Workspace], *, io_timeouts: IoTimeouts, cancel: CancelToken
) -> list[tuple[Workspace, FoundFile]]:
    """All memory files on drives that answer, by workspace and name. Raises Cancelled."""
    notes: list[tuple[Workspace, FoundFile]] = []
    for workspace in workspaces:
        if off_key(engine.settings, workspace.id):
            continue
        settings = memory_search_for(engine.settings, workspace.id)[0]
        # A large folder may take its time, as long as more of its files are seen.
        found = Scan()
        look = partial(
            scan_folder,
            workspace.root,
            settings.extra_paths,
            cancel,
            layout=workspace.layout,
            left_out=workspace.left_out,
            into=found,
        )
        progress = partial(getattr, found, "looked_at")
        with contextlib.suppress(IoTimedOut):
            files = io_timeouts[workspace.root].call(look, cancel, progress=progress).files
            notes += [(workspace, files[label]) for label in sorted(files)]
    return notes


def _prompt_result(name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """A prompt with its text. Raises QueryError for an unknown name or a missing argument."""
    if name not in _PROMPTS:
        raise QueryError(
            msg("There is no prompt called {name}", name=repr(name)),
            msg("Available prompts: {names}.", names=", ".join(_PROMPTS)),
        )
    # One prompt asks about a topic, the other writes down what matters in today's file.
    if name == "recall":
        topic = arguments.get("topic", "")
        if not topic.strip():
            raise QueryError(
                msg(
                    "An argument is missing for the prompt {name}: {names}",
                    name=name,
                    names="topic",
                )
            )
        text = _RECALL.format(topic=topic)
    else:
        text = TOOL_PROMPT
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=_PROMPTS[name].description, messages=[message])
