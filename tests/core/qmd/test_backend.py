"""QMD behind the engine: it answers when it can, and the built-in search when it cannot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scrubjay.config.loading import load_settings
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused
from scrubjay.events import IndexChanged, IndexFinished
from scrubjay.health.findings import FindingKind
from scrubjay.platform.paths import Paths
from scrubjay.records.conversation import Conversation
from scrubjay.records.note_records import ONE_PAGE, NoteAddress, Source
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchAnswer
from support import platforms
from support.qmd_program import QMD, answering, program
from support.transcripts import message, transcript
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, tree_digest, write_notes
from support.waiting import wait_until

SLOW_MS = 25_000
"""No program takes so long, however busy this computer is."""

EMBEDS = QMD.replace("else:\n    sys.exit", "elif sys.argv[1] != 'embed':\n    sys.exit")
"""Knows `embed` too."""


Configured: TypeAlias = Callable[..., Engine]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_notes(
        tmp_path,
        {
            "agent/MEMORY.md": "# Curated\n\nThe user likes black coffee.\n",
            "agent/memory/2026-02-01.md": "# Day\n\nWe watered the tomatoes.\n",
            "agent/src/secret.md": "# Secret tomatoes\n",
            "wiki/Router.md": "# Router\n\nTomatoes are red.\n",
            "wiki/secret.txt": "tomatoes",
        },
    )


@pytest.fixture
def configured(new_engine: NewEngine, paths: Paths, vault: Path) -> Configured:
    """An engine over the vault whose settings choose QMD."""

    def make(code: str | None = QMD, **qmd: Any) -> Engine:
        command = str(program(vault / "bin", code)) if code is not None else "no-such-qmd"
        settings = {
            "workspaces": [{"id": "jay", "path": str(vault / "agent")}],
            "memorySearch": {"query": {"minScore": 0}},
            "memory": {
                "backend": "qmd",
                "qmd": {"command": command, "limits": {"timeoutMs": SLOW_MS}, **qmd},
            },
        }
        paths.config_file.parent.mkdir(parents=True, exist_ok=True)
        paths.config_file.write_text(json.dumps(settings))
        return new_engine()

    return make


def wiki(vault: Path) -> list[dict[str, str]]:
    return [{"path": str(vault / "wiki"), "name": "wiki"}]


def asked(paths: Paths) -> list[str]:
    return (paths.state / "qmd/jay/asked.txt").read_text().splitlines()


def named(answer: SearchAnswer) -> list[str]:
    return [hit.citation for hit in answer.hits]


def test_qmd_answers_with_its_own_results(configured: Configured, vault: Path) -> None:
    before = tree_digest(vault / "agent")
    engine = configured(paths=wiki(vault))
    answer = ask(engine, "tomatoes")
    assert named(answer) == ["memory/2026-02-01.md#L3-L3", "qmd/wiki/Router.md#L3-L3"]
    assert answer.hits[0].snippet.text == "We watered the tomatoes."
    assert (answer.provider, answer.model, answer.takeover) == ("qmd", "search", None)
    assert engine.status().backend.name == "qmd"
    assert engine.status().backend.reason == ""
    assert tree_digest(vault / "agent") == before


def test_what_changed_is_read_again(configured: Configured, vault: Path, paths: Paths) -> None:
    engine = configured(update={"interval": "1ms"})
    assert named(ask(engine, "cucumbers")) == []
    write_notes(vault, {"agent/memory/2026-02-02.md": "# Day\n\nCucumbers.\n"})
    assert named(ask(engine, "cucumbers")) == ["memory/2026-02-02.md#L3-L3"]


def test_an_engine_that_follows_updates_by_itself(
    configured: Configured, vault: Path, paths: Paths
) -> None:
    engine = configured(update={"debounceMs": 50, "interval": 0})
    engine.start()
    wait_until(lambda: (paths.state / "qmd/jay/updated").exists())
    write_notes(vault, {"agent/memory/2026-02-02.md": "# Day\n\nCucumbers.\n"})
    wait_until(lambda: named(ask(engine, "cucumbers")) == ["memory/2026-02-02.md#L3-L3"])


def test_other_collections_and_conversations_count_at_once(
    configured: Configured, vault: Path, tmp_path: Path
) -> None:
    """Also on the command line, before an interval is over."""
    said = [message("user", "Tomatoes are fruit")]
    write_notes(vault, {"agent/sessions/one.jsonl": transcript(*said)})
    assert len(named(ask(configured(), "tomatoes"))) == 1
    with_wiki = ask(configured(paths=wiki(vault)), "tomatoes")
    assert "qmd/wiki/Router.md#L3-L3" in named(with_wiki)
    own = write_notes(tmp_path / "out", {"mine.md": "Mine\n"})
    sessions = {"enabled": True, "exportDir": str(own)}
    answer = ask(configured(paths=wiki(vault), sessions=sessions), "tomatoes")
    assert [hit.file for hit in answer.hits if hit.source is Source.SESSIONS] == [
        own / "scrubjay-jay" / "one.md"
    ]
    configured(sessions={"enabled": False, "exportDir": str(own)})
    assert (own / "mine.md").is_file()


def test_a_search_waits_for_the_update_at_start_if_it_is_told_to(
    configured: Configured, vault: Path
) -> None:
    slow = "import sys, time\ntime.sleep(0.5 * (sys.argv[1] == 'update'))\n" + QMD
    ask(configured(slow), "tomatoes")
    write_notes(vault, {"agent/memory/2026-02-02.md": "# Day\n\nCucumbers.\n"})
    engine = configured(slow, update={"waitForBootSync": True, "interval": "1h"})
    engine.start()
    assert named(ask(engine, "cucumbers")) == ["memory/2026-02-02.md#L3-L3"]


def test_in_a_group_that_may_search_the_curated_memory_is_closed(configured: Configured) -> None:
    engine = configured(scope={"default": "allow"})
    group = Conversation("agent:jay:telegram:group:1")
    assert named(ask(engine, "coffee")) == ["MEMORY.md#L3-L3"]
    assert named(ask(engine, "coffee", conversation=group)) == []
    page = engine.notes.page(NoteAddress("jay", "qmd/memory-root/MEMORY.md"), ONE_PAGE, group)
    with pytest.raises(NoteRefused, match="private"):
        page.result(TIMEOUT)


def test_updates_begin_once_qmd_is_chosen_and_end_with_it(
    configured: Configured, vault: Path, paths: Paths
) -> None:
    def choose(settings: str) -> None:
        paths.config_file.write_text(settings)
        engine.reload_settings().result(TIMEOUT)

    engine = configured(update={"debounceMs": 50, "interval": 0})
    heard = Announcements(engine)
    updated = paths.state / "qmd/jay/updated"
    with_qmd = paths.config_file.read_text()
    choose(with_qmd.replace('"backend": "qmd"', '"backend": "builtin"'))
    engine.start()
    heard.wait(lambda: heard.of(IndexFinished))
    choose(with_qmd)
    assert not updated.exists()
    write_notes(vault, {"agent/memory/2026-02-02.md": "# Day\n\nCucumbers.\n"})
    wait_until(updated.exists)
    choose(with_qmd.replace('"backend": "qmd"', '"backend": "builtin"'))
    updated.unlink()
    before = len(heard.of(IndexChanged))
    write_notes(vault, {"agent/memory/2026-02-03.md": "# Day\n\nPumpkins.\n"})
    heard.wait(lambda: len(heard.of(IndexChanged)) > before)
    time.sleep(0.3)
    assert not updated.exists()


def test_a_workspace_that_is_removed_before_it_is_quiet_is_not_read_again(
    configured: Configured, vault: Path, paths: Paths
) -> None:
    engine = configured(update={"debounceMs": 1500, "interval": 0})
    engine.start()
    wait_until(lambda: (paths.state / "qmd/jay/updated").exists())
    heard = Announcements(engine)
    write_notes(vault, {"agent/memory/2026-02-02.md": "# Day\n\nCucumbers.\n"})
    heard.wait(lambda: any(event.changed for event in heard.of(IndexChanged)))
    engine.folders.remove(engine.find_workspace("jay")).result(TIMEOUT)
    add(engine, vault / "wiki")
    wait_until(lambda: (paths.state / "qmd/wiki/updated").exists())
    assert [folder.name for folder in (paths.state / "qmd").iterdir() if folder.is_dir()] == [
        "wiki"
    ]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (None, "The program 'no-such-qmd' was not found."),
        ("import sys; sys.exit('broken')", "QMD exited with code 1: broken."),
        (answering("Segmentation fault"), "QMD sent a response that Scrubjay cannot read."),
        (answering('{"error": 1}'), "QMD sent a response that is not a list of results."),
        (
            "import sys, time\nif sys.argv[1] == 'search': time.sleep(600)\n",
            "QMD did not respond within 0.5 seconds.",
        ),
    ],
)
def test_when_qmd_fails_the_built_in_search_answers(
    configured: Configured, code: str | None, reason: str
) -> None:
    engine = configured(code, limits={"timeoutMs": 500 if "0.5" in reason else SLOW_MS})
    answer = ask(engine, "tomatoes")
    assert answer.hits[0].path == "memory/2026-02-01.md"
    assert answer.takeover is not None
    assert (answer.takeover.provider, answer.takeover.reason) == ("qmd", reason)
    assert answer.provider != "qmd"
    assert engine.status().backend.reason == reason
    assert engine.current_status().result(TIMEOUT).backend.reason == reason


def test_after_a_failure_qmd_is_left_alone(configured: Configured, vault: Path) -> None:
    engine = configured("import sys; sys.exit('broken')")
    assert ask(engine, "tomatoes").provider != "qmd"
    program(vault / "bin")
    assert ask(engine, "tomatoes").provider != "qmd"


@pytest.mark.limits(qmd_pause_seconds=0)
def test_after_the_pause_qmd_is_tried_again(configured: Configured, vault: Path) -> None:
    engine = configured("import sys; sys.exit('broken')")
    assert ask(engine, "tomatoes").provider != "qmd"
    program(vault / "bin")
    assert ask(engine, "tomatoes").provider == "qmd"
    assert engine.status().backend.reason == ""


def test_other_settings_are_tried_at_once(
    configured: Configured, vault: Path, paths: Paths
) -> None:
    engine = configured(None)
    assert ask(engine, "tomatoes").takeover is not None
    settings = json.loads(paths.config_file.read_text())
    settings["memory"]["qmd"]["command"] = str(program(vault / "bin"))
    paths.config_file.write_text(json.dumps(settings))
    engine.reload_settings().result(TIMEOUT)
    assert engine.status().backend.reason == ""
    assert ask(engine, "tomatoes").provider == "qmd"


def test_a_mode_that_qmd_does_not_know_becomes_query(configured: Configured, paths: Paths) -> None:
    engine = configured(EMBEDS, searchMode="vsearch")
    for _ in range(2):
        assert named(ask(engine, "tomatoes")) == ["memory/2026-02-01.md#L3-L3"]
    commands = [line.split()[0] for line in asked(paths)]
    assert commands == ["update", "embed", "vsearch", "query", "query"]


def test_meaning_without_vectors_is_a_failure_and_not_an_empty_answer(
    configured: Configured, paths: Paths
) -> None:
    answer = ask(configured(searchMode="vsearch"), "tomatoes")
    assert answer.hits[0].path == "memory/2026-02-01.md"
    assert answer.takeover is not None
    assert answer.takeover.reason == "QMD has not prepared the notes for search by meaning yet."
    assert [line.split()[0] for line in asked(paths)] == ["update", "embed"]


def test_a_query_is_no_option_and_no_second_line(configured: Configured, paths: Paths) -> None:
    engine = configured(limits={"maxResults": 3, "timeoutMs": SLOW_MS})
    ask(engine, "--all\nvec:  tomatoes\0")
    assert asked(paths)[-1] == "search --json -n 3 -- --all vec: tomatoes"


@pytest.mark.parametrize(
    ("fields", "mode"), [({}, Mode.LEXICAL), ({}, Mode.VECTOR), ({"is_typing": True}, Mode.HYBRID)]
)
def test_words_meaning_and_half_typed_words_are_not_for_qmd(
    configured: Configured, fields: dict[str, Any], mode: Mode
) -> None:
    answer = ask(configured(), "tomatoes", mode, **fields)
    assert answer.provider != "qmd"
    assert answer.takeover is None


@pytest.mark.parametrize("question", ["tomatoes -red", "tomatoes OR milk", "path:memory tomatoes"])
def test_operators_that_qmd_lacks_are_for_the_built_in_search(
    configured: Configured, question: str
) -> None:
    answer = ask(configured(), question)
    assert named(answer)[0] == "memory/2026-02-01.md#L1-L3"
    assert answer.takeover
    assert answer.provider != "qmd"
    assert answer.takeover.reason == "QMD does not know these operators."


def test_conversations_out_of_scope_find_nothing(
    configured: Configured, paths: Paths, caplog: pytest.LogCaptureFixture
) -> None:
    engine = configured()
    group = Conversation("agent:jay:telegram:group:1")
    for mode in (Mode.HYBRID, Mode.LEXICAL):
        answer = ask(engine, "tomatoes", mode, conversation=group)
        assert answer.hits == ()
        assert "memory.qmd.scope" in answer.fallback_reason
    assert "channel 'telegram', chatType 'group'" in caplog.text
    assert not (paths.state / "qmd").exists()


@pytest.mark.parametrize(
    "scope",
    [
        {"rules": [{"action": "allow", "match": {"chatType": "directly"}}]},
        {"rules": [{"action": "allow", "match": {"chattype": "direct"}}]},
        {"rules": {"action": "allow"}},
        {"default": "allowed"},
        "open",
    ],
)
def test_a_scope_that_makes_no_sense_denies(configured: Configured, scope: object) -> None:
    assert ask(configured(scope=scope), "tomatoes").hits == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("qmd/wiki/Router.md", "# Router\n\nTomatoes are red."),
        ("qmd/memory-dir/2026-02-01.md", "# Day\n\nWe watered the tomatoes."),
        ("memory/2026-02-01.md", "# Day\n\nWe watered the tomatoes."),
        ("qmd/wiki/gone.md", ""),
    ],
)
def test_notes_of_collections_are_read(
    configured: Configured, vault: Path, path: str, text: str
) -> None:
    engine = configured(paths=wiki(vault))
    assert engine.notes.page(NoteAddress("jay", path)).result(TIMEOUT).text == text


@pytest.mark.parametrize(
    "path",
    [
        "qmd/wiki/secret.txt",
        "qmd/wiki/../agent/src/secret.md",
        "qmd/wiki/./Router.md",
        "qmd/wiki//Router.md",
        "qmd/wiki/",
        "qmd/wiki",
        "qmd/memory-root/src/secret.md",
        "qmd/memory-dir/../src/secret.md",
        "qmd/nobody/Router.md",
        *(
            pytest.param(path, marks=pytest.mark.needs("links"))
            for path in ("qmd/wiki/link.md", "qmd/wiki/folder/2026-02-01.md")
        ),
        "qmd/wiki/Router.md\0",
        "qmd/wiki\\Router.md",
        "qmd/../../agent/src/secret.md",
        "QMD/wiki/Router.md",
    ],
)
def test_nothing_outside_of_a_collection_is_read(
    configured: Configured, vault: Path, path: str
) -> None:
    platforms.make_link(vault / "wiki/link.md", vault / "agent/src/secret.md")
    platforms.make_link(vault / "wiki/folder", vault / "agent/memory")
    engine = configured(paths=wiki(vault))
    with pytest.raises(NoteRefused):
        engine.notes.page(NoteAddress("jay", path)).result(TIMEOUT)


def test_two_workspaces_have_homes_of_their_own(
    configured: Configured, paths: Paths, vault: Path
) -> None:
    configured()
    settings = json.loads(paths.config_file.read_text())
    settings["workspaces"].append({"id": "wiki", "path": str(vault / "wiki")})
    paths.config_file.write_text(json.dumps(settings))
    engine = Engine(paths)
    try:
        assert {hit.workspace for hit in ask(engine, "tomatoes").hits} == {"jay", "wiki"}
        assert [hit.workspace for hit in ask(engine, "tomatoes", workspace="wiki").hits] == ["wiki"]
    finally:
        engine.close()
    folders = {file.parent.parent.parent.name for file in paths.state.rglob("index.yml")}
    assert folders == {"jay", "wiki"}


def test_a_note_of_a_collection_can_be_shown(configured: Configured, vault: Path) -> None:
    engine = configured(paths=wiki(vault))
    text = engine.notes.read(NoteAddress("jay", "qmd/wiki/Router.md")).result(TIMEOUT)
    assert text == "# Router\n\nTomatoes are red.\n"
    with pytest.raises(NoteRefused):
        engine.notes.read(NoteAddress("jay", "qmd/wiki/secret.txt")).result(TIMEOUT)


def test_a_later_program_knows_why_qmd_did_not_answer(
    configured: Configured, new_engine: NewEngine, vault: Path
) -> None:
    ask(configured("import sys; sys.exit('broken')"), "tomatoes")
    later = new_engine()
    reason = later.current_status().result(TIMEOUT).backend.reason
    assert reason == "QMD exited with code 1: broken."
    program(vault / "bin")
    assert ask(later, "tomatoes").provider == "qmd"
    assert new_engine().current_status().result(TIMEOUT).backend.reason == ""


def test_a_check_up_tells_that_qmd_does_not_answer(configured: Configured) -> None:
    engine = configured(None)
    ask(engine, "tomatoes")
    findings = engine.health.check().result(TIMEOUT).findings
    told = [finding.values["reason"] for finding in findings if finding.kind is FindingKind.QMD]
    assert told == ["The program 'no-such-qmd' was not found."]


def test_forgetting_a_workspace_deletes_what_qmd_has_of_it(
    configured: Configured, paths: Paths, vault: Path
) -> None:
    before = tree_digest(vault / "agent")
    engine = configured()
    ask(engine, "tomatoes")
    engine.folders.remove(engine.find_workspace("jay")).result(TIMEOUT)
    wait_until(lambda: not (paths.state / "qmd/jay").exists())
    assert tree_digest(vault / "agent") == before


def test_conversations_are_exported_while_that_is_wanted(
    configured: Configured, paths: Paths, vault: Path
) -> None:
    said = {"type": "message", "message": {"role": "user", "content": "A zeppelin came by."}}
    write_notes(vault, {"agent/sessions/one.jsonl": json.dumps(said)})
    answer = ask(configured(sessions={"enabled": True}), "zeppelin")
    assert [(hit.path, hit.source) for hit in answer.hits] == [
        ("qmd/sessions/one.md", Source.SESSIONS)
    ]
    engine = configured(update={"interval": "1ms"})
    assert named(ask(engine, "zeppelin")) == []
    assert not (paths.state / "qmd/jay/sessions").exists()


def test_closing_does_not_wait_for_qmd(configured: Configured, paths: Paths) -> None:
    engine = configured("import pathlib, time; pathlib.Path('ran').touch(); time.sleep(600)")
    engine.start()
    wait_until(lambda: (paths.state / "qmd/jay/ran").exists())
    engine.close()  # would hang for two minutes


def test_the_settings_of_openclaw_are_understood(paths: Paths) -> None:
    paths.config_file.parent.mkdir(parents=True)
    paths.config_file.write_text(
        "{memory: {backend: 'QMD', qmd: {searchMode: 'query', searchTool: 'x',"
        " update: {interval: '90s', embedInterval: '1h', debounceMs: 0}, limits: {timeoutMs: 1},"
        " sessions: {enabled: true, retentionDays: 30, exportDir: '~/x'}}}}"
    )
    loaded = load_settings(paths.config_file)
    memory = loaded.settings.memory
    assert (memory.backend, memory.qmd.search_mode) == ("qmd", "query")
    assert (memory.qmd.update.interval, memory.qmd.update.embed_interval) == (1.5, 60)
    assert memory.qmd.sessions.retention_days == 30
    assert memory.qmd.limits.timeout_ms == 100
    assert [problem.key for problem in loaded.problems] == ["memory.qmd.limits.timeoutMs"]
    assert loaded.not_used == ("memory.qmd.searchTool",)
    assert memory.qmd.sessions.export_dir == "~/x"
    assert memory.qmd.scope.rules[0].match.chat_type == "direct"
