"""Dialogs about what is read in a folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from scrubjay.records.note_records import NoteCounts, Workspace
from scrubjay_desktop.workspaces.folder_dialogs import ReadNotesDialog
from support.counting import Counted


def test_excluded_folders_are_looked_through_once_and_stay_excluded(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    folders = [f"folder{number:02d}" for number in range(50)]
    excluded = Counted(folders[:40])
    workspace = Workspace("id", "Notes", Path("/notes"), left_out=excluded)
    dialog = ReadNotesDialog(workspace, NoteCounts(50, 0, dict.fromkeys(folders, 1)), parent)
    assert excluded.reads <= 2
    assert dialog.chosen.left_out == tuple(folders[:40])


def test_a_dialog_without_folders_to_choose_is_low(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    workspace = Workspace("id", "Notes", Path("/notes"), layout="agent")
    dialog = ReadNotesDialog(workspace, NoteCounts(57, 2, {"Recipes": 12}), parent)
    dialog.show()
    low = dialog.height()
    dialog.notes.click()
    assert dialog.tree.isVisible()
    assert dialog.height() > 2 * low
    dialog.agent.click()
    assert dialog.height() == low
