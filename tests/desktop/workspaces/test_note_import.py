"""Bringing over notes in the window: the plan, progress, result and undo."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.events import NoteImportProgressed
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.controllers.note_import import NoteImports
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks
from scrubjay_desktop.workspaces.note_import_dialog import NoteImportDialog
from support.exports import enex, enex_note, keep, pages
from support.vault import TIMEOUT

pytestmark = pytest.mark.gui


@pytest.fixture
def imports(bare_window: QWidget, tmp_path: Path) -> Iterator[NoteImports]:
    engine = Engine(Paths.under(tmp_path / "home"))
    imports = NoteImports(engine, Tasks(bare_window), bare_window)
    imports.engine = engine
    bridge = EventBridge(engine.events, bare_window)
    bridge.received.connect(imports.on_event)
    imports.said = []
    imports.announced.connect(lambda text, offer: imports.said.append((text, offer)))
    yield imports
    imports.close()
    engine.close()


def shown(qtbot, window: QWidget) -> NoteImportDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(NoteImportDialog)))
    return window.findChildren(NoteImportDialog)[0]


def test_notes_are_brought_over_and_taken_back(qtbot, bare_window, imports, tmp_path: Path) -> None:
    target = tmp_path / "kept"
    imports.present(keep(tmp_path))
    dialog = shown(qtbot, bare_window)
    dialog.target_chosen.emit(target)
    qtbot.waitUntil(lambda: dialog.plan.target == target)
    rows = [dialog.tree.topLevelItem(at) for at in range(dialog.tree.topLevelItemCount())]
    assert [(row.text(0), row.text(1)) for row in rows] == [
        ("New notes", "2"), ("Already imported", "0"), ("Attachments", "1"), ("Tags", "1"),
        ("Not imported", "1"),
    ]  # fmt: skip
    assert rows[-1].child(0).text(1) == "The note is in the trash."
    dialog.bring.click()
    qtbot.waitUntil(lambda: imports.said[-1][0].startswith("Scrubjay imported 2 notes into "))
    assert len(list(target.glob("*.md"))) == 2
    imports.said[-1][1].act()
    qtbot.waitUntil(
        lambda: imports.said[-1][0].startswith("The import was undone, and 3 files were")
    )
    assert not target.exists()


def test_what_is_no_export_is_said_so(qtbot, bare_window, imports, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no")
    imports.present(tmp_path / "a.zip")
    qtbot.waitUntil(lambda: imports.said[-1] == ("a.zip is damaged", None))
    assert not bare_window.findChildren(NoteImportDialog)


def test_nothing_new_cannot_be_brought_over(qtbot, bare_window, imports, tmp_path: Path) -> None:
    target = tmp_path / "there"
    export = pages(tmp_path)
    engine = imports.engine
    engine.note_import.apply(engine.note_import.plan(export, target).result()).result()
    imports.present(export)
    dialog = shown(qtbot, bare_window)
    assert dialog.bring.isEnabled()
    dialog.target_chosen.emit(target)
    qtbot.waitUntil(lambda: not dialog.bring.isEnabled())
    dialog.reject()


def test_the_bar_moves_and_stop_leaves_what_is_written(
    qtbot, bare_window, imports, tmp_path: Path
) -> None:
    export, target, gate = tmp_path / "n.enex", tmp_path / "kept", threading.Event()
    export.write_text(enex(*(enex_note(f"Note {at}", f"Text {at}") for at in range(100))))
    imports.engine.events.subscribe(lambda event: gate.wait(TIMEOUT), NoteImportProgressed)
    imports.present(export)
    dialog = shown(qtbot, bare_window)
    dialog.target_chosen.emit(target)
    qtbot.waitUntil(lambda: dialog.plan.target == target)
    assert not dialog.progress.isVisible()
    dialog.bring.click()
    qtbot.waitUntil(lambda: dialog.progress.value() == 20)
    assert (dialog.progress.isVisible(), dialog.progress.maximum()) == (True, 100)
    assert not dialog.bring.isEnabled()
    [stop] = [each for each in dialog.findChildren(QPushButton) if each.text() == "Stop"]
    stop.click()
    gate.set()
    qtbot.waitUntil(lambda: imports.said[-1][0].startswith("The import was stopped."))
    qtbot.waitUntil(lambda: not bare_window.findChildren(NoteImportDialog))
    imports.said[-1][1].act()
    qtbot.waitUntil(lambda: imports.said[-1][0].startswith("The import was undone"))
    assert imports.said[-1][0].startswith("The import was undone, and 20 files were")
    assert not target.exists()


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_an_export_may_be_a_file_or_a_folder(
    qtbot, bare_window, imports, tmp_path: Path, kind: str
) -> None:
    export = keep(tmp_path)
    if kind == "folder":
        with zipfile.ZipFile(export) as archive:
            archive.extractall(tmp_path / "unpacked")
        export = tmp_path / "unpacked"
    imports.choose()
    [box] = bare_window.findChildren(QMessageBox)
    box.findChild(QPushButton, kind).click()
    [dialog] = bare_window.findChildren(QFileDialog)
    is_folder = dialog.fileMode() == QFileDialog.FileMode.Directory
    assert is_folder == (kind == "folder")
    dialog.fileSelected.emit(str(export))
    dialog.close()
    dialog = shown(qtbot, bare_window)
    assert len(dialog.plan.labels) == 2
    dialog.reject()


def test_nothing_is_chosen_without_an_answer(bare_window, imports) -> None:
    imports.choose()
    [box] = bare_window.findChildren(QMessageBox)
    box.reject()
    assert not bare_window.findChildren(QFileDialog)
