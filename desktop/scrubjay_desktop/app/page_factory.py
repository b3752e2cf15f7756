"""The pages of the window beside the search, in the order of the navigation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from scrubjay_desktop.results.result_rows import row_of_place
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.windows.navigation import Page

if TYPE_CHECKING:
    from scrubjay.health.findings import Finding
    from scrubjay_desktop.app.application import Desktop


def pages(app: Desktop) -> tuple[Page, ...]:
    """All pages but the search, in the order of the navigation; each is made when first shown."""

    def page(
        key: str,
        icon: str,
        title: str,
        make: Callable[[Desktop], QWidget],
        *,
        needs_notes: bool = True,
    ) -> Page:
        return Page(key, icon, title=title, make=lambda: make(app), needs_notes=needs_notes)

    # Agents and settings have something to say before there are any notes.
    return (
        page("timeline", "calendar", title=translate("Navigation", "Timeline"), make=_timeline),
        page("folders", "folder", title=translate("Navigation", "Folders"), make=_workspaces),
        page(
            "agents",
            "agents",
            title=translate("Navigation", "Agents"),
            make=_agents,
            needs_notes=False,
        ),
        page("health", "health", title=translate("Navigation", "Health"), make=_health),
        page(
            "settings",
            "settings",
            title=translate("Navigation", "Settings"),
            make=_settings,
            needs_notes=False,
        ),
    )


def _workspaces(app: Desktop) -> QWidget:
    from scrubjay_desktop.workspaces.workspaces_page import WorkspacesPage

    # The page asks, and the parts of the app that know how do it.
    page = WorkspacesPage(app.engine, app.tasks)
    page.add_requested.connect(app.window.workspaces.ask_for_folder)
    page.memory_requested.connect(app.window.memory_requested)
    page.import_requested.connect(app.window.note_import_requested)
    page.requested.connect(lambda *action: app.late.folders.act(*action))
    app.bridge.received.connect(page.on_event)
    app.feed.changed.connect(page.show_status)
    return page


def _agents(app: Desktop) -> QWidget:
    from scrubjay_desktop.agents.agents_page import AgentsPage

    window = app.window
    page = AgentsPage(app.engine, app.tasks)
    # The page asks for a look, and the part that looks tells it what was found.
    page.look_requested.connect(app.late.agents.look)
    app.late.agents.looked.connect(page.show_found)
    app.late.agents.look()
    page.announced.connect(window.show_message)
    page.counted.connect(window.navigation.entries["agents"].show_count)
    app.bridge.received.connect(page.on_event)
    return page


def _health(app: Desktop) -> QWidget:
    from scrubjay_desktop.health.health_page import HealthPage

    window = app.window

    def names() -> dict[str, str]:
        return {workspace.id: workspace.name for workspace in app.engine.workspaces()}

    preferences = app.preferences
    page = HealthPage(
        app.engine.health,
        app.tasks,
        names=names,
        has_agents=lambda: preferences.shows_agents,
        found=preferences.attention,
    )
    page.announced.connect(window.show_message)
    page.settings_requested.connect(window.settings_requested)
    page.models_requested.connect(window.models_requested)
    page.place_requested.connect(app.opener.reveal)
    page.folders_requested.connect(lambda: window.pages.show_page("folders"))
    page.publish_requested.connect(lambda each: app.late.sharing.publish(each, page.check))
    page.counted.connect(app.show_attention)
    page.show_status(app.engine.status())
    app.feed.changed.connect(page.show_status)
    app.bridge.received.connect(page.on_event)

    def show_note(finding: Finding) -> None:
        # Only findings with a file can be shown.
        assert finding.file is not None
        row = row_of_place(
            finding.workspace,
            finding.path,
            file=finding.file,
            line=finding.first_line or 1,
            names=names(),
        )
        window.show_row(row)

    page.note_requested.connect(show_note)
    return page


def _timeline(app: Desktop) -> QWidget:
    from scrubjay_desktop.timeline.timeline_page import TimelinePage

    page = TimelinePage(app.engine, app.tasks, app.opener)
    app.bridge.received.connect(page.on_event)
    page.search_requested.connect(
        lambda first, last: app.window.search_for(f"after:{first} before:{last}")
    )
    # What is ticked and added there is told in the window.
    app.late.change_notes_of(page.panes.preview, app.window.tell)
    page.panes.preview.tag_clicked.connect(lambda tag: app.window.search_for(f"tag:{tag} "))
    return page


def _settings(app: Desktop) -> QWidget:
    from scrubjay_desktop.platform.autostart import autostart_here
    from scrubjay_desktop.settings.settings_page import SettingsPage
    from scrubjay_desktop.settings.window_settings import WindowSettings

    # Choices about the window apply at once, in the parts that they are about.
    window_settings = WindowSettings(app.preferences, app.late.quick_key, autostart_here())
    window_settings.battery_chosen.connect(app.feed.refresh)
    window_settings.theme_chosen.connect(app.theme.choose)
    window_settings.editor_chosen.connect(lambda command: setattr(app.opener, "editor", command))
    page = SettingsPage(
        app.engine.settings_editor,
        app.engine.keys,
        tasks=app.tasks,
        window_settings=window_settings,
    )
    # Files and dialogs are opened by the app.
    page.file_requested.connect(lambda: app.opener.open(app.paths.config_file, 1))
    page.models_requested.connect(app.window.models_requested)
    page.bring_over_requested.connect(app.window.bring_over_requested)
    page.announced.connect(app.window.show_message)
    app.bridge.received.connect(page.on_event)
    return page
