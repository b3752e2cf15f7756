"""When an agent is asked to write down what matters: once a compaction cycle."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.recall.flush import (
    MAX_SESSIONS,
    FlushAnswer,
    FlushState,
    MemoryFlush,
    flush_texts,
    is_flushed,
    note_compaction,
    note_flush,
)
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.config.schema.agent_features import FlushSettings

NOW = dt.datetime(2026, 5, 8, 14, 30, tzinfo=dt.UTC)


class Agent:
    """One conversation that calls the hook."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.file = folder / "sessions.json"
        self.root = folder / "agent"
        (self.root / "memory").mkdir(parents=True)
        self._settings = FlushSettings(**settings)

    def calls(self, event: str, tokens: int | None = None, **fields: Any) -> FlushAnswer:
        sessions = FlushState(self.file, is_ours=False)
        flushing = MemoryFlush(sessions, lambda: self._settings)
        return flushing.answer(HookInput(event, session="s1", tokens=tokens, **fields), self.root)

    @property
    def entry(self) -> dict[str, Any]:
        return json.loads(self.file.read_text())["s1"]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


@pytest.mark.parametrize(
    ("tokens", "window", "due"),
    [(176_000, 200_000, True), (175_999, 200_000, False), (104_000, 128_000, True), (1, 10, True)],
)
def test_the_threshold_is_the_window_less_both_reserves(
    agent: Agent, tokens: int, window: int, *, due: bool
) -> None:
    assert bool(agent.calls("Stop", tokens, context_window=window).reply) is due


def test_an_agent_at_its_turns_end_is_asked_once_a_cycle(agent: Agent) -> None:
    assert agent.calls("Stop", 1000).reply is None
    reply = agent.calls("Stop", 180_000).reply
    assert reply
    assert reply["decision"] == "block"
    assert f"memory/{dt.date.today().isoformat()}.md" in reply["reason"]
    assert "NO_REPLY" in reply["reason"]
    assert agent.calls("Stop", 190_000).reply is None
    assert agent.entry["memoryFlushCompactionCount"] == 0
    assert agent.calls("PreCompact") == FlushAnswer()
    assert agent.calls("SessionStart", source="compact").reply is None
    assert agent.calls("Stop", 20_000).reply is None
    assert agent.calls("Stop", 180_000).reply
    assert agent.entry["memoryFlushCompactionCount"] == agent.entry["compactionCount"] == 1


def test_a_compaction_that_came_first_is_made_good_afterwards_once(agent: Agent) -> None:
    assert "was not written" in agent.calls("PreCompact").text
    assert agent.calls("SessionStart", source="resume").reply is None
    reply = agent.calls("SessionStart", source="compact").reply
    assert reply
    output = reply["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    assert "APPEND" in output["additionalContext"]
    assert agent.calls("SessionStart", source="compact").reply is None
    assert agent.calls("Stop", 180_000).reply  # a cycle of its own


def test_an_agent_that_goes_on_because_of_us_is_let_be(agent: Agent) -> None:
    assert agent.calls("Stop", 180_000, is_continued=True).reply is None


def test_the_transcript_tells_the_tokens_where_the_agent_does_not(
    agent: Agent, tmp_path: Path
) -> None:
    assert agent.calls("Stop").reply is None
    talk = tmp_path / "talk.jsonl"
    usage = {"input_tokens": 5, "cache_read_input_tokens": 190_000}
    talk.write_text(json.dumps({"message": {"role": "assistant", "usage": usage}}))
    assert agent.calls("Stop", transcript=str(talk)).reply


def test_other_agents_get_both_prompts_as_context(agent: Agent) -> None:
    reply = agent.calls("", 1000, context_window=20_000).reply
    assert reply
    assert reply["hookSpecificOutput"]["additionalContext"].startswith("This is a memory flush")


def test_an_agent_elsewhere_is_told_the_whole_path(agent: Agent) -> None:
    reply = agent.calls("Stop", 180_000, cwd="/somewhere").reply
    assert reply
    assert str(agent.root / "memory") in reply["reason"]


def test_switched_off_or_read_only_nobody_is_asked(agent: Agent, tmp_path: Path) -> None:
    (agent.root / "memory").chmod(0o555)
    assert "read-only" in agent.calls("Stop", 180_000).reason
    (agent.root / "memory").chmod(0o755)
    off = Agent(tmp_path / "off", enabled=False)
    assert "switched off" in off.calls("Stop", 180_000).reason
    assert not agent.file.exists()
    assert not off.file.exists()


def test_ones_own_words_get_the_rules_all_the_same() -> None:
    texts = flush_texts("memory/2026-11-21.md", system="Be quick.", user="Save it.")
    for text in (texts.system, texts.user):
        assert "memory/2026-11-21.md only" in text
        assert "APPEND" in text
        assert "read-only" in text
        assert "NO_REPLY" in text
    assert texts.system.startswith("Be quick.")
    assert texts.user.startswith("Save it.")


def test_foreign_keys_of_sessions_json_stay(agent: Agent) -> None:
    theirs = {
        "agent:main:main": {
            "sessionId": "s1",
            "compactionCount": 2,
            "model": "x",
            "totalTokens": 9,
        },
        "other": {"sessionId": "s2", "deep": {"a": [1]}},
        "odd": 5,
    }
    agent.file.write_text(json.dumps(theirs))
    assert agent.calls("Stop", 180_000).reply
    now = json.loads(agent.file.read_text())
    entry = now["agent:main:main"]
    assert (entry["memoryFlushCompactionCount"], entry["model"]) == (2, "x")
    assert isinstance(entry["memoryFlushAt"], int)
    assert {key: now[key] for key in ("other", "odd")} == {"other": theirs["other"], "odd": 5}
    assert set(now) == set(theirs)


def test_a_damaged_sessions_json_is_no_reason_to_fail(agent: Agent) -> None:
    agent.file.write_text('{"s1": {"compactionCount": "many", "memoryFlushCompactionCount": []}')
    assert agent.calls("Stop", 180_000).reply


def test_our_own_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    sessions = FlushState(tmp_path / "sessions.json", is_ours=True)
    (tmp_path / "sessions.json").write_text(json.dumps({f"s{n}": {} for n in range(MAX_SESSIONS)}))
    with sessions.changed("new") as entry:
        note_flush(entry, NOW)
    kept = json.loads((tmp_path / "sessions.json").read_text())
    assert len(kept) == MAX_SESSIONS
    assert "new" in kept
    assert "s0" not in kept


@given(st.lists(st.sampled_from(["full", "compact"]), max_size=20))
def test_no_cycle_is_ever_flushed_twice(happens: list[str]) -> None:
    entry: dict[str, Any] = {}
    flushed_in: list[int] = []
    for what in happens:
        if what == "compact":
            note_compaction(entry)
        elif not is_flushed(entry):
            flushed_in.append(entry.get("compactionCount", 0))
            note_flush(entry, NOW)
    assert len(flushed_in) == len(set(flushed_in))
