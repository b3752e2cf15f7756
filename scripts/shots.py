"""Each screen of the app, and how to get there: full, empty, busy, broken and without a network."""

from __future__ import annotations

import datetime as dt
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QScrollArea, QWidget

from backdrops import in_a_panel, over_a_desktop
from camera import THEMES, Camera
from scenes import (
    home_of_somebody,
    is_read,
    kept_for_a_year,
    neglected,
    pause,
    sample,
    set_up_of_somebody,
    until,
    visited,
)
from scrubjay import (
    AccessAsked,
    AccessRequest,
    Action,
    BackfillAsked,
    BackfillCost,
    DownloadProgress,
    ModelState,
)
from scrubjay_desktop.agents_page import AgentsPage
from scrubjay_desktop.application import Desktop
from scrubjay_desktop.connect_pane import ChangeDialog
from scrubjay_desktop.dialogs import bug_box, close_question, removal_question, terms_question
from scrubjay_desktop.health_page import HealthPage
from scrubjay_desktop.keys_panel import KeyDialog
from scrubjay_desktop.licences_page import LicencesPage
from scrubjay_desktop.model_words import Act
from scrubjay_desktop.sample import sample_name
from scrubjay_desktop.timeline_page import TimelinePage
from scrubjay_desktop.workspaces_panel import forget_question

_QUESTION = "library roof garden"
_QUICK_QUESTION = "Emma clarinet"
_NONSENSE = "photon detector"
_WORDS_ONLY = '{ memorySearch: { provider: "none" } }'
_OFFLINE = '{ memorySearch: { provider: "ollama" } }'


def first_run(camera: Camera) -> None:
    """The window before there are any notes, with and without any on the computer."""
    if camera.wants("first-run"):
        with camera.running("empty") as desktop:
            until(lambda: desktop.window.first_run.looked != "")
            camera.keep(desktop, desktop.window, "first-run-nothing-found")
        person = home_of_somebody(camera.somebody())
        with camera.running("found", person=person) as desktop:
            until(lambda: bool(desktop.window.first_run.rows))
            camera.keep(desktop, desktop.window, "first-run")


def nothing_yet(camera: Camera) -> None:
    """Each page while there is nothing to show."""
    names = ("timeline-empty", "folders-empty", "agents-empty", "health-empty")
    if not camera.wants(*names):
        return
    with camera.running("new") as desktop:
        pages = desktop.window.pages
        for key in ("timeline", "folders", "health"):
            pages.show_page(key)
            pause(0.5)
            camera.keep(desktop, desktop.window, f"{key}-empty")
        page = pages.show_page("agents")
        assert isinstance(page, AgentsPage)
        for pane, name in _panes(page).items():
            page.tabs.setCurrentWidget(pane)
            camera.keep(desktop, desktop.window, f"agents-empty-{name}")


def indexing(camera: Camera) -> None:
    """While the model learns the notes: search answers already."""
    if not camera.wants("indexing"):
        return
    with camera.running("busy") as desktop:
        desktop.errands.add_folder(sample(desktop), sample_name())
        until(lambda: _phase(desktop) == "meaning")
        desktop.window.search.set_text("garden")
        until(lambda: bool(desktop.window.search.answer_line))
        camera.keep(desktop, desktop.window, "indexing")
        desktop.window.pages.show_page("folders")
        camera.keep(desktop, desktop.window, "indexing-folders", settles=0)


def search(camera: Camera) -> None:
    """The home page: recent notes, results, why, nothing, and sentences over the page."""
    if not camera.wants("main"):
        return
    with camera.with_notes() as desktop:
        window = desktop.window
        until(lambda: window.search.list.row() is not None)
        camera.keep(desktop, window, "main-recent")
        window.search.set_text(_QUESTION)
        until(lambda: bool(window.search.answer_line))
        camera.keep(desktop, window, "main", settles=2)
        window.preview.toggle_why()
        camera.keep(desktop, window, "main-why", settles=2)
        window.preview.toggle_why()
        window.search.set_text(_NONSENSE)
        until(lambda: bool(window.search.nothing_text))
        camera.keep(desktop, window, "main-nothing")
        window.search.nearest.click()
        until(lambda: window.search.list.row() is not None)
        camera.keep(desktop, window, "main-nearest")
        window.search.set_text(f"{_QUESTION} after:2026-10-01 path:memory")
        until(lambda: bool(window.search.answer_line))
        desktop.opener.editor = "no-such-editor {file}"
        desktop.opener.open(Path("note.md"), 1)
        camera.keep(desktop, window, "main-filtered")
        menu = window.app_menu()
        menu.ensurePolished()
        menu.resize(menu.sizeHint())
        camera.keep(desktop, menu, "menu")


def popup(camera: Camera) -> None:
    """Quick search: recent notes, results, nothing."""
    if not camera.wants("popup"):
        return
    with camera.with_notes() as desktop:
        quick = desktop.popup
        for name, text in (
            ("popup-recent", ""),
            ("popup", _QUICK_QUESTION),
            ("popup-nothing", _NONSENSE),
        ):
            quick.box.edit.setText(text)
            quick.present()
            pause(1)
            for theme in THEMES:
                desktop.theme.choose(theme)
                pause(0.2)
                camera.save(over_a_desktop(quick, desktop.theme.colors), name, theme)
            quick.dismiss()


def tray(camera: Camera) -> None:
    """The six shapes of the icon, and the menu."""
    if not camera.wants("tray"):
        return
    with camera.with_notes() as desktop:
        desktop.tray.show()
        until(lambda: bool(desktop.tray.recents))
        menu = desktop.tray.menu
        menu.ensurePolished()
        for theme in THEMES:
            desktop.theme.choose(theme)
            pause(0.2)
            menu.resize(menu.sizeHint())
            picture = in_a_panel(menu, desktop.theme.colors, camera.language)
            camera.save(picture, "tray", theme)


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
        page.box.setText(_NONSENSE)
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
    with camera.running("year", settings=_WORDS_ONLY) as desktop:
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
        for pane, name in _panes(page).items():
            page.tabs.setCurrentWidget(pane)
            camera.keep(desktop, desktop.window, f"agents-{name}")
        page.tabs.setCurrentWidget(page.connect_pane)
        row = next(r for r in page.connect_pane.rows.values() if not r.connect_button.isHidden())
        row.connect_button.click()
        dialog = _opened(page)
        assert isinstance(dialog, ChangeDialog)
        # As on the computer of somebody who installed it.
        here = str(Path(sys.executable).parent)
        shown = [replace(one, text=one.text.replace(here, "/usr/bin")) for one in dialog.diff.lines]
        dialog.diff.show_lines(shown)
        camera.keep(desktop, dialog, "dialog-connect")


def dialogs(camera: Camera) -> None:
    """Questions and answers."""
    if not camera.wants("dialog"):
        return
    person = set_up_of_somebody(camera.somebody())
    with camera.running("broken", settings=_WORDS_ONLY, person=person) as desktop:
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
        _keep_dialog(camera, desktop, "dialog-problems")
        desktop.helping.show_licences()
        until(lambda: any(page.works.count() for page in window.findChildren(LicencesPage)))
        _keep_dialog(camera, desktop, "dialog-licences")
        window.help_asked.emit()
        _keep_dialog(camera, desktop, "dialog-help")
        desktop.helping.ask_for_diagnostics()
        _keep_dialog(camera, desktop, "dialog-diagnostics")
        window.bring_over_asked.emit()
        _keep_dialog(camera, desktop, "dialog-bring-over")
        desktop.access.take(AccessAsked(request))
        _keep_dialog(camera, desktop, "dialog-agent-asks")
        cost = BackfillCost(22, 18_000, "openai", "text-embedding-3-small", "api.openai.com")
        desktop.sending.take(BackfillAsked(status.workspace.id, cost))
        _keep_dialog(camera, desktop, "dialog-sending")
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


def away(camera: Camera) -> None:
    """The folder of the notes has gone, as when a drive is pulled out."""
    if not camera.wants("away"):
        return
    with camera.running("away", settings=_WORDS_ONLY) as desktop:
        folder = sample(desktop)
        desktop.errands.add_folder(folder, sample_name())
        until(lambda: is_read(desktop))
        shutil.rmtree(folder)
        desktop.errands.refresh("")
        window = desktop.window
        until(lambda: any(one.skipped or one.error for one in desktop.feed.status.workspaces))
        window.search.set_text(_QUESTION)
        until(lambda: bool(window.search.answer_line))
        camera.keep(desktop, window, "away", settles=2)
        window.pages.show_page("folders")
        camera.keep(desktop, window, "away-folders")
        window.pages.show_page("health")
        camera.keep(desktop, window, "away-health", settles=4)


def offline(camera: Camera) -> None:
    """A provider that cannot be reached is chosen: words go on."""
    if not camera.wants("offline"):
        return
    with camera.running("offline", settings=_OFFLINE) as desktop:
        desktop.errands.add_folder(sample(desktop), sample_name())
        window = desktop.window
        until(lambda: is_read(desktop))
        window.search.set_text(_QUESTION)
        until(lambda: bool(window.search.answer_line))
        camera.keep(desktop, window, "offline", settles=2)


SHOTS = (
    first_run,
    nothing_yet,
    indexing,
    search,
    popup,
    tray,
    settings,
    folders,
    models,
    health,
    timeline,
    agents,
    dialogs,
    away,
    offline,
)


def _panes(page: AgentsPage) -> dict[QWidget, str]:
    return {
        page.connect_pane: "connect",
        page.rules: "rules",
        page.guest_book: "guests",
        page.dreams: "dreams",
        page.captured: "captured",
    }


def _phase(desktop: Desktop) -> str:
    found = [one.progress for one in desktop.feed.status.workspaces if one.progress is not None]
    return found[0].phase if found else ""


def _opened(parent: QWidget) -> QWidget:
    """The dialog that opens, or is open already."""
    found: list[QWidget] = []

    def is_there() -> bool:
        top = parent.window().findChildren(QWidget)
        found[:] = [one for one in top if one.isWindow() and one.isVisible()]
        return bool(found)

    until(is_there)
    return found[-1]


def _keep_dialog(camera: Camera, desktop: Desktop, name: str) -> None:
    """Photograph the dialog that opens, and close it without choosing anything."""
    dialog = _opened(desktop.window)
    camera.keep(desktop, dialog, name)
    escape = dialog.escapeButton() if isinstance(dialog, QMessageBox) else None
    if escape is not None:
        escape.click()
    dialog.close()
    until(lambda: not dialog.isVisible())
