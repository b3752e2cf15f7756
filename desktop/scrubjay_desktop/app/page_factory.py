"""The pages of the window beside the search, in the order of the navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from scrubjay_desktop.results.result_rows import row_of_place
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.windows.navigation import Page

if TYPE_CHECKING:
    from scrubjay_desktop.app.application import Desktop


def pages(app: Desktop) -> tuple[Page, ...]:
    """All pages but the search, in the order of the navigation; each is made when first shown."""
    agents, settings = translate("Navigation", "Agents"), translate("Navigation", "Settings")
    return (
        Page("timeline", "calendar", translate("Navigation", "Timeline"), lambda: _timeline(app)),
        Page("folders", "folder", translate("Navigation", "Folders"), lambda: _workspaces(app)),
        Page("agents", "agents", agents, lambda: _agents(app), needs_notes=False),
        Page("health", "health", translate("Navigation", "Health"), lambda: _health(app)),
        Page("settings", "settings", settings, lambda: _settings(app), needs_notes=False),
    )


def _workspaces(app: Desktop) -> QWidget:
    from scrubjay_desktop.workspaces.workspaces_page import WorkspacesPage

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

    shown = app.preferences
    page = HealthPage(
        app.engine.health, app.tasks, names, lambda: shown.shows_agents, shown.attention
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
    page.note_requested.connect(
        lambda finding: window.show_row(
            row_of_place(
                finding.workspace, finding.path, finding.file, finding.first_line or 1, names()
            )
        )
    )
    return page


def _timeline(app: Desktop) -> QWidget:
    from scrubjay_desktop.timeline.timeline_page import TimelinePage

    page = TimelinePage(app.engine, app.tasks, app.opener)
    app.bridge.received.connect(page.on_event)
    page.search_requested.connect(
        lambda first, last: app.window.search_for(f"after:{first} before:{last}")
    )
    app.late.change_notes_of(page.panes.preview, app.window.tell)
    page.panes.preview.tag_clicked.connect(lambda tag: app.window.search_for(f"tag:{tag} "))
    return page


def _settings(app: Desktop) -> QWidget:
    from scrubjay_desktop.platform.autostart import autostart_here
    from scrubjay_desktop.settings.settings_page import SettingsPage
    from scrubjay_desktop.settings.window_settings import WindowSettings

    window_settings = WindowSettings(app.preferences, app.late.quick_key, autostart_here())
    window_settings.battery_chosen.connect(app.feed.refresh)
    window_settings.theme_chosen.connect(app.theme.choose)
    window_settings.editor_chosen.connect(lambda command: setattr(app.opener, "editor", command))
    page = SettingsPage(app.engine.settings_editor, app.engine.keys, app.tasks, window_settings)
    page.file_requested.connect(lambda: app.opener.open(app.paths.config_file, 1))
    page.models_requested.connect(app.window.models_requested)
    page.bring_over_requested.connect(app.window.bring_over_requested)
    page.announced.connect(app.window.show_message)
    app.bridge.received.connect(page.on_event)
    return page
