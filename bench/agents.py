"""Times of answers to agents: of a server that just started, and of one shared by eight."""

from __future__ import annotations

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench import qmd
from bench.synthetic import write_notes

_NOTES, _LINES = 400, 6
_CLIENTS = 8
_SCRUBJAY = Path(sys.executable).with_name("scrubjay")
_STARTS = 5
_SAMPLE_S = 0.25


def measure(folder: Path, requests: int) -> dict[str, Any]:
    """Times of a fresh server over short notes, and of a loaded one."""
    started = starts(folder)
    environ = _environ(folder)
    return {
        "start_to_first_answer": started,
        "load": _loaded(environ, [str(_SCRUBJAY), "mcp", "--http", "--port", "0"], requests),
        "library_alone": _loaded(
            environ, [sys.executable, "-m", "bench.constant_server"], requests // 4
        ),
    }


def starts(folder: Path) -> dict[str, Any]:
    """Times of fresh servers over short notes, which are indexed first."""
    notes = folder / "agents-notes"
    environ = _environ(folder)
    index_notes(notes, environ)
    questions = [
        file.read_text().splitlines()[0] for file in sorted(notes.rglob("*.md"))[: _STARTS + 1]
    ]
    return _starts(folder, environ, notes, questions)


def _environ(folder: Path) -> dict[str, str]:
    environ = {**os.environ, "SCRUBJAY_HOME": str(folder / "agents-home")}
    # Else each server would compile what it imports.
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return environ


def _starts(
    folder: Path, environ: Mapping[str, str], notes: Path, questions: Sequence[str]
) -> dict[str, Any]:
    """Medians of servers that start in turn, by words and meaning and by words alone, and QMD's."""
    by_words = folder / "agents-words"
    by_words.mkdir()
    (by_words / "config.json5").write_text('{ memorySearch: { provider: "none" } }')
    words = {**environ, "SCRUBJAY_HOME": str(by_words)}
    index_notes(notes, words)
    times: dict[str, list[dict[str, float]]] = {"words": [], "words and meaning": []}
    program = qmd.command()
    theirs = {**environ, **qmd.folders(folder)}
    if program:
        times["QMD, words"] = []
        qmd.timed([*program, "collection", "add", str(notes), "--name", "agents"], theirs)
    for question in questions:
        times["words"].append(first_answer_ms(words, question))
        times["words and meaning"].append(first_answer_ms(environ, question))
        if program:
            search = {"searches": [{"type": "lex", "query": question.split()[-1]}]}
            call = {"name": "query", "arguments": {**search, "rerank": False}}
            answer = first_answer_ms(theirs, question, [*program, "mcp"], call)
            times["QMD, words"].append(answer)
    # The first round fills caches.
    medians = {
        name: {key: round(statistics.median(each[key] for each in of[1:])) for key in of[0]}
        for name, of in times.items()
    }
    worst = {name: round(max(each["tools/call"] for each in of[1:])) for name, of in times.items()}
    return {"medians_ms": medians, "worst_ms": worst}


def index_notes(notes: Path, environ: Mapping[str, str]) -> None:
    """Write short notes, and index them with these environment variables."""
    write_notes(notes, _NOTES, lines=_LINES)
    for command in (["workspace", "add", str(notes)], ["index"]):
        subprocess.run(
            [str(_SCRUBJAY), *command], env=environ, stdout=subprocess.DEVNULL, check=True
        )


def first_answer_ms(
    environ: Mapping[str, str],
    question: str,
    command: Sequence[str] = (str(_SCRUBJAY), "mcp"),
    call: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """Milliseconds from the start of a server to each of its first answers over stdio, by method,
    and the processor time that it had taken by then.

    Like a client, it waits for each answer before the next request. The question is a heading,
    which words find while the model is still starting.
    """
    client = {"name": "bench", "version": "1"}
    shake = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    search = {"name": "memory_search", "arguments": {"query": question}}
    requests: dict[str, Mapping[str, Any]] = {
        "initialize": shake,
        "tools/list": {},
        "tools/call": call or search,
    }
    times: dict[str, float] = {}
    began = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin
        assert server.stdout
        for number, (method, params) in enumerate(requests.items()):
            messages: list[dict[str, Any]] = [{"id": number, "method": method, "params": params}]
            if number == 1:
                messages.insert(0, {"method": "notifications/initialized"})
            for message in messages:
                server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
            server.stdin.flush()
            answers = (json.loads(line) for line in server.stdout)
            answer = next(message for message in answers if message.get("id") == number)
            times[method] = (time.perf_counter() - began) * 1000
        times["processor time"] = _busy_s(psutil.Process(server.pid)) * 1000
        server.stdin.close()
    assert answer["result"]["structuredContent"]["results"], answer
    return times


def _loaded(environ: Mapping[str, str], command: list[str], requests: int) -> dict[str, Any]:
    with running_server(environ, command) as (server, port, token):
        work(port, token, requests=_CLIENTS * 20)  # warm
        weights: list[float] = []
        before = _busy_s(server)
        began = time.perf_counter()
        with _weighed(server, weights):
            results = work(port, token, requests)
        elapsed_s = time.perf_counter() - began
        busy_ms = 1000 * (_busy_s(server) - before) / requests
    times = results["times_ms"]
    every = [each for of_tool in times.values() for each in of_tool]
    middle = len(weights) // 2
    return {
        "clients": _CLIENTS,
        "requests": len(every),
        "failures": len(results["failures"]),
        "a_second": round(len(every) / elapsed_s, 1),
        "processor_ms_a_request": round(busy_ms, 2),
        **_percentiles(every),
        "by_tool": {tool: _percentiles(of_tool) for tool, of_tool in sorted(times.items())},
        "memory_mb": round(weights[0], 1),
        "memory_half_way_mb": round(weights[middle], 1),
        "memory_end_mb": round(weights[-1], 1),
    }


def work(port: int, token: str, requests: int) -> dict[str, Any]:
    """Times and failures of eight clients that send requests together."""
    command = [sys.executable, "-m", "bench.agent_clients"]
    command += [str(port), token, str(_CLIENTS), str(requests)]
    process = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    results: dict[str, Any] = json.loads(process.stdout)
    if results["failures"]:
        print(f"failed: {results['failures'][:5]}", file=sys.stderr)
    return results


@contextlib.contextmanager
def running_server(
    environ: Mapping[str, str], command: list[str]
) -> Iterator[tuple[psutil.Popen, int, str]]:
    """A server over HTTP with its port and token."""
    server = psutil.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    try:
        lines = iter(server.stderr)
        port = next(match[1] for line in lines if (match := re.search(r":(\d+)/mcp", line)))
        token = (Path(environ["SCRUBJAY_HOME"]) / "state" / "agents" / "token").read_text()
        yield server, int(port), token
    finally:
        server.terminate()
        server.wait(30)
        server.stderr.close()


@contextlib.contextmanager
def _weighed(server: psutil.Popen, weights: list[float]) -> Iterator[None]:
    """Inside, a thread samples the memory of the server (not of the model's process)."""
    is_over = threading.Event()

    def weigh() -> None:
        while True:
            weights.append(server.memory_info().rss / 2**20)
            if is_over.wait(_SAMPLE_S):
                return

    thread = threading.Thread(target=weigh)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _busy_s(server: psutil.Process | psutil.Popen) -> float:
    times = server.cpu_times()
    return float(times.user + times.system)


def _percentiles(times: list[float]) -> dict[str, float]:
    return {
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1),
        "max_ms": round(max(times), 1),
    }
