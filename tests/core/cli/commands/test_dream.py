"""`scrubjay dream` and `scrubjay forget`, as people type them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents.dreaming.recall_store import RecallStore
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.dreams import KEY_NOTE, hit
from support.vault import TIMEOUT, tree_digest, write_notes


@pytest.fixture
def memory(cli: Any, tmp_path: Path) -> Path:
    """A workspace whose spare key agents have looked up on nine days."""
    daily = f"# 2026-11-19\n\n- {KEY_NOTE}\n"
    folder = write_notes(
        tmp_path / "agent", {"MEMORY.md": "- Ana likes tea\n", "memory/2026-11-19.md": daily}
    )
    assert cli("workspace", "add", folder).code == 0
    now = dt.datetime.now().astimezone()
    for ago in range(8, -1, -1):
        RecallStore(folder).record([(f"question {ago}", [hit()])], now - dt.timedelta(days=ago))
    return folder


def test_from_a_run_to_memory_md_and_back(cli: Any, memory: Path) -> None:
    before = (memory / "MEMORY.md").read_bytes()
    assert "There are no suggestions to review" in cli("dream", "review").out
    assert "1 passages that agents found, 1 suggested" in cli("dream", "run").out
    text = cli("dream", "review").out
    assert f"1. {KEY_NOTE}" in text
    assert "memory/2026-11-19.md:3, found 9 times with 9 questions" in text
    assert f"Added to MEMORY.md: {KEY_NOTE}" in cli("dream", "apply", "1").out
    assert KEY_NOTE in (memory / "MEMORY.md").read_text()
    assert "1 passages that agents found, 0 waiting" in cli("dream", "status").out
    assert "undone (added one line to MEMORY.md)" in cli("dream", "undo").out
    assert (memory / "MEMORY.md").read_bytes() == before
    assert "nothing to undo" in cli("dream", "undo").out
    assert f"Discarded: {KEY_NOTE}" in cli("dream", "refuse", "--all").out
    assert "There are no suggestions to review" in cli("dream", "review").out


def test_a_dry_run_writes_nothing(cli: Any, memory: Path) -> None:
    before = tree_digest(memory)
    [night] = cli("dream", "run", "--dry-run", "--json").json
    assert [candidate["text"] for candidate in night["proposed"]] == [KEY_NOTE]
    assert tree_digest(memory) == before
    assert cli("dream", "review", "--json").json == []


def test_programs_get_everything(cli: Any, memory: Path) -> None:
    cli("dream", "run")
    [candidate] = cli("dream", "review", "--json").json
    assert candidate["key"] == "memory:memory/2026-11-19.md:3:3"
    assert candidate["date"] == "2026-11-19"
    assert sum(candidate["parts"].values()) == pytest.approx(candidate["score"], abs=0.1)
    [status] = cli("dream", "status", "--json").json
    assert (status["waiting"], status["enabled"], status["canUndo"]) == (1, False, False)


@pytest.mark.parametrize("arguments", [("apply",), ("apply", "2"), ("refuse", "nothing")])
def test_what_is_not_on_the_list_is_wrong_usage(
    cli: Any, memory: Path, arguments: tuple[str, ...]
) -> None:
    cli("dream", "run")
    assert cli("dream", *arguments).code == 2


def test_a_line_is_forgotten_and_put_back(cli: Any, memory: Path) -> None:
    cli("index")
    assert "No similar line" in cli("forget", "quantum chromodynamics").out
    # A note contains this text.
    assert "No similar line was found." in cli("forget", "tea").out
    assert "Deleted from MEMORY.md: - Ana likes tea" in cli("forget", "Ana likes tea").out
    assert (memory / "MEMORY.md").read_text() == ""
    assert "Undone: forgot line 1 of MEMORY.md" in cli("forget", "--undo").out
    assert (memory / "MEMORY.md").read_text() == "- Ana likes tea\n"
    assert "1. MEMORY.md:1" in cli("forget", "Ana likes tea cups").out
    assert "Deleted" in cli("forget", "Ana likes tea cups", "--line", "1").out


def test_what_was_captured_is_taken_or_dropped(cli: Any, home: Path, memory: Path) -> None:
    text = (home / "config.json5").read_text()
    (home / "config.json5").write_text(text.replace("{", '{recall: {capture: "review"},', 1))
    engine = Engine(Paths.under(home))
    agent = engine.find_workspace("agent")
    engine.recall.capture(agent, ["I prefer tabs", "I prefer aisle seats"]).result(TIMEOUT)
    engine.close()
    listed = cli("captured", "list").out.splitlines()
    assert len(listed) == 2
    tabs, seats = (line.split()[0] for line in listed)
    assert "I prefer tabs" in cli("captured", "accept", tabs).out
    assert "Discarded: I prefer aisle seats" in cli("captured", "refuse", seats[:6]).out
    assert "There are no texts to review" in cli("captured", "list").out
    assert cli("captured", "accept", tabs).code == 2
