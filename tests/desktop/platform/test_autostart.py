from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.errors import ScrubjayError
from scrubjay.platform.autostart_entry import FILE_NAME
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.platform.autostart import XdgAutostart, create_autostart, exec_line

ODD = ("/opt/my apps/it's $HOME `x` 100%\\/scrubjay-desktop", "--background")

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def autostart(tmp_path: Path) -> XdgAutostart:
    return XdgAutostart(tmp_path / "autostart" / FILE_NAME, ODD)


def test_it_is_off_until_asked_for(autostart: XdgAutostart) -> None:
    assert not autostart.is_on
    autostart.switch(on=True)
    assert autostart.is_on
    autostart.switch(on=False)
    autostart.switch(on=False)
    assert not autostart.is_on
    assert list(autostart.file.parent.iterdir()) == []


def test_an_entry_that_outlives_the_program_is_passed_over(autostart: XdgAutostart) -> None:
    autostart.switch(on=True)
    [line] = [one for one in autostart.file.read_text().splitlines() if one.startswith("TryExec=")]
    assert line.removeprefix("TryExec=").replace("\\\\", "\\") == ODD[0]


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_a_desktop_switched_off_is_off(autostart: XdgAutostart, line: str) -> None:
    autostart.switch(on=True)
    autostart.file.write_text(f"{autostart.file.read_text()}{line}\n")
    assert not autostart.is_on


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="needs desktop-file-utils")
@pytest.mark.parametrize("command", [ODD, ("scrubjay-desktop", "--background")])
def test_the_entry_is_valid(tmp_path: Path, command: tuple[str, ...]) -> None:
    autostart = XdgAutostart(tmp_path / FILE_NAME, command)
    autostart.switch(on=True)
    checked = subprocess.run(
        ["desktop-file-validate", str(autostart.file)], capture_output=True, text=True
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
        XdgAutostart(tmp_path / "file" / FILE_NAME, ODD).switch(on=True)


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
    monkeypatch.setattr(sys, "platform", "win32")
    there = create_autostart()
    assert there.unavailable.endswith("scrubjay-desktop --background")
    with pytest.raises(ScrubjayError):
        there.switch(on=True)
