"""Builds and connects the parts of the app, and starts and quits them in order."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts
from scrubjay_desktop.app.controllers.bug_report import BugReports
from scrubjay_desktop.app.controllers.engine_actions import EngineActions, FolderActions
from scrubjay_desktop.app.controllers.help_actions import show_help
from scrubjay_desktop.app.controllers.note_changes import NoteChanges
from scrubjay_desktop.app.controllers.note_import import NoteImports
from scrubjay_desktop.app.controllers.policies import (
    AgentsPolicy,
    ClosePolicy,
    NotificationPolicy,
    PausePolicy,
    offer_upgrade,
    tell_failed_download,
)
from scrubjay_desktop.app.controllers.quick_note import QuickNote
from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent
from scrubjay_desktop.app.controllers.setup_import import SetupImport
from scrubjay_desktop.app.page_factory import pages
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks
from scrubjay_desktop.bridge.status_feed import StatusFeed
from scrubjay_desktop.platform.hotkey.factory import hotkey_here
from scrubjay_desktop.platform.hotkey.hotkey import Hotkey
from scrubjay_desktop.platform.power import IsOnBattery, is_on_battery
from scrubjay_desktop.platform.tray import SystemTray, tray_here
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.settings.hotkey_setting import HotkeySetting
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.formatting import attention_words
from scrubjay_desktop.widgets.icons import app_icon
from scrubjay_desktop.widgets.painting import FirstPaint
from scrubjay_desktop.widgets.theme import Theme, ThemeChoice
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.windows.quick_search import QuickSearch
from scrubjay_desktop.windows.tray_menu import TrayMenu

if TYPE_CHECKING:
    from scrubjay_desktop.models.models_dialog import ModelsDialog
    from scrubjay_desktop.settings.settings_page import SettingsPage

log = logging.getLogger("scrubjay.desktop")

QUIT_MS = 1800
"""The engine gets this long to close; then the app ends without it."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the app was started."""

    request: StartRequest = StartRequest.WINDOW
    theme: ThemeChoice | None = None
    """Light or dark in place of the user's own choice; for screenshots."""
    hotkey: Hotkey | None = None
    """In place of the platform's own; for tests."""
    is_on_battery: IsOnBattery = is_on_battery
    """The same."""
    tray: SystemTray | None = None
    """The same."""


class Desktop(QObject):
    """The running app."""

    started = Signal()
    """The engine watches all folders from now on."""
    quitting = Signal()
    """Emitted once; later requests are ignored."""
    engine_closed = Signal()

    def __init__(
        self, app: QApplication, engine: Engine, paths: Paths, start: Start | None = None
    ) -> None:
        super().__init__(app)
        start = start or Start()
        self._app = app
        self.engine = engine
        self.paths = paths
        self._is_quitting = False
        self.life = CancelToken()
        """Cancelled when the app quits."""
        self._settled = threading.Event()
        self._settled.set()
        self.preferences = Preferences(paths)
        self.theme = Theme(app, start.theme or self.preferences.theme)
        self.tasks = Tasks(self)
        self.bridge = EventBridge(engine.events, self)
        self.feed = StatusFeed(engine, self)
        self.opener = Opener(self.preferences.editor, self, self.preferences.programs)
        self.actions = EngineActions(engine, self.tasks, paths, self.life, self)
        self.window = MainWindow(engine, self.tasks, self.opener, self.preferences)
        self.bug_reports = BugReports(paths, self.window, self.life)
        self.remote_consent = RemoteConsent(engine, self.window)
        self.access_prompts = AccessPrompts(engine, self.window)
        self.popup = QuickSearch(engine, self.tasks, self.opener, self.preferences)
        tray = start.tray or tray_here(self)
        self.tray = TrayMenu(tray, engine, self.tasks, self.window)
        self.quick_key = HotkeySetting(
            start.hotkey or hotkey_here(), self.preferences, self.popup.toggle, self
        )
        self.quick_note = QuickNote(engine, self.tasks, self.opener, self.preferences, self.window)
        NoteChanges(engine, self.tasks, self.window.preview, self.window.tell, self.life)
        self.pausing = PausePolicy(engine, self.tasks, self.preferences, start.is_on_battery, self)
        is_active = self.window.isActiveWindow
        self.notifications = NotificationPolicy(tray.notify, self.preferences, is_active, self)
        self.setup_import = SetupImport(engine, self.tasks, self.window)
        self.note_imports = NoteImports(engine, self.tasks, self.window)
        self.folders = FolderActions(self)
        self.close_policy = ClosePolicy(self.window, self.preferences, lambda: self.tray.is_visible)
        for page in pages(self):
            self.window.add_page(page)
        self.agents = AgentsPolicy(engine, self.tasks, self.preferences, self.window, self.life)
        self.show_attention(self.preferences.attention)
        app.setWindowIcon(app_icon())
        app.setQuitOnLastWindowClosed(False)
        self._connect_core()
        self._connect_window()

    def begin(self, request: StartRequest) -> None:
        """Show the window or the popup that the request names, then start the engine."""
        self.feed.refresh()
        self.window.show_workspaces()
        self.tray.show()
        if request is StartRequest.BACKGROUND and not self.tray.is_visible:
            # On a desktop without a tray a hidden window could not be found.
            self.window.showMinimized()
        elif request is not StartRequest.BACKGROUND:
            self.fulfil(request)
        QTimer.singleShot(0, self.quick_key.begin)
        # On another thread, that shares the interpreter: the engine walks through all folders.
        FirstPaint((self.window, self.popup), self._start_engine)

    def fulfil(self, request: StartRequest) -> None:
        """Do what this or a later start of the app requests."""
        if self._is_quitting:
            return
        match request:
            case StartRequest.QUICK_SEARCH:
                self.popup.toggle()
            case StartRequest.QUIT:
                self.quit()
            case StartRequest.SAMPLE:
                self.window.present()
                self.actions.add_sample()
            case StartRequest.WINDOW:
                self.window.present()
            case StartRequest.BACKGROUND:
                pass

    def quit(self) -> None:
        """Hide everything at once; the engine gets QUIT_MS to close."""
        if self._is_quitting:
            return
        self._is_quitting = True
        self.quitting.emit()
        self.window.save_geometry()
        self.popup.hide()
        self.window.hide()
        self._close_ties()
        self.preferences.save()
        self.engine_closed.connect(self._app.quit, Qt.ConnectionType.QueuedConnection)
        threading.Thread(target=self._close_engine, name="scrubjay-quit", daemon=True).start()
        QTimer.singleShot(QUIT_MS, self._app.quit)

    def dispose(self) -> None:
        """Delete the windows while Qt is still there to do it; the engine has started by then."""
        self._is_quitting = True
        self._close_ties()
        self._settled.wait(QUIT_MS / 2000)
        # The feed first: it may be about to emit a status to the windows.
        for item in (self.feed, self.popup, self.window, self.tray.menu):
            shiboken6.delete(item)

    def show_settings(self) -> SettingsPage:
        """The settings page, shown in the window."""
        from scrubjay_desktop.settings.settings_page import SettingsPage

        self.window.present()
        page = self.window.pages.show_page("settings")
        assert isinstance(page, SettingsPage)
        return page

    def show_models(self) -> ModelsDialog:
        """The dialog with all models, opened."""
        from scrubjay_desktop.models.models_dialog import ModelsDialog

        self.window.present()
        dialog = ModelsDialog(self.engine, self.tasks, self.preferences.stored, self.window)
        self.bridge.received.connect(dialog.on_event)
        dialog.open()
        return dialog

    def show_attention(self, found: int, of_folders: int = 0) -> None:
        """Show how many findings need the user; a restart shows those of the check-up at once."""
        self.preferences.attention, count = found, found + of_folders
        self.window.navigation.entries["health"].show_count(count, attention_words(count))

    def _connect_core(self) -> None:
        self.started.connect(self.feed.refresh)
        self.started.connect(self.agents.look)
        self.started.connect(self.window.pinned.recount)
        self.started.connect(partial(self.window.pages.prepare, "health"))
        self.bridge.received.connect(self.feed.on_event)
        self.bridge.received.connect(partial(tell_failed_download, self.window))
        for asking in (self.remote_consent, self.access_prompts, self.agents):
            self.bridge.received.connect(asking.on_event)
        self.access_prompts.answered.connect(
            lambda request, is_allowed, always: self.engine.agents.answer(
                request, is_allowed=is_allowed, always=always
            )
        )
        self.remote_consent.allowed.connect(self.actions.send)
        self.actions.workspaces_changed.connect(self._workspaces_changed)
        self.actions.refused.connect(self.window.tell)
        self.feed.changed.connect(self.window.show_status)
        self.feed.changed.connect(self.tray.show_status)
        for listener in (self.pausing, self.notifications):
            self.feed.changed.connect(listener.show_status)
            self.bridge.received.connect(listener.on_event)
        self.notifications.all_read.connect(
            lambda: offer_upgrade(self.engine, self.tasks, self.window, self.show_models)
        )
        self.feed.workspaces_changed.connect(self._workspaces_changed)
        self.feed.notes_changed.connect(self.window.search.search.repeat)
        self.feed.notes_changed.connect(self.popup.repeat)
        self.feed.notes_changed.connect(self.window.pinned.recount)
        self.feed.announced.connect(self.window.tell)
        self.opener.failed.connect(self.window.tell)
        self.tasks.broke.connect(self.bug_reports.show_bug)
        self._app.paletteChanged.connect(lambda _: self.tray.recolor())
        self._app.commitDataRequest.connect(lambda _: self.window.save_geometry())

    def _connect_window(self) -> None:
        window = self.window
        window.close_requested.connect(self.close_policy.close_window)
        self.close_policy.quit_requested.connect(self.quit)
        window.models_requested.connect(self.show_models)
        window.model_dropped.connect(lambda file: self.show_models().offer_file(file))
        window.first_run.sample_requested.connect(self.actions.add_sample)
        # After the frame in which the page is painted.
        window.first_run.look_requested.connect(lambda: QTimer.singleShot(0, self._look_around))
        window.bring_over_requested.connect(self.setup_import.present)
        self.started.connect(self.setup_import.look)
        self.setup_import.setups_found.connect(window.offer_import)
        self.setup_import.announced.connect(window.show_message)
        self.setup_import.workspaces_changed.connect(self._workspaces_changed)
        window.note_import_requested.connect(self.note_imports.choose)
        window.export_dropped.connect(self.note_imports.present)
        self.bridge.received.connect(self.note_imports.on_event)
        self.note_imports.announced.connect(window.show_message)
        self.note_imports.workspaces_changed.connect(self._workspaces_changed)
        window.found_added.connect(self.actions.add_found)
        window.folder_added.connect(self.actions.add_folder)
        window.refreshed.connect(self.actions.refresh)
        window.left_out.connect(self.actions.leave_out)
        window.taken_back.connect(self.actions.take_back)
        self.popup.row_chosen.connect(self._show_row)
        self.popup.pane.built.connect(
            lambda preview: NoteChanges(
                self.engine, self.tasks, preview, self.popup.pane.banner.tell, self.life
            )
        )
        self.popup.actions_of_popup.pinned = window.pinned
        self.quick_key.refused.connect(window.tell)
        self.quick_key.changed.connect(self.tray.show_keys)
        self.quick_key.changed.connect(window.window_actions.show_quick_keys)
        self.quick_key.changed.connect(window.search.first_questions.show_quick_keys)
        self.tray.document_opened.connect(lambda document: self.opener.open(document.file, 1))
        window.quick_search_requested.connect(self.popup.present)
        window.remember_requested.connect(self.quick_note.present)
        window.settings_requested.connect(self.show_settings)
        window.help_requested.connect(lambda: show_help(self))
        window.quit_requested.connect(self.quit)
        window.status_line.paused.connect(self.pausing.pause)
        window.status_line.resumed.connect(self.pausing.resume)

    def _start_engine(self) -> None:
        if self._is_quitting:
            return
        self.pausing.begin()
        self._settled.clear()
        self.tasks.run(
            self._start_and_settle,
            self.life,
            done=lambda _: self.started.emit(),
            failed=self.actions.fail,
        )

    def _start_and_settle(self) -> None:
        try:
            self.engine.start()
        finally:
            self._settled.set()

    def _workspaces_changed(self) -> None:
        self.feed.refresh()
        self.window.show_workspaces()

    def _show_row(self, row: Row) -> None:
        self.window.present()
        self.window.search.set_text(self.popup.search.text)
        self.window.show_row(row)

    def _look_around(self) -> None:
        if not self._is_quitting:
            self.actions.look_around(self.window.first_run)
            self.setup_import.look()

    def _close_ties(self) -> None:
        """Let nothing reach the windows from other threads or programs from here on."""
        self.life.cancel()
        for part in (
            self.quick_key,
            self.tray,
            self.feed,
            self.remote_consent,
            self.access_prompts,
            self.pausing,
            self.setup_import,
            self.note_imports,
            self.quick_note,
            self.window.search.search,
            self.popup.search,
            self.tasks,
            self.bridge,
        ):
            part.close()

    def _close_engine(self) -> None:
        # Closing a half-started engine would leave its other half running.
        self._settled.wait(QUIT_MS / 2000)
        try:
            self.engine.close()
        except Exception:  # the app must end in any case
            log.exception("The engine did not close")
        # After QUIT_MS the app has ended, and there is no Desktop left to emit the signal.
        with contextlib.suppress(RuntimeError):
            self.engine_closed.emit()
