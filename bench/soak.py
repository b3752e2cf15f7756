"""`python -m bench.soak --hours 4`: resources of the app during a long busy day.

The real app with its window on a virtual screen, over a folder of its own with notes and documents.
Notes are edited and read, pages turned, documents replaced; questions come from the window, from an
agent over MCP and from commands through the running app. A row of what the process holds is written
each half minute, and the picture of docs/reliability.md in the end, also after Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import itertools
import json
import math
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from msgspec import Struct

from bench.desktop import screen
from bench.documents import Writer
from bench.soak_picture import draw, read_samples
from bench.synthetic import questions, vocabulary, write_notes
from scrubjay.cli import running_app
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import HOME_VARIABLE, Paths

assert sys.platform == "linux", "only Linux tells what is measured here"

_ROOT = Path(__file__).resolve().parents[1]
_SCRUBJAY = Path(sys.executable).with_name("scrubjay")
_PROBE = """
import runpy
from scrubjay_desktop.__main__ import prepare
prepare()
runpy.run_module("bench.soak_probe", run_name="__main__")
"""
_NOTES, _LINES, _DOCUMENTS = 300, 12, 20
_PAGES = 3
"""Of each PDF file; a Word file has ten."""
_COMMON_WORDS = 6_000
_QUESTIONS = 500
_SAMPLE_S = 30.0
_LOOK_S = 1.0
_START_S = 1_800.0
"""The model reads all notes first, on a busy computer."""
_ANSWER_S = 120.0
_END_S = 30.0

BUSY_DAY: Mapping[str, float] = {
    "edits": 1.0,
    "searches": 1.0,
    "calls": 1.0,
    "readings": 0.5,
    "commands": 0.5,
    "pages": 0.1,
    "documents": 0.02,
}
"""How often each is done in a minute of a busy working day; by hand."""


class Plan(Struct, frozen=True):
    """What is done how often, and what is written down."""

    minutes: float
    rates: Mapping[str, float]
    """How often each is done in a minute."""
    output: Path
    sample_s: float = _SAMPLE_S
    questions: int = _QUESTIONS
    """Different ones, which are asked in turn."""
    free_vectors: bool = False
    """Vectors cost nothing, and the model's process is not started."""
    is_traced: bool = False
    kept: Path | None = None
    """Folder of the notes and their index, used again; else all is made anew, and deleted."""


class App:
    """The running app, which is told what to do."""

    def __init__(self, environ: Mapping[str, str], plan: Plan) -> None:
        trace = {"SCRUBJAY_SOAK_TRACE": str(plan.output / "growth.txt")} if plan.is_traced else {}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROBE, *(["--free-vectors"] if plan.free_vectors else [])],
            env={**environ, **trace},
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def tell(self, *order: str) -> None:
        """Have something done in the window."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def ask(self, order: str) -> dict[str, int]:
        """What the app prints for an order. Raises queue.Empty when it does not answer."""
        self.tell(order)
        answer: dict[str, int] = json.loads(self._answers.get(timeout=_ANSWER_S))
        return answer

    def wait_until_read(self) -> None:
        """Wait until all notes are read. Raises TimeoutError."""
        until = time.monotonic() + _START_S
        while time.monotonic() < until:
            time.sleep(_LOOK_S)
            if self.ask("state")["is_read"]:
                return
        raise TimeoutError("The notes were not read")

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._answers.put(line)


class Agent:
    """A session with a server of its own, over standard input and output."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [str(_SCRUBJAY), "mcp"],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._numbers = itertools.count()
        client = {"name": "soak", "version": "1"}
        self._request(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        )
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Call a tool; true when it succeeded."""
        result = self._request("tools/call", {"name": tool, "arguments": arguments}).get("result")
        return result is not None and not result.get("isError")

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": params})
        assert self.process.stdout
        answers: Iterator[dict[str, Any]] = map(json.loads, self.process.stdout)
        return next((answer for answer in answers if answer.get("id") == number), {})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


class Day:
    """What happens on a working day, one thing at a time."""

    def __init__(self, folder: Path, app: App, agent: Agent, plan: Plan) -> None:
        self._folder = folder
        self._app = app
        self._agent = agent
        self._dice = random.Random(17)
        self._labels = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.md"))
        self._words = vocabulary(np.random.default_rng(7))[:_COMMON_WORDS]
        self._questions = itertools.cycle(questions(plan.questions))
        self._documents = sorted(folder.glob("documents/*"))
        self._writer = Writer()
        self.done: Counter[str] = Counter()
        """How often each thing was done, and how often an agent or a command got no answer."""
        self.acts: Mapping[str, Callable[[], None]] = {
            "edits": self._edit,
            "searches": lambda: app.tell("search", next(self._questions)),
            "calls": self._call,
            "readings": lambda: app.tell("read", self._dice.choice(self._labels)),
            "commands": self._command,
            "pages": lambda: app.tell("turn"),
            "documents": self._replace_document,
        }

    def do(self, name: str) -> None:
        """Let one thing happen."""
        self.acts[name]()
        self.done[name] += 1

    def _edit(self) -> None:
        """Replace a line of a note."""
        file = self._folder / self._dice.choice(self._labels)
        lines = file.read_text().split("\n")
        lines[self._dice.randrange(2, len(lines) - 1)] = f"{' '.join(self._some_words())}."
        file.write_text("\n".join(lines))

    def _some_words(self) -> Sequence[str]:
        return self._dice.choices(self._words, k=14)

    def _call(self) -> None:
        tools: list[tuple[str, dict[str, Any]]] = [
            ("memory_search", {"query": next(self._questions)}),
            ("memory_get", {"path": self._dice.choice(self._labels)}),
            ("memory_context", {"message": next(self._questions)}),
            ("memory_status", {}),
        ]
        self.done["unanswered"] += not self._agent.call(*self._dice.choice(tools))

    def _command(self) -> None:
        """Send what a command of the terminal sends to the app that runs."""
        question = next(self._questions)
        common = {"workspace": None, "session_key": "", "as_json": True}
        search = {
            "query": question,
            "mode": "hybrid",
            "max_results": None,
            "min_score": None,
            "order": "relevance",
            "explain": False,
        }
        page = {"path": self._dice.choice(self._labels), "start": "1", "lines": 20}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("search", search),
            ("context", {"message": question}),
            ("get", page),
        ]
        name, arguments = self._dice.choice(commands)
        self.done["unanswered"] += (
            running_app.ask_running_app(name, arguments | common, None) is None
        )

    def _replace_document(self) -> None:
        file = self._dice.choice(self._documents)
        file.write_bytes(_document(self._writer, file))


def _document(writer: Writer, file: Path) -> bytes:
    """A document of the kind that the name of a file says."""
    return writer.pdf(_PAGES) if file.suffix == ".pdf" else writer.word()


def _prepare(folder: Path, home: Path, *, with_documents: bool) -> None:
    """Write notes and documents, and put their folder on the list."""
    write_notes(folder, _NOTES, lines=_LINES)
    if with_documents:
        documents = folder / "documents"
        documents.mkdir()
        writer = Writer()
        for number in range(_DOCUMENTS):
            file = documents / f"paper-{number:02}{('.pdf', '.docx')[number % 2]}"
            file.write_bytes(_document(writer, file))
    engine = Engine(Paths.under(home))
    try:
        engine.add_workspace(folder, "Soak").result()
    finally:
        engine.close()


def soak(plan: Plan) -> Path:
    """The file of samples, after a day that lasted as long as planned, or until a signal."""
    is_over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: is_over.set())
    plan.output.mkdir(parents=True, exist_ok=True)
    samples = plan.output / "soak.csv"
    with contextlib.ExitStack() as stack:
        # Short: the name of a socket has 100 bytes at most.
        temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="scrubjay-soak-"))
        folder = plan.kept or Path(temporary)
        home = folder / "home"
        if not home.is_dir():
            _prepare(folder / "notes", home, with_documents="documents" in plan.rates)
        # Commands of this process find the app by it, too.
        os.environ[HOME_VARIABLE] = str(home)
        environ = {**stack.enter_context(screen()), HOME_VARIABLE: str(home)}
        app = App(environ, plan)
        stack.callback(_end, app.process)
        app.wait_until_read()
        agent = Agent(environ)
        stack.callback(_end, agent.process)
        file = stack.enter_context(samples.open("w", newline=""))
        for sample in _lived(plan, Day(folder / "notes", app, agent, plan), app, agent, is_over):
            writer = csv.DictWriter(file, [*sample])
            if not file.tell():
                writer.writeheader()
            writer.writerow(sample)
            file.flush()
    return samples


def _lived(
    plan: Plan, day: Day, app: App, agent: Agent, is_over: threading.Event
) -> Iterator[dict[str, float]]:
    """Samples, while each thing is done when it is due.

    What comes late is not made up for: on a busy computer less is done, and counted.
    """
    began = time.monotonic()
    apart = {name: 60 / rate for name, rate in plan.rates.items() if rate}
    due = {name: began + seconds for name, seconds in apart.items()}
    sample_due = began
    compare_due = began + 60 * plan.minutes / 3  # everything is warm by then
    while True:
        now = time.monotonic()
        is_last = is_over.is_set() or now > began + 60 * plan.minutes
        if is_last or now >= sample_due:
            sample_due = now + plan.sample_s
            done = {name: day.done[name] for name in (*plan.rates, "unanswered")}
            minute = round((now - began) / 60, 2)
            yield {"minute": minute, **app.ask("sample"), **done, **_beside(app, agent)}
        if is_last or now >= compare_due:
            compare_due = math.inf
            app.ask("compare")
        if is_last:
            return
        name = min(due, key=due.__getitem__)
        is_over.wait(max(0.0, min(due[name], sample_due) - time.monotonic()))
        if due[name] <= time.monotonic() and not is_over.is_set():
            day.do(name)
            due[name] = max(due[name] + apart[name], time.monotonic())


def _beside(app: App, agent: Agent) -> dict[str, int]:
    """What the app's children and the agent's server hold."""
    children = psutil.Process(app.process.pid).children(recursive=True)
    sizes: list[int] = []
    for child in children:
        with contextlib.suppress(psutil.NoSuchProcess):
            sizes.append(child.memory_info().rss)
    server = psutil.Process(agent.process.pid)
    return {
        "children": len(sizes),
        "children_rss": sum(sizes),
        "server_private": server.memory_full_info().uss,
        "server_files": server.num_fds(),
        "server_threads": server.num_threads(),
    }


def _end(process: subprocess.Popen[str]) -> None:
    """Close the standard input of a process, which ends it."""
    assert process.stdin
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """Run, and draw."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--minutes", type=float, help="in place of hours")
    parser.add_argument("--times", type=float, default=20.0, help="as often as on a busy day")
    parser.add_argument("--only", choices=[*BUSY_DAY], nargs="+", default=[*BUSY_DAY])
    parser.add_argument("--sample-seconds", type=float, default=_SAMPLE_S)
    parser.add_argument("--questions", type=int, default=_QUESTIONS, help="different ones")
    parser.add_argument("--free-vectors", action="store_true", help="do without the model")
    parser.add_argument("--trace", action="store_true", help="write growth.txt: what grew, by kind")
    parser.add_argument("--keep", type=Path, help="folder of the notes and index; used again")
    parser.add_argument("--output", type=Path, default=_ROOT / "build" / "soak")
    options = parser.parse_args()
    plan = Plan(
        options.minutes or 60 * options.hours,
        {name: options.times * BUSY_DAY[name] for name in options.only},
        output=options.output,
        sample_s=options.sample_seconds,
        questions=options.questions,
        free_vectors=options.free_vectors,
        is_traced=options.trace,
        kept=options.keep,
    )
    samples = soak(plan)
    (plan.output / "soak.svg").write_text(draw(read_samples(samples)))


if __name__ == "__main__":
    main()
