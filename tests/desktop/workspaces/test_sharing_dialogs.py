"""What is asked about a shared memory, and what is said before anything is shared."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QFileDialog, QWidget

from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import PublishState
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.text.formatting import abbreviate_home
from scrubjay_desktop.workspaces.sharing_dialogs import ChosenPlace, PlaceDialog, drop_question

pytestmark = pytest.mark.needs("shared memories")

HANDBOOK = Workspace("handbook", "Handbook", Path("/handbook"))


@pytest.fixture
def made(qtbot, desktop: Desktop):
    """Makes a dialog that is shown."""

    def make(folder: Workspace | None = HANDBOOK) -> PlaceDialog:
        dialog = PlaceDialog(desktop.preferences.stored, desktop.window, folder)
        dialog.show()
        return dialog

    return make


@pytest.fixture
def dialog(made) -> PlaceDialog:
    return made()


def shown(*widgets: QWidget) -> list[bool]:
    return [widget.isVisible() for widget in widgets]


@pytest.mark.parametrize(
    ("place", "is_address", "example", "key"),
    [
        ("/team/memory", False, "", ""),
        ("file:///team/memory", False, "", ""),
        ("s3://team-notes/memory", True, "For example: aws_region=eu-central-1", "Key ID, a colon"),
        ("gs://team-notes/memory", True, "", ""),
        ("db://team", True, "For example: region=us-east-1", ""),
    ],
)
def test_only_an_address_has_options_and_a_key(
    dialog: PlaceDialog, place: str, is_address: bool, example: str, key: str
) -> None:
    dialog.place.setText(place)
    assert shown(dialog.options, dialog.key, dialog.key_line) == [is_address] * 3
    assert dialog.options.placeholderText() == example
    assert dialog.key.placeholderText().startswith(key)
    assert bool(dialog.key.placeholderText()) is bool(key)
    assert dialog.warning.text() == f"Anyone with access to {place} can read these notes."


def test_the_dialog_is_no_higher_than_what_it_asks(dialog: PlaceDialog) -> None:
    low = dialog.height()
    dialog.place.setText("s3://team-notes/memory")
    assert dialog.height() > low
    dialog.place.setText("/team")
    assert dialog.height() == low


def test_it_is_said_under_which_name_the_key_is_kept(dialog: PlaceDialog) -> None:
    dialog.place.setText("s3://Team-Notes/memory")
    assert "as s3://team-notes. You can find the key in the settings" in dialog.key_line.text()


def test_nothing_begins_before_place_and_name_are_there(dialog: PlaceDialog) -> None:
    assert dialog.name.text() == "Handbook"
    assert not dialog.go.isEnabled()
    dialog.place.setText("/team")
    assert dialog.go.isEnabled()
    dialog.name.setText(" ")
    assert not dialog.go.isEnabled()


def test_who_adds_a_memory_is_neither_asked_for_a_name_nor_warned(made) -> None:
    dialog = made(None)
    dialog.place.setText("/team")
    assert dialog.go.isEnabled()
    assert shown(dialog.name, dialog.warning) == [False, False]


def test_what_was_entered_is_handed_over(dialog: PlaceDialog) -> None:
    chosen = QSignalSpy(dialog.confirmed)
    dialog.place.setText(" s3://team-notes/memory ")
    dialog.options.setText("aws_region=eu-central-1, allow_http=true")
    dialog.key.setText("id:secret")
    dialog.go.click()
    options = {"aws_region": "eu-central-1", "allow_http": "true"}
    [[place]] = [chosen.at(number) for number in range(chosen.count())]
    assert place == ChosenPlace("s3://team-notes/memory", options, "Handbook", "id:secret")
    dialog.place.setText("/team")
    dialog.go.click()
    assert chosen.at(1) == [ChosenPlace("/team", {}, "Handbook", "")]


def test_options_that_are_not_understood_are_told_until_they_are_changed(
    dialog: PlaceDialog,
) -> None:
    chosen = QSignalSpy(dialog.confirmed)
    dialog.place.setText("s3://team-notes")
    dialog.options.setText("eu-central-1")
    dialog.go.click()
    assert (
        dialog.message.text()
        == "The storage options cannot be read. Write the options as NAME=VALUE,NAME=VALUE."
    )
    assert dialog.message.isVisible()
    assert chosen.count() == 0
    dialog.options.setText("aws_region=eu-central-1")
    assert not dialog.message.isVisible()


def test_a_folder_is_chosen_by_browsing(dialog: PlaceDialog, tmp_path: Path) -> None:
    dialog.browse.click()
    files = dialog.findChild(QFileDialog)
    files.fileSelected.emit(str(tmp_path))
    files.reject()
    assert dialog.place.text() == str(tmp_path)


def test_progress_counts_the_notes_that_are_left(dialog: PlaceDialog) -> None:
    dialog.place.setText("/team")
    dialog.start()
    assert dialog.message.text() == "Publishing… Publishing continues after you close this window."
    assert not dialog.place.isEnabled()
    assert not dialog.go.isEnabled()
    for pending, done in ((40, 0), (10, 30)):
        left = PublishState("handbook", "/team", "handbook", pending=pending)
        dialog.show_progress(left)
        said = (
            f"Publishing, {pending} notes left. Publishing continues after you close this window."
        )
        assert dialog.message.text() == said
        assert (dialog.progress.value(), dialog.progress.maximum()) == (done, 40)


def test_after_a_failure_enter_tries_again(dialog: PlaceDialog) -> None:
    dialog.place.setText("/team")
    dialog.start()
    dialog.show_failure("The folder does not exist.")
    assert dialog.message.text() == "The folder does not exist."
    assert dialog.place.hasFocus()
    assert dialog.go.isDefault()
    assert shown(dialog.message, dialog.progress) == [True, False]


@pytest.mark.parametrize("library", ["lancedb", "pyarrow"])
def test_where_the_extra_is_missing_one_sentence_says_how_to_get_it(
    made, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    dialog = made()
    assert dialog.message.text() == (
        "Shared memories need a part of Scrubjay that is not installed. Ask the person who "
        "installed Scrubjay to add it (350 MB), or run `pip install 'scrubjay[team]'`."
    )
    assert not dialog.place.isEnabled()
    assert not dialog.go.isEnabled()


@pytest.mark.parametrize(
    ("names", "details"),
    [
        (
            [],
            "The shared notes will not be deleted, and you can add the shared memory again later.",
        ),
        (["Handbook", "Plans"], "You will no longer find notes from Handbook and Plans. "),
    ],
)
def test_before_a_memory_is_left_its_folders_are_named(
    qtbot, desktop: Desktop, names: list[str], details: str
) -> None:
    place = Path.home() / "team"
    box = drop_question(str(place), names, desktop.window)
    assert box.text() == f"Stop searching {abbreviate_home(place)}?"
    assert box.informativeText().startswith(details)
    box.reject()
