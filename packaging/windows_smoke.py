"""Tests the installer for Windows: `python packaging/windows_smoke.py SETUP [EARLIER_SETUP]`.

Installs over an earlier version without questions, uses, upgrades and removes Scrubjay, and checks
folders, shortcuts and the registry each time. On Linux, it runs itself under Wine.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import quick_smoke
import under_wine
import windows_packages
from scrubjay.platform.installation import APP_ID

ROOT = Path(__file__).resolve().parents[1]
PLACE = Path(r"C:\Prüfung mit Leerzeichen ñ 日本\Scrubjay")
EARLIER = "0.0.1"
"""Version of a small earlier Scrubjay, whose files have to go."""
OBSOLETE = "_internal/obsolete ñ.txt"
RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
OWN_KEY = r"Software\Scrubjay"
UNINSTALL_KEY = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Scrubjay"
IN_USE = 3
FOREIGN_FOLDER = 4
PATIENCE_S = 90
LIMIT_S = 1800


def main(arguments: list[str]) -> int:
    """Test the installer; without the earlier one, that is made first."""
    setup = Path(arguments[0]).absolute()
    if len(arguments) > 1:
        check(setup, Path(arguments[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        earlier = earlier_installer(Path(folder))
        match sys.platform:
            case "win32":
                check(setup, earlier)
                return 0
            case _:
                return under_wine.run_python(Path(__file__), setup, earlier, timeout_s=LIMIT_S)


def earlier_installer(folder: Path) -> Path:
    """An installer of a version that has a file which the present one does not have."""
    bundle = folder / "earlier"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / OBSOLETE).write_text("old", encoding="utf-8")
    compiler = windows_packages.makensis()
    return windows_packages.installer(
        bundle, folder, number=EARLIER, compiler=compiler, is_fast=True
    )


def check(setup: Path, earlier: Path) -> None:
    """Go through everything that can happen to an installation."""
    with (
        tempfile.TemporaryDirectory(prefix="über uns ", ignore_cleanup_errors=True) as folder,
        search_path(long_search_path()) as path,
    ):
        home = Path(folder) / "home ñ 日本"
        os.environ["SCRUBJAY_HOME"] = str(home)
        foreign_folder(setup, Path(folder))
        start_of_another_copy(earlier)
        search_path_of_its_own(earlier)
        first_installation(setup, earlier)
        quick_smoke.use(PLACE / "scrubjay.exe", Path(folder))
        say("Found by words, by meaning, in a document, and by an agent.")
        upgrade_of_running_app(setup)
        upgrade_in_use(setup)
        upgrade_with_file_open(setup)
        (home / "config.json5").write_text("{}\n", encoding="utf-8")
        removal_with_settings_kept(home)
        expect(value("Environment", "Path") == path, "PATH is as before")
        removal_with_settings(setup, home)
        expect(value("Environment", "Path") == path, "PATH is as before")


def foreign_folder(setup: Path, folder: Path) -> None:
    """A folder with files of somebody else is not installed into."""
    place = folder / "Other files"
    place.mkdir()
    (place / "letter.txt").write_text("mine", encoding="utf-8")
    expect(install(setup, place) == FOREIGN_FOLDER, "a folder with other files is refused")
    expect(names(place) == ["letter.txt"], "a refused folder stays as it is")


def start_of_another_copy(setup: Path) -> None:
    """The start of another copy stays, whatever is asked for and removed."""
    command = r'"E:\Stick\Scrubjay\scrubjay-desktop.exe" --background'
    set_value(RUN_KEY, "Scrubjay", command)
    for options in ((), ("/AUTOSTART",)):
        expect(install(setup, PLACE, *options) == 0, "it is installed beside another copy")
        expect(value(RUN_KEY, "Scrubjay") == command, "the start of the other copy stays")
    uninstall()
    expect(value(RUN_KEY, "Scrubjay") == command, "a removal leaves it too")
    set_value(RUN_KEY, "Scrubjay", "")


def search_path_of_its_own(setup: Path) -> None:
    """A PATH that has nothing else in it goes with the program."""
    with search_path(""):
        expect(install(setup, PLACE, "/TERMINAL") == 0, "it is installed without a PATH")
        expect(value("Environment", "Path") == str(PLACE), "PATH is its folder alone")
        uninstall()
        expect(not has_value("Environment", "Path"), "no empty PATH is left")


def first_installation(setup: Path, earlier: Path) -> None:
    """An installation over an earlier version, with all ticks."""
    expect(install(earlier, PLACE) == 0, "the earlier version is installed")
    expect((PLACE / OBSOLETE).is_file(), "the earlier version has its file")
    expect(install(setup, PLACE, "/AUTOSTART", "/DESKTOP", "/TERMINAL") == 0, "it is installed")
    expect(not (PLACE / OBSOLETE).exists(), "files of the earlier version are gone")
    expect(shortcuts() == {"menu", "desktop"}, "both shortcuts are there")
    command = f'"{PLACE / "scrubjay-desktop.exe"}" --background'
    expect(value(RUN_KEY, "Scrubjay") == command, "it starts at login")
    expect(str(PLACE) in value("Environment", "Path").split(";"), "terminals find it")
    expect(value(UNINSTALL_KEY, "InstallLocation") == str(PLACE), "Windows knows its folder")
    expect(value(UNINSTALL_KEY, "DisplayName") == "Scrubjay", "Windows knows its name")
    expect(value(UNINSTALL_KEY, "DisplayVersion") != EARLIER, "Windows knows its version")
    if not under_wine.is_wine():  # which ignores the identity
        for shortcut in shortcut_files().values():
            content = shortcut.read_bytes()
            expect(APP_ID.encode("utf-16-le") in content, "a shortcut has the app's identity")


def upgrade_of_running_app(setup: Path) -> None:
    """An upgrade ends the app, and starts the new one."""
    with app_running():
        expect(install(setup, PLACE) == 0, "the app is upgraded while it runs")
        eventually(is_app_running, "the new version runs")
    expect(value(RUN_KEY, "Scrubjay") != "", "an upgrade keeps the start at login")
    expect(shortcuts() == {"menu", "desktop"}, "an upgrade keeps the shortcuts")
    entries = value("Environment", "Path").split(";")
    expect(entries.count(str(PLACE)) == 1, "an upgrade keeps one entry for terminals")


def upgrade_in_use(setup: Path) -> None:
    """An upgrade changes nothing while an agent uses the program."""
    server = subprocess.Popen(
        [str(PLACE / "scrubjay.exe"), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with server:
        before = names(PLACE / "_internal")
        expect(install(setup, PLACE) == IN_USE, "an upgrade waits for an agent, then gives up")
        expect(names(PLACE / "_internal") == before, "an upgrade that gave up changed nothing")
        assert server.stdin is not None
        server.stdin.close()
        server.wait(PATIENCE_S)


def upgrade_with_file_open(setup: Path) -> None:
    """An upgrade changes nothing while another program has a file open."""
    before = names(PLACE)
    # Python shares its files for reading and writing, but not for deleting.
    with app_running(), next((PLACE / "_internal").rglob("*.qm")).open("rb"):
        expect(install(setup, PLACE) == IN_USE, "an upgrade waits for an open file, then gives up")
        expect(names(PLACE) == before, "nothing is removed while a file is open")
        eventually(is_app_running, "the app that was asked to quit runs again")


def removal_with_settings_kept(home: Path) -> None:
    """A removal leaves settings, and files that the installer did not bring."""
    (PLACE / "_internal" / "mine.txt").write_text("mine", encoding="utf-8")
    uninstall()
    found = [file for file in PLACE.rglob("*") if file.is_file()]
    expect([file.name for file in found] == ["mine.txt"], "only a file of the person is left")
    found[0].unlink()
    found[0].parent.rmdir()
    PLACE.rmdir()
    expect((home / "config.json5").is_file(), "the settings are kept")
    expect_no_trace()


def removal_with_settings(setup: Path, home: Path) -> None:
    """A removal takes the settings too if that is asked for, but never notes."""
    expect(install(setup, PLACE) == 0, "it is installed again")
    expect(value(RUN_KEY, "Scrubjay") == "", "it does not start at login if nobody asks for it")
    uninstall("/REMOVESETTINGS")
    expect(not (home / "config.json5").exists(), "the settings are gone")
    notes = home.parent / "meine Notizen ñ 日本"
    expect(len(names(notes)) == 3, "the notes are still there")
    expect(not PLACE.exists(), "its folder is gone")
    expect_no_trace()


def expect_no_trace() -> None:
    """Nothing is left in the menu, on the desktop and in the registry."""
    expect(shortcuts() == set(), "no shortcut is left")
    expect(value(RUN_KEY, "Scrubjay") == "", "nothing starts at login")
    expect(value(UNINSTALL_KEY, "DisplayName") == "", "Windows does not list it")


# -- Steps ------------------------------------------------------------------------------------


def install(setup: Path, place: Path, *options: str) -> int:
    """Exit code of a silent installation into a folder."""
    # NSIS takes all that follows /D= as the folder, without quotes.
    command = " ".join([f'"{setup}"', "/S", *options, f"/D={place}"])
    code = subprocess.run(command, check=False, timeout=600).returncode
    if code == 0 and (place / "scrubjay.exe").exists():
        add_stand_ins()
    return code


def uninstall(*options: str) -> None:
    """Remove it as Windows' settings do, without questions."""
    command = " ".join([value(UNINSTALL_KEY, "QuietUninstallString"), *options])
    subprocess.run(command, check=True, timeout=600)
    # The uninstaller goes on in a copy of itself, so that it can delete itself.
    uninstaller = PLACE / "uninstall-scrubjay.exe"
    eventually(lambda: not uninstaller.exists() and not value(OWN_KEY, "Folder"), "it is removed")
    if under_wine.is_wine():
        under_wine.remove_stand_ins(PLACE / "_internal")
        for folder in (PLACE / "_internal" / "PySide6", PLACE / "_internal", PLACE):
            with contextlib.suppress(OSError):
                folder.rmdir()


def add_stand_ins() -> None:
    """Let the installed program run under Wine."""
    if under_wine.is_wine():
        under_wine.add_stand_ins(PLACE / "_internal")


@contextlib.contextmanager
def app_running() -> Iterator[None]:
    """The app, until the end of the block, whichever version runs by then."""
    program = str(PLACE / "scrubjay-desktop.exe")
    with subprocess.Popen([program, "--background"]) as app:
        try:
            eventually(is_app_running, "the app runs")
            yield
        finally:
            # Whatever failed, an app that still runs would keep this test waiting.
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run([program, "--quit"], check=True, timeout=PATIENCE_S)
            app.kill()
    eventually(lambda: not is_app_running(), "the app quits")


def is_app_running() -> bool:
    """Whether an app holds its lock, which Windows does not let others delete."""
    return (Path(os.environ["SCRUBJAY_HOME"]) / "state" / "desktop.lock").exists()


def long_search_path() -> str:
    """The PATH of the person with so many more folders that it is longer than the texts of NSIS."""
    folders = [f"C:\\Tools\\{number} {PLACE.name} ñ" for number in range(200)]
    return ";".join([*filter(None, [value("Environment", "Path")]), *folders, f"{PLACE} 2"])


@contextlib.contextmanager
def search_path(path: str) -> Iterator[str]:
    """Another PATH of the person, until the end of the block; none for an empty one."""
    before = value("Environment", "Path")
    set_value("Environment", "Path", path)
    try:
        yield path
    finally:
        set_value("Environment", "Path", before)


def set_value(key: str, name: str, text: str) -> None:
    """Write a text into the registry of the person; an empty one removes it."""
    if sys.platform == "win32":
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
            if text:
                winreg.SetValueEx(opened, name, 0, winreg.REG_EXPAND_SZ, text)
            elif has_value(key, name):
                winreg.DeleteValue(opened, name)


def shortcut_files() -> dict[str, Path]:
    """Places of the shortcuts that the installer makes."""
    roaming, profile = Path(os.environ["APPDATA"]), Path(os.environ["USERPROFILE"])
    menu = roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Scrubjay.lnk"
    return {"menu": menu, "desktop": profile / "Desktop" / "Scrubjay.lnk"}


def shortcuts() -> set[str]:
    """Names of the shortcuts that exist."""
    return {name for name, file in shortcut_files().items() if file.is_file()}


def value(key: str, name: str) -> str:
    """A text of the person's registry; empty if there is none."""
    return find_value(key, name) or ""


def has_value(key: str, name: str) -> bool:
    """Whether the person's registry has a text, which may be empty."""
    return find_value(key, name) is not None


def find_value(key: str, name: str) -> str | None:
    """A text of the person's registry."""
    if sys.platform == "win32":
        import winreg

        with (
            contextlib.suppress(FileNotFoundError),
            winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened,
        ):
            return str(winreg.QueryValueEx(opened, name)[0])
    return None


def names(folder: Path) -> list[str]:
    """Names of the files below a folder."""
    return sorted(file.name for file in folder.rglob("*") if file.is_file())


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    expect(condition(), what)


def expect(is_so: bool, what: str) -> None:
    """Raise AssertionError if something is not as it should be; otherwise say that it is."""
    if not is_so:
        raise AssertionError(f"Not true: {what}")
    say(f"ok: {what}")


def say(line: str) -> None:
    """Print a line in UTF-8, whatever the console's encoding is."""
    sys.stdout.buffer.write(f"{line}\n".encode())
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
