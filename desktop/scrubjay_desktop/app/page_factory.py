"""The pages of the window beside the search, in the order of the navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from scrubjay_desktop.results.result_rows import row_of_line
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.text.workspace_names import display_names
from scrubjay_desktop.windows.navigation import Page

if TYPE_CHECKING:
    from scrubjay.health.findings import Finding
    from scrubjay_desktop.app.late_parts import LateParts
    from scrubjay_desktop.app.start_options import Start
    from scrubjay_desktop.app.ui import Ui
    from scrubjay_desktop.widgets.theme import Theme


class PageFactory:
    """Makes and connects each page when it is first shown."""

    def __init__(self, ui: Ui, late: LateParts, theme: Theme, start: Start) -> None:
        self._ui = ui
        self._late = late
        self._theme = theme
        self._start = start

    def pages(self) -> tuple[Page, ...]:
        """All pages but the search, in the order of the navigation."""
        timeline = translate("Navigation", "Timeline")
        folders = translate("Navigation", "Folders")
        agents = translate("Navigation", "Agents")
        health = translate("Navigation", "Health")
        settings = translate("Navigation", "Settings")
        # Agents and settings have something to say before there are any notes. Agents come last:
        # their page may appear and go, and the keys of all others stay as they are.
        return (
            Page("timeline", "calendar", title=timeline, make=self._timeline),
            Page("folders", "folder", title=folders, make=self._workspaces),
            Page("health", "health", title=health, make=self._health),
            Page("settings", "settings", title=settings, make=self._settings, needs_notes=False),
            Page("agents", "agents", title=agents, make=self._agents, needs_notes=False),
        )

    def _workspaces(self) -> QWidget:
        from scrubjay_desktop.workspaces.workspaces_page import WorkspacesPage

        ui = self._ui
        # The page asks, and the parts of the app that know how do it.
        page = WorkspacesPage(ui.engine, ui.tasks)
        page.add_requested.connect(ui.window.workspaces.ask_for_folder)
        page.memory_requested.connect(ui.window.requests.memory)
        page.import_requested.connect(ui.window.requests.notes)
        page.requested.connect(lambda *action: self._late.folders.act(*action))
        ui.bridge.received.connect(page.on_event)
        ui.feed.changed.connect(page.show_status)
        return page

    def _agents(self) -> QWidget:
        from scrubjay_desktop.agents.agents_page import AgentsPage

        ui = self._ui
        window = ui.window
        page = AgentsPage(ui.engine, ui.tasks)
        # The page asks for a look, and the part that looks tells it what was found.
        page.look_requested.connect(self._late.agents.look)
        self._late.agents.looked.connect(page.show_found)
        self._late.agents.look()
        page.announced.connect(window.show_message)
        page.folder_requested.connect(lambda folder: self._late.actions.add_found((folder,)))
        page.counted.connect(window.navigation.entries["agents"].show_count)
        ui.bridge.received.connect(page.on_event)
        return page

    def _health(self) -> QWidget:
        from scrubjay_desktop.health.health_page import HealthPage

        ui = self._ui
        window = ui.window

        preferences = ui.preferences
        page = HealthPage(
            ui.engine.health,
            ui.tasks,
            has_agents=preferences.shows_agents,
            found=preferences.attention,
            rest_ms=self._start.health_rest_ms,
            unseen_rest_ms=self._start.unseen_health_rest_ms,
        )
        self._late.agents.looked.connect(page.show_agents)
        page.announced.connect(window.show_message)
        page.settings_requested.connect(window.requests.settings)
        page.models_requested.connect(window.requests.models)
        page.place_requested.connect(ui.opener.reveal)
        page.folders_requested.connect(lambda: window.pages.show_page("folders"))
        page.agents_requested.connect(window.requests.agents)
        page.publish_requested.connect(lambda each: self._late.sharing.publish(each, page.check))
        page.counted.connect(window.show_attention)
        page.show_status(ui.engine.status())
        ui.feed.changed.connect(page.show_status)
        ui.bridge.received.connect(page.on_event)

        def show_note(finding: Finding) -> None:
            # Only findings with a file can be shown.
            assert finding.file is not None
            names = display_names(ui.engine.workspaces())
            row = row_of_line(
                finding.workspace,
                finding.path,
                file=finding.file,
                line=finding.first_line or 1,
                names=names,
            )
            window.show_row(row)

        page.note_requested.connect(show_note)
        return page

    def _timeline(self) -> QWidget:
        from scrubjay_desktop.timeline.timeline_page import TimelinePage

        ui = self._ui
        page = TimelinePage(ui.engine, ui.tasks, ui.opener)
        ui.bridge.received.connect(page.on_event)
        page.search_requested.connect(
            lambda first, last: ui.window.search_for(f"after:{first} before:{last}")
        )
        # What is ticked and added there is told in the window.
        self._late.change_notes_of(page.panes.preview, ui.window.tell)
        page.panes.preview.tag_clicked.connect(lambda tag: ui.window.search_for(f"tag:{tag} "))
        return page

    def _settings(self) -> QWidget:
        from scrubjay_desktop.platform.autostart import create_autostart
        from scrubjay_desktop.settings.settings_page import SettingsPage
        from scrubjay_desktop.settings.window_settings import WindowSettings

        ui = self._ui
        # Choices about the window apply at once, in the parts that they are about.
        window_settings = WindowSettings(ui.preferences, self._late.quick_key, create_autostart())
        window_settings.battery_chosen.connect(ui.feed.refresh)
        window_settings.theme_chosen.connect(self._theme.choose)
        window_settings.editor_chosen.connect(lambda command: setattr(ui.opener, "editor", command))
        page = SettingsPage(
            ui.engine.settings_editor,
            ui.engine.keys,
            tasks=ui.tasks,
            window_settings=window_settings,
        )
        # Files and dialogs are opened by the app.
        page.file_requested.connect(lambda: ui.opener.open(ui.engine.paths.config_file, 1))
        page.models_requested.connect(ui.window.requests.models)
        page.bring_over_requested.connect(ui.window.requests.setups)
        page.announced.connect(ui.window.show_message)
        ui.bridge.received.connect(page.on_event)
        return page
