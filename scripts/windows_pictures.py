"""Takes pictures of Scrubjay's windows under Wine: `windows_pictures.py`.

The app of the Windows Python opens the sample notes on a virtual screen. The pictures of the whole
screen are in build/windows/pictures.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import windows_python
import wine

FOLDER = wine.FOLDER / "pictures"
QUESTION = "daughter's teeth appointment"
WINDOW = "Scrubjay"
WINDOW_S = 120
"""Seconds in which the first window must open."""
INDEXING_S = 40
"""Seconds for the app to read the sample notes, and to prepare search by meaning."""
PAUSE_S = 8
"""Seconds for the app to show what was asked for, on a busy computer."""


class NoWindow(Exception):
    """The app opened no window in time."""


def main() -> int:
    """Take all pictures, and print where they are."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with wine.display() as display:
            photograph(display)
    except (NoWindow, wine.WineTimeout, OSError, subprocess.SubprocessError) as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"Pictures are in {FOLDER.relative_to(wine.ROOT)}", flush=True)
    return 0


def photograph(display: str) -> None:
    """Open the app, use it, and take a picture after each step."""
    program = windows_python.PYTHON / "Scripts" / "scrubjay-desktop.exe"
    home = wine.windows_path(wine.FOLDER / "home")
    app = wine.start([program, "--sample"], DISPLAY=display, SCRUBJAY_HOME=home)
    try:
        wait_for_window(display)
        time.sleep(INDEXING_S)
        press(display, "type", "--delay", "60", QUESTION)
        time.sleep(PAUSE_S)
        picture(display, FOLDER / "main-window.png")
        press(display, "key", "ctrl+comma")
        time.sleep(PAUSE_S)
        picture(display, FOLDER / "settings.png")
        press(display, "key", "ctrl+alt+space")
        time.sleep(PAUSE_S)
        press(display, "type", "--delay", "60", "garden")
        time.sleep(PAUSE_S)
        picture(display, FOLDER / "quick-search.png")
    finally:
        wine.end_all()
        app.communicate()


def wait_for_window(display: str) -> None:
    """Return once the main window is on the screen. Raises NoWindow."""
    until = time.monotonic() + WINDOW_S
    while time.monotonic() < until:
        found = xdotool(display, "search", "--onlyvisible", "--name", WINDOW)
        if found.returncode == 0:
            return
        time.sleep(0.5)
    raise NoWindow(f"Scrubjay opened no window under Wine within {WINDOW_S} seconds.")


def press(display: str, *arguments: str) -> None:
    """Press keys, which go to the window that has the focus."""
    xdotool(display, *arguments).check_returncode()


def picture(display: str, file: Path) -> None:
    """Write a picture of the whole screen."""
    subprocess.run(["import", "-display", display, "-window", "root", str(file)], check=True)


def xdotool(display: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run xdotool on a display."""
    environ = wine.environ(DISPLAY=display)
    return subprocess.run(["xdotool", *arguments], env=environ, capture_output=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
