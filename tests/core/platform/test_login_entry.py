"""What starts at login: the registry of Windows, the agents of macOS, the entries of Linux."""

from __future__ import annotations

import plistlib
import sys
from pathlib import Path

import pytest

from scrubjay.platform.autostart.desktop_file import DesktopFile
from scrubjay.platform.autostart.launch_agent import LaunchAgent, agent_keys
from scrubjay.platform.autostart.login_entry import login_entry
from scrubjay.platform.autostart.run_value import (
    APPROVED_KEY,
    NAME,
    RUN_KEY,
    RunValue,
    program_of,
    run_command,
)
from scrubjay.platform.autostart.start_at_login import LoginEntry, StartAtLogin, home_arguments
from scrubjay.platform.windows_registry import Hive, WindowsRegistry
from support.registry import KeptRegistry

PROGRAM = r"C:\Users\Ana María\Apps\Scrubjay\scrubjay-desktop.exe"
COMMAND = (PROGRAM, "--background")
TESTS_KEY = r"Software\Scrubjay tests"


@pytest.fixture
def registry() -> KeptRegistry:
    return KeptRegistry()


def test_windows_gets_the_same_value_as_from_the_installer(registry: KeptRegistry) -> None:
    entry = RunValue(registry)
    assert entry.read() is None
    entry.write(COMMAND)
    assert registry.values == {(RUN_KEY, NAME): f'"{PROGRAM}" --background'}
    assert entry.read() == StartAtLogin(PROGRAM, is_enabled=True)
    entry.remove()
    entry.remove()
    assert (registry.values, entry.read()) == ({}, None)


@pytest.mark.parametrize(
    ("first_byte", "expected"), [(2, True), (6, True), (0, True), (3, False), (7, False)]
)
def test_what_task_manager_turned_off_is_off(
    registry: KeptRegistry, first_byte: int, expected: bool
) -> None:
    entry = RunValue(registry)
    entry.write(COMMAND)
    registry.values[APPROVED_KEY, NAME] = bytes([first_byte, *[0] * 11])
    assert entry.read() == StartAtLogin(PROGRAM, is_enabled=expected)
    # Somebody who turns it on here wants it on.
    entry.write(COMMAND)
    assert entry.read() == StartAtLogin(PROGRAM, is_enabled=True)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (f'"{PROGRAM}" --background', PROGRAM),
        (r"C:\Scrubjay\scrubjay-desktop.exe --background", r"C:\Scrubjay\scrubjay-desktop.exe"),
        ("scrubjay-desktop --background", ""),
        ('"', ""),
        ("", ""),
    ],
)
def test_the_program_of_a_value(command: str, program: str) -> None:
    assert program_of(command) == program


def test_every_program_is_quoted() -> None:
    assert run_command((r"C:\scrubjay.exe", "-m", "a b")) == r'"C:\scrubjay.exe" -m "a b"'


HOMES = ["/stick/my notes", "/100% $HOME `x` it's\\y", "/Ñandú & co"]


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("kind", ["Linux", "macOS", "Windows"])
def test_an_entry_starts_the_profile_that_it_was_written_in(
    tmp_path: Path, kind: str, home: str
) -> None:
    entries: dict[str, LoginEntry] = {
        "Linux": DesktopFile(tmp_path / "a.desktop"),
        "macOS": LaunchAgent(tmp_path / "a.plist"),
        "Windows": RunValue(KeptRegistry()),
    }
    chosen = Path(home).absolute()
    arguments = home_arguments({"SCRUBJAY_HOME": home})
    entries[kind].write(("/opt/scrubjay-desktop", *arguments, "--background"))
    start = entries[kind].read()
    assert start is not None
    assert start.home == chosen
    entries[kind].write(("/opt/scrubjay-desktop", *home_arguments({}), "--background"))
    start = entries[kind].read()
    assert start is not None
    assert start.home is None


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_the_registry_of_windows() -> None:
    registry = WindowsRegistry(Hive.USER)
    key, name = r"Software\Scrubjay tests", "Ñandú"
    registry.delete(key, name)
    assert registry.read(key, name) is None
    registry.write(key, name, f'"{PROGRAM}" 😀')
    assert registry.read(key, name) == f'"{PROGRAM}" 😀'
    registry.delete(key, name)
    registry.delete(key, name)
    assert registry.read(key, name) is None


@pytest.mark.skipif(sys.platform == "win32", reason="there is a registry")
def test_elsewhere_there_is_no_registry() -> None:
    assert WindowsRegistry(Hive.USER).read(RUN_KEY, NAME) is None
    with pytest.raises(OSError, match="belongs to Windows"):
        WindowsRegistry(Hive.USER).write(RUN_KEY, NAME, "x")


def test_macos_gets_a_launch_agent(tmp_path: Path) -> None:
    entry = LaunchAgent(tmp_path / "LaunchAgents" / "org.scrubjay.Scrubjay.plist")
    command = ("/Applications/My “Apps” & more/Scrubjay.app/Contents/MacOS/scrubjay-desktop",)
    assert entry.read() is None
    entry.write(command)
    assert plistlib.loads(entry.file.read_bytes()) == {
        "Label": "org.scrubjay.Scrubjay",
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
        "AssociatedBundleIdentifiers": ["org.scrubjay.Scrubjay"],
    }
    assert entry.read() == StartAtLogin(command[0], is_enabled=True)
    entry.remove()
    entry.remove()
    assert entry.read() is None


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"Disabled": True}, StartAtLogin("/a", is_enabled=False)),
        ({"RunAtLoad": False}, StartAtLogin("/a", is_enabled=False)),
        (
            {"EnvironmentVariables": {"SCRUBJAY_HOME": "/stick/home"}},
            StartAtLogin("/a", is_enabled=True, home=Path("/stick/home").absolute()),
        ),
        ({"ProgramArguments": []}, StartAtLogin("", is_enabled=True)),
        ({"ProgramArguments": 7}, None),
        ({"EnvironmentVariables": 7}, None),
    ],
)
def test_a_launch_agent_that_somebody_changed(
    tmp_path: Path, more: dict[str, object], expected: StartAtLogin | None
) -> None:
    file = tmp_path / "a.plist"
    file.write_bytes(plistlib.dumps(agent_keys(("/a",)) | more))
    assert LaunchAgent(file).read() == expected


@pytest.mark.parametrize("content", [b"", b"<plist>", b"[]", b"bplist00", plistlib.dumps([1])])
def test_a_damaged_launch_agent_starts_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.plist"
    file.write_bytes(content)
    assert LaunchAgent(file).read() is None


@pytest.mark.skipif(sys.platform != "linux", reason="needs a Linux desktop")
def test_linux_gets_a_file_of_its_desktops(tmp_path: Path) -> None:
    entry = login_entry({"XDG_CONFIG_HOME": str(tmp_path)})
    assert isinstance(entry, DesktopFile)
    assert entry.place == str(tmp_path / "autostart/org.scrubjay.Scrubjay.desktop")


class OwnKeys(WindowsRegistry):
    """The registry of Windows, with keys beside those of the person who runs the tests."""

    def __init__(self) -> None:
        super().__init__(Hive.USER)

    def read(self, key: str, name: str) -> str | bytes | int | None:
        return super().read(TESTS_KEY, f"{key} {name}")

    def write(self, key: str, name: str, text: str) -> None:
        super().write(TESTS_KEY, f"{key} {name}", text)

    def delete(self, key: str, name: str) -> None:
        super().delete(TESTS_KEY, f"{key} {name}")


@pytest.mark.skipif(sys.platform != "win32", reason="calls Windows")
def test_windows_gets_a_value_of_its_registry() -> None:
    assert isinstance(login_entry(), RunValue)
    entry = RunValue(OwnKeys())
    try:
        entry.write(COMMAND)
        assert entry.read() == StartAtLogin(PROGRAM, is_enabled=True)
    finally:
        entry.remove()
    assert entry.read() is None
