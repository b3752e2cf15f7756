"""A file that cannot be read is skipped until it changes, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QApplication, QLabel

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.workspaces.skipped_files import SkippedFilesDialog, SkippedRow
from support.app import running_app
from support.platforms import make_link
from support.providers import WordProvider
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def skipped_notes(tmp_path: Path) -> Path:
    folder = write_notes(tmp_path / "notes", {"router.md": "# Router\n"})
    (folder / "broken.md").write_bytes(b"\0")
    make_link(folder / "link.md", folder / "router.md")
    return folder


NOTES = Workspace(WorkspaceId("notes"), "Notes", Path("/notes"))


@pytest.fixture
def app(qtbot, qapp: QApplication, paths: Paths, skipped_notes: Path) -> Iterator[Desktop]:
    with running_app(qapp, paths, WordProvider()) as made:
        made.late.actions.add_folder(skipped_notes, "Notes")
        qtbot.waitUntil(lambda: made.window.workspaces.problems.text() != "")
        yield made


def shown(dialog: SkippedFilesDialog) -> SkippedRow:
    """The row that is chosen."""
    problem: SkippedRow = dialog.rows.currentIndex().data(Qt.ItemDataRole.UserRole)
    return problem


def test_a_file_is_skipped_and_taken_back_by_key(qtbot, app: Desktop) -> None:
    dialog = app.window.show_problems()
    assert (shown(dialog).path, dialog.skip.text()) == ("broken.md", "&Skip until changed")
    dialog.skip.click()
    qtbot.waitUntil(lambda: dialog.skip.text() == "Stop &skipping")
    assert shown(dialog).reason.startswith(
        "You chose to skip this file until it changes. The file does not look like text"
    )
    qtbot.waitUntil(lambda: app.window.workspaces.problems.text() == "")
    dialog.skip.click()
    qtbot.waitUntil(lambda: dialog.skip.text() == "&Skip until changed")
    qtbot.waitUntil(lambda: app.window.workspaces.problems.text() == "1 file could not be read")
    dialog.reject()


def test_the_line_below_the_folders_lists_what_is_not_searched_in_all_of_them(app: Desktop) -> None:
    app.window.workspaces.problems.click()
    dialog = app.window.findChild(SkippedFilesDialog)
    assert shown(dialog).path == "broken.md"
    dialog.reject()


def test_what_is_skipped_is_listed_so_after_a_restart(
    qtbot, app: Desktop, paths: Paths, skipped_notes: Path
) -> None:
    dialog = app.window.show_problems()
    dialog.skip.click()
    qtbot.waitUntil(lambda: app.window.workspaces.problems.text() == "")
    dialog.reject()
    with qtbot.waitSignal(app.engine_closed):
        app.quit()
    again = Engine(paths, provider=WordProvider())
    try:
        [status] = again.current_status().result(TIMEOUT).workspaces
        assert [one.path for one in status.skipped if one.is_chosen] == ["broken.md"]
        (skipped_notes / "broken.md").write_bytes(b"\0\0")
        again.refresh(words_only=True).result(TIMEOUT)
        [status] = again.status().workspaces
        assert [one.path for one in status.skipped if one.is_problem] == ["broken.md"]
    finally:
        again.close()


@pytest.mark.needs("links")
def test_what_nobody_expects_to_be_searched_need_not_be_skipped(app: Desktop) -> None:
    dialog = app.window.show_problems()
    dialog.rows.selectionModel().setCurrentIndex(
        dialog.model.index(1), QItemSelectionModel.SelectionFlag.SelectCurrent
    )
    assert shown(dialog).path == "link.md"
    assert not dialog.skip.isEnabled()
    dialog.reject()


def test_a_folder_that_is_away_cannot_be_skipped(qtbot) -> None:
    dialog = SkippedFilesDialog([SkippedRow(NOTES, "/gone", "It is not there.", is_problem=True)])
    qtbot.addWidget(dialog)
    assert not dialog.skip.isEnabled()


def test_files_that_are_no_notes_are_not_called_left_out_on_purpose(qtbot) -> None:
    reason = "2 .txt files are not searched."
    dialog = SkippedFilesDialog([SkippedRow(NOTES, "*.txt", reason, is_problem=False)])
    qtbot.addWidget(dialog)
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Scrubjay does not search these files:" in labels


def test_a_list_without_problems_offers_nothing(qtbot) -> None:
    dialog = SkippedFilesDialog([])
    qtbot.addWidget(dialog)
    assert not dialog.skip.isEnabled()


def test_a_list_opened_before_the_problems_are_known_fills_itself(qtbot, app: Desktop) -> None:
    dialog = SkippedFilesDialog([], app.window)
    app.window.statuses_shown.connect(dialog.show_statuses)
    dialog.show()
    assert not dialog.rows.isVisible()
    assert dialog.height() < 200
    app.window.show_status(app.feed.status)
    assert dialog.rows.isVisible()
    assert shown(dialog).path == "broken.md"
    assert dialog.skip.isEnabled()
    dialog.reject()


def test_a_long_reason_is_shown_whole(qtbot) -> None:
    reasons = ("Short.", "It is no text, or an old program wrote it. " * 4)
    problems = [SkippedRow(NOTES, "a.md", reason, is_problem=True) for reason in reasons]
    dialog = SkippedFilesDialog(problems)
    qtbot.addWidget(dialog)
    dialog.show()
    short, long = (dialog.rows.visualRect(dialog.model.index(row)) for row in (0, 1))
    assert long.height() > short.height()
    assert long.width() <= dialog.rows.viewport().width()
