"""Dialogs about what is read in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from scrubjay.config.ignore_patterns import excluded_entries
from scrubjay.errors import ScrubjayError
from scrubjay.records.note_records import NoteCounts, Workspace
from scrubjay.records.status_records import PictureCount
from scrubjay_desktop.workspaces.folder_dialogs import ReadNotesDialog
from scrubjay_desktop.workspaces.pictures_tick import pictures_label
from support.counting import Counted


@pytest.fixture
def parent(qtbot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_excluded_folders_are_looked_through_once_and_stay_excluded(parent: QWidget) -> None:
    folders = [f"folder{number:02d}" for number in range(50)]
    excluded = Counted(folders[:40])
    workspace = Workspace("id", "Notes", Path("/notes"), left_out=excluded)
    dialog = ReadNotesDialog(workspace, NoteCounts(50, 0, dict.fromkeys(folders, 1)), parent)
    assert excluded.reads <= 2
    assert dialog.chosen.left_out == tuple(folders[:40])


def read_notes_dialog(parent: QWidget, patterns: list[str], folders: list[str]) -> ReadNotesDialog:
    left_out = excluded_entries(patterns)
    workspace = Workspace("id", "Notes", Path("/notes"), left_out=left_out)
    return ReadNotesDialog(workspace, NoteCounts(50, 0, dict.fromkeys(folders, 1)), parent)


def folder_states(dialog: ReadNotesDialog) -> str:
    """The folders as the tree shows them: a plus for a tick, brackets for one that is gray."""
    states: list[str] = []
    for item in dialog.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive):
        sign = "+" if item.checkState(0) is Qt.CheckState.Checked else "-"
        state = f"{sign}{item.text(0)}"
        states.append(f"({state})" if item.isDisabled() else state)
    return " ".join(states)


@pytest.mark.parametrize(
    ("patterns", "states"),
    [
        (["/School/", "!/School/"], "+School +Old +Templates"),
        (["/Templates/", "!*"], "+School +Old +Templates"),
        (["/*", "!/School/"], "+School +Old (-Templates)"),
        (["School*", "/Templates/"], "(-School) (+Old) -Templates"),
        (["/School/", "Old/"], "-School (+Old) +Templates"),
        (["/School/Old/", "/School/"], "-School (-Old) +Templates"),
        (["/School/Old/", "!/School/Old/", "/*"], "(-School) (-Old) (-Templates)"),
        (["/School/", "!/School/", "/School/"], "-School (+Old) +Templates"),
    ],
)
def test_the_ticks_say_what_is_read_and_ok_changes_nothing(
    parent: QWidget, patterns: list[str], states: str
) -> None:
    folders = ["School", "School/Old", "Templates"]
    dialog = read_notes_dialog(parent, patterns, folders)
    assert folder_states(dialog) == states
    assert dialog.chosen.left_out == excluded_entries(patterns)


def test_a_folder_below_an_excluded_one_is_gray_without_the_folder_between(parent: QWidget) -> None:
    dialog = read_notes_dialog(parent, ["/School/", "/School/2024/Old/"], ["School", "Templates"])
    assert folder_states(dialog) == "-School (+2024) (-Old) +Templates"
    school = dialog.tree.topLevelItem(0)
    school.setCheckState(0, Qt.CheckState.Checked)
    assert folder_states(dialog) == "+School +2024 -Old +Templates"
    assert dialog.chosen.left_out == ("School/2024/Old",)
    school.setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.chosen.left_out == ("School", "School/2024/Old")


def test_a_folder_that_a_pattern_excludes_says_so(parent: QWidget) -> None:
    dialog = read_notes_dialog(parent, ["/*", "!/School/"], ["School", "Templates"])
    tips = [dialog.tree.topLevelItem(row).toolTip(0) for row in range(2)]
    assert tips == ["", "A pattern excludes this folder."]


def test_a_dialog_without_folders_to_choose_is_low(parent: QWidget) -> None:
    workspace = Workspace("id", "Notes", Path("/notes"), layout="agent")
    dialog = ReadNotesDialog(workspace, NoteCounts(57, 2, {"Recipes": 12}), parent)
    dialog.show()
    low = dialog.height()
    dialog.notes.click()
    assert dialog.tree.isVisible()
    assert dialog.height() > 2 * low
    dialog.agent.click()
    assert dialog.height() == low


@pytest.mark.parametrize(
    ("count", "label"),
    [
        (None, "Also read text in &pictures (counting…)"),
        (PictureCount(0, 0, 0), "Also read text in &pictures (0 in this folder)"),
        (PictureCount(0, 0, 0, kept=3), "Also read text in &pictures (already read)"),
        (PictureCount(1, 0, 2), "Also read 1 picture in the background (less than a minute)"),
        (
            PictureCount(1_214, 12, 540),
            "Also read 1,214 pictures and 12 scanned PDFs in the background (about 9 min)",
        ),
        (PictureCount(0, 1, 90_000), "Also read 1 scanned PDF in the background (about 25 hours)"),
    ],
)
def test_the_tick_for_pictures_says_how_many_and_how_long(
    qapp, count: PictureCount | None, label: str
) -> None:
    assert pictures_label(count) == label


def test_scans_are_read_as_documents(parent: QWidget) -> None:
    workspace = Workspace("id", "Notes", Path("/notes"), documents=True, pictures=True)
    dialog = ReadNotesDialog(workspace, NoteCounts(50, 0, {}), parent)
    dialog.pictures.show_count(PictureCount(2, 3, 60))
    assert "3 scanned PDFs" in dialog.pictures.box.text()
    dialog.documents.setChecked(False)
    assert dialog.pictures.box.text() == "Also read 2 pictures in the background"
    assert dialog.chosen.pictures
    dialog.agent.setChecked(True)
    assert not dialog.chosen.pictures


def test_where_pictures_cannot_be_read_the_dialog_says_why(parent: QWidget) -> None:
    dialog = ReadNotesDialog(
        Workspace("id", "Notes", Path("/notes")), NoteCounts(50, 0, {}), parent
    )
    dialog.show()
    dialog.pictures.show_count(PictureCount(2, 0, 60, obstacle="The reader is missing."))
    assert not dialog.pictures.box.isEnabled()
    assert dialog.pictures.obstacle.isVisible()
    assert dialog.pictures.obstacle.text() == "The reader is missing."
    assert dialog.pictures.box.accessibleDescription() == "The reader is missing."


def test_pictures_that_cannot_be_counted_can_be_read(parent: QWidget) -> None:
    dialog = ReadNotesDialog(
        Workspace("id", "Notes", Path("/notes")), NoteCounts(50, 0, {}), parent
    )
    dialog.show()
    # A mistake that nobody expected is shown by a dialog of its own.
    dialog.pictures.end_count()
    assert dialog.pictures.box.text() == "Also read text in &pictures"
    dialog.pictures.show_mistake(ScrubjayError("The drive does not respond."))
    dialog.documents.setChecked(True)
    assert dialog.pictures.box.text() == "Also read text in &pictures"
    assert dialog.pictures.obstacle.text() == "The drive does not respond."
    assert dialog.pictures.obstacle.isVisible()
    assert dialog.pictures.box.isEnabled()


def test_closing_the_dialog_ends_the_count(parent: QWidget) -> None:
    workspace = Workspace("id", "Notes", Path("/notes"))
    dialog = ReadNotesDialog(workspace, NoteCounts(50, 0, {}), parent)
    dialog.reject()
    assert dialog.pictures.counting.cancelled
