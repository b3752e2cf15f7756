"""Programs that are run, and how they fail."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import psutil
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, QmdFailed
from scrubjay.qmd.process import command_words, run_program
from support.qmd_program import program
from support.vault import TIMEOUT
from support.waiting import wait_until

SLEEPS = """\
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("child").write_text(str(child.pid))
time.sleep(600)
"""


def run(
    folder: Path,
    code: str,
    *arguments: str,
    seconds: float = TIMEOUT,
    cancels: tuple[CancelToken, ...] = (),
) -> str:
    command = str(program(folder / "bin", code))
    return run_program(
        command, arguments, *cancels, home=folder, environ=dict(os.environ), seconds=seconds
    )


def is_gone(child: Path) -> bool:
    if not child.exists():  # this computer was too busy to start it
        return True
    try:
        return psutil.Process(int(child.read_text())).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_arguments_arrive_as_they_are(tmp_path: Path) -> None:
    odd = ("a b", "$(id)", '"; rm -rf /', "ñ\n*", "--json")
    told = run(tmp_path, "import sys; print(ascii(sys.argv[1:]))", *odd)
    assert told.rstrip() == ascii(list(odd))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit(3)", "QMD exited with code 3."),
        (
            "import sys; sys.exit('no \\x1b[1mcollections')",
            "QMD exited with code 1: no [1mcollections.",
        ),
        pytest.param(
            "import os; os.kill(os.getpid(), 11)",
            "QMD exited with code -11.",
            marks=pytest.mark.needs("POSIX signals"),
        ),
        ("print('x' * 17_000_000)", "QMD sent a response that is too long."),
    ],
)
def test_a_program_that_fails_says_why(tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(QmdFailed) as failure:
        run(tmp_path, code)
    assert failure.value.message == said


@pytest.mark.parametrize("command", ["no-such-qmd", "no-such-qmd --fast", '"', "", "/etc"])
def test_a_program_that_is_not_there(command: str, tmp_path: Path) -> None:
    with pytest.raises(QmdFailed, match="was not found"):
        command_words(command)


@pytest.mark.needs("POSIX modes")
def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    file = program(tmp_path)
    file.write_bytes(b"\0\1\2")
    with pytest.raises(QmdFailed, match="could not be started"):
        run_program(str(file), [], home=tmp_path, environ={}, seconds=TIMEOUT)


@pytest.mark.needs("POSIX paths")
def test_a_command_may_have_arguments_and_spaces(tmp_path: Path) -> None:
    file = str(program(tmp_path / "my programs"))
    assert command_words(file) == [file]
    assert command_words(f"'{file}' --quiet") == [file, "--quiet"]


def test_a_program_that_hangs_ends_with_all_that_it_started(tmp_path: Path) -> None:
    with pytest.raises(QmdFailed, match=r"did not respond within 2 seconds"):
        run(tmp_path, SLEEPS, seconds=2)
    wait_until(lambda: is_gone(tmp_path / "child"))


@pytest.mark.parametrize("which", [0, 1])
def test_a_program_is_called_off(tmp_path: Path, which: int) -> None:
    cancels = (CancelToken(), CancelToken())
    child = tmp_path / "child"

    def call_off() -> None:
        wait_until(lambda: child.is_file() and child.read_text() != "")
        cancels[which].cancel()

    thread = threading.Thread(target=call_off)
    thread.start()
    with pytest.raises(Cancelled):
        run(tmp_path, SLEEPS, cancels=cancels)
    thread.join()
    wait_until(lambda: is_gone(child))
    child.unlink()
    with pytest.raises(Cancelled):
        run(tmp_path, SLEEPS, cancels=cancels)
    assert not child.exists()
