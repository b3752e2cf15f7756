"""Entry, hooks and instructions of each agent: written, run as the agent does it, undone."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from scrubjay.agents.connect.connection_records import ConnectionPart
from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.hook_sets import HOOK_SECONDS
from scrubjay.agents.connect.known_agents import CLIENTS, ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.config.json5.json5_parser import parse_json5
from scrubjay.errors import ConnectFailed
from scrubjay.platform.paths import Paths
from scrubjay.workspaces.registry import Registry
from support import platforms
from support.client_settings import FILES
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT, write_notes

TODAY = dt.date.today().isoformat()
CLIENTS_WITH_HOOKS = ("claude-code", "codex", "gemini-cli", "cursor")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    text = {
        "MEMORY.md": "The spare key is under the pot.\n",
        f"memory/{TODAY}.md": "Fed the cat.\n",
    }
    return write_notes(tmp_path / "my notes", text)


@pytest.fixture
def person(tmp_path: Path) -> Path:
    home = tmp_path / "person"
    for files in FILES.values():
        for name, text in files.items():
            file = home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
    return home


@pytest.fixture
def connections(paths: Paths, person: Path, notes: Path) -> Iterator[Connections]:
    entry = {"path": str(notes)}
    config = {"memorySearch": {"provider": "none"}, "workspaces": [entry]}
    write_notes(paths.config, {"config.json5": json.dumps(config)})
    at = ClientContext(person, {"SCRUBJAY_HOME": str(paths.config)}, "linux")
    made = Connections(paths, DaemonThreadPool("test"), at, Registry(Paths.under(paths.config)))
    yield made
    made.close()


def connect(connections: Connections, client: str, **options: Any) -> None:
    change = connections.plan(client, **options).result(TIMEOUT)
    connections.apply(change).result(TIMEOUT)


def undo(connections: Connections, client: str) -> None:
    connections.apply(connections.plan_undo(client).result(TIMEOUT)).result(TIMEOUT)


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def data_of(file: Path) -> Any:
    return parsed(file.name, file.read_text())


def parsed(name: str, text: str) -> Any:
    if name.endswith(".toml"):
        return tomlkit.parse(text).unwrap()
    return parse_json5(text).value


def hook_file(person: Path, client: str) -> Path:
    names = {"gemini-cli": ".gemini/settings.json", "claude-code": ".claude/settings.json"}
    return person / names.get(client, f".{client}/hooks.json")


def commands_at(person: Path, client: str, event: str) -> list[str]:
    """The commands that a client finds in its settings for an event."""
    found = []
    for item in data_of(hook_file(person, client))["hooks"][event]:
        found += [entry["command"] for entry in item.get("hooks", [item])]
    return [command for command in found if "scrubjay" in command]


def run(command: str, given: dict[str, Any], cwd: Path) -> subprocess.CompletedProcess[str]:
    """A hook as a client runs it: in a shell, with JSON on standard input, in a project."""
    platforms.require("POSIX shells")
    return subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=TIMEOUT,
        env={name: value for name, value in os.environ.items() if name != "SCRUBJAY_HOME"},
        check=False,
    )


@pytest.mark.parametrize("client", FILES)
def test_connecting_and_undoing_gives_each_file_back_to_the_byte(
    connections: Connections, person: Path, client: str
) -> None:
    before = bytes_below(person)
    connect(connections, client)
    found = {each.client: each for each in connections.list().result(TIMEOUT)}[client]
    assert found.is_connected
    assert found.current == found.available
    assert bytes_below(person) != before
    assert not connections.plan(client).result(TIMEOUT).is_needed
    undo(connections, client)
    assert bytes_below(person) == before


@pytest.mark.parametrize("client", FILES)
def test_what_belongs_to_others_stays_where_files_change_meanwhile(
    connections: Connections, person: Path, client: str
) -> None:
    before = {name: data_of(person / name) for name in FILES[client] if not name.endswith(".md")}
    connect(connections, client)
    # Someone saves each of the files again, with one more line at the end.
    for name in FILES[client]:
        file = person / name
        comment = {".toml": "# mine\n", ".md": "More.\n"}.get(file.suffix, "// mine\n")
        file.write_bytes(file.read_bytes() + comment.encode())
    undo(connections, client)
    # An empty list of servers, which OpenClaw did not have, changes nothing for it.
    after = {name: data_of(person / name) for name in before}
    if client == "openclaw":
        assert after[".openclaw/openclaw.json"].pop("mcp") == {"servers": {}}
    assert after == before
    assert not any("scrubjay" in (person / name).read_text() for name in FILES[client])
    assert not (person / ".openclaw/extensions").exists()


@pytest.mark.parametrize("client", FILES)
def test_hooks_servers_and_comments_of_others_are_untouched(
    connections: Connections, person: Path, client: str
) -> None:
    connect(connections, client)
    for name, text in FILES[client].items():
        now = (person / name).read_bytes().decode()
        if name.endswith(".md"):
            assert now.startswith(text)
            continue
        assert all(comment in now for comment in re.findall(r"// .*|/\* .*? \*/|# .*", text))
        assert holds(data_of(person / name), parsed(name, text))


def holds(now: Any, before: Any) -> bool:
    """Whether all that was in settings is there still, lists in the same order."""
    if isinstance(before, dict):
        return all(key in now and holds(now[key], before[key]) for key in before)
    if isinstance(before, list):
        return now[: len(before)] == before
    return bool(now == before)


@pytest.mark.parametrize(
    ("client", "event", "context"),
    [
        ("claude-code", "UserPromptSubmit", "hookSpecificOutput"),
        ("codex", "UserPromptSubmit", "hookSpecificOutput"),
        ("gemini-cli", "BeforeAgent", "hookSpecificOutput"),
    ],
)
def test_the_written_hook_recalls_notes_before_an_answer(
    connections: Connections, person: Path, tmp_path: Path, client: str, event: str, context: str
) -> None:
    connect(connections, client)
    command = commands_at(person, client, event)[0]
    given = {
        "session_id": "s1",
        "transcript_path": None,
        "cwd": str(tmp_path),
        "hook_event_name": event,
        "prompt": "Where is the spare key?",
    }
    ran = run(command, given, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    answer = json.loads(ran.stdout)
    assert set(answer) == {context}
    assert answer[context]["hookEventName"] == event
    assert "under the pot" in answer[context]["additionalContext"]


@pytest.mark.parametrize("client", CLIENTS_WITH_HOOKS)
def test_the_written_hook_tells_todays_notes_at_the_start(
    connections: Connections, person: Path, tmp_path: Path, client: str
) -> None:
    connect(connections, client)
    event = "sessionStart" if client == "cursor" else "SessionStart"
    given = {"session_id": "s1", "hook_event_name": event, "source": "startup"}
    ran = run(commands_at(person, client, event)[0], given, tmp_path)
    answer = json.loads(ran.stdout)
    text = answer.get("additional_context") or answer["hookSpecificOutput"]["additionalContext"]
    assert "Fed the cat." in text
    assert ran.returncode == 0


TALKS = {
    "claude-code": [
        {"type": "user", "message": {"role": "user", "content": "The roof leaks."}},
        {"type": "assistant", "message": {"role": "assistant", "content": "Call Tejados Ruiz."}},
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "s1"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "The roof leaks."}},
        {
            "type": "event_msg",
            "payload": {"type": "agent_message", "message": "Call Tejados Ruiz."},
        },
    ],
    "gemini-cli": [
        {"sessionId": "s1", "projectHash": "h"},
        {"id": "1", "type": "user", "content": [{"text": "The roof leaks."}]},
        {"id": "2", "type": "gemini", "content": "Call Tejados Ruiz.", "tokens": {"total": 9}},
    ],
    "cursor": [
        {
            "role": "user",
            "message": {
                "content": [
                    {"type": "text", "text": "<user_query>\nThe roof leaks.\n</user_query>"}
                ]
            },
        },
        {
            "role": "assistant",
            "message": {"content": [{"type": "text", "text": "Call Tejados Ruiz."}]},
        },
    ],
}


@pytest.mark.parametrize("client", CLIENTS_WITH_HOOKS)
def test_the_written_hook_keeps_the_conversation_at_its_end(
    connections: Connections, person: Path, notes: Path, tmp_path: Path, client: str
) -> None:
    connect(connections, client)
    talk = tmp_path / "talk.jsonl"
    lines = [json.dumps(record, separators=(",", ":")) for record in TALKS[client]]
    talk.write_text("\n".join(lines) + "\n")
    event = "sessionEnd" if client == "cursor" else "SessionEnd"
    given = {"hook_event_name": event, "transcript_path": str(talk), "cwd": str(tmp_path)}
    ran = run(commands_at(person, client, event)[0], given, tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "")
    [kept] = list((notes / "memory").glob("*-*-*-*.md"))
    assert "User: The roof leaks.\n\nAssistant: Call Tejados Ruiz." in kept.read_text()


@pytest.mark.parametrize(
    ("client", "compaction", "next_event", "key"),
    [
        ("claude-code", "PreCompact", "Stop", "reason"),
        ("codex", "PreCompact", "SessionStart", "hookSpecificOutput"),
        ("gemini-cli", "PreCompress", "BeforeAgent", "hookSpecificOutput"),
        ("cursor", "preCompact", "stop", "followup_message"),
    ],
)
def test_the_written_hooks_ask_for_notes_around_a_compaction(
    connections: Connections,
    person: Path,
    tmp_path: Path,
    client: str,
    compaction: str,
    next_event: str,
    key: str,
) -> None:
    connect(connections, client)
    [before] = commands_at(person, client, compaction)
    ran = run(before, {"session_id": "s1", "hook_event_name": compaction}, tmp_path)
    assert ran.returncode == 0
    # Only Claude Code reads a text there; the others would take it for an error.
    assert bool(ran.stdout) is (client == "claude-code")
    [after] = [each for each in commands_at(person, client, next_event) if "hook flush" in each]
    given = {
        "session_id": "s1",
        "hook_event_name": next_event,
        "source": "compact",
        "prompt": "go on",
    }
    ran = run(after, given, tmp_path)
    assert f"memory/{TODAY}.md" in json.dumps(json.loads(ran.stdout)[key])
    assert run(after, given, tmp_path).stdout == ""


@pytest.mark.parametrize("client", CLIENTS_WITH_HOOKS)
@pytest.mark.parametrize("fault", ["no settings", "no notes", "no program"])
def test_no_hook_stops_a_client(
    connections: Connections,
    paths: Paths,
    person: Path,
    notes: Path,
    tmp_path: Path,
    client: str,
    fault: str,
) -> None:
    connect(connections, client)
    # What the hook needs is gone, and a file stands in its place.
    gone = {"no settings": paths.config, "no notes": notes, "no program": tmp_path / "nothing"}
    if gone[fault].exists():
        shutil.rmtree(gone[fault])
    gone[fault].write_text("")
    for event in data_of(hook_file(person, client))["hooks"]:
        for command in commands_at(person, client, event):
            if fault == "no program":
                command = command.replace(str(PROGRAM), str(PROGRAM.with_name("no-scrubjay")))
            began = time.monotonic()
            ran = run(command, {"hook_event_name": event, "prompt": "Where is the key?"}, tmp_path)
            assert ran.returncode == 0
            assert fault == "no notes" or ran.stdout == ""
            assert time.monotonic() - began < HOOK_SECONDS


@pytest.mark.needs("POSIX paths")
@pytest.mark.parametrize("client", CLIENTS_WITH_HOOKS)
def test_a_hook_starts_our_program_by_its_whole_path_and_with_its_home(
    connections: Connections, paths: Paths, person: Path, client: str
) -> None:
    connect(connections, client)
    for event in data_of(hook_file(person, client))["hooks"]:
        for command in commands_at(person, client, event):
            words = shlex.split(command)
            assert words[:4] == [str(PROGRAM), "--home", str(paths.config), "hook"]


def test_a_program_in_the_current_folder_is_not_run_by_a_hook(
    connections: Connections, person: Path, tmp_path: Path
) -> None:
    planted = tmp_path / "project"
    planted.mkdir()
    for name in ("scrubjay", "python", "python3"):
        (planted / name).write_text("#!/bin/sh\necho planted\n")
        (planted / name).chmod(0o755)
    for name in ("json.py", "scrubjay.py", "sitecustomize.py"):
        (planted / name).write_text("print('planted')\n")
    connect(connections, "claude-code")
    [command] = commands_at(person, "claude-code", "UserPromptSubmit")
    ran = run(command, {"prompt": "Where is the spare key?"}, planted)
    assert "planted" not in ran.stdout
    assert "under the pot" in ran.stdout


@pytest.mark.parametrize("part", ConnectionPart)
def test_parts_are_connected_alone(
    connections: Connections, person: Path, part: ConnectionPart
) -> None:
    before = bytes_below(person)
    connect(connections, "gemini-cli", parts={part})
    found = {each.client: each for each in connections.list().result(TIMEOUT)}["gemini-cli"]
    assert (found.current, found.lost, found.is_connected) == ((part,), (), True)
    connect(connections, "gemini-cli")
    undo(connections, "gemini-cli")
    assert bytes_below(person) == before


@pytest.mark.parametrize("client", FILES)
def test_what_someone_removes_is_told_as_lost(
    connections: Connections, person: Path, client: str
) -> None:
    connect(connections, client)
    for name, text in FILES[client].items():
        (person / name).write_bytes(text.encode())
    found = {each.client: each for each in connections.list().result(TIMEOUT)}[client]
    assert found.lost == found.available
    assert (found.is_connected, found.is_outdated) == (False, True)
    # A person who wants it so undoes it, and it is told no longer.
    undo(connections, client)
    found = {each.client: each for each in connections.list().result(TIMEOUT)}[client]
    assert found.lost == ()


def test_hooks_that_were_typed_by_hand_are_replaced_but_those_we_do_not_write_stay(
    connections: Connections, person: Path
) -> None:
    file = hook_file(person, "claude-code")
    typed = {"type": "command", "command": "scrubjay hook recall"}
    other = {"type": "command", "command": "scrubjay hook capture --workspace mine"}
    file.write_text(json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [typed, other]}]}}))
    connect(connections, "claude-code")
    commands = commands_at(person, "claude-code", "UserPromptSubmit")
    assert [each.split(" hook ")[1].removesuffix(" || true") for each in commands] == [
        "capture --workspace mine",
        "recall --agent claude-code",
    ]
    undo(connections, "claude-code")
    assert commands_at(person, "claude-code", "UserPromptSubmit") == [other["command"]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/settings.json", '{"hooks": []}'),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        (".claude/settings.json", "{"),
        (".claude/CLAUDE.md", b"\xff\xfe"),
    ],
)
def test_nothing_is_written_where_one_of_the_files_cannot_be_read(
    connections: Connections, person: Path, name: str, text: str | bytes
) -> None:
    (person / name).write_bytes(text.encode() if isinstance(text, str) else text)
    before = bytes_below(person)
    with pytest.raises(ConnectFailed):
        connections.plan("claude-code").result(TIMEOUT)
    assert bytes_below(person) == before


def test_no_file_is_changed_where_one_of_them_cannot_be_written(
    connections: Connections, person: Path
) -> None:
    change = connections.plan("claude-code").result(TIMEOUT)
    # The last of the files changes after the look at the plan.
    (person / ".claude/CLAUDE.md").write_text("newer\n")
    before = bytes_below(person)
    with pytest.raises(ConnectFailed, match="changed since"):
        connections.apply(change).result(TIMEOUT)
    assert bytes_below(person) == before


def test_a_file_that_somebody_made_read_only_stays(connections: Connections, person: Path) -> None:
    before = bytes_below(person)
    file = hook_file(person, "claude-code")
    file.chmod(0o444)
    with pytest.raises(ConnectFailed, match="is write-protected"):
        connect(connections, "claude-code")
    assert bytes_below(person) == before
    assert file.stat().st_mode & 0o777 == 0o444


def test_a_client_is_told_what_it_lacks(connections: Connections) -> None:
    lacks = {name: connections.plan(name).result(TIMEOUT).lacks for name in CLIENTS}
    assert [name for name, sentences in lacks.items() if not sentences] == [
        "claude-code",
        "codex",
        "gemini-cli",
    ]
    assert lacks["cursor"][0].startswith("Scrubjay cannot add notes to your questions to Cursor")
    assert len(lacks["claude-desktop"]) == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_plugin_of_openclaw_recalls_and_keeps(
    connections: Connections, person: Path, notes: Path, tmp_path: Path
) -> None:
    connect(connections, "openclaw")
    folder = person / ".openclaw/extensions/scrubjay"
    manifest = json.loads((folder / "openclaw.plugin.json").read_text())
    assert (manifest["id"], manifest["configSchema"]["type"]) == ("scrubjay", "object")
    plugins = data_of(person / ".openclaw/openclaw.json")["plugins"]
    assert plugins["allow"] == ["telegram", "scrubjay"]
    hooks = {"allowConversationAccess": True}
    assert plugins["entries"]["scrubjay"] == {"enabled": True, "hooks": hooks}
    talk = tmp_path / "talk.jsonl"
    talk.write_text("\n".join(json.dumps(each) for each in TALKS["claude-code"]))
    # As its gateway does: it registers handlers, and calls them with an event and a context.
    script = f"""
const plugin = require({json.dumps(str(folder / "index.js"))});
const handlers = {{}};
plugin.register({{ on: (name, handler) => (handlers[name] = handler) }});
(async () => {{
  const ctx = {{ sessionId: "s1", sessionKey: "agent:main:main", workspaceDir: "/" }};
  const event = {{ prompt: "Where is the spare key?", messages: [] }};
  const first = await handlers.before_prompt_build(event, ctx);
  const second = await handlers.before_prompt_build(event, ctx);
  await handlers.before_reset({{ sessionFile: {json.dumps(str(talk))} }}, ctx);
  console.log(JSON.stringify([plugin.id, first, second]));
}})();
"""
    ran = subprocess.run(
        ["node", "-e", script], capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    name, first, second = json.loads(ran.stdout)
    assert name == "scrubjay"
    assert "Fed the cat." in first["prependContext"]
    assert "under the pot" in second["prependContext"]
    assert "Fed the cat." not in second["prependContext"]
    assert len(list((notes / "memory").glob("*-*-*-*.md"))) == 1


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_plugin_of_openclaw_answers_nothing_where_the_program_is_gone(
    connections: Connections, person: Path
) -> None:
    connect(connections, "openclaw")
    file = person / ".openclaw/extensions/scrubjay/index.js"
    file.write_text(file.read_text().replace(str(PROGRAM), "/nowhere/scrubjay"))
    script = f"""
const handlers = {{}};
require({json.dumps(str(file))}).register({{ on: (name, handler) => (handlers[name] = handler) }});
handlers.before_prompt_build({{ prompt: "Where?" }}, {{}}).then((value) => console.log(value));
"""
    ran = subprocess.run(
        ["node", "-e", script], capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    assert ran.stdout == "undefined\n"
