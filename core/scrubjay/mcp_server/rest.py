"""Plain HTTP beside the protocol: searching and reading for programs that do not speak MCP.

The requests are calls of the tools, so the same rules, deadlines and audit log apply.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from scrubjay.errors import (
    AccessRefused,
    Cancelled,
    IndexUnavailable,
    NoteRefused,
    QueryError,
    ScrubjayError,
    WorkspaceMissing,
)
from scrubjay.mcp_server.server import MemoryServer
from scrubjay.mcp_server.tool_schemas import TOOLS
from scrubjay.mcp_server.tools import ToolReply
from scrubjay.text.quotation import NOTICE
from scrubjay.version import current_version

OPENAPI_PATH = "/openapi.json"
DOCS_PATH = "/docs"
PUBLIC_PATHS = frozenset({OPENAPI_PATH, DOCS_PATH})
"""Paths that need no token: a browser cannot send one, and they say nothing of the notes."""
_STATUSES: tuple[tuple[type[ScrubjayError], HTTPStatus], ...] = (
    (QueryError, HTTPStatus.BAD_REQUEST),
    (AccessRefused, HTTPStatus.FORBIDDEN),
    (NoteRefused, HTTPStatus.FORBIDDEN),
    (WorkspaceMissing, HTTPStatus.NOT_FOUND),
    (IndexUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
)
"""Status for each kind of error; the first that fits counts."""
_PRODUCT = re.compile(r"[^\s/()]{1,50}")
"""Name of a program at the beginning of its User-Agent."""
_UNNAMED = "http"
"""Name of a program that sends none."""
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_PAGE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""The page loads nothing, whatever is written in it."""


class RestApi:
    """Searching and reading over plain HTTP, for programs of this computer."""

    def __init__(self, server: MemoryServer) -> None:
        self._server = server
        self._description = openapi_description()
        self._page = description_page(self._description)

    def routes(self) -> list[Route]:
        """Routes to be served beside the protocol; each also answers HEAD."""
        return [
            Route("/health", self._health),
            Route("/search", self._search),
            Route("/notes/{path:path}", self._note),
            Route(OPENAPI_PATH, self._openapi),
            Route(DOCS_PATH, self._docs),
        ]

    async def _health(self, _: Request) -> Response:
        return _json({"status": "ok", "version": current_version()})

    async def _search(self, request: Request) -> Response:
        # Other parameters have the names that agents know, and unknown ones are told back.
        arguments: dict[str, Any] = dict(request.query_params)
        if "q" in arguments:
            arguments["query"] = arguments.pop("q")
        return await self._call("memory_search", arguments, request)

    async def _note(self, request: Request) -> Response:
        # The path was decoded once, and is checked after that, so that no escape hides another.
        arguments = {**request.query_params, "path": request.path_params["path"]}
        return await self._call("memory_get", arguments, request)

    async def _call(self, tool: str, arguments: dict[str, Any], request: Request) -> Response:
        # Without a handshake, a program is known by the name that it sends to any server.
        match = _PRODUCT.match(request.headers.get("user-agent", ""))
        name = _UNNAMED
        if match is not None:
            name = match[0]
        caller = self._server.caller(name, name, headers=request.headers)
        try:
            reply = await self._server.call(tool, arguments, caller)
        except Cancelled:
            return _json({"error": "Scrubjay is closing"}, HTTPStatus.SERVICE_UNAVAILABLE)
        return _json(reply.structured, _status(reply))

    async def _openapi(self, _: Request) -> Response:
        return _json(self._description)

    async def _docs(self, _: Request) -> Response:
        return HTMLResponse(self._page, headers={**_HEADERS, **_PAGE_HEADERS})


def _json(value: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK) -> Response:
    return JSONResponse(value, status, headers=_HEADERS)


def _status(reply: ToolReply) -> HTTPStatus:
    """The status for a reply."""
    # A note that is not there is an answer to an agent, as its model reads the notice.
    if reply.cause is None:
        if reply.structured.get("missing"):
            return HTTPStatus.NOT_FOUND
        return HTTPStatus.OK
    for kind, status in _STATUSES:
        if isinstance(reply.cause, kind):
            return status
    if isinstance(reply.cause, ScrubjayError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.INTERNAL_SERVER_ERROR


_HEALTH = {
    "type": "object",
    "properties": {"status": {"type": "string"}, "version": {"type": "string"}},
    "required": ["status", "version"],
}
_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "action": {"type": "string"}},
    "required": ["error"],
}
_COMPONENTS = {
    "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    "schemas": {"Error": _ERROR},
}
_QUOTED = f"The notice in an answer gives the word that ends the quoted notes. {NOTICE}"
_NOTE_PATH = {
    "name": "path",
    "in": "path",
    "required": True,
    "description": "Path from a search result. It may contain slashes.",
    "schema": {"type": "string"},
}


def openapi_description() -> dict[str, Any]:
    """The description of these requests in OpenAPI, from the schemas of the tools."""
    tools = {tool.name: tool for tool in TOOLS}
    search = tools["memory_search"]
    get = tools["memory_get"]
    # In an address, a question is called q by convention.
    search_parameters = _parameters(search.input_schema, {"query": "q"})
    # The path of a note is part of the address itself.
    note_parameters = [
        _NOTE_PATH,
        *(each for each in _parameters(get.input_schema, {}) if each["name"] != "path"),
    ]
    operations = {
        "/health": _operation(
            "health", "Whether the server answers", parameters=[], answer=_HEALTH
        ),
        "/search": _operation(
            "search",
            search.title or "",
            parameters=search_parameters,
            answer=search.output_schema or {},
        ),
        "/notes/{path}": _operation(
            "note", get.title or "", parameters=note_parameters, answer=get.output_schema or {}
        ),
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Scrubjay",
            "version": current_version(),
            "description": f"Search and read the notes on this computer. {_QUOTED}",
        },
        "security": [{"token": []}],
        "paths": {path: {"get": operation} for path, operation in operations.items()},
        "components": _COMPONENTS,
    }


def _parameters(schema: Mapping[str, Any], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The arguments of a tool as parameters of an address, some of them under other names."""
    return [
        {
            "name": names.get(name, name),
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": argument.get("description", ""),
            "schema": {key: value for key, value in argument.items() if key != "description"},
        }
        for name, argument in schema["properties"].items()
    ]


def _operation(
    name: str, summary: str, parameters: list[dict[str, Any]], answer: Mapping[str, Any]
) -> dict[str, Any]:
    """The description of one request."""
    responses: dict[str, Any] = {
        "200": {
            "description": "The answer",
            "content": {"application/json": {"schema": dict(answer)}},
        },
        "401": {"description": "The token is missing or wrong"},
    }
    # Only requests with parameters can be refused for more than the token.
    if parameters:
        error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
        responses |= {
            "400": {"description": "A parameter is missing or invalid", "content": error},
            "403": {"description": "The rules of the user forbid it", "content": error},
            "404": {"description": "The note or the workspace does not exist"},
            "503": {"description": "The notes cannot be searched at the moment"},
        }
    return {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "responses": responses,
    }


def description_page(description: Mapping[str, Any]) -> str:
    """The description as a page for people, without scripts and without anything to load."""
    # A heading for each request, then its parameters.
    parts: list[str] = []
    for path, methods in description["paths"].items():
        operation = methods["get"]
        parts.append(f"<h2>GET {html.escape(path)}</h2><p>{html.escape(operation['summary'])}</p>")
        rows = [
            f"<dt><code>{html.escape(each['name'])}</code></dt>"
            f"<dd>{html.escape(each['description'])}</dd>"
            for each in operation["parameters"]
        ]
        if rows:
            parts.append(f"<dl>{''.join(rows)}</dl>")
    info = description["info"]
    # The policy of the page allows its own style and nothing else.
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Scrubjay</title>'
        "<style>body{font:1em sans-serif;max-width:45em;margin:2em auto;padding:0 1em}</style>"
        f"<h1>{html.escape(info['title'])} {html.escape(info['version'])}</h1>"
        f"<p>{html.escape(info['description'])}</p>"
        "<p>Send the token with your requests: <code>Authorization: Bearer …</code>. "
        f'Programs read <a href="{OPENAPI_PATH}">{OPENAPI_PATH}</a>.</p>'
        f"{''.join(parts)}</html>\n"
    )
