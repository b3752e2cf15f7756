"""How the program ends, whatever happens to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from support.vault import TIMEOUT, tree_digest, write_notes

from .conftest import PROGRAM

SEVERAL_SECONDS_OF_WORK = 40
"""Files of two megabytes each."""


@pytest.fixture
def much(cli, tmp_path: Path) -> Path:
    """A folder that takes some seconds to index, on the list."""
    text = "".join(f"Line {n} of a long story about jays and acorns.\n" for n in range(40_000))
    names = [f"{n}.md" for n in range(SEVERAL_SECONDS_OF_WORK)]
    root = write_notes(tmp_path / "much", dict.fromkeys(names, text))
    assert cli("workspace", "add", root).code == 0
    return root


def wait_for(file: Path) -> None:
    """Until a file has content."""
    until = time.monotonic() + TIMEOUT
    while not (file.exists() and file.stat().st_size > 0):
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.needs("POSIX signals")
def test_control_c_ends_and_keeps_what_was_indexed(cli, paths, much: Path) -> None:
    before = tree_digest(much)
    with subprocess.Popen(
        [PROGRAM, "index"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(paths.indexes / "much.sqlite-wal")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "Stopped. The notes indexed so far are kept."
    assert tree_digest(much) == before
    assert cli("status").code == 0


@pytest.mark.needs("POSIX signals")
def test_two_programs_on_one_index(cli, shell, paths, much: Path) -> None:
    with subprocess.Popen(
        [PROGRAM, "index"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(paths.indexes / "much.sqlite-wal")
        process.send_signal(signal.SIGSTOP)  # so that it is not done before the others
        second = shell("index")
        search = shell("search", "jays acorns")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert (second.code, "Another copy of Scrubjay is reading" in second.err) == (1, True)
    assert (search.code, search.err) == (0, "")


@pytest.mark.needs("POSIX signals")
def test_control_c_during_the_start_is_no_traceback(home: Path) -> None:
    command = [sys.executable, "-X", "importtime", PROGRAM, "status"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("scrubjay.errors" in line for line in process.stderr)  # amid its imports
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert "Traceback" not in err


def test_a_reader_that_goes_away_is_no_traceback(cli, home: Path, notes: Path) -> None:
    write_notes(notes, {f"{n}.md": f"Zebra {n}. " * 60 for n in range(60)})
    cli("workspace", "add", notes)
    with subprocess.Popen(
        [PROGRAM, "search", "zebra", "--max-results", "60", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
        process.wait(TIMEOUT)
    assert (process.returncode, err) == (1, "")


def test_a_terminal_without_the_letters_still_shows_the_answer(shell, cli, notes: Path) -> None:
    write_notes(notes, {"日記.md": "# 日記\n\nzebra 漢字 👩\u200d👧\n"})
    cli("workspace", "add", notes)
    for arguments in (["search", "zebra"], ["search", "zebra", "--json"], ["get", "日記.md"]):
        shown = on_a_terminal(*arguments, PYTHONIOENCODING="ascii")
        assert "\\u6f22\\u5b57" in shown


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command shows on a terminal."""
    pty = pytest.importorskip("pty", reason="this system has no such terminals")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, *arguments], stdin=theirs, stdout=theirs, env=os.environ | environment
    ) as process:
        os.close(theirs)
        parts: list[bytes] = []
        # The end of the last process that has the terminal open is an error on Linux.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65_536):
                parts.append(part)
        process.wait(TIMEOUT)
    os.close(ours)
    return b"".join(parts).decode("ascii")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_what_is_no_terminal_gets_utf8(shell, cli, notes: Path, encoding: str) -> None:
    write_notes(notes, {"日記.md": "# 日記\n\nzebra 漢字 😀\n"})
    cli("workspace", "add", notes)
    for arguments in (["search", "zebra"], ["search", "zebra", "--json"], ["get", "日記.md"]):
        ran = shell(*arguments, PYTHONIOENCODING=encoding)
        assert (ran.code, ran.err) == (0, "")
        assert "zebra 漢字 😀" in ran.out
    refused = shell("workspace", "remove", "漢字", PYTHONIOENCODING=encoding)
    assert "漢字" in refused.err


def test_a_key_from_a_pipe_is_utf8_or_refused(shell, home: Path) -> None:
    ran = shell("keys", "set", "openai", typed="clé", PYTHONIOENCODING="ascii")
    assert "Traceback" not in ran.err


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode there")
@pytest.mark.parametrize(
    "arguments",
    [
        ["get", "\udcff.md"],
        ["search", "zebra", "--json"],
        ["search", "\udcff"],
        ["search", "zebra", "--workspace", "\udcff"],
        ["status"],
        ["doctor"],
        ["workspace", "add", "\udcff"],
        ["changes", "--json"],
    ],
)
def test_names_that_are_no_text_end_no_command(
    shell, cli, notes: Path, arguments: list[str]
) -> None:
    cli("workspace", "add", notes)
    Path(os.fsdecode(os.fsencode(notes) + b"/zebra \xff.md")).write_text("# zebra")
    ran = shell(*arguments)
    assert ran.code in (0, 1)
    assert "Traceback" not in ran.err


def test_a_bug_is_reported_with_its_traceback(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.engine.engine.Engine.workspaces", None)
    ran = cli("workspace", "list")
    assert ran.code == 70
    assert "the same lines are in" in ran.err
    assert "Traceback" in ran.err
    assert "this is a bug" in ran.err


def test_what_fails_after_the_program_was_moved_is_one_sentence(
    cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.engine.engine.Engine.workspaces", None)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(home / "gone"))
    ran = cli("workspace", "list")
    sentence = (
        "scrubjay: Scrubjay was moved or removed while it was running. Start Scrubjay again.\n"
    )
    assert (ran.code, ran.err) == (1, sentence)


@pytest.mark.needs("Linux")
def test_a_full_disk_under_the_log_is_no_traceback(
    cli, home: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = home / "state/logs"
    logs.mkdir(parents=True)
    (logs / "scrubjay.log").symlink_to("/dev/full")
    cli("workspace", "add", notes)
    write_notes(home, {"state/memory/notes.sqlite": b"damage that is logged " * 99})
    ran = cli("index")
    assert ran.code == 0
    assert "Traceback" not in ran.err


@pytest.mark.needs("Linux")
@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "zebra"],
        ["search", "zebra", "--json"],
        ["status"],
        ["doctor"],
        ["diagnostics"],
        ["--help"],
        ["--version"],
        ["workspace", "list"],
    ],
)
def test_output_on_a_full_device_is_one_sentence(cli, notes: Path, arguments: list[str]) -> None:
    write_notes(notes, {"a.md": "zebra\n"})
    cli("workspace", "add", notes)
    done = run_to_full_device(arguments, subprocess.PIPE)
    sentence = "The output could not be written (There is no space left on the disk)."
    assert (done.returncode, done.stderr) == (1, f"scrubjay: {sentence}\n")


@pytest.mark.needs("Linux")
@pytest.mark.parametrize("arguments", [["status"], ["no-such-command"], ["get", "none.md"]])
def test_errors_on_a_full_device_still_end_with_their_code(
    home: Path, arguments: list[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        assert run_to_full_device(arguments, full).returncode in (1, 2)


def test_a_server_whose_answers_cannot_be_written_ends_with_a_sentence(home: Path) -> None:
    done = run_to_full_device(["mcp"], subprocess.PIPE, typed="no message\n")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Its answers could not be written" in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_output_changes_nothing(home: Path, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" status {closed}', PROGRAM], capture_output=True, timeout=TIMEOUT
    )
    assert (done.returncode, done.stderr) == (0, b"")


def run_to_full_device(
    arguments: list[str], errors: int | IO[str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run one command whose output nobody can store."""
    with Path("/dev/full").open("w") as full:
        return subprocess.run(
            [PROGRAM, *arguments],
            input=typed,
            stdout=full,
            stderr=errors,
            text=True,
            timeout=2 * TIMEOUT,
        )
