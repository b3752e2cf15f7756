"""Runs inside the app and carries out commands from standard input, line by line.

Started by bench.soak. Each line is a JSON list: a command and its arguments. `sample` prints the
resources of the process as JSON.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import re
import sys
import tempfile
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import apsw
import psutil
from PySide6.QtCore import QObject, QSocketNotifier, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import IndexState
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.run_app import run_app
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.results.result_rows import row_of_line

TRACE = "SCRUBJAY_SOAK_TRACE"
"""Variable that names a file for what there is more of at the end than at the beginning."""
_TRACED_FRAMES = 3
_LISTED = 40
_PAGES = ("timeline", "folders", "agents", "health", "settings")
_STATUS = Path("/proc/self/status")


class Hand(QObject):
    """Does in the window what the lines say."""

    def __init__(self, desktop: Desktop) -> None:
        super().__init__(desktop)
        self._desktop = desktop
        self._unread = b""
        self._turned = 0
        self._first: Held | None = None
        self._orders: dict[str, Callable[..., None]] = {
            "search": desktop.window.search.set_text,
            "read": self._read_note,
            "turn": self._turn,
            "state": self._print_state,
            "sample": lambda: _print(sample()),
            "compare": self._compare,
        }
        notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(lambda: self._obey(notifier))

    def _obey(self, notifier: QSocketNotifier) -> None:
        data = os.read(sys.stdin.fileno(), 65_536)
        if not data:
            notifier.setEnabled(False)
            self._desktop.quit()
            return
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            order, *arguments = json.loads(line)
            self._orders[order](*arguments)

    def _read_note(self, path: str) -> None:
        [status] = self._desktop.engine.status().workspaces
        file = status.workspace.root / path
        row = row_of_line(status.workspace.id, path, file, line=1, names={})
        self._desktop.window.preview.show_row(row)

    def _turn(self) -> None:
        """Show the next page; after the last one the search, and open or close the popup."""
        at = self._turned % (len(_PAGES) + 1)
        self._turned += 1
        if at < len(_PAGES):
            self._desktop.window.pages.show_page(_PAGES[at])
        else:
            self._desktop.window.pages.show_page("search")
            self._desktop.late.popup.toggle()

    def _print_state(self) -> None:
        states = [each.state for each in self._desktop.engine.status().workspaces]
        _print({"is_read": int(states == [IndexState.READY])})

    def _compare(self) -> None:
        """Write down what there is more of than at the first call, if a file is named for it."""
        if target := os.environ.get(TRACE):
            now = Held()
            if self._first is None:
                self._first = now
            else:
                Path(target).write_text("\n".join(now.more_than(self._first)) + "\n")
        _print({"is_compared": 1})


class Held:
    """Objects by their kinds, and Python's allocations, at one moment.

    A tuple that another thread is making at that moment fails, and a search with it, since the list
    of all objects holds it, too; so this is for traced runs only.
    """

    def __init__(self) -> None:
        gc.collect()
        self.kinds = Counter(_kind(each) for each in gc.get_objects())
        self.qt_kinds = qt_kinds()
        self.snapshot = tracemalloc.take_snapshot()

    def more_than(self, before: Held) -> list[str]:
        """Lines on what there is more of than before."""
        lines = ["objects of Python:", *map(str, (self.kinds - before.kinds).most_common(_LISTED))]
        lines += ["Qt objects:", *map(str, (self.qt_kinds - before.qt_kinds).most_common())]
        lines.append("allocations:")
        for each in self.snapshot.compare_to(before.snapshot, "traceback")[:_LISTED]:
            lines += [str(each), *each.traceback.format()]
        return lines


def sample() -> dict[str, int]:
    """What this process holds, in bytes and numbers."""
    process = psutil.Process()
    memory = process.memory_full_info()
    shared = 0
    files = 0
    if sys.platform == "linux":
        shared = memory.pss
        files = process.num_fds()
    return {
        "rss": memory.rss,
        "pss": shared,
        "unique": memory.uss,
        "private": _anonymous_bytes() or memory.uss,
        "files": files,
        "threads": process.num_threads(),
        "qt_objects": qt_kinds().total(),
        "python_blocks": sys.getallocatedblocks(),
        "python_arenas": _arena_bytes(),
        "traced": tracemalloc.get_traced_memory()[0],
        "tracer": tracemalloc.get_tracemalloc_memory(),
        "sqlite": apsw.memory_used(),
        **_malloc(),
    }


def qt_kinds() -> Counter[str]:
    """Classes of all Qt objects that belong to the application or to a window.

    Qt prints them, a line for each. A list of them would make an object of Python for each, and
    those of what Qt made itself stay when Qt deletes it: 4 kB for each box of choices.
    """
    lines: list[str] = []
    application = QApplication.instance()
    assert application
    windows = [each for each in QApplication.topLevelWidgets() if each.parent() is None]
    former = qInstallMessageHandler(lambda _kind, _context, text: lines.append(text))
    try:
        for root in (application, *windows):
            root.dumpObjectTree()
    finally:
        qInstallMessageHandler(former)
    return Counter(line.split("::", 1)[0].strip() for line in lines)


def _anonymous_bytes() -> int:
    """Memory without a file behind it, whether a child shares its pages or not; 0 if unknown."""
    if not _STATUS.exists():
        return 0
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("RssAnon"))
    return 1024 * int(line.split()[1])


def _arena_bytes() -> int:
    """Memory that Python takes of the system for small objects; 0 where it does not tell."""
    errors = os.dup(2)
    with tempfile.TemporaryFile() as told:
        # It prints to the standard error of C.
        os.dup2(told.fileno(), 2)
        try:
            sys._debugmallocstats()  # noqa: SLF001
        finally:
            os.dup2(errors, 2)
            os.close(errors)
        told.seek(0)
        found = re.search(rb"(\d+) arenas \* (\d+) bytes/arena", told.read())
    return int(found[1]) * int(found[2]) if found else 0


def _malloc() -> dict[str, int]:
    """Heaps of glibc's malloc, and the bytes in them that are used, and that are free."""
    libc = ctypes.CDLL(None)
    text = ctypes.c_char_p()
    size = ctypes.c_size_t()
    libc.open_memstream.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(libc.open_memstream(ctypes.byref(text), ctypes.byref(size)))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    told = ElementTree.fromstring(text.value or b"")
    libc.free(text)
    sizes = {each.get("type"): int(each.get("size", 0)) for each in told.findall("total")}
    [system] = told.findall("system[@type='current']")
    free = sizes["fast"] + sizes["rest"]
    return {
        "malloc_used": int(system.get("size", 0)) + sizes["mmap"] - free,
        "malloc_free": free,
        "arenas": len(told.findall("heap")),
    }


def _kind(thing: object) -> str:
    return f"{type(thing).__module__}.{type(thing).__qualname__}"


def _print(values: dict[str, int]) -> None:
    print(json.dumps(values), flush=True)


def _free_vectors(paths: Paths) -> Engine:
    from bench.synthetic import RandomDocuments

    return Engine(paths, provider=RandomDocuments())


if __name__ == "__main__":
    if TRACE in os.environ:
        tracemalloc.start(_TRACED_FRAMES)
    engine_of: Callable[[Paths], Any] = _free_vectors if "--free-vectors" in sys.argv else Engine
    hands: list[Hand] = []
    sys.exit(
        run_app(Start(StartRequest.WINDOW), lambda desktop: hands.append(Hand(desktop)), engine_of)
    )
