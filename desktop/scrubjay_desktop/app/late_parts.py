"""Parts of the app that its first frame does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from scrubjay.concurrency.lazy import LazyParts, lazy

if TYPE_CHECKING:
    from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts
    from scrubjay_desktop.app.controllers.agents_entry import AgentsEntryController
    from scrubjay_desktop.app.controllers.bug_report import BugReports
    from scrubjay_desktop.app.controllers.engine_actions import EngineActions
    from scrubjay_desktop.app.controllers.folder_menu_actions import FolderActions
    from scrubjay_desktop.app.controllers.note_edit_actions import NoteEditController
    from scrubjay_desktop.app.controllers.note_import import NoteImports
    from scrubjay_desktop.app.controllers.notifications import NotificationController
    from scrubjay_desktop.app.controllers.pausing import PauseController
    from scrubjay_desktop.app.controllers.quick_note import QuickNote
    from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent
    from scrubjay_desktop.app.controllers.setup_import import SetupImport
    from scrubjay_desktop.app.controllers.sharing_actions import SharingActions
    from scrubjay_desktop.app.controllers.window_closing import CloseController
    from scrubjay_desktop.app.start_options import Start
    from scrubjay_desktop.app.ui import Ui
    from scrubjay_desktop.platform.tray import SystemTray
    from scrubjay_desktop.preview.preview import Preview
    from scrubjay_desktop.results.result_rows import Row
    from scrubjay_desktop.settings.hotkey_setting import HotkeySetting
    from scrubjay_desktop.windows.quick_search import QuickSearch
    from scrubjay_desktop.windows.tray_menu import TrayMenu

_REACHED_FROM_ELSEWHERE = (
    "quick_key",
    "tray",
    "remote_consent",
    "access_prompts",
    "pausing",
    "setup_import",
    "note_imports",
    "quick_note",
)
"""Names of the parts that other threads or programs reach, in the order of closing."""


class LateParts(LazyParts, QObject):
    """Each part is imported, made and connected at its first use, or else after the first frame."""

    made = Signal()
    """Signal that all parts are there."""

    def __init__(self, ui: Ui, start: Start, parent: QObject) -> None:
        super().__init__(parent)
        self._ui = ui
        self._start = start
        self._steps = self._all_steps()

    def begin(self) -> None:
        """Make what is missing, part by part, and let the user click and type between two."""
        if self._ui.life.cancelled:
            return
        # One step, then the event loop, then the next one.
        for _ in self._steps:
            QTimer.singleShot(0, self, self.begin)
            return
        self.made.emit()

    def make_all(self) -> None:
        """Make all parts now."""
        for _ in self._steps:
            pass

    def look(self) -> None:
        """Look for agents and for set-ups of other programs, once the engine has started."""
        self.agents.look()
        self.setup_import.look()

    def close(self) -> None:
        """Let nothing reach the windows from other threads or programs."""
        # Parts that were never needed are not made to be closed.
        self.close_made(*_REACHED_FROM_ELSEWHERE)
        if self.is_made("popup"):
            self.popup.search.close()

    def dispose(self) -> None:
        """Delete the windows of the parts."""
        if self.is_made("popup"):
            shiboken6.delete(self.popup)
        if self.is_made("tray"):
            shiboken6.delete(self.tray.menu)

    def _all_steps(self) -> Iterator[QObject]:
        # What the user needs first comes first: the note, the popup, the tray and the key.
        yield self._ui.window.preview
        yield self.actions
        yield self.popup
        yield self.tray
        self.tray.show()
        yield self.quick_key
        self.quick_key.begin()
        yield self.bug_reports
        yield self.folders
        yield self.note_changes
        yield self.quick_note
        yield self.close_policy
        yield self.pausing
        yield self.notifications
        yield self.remote_consent
        yield self.access_prompts
        yield self.agents
        yield self.setup_import
        yield self.note_imports

    @lazy
    def actions(self) -> EngineActions:
        """Commands of the user for the engine."""
        from scrubjay_desktop.app.controllers.engine_actions import EngineActions

        ui = self._ui
        actions = EngineActions(ui.engine, ui.tasks, life=ui.life, parent=self)
        actions.workspaces_changed.connect(ui.feed.refresh_workspaces)
        actions.refused.connect(ui.window.tell)
        return actions

    @lazy
    def folders(self) -> FolderActions:
        """Commands of the user for a folder."""
        from scrubjay_desktop.app.controllers.folder_menu_actions import FolderActions

        ui = self._ui
        folders = FolderActions(ui, self.actions, self)
        # A folder that is absent is offered to be located, a new one to be chosen from.
        folders.announced.connect(ui.window.show_message)
        folders.sharing_requested.connect(lambda *action: self.sharing.act(*action))
        ui.feed.changed.connect(folders.show_status)
        ui.opener.away.connect(folders.offer_to_locate)
        self.actions.added.connect(folders.offer_to_choose)
        return folders

    @lazy
    def sharing(self) -> SharingActions:
        """Commands of the user about what is shared, made at the first of them."""
        from scrubjay_desktop.app.controllers.sharing_actions import SharingActions

        ui = self._ui
        sharing = SharingActions(ui, self)
        # Progress comes as events, outcomes come to the one who asked.
        sharing.announced.connect(ui.window.show_message)
        sharing.workspaces_changed.connect(ui.feed.refresh_workspaces)
        ui.bridge.received.connect(sharing.on_event)
        return sharing

    @lazy
    def popup(self) -> QuickSearch:
        """The popup, hidden."""
        from scrubjay_desktop.windows.quick_search import QuickSearch

        ui = self._ui
        popup = QuickSearch(ui.engine, ui.tasks, opener=ui.opener, preferences=ui.preferences)
        # The popup shares the pinned searches with the window, and shows its notes there.
        popup.actions_of_popup.pinned = ui.window.pinned
        popup.row_chosen.connect(self._show_in_window)
        popup.pane.built.connect(
            lambda preview: self.change_notes_of(preview, popup.pane.banner.tell)
        )
        ui.feed.notes_changed.connect(popup.repeat)
        return popup

    def _show_in_window(self, row: Row) -> None:
        """Show a row of the popup in the window, with the question that found it."""
        window = self._ui.window
        window.present()
        window.search.set_text(self.popup.search.text)
        window.show_row(row)

    @lazy
    def quick_note(self) -> QuickNote:
        """Notes written in their own box."""
        from scrubjay_desktop.app.controllers.quick_note import QuickNote

        return QuickNote(self._ui)

    @lazy
    def note_changes(self) -> NoteEditController:
        """Changes to the note that the window shows."""
        return self.change_notes_of(self._ui.window.preview, self._ui.window.tell)

    def change_notes_of(self, preview: Preview, tell: Callable[..., object]) -> NoteEditController:
        """The writing of what is ticked and added in a preview, with the place of its messages."""
        from scrubjay_desktop.app.controllers.note_edit_actions import NoteEditController

        ui = self._ui
        return NoteEditController(ui.engine, ui.tasks, preview=preview, tell=tell, life=ui.life)

    @lazy
    def setup_import(self) -> SetupImport:
        """Import of set-ups of other programs."""
        from scrubjay_desktop.app.controllers.setup_import import SetupImport

        ui = self._ui
        setups = SetupImport(ui.engine, ui.tasks, ui.window)
        # Set-ups that are found are offered in the window.
        setups.setups_found.connect(ui.window.offer_import)
        setups.announced.connect(ui.window.show_message)
        setups.workspaces_changed.connect(ui.feed.refresh_workspaces)
        return setups

    @lazy
    def note_imports(self) -> NoteImports:
        """Import of notes from exports."""
        from scrubjay_desktop.app.controllers.note_import import NoteImports

        ui = self._ui
        imports = NoteImports(ui.engine, ui.tasks, ui.window)
        # Progress comes as events of the engine.
        ui.bridge.received.connect(imports.on_event)
        imports.announced.connect(ui.window.show_message)
        imports.workspaces_changed.connect(ui.feed.refresh_workspaces)
        return imports

    @lazy
    def bug_reports(self) -> BugReports:
        """Reports of bugs, shown."""
        from scrubjay_desktop.app.controllers.bug_report import BugReports

        return BugReports(self._ui.engine.paths, self._ui.window, self._ui.life)

    @lazy
    def remote_consent(self) -> RemoteConsent:
        """Questions before notes are sent."""
        from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent

        consent = RemoteConsent(self._ui.engine, self._ui.window)
        self._ui.bridge.received.connect(consent.on_event)
        consent.allowed.connect(self.actions.send)
        return consent

    @lazy
    def access_prompts(self) -> AccessPrompts:
        """Questions before agents read or add notes."""
        from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts

        engine = self._ui.engine
        prompts = AccessPrompts(engine, self._ui.window)
        self._ui.bridge.received.connect(prompts.on_event)
        # The answer goes back to the agent that waits for it.
        prompts.answered.connect(
            lambda request, is_allowed, always: engine.agents.answer(
                request, is_allowed=is_allowed, always=always
            )
        )
        return prompts

    @lazy
    def agents(self) -> AgentsEntryController:
        """The place of the page of agents."""
        from scrubjay_desktop.app.controllers.agents_entry import AgentsEntryController

        ui = self._ui
        policy = AgentsEntryController(ui)
        # An agent may come at any time, so it is looked for again at each sign of one.
        ui.bridge.received.connect(policy.on_event)
        return policy

    @lazy
    def notifications(self) -> NotificationController:
        """What is told outside of the window."""
        from scrubjay_desktop.app.controllers.notifications import (
            NotificationController,
            offer_upgrade,
            tell_failed_download,
        )

        ui = self._ui
        window = ui.window
        policy = NotificationController(window, ui.preferences)
        policy.notified.connect(self._system_tray.notify)
        # News that cannot wait go to the tray, and a failed download to the window.
        ui.feed.changed.connect(policy.show_status)
        ui.bridge.received.connect(policy.on_event)
        ui.bridge.received.connect(partial(tell_failed_download, window))

        def offer() -> None:
            offer_upgrade(ui.engine, ui.tasks, window=window, show=window.requests.models.emit)

        policy.all_read.connect(offer)
        return policy

    @lazy
    def close_policy(self) -> CloseController:
        """What closing the window means."""
        from scrubjay_desktop.app.controllers.window_closing import CloseController

        ui = self._ui
        policy = CloseController(ui.window, ui.preferences)
        policy.quit_requested.connect(ui.window.requests.quit)
        return policy

    def close_window(self) -> None:
        """Do what closing the window means, which depends on whether there is a tray."""
        self.close_policy.close_window(has_tray=self.tray.is_visible)

    @lazy
    def pausing(self) -> PauseController:
        """Pauses of indexing."""
        from scrubjay.platform.power import is_on_battery
        from scrubjay_desktop.app.controllers.pausing import PauseController

        ui = self._ui
        asked = self._start.is_on_battery or is_on_battery
        policy = PauseController(
            ui.engine, ui.tasks, preferences=ui.preferences, is_on_battery=asked, parent=self
        )
        # The battery is asked only while that matters.
        ui.feed.changed.connect(policy.show_status)
        ui.bridge.received.connect(policy.on_event)
        return policy

    @lazy
    def _system_tray(self) -> SystemTray:
        from scrubjay_desktop.platform.tray import create_tray

        return self._start.tray or create_tray(self)

    @lazy
    def tray(self) -> TrayMenu:
        """Icon and menu in the tray."""
        from scrubjay_desktop.windows.tray_menu import TrayMenu

        ui = self._ui
        tray = TrayMenu(self._system_tray, ui.engine, tasks=ui.tasks, window=ui.window)
        # The icon follows the state of the app and the colours of the desktop.
        ui.feed.changed.connect(tray.show_status)
        qapp = QApplication.instance()
        assert isinstance(qapp, QApplication)
        qapp.paletteChanged.connect(lambda _: tray.recolor())
        tray.document_opened.connect(lambda document: ui.opener.open(document.file, 1))
        return tray

    @lazy
    def quick_key(self) -> HotkeySetting:
        """The key that opens the popup."""
        from scrubjay_desktop.platform.hotkey.factory import create_hotkey
        from scrubjay_desktop.settings.hotkey_setting import HotkeySetting

        ui = self._ui
        hotkey = self._start.hotkey or create_hotkey()
        setting = HotkeySetting(hotkey, ui.preferences, self)
        # The popup is looked up when the key is pressed, and made then at the latest.
        setting.pressed.connect(lambda: self.popup.toggle())
        setting.refused.connect(ui.window.tell)
        setting.changed.connect(lambda keys: self.tray.show_keys(keys))
        setting.changed.connect(ui.window.window_actions.show_quick_keys)
        setting.changed.connect(ui.window.search.first_questions.show_quick_keys)
        return setting
