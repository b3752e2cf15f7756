"""The app as people feel it: how soon it is there, how still it is, whether it stutters."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.synthetic import write_notes

_NOTES = 50
_LINES = 34
_APP = Path(sys.executable).with_name("scrubjay-desktop")
_STARTS = 5
_IDLE_S = 20.0
_SETTLED_S = 3.0


def measure(folder: Path) -> dict[str, Any]:
    """Time the real app on a virtual screen, or without any screen where there is none."""
    notes = folder / "desktop-notes"
    write_notes(notes, _NOTES, lines=_LINES)
    with _screen() as environ:
        found: dict[str, Any] = {"platform": environ["QT_QPA_PLATFORM"], "notes": _NOTES}
        found |= _inside(environ, folder / "home-inside", notes)
        found |= _outside(environ, folder / "home-outside")
    return found


def _inside(environ: dict[str, str], home: Path, notes: Path) -> dict[str, Any]:
    """What only the app itself can see."""
    windows = [_probe(environ, home, "start")["window_ms"] for _ in range(_STARTS)]
    return {
        "window_visible_ms": round(statistics.median(windows)),
        **_probe(environ, home, "popup"),
        **_probe(environ, home, "stall", str(notes)),
    }


def _probe(environ: dict[str, str], home: Path, *what: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.desktop_probe", *what]
    done = subprocess.run(
        command,
        env={**environ, "SCRUBJAY_HOME": str(home), "SCRUBJAY_STARTED": repr(time.time())},
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.PIPE,
        check=True,
    )
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def _outside(environ: dict[str, str], home: Path) -> dict[str, Any]:
    """What any other process can see."""
    environ = {**environ, "SCRUBJAY_HOME": str(home)}
    app = psutil.Popen([str(_APP), "--sample"], env=environ)
    try:
        _until(lambda: (home / "state" / "desktop.socket").exists())
        # The sample is indexed with the model, which then goes on to hold its memory for a while.
        _until(lambda: _is_still(app))
        seconds = [_second_start(environ) for _ in range(_STARTS)]
        time.sleep(_SETTLED_S)
        before = app.cpu_times()
        time.sleep(_IDLE_S)
        after = app.cpu_times()
        busy = after.user + after.system - before.user - before.system
        return {
            "second_start_ms": round(1000 * statistics.median(seconds)),
            "idle_rss_mb": round(app.memory_info().rss / 2**20, 1),
            "idle_cpu_percent": round(100 * busy / _IDLE_S, 2),
            "quit_ms": round(1000 * _quit(app, environ)),
        }
    finally:
        if app.is_running():
            app.kill()
        app.wait()


def _second_start(environ: dict[str, str]) -> float:
    began = time.monotonic()
    subprocess.run([str(_APP), "--background"], env=environ, check=True)
    return time.monotonic() - began


def _quit(app: psutil.Popen, environ: dict[str, str]) -> float:
    subprocess.run([str(_APP), "--quit"], env=environ, check=True)
    began = time.monotonic()
    app.wait(10)
    return time.monotonic() - began


def _is_still(app: psutil.Popen) -> bool:
    """Neither the app nor its children compute anything for two seconds."""
    processes = [app, *app.children(recursive=True)]
    before = sum(sum(one.cpu_times()[:2]) for one in processes)
    time.sleep(2)
    return sum(sum(one.cpu_times()[:2]) for one in processes) - before < 0.05


def _until(seen: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not seen():
        if time.monotonic() > deadline:
            raise TimeoutError("The app did not come to rest")
        time.sleep(0.05)


@contextmanager
def _screen() -> Iterator[dict[str, str]]:
    """A virtual screen of our own, so that nothing else on the desktop takes part."""
    environ = dict(os.environ)
    server = shutil.which("Xvfb")
    if server is None:
        yield {**environ, "QT_QPA_PLATFORM": "offscreen"}
        return
    reading, writing = os.pipe()
    running = subprocess.Popen(
        [server, "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as announced:
            display = announced.readline().strip()
        yield {**environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{display}"}
    finally:
        running.terminate()
        running.wait(5)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        print(json.dumps(measure(Path(name)), indent=2))
