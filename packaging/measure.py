"""Measures a bundle: `python packaging/measure.py [BUNDLE]`.

Times are the best of seven starts. Processor times are printed as well, because they are also
reliable on a busy machine.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import quick_smoke
from bundle import megabytes
from cleanroom import eventually
from failure_modes import SAMPLE, ended, screen

ROOT = Path(__file__).resolve().parents[1]
STARTS = 7


def main(arguments: list[str]) -> int:
    """Print sizes and times."""
    bundle = Path(arguments[0] if arguments else ROOT / "dist/scrubjay").absolute()
    whole, without = megabytes(bundle), megabytes(bundle, without=".gguf")
    print(f"unpacked {whole:.0f} MB, without the model {without:.0f} MB")
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        program = bundle / "scrubjay"
        quick_smoke.run(program, home, "workspace", "add", str(SAMPLE))
        quick_smoke.run(program, home, "index")
        words = ("search", "boiler", "--mode", "lexical")
        meaning = ("search", "who fixes the heating?")
        print("search by words:", best(lambda: run(program, home, words)))
        print("search by words and meaning:", best(lambda: run(program, home, meaning)))
        display = stack.enter_context(screen(stack))
        print("window:", best(lambda: window(bundle, home, display)))
    return 0


def best(start: Callable[[], tuple[float, float]]) -> str:
    """The quickest of some starts, which are seconds by the clock and of a processor."""
    clock, processor = zip(*(start() for _ in range(STARTS)), strict=True)
    return f"{min(clock):.2f} s, {min(processor):.2f} s of a processor"


def run(program: Path, home: Path, command: tuple[str, ...]) -> tuple[float, float]:
    """Seconds by the clock and of a processor for a command, its children included."""
    began, used = time.monotonic(), children()
    quick_smoke.run(program, home, *command)
    return time.monotonic() - began, children() - used


def children() -> float:
    """Seconds of a processor that ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_by(process: int) -> float:
    """Seconds of a processor that a running process took."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def window(bundle: Path, home: Path, display: str) -> tuple[float, float]:
    """Seconds by the clock and of a processor until the app's window is on the screen."""
    environ = {**os.environ, "SCRUBJAY_HOME": str(home), "DISPLAY": display}
    began = time.monotonic()
    app = subprocess.Popen(
        [str(bundle / "scrubjay-desktop")],
        env={**environ, "QT_QPA_PLATFORM": "xcb", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"},
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
        # It listens a moment after it can be seen.
        eventually((home / "state" / "desktop.socket").exists, "the app listens")
        ask = [str(bundle / "scrubjay-desktop"), "--quit"]
        subprocess.run(ask, env=environ, check=True)
        app.wait(20)
    finally:
        ended(app)
    return times


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
