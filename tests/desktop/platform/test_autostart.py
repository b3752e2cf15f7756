from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.errors import ScrubjayError
from scrubjay.platform.autostart.desktop_file import FILE_NAME, DesktopFile, exec_line
from scrubjay.platform.autostart.start_at_login import home_arguments
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.platform.autostart import Autostart, create_autostart

ODD = ("/opt/my apps/it's $HOME `x` 100%\\/scrubjay-desktop", "--background")

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def entry(tmp_path: Path) -> DesktopFile:
    return DesktopFile(tmp_path / "autostart" / FILE_NAME)


@pytest.fixture
def autostart(entry: DesktopFile) -> Autostart:
    return Autostart(entry, ODD)


def test_it_is_off_until_asked_for(autostart: Autostart, entry: DesktopFile) -> None:
    assert not autostart.is_on
    autostart.switch(on=True)
    assert (autostart.is_on, autostart.hint) == (True, "")
    autostart.switch(on=False)
    autostart.switch(on=False)
    assert not autostart.is_on
    assert list(entry.file.parent.iterdir()) == []


def test_an_entry_that_outlives_the_program_is_passed_over(
    autostart: Autostart, entry: DesktopFile
) -> None:
    autostart.switch(on=True)
    lines = entry.file.read_text(encoding="utf-8").splitlines()
    [line] = [line for line in lines if line.startswith("TryExec=")]
    assert line.removeprefix("TryExec=").replace("\\\\", "\\") == ODD[0]


@pytest.mark.needs("POSIX paths")
def test_a_copy_that_was_moved_is_off_and_says_so(tmp_path: Path, entry: DesktopFile) -> None:
    former = tmp_path / "old stick" / "scrubjay-desktop"
    Autostart(entry, (str(former), "--background")).switch(on=True)
    moved = Autostart(entry, ODD)
    assert not moved.is_on
    assert moved.hint.startswith(f"Scrubjay was set to start from {former}, which is not there")
    moved.switch(on=True)
    assert (moved.is_on, moved.hint) == (True, "")


@pytest.mark.needs("POSIX paths")
def test_a_copy_whose_place_cannot_be_looked_at_is_taken_for_moved(entry: DesktopFile) -> None:
    # No file system takes a name of this length.
    former = f"/{'x' * 300}/scrubjay-desktop"
    Autostart(entry, (former, "--background")).switch(on=True)
    moved = Autostart(entry, ODD)
    assert not moved.is_on
    assert moved.hint.startswith(f"Scrubjay was set to start from {former}, ")


@pytest.mark.needs("POSIX paths")
def test_another_copy_that_starts_is_named(tmp_path: Path, entry: DesktopFile) -> None:
    other = tmp_path / "scrubjay-desktop"
    other.write_text("")
    Autostart(entry, (str(other), "--background")).switch(on=True)
    here = Autostart(entry, ODD)
    assert not here.is_on
    assert here.hint.startswith("Another copy of Scrubjay is set to start when you log in: ")
    assert str(other) in here.hint


def test_an_app_in_a_temporary_folder_of_macos_is_not_started_at_login(entry: DesktopFile) -> None:
    program = "/private/var/folders/x/T/AppTranslocation/1F/d/Scrubjay.app/Contents/MacOS/a"
    here = Autostart(entry, (program, "--background"))
    with pytest.raises(ScrubjayError) as refused:
        here.switch(on=True)
    assert "move Scrubjay to the Applications folder" in str(refused.value)
    assert not entry.file.exists()
    here.switch(on=False)


@pytest.mark.parametrize(("former", "own"), [("/a", ""), ("", "/a"), ("/a", "/b")])
def test_an_entry_of_another_profile_is_off_and_says_so(
    entry: DesktopFile, former: str, own: str
) -> None:
    def command(home: str) -> tuple[str, ...]:
        return (ODD[0], *home_arguments({"SCRUBJAY_HOME": home}), "--background")

    Autostart(entry, command(former)).switch(on=True)
    here = Autostart(entry, command(own))
    assert not here.is_on
    assert here.hint.startswith("Scrubjay is set to start with other settings when you log in.")
    here.switch(on=True)
    assert (here.is_on, here.hint) == (True, "")


def test_an_entry_of_an_earlier_version_without_a_path_counts(entry: DesktopFile) -> None:
    entry.file.parent.mkdir()
    entry.file.write_text("[Desktop Entry]\nExec=scrubjay-desktop --background\n")
    assert Autostart(entry, ODD).is_on


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_a_desktop_switched_off_is_off(
    autostart: Autostart, entry: DesktopFile, line: str
) -> None:
    autostart.switch(on=True)
    text = entry.file.read_text(encoding="utf-8")
    entry.file.write_text(f"{text}{line}\n", encoding="utf-8")
    assert not autostart.is_on


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="needs desktop-file-utils")
@pytest.mark.parametrize("command", [ODD, ("scrubjay-desktop", "--background")])
def test_the_entry_is_valid(tmp_path: Path, command: tuple[str, ...]) -> None:
    entry = DesktopFile(tmp_path / FILE_NAME)
    entry.write(command)
    checked = subprocess.run(
        ["desktop-file-validate", str(entry.file)], capture_output=True, text=True
    )
    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("/usr/bin/scrubjay-desktop", "--background"), "/usr/bin/scrubjay-desktop --background"),
        (("/my apps/x",), '"/my apps/x"'),
        (("/a$b",), r'"/a\\$b"'),
        (("/100%",), "/100%%"),
        (("/a\\b",), r'"/a\\\\b"'),
    ],
)
def test_words_are_quoted_as_the_standard_asks(command: tuple[str, ...], line: str) -> None:
    assert exec_line(command) == line


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ScrubjayError, match="could not be changed"):
        Autostart(DesktopFile(tmp_path / "file" / FILE_NAME), ODD).switch(on=True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a Linux desktop")
def test_the_switch_in_the_settings(desktop: Desktop, person: Path) -> None:
    chosen = desktop.show_settings().window_settings
    assert not chosen.start_box.isChecked()
    chosen.start_box.click()
    entry = person / ".config/autostart/org.scrubjay.Scrubjay.desktop"
    assert "scrubjay-desktop --background\n" in entry.read_text()
    assert chosen.start_box.isChecked()
    chosen.start_box.click()
    assert not entry.exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a Linux desktop")
def test_a_refused_switch_goes_back_and_says_why(desktop: Desktop, person: Path) -> None:
    (person / ".config").write_text("in the way")
    chosen = desktop.show_settings().window_settings
    chosen.start_box.click()
    assert not chosen.start_box.isChecked()
    assert chosen.start_line.text().startswith(
        "The setting to start Scrubjay when you log in could not be changed"
    )


def test_elsewhere_the_settings_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "freebsd14")
    there = create_autostart()
    assert not there.is_available
    assert not there.is_on
    assert there.hint.endswith("scrubjay-desktop --background")
    with pytest.raises(ScrubjayError):
        there.switch(on=True)
