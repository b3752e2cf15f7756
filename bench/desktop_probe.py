"""Runs the app with a probe inside; prints one JSON object. Started by bench.desktop.

Imports that only some probes need are lazy, so that the time of a start is the real one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished, IndexProgressed
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.run_app import run_app
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.results.result_rows import row_of_line

_TICK_MS = 10
_SHOWS = 30
_PAUSE_MS = 120
_READS = 5
_TYPED = 12
"""Questions, about 300 keys."""
_BETWEEN_KEYS_MS = 150
"""Long enough for search by meaning to begin between two keys, which is the hardest case."""
_UNLOADED_S = 2.0
_WATCHED_S = 15.0
"""How long people ask after a second folder was added."""


class Painted(QObject):
    """Calls back once, after the next painting of a widget."""

    def __init__(self, widget: QWidget, on_paint: Callable[[], None]) -> None:
        super().__init__(widget)
        self._on_paint = on_paint
        widget.installEventFilter(self)
        self._widget = widget
        self._is_waiting = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook for events of the widget."""
        if event.type() == QEvent.Type.Paint and self.stop():
            QTimer.singleShot(0, self._on_paint)
        return False

    def stop(self) -> bool:
        """Stop waiting; False when the widget was painted already."""
        is_waiting, self._is_waiting = self._is_waiting, False
        self._widget.removeEventFilter(self)
        return is_waiting


@dataclass(frozen=True, slots=True)
class KeyTimes:
    """Times in ms from a key event to the painted frame with its first rows and its last ones."""

    to_rows: list[float] = field(default_factory=list)
    to_rows_cpu: list[float] = field(default_factory=list)
    to_full: list[float] = field(default_factory=list)


class Typing(QObject):
    """Types questions key by key, and times the frames that answer each key."""

    def __init__(self, desktop: Desktop, ended: Callable[[KeyTimes], None]) -> None:
        super().__init__(desktop)
        self._panel = desktop.window.search
        self._edit = self._panel.box
        self._ended = ended
        self._keys = self._all_keys()
        self._began = self._began_cpu = 0.0
        self._is_waiting = False
        self._painted = Painted(self._edit, lambda: None)
        self._times = KeyTimes()
        self._panel.search.answered.connect(self._answered)
        self._panel.search.recents_shown.connect(self._begun)

    def press(self) -> None:
        """Press the next key."""
        key = next(self._keys, None)
        if key is None:
            self._ended(self._times)
            return
        from PySide6.QtTest import QTest

        self._is_waiting = True
        self._began, self._began_cpu = time.perf_counter(), time.process_time()
        QTest.keyClicks(self._edit, key)

    def _all_keys(self) -> Iterator[str]:
        from bench.synthetic import questions

        for question in questions(_TYPED):
            self._edit.clear()
            yield from question

    def _begun(self) -> None:
        """The word has only begun, and nothing is found yet."""
        if self._is_waiting and self._edit.text():
            self._is_waiting = False
            QTimer.singleShot(_BETWEEN_KEYS_MS, self.press)

    def _answered(self, answer: SearchAnswer) -> None:
        if answer.request.text != self._edit.text():
            return
        # Rows that are not certain are part of the full answer only.
        has_rows = any(not row.is_uncertain for row in self._panel.search.model.rows)
        if has_rows and self._is_waiting:
            self._painted = Painted(self._panel.list.viewport(), self._record)
        self._is_waiting = False
        if not answer.request.is_typing:
            if has_rows:
                self._full = Painted(self._panel.list.viewport(), self._record_full)
                self._panel.list.viewport().update()  # equal rows are not painted again
            QTimer.singleShot(_BETWEEN_KEYS_MS, self.press)

    def _record(self) -> None:
        self._times.to_rows.append(1000 * (time.perf_counter() - self._began))
        self._times.to_rows_cpu.append(1000 * (time.process_time() - self._began_cpu))

    def _record_full(self) -> None:
        self._times.to_full.append(1000 * (time.perf_counter() - self._began))


class Asking(QObject):
    """Adds a folder, and asks for words in it until they are found, and for common ones."""

    def __init__(self, desktop: Desktop, folder: Path) -> None:
        super().__init__(desktop)
        self._desktop = desktop
        self._folder = folder
        from bench.synthetic import RARE_WORDS

        self._missing = list(RARE_WORDS)
        self._times: list[float] = []
        self._added = self._asked = self._found = 0.0

    def add_once_learning(self, event: object) -> None:
        """Add the folder when the first one begins to be learned."""
        is_learning = isinstance(event, IndexProgressed) and event.progress.phase == "meaning"
        if is_learning and not self._added:
            self._added = time.perf_counter()
            self._desktop.late.actions.add_folder(self._folder)
            self._ask()

    def _ask(self) -> None:
        self._asked = time.perf_counter()
        is_common = len(self._times) % 2 or not self._missing
        text = f"what about {len(self._times)} notes" if is_common else self._missing[0]
        request = SearchRequest(text=text, audience=PERSON)
        future = self._desktop.engine.search(request, CancelToken())
        self._desktop.tasks.watch(future, CancelToken(), done=self._take)

    def _take(self, answer: SearchAnswer) -> None:
        now = time.perf_counter()
        self._times.append(1000 * (now - self._asked))
        if answer.hits and answer.request.text in self._missing:
            self._missing.remove(answer.request.text)
            self._found = now - self._added
        if self._missing or now - self._added < _WATCHED_S:
            QTimer.singleShot(_PAUSE_MS, self._ask)
            return
        _say(
            {
                "words_found_s": round(self._found, 1),
                "search_ms_p50": _share(self._times, 0.5),
                "search_ms_max": _share(self._times, 1),
                "searches": len(self._times),
            }
        )
        self._desktop.quit()


def start(desktop: Desktop) -> None:
    """Time from the start of the process to the first painted window."""
    started = float(os.environ["SCRUBJAY_STARTED"])

    def painted() -> None:
        _say({"window_ms": 1000 * (time.time() - started), "cpu_ms": 1000 * time.process_time()})
        desktop.quit()

    Painted(desktop.window, painted)


def popup(desktop: Desktop) -> None:
    """Time from the call to the painted popup, when it was shown before."""
    times: list[float] = []

    def show() -> None:
        began = time.perf_counter()

        def painted() -> None:
            times.append(1000 * (time.perf_counter() - began))
            desktop.late.popup.dismiss()
            if len(times) <= _SHOWS:
                QTimer.singleShot(_PAUSE_MS, show)
                return
            again = sorted(times[1:])
            _say(
                {
                    "popup_ms_p50": round(statistics.median(again), 1),
                    "popup_ms_max": round(again[-1], 1),
                }
            )
            desktop.quit()

        Painted(desktop.late.popup, painted)
        desktop.late.popup.present()

    QTimer.singleShot(1000, show)


def typing(desktop: Desktop) -> None:
    """Time from each key to the painted frames with its first rows and with all of them."""

    def ended(times: KeyTimes) -> None:
        _say(
            {
                "key_to_rows_ms_p50": _share(times.to_rows, 0.5),
                "key_to_rows_ms_p95": _share(times.to_rows, 0.95),
                "key_to_rows_cpu_ms_p95": _share(times.to_rows_cpu, 0.95),
                "key_to_full_answer_ms_p50": _share(times.to_full, 0.5),
                "key_to_full_answer_ms_p95": _share(times.to_full, 0.95),
                "keys": len(times.to_rows),
            }
        )
        desktop.quit()

    keys = Typing(desktop, ended)
    QTimer.singleShot(2000, keys.press)


def stall(desktop: Desktop, notes: Path) -> None:
    """Delay of a 10 ms timer while notes are indexed and a search is open."""
    gaps: list[float] = []
    busy: list[float] = []
    last, last_cpu = time.perf_counter(), time.thread_time()
    timer = QTimer(desktop, interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)

    def tick() -> None:
        nonlocal last, last_cpu
        now, cpu = time.perf_counter(), time.thread_time()
        gaps.append(1000 * (now - last) - _TICK_MS)
        busy.append(1000 * (cpu - last_cpu))
        last, last_cpu = now, cpu

    def take(event: object) -> None:
        if not isinstance(event, IndexFinished) or not event.report.changed:
            return
        timer.stop()
        _say(
            {
                "ms_p99": _share(gaps, 0.99),
                "ms_max": _share(gaps, 1),
                "own_cpu_ms_max": _share(busy, 1),
                "notes": event.report.changed,
                "chunks": event.report.chunks,
                "embedded": event.report.embedded,
                "seconds": round(event.report.elapsed_s, 1),
            }
        )
        desktop.quit()

    def begin() -> None:
        nonlocal last
        desktop.window.search.set_text("note")
        last = time.perf_counter()
        timer.start()
        desktop.late.actions.add_folder(notes)

    timer.timeout.connect(tick)
    desktop.bridge.received.connect(take)
    QTimer.singleShot(1000, begin)


def second_folder(desktop: Desktop, notes: Path, more: Path) -> None:
    """Times until a folder is found that is added while another is learned, and of searches."""
    asking = Asking(desktop, more)
    desktop.bridge.received.connect(asking.add_once_learning)
    QTimer.singleShot(1000, lambda: desktop.late.actions.add_folder(notes))


def reader(desktop: Desktop, notes: Path) -> None:
    """Times from the choice of a note to its first painting, each the median of several."""
    times: dict[str, list[float]] = {}
    files = sorted(notes.glob("*.md")) * (1 + _READS)
    preview = desktop.window.preview

    def show() -> None:
        if not files:
            again = {
                f"{name}_ms": round(statistics.median(each[1:])) for name, each in times.items()
            }
            first = {f"{name}_first_ms": round(each[0]) for name, each in times.items()}
            _say({**again, **first})
            desktop.quit()
            return
        file = files.pop()
        began = time.perf_counter()

        def painted() -> None:
            times.setdefault(file.stem, []).append(1000 * (time.perf_counter() - began))
            QTimer.singleShot(_PAUSE_MS, show)

        def wait_for_paint() -> None:
            preview.matches_changed.disconnect(wait_for_paint)
            Painted(preview.view.viewport(), painted)
            preview.view.viewport().update()

        preview.matches_changed.connect(wait_for_paint)
        [status] = desktop.engine.status().workspaces
        preview.show_row(row_of_line(status.workspace.id, file.name, file, 1, {}))

    def take(event: object) -> None:
        if isinstance(event, IndexFinished) and event.report.changed:
            QTimer.singleShot(1000, show)

    desktop.bridge.received.connect(take)
    QTimer.singleShot(1000, lambda: desktop.late.actions.add_folder(notes))


def rest(desktop: Desktop) -> None:
    """Search once by words and by meaning, then do nothing until the parent ends it."""
    from bench.synthetic import questions

    QApplication.setCursorFlashTime(0)  # the desktop decides how a cursor blinks
    texts = iter(questions(3))

    def ask() -> None:
        if (text := next(texts, None)) is None:
            _say({"is_ready": 1})
            return
        desktop.window.search.set_text(text)
        QTimer.singleShot(1000, ask)

    QTimer.singleShot(2000, ask)


def _share(values: Sequence[float], share: float) -> float:
    return round(sorted(values)[int(share * (len(values) - 1))], 1)


def _say(values: dict[str, float]) -> None:
    print(json.dumps(values), flush=True)


def _free_vectors(paths: Paths) -> Engine:
    """The real model for queries; documents get vectors that cost nothing."""
    from bench.synthetic import RandomDocuments
    from scrubjay.embedding.local.local_provider import LoadOptions, LocalProvider
    from scrubjay.models.model_files import find_model

    model = find_model(paths)
    assert model is not None, "bench.desktop checks for it first"
    return Engine(
        paths, provider=RandomDocuments(LocalProvider(model, LoadOptions(idle_seconds=_UNLOADED_S)))
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "probe", choices=("start", "popup", "typing", "stall", "second", "reader", "rest")
    )
    parser.add_argument("--notes", type=Path, default=Path())
    parser.add_argument("--more", type=Path, default=Path())
    parser.add_argument("--free-vectors", action="store_true")
    options = parser.parse_args()
    probes: dict[str, Callable[[Desktop], None]] = {
        "start": start,
        "popup": popup,
        "typing": typing,
        "stall": partial(stall, notes=options.notes),
        "second": partial(second_folder, notes=options.notes, more=options.more),
        "reader": partial(reader, notes=options.notes),
        "rest": rest,
    }
    engine_of = _free_vectors if options.free_vectors else Engine
    sys.exit(run_app(Start(StartRequest.WINDOW), probes[options.probe], engine_of))
