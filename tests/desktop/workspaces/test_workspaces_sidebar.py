from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QFileDialog, QListView

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.workspaces.skipped_files import (
    SkippedFileModel,
    SkippedFilesDialog,
    SkippedRow,
    skipped_rows,
)
from scrubjay_desktop.workspaces.workspaces_sidebar import WorkspaceListModel, WorkspacesSidebar
from support.notes import skipped, with_workspace

GONE = Workspace(WorkspaceId("gone"), "Gone", Path("/gone"))


def test_all_notes_come_first(qtmodeltester, engine: Engine) -> None:
    model = WorkspaceListModel()
    model.show(engine.status().workspaces)
    qtmodeltester.check(model)
    assert [model.index(n).data() for n in range(3)] == ["All notes", "Home notes", "Work"]
    home, work = engine.workspaces()
    assert [model.row_number(one) for one in (None, home, work, GONE)] == [0, 1, 2, 0]


def test_a_new_status_does_not_disturb_the_rows(qtbot, engine: Engine) -> None:
    model = WorkspaceListModel()
    model.show(engine.status().workspaces)
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.show(engine.status().workspaces)
    with qtbot.waitSignal(model.modelReset):
        model.show(engine.status().workspaces[:1])


def test_real_problems_come_first(engine: Engine) -> None:
    link = skipped("link", "A link.", is_problem=False)
    unread = skipped("a.md", "It is not text.")
    status = with_workspace(engine.status(), "home", skipped=(link,))
    status = with_workspace(status, "work", skipped=(unread,), error="The disk is full.")
    home, work = engine.workspaces()
    paths = [problem.path for problem in skipped_rows(status.workspaces)]
    assert paths == [str(work.root), "a.md", "link"]
    assert [problem.path for problem in skipped_rows(status.workspaces, home)] == ["link"]


def test_a_folder_that_is_away_is_no_file_that_could_not_be_read(
    qtbot, engine: Engine, paths: Paths
) -> None:
    panel = WorkspacesSidebar(Preferences(paths).stored)
    qtbot.addWidget(panel)
    status = engine.status()
    away = with_workspace(status, "home", skipped=(skipped("", "The folder does not exist."),))
    panel.show_statuses(away.workspaces)
    assert panel.problems.text() == ""
    unread = with_workspace(status, "home", skipped=(skipped("a.md", "It is not text."),))
    panel.show_statuses(unread.workspaces)
    assert panel.problems.text() == "1 file could not be read"


def test_the_problems_are_a_sound_model(qtmodeltester) -> None:
    model = SkippedFileModel([SkippedRow(GONE, "a.md", "It is not text.", is_problem=True)])
    qtmodeltester.check(model)
    nothing = SkippedFileModel()
    qtmodeltester.check(nothing)


def test_of_a_hundred_thousand_problems_only_those_on_screen_are_made(
    qtbot, engine: Engine
) -> None:
    many = tuple(skipped(f"{n}.md", "It is not text.") for n in range(100_000))
    status = with_workspace(engine.status(), "work", skipped=many)
    dialog = SkippedFilesDialog(skipped_rows(status.workspaces))
    qtbot.addWidget(dialog)
    dialog.show()
    view = dialog.findChild(QListView)
    tester = QAbstractItemModelTester(
        dialog.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    before = dialog.model.rowCount()
    view.scrollToBottom()
    qtbot.waitUntil(lambda: dialog.model.rowCount() > before)
    assert dialog.model.rowCount() < 2000
    assert [one.path for one in dialog.model.rows] == [
        f"{n}.md" for n in range(dialog.model.rowCount())
    ]
    assert tester.model() is dialog.model


@pytest.mark.needs("home in the environment")
def test_the_dialog_opens_in_documents_and_then_beside_the_last_folder(
    qtbot, desktop: Desktop, person: Path, notes: Path
) -> None:
    documents = person / "Documents"
    documents.mkdir()
    assert asked_in(desktop) == documents
    desktop.window.findChild(QFileDialog).fileSelected.emit(str(notes / "home"))
    assert asked_in(desktop) == notes
    shutil.rmtree(notes)
    assert asked_in(desktop) == documents
    again = Preferences(desktop.paths)
    assert again.stored.value("places/notes") == str(notes)


def asked_in(desktop: Desktop) -> Path:
    """The place in which the dialog for a folder opens."""
    for former in desktop.window.findChildren(QFileDialog):
        shiboken6.delete(former)
    desktop.window.workspaces.ask_for_folder()
    return Path(desktop.window.findChild(QFileDialog).directory().path())
