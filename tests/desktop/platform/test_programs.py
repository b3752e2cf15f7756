"""The programs of a Linux desktop, from the files that its menus are made of."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scrubjay_desktop.platform.programs import Program, installed_programs, program_file_command

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has programs")

EDITOR = """[Desktop Entry]
Type=Application
Name=Writer
Name[de]=Schreiber
Exec="{bin}/my writer" --new %U
MimeType=text/plain;text/x-log;
[Desktop Action New]
Name=New
Exec=other
"""


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("bin", "share/applications", "system/applications"):
        (tmp_path / folder).mkdir(parents=True)
    program = tmp_path / "bin" / "my writer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "system"))
    return tmp_path


def install(share: Path, name: str, text: str, place: str = "share") -> Path:
    file = share / place / "applications" / name
    file.write_text(text.replace("{bin}", str(share / "bin")))
    return file


@needs_linux
def test_programs_that_open_files_are_listed_by_name(share: Path) -> None:
    file = install(share, "writer.desktop", EDITOR)
    install(share, "zed.desktop", EDITOR.replace("Writer", "A zed").replace("--new", "-z"))
    command = f"'{share}/bin/my writer' --new '{{file}}'"
    writer = Program("Writer", command, frozenset({"text/plain", "text/x-log"}))
    assert [program.name for program in installed_programs()] == ["A zed", "Writer"]
    assert installed_programs()[1] == writer
    assert writer.opens(".md")
    assert not writer.opens(".png")
    assert program_file_command(file) == command


@needs_linux
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Exec=", "NoDisplay=true\nExec="),
        ("Exec=", "Terminal=true\nExec="),
        ("Exec=", "TryExec=/no/such/program\nExec="),
        (" %U", ""),
        ("{bin}/my writer", "/no/such/program"),
        ("[Desktop Entry]", ""),
        ('Exec="', 'Exec="open'),
        ("Exec=", "Comment=%(x)s\n= \nExec= "),
    ],
)
def test_what_opens_no_files_is_left_out(share: Path, old: str, new: str) -> None:
    install(share, "writer.desktop", EDITOR.replace(old, new, 1))
    assert installed_programs() == ()


@needs_linux
def test_a_file_of_the_user_hides_that_of_the_system(share: Path) -> None:
    install(share, "writer.desktop", EDITOR, "system")
    assert len(installed_programs()) == 1
    install(share, "writer.desktop", "[Desktop Entry]\nHidden=true\n")
    assert installed_programs() == ()


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("/opt/a b/run", "'/opt/a b/run' '{file}'"),
        ("/Applications/Bear.app", "open -a /Applications/Bear.app '{file}'"),
    ],
)
def test_any_program_file_can_be_chosen(file: str, command: str) -> None:
    assert program_file_command(Path(file)) == command
