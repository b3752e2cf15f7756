"""A long day with the app: what it holds at the end is what it held after the morning."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from bench.soak_probe import qt_kinds
from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import TIMEOUT

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

ROUNDS, SEARCHES = (50, 200) if os.environ.get("SCRUBJAY_SOAK") else (3, 60)
"""Each an afternoon of a busy person, of which the first warms everything up."""
SEARCHES_PER_SAVE, POPUPS, FOLDERS = 5, 4, 1
_GROWTH = 1.10
_SLACK = {"files": 1, "objects": 10}
"""An index that happens to be open; a tool tip, and a bar that scrolls."""
_WORDS = ("fridge", "router", "dentist", "orthodontist", "password", "emma", "nothing like it")


@pytest.fixture
def numbered_notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(20):
        (folder / f"note{number}.md").write_text(
            f"# Note {number}\n\nThe router password {number} is on the fridge.\n"
        )
    return folder


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, numbered_notes: Path) -> Iterator[Desktop]:
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(numbered_notes, "My notes")
        qtbot.waitUntil(lambda: "20 notes" in made.window.status_line.sentence)
        yield made


def live_afternoon(qtbot, running: Desktop, notes: Path, number: int) -> None:
    """Searching, saving, opening and closing, adding and forgetting a folder."""
    panel = running.window.search
    for step in range(SEARCHES):
        text = f"{_WORDS[step % len(_WORDS)]} {step % 20} {number}"
        if step % 10 == 9:
            with qtbot.waitSignal(
                panel.search.answered, check_params_cb=lambda answer: not answer.request.is_typing
            ):
                panel.set_text(text)
        else:
            panel.set_text(text)
            QApplication.processEvents()
        if step % SEARCHES_PER_SAVE == 0:
            (notes / f"note{step % 20}.md").write_text(
                f"# Note {step % 20}\n\nRound {number}, step {step}: the dentist moved.\n"
            )
    for _ in range(POPUPS):
        running.late.popup.present()
        qtbot.waitUntil(running.late.popup.isVisible)
        running.late.popup.dismiss()
    for one in range(FOLDERS):
        folder = notes.with_name(f"other{number}-{one}")
        folder.mkdir()
        (folder / "a.md").write_text("# Another\n\nSomething else.\n")
        engine = running.engine
        workspace = engine.add_workspace(folder).result(TIMEOUT)
        engine.refresh(workspace).result(TIMEOUT)
        engine.folders.remove(workspace).result(TIMEOUT)
    settle(qtbot, running)


def settle(qtbot, running: Desktop) -> None:
    """Wait until nothing is computed any more and what was deleted is gone."""
    running.engine.refresh().result(TIMEOUT)
    qtbot.waitUntil(lambda: "up to date" in running.window.status_line.sentence)
    QApplication.processEvents()


def held() -> dict[str, int]:
    """What a leak would make more of."""
    process = psutil.Process()
    return {
        "windows": len(QApplication.topLevelWidgets()),
        "objects": qt_kinds().total(),
        "threads": threading.active_count(),
        "files": process.num_fds() if hasattr(process, "num_fds") else 0,
        "children": len(process.children(recursive=True)),
    }


def grown(before: dict[str, int]) -> dict[str, int]:
    """What there is more of than there was; a leak would be one a round at least."""
    more = {name: count - before[name] for name, count in held().items()}
    return {name: count for name, count in more.items() if count > _SLACK.get(name, 0)}


@pytest.mark.soak
def test_a_long_day_leaves_nothing_behind(qtbot, running: Desktop, numbered_notes: Path) -> None:
    live_afternoon(qtbot, running, numbered_notes, 0)
    before, memory = held(), psutil.Process().memory_info().rss
    for number in range(1, ROUNDS):
        live_afternoon(qtbot, running, numbered_notes, number)
    # Threads and files that are needed for a moment end by themselves.
    with contextlib.suppress(qtbot.TimeoutError):
        qtbot.waitUntil(lambda: grown(before) == {})
    after = psutil.Process().memory_info().rss
    print(f"{ROUNDS} rounds: {before} -> {held()}, {memory >> 20} MB -> {after >> 20} MB")
    assert grown(before) == {}
    assert after < _GROWTH * memory


def test_nothing_wakes_an_app_at_rest(qtbot, qapp: QApplication, running: Desktop) -> None:
    flash_ms = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)  # a cursor blinks as the desktop wants it
    try:
        settle(qtbot, running)
        qtbot.waitUntil(lambda: waking(running) == [])
    finally:
        qapp.setCursorFlashTime(flash_ms)


def waking(running: Desktop) -> list[str]:
    """Timers that would fire within a second, again and again."""
    dispatcher = QAbstractEventDispatcher.instance()
    roots: list[QObject] = [running, QApplication.instance(), *QApplication.topLevelWidgets()]
    things = [one for root in roots for one in (root, *root.findChildren(QObject))]
    timers = [one for one in things if isinstance(one, QTimer)]
    fast = [
        f"{one.parent()}: {one.interval()} ms"
        for one in timers
        if one.isActive() and one.interval() < 1000
    ]
    return fast + [
        f"{one}: {info.interval} ms"
        for one in things
        if not isinstance(one, QTimer)
        for info in dispatcher.registeredTimers(one)
        if info.interval < 1000
    ]
