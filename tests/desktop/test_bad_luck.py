"""What goes wrong around the app is a sentence in the window; the search goes on."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.errors import ProviderUnavailable
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.vectors import Vector
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.workspaces.skipped_files import skipped_rows
from support.app import QUICK, running_app
from support.hanging_drive import hanging_drive
from support.providers import WordProvider
from support.small_disk import small_disk

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

T = TypeVar("T")

_MANY = 50_000 if os.environ.get("SCRUBJAY_SOAK") else 3_000


class MortalProvider(WordProvider):
    """A model whose process ends now and then."""

    is_dead = False

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        if self.is_dead:
            raise ProviderUnavailable(
                "The language helper stopped unexpectedly",
                "It ended three times; search by words goes on.",
            )
        return super().embed_queries(texts)


@pytest.fixture
def router_note(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "router.md").write_text("# Router\n\nThe password is on the fridge.\n")
    return folder


@pytest.fixture
def provider() -> MortalProvider:
    return MortalProvider()


@pytest.fixture
def running(
    qtbot, qapp: QApplication, paths: Paths, router_note: Path, provider: WordProvider
) -> Iterator[Desktop]:
    with running_app(qapp, paths, provider, QUICK) as made:
        made.late.actions.add_folder(router_note, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "1 note is up to date")
        yield made


def found(qtbot, running: Desktop, text: str) -> list[str]:
    panel = running.window.search
    with qtbot.waitSignal(
        panel.search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        panel.set_text(text)
    return [row.path for row in panel.search.model.rows]


def test_a_bug_in_the_index_thread_is_said_and_the_next_pass_runs(
    qtbot, running: Desktop, router_note: Path, provider: WordProvider
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("oops")

    provider.before_batch = broken
    (router_note / "boiler.md").write_text("# Boiler\n\nThe boiler is serviced in May.\n")
    line = running.window.status_line
    qtbot.waitUntil(lambda: "unexpectedly stopped reading your notes (oops)" in line.sentence)
    assert found(qtbot, running, "fridge") == ["router.md"]
    provider.before_batch = lambda: None
    [workspace] = running.engine.workspaces()
    running.window.requests.refresh.emit(workspace)
    qtbot.waitUntil(lambda: line.sentence == "2 notes are up to date")
    assert found(qtbot, running, "boiler")[0] == "boiler.md"


def test_a_model_that_ends_is_said_and_words_answer_until_it_is_back(
    qtbot, running: Desktop, provider: MortalProvider
) -> None:
    panel = running.window.search
    provider.is_dead = True
    assert found(qtbot, running, "fridge") == ["router.md"]
    assert "by words only" in panel.line.text()
    assert "The language helper stopped unexpectedly" in panel.line.text()
    provider.is_dead = False
    assert found(qtbot, running, "fridge password") == ["router.md"]
    assert "by words and by meaning" in panel.line.text()


def test_a_folder_that_goes_away_is_said_and_searched_until_it_is_back(
    qtbot, running: Desktop, router_note: Path
) -> None:
    line = running.window.status_line
    away = router_note.rename(router_note.with_name("away"))
    qtbot.waitUntil(lambda: f"{router_note} does not exist" in line.sentence)
    assert found(qtbot, running, "fridge") == ["router.md"]
    assert f"The folder {router_note} does not exist." in running.window.search.line.text()
    away.rename(router_note)
    qtbot.waitUntil(lambda: line.sentence == "1 note is up to date")


def test_a_file_on_a_drive_that_hangs_is_said_and_the_rest_is_found(
    qtbot, qapp: QApplication, paths: Paths, tmp_path: Path
) -> None:
    brief = EngineLimits(index_io_seconds=1.0)
    folder = tmp_path / "network"
    folder.mkdir()
    texts = {"router.md": "The password is on the fridge.\n", "garden.md": "Tomatoes.\n"}
    with (
        mounted(hanging_drive(folder, texts)) as drive,
        running_app(qapp, paths, WordProvider(), limits=brief) as app,
    ):
        drive.hanging = {"garden.md"}
        app.late.actions.add_folder(folder, "Network")
        panel = app.window.workspaces
        qtbot.waitUntil(lambda: panel.problems.text() == "1 file could not be read")
        [problem] = skipped_rows(app.feed.status.workspaces)
        assert problem.path == "garden.md"
        assert "did not respond" in problem.reason
        assert found(qtbot, app, "fridge") == ["router.md"]
        with qtbot.waitSignal(app.engine_closed):
            app.quit()


def test_a_full_disk_is_said_and_words_still_answer(
    qtbot, qapp: QApplication, tmp_path: Path, router_note: Path
) -> None:
    with (
        mounted(small_disk(tmp_path / "disk", 3)) as disk,
        running_app(qapp, Paths.under(disk / "home"), WordProvider()) as app,
    ):
        line = app.window.status_line
        app.late.actions.add_folder(router_note, "My notes")
        qtbot.waitUntil(lambda: line.sentence == "1 note is up to date")
        for number in range(300):
            (router_note / f"{number}.md").write_text(f"Note {number} on acorns.\n" * 200)
        qtbot.waitUntil(lambda: "disk is full" in line.sentence)
        assert found(qtbot, app, "fridge")[0] == "router.md"


def test_what_is_said_of_a_full_disk_goes_with_it(
    qtbot, qapp: QApplication, tmp_path: Path, router_note: Path
) -> None:
    limits = EngineLimits(again_seconds=0.2, again_most_seconds=0.2)
    with (
        mounted(small_disk(tmp_path / "disk", 3)) as disk,
        running_app(qapp, Paths.under(disk / "home"), WordProvider(), limits=limits) as app,
    ):
        window = app.window
        for number in range(300):
            (router_note / f"{number}.md").write_text(f"Note {number} on acorns.\n" * 200)
        app.late.actions.add_folder(router_note, "My notes")
        qtbot.waitUntil(lambda: "disk is full" in window.banner.words)
        # It is tried again and again, and said once.
        with qtbot.waitSignals([app.feed.announced] * 2):
            pass
        assert not window.banner.isHidden()
        resize = ["mount", "-o", "remount,size=64m", str(disk)]
        subprocess.run(resize, check=True)
        qtbot.waitUntil(lambda: window.banner.words == "Scrubjay can read My notes again.")
        qtbot.waitUntil(lambda: window.status_line.sentence == "301 notes are up to date")


@contextlib.contextmanager
def mounted(drive: contextlib.AbstractContextManager[T]) -> Iterator[T]:
    """Inside, the drive is there; skips where nobody may mount one."""
    with contextlib.ExitStack() as stack:
        try:
            made = stack.enter_context(drive)
        except OSError as error:
            pytest.skip(f"no drive can be mounted here: {error}")
        yield made


def test_settings_edited_into_nonsense_are_said_and_change_nothing(
    qtbot, running: Desktop, paths: Paths
) -> None:
    with qtbot.waitSignal(
        running.feed.announced, check_params_cb=lambda text, _: "settings file" in text
    ) as told:
        paths.config_file.write_text("{ memorySearch: { query: [[[")
    assert "line 1" in told.args[0]
    assert found(qtbot, running, "fridge") == ["router.md"]


def test_while_a_huge_folder_is_read_the_search_answers_and_the_app_quits(
    qtbot, running: Desktop, provider: MortalProvider, tmp_path: Path
) -> None:
    provider.before_batch = lambda: time.sleep(0.1)  # slower than the windows of a busy computer
    huge = tmp_path / "huge"
    for number in range(_MANY):
        folder = huge / str(number // 500)
        if number % 500 == 0:
            folder.mkdir(parents=True)
        (folder / f"{number}.md").write_text(f"# Entry {number}\n\nNothing special.\n")
    running.late.actions.add_folder(huge, "Huge")
    line = running.window.status_line
    qtbot.waitUntil(lambda: "Huge" in line.sentence or "of" in line.sentence)
    assert "router.md" in found(qtbot, running, "fridge password")
    with qtbot.waitSignal(running.engine_closed):
        running.quit()
    fresh = running.engine.status().workspaces[1].freshness
    assert fresh.documents < _MANY or fresh.embedded < 1
