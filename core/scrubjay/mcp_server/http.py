"""MCP and plain HTTP for this computer. Needs the token, a known host and origin, a small body."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import socket
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from filelock import FileLock
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from scrubjay.errors import ScrubjayError
from scrubjay.mcp_server.http_connections import ConnectionServer, HttpLimits
from scrubjay.mcp_server.input_lines import MAX_MESSAGE
from scrubjay.mcp_server.rest import PUBLIC_PATHS, RestApi
from scrubjay.messages import msg
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released, write_atomically
from scrubjay.platform.paths import Paths, make_private_folder

HOST = "127.0.0.1"
"""Address of this computer alone; other computers cannot reach it."""
PATH = "/mcp"
"""Path that the protocol is served at."""
TOKEN_VARIABLE = "SCRUBJAY_MCP_TOKEN"
"""Variable with a token in place of the one in the file."""
_SHORTEST_TOKEN = 16
"""Characters of a token that nobody guesses by trying."""
_WAIT_S = 10
"""Seconds for the lock of the file; a token takes a few milliseconds."""


def token_file(paths: Paths) -> Path:
    """The file with the token, for its owner only."""
    return paths.state / "agents" / "token"


def load_token(paths: Paths) -> str:
    """The token from the environment, else from the file, made if missing. Raises ScrubjayError."""
    secret = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not secret:
        file = token_file(paths)
        make_private_folder(file.parent)
        # When several servers start at once, one of them creates it.
        with FileLock(file.with_name(f".{file.name}.lock"), timeout=_WAIT_S, mode=PRIVATE_FILE):
            with contextlib.suppress(FileNotFoundError):
                data = when_released(file.read_bytes, file)
                secret = data.decode("ascii", "replace").strip()
            if not secret:
                secret = secrets.token_urlsafe(32)
                write_atomically(file, secret.encode(), 0o600)
    # A person may have set it by hand.
    if len(secret) < _SHORTEST_TOKEN or not secret.isascii():
        raise ScrubjayError(
            "This token is too easy to guess",
            msg("The token must consist of at least {n} ASCII characters.", n=_SHORTEST_TOKEN),
            hint=msg("Set {variable} to another value, or unset it.", variable=TOKEN_VARIABLE),
        )
    return secret


async def serve_http(
    protocol: Server[Any],
    port: int,
    secret: str,
    *,
    limits: HttpLimits | None = None,
    rest: RestApi | None = None,
) -> None:
    """Serve until the process is told to stop; port 0 takes a free one. Raises ScrubjayError."""
    limits = limits or HttpLimits()
    # Web pages must not reach the server by another name of this computer, or from their origin.
    with listening_socket(port) as listener:
        port = listener.getsockname()[1]
        security = TransportSecuritySettings(
            allowed_hosts=[f"{HOST}:{port}", f"localhost:{port}"],
            allowed_origins=[f"http://{HOST}:{port}", f"http://localhost:{port}"],
        )
        routes: list[Route] = []
        public_paths: frozenset[str] = frozenset()
        if rest is not None:
            routes = rest.routes()
            public_paths = PUBLIC_PATHS
        # The library forgets idle sessions, and limits the bodies that it reads.
        app = protocol.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=MAX_MESSAGE,
            session_idle_timeout=limits.session_idle_s,
            max_sessions=limits.sessions,
            transport_security=security,
            custom_starlette_routes=routes,
        )
        address = f"http://{HOST}:{port}{PATH}"
        print(f"scrubjay: listening on {address}", file=sys.stderr, flush=True)  # noqa: T201
        guarded = _token_required(_own_host_required(app, security), secret, public_paths)
        server = ConnectionServer(guarded, limits)
        await server.serve(sockets=[listener])


def _own_host_required(app: ASGIApp, security: TransportSecuritySettings) -> ASGIApp:
    """An app that refuses requests of web pages, which reach it by another name or origin."""
    check = TransportSecurityMiddleware(security)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        refusal: Response | None = None
        if scope["type"] == "http":
            refusal = await check.validate_request(Request(scope))
        await (refusal or app)(scope, receive, send)

    return guarded


def _token_required(app: ASGIApp, secret: str, public_paths: Collection[str]) -> ASGIApp:
    """An app that refuses requests without the token before anything else is read."""
    expected = secret.encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        # Compared in constant time, so that no client can guess the token letter by letter.
        header = dict(scope.get("headers", ())).get(b"authorization", b"")
        scheme, _, given = header.partition(b" ")
        has_token = scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), expected)
        has_token = has_token or scope.get("path") in public_paths
        if scope["type"] == "lifespan" or (scope["type"] == "http" and has_token):
            await app(scope, receive, send)
        elif scope["type"] == "http":
            # Nothing of the request is told back, nor what would be right.
            refusal = Response(
                "A token is required.\n",
                status_code=401,
                headers={"WWW-Authenticate": 'Bearer realm="scrubjay"'},
            )
            await refusal(scope, receive, send)

    return guarded


def listening_socket(port: int) -> socket.socket:
    """A socket of this computer alone; port 0 takes a free one. Raises ScrubjayError."""
    # With IPPROTO_TCP asyncio sets TCP_NODELAY; otherwise each answer waits 40 ms for the client to
    # confirm the part before.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ScrubjayError(
            msg("Port {port} cannot be used", port=str(port)),
            "Another program may be using the port.",
            hint="Choose another port with --port.",
        ) from error
    return listener
