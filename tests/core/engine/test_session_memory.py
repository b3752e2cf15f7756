"""Conversations as a source, through the engine."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.events import IndexFinished
from scrubjay.platform.paths import Paths
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import NoteAddress, Source
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import SearchRequest
from support import platforms
from support.providers import WordProvider
from support.transcripts import chat, message, transcript
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, first, found, write_notes

NOISE = json.dumps({"type": "message", "message": {"role": "toolResult", "content": "noise"}})


@pytest.fixture
def configure(paths: Paths) -> Callable[..., None]:
    """Writes settings that allow sessions; what is given goes into memorySearch."""

    def write(**search: object) -> None:
        search = {
            "experimental": {"sessionMemory": True},
            "sources": ["memory", "sessions"],
            "sessions": {"paths": ["sessions"]},
            **search,
        }
        known = json.loads(paths.config_file.read_text()) if paths.config_file.exists() else {}
        write_notes(paths.config, {"config.json5": json.dumps({**known, "memorySearch": search})})

    return write


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """The workspace of an agent who talked about a parrot."""
    return write_notes(
        tmp_path / "agent",
        {
            "MEMORY.md": "# Memory\n\nThe owner lives in Lisbon.\n",
            "sessions/one.jsonl": transcript(
                message("user", "Which name did we give the parrot?"),
                NOISE,
                message("assistant", "The parrot is called Admiral."),
            ),
        },
    )


@pytest.fixture
def talking(configure: Callable[..., None], new_engine: NewEngine, agent: Path) -> Engine:
    """An engine that has read the conversations of the agent."""
    configure()
    engine = new_engine()
    engine.refresh(add(engine, agent)).result(TIMEOUT)
    return engine


def append(file: Path, *lines: str) -> None:
    """Somebody goes on talking."""
    with file.open("a") as opened:
        opened.writelines(f"{line}\n" for line in lines)


def test_what_was_said_is_found_at_its_line_of_the_transcript(talking: Engine) -> None:
    for mode in Mode:
        hit = first(talking, "parrot called Admiral", mode, min_score=0.0)
        assert (hit.path, hit.source) == ("sessions/one.jsonl", Source.SESSIONS)
        assert (hit.first_line, hit.last_line, hit.best_line) == (2, 4, 4)
        assert "Assistant: The parrot is called Admiral." in hit.snippet.text
        assert hit.title == "Conversation of 2026-05-03"


def test_the_work_of_tools_leaves_no_gap_in_a_snippet(talking: Engine, agent: Path) -> None:
    said = (message("user", "A toucan?"), *[NOISE] * 40, message("assistant", "Called Sergeant"))
    write_notes(agent, {"sessions/two.jsonl": transcript(*said)})
    talking.refresh().result(TIMEOUT)
    hit = first(talking, "toucan Sergeant", Mode.LEXICAL)
    assert hit.snippet.text == "User: A toucan?\nAssistant: Called Sergeant"
    assert (hit.first_line, hit.last_line) == (2, 43)


def test_sessions_are_searched_only_when_both_switches_are_on(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path
) -> None:
    for search in ({"experimental": {"sessionMemory": False}}, {"sources": ["memory"]}):
        configure(**search)
        engine = new_engine()
        engine.refresh(add(engine, agent)).result(TIMEOUT)
        assert found(engine, "parrot Admiral") == []


def test_switching_sessions_off_forgets_them(
    talking: Engine, configure: Callable[..., None], new_engine: NewEngine
) -> None:
    assert found(talking, "Admiral") == ["sessions/one.jsonl"]
    talking.close()
    configure(sources=["memory"])
    engine = new_engine()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.removed, found(engine, "Admiral")) == (1, [])


def test_sessions_alone_may_be_the_source(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path
) -> None:
    configure(sources=["sessions"])
    engine = new_engine()
    engine.refresh(add(engine, agent)).result(TIMEOUT)
    assert found(engine, "Lisbon") == []
    assert found(engine, "Admiral") == ["sessions/one.jsonl"]


def test_a_search_can_be_limited_to_sessions_or_kept_from_them(talking: Engine) -> None:
    for mode in Mode:
        for source, path in ((Source.SESSIONS, "sessions/one.jsonl"), (Source.MEMORY, "MEMORY.md")):
            limited = {"sources": frozenset({source}), "min_score": 0.0}
            assert found(talking, "parrot Lisbon", mode, **limited) == [path]


def test_each_agent_has_its_own_conversations(
    configure: Callable[..., None], new_engine: NewEngine, tmp_path: Path
) -> None:
    state = tmp_path / "state/agents"
    configure(sessions={"paths": [str(state / "{agentId}/sessions")]})
    engine = new_engine()
    for name in ("ann", "bob"):
        write_notes(state, {f"{name}/sessions/s.jsonl": chat(f"I am {name} and like zebras")})
        root = write_notes(tmp_path / name, {"MEMORY.md": "Nothing.\n"})
        engine.refresh(add(engine, root, name)).result(TIMEOUT)
    for name in ("ann", "bob"):
        [hit] = ask(engine, "zebras", Mode.LEXICAL, workspace=name).hits
        assert (hit.path, hit.file) == ("sessions/s.jsonl", state / name / "sessions/s.jsonl")


@pytest.fixture
def two_agents(paths: Paths, new_engine: NewEngine, tmp_path: Path) -> Engine:
    """Two agents who talked about a quokka, each with its memory and a folder of its own."""
    for name in ("m1", "M2"):
        notes = {"MEMORY.md": "Nothing.\n", "sessions/s.jsonl": chat(f"A quokka, said {name}")}
        write_notes(tmp_path / name, notes)
    search = {"experimental": {"sessionMemory": True}, "sources": ["memory", "sessions"]}
    listed = [{"id": name, "workspace": str(tmp_path / name)} for name in ("m1", "M2")]
    agents = {"defaults": {"memorySearch": search}, "list": listed}
    write_notes(paths.config, {"config.json5": json.dumps({"agents": agents})})
    engine = new_engine()
    engine.refresh().result(TIMEOUT)
    return engine


@pytest.mark.parametrize(
    "text", ["quokka", "today", "type:conversation", "quokka said", "-x quokka"]
)
@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
@pytest.mark.parametrize(
    ("key", "agents"),
    [
        ("", {"m1", "M2"}),
        ("main", {"m1", "M2"}),
        ("agent:m1:main", {"m1"}),
        ("agent:m2:main", {"M2"}),
        ("AGENT:M2:telegram:direct:7", {"M2"}),
        ("agent:m3:main", set()),
        ("agent:m1:telegram:group:1", set()),
        ("agent:m1:discord:channel:1", set()),
        ("telegram:group:1", set()),
        ("agent:m1:subagent:1", set()),
    ],
)
def test_conversations_are_found_by_their_own_agent_in_private(
    two_agents: Engine, text: str, mode: Mode, key: str, agents: set[str]
) -> None:
    for sources in (frozenset[Source](), frozenset({Source.SESSIONS})):
        for order in Order:
            answer = ask(
                two_agents,
                text,
                mode,
                conversation=Conversation(key),
                sources=sources,
                order=order,
                min_score=0.0,
            )
            hits = (*answer.hits, *answer.uncertain)
            assert {hit.workspace for hit in hits if hit.source is Source.SESSIONS} == agents


def test_the_only_memory_is_that_of_an_agent_without_settings(talking: Engine) -> None:
    main = Conversation("agent:main:main")
    assert found(talking, "Admiral", conversation=main) == ["sessions/one.jsonl"]
    group = Conversation("agent:main:telegram:group:1")
    assert found(talking, "Admiral", conversation=group) == []


def test_an_agent_whose_folder_has_another_name_finds_its_conversations(
    paths: Paths, new_engine: NewEngine, agent: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"MEMORY.md": "Nothing.\n"})
    search = {"experimental": {"sessionMemory": True}, "sources": ["sessions"]}
    settings = {
        "workspaces": [{"id": "folder", "path": str(agent)}, {"id": "x", "path": str(other)}],
        "agents": {"list": [{"id": "ann", "workspace": str(agent)}]},
        "memorySearch": {**search, "sessions": {"paths": ["sessions"]}},
    }
    write_notes(paths.config, {"config.json5": json.dumps(settings)})
    engine = new_engine()
    engine.refresh().result(TIMEOUT)
    keyed = found(engine, "Admiral", conversation=Conversation("agent:ann:main"))
    assert keyed == ["sessions/one.jsonl"]


def test_a_message_and_a_hook_get_conversations_of_their_own_agent_only(two_agents: Engine) -> None:
    for key, agents in (("agent:m1:main", {"m1"}), ("agent:m1:x:group:1", set())):
        conversation = Conversation(key)
        request = SearchRequest("What about the quokka?", conversation=conversation, min_score=0.0)
        answer = two_agents.context(request, CancelToken()).result(TIMEOUT)
        hits = (*answer.hits, *answer.uncertain)
        assert {hit.workspace for hit in hits if hit.source is Source.SESSIONS} == agents
        hook = HookInput(prompt="A quokka, said m1", conversation=conversation)
        reminder = two_agents.recall.remind(hook, frozenset(), TIMEOUT).result(TIMEOUT)
        assert {hit.workspace for hit in reminder.hits} <= agents
        assert ("m1" in reminder.block) is bool(agents)


def test_without_more_settings_the_transcripts_of_openclaw_are_found(
    paths: Paths, new_engine: NewEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    switches = "experimental: {sessionMemory: true}, sources: ['memory', 'sessions']"
    write_notes(paths.config, {"config.json5": f"{{memorySearch: {{{switches}}}}}"})
    write_notes(tmp_path / ".openclaw/agents/main/sessions", {"s.jsonl": chat("I like zebras")})
    engine = new_engine()
    root = write_notes(tmp_path / ".openclaw/workspace", {"MEMORY.md": "Nothing.\n"})
    engine.refresh(add(engine, root, "main")).result(TIMEOUT)
    assert found(engine, "zebras") == ["sessions/s.jsonl"]


def test_equal_names_in_two_folders_get_two_labels(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"one.jsonl": chat("A second parrot, Skipper")})
    configure(sessions={"paths": ["sessions", str(other)]})
    engine = new_engine()
    engine.refresh(add(engine, agent)).result(TIMEOUT)
    assert found(engine, "Skipper") == ["sessions/one (2).jsonl"]


def test_agents_read_memory_files_only(talking: Engine) -> None:
    workspace = talking.find_workspace("agent").id
    assert "Lisbon" in talking.notes.page(NoteAddress(workspace, "MEMORY.md")).result(TIMEOUT).text
    for path in ("sessions/one.jsonl", "./sessions/one.jsonl", "sessions/one.md"):
        with pytest.raises(NoteRefused):
            talking.notes.page(NoteAddress(workspace, path)).result(TIMEOUT)


def test_a_person_reads_what_was_said_and_no_secrets(talking: Engine, agent: Path) -> None:
    write_notes(agent, {"sessions/two.jsonl": chat("My password: swordfish", "Noted")})
    talking.refresh().result(TIMEOUT)
    workspace = talking.find_workspace("agent").id
    text = talking.notes.read(NoteAddress(workspace, "sessions/two.jsonl")).result(TIMEOUT)
    assert text.split("\n")[1:3] == ["User: My password: [redacted]", "Assistant: Noted"]
    assert found(talking, "swordfish") == []


def test_a_few_new_messages_wait_until_there_are_enough(talking: Engine, agent: Path) -> None:
    file = agent / "sessions/one.jsonl"
    append(file, message("user", "And a canary called Corporal?"))
    assert talking.refresh().result(TIMEOUT)[0].changed == 0
    append(file, *(message("assistant", f"Yes, {number}") for number in range(49)))
    assert talking.refresh().result(TIMEOUT)[0].changed == 1
    assert found(talking, "Corporal") == ["sessions/one.jsonl"]


def test_many_new_bytes_are_read_however_few_messages_they_are(
    talking: Engine, agent: Path
) -> None:
    append(agent / "sessions/one.jsonl", message("user", "Corporal " * 12_000))
    assert talking.refresh().result(TIMEOUT)[0].changed == 1


def test_with_limits_of_zero_every_message_is_read_at_once(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path
) -> None:
    configure(sync={"sessions": {"deltaBytes": 0, "deltaMessages": 0}})
    engine = new_engine()
    engine.refresh(add(engine, agent)).result(TIMEOUT)
    append(agent / "sessions/one.jsonl", message("user", "And a canary called Corporal?"))
    engine.refresh().result(TIMEOUT)
    assert found(engine, "Corporal") == ["sessions/one.jsonl"]


def test_a_conversation_that_is_over_is_read_to_its_end(talking: Engine, agent: Path) -> None:
    file = agent / "sessions/one.jsonl"
    append(file, message("user", "And a canary called Corporal?"))
    yesterday = time.time() - 86_400
    os.utime(file, (yesterday, yesterday))
    talking.refresh().result(TIMEOUT)
    assert found(talking, "Corporal") == ["sessions/one.jsonl"]


def test_a_transcript_that_shrank_is_read_again(talking: Engine, agent: Path) -> None:
    write_notes(agent, {"sessions/one.jsonl": chat("Gone")})
    talking.refresh().result(TIMEOUT)
    assert found(talking, "Admiral") == []


def test_bad_transcripts_stop_nothing(talking: Engine, agent: Path) -> None:
    write_notes(
        agent,
        {
            "sessions/binary.jsonl": os.urandom(100_000),
            "sessions/empty.jsonl": b"",
            "sessions/cut.jsonl": chat("A toucan called Sergeant", "Yes")[:-20],
            "sessions/huge.jsonl": b'"message"' * 1_000_000 + b"\n" + chat("A huge emu"),
            "sessions/folder.jsonl/x.md": "x",
        },
    )
    platforms.make_link(agent / "sessions/link.jsonl", agent / "sessions/one.jsonl")
    [report] = talking.refresh().result(TIMEOUT)
    if not platforms.IS_WINDOWS:
        assert [file.path for file in report.skipped] == ["sessions/link.jsonl"]
    assert found(talking, "Sergeant") == ["sessions/cut.jsonl"]
    hit = first(talking, "emu", Mode.LEXICAL)
    assert (hit.path, hit.first_line) == ("sessions/huge.jsonl", 3)


def test_a_sessions_folder_that_cannot_be_read_loses_nothing(locked_away: Path) -> None:
    switches = """{memorySearch: {
      experimental: {sessionMemory: true}, sources: ["sessions"], sessions: {paths: ["sessions"]},
    }}"""
    root = write_notes(locked_away / "agent", {"sessions/one.jsonl": chat("I like zebras")})
    write_notes(locked_away / "home", {"config.json5": switches})
    engine = Engine(Paths.under(locked_away / "home"), provider=WordProvider())
    try:
        engine.refresh(add(engine, root)).result(TIMEOUT)
        (root / "sessions").chmod(0)
        [report] = engine.refresh().result(TIMEOUT)
        assert (report.removed, len(report.skipped)) == (0, 1)
        assert found(engine, "zebras") == ["sessions/one.jsonl"]
    finally:
        engine.close()


def test_old_conversations_fade_by_their_last_change(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path
) -> None:
    configure(query={"hybrid": {"temporalDecay": {"enabled": True}}})
    old = time.time() - 30 * 86_400
    os.utime(agent / "sessions/one.jsonl", (old, old))
    engine = new_engine()
    engine.refresh(add(engine, agent)).result(TIMEOUT)
    hit = first(engine, "parrot Admiral", Mode.LEXICAL)
    assert hit.explanation.decay == pytest.approx(0.5, abs=0.02)


def test_chatty_transcripts_never_crowd_notes_out(
    configure: Callable[..., None], new_engine: NewEngine, tmp_path: Path
) -> None:
    said = [f"Zebra, zebra and zebra number {number}! " * 30 for number in range(300)]
    notes = {f"memory/{n}.md": f"# Trip {n}\n\nWe saw a zebra.\n" for n in range(5)}
    root = write_notes(tmp_path / "agent", {**notes, "sessions/s.jsonl": chat(*said)})
    configure()
    engine = new_engine()
    engine.refresh(add(engine, root)).result(TIMEOUT)
    for mode in Mode:
        hits = ask(engine, "zebra", mode, min_score=0.0).hits
        sources = [hit.source for hit in hits]
        assert len(hits) == 6
        assert sources.count(Source.SESSIONS) <= 2
        [top] = ask(engine, "zebra", mode, min_score=0.0, max_results=1).hits
        assert (top.path, top.first_line) == (hits[0].path, hits[0].first_line)


@pytest.mark.parametrize(
    ("program", "settings", "root", "agent_id"),
    [
        (".openclaw", None, ".openclaw/workspace", "main"),
        (".coderclaw", None, ".coderclaw/workspace", "main"),
        (".clawdbot", None, "clawd", "main"),
        (
            ".clawdbot",
            '{agents: {list: [{id: "Jay", workspace: "~/Birds"}, {id: "kea"}]}}',
            "Birds",
            "jay",
        ),
    ],
)
def test_conversations_are_found_for_the_agent_of_a_folder(
    configure: Callable[..., None],
    new_engine: NewEngine,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    program: str,
    settings: str | None,
    root: str,
    agent_id: str,
) -> None:
    """Whatever id the folder has here; those of other agents are not."""
    home = tmp_path / "person"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    said = {agent_id: "The parrot is called Admiral.", "kea": "The parrot is called Colonel."}
    for name, text in said.items():
        file = f"{program}/agents/{name}/sessions/one.jsonl"
        write_notes(home, {file: transcript(message("assistant", text))})
    write_notes(home, {f"{root}/MEMORY.md": "# Memory\n"})
    if settings:
        write_notes(home, {f"{program}/{program[1:]}.json": settings})
    configure(sessions={})
    engine = new_engine()
    engine.refresh(add(engine, home / root, "Another name")).result(TIMEOUT)
    assert [hit.snippet.text for hit in ask(engine, "parrot", Mode.LEXICAL).hits] == [
        "Assistant: The parrot is called Admiral."
    ]


def test_folders_of_conversations_are_watched(
    configure: Callable[..., None], new_engine: NewEngine, agent: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    growth = {"sessions": {"deltaBytes": 0, "deltaMessages": 0}, "onSearch": False}
    configure(sessions={"paths": [str(elsewhere)]}, sync=growth)
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    add(engine, agent)
    heard.wait(lambda: heard.of(IndexFinished))
    write_notes(elsewhere, {"two.jsonl": transcript(message("user", "A toucan?"))})
    heard.wait(lambda: found(engine, "toucan") == ["sessions/two.jsonl"])
