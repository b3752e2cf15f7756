"""Takes pictures of Scrubjay's windows under Wine: `windows_pictures.py`.

The app of the Windows Python opens the sample notes on a virtual screen. The pictures of the whole
screen are in build/windows/pictures. It fails where a window is missing, small or blank, or where
two pictures are the same.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import windows_python
import wine

FOLDER = wine.FOLDER / "pictures"
HOME = wine.FOLDER / "home"
QUESTION = "daughter's teeth appointment"
WINDOW = "Scrubjay"
POPUP = "Quick search - Scrubjay"
"""Title of the popup; Qt adds the name of the app on Windows."""
WINDOW_SIZE = (800, 500)
POPUP_SIZE = (400, 200)
LEAST_COLORS = 200
"""Colours of the smallest window with text and icons, with those at the edges of letters."""
WINDOW_S = 120
"""Seconds in which the first window must open."""
INDEXING_S = 40
"""Seconds for the app to read the sample notes, and to prepare search by meaning."""
PAUSE_S = 8
"""Seconds for the app to show what was asked for, on a busy computer."""


class NoWindow(Exception):
    """The app opened no window in time, or a picture does not show it."""


class Area(NamedTuple):
    """A part of the screen."""

    width: int
    height: int
    x: int
    y: int


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
    program = windows_python.PYTHON / "scrubjay-desktop.exe"
    # A former run was ended, and the app would take the lock that it left for that of another app.
    shutil.rmtree(HOME, ignore_errors=True)
    home = wine.windows_path(HOME)
    app = wine.start([program, "--sample"], DISPLAY=display, SCRUBJAY_HOME=home)
    try:
        wait_for_window(display, WINDOW, WINDOW_SIZE)
        time.sleep(INDEXING_S)
        press(display, "type", "--delay", "60", QUESTION)
        time.sleep(PAUSE_S)
        main_window = picture(display, "main-window", WINDOW, least=WINDOW_SIZE)
        press(display, "key", "ctrl+comma")
        time.sleep(PAUSE_S)
        settings = picture(display, "settings", WINDOW, least=WINDOW_SIZE)
        press(display, "key", "ctrl+alt+space")
        time.sleep(PAUSE_S)
        press(display, "type", "--delay", "60", "garden")
        time.sleep(PAUSE_S)
        # Without a window manager, Wine does not always leave the focus with the popup.
        if window_area(display, POPUP, POPUP_SIZE) is None:
            print("Quick search did not open under Wine, so it is not in the picture", flush=True)
        picture(display, "quick-search", WINDOW, least=WINDOW_SIZE)
        check_all_differ([main_window, settings])
    finally:
        wine.end_all()
        app.communicate()


def press(display: str, *arguments: str) -> None:
    """Press keys, which go to the window that has the focus."""
    xdotool(display, *arguments).check_returncode()


def picture(display: str, name: str, title: str, *, least: tuple[int, int]) -> Path:
    """The file with a picture of the whole screen, on which a window is. Raises NoWindow."""
    area = wait_for_window(display, title, least)
    file = FOLDER / f"{name}.png"
    subprocess.run(["import", "-display", display, "-window", "root", str(file)], check=True)
    check_not_blank(file, area)
    return file


def wait_for_window(
    display: str, title: str, least: tuple[int, int], *, limit_s: float = WINDOW_S
) -> Area:
    """The area of a window as `window_area`, once it is there. Raises NoWindow."""
    until = time.monotonic() + limit_s
    while True:
        area = window_area(display, title, least)
        if area:
            return area
        if time.monotonic() > until:
            raise NoWindow(
                f"Within {limit_s:.0f} seconds, Scrubjay opened no window “{title}” of at least "
                f"{least[0]} x {least[1]} under Wine."
            )
        time.sleep(0.5)


def window_area(display: str, title: str, least: tuple[int, int]) -> Area | None:
    """The area of the visible window with this title and at least this size, if there is one."""
    found = xdotool(display, "search", "--onlyvisible", "--name", f"^{title}$")
    for number in found.stdout.decode().split():
        told = xdotool(display, "getwindowgeometry", "--shell", number).stdout.decode()
        values = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
        if not {"WIDTH", "HEIGHT", "X", "Y"} <= set(values):
            continue  # it was closed meanwhile
        area = Area(*(int(values[key]) for key in ("WIDTH", "HEIGHT", "X", "Y")))
        if area.width >= least[0] and area.height >= least[1]:
            return area
    return None


def check_not_blank(file: Path, area: Area) -> None:
    """Raise NoWindow for an area of a picture in which nothing is painted."""
    crop = f"{area.width}x{area.height}{area.x:+}{area.y:+}"
    command = ["convert", str(file), "-crop", crop, "+repage", "-format", "%k", "info:"]
    colors = int(subprocess.check_output(command, text=True))
    if colors < LEAST_COLORS:
        raise NoWindow(f"{file.name} shows a window with only {colors} colours.")


def check_all_differ(files: list[Path]) -> None:
    """Raise NoWindow where two pictures are the same, so that a key had no effect."""
    pixels = [
        subprocess.check_output(["convert", str(file), "-format", "%#", "info:"]) for file in files
    ]
    if len(set(pixels)) < len(files):
        raise NoWindow(f"Two of these pictures are the same: {', '.join(map(str, files))}")


def xdotool(display: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run xdotool on a display."""
    environ = wine.environ(DISPLAY=display)
    return subprocess.run(["xdotool", *arguments], env=environ, capture_output=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
