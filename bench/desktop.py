"""Measures of the app as its user sees it: start, typing, smoothness while indexing, idle state."""

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

from bench.synthetic import (
    CHUNKS_A_NOTE,
    RARE_WORDS,
    RandomDocuments,
    write_notes,
    write_reader_notes,
)
from scrubjay.embedding.local.local_provider import LocalProvider
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths

_NOTES = 50
_LINES = 34
_SHORT_LINES = 8
"""A note of one chunk."""
_TYPED_IN_CHUNKS = 20_000
_FULL_INDEX_NOTES = 10_000
_LEARNED_NOTES, _MORE_NOTES = 1_000, 5_000
_WORKSPACES, _NOTES_EACH = 10, 1_000
_APP = Path(sys.executable).with_name("scrubjay-desktop")
_PROBE = """
import runpy
from scrubjay_desktop.__main__ import prepare
prepare()
runpy.run_module("bench.desktop_probe", run_name="__main__")
"""
_EMPTY = """
import os, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

class Window(QWidget):
    def paintEvent(self, event):
        milliseconds = 1000 * (time.time() - float(os.environ["SCRUBJAY_STARTED"]))
        QTimer.singleShot(0, lambda: (print(milliseconds, flush=True), os._exit(0)))

app, window = QApplication([]), Window()
window.resize(1000, 700)
window.show()
app.exec()
"""
"""A window without anything in it, and the least that a start in Python can take."""
_STARTS = 10
_IDLE_S = 20.0
_SETTLED_S = 3.0
_RESTED_S = 35.0
"""After half a minute without a search, memory goes back to the system."""


def measure(folder: Path, model: Path) -> dict[str, Any]:
    """Times of the real app on a virtual screen, or without any screen where there is none."""
    folder = folder / "desktop"
    with screen() as environ:
        return {
            "platform": environ["QT_QPA_PLATFORM"],
            **_inside(environ, folder),
            **_outside(environ, folder / "home-outside"),
            "typing": _typing(environ, folder / "typing", model),
            "second_folder": _second_folder(environ, folder / "second"),
            "reader": _reader(environ, folder / "reader"),
            "full_index": _full_index(environ, folder / "full-index"),
            "resting": _resting(environ, folder / "resting", model),
        }


def _inside(environ: dict[str, str], folder: Path) -> dict[str, Any]:
    """Times that only the app itself can take."""
    notes, home = folder / "notes", folder / "home-inside"
    write_notes(notes, _NOTES, lines=_LINES)
    starts, empty = [], []
    for _ in range(_STARTS):
        starts.append(_probe(environ, home, "start"))
        empty.append(_empty_window(environ))
    ratios = (start["window_ms"] / least for start, least in zip(starts, empty, strict=True))
    return {
        "empty_window_ms": round(statistics.median(empty)),
        "window_by_empty_window": round(statistics.median(ratios), 2),
        "window_visible_ms": round(statistics.median(start["window_ms"] for start in starts)),
        "window_visible_cpu_ms": round(statistics.median(start["cpu_ms"] for start in starts)),
        **_probe(environ, home, "popup"),
        "stall": _probe(environ, home, "stall", "--notes", str(notes)),
    }


def _empty_window(environ: dict[str, str]) -> float:
    """Milliseconds from the start of a process to its empty window."""
    environ = {**environ, "SCRUBJAY_STARTED": repr(time.time())}
    started = [sys.executable, "-c", _EMPTY]
    return float(subprocess.run(started, env=environ, stdout=subprocess.PIPE, check=True).stdout)


def _typing(environ: dict[str, str], folder: Path, model: Path) -> dict[str, Any]:
    """Times from a key to its rows, in an index of 20,000 chunks."""
    notes, home = folder / "notes", folder / "home"
    write_notes(notes, _TYPED_IN_CHUNKS // CHUNKS_A_NOTE)
    chunks = _indexed(home, [notes], model)
    return {"chunks": chunks, **_probe(environ, home, "typing", "--free-vectors")}


def _second_folder(environ: dict[str, str], folder: Path) -> dict[str, Any]:
    """Searches while a folder is learned with the model and one of 5,000 notes is added."""
    notes, more = folder / "notes", folder / "more"
    write_notes(notes, _LEARNED_NOTES)
    write_notes(more, _MORE_NOTES, lines=_SHORT_LINES, seed=8)
    files = sorted(more.rglob("*.md"))
    for file, word in zip((files[0], files[len(files) // 2], files[-1]), RARE_WORDS, strict=True):
        with file.open("a") as note:
            note.write(f"\nThe {word} is here.\n")
    home = folder / "home"
    return _probe(environ, home, "second", "--notes", str(notes), "--more", str(more))


def _reader(environ: dict[str, str], folder: Path) -> dict[str, Any]:
    """Times to the first painting of a long note and of notes that mean harm."""
    notes, home = folder / "notes", folder / "home"
    write_reader_notes(notes)
    config = Paths.under(home).config
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.json5").write_text("{ memorySearch: { provider: 'none' } }")
    return _probe(environ, home, "reader", "--notes", str(notes))


def _full_index(environ: dict[str, str], folder: Path) -> dict[str, Any]:
    """Delays of the window while many notes are indexed at full speed."""
    notes = folder / "notes"
    write_notes(notes, _FULL_INDEX_NOTES, lines=_SHORT_LINES)
    home = folder / "home"
    return _probe(environ, home, "stall", "--notes", str(notes), "--free-vectors")


def _resting(environ: dict[str, str], folder: Path, model: Path) -> dict[str, Any]:
    """Load and memory of an app with many notes that was used and now rests."""
    folders = [folder / f"notes-{number}" for number in range(_WORKSPACES)]
    for number, notes in enumerate(folders):
        write_notes(notes, _NOTES_EACH, lines=_SHORT_LINES, seed=number)
    home = folder / "home"
    chunks = _indexed(home, folders, model)
    with _started(environ, home, "rest", "--free-vectors") as app:
        assert app.stdout is not None  # it is a pipe
        app.stdout.readline()
        process = psutil.Process(app.pid)
        _until(lambda: not process.children() and _is_still(process))
        time.sleep(_RESTED_S)
        return {
            "workspaces": _WORKSPACES,
            "chunks": chunks,
            **_idle(process),
            "rss_mb": round(process.memory_info().rss / 2**20, 1),
        }


def _idle(app: psutil.Process) -> dict[str, Any]:
    """Processor time and wake-ups of an idle app."""
    time.sleep(_SETTLED_S)
    before, woken = sum(app.cpu_times()[:2]), app.num_ctx_switches().voluntary
    time.sleep(_IDLE_S)
    busy = sum(app.cpu_times()[:2]) - before
    return {
        "cpu_percent": round(100 * busy / _IDLE_S, 2),
        "wakeups_a_second": round((app.num_ctx_switches().voluntary - woken) / _IDLE_S, 2),
    }


def _indexed(home: Path, folders: list[Path], model: Path) -> int:
    """Index folders with vectors that cost nothing; return the number of chunks."""
    engine = Engine(Paths.under(home), provider=RandomDocuments(LocalProvider(model)))
    try:
        for notes in folders:
            engine.add_workspace(notes).result()
        return sum(report.chunks for report in engine.refresh().result())
    finally:
        engine.close()


@contextmanager
def _started(
    environ: dict[str, str], home: Path, *arguments: str
) -> Iterator[subprocess.Popen[str]]:
    """A probe that runs until the block ends."""
    app = subprocess.Popen(
        [sys.executable, "-c", _PROBE, *arguments],
        env={**environ, "SCRUBJAY_HOME": str(home), "SCRUBJAY_STARTED": repr(time.time())},
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield app
    finally:
        app.terminate()
        app.communicate(timeout=30)


def _probe(environ: dict[str, str], home: Path, *arguments: str) -> dict[str, Any]:
    with _started(environ, home, *arguments) as app:
        assert app.stdout is not None  # it is a pipe
        values: dict[str, Any] = json.loads(app.stdout.readline())
        app.wait(30)
    return values


def _outside(environ: dict[str, str], home: Path) -> dict[str, Any]:
    """Times and memory that another process can measure."""
    environ = {**environ, "SCRUBJAY_HOME": str(home)}
    app = psutil.Popen([str(_APP), "--sample"], env=environ)
    try:
        _until(lambda: (home / "state" / "desktop.socket").exists())
        # The sample is indexed with the model, which then holds its memory for a while.
        _until(lambda: _is_still(app))
        seconds = [_second_start(environ) for _ in range(_STARTS)]
        idle = _idle(app)
        return {
            "second_start_ms": round(1000 * statistics.median(seconds)),
            "idle_rss_mb": round(app.memory_info().rss / 2**20, 1),
            **{f"idle_{name}": value for name, value in idle.items()},
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


def _is_still(app: psutil.Process) -> bool:
    """True when neither the app nor its children compute anything for two seconds."""
    processes = [app, *app.children(recursive=True)]
    before = sum(sum(process.cpu_times()[:2]) for process in processes)
    time.sleep(2)
    return sum(sum(process.cpu_times()[:2]) for process in processes) - before < 0.05


def _until(holds: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError("The app did not come to rest")
        time.sleep(0.05)


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """A virtual screen of its own, without other programs."""
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

    from scrubjay.models.model_files import find_model

    model = find_model(Paths.of_user())
    assert model is not None, "run `make setup`"
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as name:
        print(json.dumps(measure(Path(name), model), indent=2))
