"""Tests a bundle in failure scenarios: `python packaging/failure_modes.py [BUNDLE]`.

Needs Linux and root, because file systems of a few megabytes are mounted. Each scenario must end
normally or with one sentence of advice, without a traceback and without a changed note.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import deb
import first_step
import quick_smoke
from bundle import libraries
from cleanroom import check, eventually, mounted
from scrubjay.store.index_file import open_writer

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "resources" / "sample"
_FIRST_LIBRARIES = (
    *("libpython", "libz.so", "libffi.so", "zlib.", "_struct.", "_ctypes.", "_typing."),
)
"""Beginnings of libraries that PyInstaller loads before anything of Scrubjay runs."""
_KILLED = 6
"""Upgrades of a package that are killed."""


@dataclass
class Place:
    """Where one story happens."""

    bundle: Path
    """An own copy, which may be spoilt."""
    folder: Path
    stack: contextlib.ExitStack = field(repr=False)

    @property
    def program(self) -> Path:
        """The command line."""
        return self.bundle / "scrubjay"

    @property
    def home(self) -> Path:
        """For SCRUBJAY_HOME."""
        return self.folder / "home"

    def notes(self) -> Path:
        """A copy of the sample notes."""
        target = self.folder / "notes"
        shutil.copytree(SAMPLE, target)
        return target

    def run(self, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end, whatever that is."""
        done = subprocess.run(
            [str(self.program), *command],
            env={**os.environ, "SCRUBJAY_HOME": str(self.home), **environ},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stderr}")
        return done

    def app(self, *command: str, **environ: str) -> subprocess.Popen[str]:
        """Start the app without a screen, unless environ brings one."""
        usual = {"QT_QPA_PLATFORM": "offscreen", "SCRUBJAY_HOME": str(self.home)}
        process = subprocess.Popen(
            [str(self.bundle / "scrubjay-desktop"), *command],
            env={**os.environ, **usual, **environ},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.stack.callback(ended, process)
        return process

    def listens(self) -> bool:
        """Whether an app of this home can be asked; a dead one leaves its socket behind."""
        if sys.platform != "win32":
            with socket.socket(socket.AF_UNIX) as line:
                return line.connect_ex(str(self.home / "state" / "desktop.socket")) == 0
        raise OSError("Python has no such sockets on Windows")

    def use_app(self, **environ: str) -> None:
        """Start the app, see that it listens, and end it."""
        process = self.app(**environ)
        eventually(lambda: self.listens() or process.poll() is not None, "the app listens")
        asked = self.app("--quit", **environ)
        asked.wait(20)
        code, complaints = process.wait(20), process.stderr.read() if process.stderr else ""
        if code or "Traceback" in complaints:
            raise AssertionError(f"The app ended with {code}: {complaints}")
        print("  the app started and ended well")


def ended(process: subprocess.Popen[str]) -> None:
    """End a process that may have ended."""
    if process.poll() is None:
        process.kill()
    process.wait(10)
    if process.stderr:
        process.stderr.close()


def read_only_folder(place: Place) -> None:
    """The program lies where it cannot write."""
    mounted(place.stack, ["--bind", str(place.bundle)], place.bundle)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(place.bundle)], check=True)
    check(not writable(place.bundle), "nothing can be written beside the program")
    quick_smoke.use(place.program, place.folder)
    place.use_app()


def read_only_portable(place: Place) -> None:
    """A portable copy on a disk that cannot be written to says so."""
    (place.bundle / "portable.flag").touch()
    mounted(place.stack, ["--bind", str(place.bundle)], place.bundle)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(place.bundle)], check=True)
    done = subprocess.run(
        [str(place.program), "workspace", "add", str(place.notes())],
        env={name: value for name, value in os.environ.items() if name != "SCRUBJAY_HOME"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    check(done.returncode == 1, f"it ends as expected: {done.stderr.strip()}")
    check("Traceback" not in done.stderr and "scrubjay:" in done.stderr, "with one sentence")


def strange_paths(place: Place) -> None:
    """Spaces, quotes, letters of three alphabets, an emoji, in all paths at once."""
    strange = place.folder / "Mein Ordner 'ñ' \"日本\" 🐦"
    shutil.move(place.bundle, strange)
    moved = Place(strange, place.folder, place.stack)
    quick_smoke.use(moved.program, moved.folder)
    moved.use_app()


def two_versions(place: Place) -> None:
    """Two copies side by side share an index, and one waits for the other."""
    other = Place(place.folder / "other", place.folder, place.stack)
    shutil.copytree(place.bundle, other.bundle, symlinks=True)
    place.run("workspace", "add", str(place.notes()))
    place.run("index")
    running = place.app()
    eventually(place.listens, "the first listens")
    began = time.monotonic()
    check(other.app().wait(20) == 0, "a start of the second raises the first")
    print(f"  after {time.monotonic() - began:.2f} s")
    check("E119" in other.run("search", "boiler error E119").stdout, "the second finds too")
    other.app("--quit").wait(20)
    check(running.wait(20) == 0, "the second can end the first")


def upgrade_while_running(place: Place) -> None:
    """The files of the program are replaced while it runs; it goes on, and the next start works."""
    place.run("workspace", "add", str(place.notes()))
    place.run("index")
    running = place.app()
    eventually(place.listens, "the app listens")
    # As dpkg does: each file is written beside the old one and renamed over it.
    new = place.folder / "new"
    shutil.copytree(place.bundle, new, symlinks=True)
    for file in sorted(new.rglob("*")):
        if file.is_file() and not file.is_symlink():
            file.rename(place.bundle / file.relative_to(new))
    check(running.poll() is None, "the app that runs goes on")
    answer = place.run("search", "boiler error E119").stdout
    check("E119" in answer, f"the new one finds {answer.splitlines()[0]!r}")
    place.app("--quit").wait(20)
    check(running.wait(20) == 0, "the old one ends when the new one asks it to")
    place.use_app()


def downgrade(place: Place) -> None:
    """An index of a newer version is left alone, and so are the notes."""
    notes = place.notes()
    place.run("workspace", "add", str(notes))
    place.run("index")
    [index] = (place.home / "state" / "memory").glob("*.sqlite")
    # The writer of the index keeps the checksums of its pages.
    with contextlib.closing(open_writer(index)) as database:
        database.execute("pragma user_version = 1000")
        # Content that is only in the write-ahead log could look like a change of ours.
        database.execute("pragma wal_checkpoint(truncate)")
    before = digest(index), tree(notes)
    done = place.run("index")
    check(done.returncode == 1 and "Update Scrubjay" in done.stderr, done.stderr.strip())
    place.use_app()
    check((digest(index), tree(notes)) == before, "index and notes are as they were")


def full_disk(place: Place) -> None:
    """The home has no room."""
    notes = place.notes()
    before = tree(notes)
    mounted(place.stack, ["-t", "tmpfs", "-o", "size=256k", "none"], place.home)
    with contextlib.suppress(OSError):
        (place.home / "filler").write_bytes(bytes(200 * 1024))
    done = place.run("workspace", "add", str(notes))
    print(f"  workspace add: {done.stderr.strip() or 'done'}")
    done = place.run("index")
    check(done.returncode == 1, f"index: {done.stderr.strip()}")
    done = place.run("search", "boiler")
    print(f"  search: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    with contextlib.suppress(OSError):
        (place.home / "last").write_bytes(bytes(256 * 1024))
    app = place.app()
    complaints = app.communicate(timeout=60)[1].strip()
    check(app.returncode == 73 and complaints.startswith("Scrubjay cannot write to"), complaints)
    (place.home / "filler").unlink()
    place.use_app()
    check(tree(notes) == before, "the notes are as they were")


def no_bus(place: Place) -> None:
    """No D-Bus: no tray, no keychain, and still an app."""
    gone = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
    place.run("workspace", "add", str(place.notes()))
    place.run("index", **gone)
    check("E119" in place.run("search", "boiler error E119", **gone).stdout, "found")
    with screen(place.stack) as display:
        place.use_app(QT_QPA_PLATFORM="xcb", DISPLAY=display, **gone)


def no_fonts(place: Place) -> None:
    """No font at all on the computer: letters are boxes, and nothing ends."""
    empty = place.folder / "fonts.conf"
    empty.write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    with screen(place.stack) as display:
        place.use_app(QT_QPA_PLATFORM="xcb", DISPLAY=display, FONTCONFIG_FILE=str(empty))


def no_graphics(place: Place) -> None:
    """X11 without OpenGL."""
    with screen(place.stack, "-extension", "GLX") as display:
        place.use_app(QT_QPA_PLATFORM="xcb", DISPLAY=display)


def wayland(place: Place) -> None:
    """A compositor without X11."""
    runtime = place.folder / "run"
    runtime.mkdir(mode=0o700)
    command = ["weston", "--backend=headless-backend.so", "--socket=wayland-7", "--idle-time=0"]
    quiet = subprocess.DEVNULL
    environ = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    compositor = subprocess.Popen(command, env=environ, stdout=quiet, stderr=quiet, text=True)
    place.stack.callback(ended, compositor)
    eventually((runtime / "wayland-7").exists, "the compositor listens")
    place.use_app(
        QT_QPA_PLATFORM="wayland", WAYLAND_DISPLAY="wayland-7", XDG_RUNTIME_DIR=str(runtime)
    )
    check(compositor.poll() is None, "the compositor lives")


def killed(place: Place) -> None:
    """The app is killed while it indexes; the next start goes on."""
    place.run("workspace", "add", str(place.notes()))
    process = place.app()
    eventually(place.listens, "the app listens")
    process.kill()
    process.wait(10)
    check("E119" in place.run("search", "boiler error E119").stdout, "found after a kill")
    place.use_app()


def strangers_folder(place: Place) -> None:
    """Commands, hooks, servers and the app are started in a repository full of planted files."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/core/attacks/test_current_folder.py",
         "-k", "folder_holds and not module or pythonpath or qmd_is or children_see or library"
         " or all_at_once"],
        cwd=ROOT,
        env={**os.environ, "SCRUBJAY_PROGRAM": str(place.program)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    check(done.returncode == 0, done.stdout[-3000:].strip())


def odd_names(place: Place) -> None:
    """A line end, a tab, a question mark with a number, blanks, signs of a template."""
    place.run("workspace", "add", str(place.notes()))
    for name in ("line\nend", "what?12", "tab\t", " ", "%s{line}", "a;b&c"):
        moved = place.bundle.rename(place.folder / name)
        there = Place(moved, place.folder, place.stack)
        check("E119" in there.run("search", "boiler error E119").stdout, f"{name!r} finds")
        there.use_app()
        moved.rename(place.bundle)


def moved_while_running(place: Place) -> None:
    """The folder of the program gets another name while its app runs."""
    place.run("workspace", "add", str(place.notes()))
    place.run("index")
    running = place.app()
    eventually(place.listens, "the app listens")
    there = Place(place.bundle.rename(place.folder / "elsewhere"), place.folder, place.stack)
    for words in (("search", "boiler error E119"), ("context", "boiler error E119")):
        check("E119" in there.run(*words).stdout, f"{words[0]} finds")
    there.app("--quit").wait(20)
    complaints = running.communicate(timeout=20)[1]
    check(running.returncode == 0, f"the app ends when it is asked to: {complaints}")
    check("ERROR" not in complaints and "Traceback" not in complaints, "no traceback")


def damaged_files(place: Place) -> None:
    """The modules or a library are cut off, or gone: one sentence."""
    inside = place.bundle / "_internal"
    some = [file for file in libraries(inside) if not file.name.startswith(_FIRST_LIBRARIES)]
    # The modules come twice: what is at an odd place of this list is cut off, the rest is gone.
    modules = inside / first_step.MODULES
    some[:0] = [modules, modules]
    for number, library in enumerate(some):
        whole = library.rename(place.folder / "whole")
        if number % 2:
            library.write_bytes(whole.read_bytes()[:5000])
        done = place.run("search", "boiler")
        expected = f"scrubjay: {library.relative_to(inside)} is damaged. Install Scrubjay again"
        if done.returncode != 1 or not done.stderr.startswith(expected):
            raise AssertionError(f"{library}: {done}")
        whole.rename(library)
    print(f"  {len(some)} files, each told")


def bundle_in_a_bundle(place: Place) -> None:
    """Another program that PyInstaller made starts it, and hands on its own variables."""
    place.run("workspace", "add", str(place.notes()))
    for archive in ("/elsewhere/program", str(place.program)):
        others = {
            "_PYI_ARCHIVE_FILE": archive,
            "_PYI_APPLICATION_HOME_DIR": "/elsewhere",
            "_PYI_PARENT_PROCESS_LEVEL": "1",
            "_PYI_SPLASH_IPC": "7",
            "_MEIPASS2": "/elsewhere",
        }
        check("E119" in place.run("search", "boiler error E119", **others).stdout, "it finds")
        place.use_app(**others)


def debian_package(place: Place) -> None:
    """Installed, upgraded under an app that runs, half upgraded, removed under it, purged."""
    first = deb.build(place.bundle, place.folder)
    parts = place.folder / "parts"
    subprocess.run(["dpkg-deb", "--raw-extract", str(first), str(parts)], check=True)
    names = sorted(file.name for file in (parts / "DEBIAN").iterdir())
    check(names == ["control", "md5sums"], "no script of a maintainer, no setting: nothing to run")
    control = parts / "DEBIAN" / "control"
    control.write_text(re.sub("(?m)^Version: .*", "Version: 99", control.read_text()))
    second = place.folder / "second.deb"
    subprocess.run(["dpkg-deb", "--build", "-Znone", str(parts), str(second)], check=True)
    root = place.folder / "root"
    (root / "var/lib/dpkg").mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()

    def dpkg(*words: str) -> list[str]:
        # The libraries of the system are outside of the root.
        return ["dpkg", f"--root={root}", "--force-depends", "--log=/dev/null", *words]

    def done(*words: str) -> None:
        subprocess.run(dpkg(*words), check=True, capture_output=True)

    done("--install", str(first))
    there = Place(root / "usr/lib/scrubjay", place.folder, place.stack)
    notes = place.notes()
    before = tree(notes)
    there.run("workspace", "add", str(notes))
    there.run("index")
    running = there.app()
    eventually(there.listens, "the app listens")
    done("--install", str(second))
    check(running.poll() is None, "the app goes on under an upgrade")
    check("E119" in there.run("context", "boiler error E119").stdout, "it is asked by the new one")
    there.app("--quit").wait(20)
    check(running.wait(20) == 0, "and ends when the new one asks it to")
    for number in range(_KILLED):
        upgrade = subprocess.Popen(
            dpkg("--install", str((first, second)[number % 2])),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(0.3 + 0.3 * number)
        upgrade.kill()
        upgrade.wait()
        there.run("search", "boiler error E119")
        (root / "var/lib/dpkg/lock").unlink(missing_ok=True)
        done("--force-all", "--install", str(second))
        check("E119" in there.run("search", "boiler error E119").stdout, "found after a broken one")
    running = there.app()
    eventually(there.listens, "the app listens")
    done("--remove", "scrubjay")
    running.terminate()
    complaints = running.communicate(timeout=20)[1]
    check("Traceback" not in complaints, f"removed under the app, which ends: {complaints}")
    done("--purge", "scrubjay")
    left = [file for file in root.rglob("*") if not file.is_relative_to(root / "var/lib/dpkg")]
    check(not [file for file in left if file.is_file()], f"nothing is left: {left}")
    check(tree(notes) == before, "the notes are as they were")


def package_on_odd_roots(place: Place) -> None:
    """The package where names are odd, links are in place of its files, or nothing can be written.

    Who installs it is root, so whatever of it is run or followed has all rights.
    """
    made = place.folder / "$(touch run) ;touch run"
    made.mkdir()
    package = deb.build(place.bundle, made)
    for name in ("line\nend", "$(touch run)", "a b;touch run", "-rf", "%s"):
        root = dpkg_root(place.folder / "odd" / name)
        dpkg(root, "--install", package)
        dpkg(root, "--purge", "scrubjay")
        check(not files_in(root), f"nothing is left in {name!r}")
    check(not [*place.folder.rglob("run")], "no name was run as a command")
    links_in_place(place, package)
    without_room(place, package)


def links_in_place(place: Place, package: Path) -> None:
    """Somebody has put links to other files where the package puts its own."""
    root = dpkg_root(place.folder / "linked")
    victims = place.folder / "victims"
    victims.mkdir()
    names = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", str(package)], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(names)) as archive:
        files = [member.name for member in archive if not member.isdir()]
    for number, name in enumerate(files):
        victim = victims / str(number)
        victim.write_text("kept")
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(victim)
    dpkg(root, "--install", package)
    dpkg(root, "--purge", "scrubjay")
    kept = [victim.read_text() for victim in victims.iterdir()]
    check(kept == ["kept"] * len(files), f"{len(files)} links: no file behind one was written")
    check(not files_in(root), "nothing is left")


def without_room(place: Place, package: Path) -> None:
    """The disk fills up, or is read only, while it is installed, upgraded or removed."""
    root = place.folder / "small"
    room = sum(file.stat().st_size for file in place.bundle.rglob("*") if file.is_file())
    with contextlib.ExitStack() as stack:
        mounted(stack, ["-t", "tmpfs", "-o", f"size={room // 2}", "none"], root)
        dpkg_root(root)
        check(dpkg(root, "--install", package, fails=True) != 0, "too small: it is not installed")
        dpkg(root, "--force-all", "--purge", "scrubjay")
        check(not files_in(root), "nothing is left of the attempt")
    with contextlib.ExitStack() as stack:
        mounted(stack, ["-t", "tmpfs", "-o", f"size={room * 9 // 4}", "none"], root)
        dpkg_root(root)
        dpkg(root, "--install", package)
        there = Place(root / "usr/lib/scrubjay", place.folder, place.stack)
        # Of all files, dpkg writes the new ones beside the old ones before it exchanges any.
        (root / "filler").write_bytes(bytes(shutil.disk_usage(root).free - room // 8))
        check(dpkg(root, "--install", package, fails=True) != 0, "an upgrade without room fails")
        there.run("status")
        subprocess.run(["mount", "-o", "remount,ro", str(root)], check=True)
        for words in (("--install", package), ("--remove", "scrubjay"), ("--purge", "scrubjay")):
            check(dpkg(root, *words, fails=True) != 0, f"{words[0]} fails on a read-only disk")
        there.run("status")
        subprocess.run(["mount", "-o", "remount,rw", str(root)], check=True)
        (root / "filler").unlink()
        dpkg(root, "--force-all", "--install", package)
        dpkg(root, "--purge", "scrubjay")
        check(not files_in(root), "nothing is left")


def dpkg_root(root: Path) -> Path:
    """A folder in which dpkg installs as if it were the computer."""
    (root / "var/lib/dpkg").mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    return root


def dpkg(root: Path, *words: str | Path, fails: bool = False) -> int:
    """Exit code of dpkg. Raises AssertionError for a failure that is not expected."""
    # The libraries of the system are outside of the root.
    command = ["dpkg", f"--root={root}", "--force-depends", "--log=/dev/null", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode and not fails:
        raise AssertionError(f"{words}: {done.stderr}")
    return done.returncode


def files_in(root: Path) -> list[Path]:
    """All files and links of a root but those of dpkg itself."""
    own = root / "var/lib/dpkg"
    found = [file for file in root.rglob("*") if not file.is_relative_to(own)]
    return [file for file in found if file.is_symlink() or not file.is_dir()]


def writable(folder: Path) -> bool:
    """Whether a file can be made there, which root's rights alone do not tell."""
    try:
        (folder / "try").touch()
    except OSError:
        return False
    (folder / "try").unlink()
    return True


def digest(file: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def tree(folder: Path) -> dict[str, str]:
    """Digest of each file below a folder."""
    return {str(file): digest(file) for file in sorted(folder.rglob("*")) if file.is_file()}


@contextlib.contextmanager
def screen(stack: contextlib.ExitStack, *more: str) -> Iterator[str]:
    """A virtual screen; the value of DISPLAY."""
    reading, writing = os.pipe()
    quiet = subprocess.DEVNULL
    command = ["Xvfb", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-ac", *more]
    process = subprocess.Popen(
        [*command, "-displayfd", str(writing)],
        pass_fds=[writing],
        stdout=quiet,
        stderr=quiet,
        text=True,
    )
    stack.callback(ended, process)
    os.close(writing)
    with os.fdopen(reading) as announced:
        yield f":{announced.readline().strip()}"


STORIES: tuple[Callable[[Place], None], ...] = (
    read_only_folder,
    read_only_portable,
    strange_paths,
    two_versions,
    upgrade_while_running,
    downgrade,
    full_disk,
    no_bus,
    no_fonts,
    no_graphics,
    wayland,
    killed,
    strangers_folder,
    odd_names,
    moved_while_running,
    damaged_files,
    bundle_in_a_bundle,
    debian_package,
    package_on_odd_roots,
)


def main(arguments: list[str]) -> int:
    """Tell all stories, or those whose names follow the bundle."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay").absolute()
    failed = []
    for story in STORIES:
        if arguments[1:] and story.__name__ not in arguments[1:]:
            continue
        print(f"{story.__name__}: {story.__doc__}", flush=True)
        try:
            tell(story, bundle)
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            print(f"  FAILED: {error}", flush=True)
            failed.append(story.__name__)
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "All ended well.")
    return 1 if failed else 0


def tell(story: Callable[[Place], None], bundle: Path) -> None:
    """One story, with a bundle of its own that may be spoilt."""
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="bad-luck-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        copy = folder / "scrubjay"
        shutil.copytree(bundle, copy, symlinks=True, copy_function=os.link)
        story(Place(copy, folder, stack))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
