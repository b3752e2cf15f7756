"""Builds and connects the parts of the app, and starts and quits them in order."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QApplication, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.late_parts import LateParts
from scrubjay_desktop.app.page_factory import PageFactory
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.app.ui import Ui
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks
from scrubjay_desktop.bridge.engine_feed import StatusFeed
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.widgets.icons import app_icon
from scrubjay_desktop.widgets.painting import FirstPaint
from scrubjay_desktop.widgets.theme import Theme
from scrubjay_desktop.windows.main_window import MainWindow

if TYPE_CHECKING:
    from scrubjay.cli.command_server import CommandServer
    from scrubjay.engine.uninstallation import Part
    from scrubjay_desktop.models.models_dialog import ModelsDialog
    from scrubjay_desktop.settings.settings_page import SettingsPage

log = logging.getLogger("scrubjay.desktop")

QUIT_MS = 1800
"""Milliseconds that the engine gets to close; then the app ends without it."""
UNINSTALL_MS = 30_000
"""Milliseconds that it gets before its files are deleted; then they stay."""


class Desktop(LazyParts, QObject):
    """The running app."""

    shown = Signal()
    """Signal that the first frame is there."""
    started = Signal()
    """Signal that the engine watches all folders from now on."""
    quitting = Signal()
    """Signal that is emitted once; later requests are ignored."""
    engine_closed = Signal()

    def __init__(
        self, qapp: QApplication, engine: Engine, paths: Paths, start: Start | None = None
    ) -> None:
        super().__init__(qapp)
        start = start or Start()
        self.qapp = qapp
        self.engine = engine
        self.paths = paths
        self._is_quitting = False
        self.deleted_parts: Collection[Part] = ()
        """Parts whose files are deleted after the app has quit, since it is being uninstalled."""
        self.is_engine_closed = False
        self.life = CancelToken()
        """Token that is cancelled when the app quits."""
        # Set while no start is under way, so that quitting can wait for the end of one.
        self._settled = threading.Event()
        self._settled.set()
        # First what the windows ask and hear from, then the window itself and its pages.
        self.preferences = Preferences(paths)
        self.theme = Theme(qapp, start.theme or self.preferences.theme)
        self.tasks = Tasks(self)
        self.bridge = EventBridge(engine.events, self)
        self.feed = StatusFeed(engine, self)
        self.opener = Opener(self.preferences.editor, self, self.preferences.programs)
        self.window = MainWindow(
            engine, self.tasks, opener=self.opener, preferences=self.preferences
        )
        self.ui = Ui(
            engine=engine,
            bridge=self.bridge,
            feed=self.feed,
            tasks=self.tasks,
            preferences=self.preferences,
            opener=self.opener,
            window=self.window,
            life=self.life,
        )
        self.late = LateParts(self.ui, start, parent=self)
        for page in PageFactory(self.ui, self.late, self.theme, start).pages():
            self.window.add_page(page)
        self.window.show_agents_entry(self.preferences.shows_agents)
        # The number of findings is that of the last time, until the first health check.
        self.window.show_attention(self.preferences.attention)
        qapp.setQuitOnLastWindowClosed(False)
        self._connect()

    def begin(self, request: StartRequest) -> None:
        """Show the window or the popup that the request names; all else follows its first frame."""
        self.feed.refresh()
        windows: list[QWidget] = [self.window]
        match request:
            case StartRequest.BACKGROUND:
                self.late.make_all()
                if not self.late.tray.is_visible:
                    # On a desktop without a tray a hidden window could not be found.
                    self.window.showMinimized()
            case StartRequest.QUICK_SEARCH:
                windows.append(self.late.popup)
                self.late.popup.present()
            case _:
                self.fulfil(request)
        FirstPaint(windows).painted.connect(self._go_on)

    def fulfil(self, request: StartRequest) -> None:
        """Do what this or a later start of the app requests."""
        if self._is_quitting:
            return
        # A start in the background shows nothing.
        match request:
            case StartRequest.QUICK_SEARCH:
                self.late.popup.toggle()
            case StartRequest.QUIT:
                self.quit()
            case StartRequest.SAMPLE:
                self.window.present()
                self.late.actions.add_sample()
            case StartRequest.WINDOW:
                self.window.present()
            case StartRequest.BACKGROUND:
                pass

    def quit(self) -> None:
        """Hide everything at once; the engine gets its time to close."""
        if self._is_quitting:
            return
        self._is_quitting = True
        # It ends in any case: a part that is made or closed now may fail, as where the program was
        # moved while it started.
        QTimer.singleShot(self._closing_ms, self.qapp.quit)
        # What the user sees goes first, and nothing may reach it from now on.
        self.quitting.emit()
        self.window.save_geometry()
        if self.late.is_made("popup"):
            self.late.popup.hide()
        self.window.hide()
        self._close_ties()
        self.preferences.save()
        # The engine closes on its own thread, and the app does not wait longer than it may.
        self.engine_closed.connect(self.qapp.quit, Qt.ConnectionType.QueuedConnection)
        threading.Thread(target=self._close_engine, name="scrubjay-quit", daemon=True).start()

    def quit_and_delete(self, parts: Collection[Part]) -> None:
        """Quit; the files of these parts are deleted once nothing uses them."""
        self.deleted_parts = parts
        self.quit()

    def dispose(self) -> None:
        """Delete the windows while Qt is still there to do it; the engine has started by then."""
        self._is_quitting = True
        self._close_ties()
        self._settled.wait(QUIT_MS / 2000)
        self.close_made("commands")
        # The feed first: it may be about to emit a status to the windows.
        shiboken6.delete(self.feed)
        self.late.dispose()
        shiboken6.delete(self.window)

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

        # The dialog is over the window, so the window is shown first.
        self.window.present()
        dialog = ModelsDialog(
            self.engine, self.tasks, stored=self.preferences.stored, parent=self.window
        )
        self.bridge.received.connect(dialog.on_event)
        dialog.open()
        return dialog

    def _connect(self) -> None:
        # Once the parts are made the engine starts, and then more is known.
        self.late.made.connect(self._start_engine)
        self.started.connect(self.late.look)
        self.started.connect(self.feed.refresh)
        self.started.connect(self.window.pinned.recount)
        self.started.connect(partial(self.window.pages.prepare, "health"))
        # News of the engine go through the feed to the window.
        self.bridge.received.connect(self.feed.on_event)
        self.feed.changed.connect(self.window.show_status)
        self.feed.workspaces_changed.connect(self.window.show_workspaces)
        self.feed.notes_changed.connect(self.window.search.search.repeat)
        self.feed.notes_changed.connect(self.window.pinned.recount)
        self.feed.notes_changed.connect(self.window.try_note_again)
        self.feed.announced.connect(lambda sentence, cause: self.window.tell(sentence, cause=cause))
        self.feed.resolved.connect(self.window.resolve)
        self.window.requests.refresh.connect(lambda _: self.window.banner.ask_again())
        # Messages of parts that have no place of their own for them.
        self.opener.failed.connect(self.window.tell)
        self.tasks.broke.connect(lambda error: self.late.bug_reports.show_bug(error))
        self.qapp.commitDataRequest.connect(lambda _: self.window.save_geometry())
        self._connect_window()

    def _connect_window(self) -> None:
        window = self.window
        requests = window.requests
        late = self.late
        requests.settings.connect(self.show_settings)
        requests.help.connect(self._show_help)
        requests.uninstall.connect(self._show_uninstall)
        requests.quit.connect(self.quit)
        requests.models.connect(self.show_models)
        window.model_dropped.connect(lambda file: self.show_models().offer_file(file))
        # After the frame in which the page is painted.
        window.first_run.look_requested.connect(lambda: QTimer.singleShot(0, self._look_around))
        # A click may come before the part that acts on it, which is made then.
        asked: tuple[tuple[SignalInstance, Callable[..., object]], ...] = (
            (requests.close, lambda: late.close_window()),
            (window.first_run.sample_requested, lambda: late.actions.add_sample()),
            (requests.setups, lambda: late.setup_import.present()),
            (requests.memory, lambda: late.sharing.add()),
            (requests.notes, lambda: late.note_imports.choose()),
            (window.export_dropped, lambda file: late.note_imports.present(file)),
            (window.found_added, lambda folders: late.actions.add_found(folders)),
            (window.folder_added, lambda folder: late.actions.add_folder(folder)),
            (requests.refresh, lambda workspace: late.actions.refresh(workspace)),
            (
                window.skip_requested,
                lambda workspace, path, is_skipped: late.actions.set_skipped(
                    workspace, path, is_skipped=is_skipped
                ),
            ),
            (requests.quick_search, lambda: late.popup.present()),
            (requests.remember, lambda: late.quick_note.present()),
            (requests.agents, lambda: late.agents.present()),
            (window.workspaces.requested, lambda *action: late.folders.act(*action)),
            (window.status_line.paused, lambda minutes: late.pausing.pause(minutes)),
            (window.status_line.resumed, lambda: late.pausing.resume()),
        )
        for signal, act in asked:
            signal.connect(act)

    def _show_help(self) -> None:
        from scrubjay_desktop.app.controllers.help_actions import show_help

        show_help(self.ui)

    def _show_uninstall(self) -> None:
        from scrubjay_desktop.app.controllers.uninstalling import show_uninstall

        show_uninstall(self.ui, self.quit_and_delete)

    def _go_on(self) -> None:
        """After the first frame: search, and make what that frame did not show."""
        if self._is_quitting:
            return
        self.window.show_workspaces()
        self.qapp.setWindowIcon(app_icon())
        self.shown.emit()
        self.late.begin()

    @lazy
    def commands(self) -> CommandServer:
        """Answers to commands of the terminal and to hooks of agents."""
        from scrubjay.cli.command_server import CommandServer

        return CommandServer(self.engine)

    def _start_engine(self) -> None:
        if self._is_quitting:
            return
        # A pause from before the last quit holds from the first moment on.
        self.late.pausing.begin()
        self._settled.clear()
        self.tasks.run(
            self._start_and_settle,
            self.life,
            done=lambda _: self.started.emit(),
            failed=self.late.actions.fail,
        )

    def _start_and_settle(self) -> None:
        try:
            self.engine.start()
            self.commands.start()
        finally:
            self._settled.set()

    def _look_around(self) -> None:
        if not self._is_quitting:
            self.late.actions.look_around(self.window.first_run)
            self.late.setup_import.look()

    def _close_ties(self) -> None:
        """Let nothing reach the windows from other threads or programs from here on."""
        self.life.cancel()
        self.late.close()
        for part in (self.feed, self.window.search.search, self.tasks, self.bridge):
            part.close()

    @property
    def _closing_ms(self) -> int:
        """Milliseconds that the engine gets to close."""
        # An engine that still runs would write what is being deleted.
        if self.deleted_parts:
            return UNINSTALL_MS
        return QUIT_MS

    def _close_engine(self) -> None:
        # Closing a half-started engine would leave its other half running.
        is_settled = self._settled.wait(self._closing_ms / 2000)
        try:
            self.close_made("commands")
            self.engine.close()
            self.is_engine_closed = is_settled
        # The app must end in any case.
        except Exception:
            log.exception("The engine did not close")
        # After its time the app has ended, and there is no Desktop left to emit the signal.
        with contextlib.suppress(RuntimeError):
            self.engine_closed.emit()
