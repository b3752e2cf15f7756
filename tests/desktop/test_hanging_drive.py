"""While a drive hangs no window does: what was asked of it is told in a sentence."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from support.app import WORDS_ONLY, running_app
from support.hanging_drive import EVERYTHING, HangingDrive, hanging_drive
from support.vault import TIMEOUT, write_notes

pytestmark = [
    pytest.mark.needs("Linux"),
    pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True),
]

FILES = {"zebra.md": "# Zebra\n\nAll about the zebra.\n", "model.gguf": "GGUF", "a.enex": "<x/>"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "network"
    folder.mkdir()
    return folder


@pytest.fixture
def drive(folder: Path) -> Iterator[HangingDrive]:
    """A window that waits for it waits for so long that the test fails."""
    stack = contextlib.ExitStack()
    try:
        made = stack.enter_context(hanging_drive(folder, FILES))
    except OSError as error:
        pytest.skip(f"no drive can be mounted here: {error}")
    with stack:
        release = threading.Timer(TIMEOUT, made.release)
        release.start()
        stack.callback(release.cancel)
        yield made
        assert release.is_alive(), "somebody waited for the drive"


def drop(window, file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    keys, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))


@pytest.mark.parametrize("way", ["open", "open_at_line", "reveal", "open_attachment"])
def test_a_file_is_not_opened(qtbot, drive: HangingDrive, folder: Path, way: str) -> None:
    drive.hanging = {EVERYTHING}
    opener = Opener()
    arguments = (folder / "zebra.md", 1) if way.startswith("open") else (folder / "zebra.md",)
    with qtbot.waitSignal(opener.failed) as told:
        getattr(opener, way)(*arguments[: 1 if way == "open_attachment" else 2])
    assert "is not responding" in told.args[0]


def test_its_notes_are_in_no_vault(drive: HangingDrive, folder: Path) -> None:
    drive.hanging = {EVERYTHING}
    opener = Opener()
    opener.folders = [folder]
    files = [folder / str(number) / "zebra.md" for number in range(100)]
    assert set(map(opener.find_vault, files)) == {None}


def test_a_file_dialog_opens_elsewhere(
    qtbot, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    places = QSettings(str(tmp_path / "places.ini"), QSettings.Format.IniFormat)
    places.setValue("places/notes", str(folder))
    drive.hanging = {EVERYTHING}
    dialog = QFileDialog()
    qtbot.addWidget(dialog)
    open_where_it_was(dialog, places, "notes")
    assert dialog.directory().path() != str(folder)


def test_diagnostics_are_not_saved(
    qtbot, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    places = QSettings(str(tmp_path / "places.ini"), QSettings.Format.IniFormat)
    dialog = DiagnosticsDialog("All is well.", places)
    qtbot.addWidget(dialog)
    drive.hanging = {EVERYTHING}
    with qtbot.waitSignal(dialog.announced) as told:
        dialog.save(folder / "report.txt")
    assert "is not responding" in told.args[0]


def test_jobs_that_hang_keep_no_other_job_waiting(qtbot, drive: HangingDrive, folder: Path) -> None:
    drive.hanging = {EVERYTHING}
    tasks = Tasks(read_seconds=0.5)
    silent: list[ScrubjayError] = []
    done: list[str] = []
    for _ in range(20):
        tasks.run(
            (folder / "zebra.md").read_bytes,
            CancelToken(),
            done=lambda _: None,
            failed=silent.append,
            folder=folder,
        )
    tasks.run(lambda: "here", CancelToken(), done=done.append)
    qtbot.waitUntil(lambda: done == ["here"] and len(silent) == 20, timeout=TIMEOUT * 1000)


def test_dropped_files_are_told(
    qtbot, qapp: QApplication, paths: Paths, drive: HangingDrive, folder: Path
) -> None:
    drive.hanging = {EVERYTHING}
    with running_app(qapp, paths, settings=WORDS_ONLY) as app:
        for name in ("model.gguf", "a.enex", "folder"):
            file = folder / name
            drop(app.window, file)
            qtbot.waitUntil(
                lambda file=file: f"{file.parent} is not responding" in app.window.banner.words
            )
            app.window.banner.tell("")


@pytest.mark.parametrize("request_", [StartRequest.WINDOW, StartRequest.QUICK_SEARCH])
def test_the_app_starts_and_answers_and_ends(
    qtbot,
    qapp: QApplication,
    paths: Paths,
    drive: HangingDrive,
    folder: Path,
    tmp_path: Path,
    request_: StartRequest,
) -> None:
    here = write_notes(tmp_path / "here", {"router.md": "The password is on the fridge.\n"})
    paths.config.mkdir(parents=True)
    roots = ", ".join(f"{{ path: '{each}' }}" for each in (folder, here))
    paths.config_file.write_text(f"{{ workspaces: [{roots}], {WORDS_ONLY} }}")
    with contextlib.closing(Engine(paths)) as engine:
        engine.refresh().result(TIMEOUT)
    drive.hanging = {EVERYTHING}
    engine = Engine(paths)
    app = Desktop(qapp, engine, paths, Start(theme="light"))
    app.begin(request_)
    try:
        assert found(qtbot, app, "fridge password") == ["router.md"]
        assert found(qtbot, app, "zebra") == ["zebra.md"]
        with qtbot.waitSignal(app.engine_closed, timeout=TIMEOUT * 1000):
            app.quit()
    finally:
        app.dispose()


def found(qtbot, app: Desktop, text: str) -> list[str]:
    panel = app.window.search
    with qtbot.waitSignal(
        panel.search.answered,
        check_params_cb=lambda answer: not answer.request.is_typing,
        timeout=TIMEOUT * 1000,
    ):
        panel.set_text(text)
    return [row.path for row in panel.search.model.rows]
