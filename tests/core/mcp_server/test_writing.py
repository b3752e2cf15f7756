"""Agents write: at once where a rule allows it, else into the queue that the user reviews."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, QueryError
from scrubjay.mcp_server.authorization import Caller, caller_named
from scrubjay.mcp_server.tools import MemoryTools, ToolReply
from scrubjay.messages import safe_line
from scrubjay.records.access_records import Action, Permission
from scrubjay.records.journal_records import LineKind
from support import platforms
from support.vault import TIMEOUT, add, write_notes

CALLER = Caller("bot", "Bot")
LONG_AGO_NS = 10**18
PLAN = "---\nstatus: open\n---\n# Plan\n\n## Roof\n\n- tiles\n\n## Garden\n\nPlant an oak.\n"


@pytest.fixture
def notes(engine: Engine, tmp_path: Path) -> Path:
    """A person's folder that an agent may read and, by a rule, write to."""
    root = write_notes(tmp_path / "notes", {"plan.md": PLAN, "old/Templates/t.md": "Template.\n"})
    add(engine, root)
    return root


@pytest.fixture
def tools(notes: Path, engine: Engine) -> MemoryTools:
    return MemoryTools(engine)


def call(tools: MemoryTools, name: str, **arguments: Any) -> ToolReply:
    return tools.call(name, arguments, CALLER, CancelToken(), lambda *_: None)


def write(tools: MemoryTools, text: str, **arguments: Any) -> ToolReply:
    return call(tools, "memory_write", text=text, **arguments)


def allow(engine: Engine, permission: Permission = Permission.ALLOW) -> None:
    engine.agents.set_rule("bot", "", Action.WRITE, permission).result(TIMEOUT)


def visible_path(path: str) -> str:
    """The path as an error shows it, on one line."""
    return safe_line(path)


def hash_of(tools: MemoryTools, path: str) -> str:
    digest = call(tools, "memory_get", path=path).structured["hash"]
    assert isinstance(digest, str)
    return digest


def test_without_a_rule_a_change_waits_and_is_written_once_it_is_accepted(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    reply = write(tools, "gutter", path="plan.md", heading="Roof").structured
    assert reply["state"] == "proposed"
    assert (notes / "plan.md").read_text() == PLAN
    [reviewed] = engine.edits.waiting().result(TIMEOUT)
    assert (reviewed.proposed.id, reviewed.proposed.agent) == (reply["proposal"], "bot")
    assert [line.text for line in reviewed.lines if line.kind is LineKind.ADDED] == ["- gutter"]
    written = engine.edits.accept(reply["proposal"]).result(TIMEOUT)
    assert (notes / "plan.md").read_text() == PLAN.replace("- tiles\n", "- tiles\n- gutter\n")
    assert (written.first_line, written.last_line) == (9, 9)
    assert engine.edits.waiting().result(TIMEOUT) == ()
    engine.edits.undo(written.id).result(TIMEOUT)
    assert (notes / "plan.md").read_text() == PLAN


def test_a_change_is_refused_or_accepted_with_other_words(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    first = write(tools, "Buy tiles.").structured
    second = write(tools, "Buy many tiles.").structured
    engine.edits.refuse(first["proposal"]).result(TIMEOUT)
    with pytest.raises(QueryError, match="no longer in the list"):
        engine.edits.accept(first["proposal"]).result(TIMEOUT)
    engine.edits.accept(second["proposal"], "Buy 200 tiles.").result(TIMEOUT)
    assert "- Buy 200 tiles." in (notes / second["path"]).read_text()


def test_a_note_has_one_path_however_it_is_written(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    for path in ("./plan.md", str(notes / "plan.md")):
        assert write(tools, "Done.", path=path).structured["path"] == "plan.md"


def test_the_same_proposal_waits_once(tools: MemoryTools, engine: Engine) -> None:
    replies = [write(tools, "Buy tiles.", path="plan.md").structured for _ in range(3)]
    assert len({reply["proposal"] for reply in replies}) == 1
    assert len(engine.edits.waiting().result(TIMEOUT)) == 1


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        ({"text": "Done.", "path": "plan.md"}, f"{PLAN}\nDone.\n"),
        (
            {"text": "Plant a lime.", "path": "plan.md", "action": "replace"}
            | {"passage": "Plant an oak."},
            PLAN.replace("an oak", "a lime"),
        ),
        (
            {"text": "done", "path": "plan.md", "action": "set", "property": "status"},
            PLAN.replace("open", "done"),
        ),
        ({"text": "# New", "path": "a/b/new.md", "action": "create"}, "# New\n"),
    ],
)
def test_with_a_rule_a_change_is_written_and_can_be_undone(
    tools: MemoryTools, engine: Engine, notes: Path, arguments: dict[str, str], after: str
) -> None:
    allow(engine)
    file = notes / arguments["path"]
    before = file.read_text() if file.exists() else None
    if arguments.get("action") in ("replace", "set"):
        assert "Read the note" in str(write(tools, **arguments).structured)
        arguments = {**arguments, "ifHash": hash_of(tools, "plan.md")}
    reply = write(tools, **arguments).structured
    assert (reply["state"], reply["path"]) == ("written", arguments["path"])
    assert file.read_text() == after
    assert reply["hash"] == hash_of(tools, arguments["path"])
    [written] = engine.edits.written().result(TIMEOUT)
    engine.edits.undo(written.id).result(TIMEOUT)
    assert (file.read_text() if file.exists() else None) == before
    assert (notes / "a").exists() is False
    assert engine.edits.written().result(TIMEOUT) == ()


def test_an_edit_on_an_older_reading_gets_the_newer_text(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    digest = hash_of(tools, "plan.md")
    (notes / "plan.md").write_text(PLAN + "A person wrote this.\n")
    arguments = {"path": "plan.md", "action": "set", "property": "status"}
    refused = write(tools, "done", **arguments, ifHash=digest)
    assert refused.is_error
    assert "A person wrote this." in refused.structured["text"]
    assert "open" in (notes / "plan.md").read_text()
    again = write(tools, "done", **arguments, ifHash=refused.structured["hash"])
    assert again.structured["state"] == "written"
    assert "A person wrote this." in (notes / "plan.md").read_text()


def test_the_newer_text_of_a_long_note_says_that_it_is_cut(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    (notes / "plan.md").write_bytes((PLAN + "Line.\n" * 4_000).encode())
    refused = write(tools, "x", path="plan.md", ifHash="0" * 16).structured
    assert refused["truncated"]
    assert len(refused["text"]) == 12_000
    assert "memory_get" in refused["action"]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ({"passage": "Plant an oak."}, PLAN.replace("Plant an oak.", "done")),
        ({"property": "status"}, PLAN.replace("open", "done")),
        ({"heading": "Roof"}, PLAN.replace("- tiles\n", "- tiles\n- done\n")),
    ],
)
def test_an_argument_says_which_change_is_meant(
    tools: MemoryTools, engine: Engine, notes: Path, arguments: dict[str, str], kept: str
) -> None:
    allow(engine)
    write(tools, "done", path="plan.md", ifHash=hash_of(tools, "plan.md"), **arguments)
    assert (notes / "plan.md").read_text() == kept


@pytest.mark.parametrize(
    ("action", "argument", "needed"),
    [
        ("append", "passage", "replace"),
        ("append", "property", "set"),
        ("create", "heading", "append"),
        ("replace", "heading", "append"),
        ("set", "passage", "replace"),
    ],
)
def test_an_argument_of_another_action_writes_nothing(
    tools: MemoryTools, engine: Engine, notes: Path, action: str, argument: str, needed: str
) -> None:
    allow(engine)
    digest = hash_of(tools, "plan.md")
    reply = write(tools, "x", path="plan.md", action=action, ifHash=digest, **{argument: "Roof"})
    assert reply.structured["error"] == (
        f"The argument {argument} needs action {needed}: Nothing was written."
    )
    assert (notes / "plan.md").read_text() == PLAN


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Trip to Lisbon", "does not end with .md"),
        ("plan", "does not end with .md"),
        ("plan.py", "does not end with .md"),
        ("~/trip.md", "inside the folder"),
        ("../trip.md", "inside the folder"),
        ("What is it?.md", "Some systems cannot"),
        ("a\nb.md", "Some systems cannot"),
        ("Trip: Lisbon.md", "Some systems cannot"),
        ("con.md", "Some systems cannot"),
        ("new folder. /a.md", "Some systems cannot"),
        (" a.md", "Some systems cannot"),
    ],
)
def test_the_path_of_a_new_note_is_refused_with_what_to_pass_instead(
    tools: MemoryTools, engine: Engine, notes: Path, path: str, reason: str
) -> None:
    allow(engine)
    reply = write(tools, "x", path=path, action="create").structured
    assert reply["error"].startswith(f"{visible_path(path)} cannot be changed: ")
    assert reason in reply["error"]
    assert reply["action"].startswith(("Pass the path", "Pass a path", "Choose a name"))
    assert {file.name for file in notes.iterdir()} == {"plan.md", "old"}


@pytest.mark.parametrize("path", ["con.md", "new/Aux.md", "lpt1.tar.md", "COM¹.md", "nul .md"])
def test_a_name_that_windows_reserves_is_refused_with_all_of_them(
    tools: MemoryTools, engine: Engine, path: str
) -> None:
    allow(engine)
    action = write(tools, "x", path=path, action="create").structured["action"]
    assert action == (
        "Choose a name that is not one of those that Windows uses for devices, with or without an "
        "extension: CON, PRN, AUX, NUL, CONIN$, CONOUT$, COM0 – COM9, LPT0 – LPT9."
    )


@pytest.mark.needs("odd names")
def test_a_note_whose_name_is_not_portable_is_changed_where_it_is(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    write_notes(notes, {"Trips. /What is it?.md": "It.\n"})
    write(tools, "More.", path="Trips. /What is it?.md")
    write(tools, "New.", path="Trips. /new.md", action="create")
    assert (notes / "Trips. " / "What is it?.md").read_text() == "It.\n\nMore.\n"
    assert (notes / "Trips. " / "new.md").read_text() == "New.\n"


def test_undo_never_discards_what_was_written_later(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    write(tools, "Done.", path="plan.md")
    with (notes / "plan.md").open("a") as file:
        file.write("A person wrote this.\n")
    [written] = engine.edits.written().result(TIMEOUT)
    with pytest.raises(NoteRefused, match="has changed"):
        engine.edits.undo(written.id).result(TIMEOUT)
    assert "A person wrote this." in (notes / "plan.md").read_text()


def test_a_proposal_whose_passage_has_gone_says_so_and_stays(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    arguments = {"path": "plan.md", "action": "replace", "passage": "Plant an oak."}
    write(tools, "Plant a lime.", **arguments, ifHash=hash_of(tools, "plan.md"))
    (notes / "plan.md").write_text("# Plan\n")
    [reviewed] = engine.edits.waiting().result(TIMEOUT)
    assert "does not contain" in reviewed.reason
    shown = [(line.kind, line.text) for line in reviewed.lines]
    assert shown == [(LineKind.REMOVED, "Plant an oak."), (LineKind.ADDED, "Plant a lime.")]
    with pytest.raises(NoteRefused, match="does not contain"):
        engine.edits.accept(reviewed.proposed.id).result(TIMEOUT)
    assert len(engine.edits.waiting().result(TIMEOUT)) == 1
    assert (notes / "plan.md").read_text() == "# Plan\n"


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "/etc/hosts.md",
        "a\\b.md",
        ".git/config.md",
        ".obsidian/x.md",
        "old/Templates/../../../x.md",
        "plan.pdf",
        "script.py",
        "board.canvas",
        *(
            pytest.param(path, marks=pytest.mark.needs("links"))
            for path in ("link.md", "linked/x.md")
        ),
        "CON\0.md",
        "a//b.md",
    ],
)
@pytest.mark.parametrize("permission", [Permission.ALLOW, Permission.PROPOSE])
def test_nothing_but_notes_inside_the_folder_is_written(
    tools: MemoryTools, engine: Engine, notes: Path, path: str, permission: Permission
) -> None:
    allow(engine, permission)
    outside = write_notes(notes.parent / "outside", {"x.md": "Outside.\n"})
    platforms.make_link(notes / "link.md", outside / "x.md")
    platforms.make_link(notes / "linked", outside)
    before = {file: file.read_bytes() for file in notes.parent.rglob("*.md") if file.is_file()}
    reply = write(tools, "# X", path=path, action="create")
    assert reply.is_error
    after = {file: file.read_bytes() for file in notes.parent.rglob("*.md") if file.is_file()}
    assert after == before
    assert engine.edits.waiting().result(TIMEOUT) == ()


def test_a_note_that_may_not_be_read_is_not_changed(tools: MemoryTools, engine: Engine) -> None:
    allow(engine)
    engine.agents.set_rule("bot", "", Action.READ, Permission.DENY).result(TIMEOUT)
    reply = write(tools, "Done.", path="plan.md", ifHash="0")
    assert reply.is_error
    assert "oak" not in str(reply.structured)


@pytest.mark.parametrize("end", ["", "/x/..", "/.", "/../MEMORY.md", "//", "#p1"])
@pytest.mark.parametrize("start", ["", "./", "ROOT/", "ROOT/../agent/"])
@pytest.mark.parametrize("has_header", [True, False])
def test_a_group_gets_nothing_of_the_curated_memory(
    engine: Engine, tmp_path: Path, start: str, end: str, has_header: bool
) -> None:
    root = write_notes(tmp_path / "agent", {"MEMORY.md": "Secret.\n", "memory/a.md": "x\n"})
    add(engine, root)
    tools = MemoryTools(engine)
    allow(engine)
    key = "agent:main:telegram:group:1"
    caller = CALLER
    arguments = {"path": f"{start}MEMORY.md{end}".replace("ROOT", str(root))}
    if has_header:
        caller = Caller("bot", "Bot", key)
    else:
        arguments["sessionKey"] = key

    def told(name: str, **more: str) -> str:
        given = {**arguments, **more}
        return str(tools.call(name, given, caller, CancelToken(), lambda *_: None).structured)

    assert "Secret" not in told("memory_get")
    assert "Secret" not in told("memory_write", text="x", ifHash="0")
    told("memory_write", text="x")
    assert (root / "MEMORY.md").read_text() == "Secret.\n"


@pytest.mark.parametrize("entry", ["Journal", "Journal/20*.md"])
def test_a_change_to_the_note_of_an_excluded_folder_is_refused(
    engine: Engine, tmp_path: Path, entry: str
) -> None:
    notes = {f"Journal/2026-01-0{day}.md": "A day.\n" for day in range(1, 6)}
    root = write_notes(tmp_path / "notes", notes)
    workspace = add(engine, root)
    engine.folders.change(replace(workspace, left_out=(entry,))).result(TIMEOUT)
    for permission in (Permission.PROPOSE, Permission.ALLOW):
        allow(engine, permission)
        reply = write(MemoryTools(engine), "Buy tiles.")
        assert ".md cannot be changed" in str(reply.structured)
        assert "a pattern excludes it" in str(reply.structured)
    assert engine.edits.waiting().result(TIMEOUT) == ()
    assert len([*(root / "Journal").iterdir()]) == 5


def test_a_change_that_fails_leaves_no_copy(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    allow(engine)
    write(tools, "Done.", path="plan.md", action="create")
    (notes / "plan.md").chmod(0o444)
    assert write(tools, "Done.", path="plan.md").is_error
    backups = engine.paths.state / "edits" / "before"
    assert not backups.exists() or list(backups.iterdir()) == []


def test_the_lines_of_a_proposal_show_signs_that_hide_text(
    tools: MemoryTools, engine: Engine
) -> None:
    write(tools, "pay \u202eevil\u202c", path="plan.md")
    [reviewed] = engine.edits.waiting().result(TIMEOUT)
    assert "\u202e" not in "".join(line.text for line in reviewed.lines)


def test_a_rule_against_writing_holds(tools: MemoryTools, engine: Engine, notes: Path) -> None:
    allow(engine, Permission.DENY)
    assert write(tools, "Done.").is_error
    assert write(tools, "Done.", path="plan.md").is_error
    assert engine.edits.waiting().result(TIMEOUT) == ()


def test_an_agent_writes_to_its_own_memory_without_a_review(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    own = write_notes(tmp_path / ".openclaw" / "workspace", {"MEMORY.md": "# Memory\n"})
    add(engine, own)
    openclaw = Caller("openclaw", "OpenClaw")
    assert engine.agents.permission("openclaw", "workspace", Action.WRITE) is Permission.ALLOW
    assert engine.agents.permission("bot", "workspace", Action.WRITE) is Permission.PROPOSE
    tools = MemoryTools(engine)
    reply = tools.call("memory_write", {"text": "x"}, openclaw, CancelToken(), lambda *_: None)
    assert reply.structured["state"] == "written"
    # A rule that names it counts more.
    engine.agents.set_rule("openclaw", "", Action.WRITE, Permission.PROPOSE).result(TIMEOUT)
    assert engine.agents.permission("openclaw", "workspace", Action.WRITE) is Permission.PROPOSE


@pytest.mark.parametrize(("known_as", "state"), [("openclaw", "written"), ("", "proposed")])
def test_only_a_name_that_a_person_gave_opens_an_agents_own_memory(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_as: str, state: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    add(engine, write_notes(tmp_path / ".openclaw" / "workspace", {"MEMORY.md": "# Memory\n"}))
    # Any program can call itself OpenClaw in its handshake, or in its User-Agent.
    caller = caller_named("OpenClaw", "OpenClaw", known_as=known_as)
    tools = MemoryTools(engine)
    reply = tools.call("memory_write", {"text": "x"}, caller, CancelToken(), lambda *_: None)
    assert reply.structured["state"] == state
    status = tools.call("memory_status", {}, caller, CancelToken(), lambda *_: None)
    [workspace] = status.structured["workspaces"]
    assert (workspace["access"]["write"] == "allow") is (state == "written")


def test_a_proposal_is_compared_again_only_when_its_note_or_the_list_changed(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    write(tools, "gutter", path="plan.md", heading="Roof")
    write(tools, "Nobody.", path="old/Templates/t.md")
    for name in ("plan.md", "old/Templates/t.md"):
        os.utime(notes / name, ns=(LONG_AGO_NS, LONG_AGO_NS))
    plan, template = engine.edits.waiting().result(TIMEOUT)
    call(tools, "memory_search", query="oak")
    for again, before in zip(engine.edits.waiting().result(TIMEOUT), (plan, template), strict=True):
        assert again is before
    # Of a note that changed, the difference is another one; a note may also be gone.
    write_notes(notes, {"plan.md": PLAN.replace("Roof", "The roof")})
    refused, same = engine.edits.waiting().result(TIMEOUT)
    assert "does not have the heading" in refused.reason
    assert same is template
    (notes / "old/Templates/t.md").unlink()
    assert "does not exist" in engine.edits.waiting().result(TIMEOUT)[1].reason
    # What another process decides about one is seen as well.
    with contextlib.closing(Engine(engine.paths)) as other:
        other.edits.refuse(plan.proposed.id).result(TIMEOUT)
    [left] = engine.edits.waiting().result(TIMEOUT)
    assert left.proposed == template.proposed


def test_a_note_that_could_not_be_read_for_a_moment_is_compared_again(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    resource = pytest.importorskip("resource")
    write(tools, "gutter", path="plan.md", heading="Roof")
    os.utime(notes / "plan.md", ns=(LONG_AGO_NS, LONG_AGO_NS))
    [first] = engine.edits.waiting().result(TIMEOUT)
    assert first.reason == ""
    write_notes(notes, {"plan.md": f"{PLAN}More.\n"})
    os.utime(notes / "plan.md", ns=(LONG_AGO_NS, LONG_AGO_NS))
    # A process without a free file handle can look at notes and cannot read them.
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1, limits[1]))
    try:
        [unread] = engine.edits.waiting().result(TIMEOUT)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert unread.reason
    [reviewed] = engine.edits.waiting().result(TIMEOUT)
    assert reviewed.reason == ""
    assert reviewed.lines


@pytest.mark.parametrize("age_ns", [0, 10**18])
def test_a_note_changed_to_the_same_size_and_time_is_compared_again(
    tools: MemoryTools, engine: Engine, notes: Path, age_ns: int
) -> None:
    write(tools, "gutter", path="plan.md", heading="Roof")
    moment_ns = time.time_ns() - age_ns
    os.utime(notes / "plan.md", ns=(moment_ns, moment_ns))
    [before] = engine.edits.waiting().result(TIMEOUT)
    with (notes / "plan.md").open("r+") as file:
        file.write(PLAN.replace("tiles", "slate"))
    os.utime(notes / "plan.md", ns=(moment_ns, moment_ns))
    [after] = engine.edits.waiting().result(TIMEOUT)
    assert "- tiles" in [line.text for line in before.lines]
    assert "- slate" in [line.text for line in after.lines]


@pytest.mark.parametrize("path", ["old/Templates/new.md", "old/Templates/t.md"])
@pytest.mark.needs("links")
def test_a_change_in_a_folder_that_became_a_link_no_longer_fits(
    tools: MemoryTools, engine: Engine, notes: Path, path: str
) -> None:
    action = "append" if (notes / path).exists() else "create"
    write(tools, "Nobody.", path=path, action=action)
    os.utime(notes / "old/Templates/t.md", ns=(LONG_AGO_NS, LONG_AGO_NS))
    [fitting] = engine.edits.waiting().result(TIMEOUT)
    (notes / "old").rename(notes.parent / "elsewhere")
    (notes / "old").symlink_to(notes.parent / "elsewhere")
    [refused] = engine.edits.waiting().result(TIMEOUT)
    assert fitting.reason == ""
    assert "does not follow links" in refused.reason


def test_a_person_is_not_told_what_an_agent_has_to_pass(
    tools: MemoryTools, engine: Engine, notes: Path
) -> None:
    reply = write(tools, "Hello.", path="new.md", action="create").structured
    write_notes(notes, {"new.md": "Mine.\n"})
    [reviewed] = engine.edits.waiting().result(TIMEOUT)
    assert reviewed.reason == "new.md cannot be changed. The note already exists."
    # The same holds where it is accepted in spite of that.
    with pytest.raises(NoteRefused) as refused:
        engine.edits.accept(reply["proposal"]).result(TIMEOUT)
    assert str(refused.value) == reviewed.reason
    assert (
        "Use action append"
        in call(tools, "memory_write", text="Hello.", path="new.md", action="create").structured[
            "action"
        ]
    )


def test_proposals_of_a_removed_folder_go(tools: MemoryTools, engine: Engine, notes: Path) -> None:
    write(tools, "Buy tiles.")
    [workspace] = engine.workspaces()
    engine.folders.remove(workspace).result(TIMEOUT)
    assert engine.edits.waiting().result(TIMEOUT) == ()
