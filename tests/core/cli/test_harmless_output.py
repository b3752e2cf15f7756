"""Nothing that strangers wrote acts on the terminal."""

from __future__ import annotations

import ast
import errno
import io
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import scrubjay.cli
from core.cli.conftest import PROGRAM, Ran
from scrubjay.cli.harmless_output import HarmlessStream, is_reader_gone, raw_stream
from scrubjay.text.printable import escape_json, harmless_text
from support.vault import TIMEOUT, write_notes

EVIL = "evil\x1b[2J\x1b]0;PWNED\x07\x9b31m\x7f\u202egnp\u2066\u2028\u2029\u200e"
ACTING = re.compile(
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)


@pytest.fixture
def folder(home: Path, tmp_path: Path) -> Path:
    """A folder, names and texts of which are all by a stranger."""
    folder = tmp_path / f"notes {EVIL}"
    write_notes(folder, {f"{EVIL}.md": f"# {EVIL}\n\nThe apricot {EVIL} tree. #{EVIL}\n"})
    return folder


COMMANDS = (
    ("index",),
    ("status",),
    ("status", "--json"),
    ("search", "apricot"),
    ("search", "apricot", "--json"),
    ("search", "apricot", "--explain"),
    ("context", "where is the apricot tree"),
    ("get", f"{EVIL}.md"),
    ("get", f"none {EVIL}.md"),
    ("changes", "2020"),
    ("changes", "2020", "--diff"),
    ("workspace", "list"),
    ("workspace", "remove", f"none {EVIL}"),
    ("agents", "deny", EVIL),
    ("agents", "list"),
    ("agents", "list", "--json"),
    ("agents", "audit-log"),
    ("import", f"/none/{EVIL}", "--into", "/none"),
    ("import", f"/none/{EVIL}.json"),
    ("shared", "--add", f"/none/{EVIL}"),
    ("shared",),
    ("models", "use", EVIL),
    ("keys", "test", EVIL),
    ("doctor",),
    ("diagnostics",),
    ("captured",),
    ("dream", "status"),
    ("forget", f"apricot {EVIL}"),
    ("connect", EVIL),
    (EVIL,),
    ("search", f"--{EVIL}"),
)


def test_no_command_prints_what_acts_on_a_terminal(cli: Callable[..., Ran], folder: Path) -> None:
    assert cli("workspace", "add", folder).code == 0
    for words in COMMANDS:
        ran = cli(*words)
        assert ran.code in (0, 1, 2), (words, ran)
        assert not ACTING.search(ran.out + ran.err), (words, ran)
        if "--json" in words:
            assert EVIL in json.dumps(ran.json, ensure_ascii=True) or ran.json is not None


@pytest.mark.needs("POSIX terminals")
def test_colours_of_a_terminal_are_those_of_scrubjay_alone(
    cli: Callable[..., Ran], folder: Path
) -> None:
    import pty

    cli("workspace", "add", folder)
    cli("index")
    main, end = pty.openpty()
    with subprocess.Popen(
        [str(PROGRAM), "search", "apricot"], stdout=end, stderr=end, stdin=end, env=os.environ
    ) as process:
        os.close(end)
        shown = b""
        try:
            while part := os.read(main, 65_536):
                shown += part
        except OSError:  # it has ended
            pass
        assert process.wait(TIMEOUT) == 0
    os.close(main)
    # Colours, and what hides the cursor and clears the line of a bar of progress.
    text = re.sub(r"\x1b\[\??[0-9;]*[hlmKA]|\r", "", shown.decode())
    assert "apricot" in text
    assert b"\x1b[" in shown, "it has colours"
    assert not ACTING.search(text)


def test_a_stream_passes_on_all_that_is_harmless() -> None:
    behind = io.StringIO()
    stream = HarmlessStream(behind)
    assert stream.write(f"one\ttwo\r\n{EVIL}") == len(f"one\ttwo\r\n{EVIL}")
    assert behind.getvalue() == "one\ttwo\nevil?[2J?]0;PWNED??31m??gnp????"
    assert raw_stream(stream) is behind  # type: ignore[arg-type]
    assert harmless_text("ni\u00f1o \u6771\u4eac e\u0301\n") == "ni\u00f1o \u6771\u4eac e\u0301\n"


def test_json_says_the_same_without_acting() -> None:
    text = json.dumps({"path": EVIL}, ensure_ascii=False)
    assert json.loads(escape_json(text)) == {"path": EVIL}
    assert not ACTING.search(escape_json(text))


def test_no_command_has_a_console_of_its_own() -> None:
    folder = Path(scrubjay.cli.__file__).parent
    for file in folder.rglob("*.py"):
        names = {
            getattr(node, "module", None)
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom)
        }
        assert "rich.console" not in names or file.name == "console.py", file
        assert "__stdout__" not in file.read_text(), file


@pytest.mark.parametrize(
    ("number", "is_windows", "is_gone"),
    [
        (errno.EPIPE, False, True),
        (errno.EPIPE, True, True),
        # Windows calls a pipe that nobody reads an invalid argument.
        (errno.EINVAL, True, True),
        (errno.EINVAL, False, False),
        (errno.ENOSPC, True, False),
    ],
)
def test_a_reader_that_has_gone_is_known_by_its_error(
    number: int, is_windows: bool, is_gone: bool
) -> None:
    assert is_reader_gone(OSError(number, ""), is_windows=is_windows) is is_gone
