"""Uninstalling from the app: ticks, what other programs keep, the quit, and then the files."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox, QScrollArea

from scrubjay.engine.engine import Engine
from scrubjay.engine.uninstallation import Inventory, Part, StoredPart
from scrubjay.errors import ConnectFailed
from scrubjay.messages import msg
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.controllers.uninstalling import delete_files
from scrubjay_desktop.health.uninstall_dialog import UninstallDialog
from scrubjay_desktop.widgets.theme import GRID
from support.secret_service import NO_KEYCHAIN, keyring_variables
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

AGENT = '{"mcpServers": {"other": {"command": "npx"}}}\n'


@pytest.fixture
def dialog(qtbot, notes_window, desktop: Desktop, person: Path, paths: Paths) -> UninstallDialog:
    write_notes(person, {".cursor/mcp.json": AGENT})
    change = desktop.engine.connections.plan("cursor").result(TIMEOUT)
    desktop.engine.connections.apply(change).result(TIMEOUT)
    write_notes(paths.state / "backups", {"boiler.md": "An older boiler"})
    notes_window.requests.uninstall.emit()
    qtbot.waitUntil(lambda: bool(notes_window.findChildren(UninstallDialog)))
    found = notes_window.findChild(UninstallDialog)
    assert isinstance(found, UninstallDialog)
    return found


def test_each_part_has_a_tick_with_its_size_and_copies_of_notes_have_none_set(
    dialog: UninstallDialog,
) -> None:
    ticked = {part for part, tick in dialog.ticks.items() if tick.isChecked()}
    assert {Part.SETTINGS, Part.SEARCH_INDEXES, Part.AGENTS, Part.AUDIT_LOG} <= ticked
    assert Part.NOTE_COPIES in dialog.ticks.keys() - ticked
    assert (
        dialog.ticks[Part.SEARCH_INDEXES]
        .text()
        .startswith("Search indexes, and earlier versions of notes · ")
    )
    file = str(Path(".cursor/mcp.json"))
    assert file in dialog.ticks[Part.AGENTS].accessibleDescription()


def test_the_dialog_is_as_high_as_its_parts_need(qtbot, bare_window) -> None:
    def height(count: int) -> int:
        kinds = list(Part)[:count]
        parts = tuple(StoredPart(kind, msg("Files"), ("/a",), size_bytes=1) for kind in kinds)
        dialog = UninstallDialog(Inventory(parts, (), msg("Nothing else.")), bare_window)
        dialog.show()
        area = dialog.findChild(QScrollArea)
        assert area.verticalScrollBar().maximum() == 0
        return dialog.height()

    assert height(1) < height(4) < 78 * GRID


def test_nothing_is_removed_without_a_tick_or_by_enter(dialog: UninstallDialog) -> None:
    for tick in dialog.ticks.values():
        tick.setChecked(False)
    assert not dialog.remove.isEnabled()
    assert not dialog.remove.isDefault()
    [buttons] = dialog.findChildren(QDialogButtonBox)
    assert buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()


def test_entries_of_agents_go_first_then_the_app_quits_then_its_files_go(
    qtbot, dialog: UninstallDialog, desktop: Desktop, paths: Paths, person: Path, notes: Path
) -> None:
    texts = {file: file.read_bytes() for file in notes.rglob("*.md")}
    with qtbot.waitSignal(desktop.engine_closed):
        dialog.remove.click()
    assert (person / ".cursor" / "mcp.json").read_text() == AGENT
    assert paths.indexes.exists()
    is_closed = desktop.is_engine_closed
    delete_files(desktop.engine, desktop.deleted_parts, is_closed=is_closed)
    assert not paths.indexes.exists()
    assert not paths.config_file.exists()
    assert (paths.state / "backups" / "boiler.md").exists()
    assert {file: file.read_bytes() for file in notes.rglob("*.md")} == texts


def test_a_part_that_is_not_ticked_stays(
    qtbot, dialog: UninstallDialog, desktop: Desktop, paths: Paths, person: Path
) -> None:
    dialog.ticks[Part.AGENTS].setChecked(False)
    dialog.ticks[Part.SETTINGS].setChecked(False)
    with qtbot.waitSignal(desktop.engine_closed):
        dialog.remove.click()
    is_closed = desktop.is_engine_closed
    delete_files(desktop.engine, desktop.deleted_parts, is_closed=is_closed)
    assert "scrubjay" in (person / ".cursor" / "mcp.json").read_text()
    assert paths.config_file.exists()
    assert not paths.indexes.exists()


def test_what_cannot_be_removed_is_told_and_the_app_goes_on(
    qtbot, dialog: UninstallDialog, desktop: Desktop, engine: Engine, person: Path, paths: Paths
) -> None:
    # A key is known of, and this computer has no keychain.
    write_notes(paths.state, {"keys.json": '{"openai": "abcd"}'})
    dialog.ticks[Part.KEYS] = dialog.ticks[Part.AGENTS]
    with keyring_variables(NO_KEYCHAIN):
        dialog.remove.click()
        qtbot.waitUntil(lambda: not dialog.trouble.isHidden())
    assert dialog.trouble.text().startswith("Some parts could not be removed.")
    assert desktop.deleted_parts == ()
    assert dialog.isEnabled()


def test_a_failure_is_told_in_the_dialog_which_can_be_used_again(
    qtbot, dialog: UninstallDialog, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: Future[tuple[str, ...]] = Future()
    failed.set_exception(ConnectFailed("No agent can be looked at"))
    monkeypatch.setattr(desktop.engine.uninstall, "remove_entries", lambda _: failed)
    dialog.remove.click()
    qtbot.waitUntil(lambda: not dialog.trouble.isHidden())
    assert "No agent can be looked at" in dialog.trouble.text()
    assert dialog.isEnabled()
    assert desktop.deleted_parts == ()


def test_an_engine_that_does_not_close_in_time_keeps_its_files_and_a_dialog_says_so(
    qtbot, desktop: Desktop, paths: Paths
) -> None:
    texts: list[str] = []

    def read() -> None:
        [box] = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]
        texts.append(box.text())
        box.accept()

    QTimer.singleShot(0, read)
    delete_files(desktop.engine, [Part.SETTINGS, Part.SEARCH_INDEXES], is_closed=False)
    assert "uninstall it again" in texts[0]
    assert paths.config_file.exists()
