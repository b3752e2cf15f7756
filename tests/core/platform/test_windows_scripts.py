"""Words of commands, and what scripts of Windows start."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.platform.program_search import split_command
from scrubjay.platform.windows_scripts import has_command_characters, is_script, script_target
from support.vault import write_notes


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Windows\notepad.exe", [r"C:\Windows\notepad.exe"]),
        (r"C:\Windows\notepad.exe {file}", [r"C:\Windows\notepad.exe", "{file}"]),
        (
            r'"C:\Program Files\Ed\ed.exe" -g {file}',
            [r"C:\Program Files\Ed\ed.exe", "-g", "{file}"],
        ),
        (r"'C:\Program Files\Ed\ed.exe' {file}", [r"C:\Program Files\Ed\ed.exe", "{file}"]),
        (r"C:\Users\O'Brien\ed.exe {file}", [r"C:\Users\O'Brien\ed.exe", "{file}"]),
        (r"\\server\share\ed.exe #1 +{line}", [r"\\server\share\ed.exe", "#1", "+{line}"]),
        (r'ed.exe --title="My notes" ""', ["ed.exe", "--title=My notes", ""]),
        ("", []),
    ],
)
def test_a_backslash_is_a_letter_on_windows(command: str, words: list[str]) -> None:
    assert split_command(command, is_windows=True) == words


def test_elsewhere_a_backslash_quotes() -> None:
    assert split_command(r"vim my\ note.md", is_windows=False) == ["vim", "my note.md"]


@pytest.mark.parametrize("is_windows", [True, False])
@given(st.lists(st.text(st.characters(exclude_characters="\r\n\0"), min_size=1)))
def test_what_the_app_joined_is_taken_apart_again(is_windows: bool, words: list[str]) -> None:
    assert split_command(shlex.join(words), is_windows=is_windows) == words


@pytest.mark.parametrize("is_windows", [True, False])
def test_half_a_quote_is_no_command(is_windows: bool) -> None:
    with pytest.raises(ValueError, match="quotation"):
        split_command('"C:/My editor/ed.exe {file}', is_windows=is_windows)


@pytest.mark.parametrize(
    ("program", "expected"),
    [("C:/bin/code.cmd", True), ("C:/bin/CODE.BAT", True), ("C:/Code.exe", False), ("code", False)],
)
def test_scripts_are_told_by_their_ending(program: str, expected: bool) -> None:
    assert is_script(program) is expected


@pytest.mark.parametrize(
    "line",
    [
        r'"%~dp0..\Code.exe" "%~dp0..\resources\app\out\cli.js" %*',
        r'call "%~dp0..\Code.exe" %*',
        r"start %~DP0..\Code.exe %*",
    ],
)
def test_the_program_beside_a_script_is_found(tmp_path: Path, line: str) -> None:
    write_notes(tmp_path, {"bin/code.cmd": f"@echo off\r\n{line}\r\n", "Code.exe": ""})
    assert script_target(str(tmp_path / "bin/code.cmd")) == str(tmp_path / "Code.exe")


@pytest.mark.parametrize("line", [r'"%~dp0..\Gone.exe" %*', "node %*", r'"%ED%\Code.exe" %*', ""])
def test_a_script_that_starts_something_else_has_none(tmp_path: Path, line: str) -> None:
    write_notes(tmp_path, {"bin/code.cmd": line, "Code.exe": ""})
    assert script_target(str(tmp_path / "bin/code.cmd")) is None
    assert script_target(str(tmp_path / "bin/gone.cmd")) is None


@pytest.mark.parametrize(
    "name", ["a)b", "(x)", "a&b", "a|b", "a<b", "a>b", "a^b", "%PATH%", 'a"b', "a!b", "a\nb"]
)
def test_names_that_act_are_told(name: str) -> None:
    assert has_command_characters(["-g", f"C:\\notes\\{name}.md:3"])


@pytest.mark.parametrize("name", ["a b", "ñandú (2)", "a,b;c=d", "[x]", "#1", "it's", "~"])
def test_other_names_do_not_act(name: str) -> None:
    assert not has_command_characters(["-g", f"C:\\notes\\{name}.md:3"])
