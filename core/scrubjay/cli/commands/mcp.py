"""`scrubjay mcp`: the server that agents start."""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import signal
import sys
from typing import TYPE_CHECKING, Annotated

from scrubjay.cli.arguments import Option
from scrubjay.cli.harmless_output import print_line

if TYPE_CHECKING:
    from scrubjay.mcp_server.server import MemoryServer
    from scrubjay.mcp_server.tools import MemoryTools
    from scrubjay.platform.paths import Paths

DEFAULT_PORT = 8377

_GC_THRESHOLD = 20_000
"""Objects before a collection: more would be memory that grows."""


def serve_mcp(
    known_as: Annotated[
        str,
        Option(
            "--as", help="Name of this agent in the settings. `scrubjay connect` sets the name."
        ),
    ] = "",
    http: Annotated[
        bool, Option("--http", help="Serve over HTTP on this computer, with a token.")
    ] = False,
    rest: Annotated[
        bool, Option("--rest", help="Like --http, and also answer plain requests: /search, /notes.")
    ] = False,
    port: Annotated[
        int, Option(low=0, high=65535, help="Port for --http. Use 0 for any free port.")
    ] = DEFAULT_PORT,
) -> None:
    """Start the server that lets agents search these notes (MCP on standard input)."""
    from scrubjay.engine.engine import Engine
    from scrubjay.platform.logs import configure_logging
    from scrubjay.platform.malloc import limit_arenas
    from scrubjay.platform.paths import Paths

    limit_arenas()  # before the first thread starts
    paths = Paths.of_user()
    configure_logging(paths.logs, "mcp")
    # The library logs requests of clients; people's questions belong in the audit log only.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    with contextlib.closing(Engine(paths)) as engine:
        from scrubjay.mcp_server.tools import MemoryTools

        tools = MemoryTools(engine)
        engine.share_from_now_on()
        if http or rest:
            _serve_over_http(_memory_server(tools, known_as), paths, port, has_rest=rest)
            return
        _serve_over_stdio(tools, known_as)


def _memory_server(tools: MemoryTools, known_as: str) -> MemoryServer:
    """The server, which begins to look at the notes after a long import."""
    from scrubjay.mcp_server.server import MemoryServer

    server = MemoryServer(tools, known_as)
    # Modules stay for good, so collections look only at what requests leave.
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    # Not before the import, which would take so long that the look would precede a first search.
    tools.begin()
    return server


def _serve_over_stdio(tools: MemoryTools, known_as: str) -> None:
    """Serve the agent that started this process, until it closes standard input."""
    from scrubjay.mcp_server.early_answers import EarlyAnswers
    from scrubjay.mcp_server.input_lines import InputLines, standard_input

    # A person who tries the command would wait for nothing.
    if sys.stdin is None or sys.stdin.isatty():
        print_line(
            "scrubjay: this is a server for agents and is waiting for one on "
            "standard input. To connect an agent, run `scrubjay connect`.",
            to_errors=True,
        )
    # A thread that reads standard input cannot be interrupted. The index is safe at any
    # moment, so an interrupt ends the process at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    lines = InputLines(standard_input())
    early = EarlyAnswers(tools, known_as=known_as, lines=lines, answers=sys.stdout.buffer)
    answered = early.serve()
    server = _memory_server(tools, known_as)
    import anyio

    from scrubjay.mcp_server.stdio import serve_stdio

    serve = functools.partial(serve_stdio, messages=lines, answered=answered)
    anyio.run(serve, server.protocol())


def _serve_over_http(server: MemoryServer, paths: Paths, port: int, *, has_rest: bool) -> None:
    """Serve until the process is told to stop; agents need the token to connect."""
    import anyio

    from scrubjay.mcp_server import http as over_http
    from scrubjay.mcp_server.rest import RestApi

    secret = over_http.load_token(paths)
    print_line(f"scrubjay: the token is in {over_http.token_file(paths)}", to_errors=True)
    rest = None
    if has_rest:
        rest = RestApi(server)
    serve_http = functools.partial(over_http.serve_http, port=port, secret=secret, rest=rest)
    anyio.run(serve_http, server.protocol())
