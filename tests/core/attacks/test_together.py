"""The app's engine, servers of agents and commands at once on one home."""

from __future__ import annotations

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from scrubjay.records.search_modes import Mode
from support.attacks import IS_LONG
from support.mcp_client import PROGRAM, connected
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, ask, write_notes
from support.waiting import wait_until

pytestmark = pytest.mark.soak
SECONDS = 120 if IS_LONG else 3
LEAST = 1
"""Rounds of each that are made however slow this computer is."""
SETTINGS = """{{
  workspaces: [{{ id: "agent", path: {root!r}, layout: "agent" }}],
  access: {{ write: "allow" }}, memorySearch: {{ provider: "none" }},
}}"""


def test_nobody_hears_of_an_error_or_of_a_lock(tmp_path: Path) -> None:
    root = write_notes(
        tmp_path / "agent",
        {"MEMORY.md": "Apricot.\n"}
        | {f"memory/{n}.md": f"Apricot jam, glass {n}.\n" * 30 for n in range(200)},
    )
    home = tmp_path / "home"
    write_notes(home, {"config.json5": SETTINGS.format(root=str(root))})
    end = time.monotonic() + SECONDS

    def goes_on(number: int) -> bool:
        return number < LEAST or time.monotonic() < end

    def change_notes() -> int:
        for number in count():
            if not goes_on(number):
                return number
            (root / "memory" / f"{number % 50}.md").write_text(f"Apricot, pass {number}.\n" * 20)
            engine.refresh(engine.find_workspace("agent"), force=number % 4 == 0).result(TIMEOUT)
            ask(engine, "apricot jam", Mode.LEXICAL)
        return 0

    def agent(name: str) -> int:
        with connected(home, name=name) as client:
            for number in count():
                if not goes_on(number):
                    return number
                assert client.answer("memory_search", query="apricot jam")["results"]
                client.answer("memory_write", text=f"Line {number} of {name}.")
                assert client.answer("memory_get", path="MEMORY.md")["text"]
        return 0

    def commands() -> int:
        environ = os.environ | {HOME_VARIABLE: str(home)}
        for number in count():
            if not goes_on(number):
                return number
            for words in ("search apricot", f"agents allow guest{number}", "status"):
                ran = subprocess.run(
                    [PROGRAM, *words.split()],
                    env=environ,
                    capture_output=True,
                    text=True,
                    timeout=TIMEOUT,
                )
                assert ran.returncode == 0, ran
                assert "lock" not in ran.stderr.lower(), ran
                assert "Traceback" not in ran.stderr, ran
        return 0

    engine = Engine(Paths.under(home), provider=WordProvider())
    heard = Announcements(engine)
    engine.start()
    engine.refresh(engine.find_workspace("agent")).result(TIMEOUT)
    try:
        with ThreadPoolExecutor(4) as pool:
            changing = pool.submit(change_notes)
            agents = {name: pool.submit(agent, name) for name in ("one", "two")}
            typing = pool.submit(commands)
            changing.result()
            written = {
                f"Line {n} of {a}." for a, done in agents.items() for n in range(done.result())
            }
            allowed = {f"guest{number}" for number in range(typing.result())}
        for kind in ("IndexFailed", "Notice"):
            assert not [each for each in heard.seen if type(each).__name__ == kind]
        [today] = (root / "memory").glob("20??-*.md")
        text = today.read_text()
        assert all(text.count(line) == 1 for line in written)
        assert allowed <= {rule.agent for rule in engine.agents.rules()}
        last = sorted(written)[-1]
        wait_until(lambda: ask(engine, f'"{last}"', Mode.LEXICAL).hits)
    finally:
        engine.close()
    logs = "".join(file.read_text() for file in (home / "state").rglob("*.log"))
    assert "Traceback" not in logs
