"""A proxy that adds the server's token to each request, for clients that cannot send one."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator

from anyio.from_thread import start_blocking_portal

from support.mcp_http import Server


@contextlib.contextmanager
def without_token(server: Server) -> Iterator[str]:
    """The address of the server for clients without the token."""
    with start_blocking_portal() as portal:
        proxy = portal.call(_Proxy(server).start)
        port = proxy.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/mcp"
        portal.call(proxy.close)


class _Proxy:
    def __init__(self, server: Server) -> None:
        self._server = server

    async def start(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own_port = writer.get_extra_info("sockname")[1]
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        answers = asyncio.create_task(_copied(up_reader, writer))
        gone = (asyncio.IncompleteReadError, ConnectionError)
        with contextlib.suppress(*gone), contextlib.closing(up_writer):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                # To the server, the request was sent to its own port, by a page of its own.
                ours, theirs = f":{own_port}", f":{self._server.port}"
                head = head.replace(ours.encode(), theirs.encode())
                token = f"\r\nAuthorization: Bearer {self._server.token}\r\n"
                up_writer.write(head.replace(b"\r\n", token.encode(), 1))
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                if length:
                    up_writer.write(await reader.readexactly(int(length[1])))
                await up_writer.drain()
        answers.cancel()


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError), contextlib.closing(writer):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
