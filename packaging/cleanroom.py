"""A minimal Debian in a folder, and a desktop outside the folder for the programs inside."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RELEASE = "bookworm"
PERSON = 1000
_NOT_FILES = {"proc", "dev", "sys", "tmp", "run"}
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_BUS = """\
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<servicedir>{folder}/services</servicedir>
<policy context="default"><allow user="*"/><allow own="*"/>
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>
"""


def check(holds: bool, claim: str) -> None:
    """Print a claim that holds. Raises AssertionError for one that does not."""
    if not holds:
        raise AssertionError(f"Not so: {claim}")
    print(f"  {claim}", flush=True)


def eventually(look: Callable[[], object], claim: str, seconds: float = 30) -> None:
    """Wait until look returns something true."""
    until = time.monotonic() + seconds
    while not look():
        if time.monotonic() > until:
            raise AssertionError(f"Never: {claim}")
        time.sleep(0.02)


def make_base(base: Path) -> None:
    """Make a minimal Debian from the mirror that this machine uses."""
    if (base / "etc/debian_version").exists():
        return
    sources = "\n".join(
        file.read_text()
        for file in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
        if file.is_file()
    )
    mirror = next(
        iter(re.findall(r"(?m)^(?:URIs:|deb) .*?(https?://\S+/debian)/?(?=\s|$)", sources))
    )
    unfinished = base.with_name(base.name + ".partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["debootstrap", "--variant=minbase", RELEASE, str(unfinished), mirror],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for place in ("apt.conf.d", "sources.list.d"):
        shutil.copytree(f"/etc/apt/{place}", unfinished / "etc/apt" / place, dirs_exist_ok=True)
    shutil.copy("/etc/resolv.conf", unfinished / "etc/resolv.conf")
    subprocess.run(["chroot", str(unfinished), "apt-get", "update", "-qq"], check=True)
    unfinished.rename(base)


class CleanRoom:
    """A Debian that may be changed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str) -> str:
        """Run a command inside, as root; returns its output."""
        return self._run(["chroot", str(self.root), *command], {})

    def run_as(self, name: str, *command: str, **environ: str) -> str:
        """Run a command inside, as a person."""
        return self._run(*self.invocation(name, *command, **environ))

    def start_as(self, name: str, *command: str, **environ: str) -> subprocess.Popen[bytes]:
        """Start a program inside, as a person."""
        arguments, environ = self.invocation(name, *command, **environ)
        return subprocess.Popen(arguments, env=environ)

    def invocation(
        self, name: str, *command: str, **environ: str
    ) -> tuple[list[str], dict[str, str]]:
        """Arguments and environment that start a program inside, as a person."""
        inside = ["chroot", f"--userspec={PERSON}:{PERSON}", str(self.root), *command]
        return inside, {"PATH": _PATH, "HOME": f"/home/{name}", "LANG": "C.UTF-8", **environ}

    def install(self, package: Path) -> None:
        """Install a package with its dependencies, without recommended packages."""
        shutil.copy(package, self.root / "var/cache" / package.name)
        self.run(
            "apt-get", "install", "-y", "-qq", "--no-install-recommends",
            f"/var/cache/{package.name}",
        )  # fmt: skip

    def install_again(self, package: Path) -> None:
        """Put the same files there once more, as an upgrade does."""
        self.run("dpkg", "--install", f"/var/cache/{package.name}")

    def remove(self, name: str) -> None:
        """Remove a package with its settings."""
        self.run("apt-get", "purge", "-y", "-qq", name)

    def add_person(self, name: str) -> None:
        """An account with a home."""
        self.run("useradd", "--create-home", "--uid", str(PERSON), name)

    def own(self, name: str, folder: str) -> None:
        """Give a folder to a person."""
        self.run("chown", "-R", f"{name}:{name}", folder)

    def files(self) -> Iterator[str]:
        """All files, but those that the running system makes up."""
        for folder, folders, names in os.walk(self.root):
            place = os.path.relpath(folder, self.root)
            if place == ".":
                folders[:] = [folder for folder in folders if folder not in _NOT_FILES]
            yield from (os.path.normpath(f"{place}/{name}") for name in (*folders, *names))

    def _run(self, command: list[str], environ: dict[str, str]) -> str:
        usual = {"PATH": _PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        proxies = {name: value for name, value in os.environ.items() if "proxy" in name.lower()}
        done = subprocess.run(
            command,
            env=environ or {**usual, **proxies},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(
                f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
            )
        return done.stdout


@contextlib.contextmanager
def copied(base: Path) -> Iterator[CleanRoom]:
    """A room over base; changes in it are dropped afterwards."""
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scrubjay-room-")))
        # Its own file system, because an overlay may not lie on another one.
        mounted(stack, ["-t", "tmpfs", "-o", "size=3g", "none"], place)
        root = place / "root"
        for folder in ("upper", "work", "root"):
            (place / folder).mkdir()
        layers = f"lowerdir={base},upperdir={place}/upper,workdir={place}/work"
        mounted(stack, ["-t", "overlay", "-o", layers, "overlay"], root)
        mounted(stack, ["-t", "proc", "proc"], root / "proc")
        mounted(stack, ["--bind", "/dev"], root / "dev")
        yield CleanRoom(root)


def mounted(stack: contextlib.ExitStack, options: list[str], place: Path) -> None:
    """Mount a file system until the stack is unwound."""
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *options, str(place)], check=True)
    stack.callback(subprocess.run, ["umount", "--lazy", str(place)], check=False)


class Session:
    """A virtual screen and a tray, outside of the room."""

    def __init__(self, display: str, environ: dict[str, str], bus: str) -> None:
        sys.path.insert(0, str(ROOT / "tests"))
        host = importlib.import_module("support.status_notifier")
        self.environ = environ
        self._display = display
        self._tray = host.StatusNotifierHost(bus)

    def wait_for_window(self, title: str) -> None:
        """Return when a window with a title that begins so is visible."""
        eventually(lambda: self._xdotool("search", "--onlyvisible", "--name", f"^{title}"), title)

    def wait_for_tray(self) -> None:
        """Return when a tray icon is there."""
        eventually(lambda: self._tray.items, "a tray icon")

    def open_app(self, name: str) -> None:
        """Open an app that runs or does not, by its name on the session bus."""
        self._tray.open_app(name)

    def tray_entries(self) -> list[str]:
        """Entries of the menu of the tray icon."""
        return list(self._tray.entries())

    def press(self, keys: str) -> None:
        """Press keys together, such as ctrl+n, in whichever window has the keyboard."""
        self._xdotool("key", "--clearmodifiers", keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._xdotool("type", "--delay", "20", text)

    def answer(self, title: str, text: str) -> None:
        """Fill a text into the dialog with this title when it opens, and confirm it."""
        self.wait_for_window(title)
        self.type(text)

        def is_closed() -> bool:
            # The first may only take a proposal for the text.
            self.press("Return")
            return not self._xdotool("search", "--onlyvisible", "--name", f"^{title}")

        eventually(is_closed, f"{title!r} closes")

    def photograph(self, file: Path) -> None:
        """Save a picture of the screen."""
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["import", "-display", self._display, "-window", "root", str(file)], check=False
        )

    def close(self) -> None:
        """Take the tray away."""
        self._tray.close()

    def _xdotool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments],
            env={"PATH": _PATH, "DISPLAY": self._display},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip()


@contextlib.contextmanager
def session(room: CleanRoom, person: str) -> Iterator[Session]:
    """A desktop for the programs in a room, which a person has logged in to."""
    with contextlib.ExitStack() as stack:
        # On a file system of its own: sockets on an overlay are not always found.
        shared = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scrubjay-bus-")))
        mounted(stack, ["--bind", str(shared)], room.root / "run/session")
        shutil.chown(shared, PERSON, PERSON)
        shared.chmod(0o700)
        display = ":" + _announced(stack)
        mounted(stack, ["--bind", "/tmp/.X11-unix"], room.root / "tmp/.X11-unix")
        _manage_windows(stack, display)
        environ = {
            "DISPLAY": display,
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/session/bus",
            "XDG_RUNTIME_DIR": "/run/session",
        }
        config = shared / "bus.conf"
        config.write_text(_BUS.format(folder=shared))
        offer_services(room, person, shared / "services", environ)
        _started(stack, ["dbus-daemon", "--nofork", f"--config-file={config}"])
        eventually((shared / "bus").exists, "the session bus")
        (shared / "bus").chmod(0o666)
        desktop = Session(display, environ, f"unix:path={shared / 'bus'}")
        stack.callback(desktop.close)
        yield desktop


def offer_services(room: CleanRoom, person: str, folder: Path, environ: dict[str, str]) -> None:
    """Let a bus outside of the room start the services of packages in the room."""
    folder.mkdir()
    for file in (room.root / "usr/share/dbus-1/services").glob("*.service"):
        text = file.read_text()
        [order] = re.findall("(?m)^Exec=(.*)$", text)
        command, inside = room.invocation(person, *shlex.split(order), **environ)
        variables = [f"{name}={value}" for name, value in inside.items()]
        changed = shlex.join(["/usr/bin/env", "-i", *variables, *command])
        (folder / file.name).write_text(text.replace(order, changed))


def _announced(stack: contextlib.ExitStack) -> str:
    """Start a screen; returns its number."""
    reading, writing = os.pipe()
    screen = ["-screen", "0", "1280x800x24", "-nolisten", "tcp", "-ac"]
    _started(stack, ["Xvfb", *screen, "-displayfd", str(writing)], writing)
    os.close(writing)
    with os.fdopen(reading) as announced:
        return announced.readline().strip()


def _manage_windows(stack: contextlib.ExitStack, display: str) -> None:
    """Give the keyboard to the window that was opened last, as desktops do."""
    _started(stack, ["openbox"], DISPLAY=display)
    look = ["wmctrl", "-m"]
    environ = {"PATH": _PATH, "DISPLAY": display}
    eventually(
        lambda: subprocess.run(look, env=environ, capture_output=True).returncode == 0,
        "a window manager",
    )


def _started(stack: contextlib.ExitStack, command: list[str], *passed: int, **environ: str) -> None:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, env={**os.environ, **environ}, pass_fds=passed, stdout=quiet, stderr=quiet
    )

    def end() -> None:
        process.terminate()
        process.wait(10)

    stack.callback(end)
