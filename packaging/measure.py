"""Measure a bundle: `python packaging/measure.py [BUNDLE]`. Times are the best of seven starts."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import quick_smoke
from bad_luck import SAMPLE, ended, screen
from bundle import megabytes
from cleanroom import eventually

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
        seconds = best(lambda: quick_smoke.run(program, home, *words))
        print(f"scrubjay search, words: {seconds:.2f} s")
        seconds = best(lambda: quick_smoke.run(program, home, "search", "who fixes the heating?"))
        print(f"scrubjay search, words and meaning: {seconds:.2f} s")
        display = stack.enter_context(screen(stack))
        print(f"window: {min(window(bundle, home, display) for _ in range(STARTS)):.2f} s")
    return 0


def best(work: Callable[[], object]) -> float:
    """Seconds of the quickest time."""
    taken = []
    for _ in range(STARTS):
        began = time.monotonic()
        work()
        taken.append(time.monotonic() - began)
    return min(taken)


def window(bundle: Path, home: Path, display: str) -> float:
    """Seconds from the start of the app to its window on the screen."""
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
        taken = time.monotonic() - began
        # It listens a moment after it can be seen.
        eventually((home / "state" / "desktop.socket").exists, "the app listens")
        ask = [str(bundle / "scrubjay-desktop"), "--quit"]
        subprocess.run(ask, env=environ, check=True)
        app.wait(20)
    finally:
        ended(app)
    return taken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
