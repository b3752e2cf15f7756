"""The audit log: requests of agents, and the lines that they got, never their text."""

from __future__ import annotations

import datetime as dt
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from scrubjay.agents.access.audit_log import AuditLog
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.events import AccessAsked, AccessSettled, AuditLogChanged
from scrubjay.records.access_records import (
    AccessRequest,
    Action,
    AuditedHit,
    AuditEntry,
    Permission,
)
from support.vault import TIMEOUT, Announcements, NewEngine, add, write_notes

HIT = AuditedHit("w", "memory/2026-11-21.md", 3, 7)
ENTRY = AuditEntry("bot", "memory_search", "spare key", (HIT,), elapsed_ms=12.5, title="Bot 2")


def record(engine: Engine, *entries: AuditEntry) -> None:
    for entry in entries:
        engine.agents.record(entry).result(TIMEOUT)


def queries(engine: Engine, **fields: object) -> list[str]:
    page = engine.agents.audit_log(**fields).result(TIMEOUT)  # type: ignore[arg-type]
    return [entry.query for entry in page]


def test_an_entry_comes_back_as_it_was_noted(engine: Engine) -> None:
    before = dt.datetime.now().astimezone()
    record(engine, ENTRY)
    [entry] = engine.agents.audit_log().result(TIMEOUT)
    assert (entry.agent, entry.title) == ("bot", "Bot 2")
    assert (entry.tool, entry.query) == ("memory_search", "spare key")
    assert entry.hits == (HIT,)
    assert (entry.outcome, entry.elapsed_ms) == ("answered", 12.5)
    assert entry.at is not None
    assert entry.at >= before
    [agent] = engine.agents.known_agents().result(TIMEOUT)
    assert (agent.name, agent.title, agent.requests) == ("bot", "Bot 2", 1)


def test_an_agent_keeps_the_name_of_its_program_also_in_a_log_of_an_older_scrubjay(
    engine: Engine, new_engine: NewEngine
) -> None:
    record(engine, ENTRY)
    engine.close()
    [file] = (engine.paths.state / "agents").glob("*.sqlite")
    db = apsw.Connection(str(file))
    db.execute("drop table program")
    db.close()
    again = new_engine()
    record(again, AuditEntry("bot", "memory_get", "a.md", title="Bot 2", program="mcp"))
    record(again, AuditEntry("bot", "recall", "a hook knows of no program"))
    [agent] = again.agents.known_agents().result(TIMEOUT)
    assert (agent.program, agent.requests) == ("mcp", 3)
    [overview] = again.agents.overview().result(TIMEOUT)
    assert overview.program == "mcp"
    record(again, AuditEntry("bot", "memory_get", "a.md", title="Bot 2"))
    [agent] = again.agents.known_agents().result(TIMEOUT)
    assert agent.program == ""


def test_pages_follow_one_another_the_latest_first(engine: Engine) -> None:
    record(engine, *(AuditEntry("bot", "memory_get", str(number)) for number in range(7)))
    record(engine, AuditEntry("other", "memory_get", "theirs"))
    first = engine.agents.audit_log(limit=3).result(TIMEOUT)
    assert [entry.query for entry in first] == ["theirs", "6", "5"]
    assert queries(engine, limit=3, before=first[-1].id) == ["4", "3", "2"]
    assert queries(engine, agent="other") == ["theirs"]
    assert len(queries(engine)) == 8


def test_an_empty_log_makes_no_file(engine: Engine) -> None:
    assert engine.agents.audit_log().result(TIMEOUT) == ()
    assert engine.agents.known_agents().result(TIMEOUT) == ()
    assert not (engine.paths.state / "agents").exists()


def test_clearing_leaves_nothing_in_the_files(engine: Engine) -> None:
    record(engine, AuditEntry("bot", "memory_search", "a very private question"))
    engine.agents.clear().result(TIMEOUT)
    assert queries(engine) == []
    assert engine.agents.known_agents().result(TIMEOUT) == ()
    data = b"".join(file.read_bytes() for file in (engine.paths.state / "agents").iterdir())
    assert b"private" not in data


@pytest.mark.needs("POSIX modes")
def test_only_its_owner_may_read_the_log(engine: Engine) -> None:
    record(engine, ENTRY)
    for file in (engine.paths.state / "agents").glob("guests*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_noted_when_the_settings_say_so(engine: Engine) -> None:
    write_notes(engine.paths.config, {"config.json5": "{access: {auditLogDays: 0}}"})
    record(engine, ENTRY)
    assert queries(engine) == []


def test_old_and_surplus_entries_are_deleted(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log.sqlite", max_rows=3, prune_every=1)
    old = dt.datetime.now().astimezone() - dt.timedelta(days=91)
    log.write([AuditEntry("bot", "memory_get", "old", at=old)], days=90)
    assert log.page(None, 9) == ()
    for number in range(6):
        log.write([AuditEntry("bot", "memory_get", str(number))], days=90)
    assert [entry.query for entry in log.page(None, 9)] == ["5", "4", "3"]
    log.close()


@pytest.mark.parametrize(
    "content", [b"no database at all " * 99, b"SQLite format 3\0" + b"x" * 999]
)
def test_a_damaged_log_is_begun_anew(engine: Engine, content: bytes) -> None:
    folder = engine.paths.state / "agents"
    folder.mkdir(parents=True)
    (folder / "guests.sqlite").write_bytes(content)
    record(engine, ENTRY)
    assert queries(engine) == ["spare key"]


@pytest.mark.parametrize("is_open", [False, True])
def test_a_log_that_lost_its_end_is_begun_anew(
    engine: Engine, new_engine: NewEngine, *, is_open: bool
) -> None:
    for number in range(90):
        record(engine, AuditEntry("bot", "memory_get", f"{number} " + "long " * 300))
    file = engine.paths.state / "agents" / "guests.sqlite"
    with closing(apsw.Connection(str(file))) as db:
        db.execute("pragma wal_checkpoint(truncate)").fetchall()
    content = file.read_bytes()
    if not is_open:
        engine.close()
        engine = new_engine()
    file.write_bytes(content[: len(content) // 2 + 100])
    queries(engine)
    record(engine, ENTRY)
    assert queries(engine) == ["spare key"]
    assert queries(new_engine()) == ["spare key"]


@pytest.mark.needs("open files that move")
def test_a_log_that_another_process_began_anew_is_followed(
    engine: Engine, new_engine: NewEngine
) -> None:
    record(engine, ENTRY)
    for file in (engine.paths.state / "agents").glob("guests*"):
        file.unlink()
    record(new_engine(), AuditEntry("bot", "memory_search", "theirs"))
    record(engine, AuditEntry("bot", "memory_search", "mine"))
    assert queries(engine) == ["mine", "theirs"]


def test_a_log_of_a_newer_scrubjay_is_left_alone(engine: Engine, new_engine: NewEngine) -> None:
    record(engine, ENTRY)
    engine.close()
    file = engine.paths.state / "agents" / "guests.sqlite"
    with closing(apsw.Connection(str(file))) as db:
        db.execute("pragma user_version = 99")
    record(new_engine(), ENTRY)
    assert queries(new_engine()) == []


def test_odd_text_is_taken(engine: Engine) -> None:
    record(engine, AuditEntry("bot", "t", "half \ud800 pair\0 and " + "long " * 999))
    [query] = queries(engine)
    assert query.startswith("half ? pair")
    assert len(query) == 2000


WRITER = """
import sys
from pathlib import Path
from scrubjay.engine.engine import Engine; from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import AuditEntry
engine = Engine(Paths.under(Path(sys.argv[1])))
for number in range(50):
    engine.agents.record(AuditEntry(sys.argv[2], "memory_search", str(number))).result(60)
engine.close()
"""


def test_an_entry_waits_for_another_process_that_creates_the_log(engine: Engine) -> None:
    folder = engine.paths.state / "agents"
    folder.mkdir(parents=True)
    with closing(apsw.Connection(str(folder / "guests.sqlite"))) as other:
        other.execute("begin immediate")
        writing = engine.agents.record(ENTRY)
        with pytest.raises(TimeoutError):
            writing.result(0.5)
        other.execute("rollback")
    writing.result(TIMEOUT)
    assert queries(engine) == ["spare key"]


@pytest.mark.wine_fault("it never wakes a program that waits for a lock of a file, as SQLite does")
def test_processes_write_side_by_side(engine: Engine) -> None:
    home = str(engine.paths.config)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, home, f"bot-{number}"])
        for number in range(3)
    ]
    assert [writer.wait(TIMEOUT) for writer in writers] == [0, 0, 0]
    assert len(queries(engine, limit=200)) == 150
    assert {agent.requests for agent in engine.agents.known_agents().result(TIMEOUT)} == {50}


def test_the_app_hears_of_entries_that_another_process_noted(new_engine: NewEngine) -> None:
    app, server = new_engine(), new_engine()
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    record(server, ENTRY)
    heard.wait(lambda: len(heard.of(AuditLogChanged)) > 1)
    assert queries(app) == ["spare key"]


def ask(
    engine: Engine, cancel: CancelToken | None = None, *, is_claimed: bool = False
) -> Permission:
    now = dt.datetime.now().astimezone()
    request = AccessRequest(
        0, "bot", "w", Action.READ, "memory_search", "key", now, is_claimed=is_claimed
    )
    return engine.agents.ask(request, cancel or CancelToken())


@pytest.mark.parametrize(
    ("is_allowed", "always", "expected"),
    [(True, False, "allow"), (False, False, "deny"), (True, True, "allow"), (False, True, "deny")],
)
def test_a_person_answers_what_an_agent_may_do(
    new_engine: NewEngine, is_allowed: bool, always: bool, expected: str
) -> None:
    app, server = new_engine(), new_engine()
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(ask, server)
        heard.wait(lambda: heard.of(AccessAsked))
        [asked] = heard.of(AccessAsked)
        assert (asked.request.agent, asked.request.workspace) == ("bot", "w")
        assert app.agents.waiting().result(TIMEOUT) == (asked.request,)
        done = app.agents.answer(asked.request, is_allowed=is_allowed, always=always)
        assert done.result(TIMEOUT)
        assert answer.result(TIMEOUT) == expected
    heard.wait(lambda: heard.of(AccessSettled))
    rule = server.agents.permission("bot", "w", Action.READ)
    assert rule == (expected if always else "allow")
    assert not app.agents.answer(asked.request, is_allowed=True).result(TIMEOUT)


@pytest.mark.parametrize(("is_allowed", "rules"), [(True, []), (False, ["deny"])])
def test_an_answer_for_a_claimed_name_becomes_no_rule_that_would_have_no_effect(
    new_engine: NewEngine, is_allowed: bool, rules: list[str]
) -> None:
    app, server = new_engine(), new_engine()
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(ask, server, is_claimed=True)
        heard.wait(lambda: heard.of(AccessAsked))
        [asked] = heard.of(AccessAsked)
        assert asked.request.is_claimed
        app.agents.answer(asked.request, is_allowed=is_allowed, always=True).result(TIMEOUT)
        assert answer.result(TIMEOUT) == ("allow" if is_allowed else "deny")
    assert [rule.permission for rule in app.agents.rules() if rule.agent == "bot"] == rules


def test_an_agent_is_known_by_a_claimed_name_until_it_comes_with_a_given_one(
    engine: Engine, notes: Path
) -> None:
    workspace = add(engine, notes)
    engine.agents.set_rule("", workspace.id, Action.READ, Permission.ASK).result(TIMEOUT)
    engine.agents.set_rule("bot", workspace.id, Action.READ, Permission.ALLOW).result(TIMEOUT)

    def overview() -> tuple[bool, bool, str]:
        [agent] = engine.agents.known_agents().result(TIMEOUT)
        [seen] = engine.agents.overview().result(TIMEOUT)
        permission = dict(seen.permissions)[workspace][Action.READ]
        return (agent.is_claimed, seen.is_claimed, str(permission))

    record(engine, replace(ENTRY, is_claimed=True))
    record(engine, AuditEntry("bot", "recall", "a hook is started by its name"))
    assert overview() == (True, True, "ask")
    record(engine, ENTRY)
    assert overview() == (False, False, "allow")


def test_without_the_app_nobody_is_asked(engine: Engine) -> None:
    assert ask(engine) is Permission.ASK
    assert engine.agents.waiting().result(TIMEOUT) == ()


def test_after_the_app_has_closed_nobody_is_asked(new_engine: NewEngine) -> None:
    app, server = new_engine(), new_engine()
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    app.close()
    assert ask(server) is Permission.ASK


def test_an_agent_that_gives_up_takes_its_question_along(new_engine: NewEngine) -> None:
    app, server = new_engine(), new_engine()
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    cancel = CancelToken()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(ask, server, cancel)
        heard.wait(lambda: heard.of(AccessAsked))
        cancel.cancel()
        with pytest.raises(Cancelled):
            answer.result(TIMEOUT)
    heard.wait(lambda: heard.of(AccessSettled))
    assert app.agents.waiting().result(TIMEOUT) == ()


def test_a_second_window_on_the_same_home_does_no_harm(new_engine: NewEngine) -> None:
    first, second = new_engine(), new_engine()
    heard = Announcements(second)
    first.agents.announce_presence()
    second.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    second.close()
    first.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "scrubjay-presence"]


def test_a_request_says_who_wants_what(engine: Engine) -> None:
    at = dt.datetime.now().astimezone()
    request = AccessRequest(7, "bot", "w", Action.WRITE, "memory_write", "", at)
    assert not engine.agents.answer(request, is_allowed=True).result(TIMEOUT)


def test_a_log_on_a_full_disk_stops_nobody(new_engine: NewEngine, tmp_path: Path) -> None:
    engine = new_engine()
    (engine.paths.state).mkdir(parents=True)
    (engine.paths.state / "agents").write_text("a file where the folder should be")
    record(engine, ENTRY)
    assert queries(engine) == []


def test_an_overview_has_each_agent_once_with_what_it_may_and_asked(
    engine: Engine, notes: Path
) -> None:
    workspace = add(engine, notes)
    record(engine, AuditEntry("claude-code", "memory_search", "first", title="mcp"))
    record(engine, AuditEntry("claude-code", "memory_search", "second", title="mcp"))
    record(engine, AuditEntry("mo-agent", "memory_status", "", title="mo-agent"))
    engine.agents.set_rule("quiet", workspace.id, Action.READ, Permission.DENY).result(TIMEOUT)
    overviews = engine.agents.overview(("cursor", "claude-code")).result(TIMEOUT)
    # The name that people know counts, not that of a library.
    assert [(each.name, each.title, each.requests) for each in overviews] == [
        ("cursor", "Cursor", 0),
        ("claude-code", "Claude Code", 2),
        ("mo-agent", "mo-agent", 1),
        ("quiet", "quiet", 0),
    ]
    assert [each.latest.query if each.latest else None for each in overviews] == [
        *(None, "second", "", None)
    ]
    reading = [dict(each.permissions)[workspace][Action.READ] for each in overviews]
    assert reading == ["allow", "allow", "allow", "deny"]
    assert [each.has_rule for each in overviews] == [False, False, False, True]


def test_a_question_names_an_agent_as_the_log_does(new_engine: NewEngine) -> None:
    app, server = new_engine(), new_engine()
    record(server, AuditEntry("bot", "memory_search", "x", title="Bot of Mo"))
    heard = Announcements(app)
    app.agents.announce_presence()
    heard.wait(lambda: heard.of(AuditLogChanged))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(ask, server)
        heard.wait(lambda: heard.of(AccessAsked))
        [asked] = heard.of(AccessAsked)
        assert asked.request.title == "Bot of Mo"
        app.agents.answer(asked.request, is_allowed=True).result(TIMEOUT)
        answer.result(TIMEOUT)
