"""Measures a bundle: `python packaging/measure.py [BUNDLE]`. One for Windows runs under Wine.

Times are the best of seven starts. Processor times are printed as well, because they are also
reliable on a busy machine.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import under_wine
from bundle import megabytes
from cleanroom import eventually
from failure_modes import SAMPLE, ended, screen
from under_wine import wine

assert sys.platform == "linux", "only Linux tells what is measured here"

ROOT = Path(__file__).resolve().parents[1]
STARTS = 7


def main(arguments: list[str]) -> int:
    """Print sizes and times."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay").absolute()
    whole, without = megabytes(bundle), megabytes(bundle, without=".gguf")
    print(f"unpacked {whole:.0f} MB, without the model {without:.0f} MB")
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        programs = Programs(bundle, home)
        if (bundle / "scrubjay.exe").exists():
            copy = home / "bundle"
            shutil.copytree(bundle, copy)
            under_wine.add_stand_ins(copy / "_internal", under_wine.PYTHON.parent)
            programs = WindowsPrograms(copy, home)
        programs.run("workspace", "add", programs.path(SAMPLE))
        programs.run("index")
        words = ("search", "boiler", "--mode", "lexical")
        meaning = ("search", "who fixes the heating?")
        print("search by words:", best(lambda: run(programs, words)))
        print("search by words and meaning:", best(lambda: run(programs, meaning)))
        display = stack.enter_context(screen(stack))
        print("window:", best(lambda: window(programs, display)))
    return 0


class Programs:
    """The programs of a bundle, with a home of their own."""

    def __init__(self, bundle: Path, home: Path) -> None:
        self._bundle = bundle
        self.environ = {**os.environ, "SCRUBJAY_HOME": str(home), "QT_QPA_PLATFORM": "xcb"}
        self._socket = home / "state" / "desktop.socket"

    def command(self, name: str) -> list[str]:
        """The words that start a program."""
        return [str(self._bundle / name)]

    def path(self, place: Path) -> str:
        """A path as the programs write it."""
        return str(place)

    def run(self, *arguments: str) -> None:
        """Run a command to its end."""
        command = [*self.command("scrubjay"), *arguments]
        # Wine has no valid handle for a file of Unix, so all three are pipes.
        subprocess.run(command, env=self.environ, check=True, input=b"", capture_output=True)

    def quit_app(self, environ: Mapping[str, str]) -> None:
        """End the app, which listens a moment after it can be seen."""
        eventually(self._socket.exists, "the app listens")
        command = [*self.command("scrubjay-desktop"), "--quit"]
        subprocess.run(command, env=environ, check=True, input=b"", capture_output=True)


class WindowsPrograms(Programs):
    """The programs of a bundle for Windows, under Wine."""

    def __init__(self, bundle: Path, home: Path) -> None:
        super().__init__(bundle, home)
        self.environ = wine.environ(SCRUBJAY_HOME=wine.windows_path(home))

    def command(self, name: str) -> list[str]:
        """The words that start a program."""
        return ["wine", str(self._bundle / f"{name}.exe")]

    def path(self, place: Path) -> str:
        """A path as the programs write it."""
        return wine.windows_path(place)

    def quit_app(self, environ: Mapping[str, str]) -> None:
        """End the app; it waits for one that does not listen yet."""
        command = [*self.command("scrubjay-desktop"), "--quit"]
        subprocess.run(command, env=environ, check=True, input=b"", capture_output=True)


def best(start: Callable[[], tuple[float, float]]) -> str:
    """The quickest of some starts, which are seconds by the clock and of a processor."""
    clock, processor = zip(*(start() for _ in range(STARTS)), strict=True)
    return f"{min(clock):.2f} s, {min(processor):.2f} s of a processor"


def run(programs: Programs, command: tuple[str, ...]) -> tuple[float, float]:
    """Seconds by the clock and of a processor for a command, its children included."""
    began, used = time.monotonic(), children()
    programs.run(*command)
    return time.monotonic() - began, children() - used


def children() -> float:
    """Seconds of a processor that ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_by(process: int) -> float:
    """Seconds of a processor that a running process took."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def window(programs: Programs, display: str) -> tuple[float, float]:
    """Seconds by the clock and of a processor until the app's window is on the screen."""
    environ = {
        **programs.environ,
        "DISPLAY": display,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none",
    }
    began = time.monotonic()
    app = subprocess.Popen(
        programs.command("scrubjay-desktop"),
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        look = ["xdotool", "search", "--onlyvisible", "--name", "^Scrubjay$"]
        eventually(
            lambda: subprocess.run(look, env=environ, capture_output=True, check=False).stdout,
            "the window",
        )
        times = time.monotonic() - began, used_by(app.pid)
        programs.quit_app(environ)
        app.wait(20)
    finally:
        ended(app)
    return times


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
