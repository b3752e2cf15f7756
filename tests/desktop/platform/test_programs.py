"""The programs that open files: from menus of Linux, the registry of Windows, the apps of a Mac."""

from __future__ import annotations

import plistlib
import sys
from pathlib import Path

import pytest

from scrubjay_desktop.platform.programs import (
    Program,
    installed_programs,
    mac_programs,
    program_file_command,
    registered_programs,
)
from support.registry import KeptRegistry

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


@pytest.mark.needs("POSIX paths")
@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("/opt/a b/run", "'/opt/a b/run' '{file}'"),
        ("/Applications/Bear.app", "open -a /Applications/Bear.app '{file}'"),
    ],
)
def test_any_program_file_can_be_chosen(file: str, command: str) -> None:
    assert program_file_command(Path(file)) == command


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program in a folder with a space."""
    file = tmp_path / "Program Files" / "writer.exe"
    file.parent.mkdir()
    file.touch(0o755)
    return file


def register(command: str, **values: str) -> KeptRegistry:
    registry = KeptRegistry()
    registry.values = {("Applications\\writer.exe", name): text for name, text in values.items()}
    registry.values["Applications\\writer.exe\\shell\\open\\command", ""] = command
    registry.values["Applications\\writer.exe\\SupportedTypes", ".txt"] = ""
    return registry


@pytest.mark.parametrize("place", ["%1", "%L", "%l"])
@pytest.mark.parametrize("quote", ['"', ""])
def test_windows_lists_its_registered_programs(program: Path, place: str, quote: str) -> None:
    command = f'{quote}{program}{quote} /new "{place}" %*'
    [listed] = registered_programs(register(command, FriendlyAppName="Writer ñ"))
    assert (listed.name, listed.command) == ("Writer ñ", f'"{program}" /new "{{file}}"')
    assert listed.opens(".md")
    assert not listed.opens(".png")


@pytest.mark.parametrize(
    "name", [{}, {"FriendlyAppName": "@C:\\x.dll,-1"}, {"FriendlyAppName": ""}]
)
def test_a_program_of_windows_without_a_name_is_called_as_its_file(
    program: Path, name: dict[str, str]
) -> None:
    [listed] = registered_programs(register(f'"{program}" "%1"', **name))
    assert listed.name == "writer"


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ('"{program}"', {}),
        ('"{program}" "%1"', {"NoOpenWith": ""}),
        ('"/no/such/program.exe" "%1"', {}),
        ('"{program} "%1"', {}),
        ("", {}),
    ],
)
def test_what_opens_no_files_is_left_out_on_windows(
    program: Path, command: str, values: dict[str, str]
) -> None:
    registry = register(command.replace("{program}", str(program)), **values)
    assert [*registered_programs(registry)] == []


@pytest.mark.needs("POSIX paths")
def test_a_mac_lists_the_apps_that_open_files(tmp_path: Path) -> None:
    kinds = [
        {"LSItemContentTypes": ["public.plain-text"]},
        {"CFBundleTypeExtensions": ["pdf", "*"]},
    ]
    for name, info in {
        "Bear": plistlib.dumps({"CFBundleDocumentTypes": kinds}),
        "Utilities/Old": plistlib.dumps({"CFBundleDocumentTypes": []}, fmt=plistlib.FMT_BINARY),
        "Clock": plistlib.dumps({}),
        "Broken": b"<plist",
        "Strange": plistlib.dumps({"CFBundleDocumentTypes": "none"}),
    }.items():
        folder = tmp_path / f"{name}.app" / "Contents"
        folder.mkdir(parents=True)
        (folder / "Info.plist").write_bytes(info)
    bear, old = mac_programs([tmp_path, tmp_path / "none"])
    assert (bear.name, old.name) == ("Bear", "Old")
    assert bear.command == f"open -a {tmp_path / 'Bear.app'} '{{file}}'"
    assert [bear.opens(kind) for kind in (".md", ".pdf", ".png")] == [True, True, False]
