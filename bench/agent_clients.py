"""Agents that send requests to a server over HTTP. Prints one JSON object. See bench.agents."""

from __future__ import annotations

import http.client
import itertools
import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from bench.synthetic import questions

_PATH = "/mcp"
_TURN = ("memory_search",) * 6 + ("memory_get",) * 2 + ("memory_context", "memory_status")
"""Tools that an agent calls in ten requests."""


class RawClient:
    """One agent on one connection. It checks answers for errors only, which is cheap."""

    def __init__(self, port: int, token: str, name: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._number = 0
        version = "2025-06-18"
        client = {"name": name, "version": "1"}
        shake = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        self._send({"id": 0, "method": "initialize", "params": shake})
        self._headers["Mcp-Protocol-Version"] = version
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict[str, Any]) -> bool:
        """Call a tool; true when it succeeded."""
        self._number += 1
        params = {"name": tool, "arguments": arguments}
        reply = self._send({"id": self._number, "method": "tools/call", "params": params})
        return b'"result"' in reply and b'"isError":true' not in reply

    def _send(self, message: dict[str, Any]) -> bytes:
        body = json.dumps({"jsonrpc": "2.0"} | message)
        self._connection.request("POST", _PATH, body, self._headers)
        response = self._connection.getresponse()
        if session := response.getheader("Mcp-Session-Id"):
            self._headers["Mcp-Session-Id"] = session
        return response.read()


def work(port: int, token: str, clients: int, requests: int) -> dict[str, Any]:
    """Milliseconds by tool, and failures, of requests that clients send together."""
    times: dict[str, list[float]] = defaultdict(list)
    failures: list[str] = []
    left = iter(range(requests))
    start = threading.Barrier(clients)
    texts = questions(200)

    def run(number: int) -> None:
        client = RawClient(port, token, f"Agent {number}")
        calls = _calls(texts[number * 20 :] + texts[: number * 20])
        start.wait()
        while next(left, None) is not None:
            tool, arguments = next(calls)
            began = time.perf_counter()
            try:
                is_good = client.call(tool, arguments)
            except (OSError, http.client.HTTPException) as error:
                failures.append(f"{tool}: {error!r}")
                return
            times[tool].append((time.perf_counter() - began) * 1000)
            if not is_good:
                failures.append(tool)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"times_ms": times, "failures": failures}


def _calls(texts: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    queries = itertools.cycle(texts)
    for count, tool in enumerate(itertools.cycle(_TURN)):
        if tool in ("memory_search", "memory_context"):
            yield tool, {"query" if tool == "memory_search" else "message": next(queries)}
        elif tool == "memory_get":
            yield tool, {"path": f"part-000/note-{count % 200:05}.md"}
        else:
            yield tool, {}


if __name__ == "__main__":
    port, clients, requests = (int(argument) for argument in (sys.argv[1], *sys.argv[3:]))
    print(json.dumps(work(port, sys.argv[2], clients, requests)))
