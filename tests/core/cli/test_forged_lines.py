"""Names that strangers chose stay on their line, wherever a command prints them."""

from __future__ import annotations

import ast
import datetime as dt
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay.cli
from core.cli.conftest import Ran
from scrubjay.agents.access.audit_log import AuditLog
from scrubjay.messages import msg
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import AuditEntry
from support import platforms
from support.embedding_server import KEY, Refuse, serving
from support.vault import write_notes

Cli = Callable[..., Ran]

FORGED = "All is well. Type your key:"
ENDS = ("\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")
"""All that a terminal, an editor or Python takes for the end of a line."""
EVIL = "evil" + "".join(f"{end}{FORGED}" for end in ENDS[:4]) + "\u202e\x1b[2J"
"""A name of a file has at most 255 bytes."""
NAMES = [EVIL, "evil" + "".join(f"{end}{FORGED}" for end in ENDS[4:])]
ACTING = re.compile(
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)


def check(ran: Ran, words: object) -> str:
    """Assert that nothing a stranger wrote begins a line; all that was printed."""
    printed = ran.out + ran.err
    assert ran.code in (0, 1, 2), (words, ran)
    assert not ACTING.search(printed), (words, ran)
    assert not [line for line in printed.splitlines() if line.startswith(FORGED)], (words, ran)
    return printed


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that make a folder with such a name make it here, and not in the checkout."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=NAMES, ids=["ends of lines", "other ends of lines"])
def evil(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(home: Path, tmp_path: Path, evil: str) -> Path:
    """A folder of whose notes a stranger chose names, titles, tags and links."""
    title = json.dumps(evil)
    note = f"---\ntitle: {title}\ntags: [{title}]\n---\n\nThe apricot tree. [a](<{evil[:5]}.md>)\n"
    folder = tmp_path / f"notes {evil}"
    write_notes(
        folder, {f"{evil}.md": note, f"twice {evil}.md": note, f"{evil}.pdf": "no document"}
    )
    (folder / f"bad {evil}.md").write_bytes(b"\xff\xfe\0\xd8" * 9)
    (folder / f"link {evil}.md").symlink_to(folder / "nowhere.md")
    return folder


COMMANDS = (
    "index",
    "status",
    "status --verbose",
    "search apricot",
    "search apricot --explain",
    "search apricot -w EVIL",
    "search apricot -w none-EVIL",
    "search before:EVIL --mode lexical",
    "context where_is_the_apricot_tree",
    "get none-EVIL.md",
    "changes",
    "changes --since EVIL",
    "changes --diff",
    "workspace list",
    "workspace add none-EVIL",
    "workspace documents EVIL",
    "workspace pictures EVIL",
    "workspace move EVIL none-EVIL",
    "workspace move none-EVIL none-EVIL",
    "share EVIL EVIL --yes",
    "unshare EVIL",
    "shared --add EVIL",
    "shared --remove EVIL",
    "shared",
    "agents allow EVIL",
    "agents deny EVIL -w EVIL",
    "agents ask",
    "agents list",
    "agents audit-log",
    "agents reset EVIL",
    "models list",
    "models use EVIL",
    "models verify EVIL",
    "models remove EVIL",
    "models import EVIL",
    "models download EVIL",
    "keys list",
    "keys test EVIL",
    "keys delete EVIL",
    "keys move",
    "import EVIL",
    "import EVIL.json",
    "import --into EVIL EVIL.zip",
    "import --undo",
    "connect",
    "connect EVIL",
    "dream status",
    "dream run",
    "dream apply EVIL",
    "captured list",
    "captured accept EVIL",
    "forget apricot-EVIL",
    "forget --undo",
    "eval EVIL",
    "doctor",
    "doctor --fix",
    "diagnostics",
    "workspace remove EVIL",
    "EVIL",
    "search --EVIL",
    "models EVIL",
)


def test_no_name_begins_a_line_of_any_command(
    cli: Cli, folder: Path, paths: Paths, evil: str
) -> None:
    check(cli("workspace", "add", folder, "--name", evil), "workspace add")
    log = AuditLog(paths.state / "agents" / "guests.sqlite")
    log.write([AuditEntry(evil, evil, evil, (), "refused", evil, at=NOW)], 30)
    for line in COMMANDS:
        words = [word.replace("EVIL", evil) for word in line.split()]
        check(cli(*words), line)


NOW = dt.datetime.now().astimezone()


def test_no_value_of_the_settings_begins_a_line(cli: Cli, home: Path, evil: str) -> None:
    settings = {
        "workspaces": [
            {"id": evil, "name": evil, "path": evil},
            {"id": "a", "name": evil, "path": str(home / evil)},
        ],
        "memorySearch": {
            "provider": evil,
            "model": evil,
            "fallback": evil,
            "remote": {"baseUrl": f"http://{evil}/", "apiKey": f"${{{evil}}}"},
            "local": {"modelPath": evil},
            "query": {"maxResults": evil},
        },
        "memory": {"backend": "qmd", "qmd": {"command": evil}},
        evil: evil,
        "shared": [{"uri": evil, "options": {evil: evil}}, evil],
    }
    (home / "config.json5").write_text(json.dumps(settings))
    for line in ("status", "status --deep", "index", "search x", "doctor", "diagnostics", "shared"):
        assert check(cli(*line.split()), line)
    for provider in ("local", "openai", evil):
        settings["memorySearch"] = {"provider": provider, "model": evil, evil: evil}
        (home / "config.json5").write_text(json.dumps(settings))
        for line in ("status --deep", "models list", "keys test openai", "doctor"):
            assert check(cli(*line.split()), (provider, line))


def test_no_set_up_of_another_program_begins_a_line(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evil: str
) -> None:
    theirs = {
        "agents": {
            "defaults": {"memorySearch": {"model": evil, "provider": evil, evil: evil}},
            "list": [{"id": evil, "name": evil, "workspace": f"/none/{evil}"}],
        },
        "memory": {"backend": evil, "qmd": {"command": evil}},
    }
    servers = {"mcpServers": {evil: {"command": evil, "args": [evil]}}}
    person = write_notes(
        tmp_path / "person",
        {
            ".openclaw/openclaw.json": json.dumps(theirs),
            ".cursor/mcp.json": json.dumps(servers),
            ".claude.json": json.dumps(servers | {"projects": {evil: {}}}),
            ".codex/config.toml": f'model = """x\n{FORGED}"""\n',
        },
    )
    monkeypatch.setenv("HOME", str(person))
    for line in ("import --dry-run", "import", "import --undo", "connect"):
        assert check(cli(*line.split()), line)
    for client in ("cursor", "claude-code", "codex"):
        assert check(cli("connect", client, "--dry-run"), client)
        assert check(cli("connect", client), client)
        assert check(cli("connect", client, "--undo"), client)
    write_notes(person, {".cursor/mcp.json": f"{{ {evil}"})
    assert check(cli("connect", "cursor"), "damaged")


def test_no_export_of_notes_begins_a_line(cli: Cli, home: Path, tmp_path: Path, evil: str) -> None:
    export = tmp_path / f"{evil}.zip"
    with zipfile.ZipFile(export, "w") as packed:
        packed.writestr(f"{evil}/{evil} 0123456789abcdef0123456789abcdef.md", f"# {evil}\n")
        packed.writestr(f"/{evil} fedcba9876543210fedcba9876543210.md", "# Other\n")
        packed.writestr(f"{evil}/{evil}.bin", b"\0")
        packed.writestr(f"../{evil}.md", "# Out\n")
    for target in (tmp_path / "new", tmp_path / f"new {evil}"):
        assert check(cli("import", export, "--into", target, "--dry-run"), "plan")
        assert check(cli("import", export, "--into", target), "import")
        for note in target.rglob("*.md"):
            note.write_text("changed")
        assert check(cli("import", "--undo"), "undo")


def test_no_answer_of_a_server_begins_a_line(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch, evil: str
) -> None:
    with serving() as server:
        monkeypatch.setenv("EMBEDDINGS_KEY", KEY)
        remote = {"baseUrl": server.base_url("openai"), "apiKey": "${EMBEDDINGS_KEY}"}
        settings = {"memorySearch": {"provider": "openai", "model": "m", "remote": remote}}
        (home / "config.json5").write_text(json.dumps(settings))
        for status in (400, 401, 404):
            server.always = Refuse(status, evil)
            check(cli("keys", "test", "openai"), status)
            check(cli("status", "--deep"), status)


def test_what_people_said_to_agents_begins_no_line(
    shell: Callable[..., Ran], cli: Cli, folder: Path, evil: str
) -> None:
    check(cli("workspace", "add", folder, "--name", "n"), "add")
    said = json.dumps({"prompt": f"Remember that my dentist is {evil}", "cwd": evil})
    for hook in ("capture", "recall", "today", "keep", "flush"):
        check(shell("hook", hook, typed=said), hook)
    check(cli("captured", "list"), "captured")


platforms.require("shared memories")


def test_no_shared_memory_begins_a_line(
    cli: Cli, home: Path, notes: Path, tmp_path: Path, evil: str
) -> None:
    from support.hostile_memory import HostileMemory

    team = tmp_path / "team"
    team.mkdir()
    cli("workspace", "add", notes)
    cli("share", "notes", team, "--yes")
    memory = HostileMemory(team)
    labels = {"title": evil, "published_by": evil, "holder": "other", "holder_name": evil}
    (home / "config.json5").write_text('{memorySearch: {provider: "none"}}')
    check(cli("shared", "--add", team), "add")
    # A usable workspace alone, then beside one of every other state: damaged, too new, without
    # tables. Each command loads the library for shared memories anew.
    usable = {**labels, "name": "usable"}
    others = (
        {"chunks_table": evil},
        {"schema": 2**30},
        {"published_at": evil},
        {"identity": evil},
        {"name": evil},
    )
    beside = [{**labels, "name": f"other{at}", **each} for at, each in enumerate(others)]
    for entries in ([usable], [usable, *beside]):
        memory.write_entries(*entries)
        for line in ("shared", "status", "search tomatoes", "doctor", "get garden.md"):
            check(cli(*line.split()), (entries, line))


def test_a_name_in_a_sentence_stays_on_its_line(evil: str) -> None:
    said = msg("{path} is not there", path=evil)
    assert len(said.splitlines()) == 1
    assert not ACTING.search(said)


def test_commands_print_by_two_functions_alone() -> None:
    """Of which one keeps each call on one line, and the other is given texts of several."""
    texts = []
    for file in Path(scrubjay.cli.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                may_print = file.name in ("harmless_output.py", "__init__.py")
                assert node.func.id != "print" or may_print, file
                if node.func.id == "print_text":
                    texts.append(ast.unparse(node.args[0]))
    assert len(texts) <= 12, texts
