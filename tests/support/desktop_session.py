"""A private screen, session bus, window manager and tray; each process is ended by its own id."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

from support.vault import TIMEOUT

T = TypeVar("T")
TrayHost = Literal["xembed", "none"]

PROGRAMS = ("Xvfb", "openbox", "trayer", "xdotool", "dbus-daemon")
SCREEN = (1280, 800)
TRAY_ICON = (SCREEN[0] - 16, 16)
"""Where trayer, at the top right, puts the only icon."""
_HANDED_ON = ("PYTHONPATH", "TZ")
_GONE_MEANWHILE = "qt.accessibility.atspi: Could not find accessible on path"
"""Qt says so of a row that a screen reader heard of and asks about once it is replaced."""
_DESKTOP = Path(sys.executable).with_name("scrubjay-desktop")


def missing_programs() -> list[str]:
    """What a machine lacks for a session."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def eventually(look: Callable[[], T], what: str = "") -> T:
    """What look returns as soon as it is truthy; fails when it never is."""
    pause, deadline = threading.Event(), time.monotonic() + TIMEOUT
    while True:
        if seen := look():
            return seen
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what or look} (last seen: {seen!r})")
        pause.wait(0.03)


class DesktopSession:
    """Everything between a power button and a desktop, for one test run."""

    def __init__(self, tray: TrayHost = "xembed") -> None:
        self.tray: subprocess.Popen[bytes] | None = None
        # Short, because sockets live in it.
        self.folder = Path(tempfile.mkdtemp(prefix="sj-"))
        self._running: list[subprocess.Popen[bytes]] = []
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(runtime),
            "TMPDIR": str(self.folder),
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        # The programs of the session are those that are tested, wherever they lie, and have
        # the same day as the tests.
        self.environ |= {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
        try:
            self._power_on(tray)
        except BaseException:
            self.close()
            raise

    def _power_on(self, tray: TrayHost) -> None:
        width, height = SCREEN
        screen = ["-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-r"]
        self.environ["DISPLAY"] = ":" + self._announced("Xvfb", *screen, flag="-displayfd {fd}")
        self.environ["DBUS_SESSION_BUS_ADDRESS"] = self._announced(
            "dbus-daemon", "--session", "--nofork", flag="--print-address={fd}"
        )
        # Says that it has a desktop before it takes windows; a panel that comes between is lost.
        takes_windows = self.folder / "takes-windows"
        self.start("openbox", "--startup", f"touch {takes_windows}")
        eventually(takes_windows.exists, what="the window manager")
        if tray == "xembed":
            self.start_tray()

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program inside the session."""
        started = subprocess.Popen(
            command, env=self.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._running.append(started)
        return started

    def start_tray(self) -> None:
        """Start the tray host, as a panel does."""
        place = ["--edge", "top", "--align", "right", "--widthtype", "request", "--height", "32"]

        def panel() -> list[str]:
            if self.tray is None or self.tray.poll() is not None:
                self.tray = self.start("trayer", *place)
            return self.windows("panel")

        eventually(panel, what="the tray host")

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        """End one program."""
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)

    def close(self) -> None:
        """End everything, last started first."""
        for process in reversed(self._running):
            self.stop(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    def xdotool(self, *arguments: str) -> str:
        """Press keys and buttons, or look at windows."""
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        return done.stdout.strip()

    def windows(self, title: str) -> list[str]:
        """Ids of the visible windows whose title begins like this."""
        return self.xdotool("search", "--onlyvisible", "--name", f"^{title}").split()

    def focused(self) -> str:
        """Title of the window that takes the keys."""
        return self.xdotool("getwindowfocus", "getwindowname")

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Move the pointer and click."""
        self.xdotool("mousemove", str(x), str(y), "click", str(button))

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the button at one place and let it go at another."""
        move = [["mousemove", *map(str, place)] for place in (start, end)]
        self.xdotool(*move[0], "mousedown", "1", *move[1], "mouseup", "1")

    def type(self, text: str) -> None:
        """Type a text as a person does."""
        self.xdotool("type", "--delay", "15", text)

    def key(self, name: str) -> None:
        """Press a key or a combination."""
        self.xdotool("key", name)

    def _announced(self, *command: str, flag: str) -> str:
        """Start a server that writes its address to a file descriptor; return the address."""
        reading, writing = os.pipe()
        words = flag.format(fd=writing).split()
        started = subprocess.Popen(
            [*command, *words],
            env=self.environ,
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._running.append(started)
        os.close(writing)
        with os.fdopen(reading) as announced:
            return announced.readline().strip()


class App:
    """Scrubjay in a session, with a home of its own that is a copy of another one or empty."""

    def __init__(self, session: DesktopSession, like: Path | None = None) -> None:
        self.session = session
        # In the session's folder, whose name is short enough for the socket.
        self.home = home = Path(tempfile.mkdtemp(prefix="app-", dir=session.folder))
        if like is not None:
            shutil.copytree(like, home, dirs_exist_ok=True)
        self.opened = home / "opened.txt"
        editor = home / "editor.py"
        editor.write_text(
            "import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('|'.join(sys.argv[2:]))\n"
        )
        command = f"{sys.executable} {editor} {self.opened} {{file}} {{line}}"
        self.environ = {**session.environ, "SCRUBJAY_HOME": str(home), "SCRUBJAY_EDITOR": command}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> None:
        """Start the first instance, and wait until it hears later starts."""
        with (self.home / "stderr.txt").open("ab") as errors:
            self.process = subprocess.Popen(
                [str(_DESKTOP), *arguments], env=self.environ, stderr=errors
            )
        eventually((self.home / "state" / "desktop.socket").exists, what="the app listens")

    def call(self, *arguments: str) -> int:
        """Start a second instance, and return its exit code."""
        return subprocess.run([str(_DESKTOP), *arguments], env=self.environ, check=False).returncode

    def wait(self) -> None:
        """Wait for the end of the app, which is an orderly one."""
        assert self.process is not None
        code = self.process.wait(TIMEOUT)
        assert code == 0, f"ended with {code}: {self.complaints()}"

    def complaints(self) -> str:
        """What the app wrote to the terminal."""
        lines = (self.home / "stderr.txt").read_text().splitlines(keepends=True)
        return "".join(line for line in lines if _GONE_MEANWHILE not in line)

    def close(self) -> None:
        """End the app whatever state it is in."""
        if self.process is not None:
            self.session.stop(self.process)


@contextlib.contextmanager
def desktop_session(tray: TrayHost = "xembed") -> Iterator[DesktopSession]:
    """A session for the time of a with block."""
    session = DesktopSession(tray)
    try:
        yield session
    finally:
        session.close()
