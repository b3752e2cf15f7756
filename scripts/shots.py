"""Each screen of the app, and how to get there: full, empty, busy, broken and without a network."""

from __future__ import annotations

import shutil
from pathlib import Path

from backdrops import in_a_panel, over_a_desktop
from camera import THEMES, Camera
from dialog_shots import dialogs
from page_shots import agents, folders, health, models, panes_of, settings, timeline
from scenes import NONSENSE, WORDS_ONLY, home_of_somebody, is_read, pause, sample, until
from scrubjay_desktop.agents.agents_page import AgentsPage
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.workspaces.sample_notes import sample_name

_QUESTION = "library roof garden"
_QUICK_QUESTION = "Emma clarinet"
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
        for pane, name in panes_of(page).items():
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
        window.search.set_text(NONSENSE)
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
            ("popup-nothing", NONSENSE),
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


def away(camera: Camera) -> None:
    """The folder of the notes has gone, as when a drive is pulled out."""
    if not camera.wants("away"):
        return
    with camera.running("away", settings=WORDS_ONLY) as desktop:
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


def _phase(desktop: Desktop) -> str:
    found = [one.progress for one in desktop.feed.status.workspaces if one.progress is not None]
    return found[0].phase if found else ""
