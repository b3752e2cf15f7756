"""Tests the package in a clean system as a person would: `python packaging/smoke.py [DEB] [ROOT]`.

Needs Linux and root. ROOT is a folder with a minimal Debian, which debootstrap creates if it is
missing. The test uses a copy of it. The package is installed with only its declared dependencies.
The app starts on a virtual screen with a tray, opens the folder, finds a note by its meaning and
quits. The command line and the server for agents find the note too. After the package is removed,
only the user's files may be left.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cleanroom
import quick_smoke
from cleanroom import CleanRoom, Session, check, eventually
from quick_smoke import NOTE, OTHER, QUESTION
from scrubjay.platform.installation import APP_ID

ROOT = Path(__file__).resolve().parents[1]
HOME = "/home/jay"
EDITOR = f"#!/bin/sh\n(echo $1; env) > {HOME}/opening && mv {HOME}/opening {HOME}/opened\n"
"""A script that notes the file it opens."""


def main(arguments: list[str]) -> int:
    """Run the whole story; an AssertionError or the name of a failed command ends it."""
    package = Path(arguments[0]) if arguments else newest_package()
    base = Path(arguments[1] if len(arguments) > 1 else ROOT / "build/packaging/bookworm")
    cleanroom.make_base(base)
    with cleanroom.copied(base) as room:
        tell_story(room, package)
    print("The package was installed, used and removed; nothing but the person's data is left.")
    return 0


def newest_package() -> Path:
    """The .deb that was built last."""
    return max((ROOT / "dist").glob("*.deb"), key=lambda file: file.stat().st_mtime)


def tell_story(room: CleanRoom, package: Path) -> None:
    """Install, use, remove."""
    room.add_person("jay")
    before = set(room.files())
    room.install(package)
    installed = set(room.files()) - before
    check("usr/bin/scrubjay" in installed, "the program is installed")
    notes = room.root / HOME[1:] / "notes"
    notes.mkdir()
    (notes / "garden.md").write_text(NOTE)
    (notes / "car.md").write_text(OTHER)
    room.own("jay", HOME)
    use_window(room, package)
    use_command_line(room)
    use_server(room)
    room.remove("scrubjay")
    left = {file for file in set(room.files()) - before if is_left_over(file)}
    check(not left, f"nothing is left: {sorted(left)[:10]}")
    check((notes / "garden.md").read_text() == NOTE, "the notes are as they were")


def is_left_over(path: str) -> bool:
    """Whether a file should not be there after the removal."""
    belongs_to_packages = path.startswith(("var/", "etc/", "usr/share/mime", "proc", "tmp", "dev"))
    of_dependency = not any(word in path for word in ("scrubjay", "Scrubjay"))
    is_the_persons = path.startswith(HOME[1:])
    return not (belongs_to_packages or of_dependency or is_the_persons)


def use_command_line(room: CleanRoom) -> None:
    """Find by words and by meaning in the folder that the window added."""
    room.run_as("jay", "scrubjay", "index")
    answer = room.run_as("jay", "scrubjay", "search", QUESTION)
    check("car.md" in answer.splitlines()[0], f"found by meaning: {answer!r}")
    answer = room.run_as("jay", "scrubjay", "search", "--mode", "lexical", "hedgehogs")
    check("garden.md" in answer.splitlines()[0], f"found by words: {answer!r}")


def use_server(room: CleanRoom) -> None:
    """Ask the server for agents, as an agent that the person starts does."""
    command, environ = room.invocation("jay", "scrubjay", "mcp")
    answer = quick_smoke.ask_server(command, environ, QUESTION)
    check("car.md" in answer, "an agent finds by meaning too")


def use_window(room: CleanRoom, package: Path) -> None:
    """Start the app, add the folder, find a note by its meaning, and open it.

    Then the package is installed once more under the app that runs, and the app is ended.
    """
    editor = room.root / HOME[1:] / "editor"
    editor.write_text(EDITOR)
    editor.chmod(0o755)
    with cleanroom.session(room, "jay") as session:
        began = time.monotonic()
        app = room.start_as(
            "jay", "scrubjay-desktop", SCRUBJAY_EDITOR=f"{HOME}/editor", **session.environ
        )
        session.wait_for_window("Scrubjay")
        print(f"window after {time.monotonic() - began:.2f} s")
        session.wait_for_tray()
        entries = session.tray_entries()
        check("Quit Scrubjay" in entries or "Quit" in entries, f"the tray has a menu: {entries}")
        session.press("ctrl+shift+n")
        session.answer("Choose a folder", f"{HOME}/notes")
        try:
            find_in_window(session, editor.with_name("opened"))
        finally:
            session.photograph(ROOT / "build/packaging/smoke.png")
        state = "2 notes are up to date"
        eventually(lambda: state in session.tray_entries(), f"the tray says {state!r}")
        room.install_again(package)
        check(state in session.tray_entries(), "the app goes on under an upgrade")
        began = time.monotonic()
        room.run_as("jay", "scrubjay-desktop", "--quit", **session.environ)
        check(app.wait(10) == 0, "the app ended well")
        print(f"ended after {time.monotonic() - began:.2f} s")
        session.open_app(APP_ID)
        session.wait_for_window("Scrubjay")
        room.run_as("jay", "scrubjay-desktop", "--quit", **session.environ)
        print("  the session bus starts the app too")


def find_in_window(session: Session, opened: Path) -> None:
    """Ask, and open the first note of the answer in the person's editor."""
    session.press("ctrl+f")
    session.type(QUESTION)

    def is_open() -> bool:
        # Nothing happens before the note is found, which takes as long as the model's first start.
        session.press("ctrl+Return")
        return opened.exists() and opened.stat().st_size > 0

    eventually(is_open, "the note is opened", seconds=60)
    file, *environ = opened.read_text().splitlines()
    check(file.endswith("car.md"), f"the window finds by meaning, and opens {file}")
    ours = [entry for entry in environ if entry.startswith(("LD_LIBRARY_PATH", "QT_", "PYTHON"))]
    check(not ours, f"the editor gets an environment of its own: {ours}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
