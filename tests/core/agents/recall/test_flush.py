"""When an agent is asked to write down what matters: once a compaction cycle."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents.recall.flush import MAX_SESSIONS, FlushAnswer, flush_answer, flush_prompt
from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.config.schema.agent_features import FlushSettings
from scrubjay.records.note_records import Workspace


class Agent:
    """One conversation that calls the hook."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.file = folder / "sessions.json"
        self.root = folder / "agent"
        (self.root / "memory").mkdir(parents=True)
        self.left_out: tuple[str, ...] = ()
        self._settings = FlushSettings(**settings)

    def calls(self, event: str, tokens: int | None = None, **fields: Any) -> FlushAnswer:
        hook = HookInput(event, session="s1", tokens=tokens, **fields)
        workspace = Workspace("home", "Home", self.root, left_out=self.left_out)
        return flush_answer(hook, workspace, self._settings, self.file, is_ours=False)

    @property
    def entry(self) -> dict[str, Any]:
        return json.loads(self.file.read_text())["s1"]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


@pytest.mark.parametrize(
    ("tokens", "window", "due"),
    [
        (176_000, 200_000, True),
        (175_999, 200_000, False),
        (104_000, 128_000, True),
        (30_000, 24_000, False),
    ],
)
def test_the_threshold_is_the_window_less_both_reserves(
    agent: Agent, tokens: int, window: int, *, due: bool
) -> None:
    assert bool(agent.calls("Stop", tokens, context_window=window).reply) is due


def test_a_day_in_a_prompt_of_the_user_is_todays(tmp_path: Path) -> None:
    texts = {"system_prompt": "It is YYYY-MM-DD.", "prompt": "Write to memory/YYYY-MM-DD.md."}
    reply = Agent(tmp_path, **texts).calls("Stop", 180_000).reply
    assert reply
    today = dt.date.today().isoformat()
    assert "YYYY" not in reply["reason"]
    assert f"It is {today}." in reply["reason"]
    assert f"Write to memory/{today}.md." in reply["reason"]


def test_an_agent_is_not_asked_to_write_to_a_note_that_is_excluded(agent: Agent) -> None:
    agent.left_out = ("memory/*.md",)
    answer = agent.calls("Stop", 180_000)
    assert answer.reply is None
    assert "a pattern excludes it" in answer.reason


@pytest.mark.parametrize("access", ["ro", "none"])
def test_an_agent_that_only_reads_is_not_asked(agent: Agent, access: str) -> None:
    answer = agent.calls("Stop", 180_000, workspace_access=access)
    assert answer.reply is None
    assert "read-only" in answer.reason


@pytest.mark.parametrize(
    ("entry", "due"),
    [
        ({"totalTokens": 180_000}, True),
        ({"totalTokens": 170_000}, False),
        ({"totalTokens": 180_000, "totalTokensFresh": False}, False),
        ({"totalTokens": 110_000, "contextTokens": 128_000}, True),
    ],
)
def test_the_count_of_the_agents_own_file_is_used(
    agent: Agent, entry: dict[str, Any], due: bool
) -> None:
    agent.file.write_text(json.dumps({"s1": entry}))
    assert bool(agent.calls("Stop").reply) is due
    assert agent.entry | entry == agent.entry


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
    assert "has not been written" in agent.calls("PreCompact").text
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
    reply = agent.calls("", 1000, context_window=24_500).reply
    assert reply
    assert reply["hookSpecificOutput"]["additionalContext"].startswith("This is a memory flush")


def test_an_agent_elsewhere_is_told_the_whole_path(agent: Agent) -> None:
    reply = agent.calls("Stop", 180_000, cwd="/somewhere").reply
    assert reply
    assert str(agent.root / "memory") in reply["reason"]


@pytest.mark.needs("POSIX modes")
def test_switched_off_or_read_only_nobody_is_asked(agent: Agent, tmp_path: Path) -> None:
    (agent.root / "memory").chmod(0o555)
    assert "read-only" in agent.calls("Stop", 180_000).reason
    (agent.root / "memory").chmod(0o755)
    off = Agent(tmp_path / "off", enabled=False)
    assert "turned off" in off.calls("Stop", 180_000).reason
    assert not agent.file.exists()
    assert not off.file.exists()


def test_ones_own_words_get_the_rules_all_the_same() -> None:
    prompt = flush_prompt("memory/2026-11-21.md", system="Be quick.", user="Save it.")
    system, user = prompt.split("\n\n")
    for text in (system, user):
        assert "only in memory/2026-11-21.md" in text
        assert "APPEND" in text
        assert "read-only" in text
        assert "NO_REPLY" in text
    assert system.startswith("Be quick.")
    assert user.startswith("Save it.")


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
    (tmp_path / "sessions.json").write_text(json.dumps({f"s{n}": {} for n in range(MAX_SESSIONS)}))
    hook = HookInput("Stop", session="new", tokens=180_000)
    file = tmp_path / "sessions.json"
    workspace = Workspace("home", "Home", tmp_path)
    assert flush_answer(hook, workspace, FlushSettings(), file, is_ours=True).reply
    kept = json.loads((tmp_path / "sessions.json").read_text())
    assert len(kept) == MAX_SESSIONS
    assert "new" in kept
    assert "s0" not in kept


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["full", "compact"]), max_size=20))
def test_no_cycle_is_ever_flushed_twice(
    tmp_path_factory: pytest.TempPathFactory, happens: list[str]
) -> None:
    agent = Agent(tmp_path_factory.mktemp("flush"))
    flushed_in: list[int] = []
    for what in happens:
        if what == "compact":
            agent.calls("PreCompact")
        elif agent.calls("Stop", 180_000).reply:
            flushed_in.append(agent.entry.get("compactionCount", 0))
    assert len(flushed_in) == len(set(flushed_in))
