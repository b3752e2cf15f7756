"""The pages of the window and the models: full, busy, and where something is wrong."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QScrollArea, QWidget

from camera import Camera
from dialog_shots import opened
from scenes import (
    NONSENSE,
    WORDS_ONLY,
    home_of_somebody,
    kept_for_a_year,
    neglected,
    pause,
    until,
    visited,
)
from scrubjay.records.model_records import DownloadProgress, ModelState
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.agents.connect_pane import ChangeDialog
from scrubjay_desktop.health.health_page import HealthPage
from scrubjay_desktop.models.model_text import Act
from scrubjay_desktop.timeline.timeline_page import TimelinePage


def settings(camera: Camera) -> None:
    """The settings from top to bottom, and those that are looked for."""
    if not camera.wants("settings"):
        return
    with camera.with_notes() as desktop:
        page = desktop.show_settings()
        pause(1.0)
        camera.keep(desktop, desktop.window, "settings")
        area = page.findChild(QScrollArea)
        assert area is not None
        bar = area.verticalScrollBar()
        for number in range(1, 1 + -(-bar.maximum() // bar.pageStep())):
            bar.setValue(number * bar.pageStep())
            camera.keep(desktop, desktop.window, f"settings-{number + 1}")
        page.box.setText("model" if camera.language == "en" else "modelo")
        camera.keep(desktop, desktop.window, "settings-found")
        page.box.setText(NONSENSE)
        camera.keep(desktop, desktop.window, "settings-nothing")


def folders(camera: Camera) -> None:
    """The folders that are searched."""
    if not camera.wants("folders"):
        return
    with camera.with_notes() as desktop:
        desktop.window.pages.show_page("folders")
        camera.keep(desktop, desktop.window, "folders", settles=2)


def models(camera: Camera) -> None:
    """The models that can be had, one on its way, and one that cannot be fetched."""
    if not camera.wants("models"):
        return
    with camera.with_notes() as desktop:
        page = desktop.show_models()
        until(lambda: bool(page.cards))
        camera.keep(desktop, page, "models")
        wanted = next(one for one in page.cards.values() if one.info.state is ModelState.ABSENT)
        half = DownloadProgress(171_000_000, 329_000_000, 12_400_000.0, 12.7)
        wanted.show_info(replace(wanted.info, state=ModelState.DOWNLOADING, progress=half))
        wanted.show_progress(half)
        camera.keep(desktop, page, "models-downloading")
        paused = replace(wanted.info, state=ModelState.PAUSED, progress=half)
        wanted.show_info(paused)
        camera.keep(desktop, page, "models-paused")
        free = list(page.cards.values())[2]
        free.asked.emit(Act.DOWNLOAD)
        until(lambda: not free.error.isHidden())
        camera.keep(desktop, page, "models-offline")
        page.reject()


def health(camera: Camera) -> None:
    """What a check-up found, and the check-up itself."""
    if not camera.wants("health", "health-looking"):
        return
    with camera.running("neglected") as desktop:
        neglected(desktop)
        page = desktop.window.pages.show_page("health")
        assert isinstance(page, HealthPage)
        until(lambda: page.model.rowCount() > 0)
        camera.keep(desktop, desktop.window, "health", settles=2)
        camera.keep(desktop, desktop.window, "health-looking", begin=page.check)


def timeline(camera: Camera) -> None:
    """A year of notes with what changed in one, a day, and the box for something new."""
    if not camera.wants("timeline", "remember"):
        return
    # A year of notes takes minutes to be learnt, and the timeline needs their words alone.
    with camera.running("year", settings=WORDS_ONLY) as desktop:
        kept_for_a_year(desktop)
        page = desktop.window.pages.show_page("timeline")
        assert isinstance(page, TimelinePage)
        panes = page.panes
        until(lambda: bool(page.summary.text()) and panes.list.rowCount() == 3)
        number = next(n for n, row in enumerate(panes.list.rows) if row.path == "MEMORY.md")
        panes.view.setCurrentIndex(panes.list.index(number))
        until(lambda: bool(panes.diff.summary))
        camera.keep(desktop, desktop.window, "timeline")
        today = dt.date.today()
        panes.show_days(today - dt.timedelta(days=6), today)
        until(lambda: panes.list.rowCount() > 3)
        camera.keep(desktop, desktop.window, "timeline-week", settles=2)
        desktop.remembering.present()
        box = desktop.remembering.box
        assert box is not None
        box.text.setPlainText("Emma's clarinet needs new reeds, size 2½")
        camera.keep(desktop, box, "remember")
        box.close()


def agents(camera: Camera) -> None:
    """Connecting agents, their rules, the guest book, and what waits for a decision."""
    if not camera.wants("agents", "dialog-connect"):
        return
    with camera.running("agents", person=home_of_somebody(camera.somebody())) as desktop:
        visited(desktop)
        page = desktop.window.pages.show_page("agents")
        assert isinstance(page, AgentsPage)
        page.look.click()
        until(lambda: bool(page.dreams.cards) and page.guest_book.model.rowCount() > 2)
        for pane, name in panes_of(page).items():
            page.tabs.setCurrentWidget(pane)
            camera.keep(desktop, desktop.window, f"agents-{name}")
        page.tabs.setCurrentWidget(page.connect_pane)
        row = next(r for r in page.connect_pane.rows.values() if not r.connect_button.isHidden())
        row.connect_button.click()
        dialog = opened(page)
        assert isinstance(dialog, ChangeDialog)
        # As on the computer of somebody who installed it.
        here = str(Path(sys.executable).parent)
        shown = [replace(one, text=one.text.replace(here, "/usr/bin")) for one in dialog.diff.lines]
        dialog.diff.show_lines(shown)
        camera.keep(desktop, dialog, "dialog-connect")


def panes_of(page: AgentsPage) -> dict[QWidget, str]:
    """The panes of the agents page, with what their pictures are called."""
    return {
        page.connect_pane: "connect",
        page.rules: "rules",
        page.guest_book: "guests",
        page.dreams: "dreams",
        page.captured: "captured",
    }
