"""Parts of the app that its first frame does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from scrubjay.concurrency.lazy import LazyParts, lazy

if TYPE_CHECKING:
    from scrubjay_desktop.app.application import Desktop, Start
    from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts
    from scrubjay_desktop.app.controllers.agents_entry import AgentsPolicy
    from scrubjay_desktop.app.controllers.bug_report import BugReports
    from scrubjay_desktop.app.controllers.closing import ClosePolicy
    from scrubjay_desktop.app.controllers.engine_actions import EngineActions, FolderActions
    from scrubjay_desktop.app.controllers.note_changes import NoteChanges
    from scrubjay_desktop.app.controllers.note_import import NoteImports
    from scrubjay_desktop.app.controllers.notifications import NotificationPolicy
    from scrubjay_desktop.app.controllers.pausing import PausePolicy
    from scrubjay_desktop.app.controllers.quick_note import QuickNote
    from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent
    from scrubjay_desktop.app.controllers.setup_import import SetupImport
    from scrubjay_desktop.app.controllers.sharing_actions import SharingActions
    from scrubjay_desktop.platform.tray import SystemTray
    from scrubjay_desktop.preview.preview import Preview
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

    def __init__(self, app: Desktop, start: Start) -> None:
        super().__init__(app)
        self._app = app
        self._start = start
        self._steps = self._all_steps()

    def begin(self) -> None:
        """Make what is missing, part by part, and let the user click and type between two."""
        if self._app.life.cancelled:
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
        yield self._app.window.preview
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

        app = self._app
        actions = EngineActions(app.engine, app.tasks, paths=app.paths, life=app.life, parent=app)
        actions.workspaces_changed.connect(app.workspaces_changed)
        actions.refused.connect(app.window.tell)
        return actions

    @lazy
    def folders(self) -> FolderActions:
        """Commands of the user for a folder."""
        from scrubjay_desktop.app.controllers.engine_actions import FolderActions

        return FolderActions(self._app)

    @lazy
    def sharing(self) -> SharingActions:
        """Commands of the user about what is shared, made at the first of them."""
        from scrubjay_desktop.app.controllers.sharing_actions import SharingActions

        return SharingActions(self._app)

    @lazy
    def popup(self) -> QuickSearch:
        """The popup, hidden."""
        from scrubjay_desktop.windows.quick_search import QuickSearch

        app = self._app
        popup = QuickSearch(app.engine, app.tasks, opener=app.opener, preferences=app.preferences)
        # The popup shares the pinned searches with the window, and shows its notes there.
        popup.actions_of_popup.pinned = app.window.pinned
        popup.row_chosen.connect(app.show_row)
        popup.pane.built.connect(
            lambda preview: self.change_notes_of(preview, popup.pane.banner.tell)
        )
        app.feed.notes_changed.connect(popup.repeat)
        return popup

    @lazy
    def quick_note(self) -> QuickNote:
        """Notes written in a box of their own."""
        from scrubjay_desktop.app.controllers.quick_note import QuickNote

        app = self._app
        return QuickNote(
            app.engine, app.tasks, opener=app.opener, preferences=app.preferences, window=app.window
        )

    @lazy
    def note_changes(self) -> NoteChanges:
        """Changes to the note that the window shows."""
        return self.change_notes_of(self._app.window.preview, self._app.window.tell)

    def change_notes_of(self, preview: Preview, tell: Callable[..., None]) -> NoteChanges:
        """The writing of what is ticked and added in a preview, with the place of its messages."""
        from scrubjay_desktop.app.controllers.note_changes import NoteChanges

        app = self._app
        return NoteChanges(app.engine, app.tasks, preview=preview, tell=tell, life=app.life)

    @lazy
    def setup_import(self) -> SetupImport:
        """Import of set-ups of other programs."""
        from scrubjay_desktop.app.controllers.setup_import import SetupImport

        app = self._app
        setups = SetupImport(app.engine, app.tasks, app.window)
        # Set-ups are looked for once the engine has started, and offered in the window.
        app.started.connect(setups.look)
        setups.setups_found.connect(app.window.offer_import)
        setups.announced.connect(app.window.show_message)
        setups.workspaces_changed.connect(app.workspaces_changed)
        return setups

    @lazy
    def note_imports(self) -> NoteImports:
        """Import of notes from exports."""
        from scrubjay_desktop.app.controllers.note_import import NoteImports

        app = self._app
        imports = NoteImports(app.engine, app.tasks, app.window)
        # Progress comes as events of the engine.
        app.bridge.received.connect(imports.on_event)
        imports.announced.connect(app.window.show_message)
        imports.workspaces_changed.connect(app.workspaces_changed)
        return imports

    @lazy
    def bug_reports(self) -> BugReports:
        """Reports of bugs, shown."""
        from scrubjay_desktop.app.controllers.bug_report import BugReports

        return BugReports(self._app.paths, self._app.window, self._app.life)

    @lazy
    def remote_consent(self) -> RemoteConsent:
        """Questions before notes are sent."""
        from scrubjay_desktop.app.controllers.remote_consent import RemoteConsent

        consent = RemoteConsent(self._app.engine, self._app.window)
        self._app.bridge.received.connect(consent.on_event)
        consent.allowed.connect(self.actions.send)
        return consent

    @lazy
    def access_prompts(self) -> AccessPrompts:
        """Questions before agents read or add notes."""
        from scrubjay_desktop.app.controllers.access_prompt import AccessPrompts

        engine = self._app.engine
        prompts = AccessPrompts(engine, self._app.window)
        self._app.bridge.received.connect(prompts.on_event)
        # The answer goes back to the agent that waits for it.
        prompts.answered.connect(
            lambda request, is_allowed, always: engine.agents.answer(
                request, is_allowed=is_allowed, always=always
            )
        )
        return prompts

    @lazy
    def agents(self) -> AgentsPolicy:
        """The place of the page of agents."""
        from scrubjay_desktop.app.controllers.agents_entry import AgentsPolicy

        app = self._app
        policy = AgentsPolicy(
            app.engine, app.tasks, preferences=app.preferences, window=app.window, life=app.life
        )
        # An agent may come at any time, so it is looked for again at each sign of one.
        app.started.connect(policy.look)
        app.bridge.received.connect(policy.on_event)
        return policy

    @lazy
    def notifications(self) -> NotificationPolicy:
        """What is told outside of the window."""
        from scrubjay_desktop.app.controllers.notifications import (
            NotificationPolicy,
            offer_upgrade,
            tell_failed_download,
        )

        app = self._app
        window = app.window
        policy = NotificationPolicy(
            self._system_tray.notify, app.preferences, is_seen=window.isActiveWindow, parent=app
        )
        # News that cannot wait go to the tray, and a failed download to the window.
        app.feed.changed.connect(policy.show_status)
        app.bridge.received.connect(policy.on_event)
        app.bridge.received.connect(partial(tell_failed_download, window))

        def offer() -> None:
            offer_upgrade(app.engine, app.tasks, window=window, show=app.show_models)

        policy.all_read.connect(offer)
        return policy

    @lazy
    def close_policy(self) -> ClosePolicy:
        """What closing the window means."""
        from scrubjay_desktop.app.controllers.closing import ClosePolicy

        app = self._app
        policy = ClosePolicy(app.window, app.preferences, lambda: self.tray.is_visible)
        policy.quit_requested.connect(app.quit)
        return policy

    @lazy
    def pausing(self) -> PausePolicy:
        """Pauses of indexing."""
        from scrubjay_desktop.app.controllers.pausing import PausePolicy
        from scrubjay_desktop.platform.power import is_on_battery

        app = self._app
        asked = self._start.is_on_battery or is_on_battery
        policy = PausePolicy(
            app.engine, app.tasks, preferences=app.preferences, is_on_battery=asked, parent=app
        )
        # The battery is asked only while that matters.
        app.feed.changed.connect(policy.show_status)
        app.bridge.received.connect(policy.on_event)
        return policy

    @lazy
    def _system_tray(self) -> SystemTray:
        from scrubjay_desktop.platform.tray import tray_here

        return self._start.tray or tray_here(self._app)

    @lazy
    def tray(self) -> TrayMenu:
        """Icon and menu in the tray."""
        from scrubjay_desktop.windows.tray_menu import TrayMenu

        app = self._app
        tray = TrayMenu(self._system_tray, app.engine, tasks=app.tasks, window=app.window)
        # The icon follows the state of the app and the colours of the desktop.
        app.feed.changed.connect(tray.show_status)
        app.qapp.paletteChanged.connect(lambda _: tray.recolor())
        tray.document_opened.connect(lambda document: app.opener.open(document.file, 1))
        return tray

    @lazy
    def quick_key(self) -> HotkeySetting:
        """The key that opens the popup."""
        from scrubjay_desktop.platform.hotkey.factory import hotkey_here
        from scrubjay_desktop.settings.hotkey_setting import HotkeySetting

        app = self._app
        hotkey = self._start.hotkey or hotkey_here()
        # The popup is looked up when the key is pressed, and made then at the latest.
        setting = HotkeySetting(
            hotkey, app.preferences, pressed=lambda: self.popup.toggle(), parent=app
        )
        setting.refused.connect(app.window.tell)
        setting.changed.connect(lambda keys: self.tray.show_keys(keys))
        setting.changed.connect(app.window.window_actions.show_quick_keys)
        setting.changed.connect(app.window.search.first_questions.show_quick_keys)
        return setting
