"""Questions and answers, each as it opens."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from camera import Camera
from scenes import WORDS_ONLY, pause, sample, set_up_of_somebody, until
from scrubjay.events import AccessAsked, BackfillAsked
from scrubjay.records.access_records import AccessRequest, Action
from scrubjay.records.search_records import BackfillCost
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.health.licences_page import LicencesPage
from scrubjay_desktop.settings.api_keys_panel import KeyDialog
from scrubjay_desktop.widgets.message_boxes import (
    bug_box,
    close_question,
    removal_question,
    terms_question,
)
from scrubjay_desktop.workspaces.sample_notes import sample_name
from scrubjay_desktop.workspaces.workspaces_sidebar import forget_question


def dialogs(camera: Camera) -> None:
    """Questions and answers."""
    if not camera.wants("dialog"):
        return
    person = set_up_of_somebody(camera.somebody())
    with camera.running("broken", settings=WORDS_ONLY, person=person) as desktop:
        window = desktop.window
        folder = sample(desktop)
        (folder / "memory" / "scan.md").write_bytes(b"# Scan\n\0\1\2")
        (folder / "memory" / "old.md").write_bytes("Café".encode("latin-1"))
        desktop.errands.add_folder(folder, sample_name())
        until(lambda: any(one.skipped for one in desktop.feed.status.workspaces))
        pause(0.5)
        [status] = desktop.feed.status.workspaces
        now = dt.datetime.now().astimezone()
        question = "which contract is the library roof"
        request = AccessRequest(
            1, "Claude Code", status.workspace.id, Action.READ, "memory_search", question, now
        )
        model = next(one for one in desktop._engine.models().result() if one.terms_name)  # noqa: SLF001
        listed = window.show_problems()
        listed.skip.click()
        until(lambda: listed.model.rows[0].is_chosen)
        keep_dialog(camera, desktop, "dialog-problems")
        desktop.helping.show_licences()
        until(lambda: any(page.works.count() for page in window.findChildren(LicencesPage)))
        keep_dialog(camera, desktop, "dialog-licences")
        window.help_asked.emit()
        keep_dialog(camera, desktop, "dialog-help")
        desktop.helping.ask_for_diagnostics()
        keep_dialog(camera, desktop, "dialog-diagnostics")
        window.bring_over_asked.emit()
        keep_dialog(camera, desktop, "dialog-bring-over")
        desktop.access.take(AccessAsked(request))
        keep_dialog(camera, desktop, "dialog-agent-asks")
        cost = BackfillCost(22, 18_000, "openai", "text-embedding-3-small", "api.openai.com")
        desktop.sending.take(BackfillAsked(status.workspace.id, cost))
        keep_dialog(camera, desktop, "dialog-sending")
        boxes = {
            "close": close_question(window, has_tray=True),
            "close-no-tray": close_question(window, has_tray=False),
            "forget": forget_question(status, window),
            "remove-model": removal_question(window, model.name),
            "terms": terms_question(window, model),
            "bug": bug_box(window, "Traceback", Path("~/.local/state/scrubjay/crashes/1.txt")),
            "key": KeyDialog("openai", window, is_session_only=True),
        }
        for name, box in boxes.items():
            box.open()
            camera.keep(desktop, box, f"dialog-{name}")
            box.close()


def opened(parent: QWidget) -> QWidget:
    """The dialog that opens, or is open already."""
    found: list[QWidget] = []

    def is_there() -> bool:
        top = parent.window().findChildren(QWidget)
        found[:] = [one for one in top if one.isWindow() and one.isVisible()]
        return bool(found)

    until(is_there)
    return found[-1]


def keep_dialog(camera: Camera, desktop: Desktop, name: str) -> None:
    """Photograph the dialog that opens, and close it without choosing anything."""
    dialog = opened(desktop.window)
    camera.keep(desktop, dialog, name)
    escape = dialog.escapeButton() if isinstance(dialog, QMessageBox) else None
    if escape is not None:
        escape.click()
    dialog.close()
    until(lambda: not dialog.isVisible())
