"""The tools over several workspaces, and when things take too long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, IndexUnavailable
from scrubjay.events import AuditLogChanged
from scrubjay.mcp_server import tools as tools_module
from scrubjay.mcp_server.authorization import Caller, ToolCall
from scrubjay.mcp_server.tools import MemoryTools, ToolReply
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from scrubjay.records.status_records import IndexState
from support.providers import HungProvider, WordProvider
from support.reader_models import install_reader
from support.vault import TIMEOUT, Announcements, NewEngine, add, write_notes
from support.waiting import wait_until

CALLER = Caller("bot", "Bot")


def call(tools: MemoryTools, name: str, **arguments: Any) -> ToolReply:
    given = {key.removesuffix("_"): value for key, value in arguments.items()}
    return tools.call(name, given, CALLER, CancelToken(), lambda *_: None)


def paths_of(reply: ToolReply) -> set[tuple[str, str]]:
    return {(result["workspace"], result["path"]) for result in reply.structured["results"]}


def text_of(reply: ToolReply) -> str:
    return " ".join(map(str, reply.structured.values()))


def rule(
    engine: Engine, workspace: str, permission: Permission, action: Action = Action.READ
) -> None:
    engine.agents.set_rule("bot", workspace, action, permission).result(TIMEOUT)


@pytest.fixture
def two(engine: Engine, tmp_path: Path) -> MemoryTools:
    """Two workspaces that share a path."""
    for name in ("work", "diary"):
        notes = {
            "MEMORY.md": f"# {name}\n\nThe acorn of {name}.\n",
            f"memory/{name}.md": "Acorn.\n",
        }
        add(engine, write_notes(tmp_path / name, notes))
    return MemoryTools(engine)


def test_what_fails_after_the_program_was_moved_is_told_to_an_agent(
    two: MemoryTools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools_module, "checked_arguments", None)
    assert "An internal error occurred" in text_of(call(two, "memory_search", query="acorn"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    reply = call(two, "memory_search", query="acorn")
    assert text_of(reply) == (
        "Scrubjay was moved or removed while this server was running. Start the server again."
    )


def test_a_denied_workspace_is_left_out_and_named_as_such(two: MemoryTools, engine: Engine) -> None:
    assert {workspace for workspace, _ in paths_of(call(two, "memory_search", query="acorn"))} == {
        "work",
        "diary",
    }
    rule(engine, "diary", Permission.DENY)
    reply = call(two, "memory_search", query="acorn")
    assert {workspace for workspace, _ in paths_of(reply)} == {"work"}
    [left_out] = reply.structured["notSearched"]
    assert left_out["workspace"] == "diary"
    context = call(two, "memory_context", message="What of the acorn of diary?")
    assert {workspace for workspace, _ in paths_of(context)} == {"work"}


def test_nobody_is_asked_while_another_workspace_answers(two: MemoryTools, engine: Engine) -> None:
    rule(engine, "diary", Permission.ASK)
    reply = call(two, "memory_search", query="acorn")
    assert {workspace for workspace, _ in paths_of(reply)} == {"work"}
    assert "was not asked" in reply.structured["notSearched"][0]["reason"]
    refused = call(two, "memory_search", query="acorn", workspace="diary")
    assert refused.is_error
    # Nobody can be asked while the app is closed, and the answer claims nothing else.
    assert "could not be asked" in text_of(refused)


def test_what_is_closed_to_an_agent_is_said_once(two: MemoryTools, engine: Engine) -> None:
    engine.agents.set_rule("bot", "", Action.WRITE, Permission.DENY).result(TIMEOUT)
    written = call(two, "memory_write", text="An acorn fell")
    assert written.structured == {
        "error": "bot is not allowed to write to any workspace",
        "action": (
            "Only the user can change this, on the Agents page in Scrubjay or with `scrubjay "
            "agents allow bot --write`."
        ),
    }
    rule(engine, "diary", Permission.DENY)
    rule(engine, "work", Permission.ASK)
    error = call(two, "memory_search", query="acorn").structured["error"]
    assert error.startswith("bot is not allowed to read any workspace: Scrubjay is not open")


def test_a_note_that_is_missed_may_be_in_a_workspace_that_was_not_looked_into(
    two: MemoryTools, engine: Engine
) -> None:
    rule(engine, "diary", Permission.ASK)
    reply = call(two, "memory_get", path="memory/diary.md").structured
    assert reply["missing"]
    assert [part["workspace"] for part in reply["notSearched"]] == ["diary"]


def test_one_workspace_can_be_named(two: MemoryTools) -> None:
    reply = call(two, "memory_search", query="acorn", workspace="diary")
    assert {workspace for workspace, _ in paths_of(reply)} == {"diary"}
    page = call(two, "memory_get", path="MEMORY.md", workspace="work")
    assert "acorn of work" in page.structured["text"]


def test_a_path_that_two_workspaces_have_is_asked_back(two: MemoryTools) -> None:
    reply = call(two, "memory_get", path="MEMORY.md")
    assert reply.is_error
    assert "work, diary" in text_of(reply)
    assert call(two, "memory_get", path="memory/diary.md").structured["workspace"] == "diary"
    # What nobody has is not said to be an empty note of the first one.
    nothing = call(two, "memory_get", path="memory/none.md").structured
    assert (nothing["text"], nothing["missing"], nothing.get("workspace")) == ("", True, None)
    assert call(two, "memory_get", path="../x.md").is_error


def test_writing_needs_one_workspace_that_may_be_written_to(
    two: MemoryTools, engine: Engine
) -> None:
    assert call(two, "memory_write", text="x").is_error
    rule(engine, "work", Permission.ALLOW, Action.WRITE)
    written = call(two, "memory_write", text="An acorn fell", workspace=None, toolCallId="x")
    assert written.structured["workspace"] == "work"
    assert "toolCallId" in written.structured["note"]
    proposed = call(two, "memory_write", text="x", workspace="diary").structured
    assert proposed["state"] == "proposed"
    rule(engine, "diary", Permission.ALLOW, Action.WRITE)
    assert "Specify a workspace" in text_of(call(two, "memory_write", text="x"))


@pytest.mark.parametrize("text", ["../../etc\n# Title", "](../x.md)", "---\npath: ../x.md\n---"])
def test_writing_never_leaves_the_file_of_today(
    two: MemoryTools, engine: Engine, tmp_path: Path, text: str
) -> None:
    rule(engine, "work", Permission.ALLOW, Action.WRITE)
    before = {path for path in tmp_path.rglob("*") if path.suffix == ".md"}
    written = call(two, "memory_write", text=text).structured
    after = {path for path in tmp_path.rglob("*") if path.suffix == ".md"}
    assert after - before == {tmp_path / "work" / written["path"]}


@pytest.mark.needs("POSIX modes")
def test_a_read_only_workspace_is_not_written_to(
    two: MemoryTools, engine: Engine, tmp_path: Path
) -> None:
    rule(engine, "work", Permission.ALLOW, Action.WRITE)
    folder = tmp_path / "work" / "memory"
    folder.chmod(0o555)
    reply = call(two, "memory_write", text="x")
    folder.chmod(0o755)
    assert reply.is_error
    assert "not allowed to write" in text_of(reply)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_search", {"query": "router"}),
        ("memory_context", {"message": "Where does the router stand?"}),
    ],
)
def test_a_model_that_hangs_never_holds_up_an_answer(
    new_engine: NewEngine, notes: Path, tool: str, arguments: dict[str, str]
) -> None:
    add(new_engine(), notes)
    new_engine().refresh().result(TIMEOUT)
    hung = HungProvider()
    tools = MemoryTools(new_engine(hung), answer_s=0.2)
    reply = call(tools, tool, **arguments)
    assert ("notes", "house/router.md") in paths_of(reply)
    assert reply.structured["mode"] == "lexical"
    assert reply.structured["fallback"]["reason"]
    hung.close()


@pytest.fixture
def cold(paths: Paths, notes: Path) -> Iterator[MemoryTools]:
    """Tools over notes that are read, with a model that nothing has started yet."""
    engine = Engine(paths)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    engine.close()
    engine = Engine(paths)
    yield MemoryTools(engine, cold_s=0.0)
    # A model that is still starting would outlive its engine.
    wait_until(lambda: engine.status().model.is_ready)
    engine.close()


@pytest.mark.model
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_search", {"query": "which instrument does she like"}),
        ("memory_context", {"message": "Which instrument does she like?"}),
    ],
)
def test_a_first_question_waits_for_the_model_where_words_find_nothing(
    cold: MemoryTools, tool: str, arguments: dict[str, str]
) -> None:
    reply = call(cold, tool, **arguments).structured
    assert (reply["mode"], reply.get("fallback")) == ("hybrid", None)
    near = [*reply["results"], *reply.get("uncertain", [])]
    assert near[0]["path"] == "people/emma.md"
    assert "had to start" in reply["waitedFor"]


@pytest.mark.model
def test_a_first_question_waits_for_the_model_where_words_are_late(cold: MemoryTools) -> None:
    tools = MemoryTools(cold.engine, cold_s=0.0, words_s=0.0)
    reply = call(tools, "memory_search", query="router password").structured
    assert [hit["path"] for hit in reply["results"]][:1] == ["house/router.md"]


@pytest.mark.model
def test_a_first_question_is_answered_by_words_where_they_are_sure(cold: MemoryTools) -> None:
    reply = call(cold, "memory_search", query="router password").structured
    assert [hit["path"] for hit in reply["results"]] == ["house/router.md"]
    assert "still starting" in reply["fallback"]["reason"]


def test_no_model_is_said_to_start_where_words_alone_are_wanted(notes: Path, paths: Paths) -> None:
    write_notes(paths.config, {"config.json5": '{memorySearch: {provider: "none"}}'})
    engine = Engine(paths)
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    tools = MemoryTools(engine, cold_s=0.0)
    reply = call(tools, "memory_search", query="router password").structured
    engine.close()
    assert [hit["path"] for hit in reply["results"]] == ["house/router.md"]
    assert "turned off in the settings" in reply["fallback"]["reason"]


def test_a_call_that_nobody_waits_for_any_more_ends(new_engine: NewEngine, notes: Path) -> None:
    add(new_engine(), notes)
    new_engine().refresh().result(TIMEOUT)
    hung, cancel = HungProvider(), CancelToken()
    tools = MemoryTools(new_engine(hung))
    with ThreadPoolExecutor() as pool:
        running = pool.submit(
            tools.call, "memory_search", {"query": "router"}, CALLER, cancel, lambda *_: None
        )
        cancel.cancel()
        with pytest.raises(Cancelled):
            running.result(TIMEOUT)
    hung.close()


@pytest.mark.parametrize(("elapsed_s", "left_s"), [(25.0, 1.0), (28.0, 0.0), (600.0, 0.0)])
def test_a_step_that_comes_late_has_a_second_until_the_answer_is_due(
    elapsed_s: float, left_s: float
) -> None:
    began = time.perf_counter() - elapsed_s
    call = ToolCall(CALLER, "memory_get", "", CancelToken(), began=began)
    assert call.left_s(20.0) == left_s
    with pytest.raises(IndexUnavailable, match="in time"):
        ToolCall(CALLER, "memory_get", "", CancelToken(), began=began - 100).result(Future(), 20.0)


def test_vectors_are_computed_beside_the_answers(new_engine: NewEngine, notes: Path) -> None:
    engine = new_engine(WordProvider())
    add(engine, notes)
    call(MemoryTools(engine), "memory_search", query="router")
    wait_until(lambda: engine.status().workspaces[0].freshness.embedded == 1)


def test_indexing_is_left_to_the_app_while_it_runs(new_engine: NewEngine, notes: Path) -> None:
    app = new_engine()
    workspace = add(app, notes)
    app.refresh().result(TIMEOUT)
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    server = new_engine(HungProvider())
    call(MemoryTools(server, answer_s=0.2), "memory_search", query="router")
    state = {status.workspace.id: status.state for status in server.status().workspaces}[
        workspace.id
    ]
    assert state is IndexState.READY
    assert [
        thread.name
        for thread in threading.enumerate()
        if thread.name.startswith("scrubjay-background")
    ] == []


def test_a_pass_of_the_server_gives_way_when_the_app_comes(
    new_engine: NewEngine, notes: Path
) -> None:
    server = new_engine(hung := HungProvider())
    workspace = add(server, notes)
    tools = MemoryTools(server, answer_s=0.2)
    call(tools, "memory_search", query="router")
    assert hung.is_asked.wait(TIMEOUT)
    app = new_engine()
    app.agents.announce_presence()
    hung.close()
    wait_until(lambda: not _background_threads())
    app.refresh(workspace).result(TIMEOUT)


def _background_threads() -> list[Callable[..., object]]:
    return [
        thread.run
        for thread in threading.enumerate()
        if thread.name.startswith("scrubjay-background")
    ]


def test_a_pass_waits_for_a_short_write_of_another_process(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes)
    engine.refresh().result(TIMEOUT)
    [index] = engine.paths.indexes.glob("*.sqlite")
    with FileLock(f"{index}.lock"):
        pass_ = engine.refresh(workspace)
        wait_until(pass_.running)
    [report] = pass_.result(TIMEOUT)
    assert report.unchanged == 3
    assert engine.status().workspaces[0].state is IndexState.READY


def test_an_index_that_another_process_writes_answers_all_the_same(
    engine: Engine, notes: Path
) -> None:
    add(engine, notes)
    tools = MemoryTools(engine)
    call(tools, "memory_search", query="router")
    [index] = engine.paths.indexes.glob("*.sqlite")
    wait_until(lambda: not _background_threads())
    with FileLock(f"{index}.lock"):
        reply = call(tools, "memory_search", query="router")
    assert reply.structured["results"][0]["path"] == "house/router.md"


def test_without_the_app_a_question_is_a_polite_no(engine: Engine, notes: Path) -> None:
    workspace = add(engine, notes)
    rule(engine, workspace.id, Permission.ASK)
    reply = call(MemoryTools(engine), "memory_search", query="router")
    assert reply.is_error
    assert "`scrubjay agents allow bot" in text_of(reply)


def test_no_workspace_at_all_is_an_answer_that_says_what_to_do(engine: Engine) -> None:
    reply = call(MemoryTools(engine), "memory_search", query="router")
    assert not reply.is_error
    assert (reply.structured["results"], reply.structured["disabled"]) == ([], True)
    assert "workspace add" in reply.structured["action"]


@pytest.mark.parametrize("passed", [{"Query": "acorn of work"}, {"query": ["acorn of work"]}])
def test_the_log_shows_a_question_however_it_is_passed(
    two: MemoryTools, engine: Engine, passed: dict[str, Any]
) -> None:
    assert not call(two, "memory_search", **passed).is_error
    wait_until(lambda: len(engine.agents.audit_log().result(TIMEOUT)) == 1)
    [entry] = engine.agents.audit_log().result(TIMEOUT)
    assert entry.query == "acorn of work"


@pytest.fixture
def reading(new_engine: NewEngine, paths: Paths, tmp_path: Path) -> MemoryTools:
    """A workspace whose best note has few words of the question, and a result reader."""
    install_reader(paths)
    engine = new_engine()
    notes = {
        "MEMORY.md": "# Evening\n\nRead a book, and sleep at home early.\n",
        "memory/router.md": "# Router\n\nThe wifi password of our home is on the sticker below "
        "the router in the hall.\n",
    }
    engine.refresh(add(engine, write_notes(tmp_path / "agent", notes))).result(TIMEOUT)
    return MemoryTools(engine)


@pytest.mark.parametrize(
    ("tool", "argument"), [("memory_search", "query"), ("memory_context", "message")]
)
def test_a_result_reader_reads_what_agents_find(
    reading: MemoryTools, tool: str, argument: str
) -> None:
    question = "how do I get on the internet at home"
    # With a model that still has to start, an agent is not kept waiting for two.
    call(reading, "memory_search", query="router")
    reply = call(reading, tool, **{argument: question})
    assert reply.structured["results"][0]["path"] == "memory/router.md"
    assert reading.engine.is_reader_warm


def test_a_result_reader_that_is_late_costs_no_result(reading: MemoryTools) -> None:
    call(reading, "memory_search", query="router")
    engine = reading.engine
    hurried = MemoryTools(engine, answer_s=1.0)
    # The thread of the result reader is busy with something else all that time.
    release = threading.Event()
    engine._parts.result_reader._jobs.submit(lambda: release.wait(TIMEOUT))  # noqa: SLF001
    reply = call(hurried, "memory_search", query="how do I get on the internet at home")
    release.set()
    assert {result["path"] for result in reply.structured["results"]} >= {"MEMORY.md"}
    assert "mode" not in reply.structured or reply.structured["mode"] == "hybrid"
