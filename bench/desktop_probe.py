"""Runs the app and looks at it from inside; prints one JSON object. Started by bench.desktop."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from scrubjay import IndexFinished
from scrubjay_desktop.application import Desktop, Start
from scrubjay_desktop.handover import Wish
from scrubjay_desktop.running import run

_TICK_MS = 10
_SHOWS = 30
_PAUSE_MS = 120


class Painted(QObject):
    """Calls back once, after the next painting of a widget."""

    def __init__(self, widget: QWidget, seen: Callable[[], None]) -> None:
        super().__init__(widget)
        self._seen = seen
        widget.installEventFilter(self)
        self._widget = widget

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Part of Qt."""
        if event.type() == QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            QTimer.singleShot(0, self._seen)
        return False


def start(desktop: Desktop) -> None:
    """From the start of the process to the first painted window."""
    started = float(os.environ["SCRUBJAY_STARTED"])

    def seen() -> None:
        _say({"window_ms": 1000 * (time.time() - started)})
        desktop.quit()

    Painted(desktop.window, seen)


def popup(desktop: Desktop) -> None:
    """From the wish to the painted popup, when it was shown before."""
    times: list[float] = []

    def show() -> None:
        began = time.perf_counter()

        def seen() -> None:
            times.append(1000 * (time.perf_counter() - began))
            desktop.popup.dismiss()
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

        Painted(desktop.popup, seen)
        desktop.popup.present()

    QTimer.singleShot(1000, show)


def stall(desktop: Desktop) -> None:
    """How late a 10 ms timer comes while notes are indexed with the model."""
    notes = Path(sys.argv[2])
    gaps: list[float] = []
    last = time.perf_counter()
    timer = QTimer(desktop, interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(1000 * (now - last) - _TICK_MS)
        last = now

    def take(event: object) -> None:
        if not isinstance(event, IndexFinished) or not event.report.changed:
            return
        timer.stop()
        late = sorted(gaps)
        _say(
            {
                "stall_ms_p99": round(late[int(0.99 * (len(late) - 1))], 1),
                "stall_ms_max": round(late[-1], 1),
                "stall_chunks": event.report.chunks,
                "stall_embedded": event.report.embedded,
                "stall_s": round(event.report.elapsed_s, 1),
            }
        )
        desktop.quit()

    def begin() -> None:
        nonlocal last
        desktop.window.search.set_text("note")
        last = time.perf_counter()
        timer.start()
        desktop.errands.add_folder(notes)

    timer.timeout.connect(tick)
    desktop.bridge.received.connect(take)
    QTimer.singleShot(1000, begin)


def _say(values: dict[str, float]) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    probe = {"start": start, "popup": popup, "stall": stall}[sys.argv[1]]
    sys.exit(run(Start(Wish.WINDOW), probe))
