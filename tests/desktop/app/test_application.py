from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMessageBox

from scrubjay.engine.engine import Engine
from scrubjay.platform.crash_reports import CrashReports
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.help_dialogs import HelpDialog, LicencesDialog
from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.workspaces.sample_notes import copy_sample_notes, sample_notes_folder
from support.fake_tray import FakeTray
from support.platforms import IS_WINDOWS

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


def test_quit_closes_everything_in_time(qtbot, desktop: Desktop, engine: Engine) -> None:
    desktop.begin(StartRequest.WINDOW)
    with qtbot.waitSignal(desktop.engine_closed):
        desktop.quit()
    assert not desktop.window.isVisible()
    qtbot.waitUntil(lambda: "scrubjay-index" not in [one.name for one in threading.enumerate()])


class EndedApp:
    """The part of Qt's app that ends it."""

    def __init__(self) -> None:
        self.has_ended = False

    def quit(self) -> None:
        self.has_ended = True


def test_an_app_with_a_part_that_cannot_be_closed_ends_all_the_same(
    qtbot, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose program was moved while it started."""

    def fail() -> None:
        raise FileNotFoundError("tray-ready.svg")

    ended_app = EndedApp()
    with monkeypatch.context() as patched:
        patched.setattr(desktop, "qapp", ended_app)
        patched.setattr(desktop.late, "close", fail)
        with pytest.raises(FileNotFoundError):
            desktop.quit()
        qtbot.waitUntil(lambda: ended_app.has_ended)


def test_a_quitting_app_shows_nothing_any_more(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.quit()
    desktop.fulfil(StartRequest.WINDOW)
    assert not desktop.window.isVisible()


@pytest.mark.parametrize(
    ("wish", "window", "popup"),
    [(StartRequest.WINDOW, True, False), (StartRequest.QUICK_SEARCH, False, True)],
)
def test_a_start_shows_what_was_asked_for(
    qtbot, desktop: Desktop, wish: StartRequest, window: bool, popup: bool
) -> None:
    desktop.begin(wish)
    assert (desktop.window.isVisible(), desktop.late.popup.isVisible()) == (window, popup)


def test_without_a_tray_a_background_start_is_minimised(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.BACKGROUND)
    assert desktop.window.isMinimized()


@pytest.mark.parametrize("is_there", [True, False])
def test_with_a_tray_a_background_start_stays_out_of_sight_and_closing_names_it(
    qtbot, qapp: QApplication, empty_engine: Engine, paths: Paths, *, is_there: bool
) -> None:
    tray = FakeTray(is_there=is_there)
    desktop = Desktop(qapp, empty_engine, paths, Start(theme="light", tray=tray))
    desktop.begin(StartRequest.BACKGROUND)
    assert desktop.window.isVisible() is not is_there
    desktop.window.close()
    question = desktop.window.findChild(QMessageBox)
    assert ("click the tray icon" in question.informativeText()) is is_there
    question.reject()
    desktop.quit()
    desktop.dispose()


def test_the_sample_is_copied_once_and_searched(
    qtbot, qapp: QApplication, empty_engine: Engine, paths: Paths
) -> None:
    desktop = Desktop(qapp, empty_engine, paths, Start(theme="light"))
    desktop.begin(StartRequest.SAMPLE)
    assert desktop.window.first_run.isVisible()
    qtbot.waitUntil(lambda: desktop.window.search.search.model.rowCount() > 5)
    assert [workspace.name for workspace in empty_engine.workspaces()] == ["Sample notes"]
    (sample_notes_folder(paths) / "MEMORY.md").write_text("mine")
    desktop.fulfil(StartRequest.SAMPLE)
    assert len(empty_engine.workspaces()) == 1
    assert copy_sample_notes(paths).joinpath("MEMORY.md").read_text() == "mine"
    desktop.quit()
    desktop.dispose()


def test_preferences_outlive_the_app(qapp, paths: Paths) -> None:
    first = Preferences(paths)
    first.on_close, first.theme, first.editor = OnClose.QUIT, "dark", "vim {file}"
    first.save()
    second = Preferences(paths)
    assert (second.on_close, second.theme, second.editor) == (OnClose.QUIT, "dark", "vim {file}")


def test_preferences_edited_into_nonsense_are_defaults(qapp, paths: Paths) -> None:
    paths.state.mkdir(parents=True)
    (paths.state / "desktop.ini").write_text("[window]\nonClose=%%\ntheme=pink\n[geometry]\nw=1\n")
    kept = Preferences(paths)
    assert (kept.on_close, kept.theme, kept.geometry("w").isEmpty()) == (
        OnClose.ASK,
        "system",
        True,
    )


def test_a_bug_is_reported_and_can_be_copied(qtbot, desktop: Desktop, qapp: QApplication) -> None:
    desktop.begin(StartRequest.WINDOW)
    error = ZeroDivisionError("oops")
    desktop.late.bug_reports.show_bug(error)
    box = desktop.window.findChild(QMessageBox)
    assert "ZeroDivisionError: oops" in box.detailedText()
    box.reject()
    desktop.late.bug_reports.show_bug(error)
    again = desktop.window.findChildren(QMessageBox)[-1]
    next(button for button in again.buttons() if "report" in button.text()).click()
    assert qapp.clipboard().text() == again.detailedText()


def test_a_bug_that_comes_again_is_shown_once(qtbot, desktop: Desktop, paths: Paths) -> None:
    desktop.begin(StartRequest.WINDOW)
    for _ in range(3):
        desktop.late.bug_reports.show_bug(ZeroDivisionError("oops"))
    [box] = desktop.window.findChildren(QMessageBox)
    assert len(CrashReports(paths).all()) == 3
    box.reject()
    desktop.late.bug_reports.show_bug(ZeroDivisionError("oops"))
    assert desktop.window.findChildren(QMessageBox)[-1].isVisible()


def test_what_fails_after_the_program_was_moved_is_told_once_and_is_no_bug(
    qtbot, desktop: Desktop, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.begin(StartRequest.WINDOW)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(paths.state / "gone"))
    for _ in range(3):
        desktop.late.bug_reports.show_bug(ImportError("oops"))
    [box] = desktop.window.findChildren(QMessageBox)
    assert box.text() == "Scrubjay was moved or removed while it was running."
    assert "start it again" in box.informativeText()
    assert CrashReports(paths).all() == []


def test_a_report_is_kept_on_this_computer(qtbot, desktop: Desktop, paths: Paths) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.late.bug_reports.show_bug(ZeroDivisionError("oops"))
    [file] = CrashReports(paths).all()
    assert file.read_text().endswith("ZeroDivisionError: oops\n")
    assert str(file) in desktop.window.findChild(QMessageBox).informativeText()


def test_what_a_crash_left_is_shown(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.late.bug_reports.show_crash("Fatal Python error: Segmentation fault")
    box = desktop.window.findChild(QMessageBox)
    assert "closed unexpectedly" in box.text()
    assert "Segmentation fault" in box.detailedText()


def test_the_licences_are_behind_the_help(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.window.requests.help.emit()
    desktop.window.findChild(HelpDialog).licences.click()
    page = desktop.window.findChild(LicencesDialog)
    qtbot.waitUntil(lambda: page.works.count() > 20)
    [row] = [
        row for row in range(page.works.count()) if page.works.item(row).text().startswith("numpy")
    ]
    page.works.setCurrentRow(row)
    assert "NumPy Developers" in page.terms.toPlainText()


def test_settings_apply_at_once(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    chosen = desktop.show_settings().window_settings
    chosen.editor_box.setEditText("vim {file}")
    chosen.editor_box.lineEdit().editingFinished.emit()
    chosen.theme_box.setCurrentIndex(2)
    chosen.theme_box.activated.emit(2)
    assert (desktop.opener.editor, desktop.preferences.theme) == ("vim {file}", "dark")
    assert desktop.theme.colors.is_dark
    desktop.theme.choose("light")


def test_an_editor_that_is_here_is_chosen_by_its_name(
    qtbot, desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Windows knows a program by the end of its name.
    kate = tmp_path / ("kate.exe" if IS_WINDOWS else "kate")
    kate.write_text("#!/bin/sh\n")
    kate.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    desktop.preferences.editor = "mine {file}"
    desktop.begin(StartRequest.WINDOW)
    box = desktop.show_settings().window_settings.editor_box
    assert (box.currentText(), box.itemText(0)) == ("mine {file}", "Default program")
    keys(box, "Kate")
    assert desktop.opener.editor == desktop.preferences.editor == "kate -l {line} {file}"
    keys(box, "other {file}")
    assert desktop.opener.editor == "other {file}"
    keys(box, "")
    assert (desktop.opener.editor, box.currentText()) == ("", "Default program")


def keys(box: QComboBox, text: str) -> None:
    """Type, and press Enter."""
    box.lineEdit().selectAll()
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Delete)
    QTest.keyClicks(box.lineEdit(), text)
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)


def test_the_settings_file_opens_in_the_editor(
    qtbot, desktop: Desktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(desktop.opener, "open", lambda file, line, page=0: opened.append(file))
    desktop.show_settings().file_requested.emit()
    assert opened == [desktop.paths.config_file]


def test_help_names_the_command_for_a_key_of_ones_own(qtbot, desktop: Desktop) -> None:
    with qtbot.waitActive(desktop.window):
        desktop.begin(StartRequest.WINDOW)
    qtbot.keyClick(desktop.window, Qt.Key.Key_F1)
    box = desktop.window.findChild(HelpDialog)
    assert "scrubjay-desktop --quick-search" in box.text.toPlainText()
    box.reject()
