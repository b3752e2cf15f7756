"""Choosing the program of a kind of file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.preview.open_external import EDITOR_VARIABLE
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.windows.program_dialog import ProgramDialog

pytestmark = [
    pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has programs"),
]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where programs write down what they were asked to open."""
    (tmp_path / "applications").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.delenv(EDITOR_VARIABLE, raising=False)
    for name, mime in (("Viewer", "image/png"), ("Writer", "text/markdown"), ("Another", "")):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "{name} $@" > {tmp_path}/written\n')
        program.chmod(0o755)
        if mime:
            text = f"[Desktop Entry]\nName={name}\nExec={program} %f\nMimeType={mime};\n"
            (tmp_path / "applications" / f"{name}.desktop").write_text(text)
    return tmp_path / "written"


@pytest.fixture
def preview_window(qtbot, desktop: Desktop) -> MainWindow:
    with qtbot.waitSignal(desktop.started):
        desktop.begin(StartRequest.WINDOW)
    qtbot.waitUntil(lambda: desktop.window.preview.row is not None)
    return desktop.window


def asked(qtbot, window: MainWindow) -> ProgramDialog:
    window.row_actions.choose_program()
    qtbot.waitUntil(lambda: bool(window.findChildren(ProgramDialog)))
    [dialog] = window.findChildren(ProgramDialog)
    return dialog


def test_a_program_opens_notes_of_a_kind_until_another_is_chosen(
    qtbot, preview_window: MainWindow, desktop: Desktop, written: Path
) -> None:
    dialog = asked(qtbot, preview_window)
    names = [dialog.list.item(place).text() for place in range(dialog.list.count())]
    assert names == ["Default program", "Writer", "Viewer"]
    assert dialog.command == ""
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    file = preview_window.preview.row.file
    qtbot.waitUntil(lambda: written.exists() and written.read_text() == f"Writer {file}\n")
    assert desktop.preferences.programs == desktop.opener.programs
    assert [*desktop.opener.programs] == [".md"]
    qtbot.waitUntil(lambda: not preview_window.findChildren(ProgramDialog))
    written.unlink()
    preview_window.row_actions.open()
    qtbot.waitUntil(written.exists)
    dialog = asked(qtbot, preview_window)
    assert dialog.list.currentItem().text() == "Writer"
    dialog.list.setCurrentRow(0)
    dialog.reject()
    assert [*desktop.opener.programs] == [".md"]


def test_any_file_can_be_the_program(qtbot, preview_window: MainWindow, written: Path) -> None:
    dialog = asked(qtbot, preview_window)
    dialog.choose_file(written.with_name("Another"))
    assert dialog.list.currentItem().text() == "Another"
    dialog.accept()
    file = preview_window.preview.row.file
    qtbot.waitUntil(lambda: written.exists() and written.read_text() == f"Another {file}\n")


def test_the_usual_program_is_chosen_again(
    qtbot,
    preview_window: MainWindow,
    desktop: Desktop,
    monkeypatch: pytest.MonkeyPatch,
    written: Path,
) -> None:
    desktop.opener.programs = {".md": "kate {file}", ".png": "gimp"}
    dialog = asked(qtbot, preview_window)
    assert dialog.list.currentItem().text() == "kate {file}"
    opened: list[Path] = []
    monkeypatch.setattr(desktop.opener, "open", lambda file, line, page=0: opened.append(file))
    dialog.list.setCurrentRow(0)
    dialog.accept()
    assert desktop.opener.programs == desktop.preferences.programs == {".png": "gimp"}
    assert opened == [preview_window.preview.row.file]
