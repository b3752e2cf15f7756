"""What goes wrong around the app is a sentence in the window; the search goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay import Engine, Paths
from scrubjay_desktop.application import QUIT_MS, Desktop, Start
from scrubjay_desktop.handover import Wish
from support.providers import WordProvider

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

_MANY = 50_000 if os.environ.get("SCRUBJAY_SOAK") else 3_000


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "router.md").write_text("# Router\n\nThe password is on the fridge.\n")
    return folder


@pytest.fixture
def provider() -> WordProvider:
    return WordProvider()


@pytest.fixture
def running(
    qtbot, qapp: QApplication, paths: Paths, notes: Path, provider: WordProvider
) -> Iterator[Desktop]:
    engine = Engine(paths, provider=provider)
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.begin(Wish.WINDOW)
    made.errands.add_folder(notes, "My notes")
    qtbot.waitUntil(lambda: made.window.status_line.sentence == "1 note is up to date")
    yield made
    made.dispose()
    engine.close()


def found(qtbot, running: Desktop, text: str) -> list[str]:
    panel = running.window.search
    with qtbot.waitSignal(
        panel.search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        panel.set_text(text)
    return [row.path for row in panel.search.model.rows]


def test_a_bug_in_the_index_thread_is_said_and_the_next_pass_runs(
    qtbot, running: Desktop, notes: Path, provider: WordProvider
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("oops")

    provider.before_batch = broken
    (notes / "boiler.md").write_text("# Boiler\n\nThe boiler is serviced in May.\n")
    line = running.window.status_line
    qtbot.waitUntil(lambda: "Indexing stopped unexpectedly (oops)" in line.sentence)
    assert found(qtbot, running, "fridge") == ["router.md"]
    provider.before_batch = lambda: None
    [workspace] = running._engine.workspaces()
    running.window.refreshed.emit(workspace.id)
    qtbot.waitUntil(lambda: line.sentence == "2 notes are up to date")
    assert found(qtbot, running, "boiler")[0] == "boiler.md"


def test_settings_edited_into_nonsense_are_said_and_change_nothing(
    qtbot, running: Desktop, paths: Paths
) -> None:
    with qtbot.waitSignal(
        running.feed.told, check_params_cb=lambda text: "settings file" in text, timeout=10_000
    ) as told:
        paths.config_file.write_text("{ memorySearch: { query: [[[")
    assert "line 1" in told.args[0]
    assert found(qtbot, running, "fridge") == ["router.md"]


def test_while_a_huge_folder_is_read_the_search_answers_and_the_app_quits(
    qtbot, running: Desktop, tmp_path: Path
) -> None:
    huge = tmp_path / "huge"
    for number in range(_MANY):
        folder = huge / str(number // 500)
        if number % 500 == 0:
            folder.mkdir(parents=True)
        (folder / f"{number}.md").write_text(f"# Entry {number}\n\nNothing special.\n")
    running.errands.add_folder(huge, "Huge")
    line = running.window.status_line
    qtbot.waitUntil(lambda: "Huge" in line.sentence or "of" in line.sentence, timeout=60_000)
    assert "router.md" in found(qtbot, running, "fridge password")
    began = time.monotonic()
    with qtbot.waitSignal(running._engine_closed, timeout=10_000):
        running.quit()
    assert time.monotonic() - began < 3 * QUIT_MS / 1000
