"""Wires everything together, and knows in which order it starts and quits."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from scrubjay import CancelToken, Engine, Paths
from scrubjay.records.search_records import DocumentInfo
from scrubjay_desktop.app.controllers.access_prompt import AccessQuestions
from scrubjay_desktop.app.controllers.close_policy import Closing
from scrubjay_desktop.app.controllers.engine_actions import EngineActions
from scrubjay_desktop.app.controllers.help_actions import HelpActions
from scrubjay_desktop.app.controllers.model_upgrade_offer import BetterModel
from scrubjay_desktop.app.controllers.notification_policy import NotificationPolicy
from scrubjay_desktop.app.controllers.pause_policy import PausePolicy
from scrubjay_desktop.app.controllers.quick_note import QuickNote
from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent
from scrubjay_desktop.app.controllers.setup_import import SetupImport
from scrubjay_desktop.app.page_factory import PageContext, sections
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks
from scrubjay_desktop.bridge.status_feed import StatusFeed
from scrubjay_desktop.platform.cursor_blink import CursorBlink
from scrubjay_desktop.platform.hotkey.hotkey import Hotkey, hotkey_here
from scrubjay_desktop.platform.power import Power, power_here
from scrubjay_desktop.platform.tray import Tray, tray_here
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.settings.hotkey_setting import QuickKey
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.widgets.icons import app_icon
from scrubjay_desktop.widgets.theme import Choice, Theme
from scrubjay_desktop.windows.main_window import MainWindow
from scrubjay_desktop.windows.navigation import Page
from scrubjay_desktop.windows.quick_search import QuickSearch
from scrubjay_desktop.windows.tray_menu import TrayMenu

if TYPE_CHECKING:
    from scrubjay_desktop.models.models_page import ModelsPage
    from scrubjay_desktop.settings.settings_page import SettingsPage

log = logging.getLogger("scrubjay.desktop")

QUIT_MS = 1800
"""The engine gets this long to close; then the app ends without it."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the app was started."""

    wish: StartRequest = StartRequest.WINDOW
    theme: Choice | None = None
    """Light or dark in place of the person's own choice; for photographs."""
    hotkey: Hotkey | None = None
    """In place of the platform's own; for tests."""
    power: Power | None = None
    """The same."""
    tray: Tray | None = None
    """The same."""


class Desktop(QObject):
    """The running app."""

    started = Signal()
    """The engine watches all folders from now on."""
    quitting = Signal()
    """From now on nothing that is wished for happens any more."""
    _engine_closed = Signal()

    def __init__(
        self, app: QApplication, engine: Engine, paths: Paths, start: Start | None = None
    ) -> None:
        super().__init__(app)
        start = start or Start()
        self._app = app
        self._engine = engine
        self._paths = paths
        self._is_quitting = False
        self._life = CancelToken()
        self._settled = threading.Event()
        self._settled.set()
        self.preferences = Preferences(paths)
        self.theme = Theme(app, start.theme or self.preferences.theme)
        self.caret = CursorBlink(app, self)
        self.tasks = Tasks(self)
        self.bridge = EventBridge(engine.events, self)
        self.feed = StatusFeed(engine, self)
        self.opener = Opener(self.preferences.editor, self)
        self.errands = EngineActions(engine, self.tasks, paths, self._life, self)
        self.window = MainWindow(engine, self.tasks, self.opener, self.preferences)
        self.helping = HelpActions(
            engine, self.tasks, paths, self.window, self._life, self.errands.fail
        )
        self.sending = RemoteConsent(engine, self.window)
        self.access = AccessQuestions(engine, self.window)
        self.popup = QuickSearch(engine, self.tasks, self.opener)
        tray = start.tray or tray_here(self)
        self.tray = TrayMenu(tray, engine, self.tasks, self)
        self.quick_key = QuickKey(
            start.hotkey or hotkey_here(), self.preferences, self.popup.toggle, self
        )
        self.remembering = QuickNote(engine, self.tasks, self.opener, self.preferences, self.window)
        self.resting = PausePolicy(
            engine, self.tasks, self.preferences, start.power or power_here(), self
        )
        self.news = NotificationPolicy(tray, self.preferences, self.window.isActiveWindow, self)
        self.better = BetterModel(engine, self.tasks, self.window)
        self.bringing = SetupImport(engine, self.tasks, self.window)
        self.closing = Closing(self.window, self.preferences, lambda: self.tray.is_visible)
        self._add_pages()
        app.setWindowIcon(app_icon())
        app.setQuitOnLastWindowClosed(False)
        self._connect_core()
        self._connect_window()
        self._connect_tray()

    def begin(self, wish: StartRequest) -> None:
        """Show what was asked for, then start the engine."""
        self.feed.refresh()
        self.window.show_workspaces()
        self.tray.show()
        if wish is StartRequest.BACKGROUND and not self.tray.is_visible:
            # Nobody could find a hidden window on a desktop without a tray.
            self.window.showMinimized()
        elif wish is not StartRequest.BACKGROUND:
            self.fulfil(wish)
        QTimer.singleShot(0, self.quick_key.begin)
        # After the first frame, and beside it: the engine walks through all folders.
        QTimer.singleShot(0, self._start_engine)

    def fulfil(self, wish: StartRequest) -> None:
        """Do what a start of the app asked for."""
        if self._is_quitting:
            return
        match wish:
            case StartRequest.QUICK_SEARCH:
                self.popup.toggle()
            case StartRequest.QUIT:
                self.quit()
            case StartRequest.SAMPLE:
                self.window.present()
                self.errands.add_sample()
            case StartRequest.WINDOW:
                self.window.present()
            case StartRequest.BACKGROUND:
                pass

    def quit(self) -> None:
        """Everything visible goes at once; the engine gets a moment to close."""
        if self._is_quitting:
            return
        self._is_quitting = True
        self.quitting.emit()
        self.window.save_geometry()
        self.popup.hide()
        self.window.hide()
        self._close_ties()
        self.preferences.save()
        self._engine_closed.connect(self._app.quit, Qt.ConnectionType.QueuedConnection)
        threading.Thread(target=self._close_engine, name="scrubjay-quit", daemon=True).start()
        QTimer.singleShot(QUIT_MS, self._app.quit)

    def dispose(self) -> None:
        """Delete the windows while Qt is still there to do it; the engine has started by then."""
        self._is_quitting = True
        self._close_ties()
        self._settled.wait(QUIT_MS / 2000)
        # The feed first: it may be about to tell the windows something.
        for one in (self.feed, self.popup, self.window, self.tray.menu):
            shiboken6.delete(one)

    def show_settings(self) -> SettingsPage:
        """Everything that can be chosen."""
        from scrubjay_desktop.settings.settings_page import SettingsPage

        self.window.present()
        page = self.window.pages.show_page("settings")
        assert isinstance(page, SettingsPage)
        return page

    def _settings_page(self) -> SettingsPage:
        from scrubjay_desktop.platform.autostart import autostart_here
        from scrubjay_desktop.settings.settings_page import SettingsPage
        from scrubjay_desktop.settings.window_settings import WindowSettings

        chosen = WindowSettings(self.preferences, self.quick_key, autostart_here())
        chosen.battery_chosen.connect(self.feed.refresh)
        chosen.theme_chosen.connect(self._choose_theme)
        chosen.editor_chosen.connect(lambda command: setattr(self.opener, "editor", command))
        page = SettingsPage(self._engine.settings_editor, self._engine.keys, self.tasks, chosen)
        page.file_requested.connect(lambda: self.opener.open(self._paths.config_file, 1))
        page.models_requested.connect(self.show_models)
        page.announced.connect(self.window.show_message)
        self.bridge.received.connect(page.on_event)
        return page

    def show_models(self) -> ModelsPage:
        """The models that can be had."""
        from scrubjay_desktop.models.models_page import ModelsPage

        self.window.present()
        page = ModelsPage(self._engine, self.tasks, self.window)
        self.bridge.received.connect(page.on_event)
        page.open()
        return page

    def _add_pages(self) -> None:
        surroundings = PageContext(
            self._engine,
            self.tasks,
            self.bridge,
            self.feed,
            self.errands,
            self.opener,
            self.preferences,
            self.window,
            self._life,
        )
        settings = Page("settings", "settings", self.tr("Settings"), self._settings_page)
        for page in (*sections(surroundings), settings):
            self.window.add_page(page)

    def _connect_core(self) -> None:
        self.started.connect(self.feed.refresh)
        self.bridge.received.connect(self.feed.on_event)
        self.bridge.received.connect(self.sending.on_event)
        self.bridge.received.connect(self.access.on_event)
        self.access.answered.connect(
            lambda request, is_allowed, always: self._engine.agents.answer(
                request, is_allowed=is_allowed, always=always
            )
        )
        self.sending.allowed.connect(self.errands.send)
        self.errands.workspaces_changed.connect(self._workspaces_changed)
        self.errands.refused.connect(self.window.tell)
        self.feed.changed.connect(self.window.show_status)
        self.feed.changed.connect(self.tray.show_status)
        for listener in (self.resting, self.news):
            self.feed.changed.connect(listener.show_status)
            self.bridge.received.connect(listener.on_event)
        self.news.all_read.connect(self.better.offer)
        self.better.asked.connect(self.show_models)
        self.feed.workspaces_changed.connect(self._workspaces_changed)
        self.feed.notes_changed.connect(self.window.search.search.repeat)
        self.feed.notes_changed.connect(self.popup.repeat)
        self.feed.announced.connect(self.window.tell)
        self.opener.failed.connect(self.window.tell)
        self.tasks.broke.connect(self.helping.show_bug)
        self._app.paletteChanged.connect(lambda _: self.tray.recolor())
        self._app.commitDataRequest.connect(lambda _: self.window.save_geometry())

    def _connect_window(self) -> None:
        window = self.window
        window.close_requested.connect(self.closing.close_window)
        self.closing.quit_requested.connect(self.quit)
        window.quit_requested.connect(self.quit)
        window.quick_search_requested.connect(self.popup.present)
        window.remember_requested.connect(self.remembering.present)
        window.settings_requested.connect(self.show_settings)
        window.models_requested.connect(self.show_models)
        window.model_dropped.connect(lambda file: self.show_models().offer_file(file))
        window.help_requested.connect(self.helping.show_help)
        window.sample_requested.connect(self.errands.add_sample)
        # After the frame in which the page is painted.
        window.look_requested.connect(lambda: QTimer.singleShot(0, self._look_around))
        window.bring_over_requested.connect(self.bringing.present)
        self.bringing.found.connect(window.first_run.show_setups)
        self.bringing.announced.connect(window.show_message)
        self.bringing.workspaces_changed.connect(self._workspaces_changed)
        window.found_added.connect(self.errands.add_found)
        window.folder_added.connect(self.errands.add_folder)
        window.forgotten.connect(self.errands.forget)
        window.refreshed.connect(self.errands.refresh)
        window.left_out.connect(self.errands.leave_out)
        window.taken_back.connect(self.errands.take_back)
        window.status_line.paused.connect(self.resting.pause)
        window.status_line.resumed.connect(self.resting.resume)
        self.popup.row_chosen.connect(self._show_row)

    def _connect_tray(self) -> None:
        tray = self.tray
        self.quick_key.refused.connect(self.window.tell)
        self.quick_key.changed.connect(lambda: tray.show_keys(self.quick_key.working_keys))
        tray.window_requested.connect(self.window.present)
        tray.quick_search_requested.connect(self.popup.present)
        tray.remember_requested.connect(self.remembering.present)
        tray.settings_requested.connect(self.show_settings)
        tray.help_requested.connect(self.helping.show_help)
        tray.quit_requested.connect(self.quit)
        tray.paused.connect(self.resting.pause)
        tray.resumed.connect(self.resting.resume)
        tray.document_opened.connect(self._open_document)

    def _start_engine(self) -> None:
        if self._is_quitting:
            return
        self.resting.begin()
        self._settled.clear()
        self.tasks.run(
            self._start_and_settle,
            self._life,
            done=lambda _: self.started.emit(),
            failed=self.errands.fail,
        )

    def _start_and_settle(self) -> None:
        try:
            self._engine.start()
        finally:
            self._settled.set()

    def _workspaces_changed(self) -> None:
        self.feed.refresh()
        self.window.show_workspaces()

    def _show_row(self, row: Row) -> None:
        self.window.present()
        self.window.search.set_text(self.popup.search.text)
        self.window.show_row(row)

    def _open_document(self, document: DocumentInfo) -> None:
        self.opener.open(document.file, 1)

    def _look_around(self) -> None:
        if not self._is_quitting:
            self.errands.look_around(self.window.first_run)
            self.bringing.look()

    def _choose_theme(self, choice: Choice) -> None:
        self.theme.choose(choice)

    def _close_ties(self) -> None:
        """From here on nothing reaches the windows from elsewhere."""
        self._life.cancel()
        self.quick_key.close()
        self.tray.close()
        self.feed.close()
        self.sending.close()
        self.access.close()
        self.resting.close()
        self.bringing.close()
        self.remembering.close()
        self.window.search.search.close()
        self.popup.search.close()
        self.tasks.close()
        self.bridge.close()

    def _close_engine(self) -> None:
        # Closing what is half started would leave the other half running.
        self._settled.wait(QUIT_MS / 2000)
        try:
            self._engine.close()
        except Exception:  # the app must end whatever the engine does
            log.exception("The engine did not close")
        # Who took too long finds nobody there to be told.
        with contextlib.suppress(RuntimeError):
            self._engine_closed.emit()
