"""The actions of the main window: names, keys, and menus made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from scrubjay_desktop.windows.note_actions import (
    Entry,
    NoteActions,
    action_name,
    add_actions,
    fill_menu,
    shortcut_text,
)
from scrubjay_desktop.windows.status_line import pause_menu

if TYPE_CHECKING:
    from scrubjay_desktop.preview.note_view import NoteView
    from scrubjay_desktop.preview.page_canvas import PageCanvas
    from scrubjay_desktop.preview.preview import Preview
    from scrubjay_desktop.search.search_panel import SearchPanel
    from scrubjay_desktop.windows.navigation import Navigation
    from scrubjay_desktop.windows.row_actions import RowActions
    from scrubjay_desktop.windows.status_line import StatusLine
    from scrubjay_desktop.windows.window_requests import WindowRequests
    from scrubjay_desktop.workspaces.workspaces_sidebar import WorkspacesSidebar

_OF_TEXT = ("find_in", "next", "previous", "larger", "smaller", "usual")
"""Names of commands that need the text of a note or a picture."""
_STANDARD = QKeySequence.StandardKey
_EDITS = (
    (_STANDARD.Undo, "QWidgetTextControl", "&Undo"),
    (_STANDARD.Redo, "QWidgetTextControl", "&Redo"),
    (_STANDARD.Cut, "QCocoaMenuItem", "Cut"),
    (_STANDARD.Copy, "QCocoaMenuItem", "Copy"),
    (_STANDARD.Paste, "QCocoaMenuItem", "Paste"),
    (_STANDARD.SelectAll, "QCocoaMenuItem", "Select All"),
)
"""Keys for text, with their texts in Qt's own translations and where those are."""


def _act_on_front(act: Callable[[QWidget], object], _is_checked: bool = False) -> None:
    """Do something with the window that has the keys, which may be a dialog."""
    window = QApplication.activeWindow()
    if window is not None:
        act(window)


def _press(keys: QKeySequence) -> None:
    """Press keys where the focus is."""
    widget = QApplication.focusWidget()
    if widget is None:
        return
    combination: QKeyCombination = keys[0]  # type: ignore[index]  # missing in the stubs
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, combination.key(), combination.keyboardModifiers())
        QApplication.sendEvent(widget, event)


def _zoom(window: QWidget) -> None:
    """Make a window large, or as it was before."""
    # macOS has one command for both.
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowMaximized)


class Window(Protocol):
    """What the actions use of the main window: its parts, and what it does by itself."""

    search: SearchPanel
    workspaces: WorkspacesSidebar
    status_line: StatusLine
    navigation: Navigation
    row_actions: RowActions
    requests: WindowRequests

    @property
    def preview(self) -> Preview: ...  # noqa: D102

    # These the window does by itself; the app does what is requested.
    def show_actions(self) -> None: ...  # noqa: D102
    def focus_search(self) -> None: ...  # noqa: D102
    def turn_pin(self) -> None: ...  # noqa: D102
    def show_search_tips(self) -> None: ...  # noqa: D102
    def find_in_note(self) -> None: ...  # noqa: D102
    def close(self) -> bool: ...  # noqa: D102


class WindowActions(QObject):
    """One QAction for each thing that keys and menus can do, by a short name."""

    def __init__(self, window: Window, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = window
        self._parent = parent
        self.note = NoteActions(parent, window.row_actions)
        self.note.tag_chosen.connect(window.search.narrow_to_tag)
        self._actions = add_actions(parent, self._entries()) | self.note.by_name
        self.set_shown("bring", is_shown=False)

    def show_quick_keys(self, keys: QKeySequence) -> None:
        """Write beside its entry which key opens the popup."""
        self._actions["quick"].setShortcut(keys)

    def set_shown(self, name: str, is_shown: bool) -> None:
        """Show or hide an entry of the menus."""
        self._actions[name].setVisible(is_shown)

    def keys(self) -> list[tuple[str, str]]:
        """Keys as people read them, each with the name of its action."""
        return [
            (shortcut_text(action), action_name(action).removesuffix("…"))
            for action in self._actions.values()
            if action.shortcuts()
        ]

    def offered(self, parent: QObject) -> list[QAction]:
        """All that can be done now: with the chosen note, then pages and commands."""
        note: list[QAction] = []
        if self._window.preview.isVisible():
            note = self.note.offered(parent)
        pages = self._window.navigation.page_actions(parent)
        own = [
            action
            for name, action in self._actions.items()
            if name not in self.note.by_name and action.isVisible() and self._fits(name)
        ]
        # A page and the command that leads to it have the same name.
        titles = {action_name(action) for action in pages}
        others = [action for action in own if action_name(action).removesuffix("…") not in titles]
        # What is done with the note that is read comes first.
        return [*note, *pages, *others]

    def _fits(self, name: str) -> bool:
        """Whether a command finds what it works on."""
        preview = self._window.preview
        if name in _OF_TEXT:
            return preview.isVisible() and preview.has_text
        if name == "pin":
            return self._window.search.isVisible() and self._window.search.pin.isEnabled()
        if name == "include":
            return self._window.search.reading.has_excluded
        return name != "actions"

    def app_menu(self) -> QMenu:
        """The entries of the tray's menu, and some more."""
        menu = fill_menu(
            QMenu(self._parent),
            "actions | remember quick add pin | task line print | why find_in next previous path "
            "| models agents add_shared bring_notes bring settings help uninstall | close quit",
            self._actions,
        )
        # Pausing has its own menu, before the models.
        menu.insertMenu(
            self._actions["models"], pause_menu(self._window.status_line.paused, self._parent)
        )
        return menu

    def menu_bar(self) -> QMenuBar:
        """The menu bar of a Mac. Its roles move three entries into the menu of the app.

        See "The menu bar" in Apple's Human Interface Guidelines.
        """
        # Without a parent it belongs to all windows. macOS itself adds the entries to hide.
        bar = QMenuBar()
        about = QAction(self.tr("About Scrubjay"), bar)
        about.triggered.connect(self._window.requests.help.emit)
        roles = {
            about: QAction.MenuRole.AboutRole,
            self._actions["settings"]: QAction.MenuRole.PreferencesRole,
            self._actions["quit"]: QAction.MenuRole.QuitRole,
        }
        for action, role in roles.items():
            action.setMenuRole(role)
        menu = self.app_menu()
        menu.setTitle(self.tr("&File"))
        menu.addAction(about)
        bar.addMenu(menu)
        bar.addMenu(self._mac_edit_menu(bar))
        bar.addMenu(self._mac_window_menu(bar))
        return bar

    def _mac_edit_menu(self, bar: QMenuBar) -> QMenu:
        """The menu from which the file panels of a Mac take their keys for text."""
        menu = QMenu(self.tr("&Edit"), bar)
        for standard_key, context, text in _EDITS:
            # Qt tells the system which entries these are by its own texts for them.
            action = menu.addAction(QCoreApplication.translate(context, text))
            action.setShortcut(standard_key)
            action.triggered.connect(partial(_press, QKeySequence(standard_key)))
        return menu

    def _mac_window_menu(self, bar: QMenuBar) -> QMenu:
        """The menu that each app of a Mac has beside its own; Qt makes none."""
        # Command-M is a key of this menu everywhere.
        menu = QMenu(self.tr("&Window"), bar)
        minimize = menu.addAction(self.tr("&Minimize"))
        minimize.setShortcut(QKeySequence("Ctrl+M"))
        zoom = menu.addAction(self.tr("&Zoom"))

        minimize.triggered.connect(partial(_act_on_front, QWidget.showMinimized))
        zoom.triggered.connect(partial(_act_on_front, _zoom))
        return menu

    def note_menu(self) -> QMenu:
        """Entries for the chosen note."""
        return self.note.menu()

    @property
    def _view(self) -> NoteView | PageCanvas:
        return self._window.preview.reader

    def _entries(self) -> tuple[Entry, ...]:
        # What is written here is the order of the keys in the help.
        window = self._window
        requests = window.requests
        return (
            ("actions", self.tr("All actions…"), ["Ctrl+K"], window.show_actions),
            ("add", self.tr("&Add a folder…"), ["Ctrl+Shift+N"], window.workspaces.ask_for_folder),
            ("quick", self.tr("&Quick search"), [], requests.quick_search.emit),
            ("remember", self.tr("&Remember this…"), ["Ctrl+N", "Ctrl+R"], requests.remember.emit),
            ("find", self.tr("&Search"), ["Ctrl+L", "Ctrl+E"], window.focus_search),
            ("pin", self.tr("P&in or unpin this search"), ["Ctrl+D"], window.turn_pin),
            ("tips", self.tr("Search tips"), ["Shift+F1"], window.show_search_tips),
            (
                "include",
                self.tr("Search without exclusions"),
                [],
                window.search.reading.include_excluded,
            ),
            ("find_in", self.tr("&Find in this note"), ["Ctrl+F"], window.find_in_note),
            (
                "larger",
                self.tr("&Larger text"),
                ["Ctrl++", "Ctrl+="],
                lambda: self._view.zoom_by(1),
            ),
            ("smaller", self.tr("&Smaller text"), ["Ctrl+-"], lambda: self._view.zoom_by(-1)),
            ("usual", self.tr("&Default text size"), ["Ctrl+0"], lambda: self._view.zoom_by(0)),
            ("next", self.tr("&Next match"), ["F3"], lambda: self._view.step(1)),
            ("previous", self.tr("Pre&vious match"), ["Shift+F3"], lambda: self._view.step(-1)),
            (
                "pause",
                self.tr("&Pause or resume reading"),
                ["Ctrl+Shift+P"],
                window.status_line.toggle_pause,
            ),
            ("refresh", self.tr("&Check for changes"), ["F5"], lambda: requests.refresh.emit(None)),
            ("add_shared", self.tr("Add a shared &memory…"), [], requests.memory.emit),
            ("bring_notes", self.tr("Import n&otes…"), [], requests.notes.emit),
            ("bring", self.tr("&Import settings…"), [], requests.setups.emit),
            ("models", self.tr("Lang&uage helpers…"), ["Ctrl+M"], requests.models.emit),
            ("agents", self.tr("For AI a&gents"), [], requests.agents.emit),
            ("settings", self.tr("&Settings"), ["Ctrl+,"], requests.settings.emit),
            ("help", self.tr("&Help"), ["F1"], requests.help.emit),
            ("uninstall", self.tr("Uninstall Scrub&jay…"), [], requests.uninstall.emit),
            ("close", self.tr("&Close the window"), ["Ctrl+W"], window.close),
            ("quit", self.tr("Qui&t Scrubjay"), ["Ctrl+Q"], requests.quit.emit),
        )
