"""`scrubjay hook`, as an agent calls it."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.vault import TIMEOUT, write_notes

Ran = Any
Hook = Callable[..., Any]

PROGRAM = Path(sys.executable).with_name("scrubjay")


@pytest.fixture
def hook(cli: Any, tmp_path: Path) -> Iterator[Hook]:
    """Gives a hook bytes or JSON on standard input, in this process."""
    real = os.dup(0)

    def run(*arguments: str, event: Any) -> Ran:
        file = tmp_path / "input"
        file.write_bytes(event if isinstance(event, bytes) else json.dumps(event).encode())
        handle = os.open(file, os.O_RDONLY)
        os.dup2(handle, 0)
        os.close(handle)
        ran: Ran = cli("hook", *arguments)
        return ran

    yield run
    os.dup2(real, 0)
    os.close(real)


@pytest.fixture
def memory(cli: Any, home: Path, tmp_path: Path) -> Path:
    """A workspace with one memory, indexed."""
    recall = {"capture": "review", "deadlineMs": 60_000}
    settings = {"memorySearch": {"provider": "none"}, "recall": recall}
    (home / "config.json5").write_text(json.dumps(settings))
    folder = write_notes(tmp_path / "agent", {"MEMORY.md": "The spare key is under the pot.\n"})
    assert cli("workspace", "add", folder).code == 0
    assert cli("index").code == 0
    return folder


def test_a_prompt_gets_the_notes_that_fit_it(hook: Hook, memory: Path) -> None:
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "Where is the spare key?"}
    ran = hook("recall", event=prompt)
    assert ran.code == 0
    output = ran.json["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    assert "under the pot" in output["additionalContext"]
    assert said_nothing(hook("recall", event={"prompt": "quantum chromodynamics"}))


def test_a_folder_that_is_searched_only_when_named_is_recalled_where_the_agent_works_in_it(
    hook: Hook, memory: Path, cli: Any, tmp_path: Path
) -> None:
    assert cli("workspace", "named", "agent").code == 0
    elsewhere = {"prompt": "Where is the spare key?", "cwd": str(tmp_path)}
    assert said_nothing(hook("recall", event=elsewhere))
    inside = {**elsewhere, "cwd": str(memory)}
    for ran in (
        hook("recall", event=inside),
        hook("recall", "--workspace", "agent", event=elsewhere),
    ):
        assert "under the pot" in ran.json["hookSpecificOutput"]["additionalContext"]


def test_what_such_a_folder_knows_is_not_kept_again(hook: Hook, memory: Path, cli: Any) -> None:
    write_notes(memory, {"MEMORY.md": "- I always drink green tea.\n"})
    assert cli("index").code == 0
    assert cli("workspace", "named", "agent").code == 0
    said = {"prompt": "Remember that I always drink green tea.", "cwd": str(memory)}
    hook("capture", event=said)
    assert cli("captured", "list", "--json").json == []


def test_the_rules_for_agents_hold_and_the_audit_log_notes_it(
    hook: Hook, memory: Path, home: Path, cli: Any
) -> None:
    prompt = {"prompt": "Where is the spare key?"}
    claude = ("recall", "--agent", "claude-code")
    assert hook(*claude, event=prompt).out
    assert said_nothing(hook(*claude, event={"prompt": "quantum chromodynamics"}))
    assert cli("agents", "deny", "claude-code").code == 0
    refused = hook(*claude, event=prompt)
    assert (refused.code, refused.out) == (0, "")
    assert "agents allow claude-code" in refused.err
    assert hook("recall", event=prompt).out
    engine = Engine(Paths.under(home))
    entries = engine.agents.audit_log(agent="claude-code").result(TIMEOUT)
    engine.close()
    assert [
        (entry.query, entry.outcome, [hit.path for hit in entry.hits]) for entry in entries
    ] == [
        ("Where is the spare key?", "refused", []),
        ("quantum chromodynamics", "answered", []),
        ("Where is the spare key?", "answered", ["MEMORY.md"]),
    ]
    assert {entry.tool for entry in entries} == {"recall"}


def test_what_a_person_said_is_put_on_the_list_once(
    hook: Hook, memory: Path, cli: Any, tmp_path: Path
) -> None:
    talk = tmp_path / "talk.jsonl"
    said = {"type": "user", "message": {"role": "user", "content": "I prefer window seats"}}
    talk.write_text(json.dumps(said))
    stop = {"hook_event_name": "Stop", "transcript_path": str(talk), "cwd": str(memory)}
    assert said_nothing(hook("capture", event=stop))
    assert said_nothing(hook("capture", event=stop))
    [entry] = cli("captured", "list", "--json").json
    assert (entry["text"], entry["category"], entry["workspace"]) == (
        "I prefer window seats",
        "preference",
        "agent",
    )


def test_a_full_context_is_asked_for_a_flush_once(hook: Hook, memory: Path) -> None:
    stop = {"hook_event_name": "Stop", "session_id": "s", "tokens": 190_000, "cwd": str(memory)}
    assert hook("flush", event=stop).json["decision"] == "block"
    again = hook("flush", event=stop)
    assert (again.code, again.out) == (0, "")
    assert "No flush is due" in again.err


def day_before(days: int) -> str:
    return (dt.date.today() - dt.timedelta(days=days)).isoformat()


GROUP = {"sessionKey": "agent:main:telegram:group:42"}


def test_in_a_group_the_curated_memory_is_not_recalled(hook: Hook, memory: Path) -> None:
    prompt = {"prompt": "Where is the spare key?"}
    assert said_nothing(hook("recall", event=prompt | GROUP))
    direct = {"sessionKey": "agent:main:telegram:direct:7"}
    assert "under the pot" in hook("recall", event=prompt | direct).out


def test_a_conversation_begins_with_the_notes_of_today_and_yesterday(
    hook: Hook, memory: Path, cli: Any
) -> None:
    start = {"hook_event_name": "SessionStart", "source": "startup", "cwd": str(memory)}
    assert said_nothing(hook("today", event=start))
    write_notes(
        memory / "memory",
        {
            f"{day_before(0)}.md": "Today <b>began</b>. My key: sk-proj-abcdefghijklmnopq1\n",
            f"{day_before(1)}.md": "An old line.\n" * 2000 + "Yesterday ended.\n",
            f"{day_before(2)}.md": "Long ago.\n",
        },
    )
    for event in (start, start | GROUP):
        output = hook("today", event=event).json["hookSpecificOutput"]
        text = output["additionalContext"]
        assert output["hookEventName"] == "SessionStart"
        assert "Today &lt;b&gt;began" in text
        assert "abcdefghijklmnop" not in text
        assert text.index(f"memory/{day_before(0)}.md") < text.index("Yesterday ended.")
        assert "Long ago" not in text
        assert "spare key" not in text
        assert "Untrusted" in text
        assert len(text) < 10_000
    assert cli("agents", "deny", "hooks").code == 0
    refused = hook("today", event=start)
    assert (refused.code, refused.out) == (0, "")
    assert "agents allow hooks" in refused.err


def talk(*messages: tuple[str, str]) -> str:
    records = [
        {"type": role, "message": {"role": role, "content": text}} for role, text in messages
    ]
    return "".join(f"{json.dumps(record)}\n" for record in records)


def test_the_end_of_a_conversation_is_kept_once(
    hook: Hook, memory: Path, tmp_path: Path, cli: Any
) -> None:
    file = tmp_path / "talk.jsonl"
    said = [("user", "/model"), ("user", "Which tiles?"), ("assistant", "The blue ones.")]
    end = {
        "hook_event_name": "SessionEnd",
        "session_id": "s1",
        "transcript_path": str(file),
        "cwd": str(memory),
        "sessionKey": "agent:main:main",
    }
    for more in ((), (("user", "And the grout?"), ("assistant", "Grey."))):
        said += more
        file.write_text(talk(*said))
        assert said_nothing(hook("keep", event=end))
        again = hook("keep", event=end)
        assert (again.code, again.out) == (0, "")
        assert "no new messages" in again.err
    notes = sorted((memory / "memory").iterdir())
    text = "".join(note.read_text() for note in notes)
    assert all(re.fullmatch(rf"{day_before(0)}-\d{{4}}\.md", note.name) for note in notes)
    assert "agent:main:main" in text
    assert "/model" not in text
    for line in ("User: Which tiles?", "Assistant: The blue ones.", "User: And the grout?"):
        assert text.count(line) == 1
    assert cli("agents", "deny", "hooks").code == 0
    file.write_text(talk(*said, ("user", "And the door?")))
    assert "agents allow hooks" in hook("keep", event=end).err
    assert sorted((memory / "memory").iterdir()) == notes


@pytest.mark.parametrize("access", ["ro", "none"])
def test_in_a_sandbox_that_only_reads_nothing_is_kept(
    hook: Hook, memory: Path, tmp_path: Path, access: str
) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(talk(("user", "Which tiles?")))
    event = {"transcript_path": str(file), "cwd": str(memory), "workspaceAccess": access}
    for name, tokens in (("keep", 1), ("flush", 190_000)):
        ran = hook(name, event=event | {"tokens": tokens})
        assert (ran.code, ran.out) == (0, "")
        assert ran.err
    assert [path.name for path in memory.iterdir()] == ["MEMORY.md"]


def said_nothing(ran: Ran) -> bool:
    """True when there was nothing to say, and nothing went wrong."""
    return (ran.code, ran.out, ran.err) == (0, "", "")


HOSTILE = [
    b"",
    b"\x00\x01\xff\xfe" * 1000,
    b"[" * 100_000,
    b'{"prompt": ' * 50_000,
    b'{"prompt": "' + b"a" * 5_000_000 + b'"}',
    b'{"prompt": 12345, "cwd": [], "transcript_path": {}, "session_id": false}',
    b'{"prompt": "\\ud800 remember \\u0000 me", "cwd": "\\u0000"}',
    b'{"transcript_path": "/dev/zero", "hook_event_name": ["Stop"]}',
    b'{"prompt": "' + b"remember " * 400_000 + b'"}',
    b'{"tokens": 1e999, "contextWindow": -5, "hook_event_name": "Stop"}',
    b'{"prompt": "' + b'\\"*:( NEAR/' * 3000 + b'"}',
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_input_never_stops_an_agent(hook: Hook, memory: Path, data: bytes) -> None:
    for name in ("recall", "capture", "flush", "today", "keep"):
        ran = hook(name, event=data)
        assert (ran.code, ran.out) == (0, "")
        assert "Traceback" not in ran.err
        assert len(ran.err.splitlines()) <= 1


def test_a_process_of_its_own_answers_over_pipes(home: Path, memory: Path) -> None:
    prompt = b'{"prompt": "Where is the spare key?"}'
    command = [str(PROGRAM), "hook", "recall"]
    ran = subprocess.run(command, input=prompt, capture_output=True, timeout=2 * TIMEOUT)
    assert b"under the pot" in ran.stdout
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["recall", "--bogus"], ["nothing"], ["flush", "--sessions"]])
def test_wrong_usage_does_not_stop_an_agent_either(hook: Hook, arguments: list[str]) -> None:
    ran = hook(*arguments, event={"prompt": "Where is the key?"})
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("scrubjay: ")


def test_no_workspace_and_no_settings_are_no_failure(hook: Hook) -> None:
    for name in ("recall", "capture", "flush", "today", "keep"):
        ran = hook(name, event={"prompt": "I prefer window seats", "cwd": "/nowhere"})
        assert (ran.code, ran.out) == (0, "")
    assert "--workspace" in ran.err


@pytest.fixture
def open_pipe() -> Iterator[int]:
    """The reading end of a pipe that nobody closes."""
    reading, writing = os.pipe()
    yield reading
    os.close(reading)
    os.close(writing)


def test_input_that_never_ends_is_not_waited_for(home: Path, open_pipe: int) -> None:
    (home / "config.json5").write_text("{recall: {deadlineMs: 500}}")
    command = [str(PROGRAM), "hook", "recall"]
    ran = subprocess.run(command, stdin=open_pipe, capture_output=True, timeout=2 * TIMEOUT)
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert b"too long" in ran.stderr
