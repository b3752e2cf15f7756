"""Commands that the running app answers."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scrubjay.cli.command_server import CommandServer
from scrubjay.cli.running_app import MAX_REQUEST, command_channel
from scrubjay.engine.engine import Engine
from scrubjay.platform.local_channel.channel import pieces
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from support.imports import imported
from support.vault import TIMEOUT, write_notes

NEVER_FOR_THE_APP_TO_ANSWER = {
    "apsw",
    "asyncio",
    "numpy",
    "scrubjay.agents.access",
    "scrubjay.config",
    "scrubjay.engine",
    "scrubjay.records.note_records",
    "scrubjay.records.search_records",
    "scrubjay.records.status_records",
    "scrubjay.search",
    "watchdog",
}

_KILLED_APP = """
import os, signal, sys
from pathlib import Path
from scrubjay.platform.local_channel.channel import LocalChannel
listener = LocalChannel(Path(sys.argv[1])).listen()
print("listens", flush=True)
app = listener.accept()
app.receive(1000, 30)
app.send(b"+[", 30)
os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
"""
"""Program that takes one command; on Windows every signal but two kills at once."""


@pytest.fixture
def paths() -> Iterator[Paths]:
    """A home with a short name: those of sockets are limited."""
    home = Path(tempfile.mkdtemp(prefix="sj-"))
    yield Paths.under(home)
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def engine(home: Path, paths: Paths, notes: Path) -> Iterator[Engine]:
    engine = Engine(paths)
    engine.add_workspace(notes).result()
    engine.refresh().result()
    yield engine
    engine.close()


@pytest.fixture
def app(engine: Engine) -> Iterator[CommandServer]:
    """What the app has of commands."""
    server = CommandServer(engine)
    server.start()
    yield server
    server.close()


Shell: TypeAlias = Callable[..., Any]


def modules(*words: str, typed: str = "") -> set[str]:
    return imported(*words, typed=typed)[0]


def timeless(ran: Any) -> tuple[int, str, str]:
    """What was printed, without times."""
    times = r'[\d.]+ ms|Ms": [\d.]+|"checkedAt": "[^"]*"'
    return ran.code, re.sub(times, "", ran.out), ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("search", "router"),
        ("search", "router", "--json"),
        ("search", "tomatoes", "--explain", "--mode", "lexical"),
        ("search", "nothing-like-it"),
        ("search", "router", "--workspace", "notes"),
        ("search", "router", "--workspace", "elsewhere"),
        ("search", "router", "--workspace", "elsewhere", "--json"),
        ("context", "where", "is", "the", "password", "of", "the", "router"),
        ("context", "the", "password", "of", "the", "router", "--json"),
        ("get", "garden.md"),
        ("get", "garden.md", "--lines", "1"),
        ("get", "../garden.md"),
        ("get", "nothing.md"),
        ("get", "garden.md", "--json"),
    ],
    ids=" ".join,
)
def test_the_app_says_what_a_process_of_its_own_says(
    app: CommandServer, shell: Shell, words: tuple[str, ...]
) -> None:
    of_app = shell(*words)
    app.close()
    assert timeless(of_app) == timeless(shell(*words))


def test_a_command_that_the_app_answers_loads_next_to_nothing(app: CommandServer) -> None:
    for words in (["search", "router"], ["search", "router", "--json"], ["get", "garden.md"]):
        assert modules(*words) & NEVER_FOR_THE_APP_TO_ANSWER == set()
    prompt = json.dumps({"prompt": "where is the password of the router"})
    assert modules("hook", "recall", typed=prompt) & NEVER_FOR_THE_APP_TO_ANSWER == set()
    app.close()
    assert "scrubjay.engine.engine" in modules("search", "router")


def test_rules_and_audit_log_are_the_same_through_the_app(
    app: CommandServer, engine: Engine, shell: Shell
) -> None:
    prompt = json.dumps({"prompt": "where is the password of the router"})
    read = shell("hook", "recall", "--agent", "claude", typed=prompt)
    assert "on the fridge" in read.out
    [workspace] = engine.workspaces()
    engine.agents.set_rule("claude", workspace.id, Action.READ, Permission.DENY).result()
    refused = shell("hook", "recall", "--agent", "claude", typed=prompt)
    assert (refused.code, refused.out) == (0, "")
    assert "not allowed to read any workspace" in refused.err
    entries = engine.agents.audit_log().result()
    outcomes = [(each.agent, each.tool, each.outcome, len(each.hits)) for each in entries]
    assert outcomes == [("claude", "recall", "refused", 0), ("claude", "recall", "answered", 1)]


def test_a_hook_that_gets_no_json_says_so_through_the_app(app: CommandServer, shell: Shell) -> None:
    refused = shell("hook", "recall", typed="{")
    assert (refused.code, refused.out) == (0, "")
    assert "The input is not JSON" in refused.err


def test_settings_that_were_edited_a_moment_ago_count(
    app: CommandServer, home: Path, shell: Shell
) -> None:
    assert "on the fridge" in shell("search", "router").out
    (home / "config.json5").write_text('{memorySearch: {provider: "none"}}')
    assert "There are no notes to search yet" in shell("search", "router").err


def test_a_folder_of_the_shell_is_not_one_of_the_app(
    app: CommandServer, notes: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)
    write_notes(notes.parent / "elsewhere" / "notes", {"zoo.md": "A zebra.\n"})
    assert "on the fridge" in shell("search", "router", "--workspace", "./notes").out
    monkeypatch.chdir(notes.parent / "elsewhere")
    assert shell("search", "zebra", "--workspace", "./notes").code == 1


@pytest.mark.parametrize("answers", [b"", b"+", b"+[", b"?"], ids=["silence", "half", "cut", "odd"])
def test_a_command_answers_itself_where_the_app_does_not(
    engine: Engine, paths: Paths, shell: Shell, answers: bytes
) -> None:
    """An app that hangs, or was killed amid its answer."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(contextlib.closing(command_channel(paths).listen()))

        def serve() -> None:
            app = stack.enter_context(contextlib.closing(listener.accept()))
            if answers:
                app.send(answers, TIMEOUT)
                stack.pop_all().close()

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        assert "on the fridge" in shell("search", "router").out
        serving.join(TIMEOUT)


def test_a_command_goes_on_alone_where_the_app_was_killed_amid_it(
    engine: Engine, paths: Paths, shell: Shell
) -> None:
    """A process that takes the command, and is killed before it answers."""
    app = subprocess.Popen([sys.executable, "-c", _KILLED_APP, paths.state], stdout=subprocess.PIPE)
    assert app.stdout is not None
    with app, app.stdout:
        assert app.stdout.readline().strip() == b"listens"
        assert "on the fridge" in shell("search", "router").out


def test_a_crashed_app_does_no_harm(engine: Engine, paths: Paths, shell: Shell) -> None:
    program = "import sys; from scrubjay.platform.local_channel.channel import LocalChannel\n"
    program += "from pathlib import Path; import os\n"
    program += "LocalChannel(Path(sys.argv[1])).listen(); os._exit(1)"
    subprocess.run([sys.executable, "-c", program, paths.state], timeout=TIMEOUT, check=False)
    assert "on the fridge" in shell("search", "router").out
    server = CommandServer(engine)
    server.start()
    assert "on the fridge" in shell("search", "router").out
    assert modules("search", "router") & {"apsw"} == set()
    server.close()
    assert not command_channel(paths).may_be_open()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\n",
        b"\xff\n",
        b"[]\n",
        b"[" * 100_000 + b"\n",
        b'{"protocol": 1}\n',
        b'{"protocol": 1, "name": "search", "arguments": {}}\n',
        b'{"protocol": 1, "name": "models", "arguments": {}}\n',
        b'{"protocol": 2, "name": "get", "arguments": {"path": "garden.md"}}\n',
    ],
)
def test_what_is_no_command_gets_no_answer(
    app: CommandServer, paths: Paths, shell: Shell, sent: bytes
) -> None:
    with contextlib.closing(command_channel(paths).connect(TIMEOUT)) as program:
        program.send(sent, TIMEOUT)
        assert b"".join(pieces(program, MAX_REQUEST, TIMEOUT)) in (b"", b"+")
    assert "on the fridge" in shell("search", "router").out


@pytest.mark.parametrize("piece", [b" ", b"x" * 65_536], ids=["drip", "flood"])
def test_a_request_without_an_end_is_given_up(
    app: CommandServer, paths: Paths, shell: Shell, piece: bytes
) -> None:
    with contextlib.closing(command_channel(paths).connect(TIMEOUT)) as program:
        sent = 0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while sent < 2 * MAX_REQUEST:
                program.send(piece, TIMEOUT)
                sent += len(piece)
                if len(piece) == 1:
                    threading.Event().wait(0.2)
    assert sent < 2 * MAX_REQUEST
    assert "on the fridge" in shell("search", "router").out


def test_programs_that_connect_and_send_nothing_hold_nobody_up(
    app: CommandServer, paths: Paths, shell: Shell
) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            program = command_channel(paths).connect(TIMEOUT)
            stack.enter_context(contextlib.closing(program))
        assert "on the fridge" in shell("search", "router").out
        assert b"".join(pieces(program, MAX_REQUEST, TIMEOUT)) == b""
    # Their places are free again.
    assert modules("search", "router") & {"apsw"} == set()


def test_a_reply_without_an_end_is_not_waited_for(
    engine: Engine, paths: Paths, shell: Shell
) -> None:
    with contextlib.closing(command_channel(paths).listen()) as listener:

        def serve() -> None:
            with contextlib.closing(listener.accept()) as app, contextlib.suppress(OSError):
                app.send(b"+[" + b" " * 100_000_000, TIMEOUT)

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        assert "on the fridge" in shell("search", "router").out
        serving.join(TIMEOUT)
        assert not serving.is_alive()


@pytest.mark.needs("POSIX modes")
def test_only_the_user_may_ask(app: CommandServer, paths: Paths) -> None:
    assert (paths.state / "commands.sock").stat().st_mode & 0o777 == 0o600
    assert paths.state.stat().st_mode & 0o077 == 0


def test_a_folder_that_the_app_reads_needs_no_command(
    shell: Shell, app: CommandServer, tmp_path: Path
) -> None:
    folder = write_notes(tmp_path / "more", {"a.md": "# A\n"})
    assert "Scrubjay is running and will read the folder." in shell("workspace", "add", folder).out
    app.close()
    again = write_notes(tmp_path / "again", {"a.md": "# A\n"})
    assert "run `scrubjay index`" in shell("workspace", "add", again).out
